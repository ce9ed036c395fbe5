"""The demo's rows: each is kept, or dropped where and by the rule that its table of expectations says."""

from __future__ import annotations

import polars as pl
import pytest

from curation import bundled, pipeline
from curation.json_reader import loads

LAST = "decontaminate"
LATER = frozenset(["judge"])


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> pipeline.Rebuilt:
    return pipeline.rebuild("demo", tmp_path_factory.mktemp("demo") / "run", until=LAST)


@pytest.fixture(scope="module")
def expected() -> dict[str, tuple[str | None, str | None]]:
    rows = loads((bundled.folder("sources") / "demo" / "expected.json").read_text())
    assert isinstance(rows, list)
    found = {}
    for row in rows:
        assert isinstance(row, dict)
        found[str(row["problem_id"])] = (row["step"], row["rule"])
    assert len(found) == len(rows)
    return found


@pytest.mark.xdist_group("demo_rows")
def test_every_row_goes_where_the_table_says(run: pipeline.Rebuilt, expected: dict[str, tuple[str, str]]) -> None:
    ledgers = sorted(run.run.directory.glob("steps/*/ledger.parquet"))
    dropped = pl.concat([pl.read_parquet(ledger) for ledger in ledgers])
    actual = {name: (step, rule) for name, step, rule in dropped.select("problem_id", "step", "rule").iter_rows()}
    problems = pl.read_parquet(run.run.newest("problems"))
    actual |= dict.fromkeys(problems["problem_id"].to_list(), (None, None))
    wanted = {name: (None, None) if step in LATER else (step, rule) for name, (step, rule) in expected.items()}
    assert actual == wanted


@pytest.mark.xdist_group("demo_rows")
def test_the_rows_keep_their_text(run: pipeline.Rebuilt) -> None:
    problems = pl.read_parquet(run.run.newest("problems"))
    texts = {row["problem_id"]: (row["statement"], row["answer"]) for row in problems.iter_rows(named=True)}
    assert texts["demo-dapo:0004"] == ("计算 $5+3$ 的值。", "8")
    assert texts["demo-dapo:0005"][1] == "7" * 60
    assert texts["demo-numinamath:3"][1] == "\\frac{1}{2}"
    assert texts["lindenhof-open:2019-arithmetic-2"] == ("Compute $\\operatorname{lcm}(2,3)$.", "6")


def test_the_benchmark_is_small_and_whole() -> None:
    lines = (bundled.folder("sources") / "demo" / "benchmark.jsonl").read_text().splitlines()
    items = [loads(line) for line in lines]
    assert len(items) == 10
    assert all(isinstance(item, dict) and set(item) == {"id", "problem", "answer"} for item in items)
