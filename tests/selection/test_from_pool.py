"""Stage 1 from an imported log, without a model."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from curation import records, storage
from curation.errors import InputError
from curation.llm.pool_import import import_log
from curation.recipe import StageOneSection
from curation.selection.from_pool import select_from_pool

SECTION = StageOneSection(messages_low=2, messages_high=3)
SCORES = {"rare": [True, False, False], "often": [True, True, False], "never": [False] * 3}


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    rows = [
        {
            "id": name,
            "question": f"What is {name}?",
            "code": [f"<think>x</think>{n}" for n in range(3)],
            "score": scores,
        }
        for name, scores in SCORES.items()
    ]
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    import_log(tmp_path / "log.jsonl", tmp_path / "pool", model="m")
    return tmp_path / "pool"


def test_verdicts_of_the_log_decide(pool: Path, tmp_path: Path) -> None:
    selected = select_from_pool(pool, tmp_path / "out", section=SECTION)
    assert (selected.problems, selected.stage1) == (3, 1)
    assert selected.dropped == {"accuracy_too_high": 1, "accuracy_zero": 1}
    chosen = pl.read_parquet(tmp_path / "out/stage1.parquet")
    assert chosen["accuracy"].to_list() == [1 / 3]
    assert chosen["messages"].list.len()[0] in (2, 3)


def test_only_the_problems_of_the_table_are_looked_at(pool: Path, tmp_path: Path) -> None:
    ids = pl.read_parquet(pool / "responses/*.parquet")["problem_id"].unique().sort()
    rows = [
        records.Problem(problem_id, "code", "code", "own", problem_id, "?", "CC0-1.0")
        for problem_id in [ids[0], "own:new"]
    ]
    table = tmp_path / "problems.parquet"
    storage.write_table(table, records.to_frame(rows, records.PROBLEM_SCHEMA), records.PROBLEM_SCHEMA)
    selected = select_from_pool(pool, tmp_path / "out", problems=table, section=SECTION)
    assert selected.problems == 2
    assert selected.stage1 + sum(selected.dropped.values()) == 2
    assert selected.dropped["no_graded_response"] == 1


def test_pool_without_verdicts(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no response pool with verdicts"):
        select_from_pool(tmp_path, tmp_path / "out")
