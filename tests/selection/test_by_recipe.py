"""`curation select --recipe` beside a rebuild's own steps, on the same pool."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from curation import recipe as recipes
from curation import records, storage
from curation.errors import InputError
from curation.llm.places import pool_path
from curation.llm.proposer import FillPool, Propose
from curation.pool_selection import select
from curation.progress import Silent
from curation.records import TestCase
from curation.selection import StageOne, StageTwo
from curation.selection.options import wanted_of
from curation.steps import DROPPED, KEPT, StepContext

sys.path.insert(0, str(Path(__file__).parent.parent / "llm"))

from run_parts import problem
from scripted_server import ScriptedServer, completion, running

PROGRAM = "```python\na, b = map(int, input().split())\nprint(a {} b)\n```"
ASKED = {"seed": None, "models": (), "samplers": (), "mixed": False, "regrade": True}


def write(payload: dict[str, Any]) -> bytes:
    prompt, seed = payload["messages"][0]["content"], payload["seed"]
    if "Add two" in prompt:
        return completion(f"<think>.</think>\n{PROGRAM.format('+' if seed % 2 else '-')}")
    number = int(re.findall(r"What is n(\d+)", prompt)[0])
    right = (seed + number) % 3 == 0
    return completion(f"<think>.</think>\\boxed{{{7 if right else 8}}}", "length" if seed % 7 == 0 else "stop")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run the steps of a rebuild, whose proposer asks the same model with other prompts into the same pool."""
    home = tmp_path_factory.mktemp("run")
    problems = [problem(f"n{number}", "7", statement=f"What is n{number}?") for number in range(14)]
    problems.append(problem("add", None, domain="code", statement="Add two.", tests="add", time_limit_s=2.0))
    tests = [TestCase("add", f"t{n}", "stdio", f"{n} {n}\n", f"{2 * n}\n") for n in (1, 2)]
    tables = {KEPT: home / "in.parquet", "tests": home / "tests.parquet"}
    storage.write_table(tables[KEPT], records.to_frame(problems, records.PROBLEM_SCHEMA), records.PROBLEM_SCHEMA)
    storage.write_table(tables["tests"], records.to_frame(tests, records.TEST_SCHEMA), records.TEST_SCHEMA)
    with running(ScriptedServer(write=write)) as server:
        (home / "recipe.toml").write_text(
            'name = "small"\nseed = 3\n[[sources]]\nuse = "own"\n[models.m]\nengine = "http"\nmodel = "m"\n'
            f'url = "{server.url}"\n[proposer]\nmodel = "m"\nsamples = 6\nprompt = "solve_brief"\nstop = "never"\n'
            '[pool]\nmodel = "m"\nsamples = 8\nextra_samples = 3\nstop = "never"\nwave = 2\n'
            "[stage1]\nmath_below = 0.8\ncode_below = 0.9\nmessages_low = 2\nmessages_high = 5\n"
            'truncated = "leave_out"\n'
            '[stage2]\nmodel = "m"\nsamples = 3\n'
        )
        wanted = recipes.load(str(home / "recipe.toml"))
        for step in (Propose(), FillPool(), StageOne(), StageTwo()):
            output = home / "steps" / step.name
            output.mkdir(parents=True)
            step.execute(StepContext(wanted, tables, output, home, None, Silent()))
            tables |= {path.stem: path for path in output.glob("*.parquet") if path.stem != DROPPED}
    return home


def chosen(run: Path, out: Path, pool: str | None = None, **options: Any) -> dict[str, bytes]:
    wanted = wanted_of(str(run / "recipe.toml"), {}, {}, **{**ASKED, **options})
    place = pool_path(pool or str(run / "pool"))
    select(place, out, wanted, problems=str(run / "steps/propose/problems.parquet"), tests=run / "tests.parquet")
    return {path.stem: path.read_bytes() for path in out.glob("*.parquet")}


def test_tables_are_those_of_the_rebuild_byte_for_byte(run: Path, tmp_path: Path) -> None:
    before = sorted(path.name for path in (run / "pool/responses").iterdir())
    found = chosen(run, tmp_path / "out")
    told = {
        "stage1": run / "steps/stage1/stage1.parquet",
        "stage2": run / "steps/stage2/stage2.parquet",
        "grades": run / "steps/pool/pool_grades.parquet",
        "accuracy": run / "steps/pool/pool_accuracy.parquet",
        "synthesis_grades": run / "steps/stage2/synthesis_grades.parquet",
        "synthesis_accuracy": run / "steps/stage2/synthesis_accuracy.parquet",
    }
    assert {name: found[name] == path.read_bytes() for name, path in told.items()} == dict.fromkeys(told, True)
    first, second = (
        set(pl.read_parquet(tmp_path / f"out/{stage}.parquet")["problem_id"]) for stage in ("stage1", "stage2")
    )
    assert "own:add" in first
    assert len(first) > 2 < len(second) < 15
    assert sorted(path.name for path in (run / "pool/responses").iterdir()) == before
    assert chosen(run, tmp_path / "other", seed=4)["stage1"] != found["stage1"]


def test_responses_to_other_prompts_count_only_where_an_option_says_so(run: Path, tmp_path: Path) -> None:
    by_recipe = chosen(run, tmp_path / "out")
    assert chosen(run, tmp_path / "counted", models=("m",))["grades"] != by_recipe["grades"]


def test_pool_that_lacks_what_the_recipe_asks_for(run: Path, tmp_path: Path) -> None:
    pool = tmp_path / "pool"
    shutil.copytree(run / "pool/responses", pool / "responses")
    text = (run / "recipe.toml").read_text()
    given = {"problems": str(run / "steps/propose/problems.parquet"), "tests": run / "tests.parquet"}
    (tmp_path / "recipe.toml").write_text(text.replace('model = "m"\nurl', 'model = "m"\nrevision = "2"\nurl'))
    wanted = wanted_of(str(tmp_path / "recipe.toml"), {}, {}, **ASKED)  # type: ignore[arg-type]
    (tmp_path / "out").mkdir()
    (tmp_path / "out/stage1.parquet").write_text("of an earlier selection")
    with pytest.raises(InputError, match="holds no response that the recipe asks m for"):
        select(pool, tmp_path / "out", wanted, **given)  # type: ignore[arg-type]
    assert (tmp_path / "out/stage1.parquet").read_text() == "of an earlier selection"
    (tmp_path / "recipe.toml").write_text(text.replace("samples = 8", 'samples = 8\nprompt = "solve_brief"'))
    wanted = wanted_of(str(tmp_path / "recipe.toml"), {}, {}, **ASKED)  # type: ignore[arg-type]
    found = select(pool, tmp_path / "out", wanted, **given).selected  # type: ignore[arg-type]
    # The proposer's samples are all that there is.
    domains = pl.read_parquet(given["problems"])["domain"].to_list()
    assert found.responses == 6 * domains.count("math") + 8 * domains.count("code") > 50
    # Nor does a pool of responses alone say what the problems are.
    with pytest.raises(InputError, match="keeps no problems: give them with --problems"):
        select(pool, tmp_path / "out", wanted, tests=run / "tests.parquet")
