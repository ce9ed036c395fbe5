"""What a stored verdict hangs on, and code problems with checkers of their own from the standalone commands."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict
from pathlib import Path

import polars as pl
import pytest
from requests_for_tests import MODEL, request
from scripted_server import ScriptedServer, running

from curation import bundled, records, storage
from curation.errors import InputError
from curation.llm.engine import written
from curation.llm.sampling import sample
from curation.llm.standalone import Options, one_section
from curation.llm.verdicts import JUDGING, Graded, open_verdicts
from curation.pool_selection import select
from curation.recipe import JudgeSection, StageOneSection
from curation.records import CheckerSource, Problem, TestCase
from curation.selection.from_pool import Wanted

EITHER_ORDER = CheckerSource.of(
    "python",
    """
import sys
print(1 if sorted(open(sys.argv[3]).read().split()) == sorted(open(sys.argv[2]).read().split()) else 0)
""",
)
TESTS = [TestCase("factors", "t", "stdio", "6\n", "2 3\n")]


@pytest.fixture
def checkers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    copy = tmp_path / "package/bundled/checkers"
    shutil.copytree(bundled.folder("checkers"), copy)
    monkeypatch.setattr(bundled, "_PACKAGE", tmp_path / "package")
    assert bundled.folder("checkers") == copy
    return copy


@pytest.mark.parametrize("edited", ["floats_1e-6.cpp", "reading.h"])
def test_an_edited_bundled_checker_asks_for_new_verdicts(checkers: Path, tmp_path: Path, edited: str) -> None:
    tests = records.to_frame(TESTS, records.TEST_SCHEMA)
    response = written(request("p"), MODEL, "http", text="x", finish_reason="stop")
    graded = Graded("right", "AC", JUDGING)
    problems = {
        name: asdict(Problem("p", "code", "code", "s", "p", "What?", "CC0-1.0", tests="factors", checker=name))
        for name in ("checkers:floats_1e-6", "checkers:integers", "tokens", None)
    }
    (tmp_path / "pool").mkdir()
    for problem in problems.values():
        with open_verdicts(tmp_path / "pool", JudgeSection()) as verdicts:
            assert verdicts.find(response.response_id, problem, tests) is None
            verdicts.add(response, problem, tests, graded)
    with open_verdicts(tmp_path / "pool", JudgeSection()) as verdicts:
        assert all(verdicts.find(response.response_id, problem, tests) == graded for problem in problems.values())
    (checkers / edited).write_text((checkers / edited).read_text() + "// changed\n")
    changed = {"checkers:floats_1e-6"} | ({"checkers:integers"} if edited.endswith(".h") else set())
    with open_verdicts(tmp_path / "pool", JudgeSection()) as verdicts:
        found = {name for name, problem in problems.items() if verdicts.find(response.response_id, problem, tests)}
    assert found == problems.keys() - changed


def test_checkers_that_came_with_problems_judge_what_is_sampled_and_selected(tmp_path: Path) -> None:
    tables = {}
    for name, rows, schema in (
        ("tests", TESTS, records.TEST_SCHEMA),
        ("checkers", [EITHER_ORDER], records.CHECKER_SCHEMA),
    ):
        tables[name] = tmp_path / f"{name}.parquet"
        storage.write_table(tables[name], records.to_frame(rows, schema), schema)  # type: ignore[arg-type]
    checker = f"python:{EITHER_ORDER.sha256}"
    row = {"id": "factors", "problem": "Factor.", "domain": "code", "tests": "factors", "checker": checker}
    (tmp_path / "rows.jsonl").write_text(json.dumps(row) + "\n")
    programs = ["print(3, 2)", "print(2, 3)", "print(4, 2)"]
    model = ScriptedServer()
    model.write = lambda payload: f"```python\n{programs[len(model.payloads) % 3]}\n```"
    with running(model) as server:
        section = {"url": server.url, "model": "m", "concurrency": 1}
        recipe = one_section(Options(model=section, section={"samples": 3}), "pool")
        without = sample(str(tmp_path / "rows.jsonl"), tmp_path / "pool", recipe, tests=tables["tests"])
        assert (without.right, without.wrong, without.unknown) == (0, 0, 3)
        done = sample(str(tmp_path / "rows.jsonl"), tmp_path / "pool", recipe, **tables)  # type: ignore[arg-type]
        assert (done.stored, done.right, done.wrong) == (0, 2, 1)
    wanted = Wanted(stage1=StageOneSection(messages_low=2, messages_high=3, code_below=0.9))
    assert select(tmp_path / "pool", tmp_path / "out", wanted, **tables).selected.stage1 == 1  # type: ignore[arg-type]
    grades = pl.read_parquet(tmp_path / "out/grades.parquet")
    assert sorted(grades["grade"]) == ["right", "right", "wrong"]
    (part,) = (tmp_path / "out/export/stage1").glob("*.parquet")
    truth = json.loads(pl.read_parquet(part)["ground_truth"][0])
    assert truth["checker_source"] == {"kind": "python", "source": EITHER_ORDER.source}
    with pytest.raises(InputError, match="needs a column 'sha256'"):
        select(tmp_path / "pool", tmp_path / "out", wanted, tests=tables["tests"], checkers=tables["tests"])
