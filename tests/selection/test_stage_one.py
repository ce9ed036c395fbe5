"""Stage 1 on a real pool: who is chosen, who is dropped and why, with which messages."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
import run_parts
from run_parts import build, problem, recipe

from curation.json_reader import loads
from curation.ledger import reconcile
from curation.selection import StageOne

PROBLEMS = {
    "easy": "r" * 9 + "w" * 15,
    "edge": "r" * 9 + "w" * 15,
    "good": "r" * 8 + "w" * 16,
    "half": "r" + "w" * 4 + "u" * 19,
    "zero": "w" * 24,
    "blind": "u" * 24,
    "few": "r" + "w" * 5 + "f" * 18,
    "code": "r" * 14 + "w" * 10,
    "codeedge": "r" * 15 + "w" * 9,
    "nopool": "",
}


@pytest.fixture
def parts(tmp_path: Path) -> run_parts.Parts:
    problems = [
        problem(name, domain="code" if name.startswith("code") else "math", group="code" if name == "code" else "x")
        for name in PROBLEMS
    ]
    return build(tmp_path, problems, {f"own:{name}": letters for name, letters in PROBLEMS.items() if letters})


def rules(directory: Path) -> dict[str, str]:
    frame = pl.read_parquet(directory / "ledger.parquet")
    return dict(frame.select(pl.col("problem_id").str.strip_prefix("own:"), "rule").iter_rows())


def test_who_is_chosen_and_why_not(parts: run_parts.Parts) -> None:
    context = parts.context(recipe(seed=3), "one")
    report = StageOne().execute(context)
    chosen = pl.read_parquet(context.output / "stage1.parquet")
    assert chosen["problem_id"].to_list() == ["own:code", "own:good", "own:half"]
    assert chosen["accuracy"].to_list() == [14 / 24, 8 / 24, 0.2]
    assert rules(context.output) == {
        "easy": "accuracy_too_high",
        "edge": "accuracy_too_high",
        "codeedge": "accuracy_too_high",
        "zero": "accuracy_zero",
        "blind": "no_graded_response",
        "nopool": "no_graded_response",
        "few": "too_few_responses",
    }
    assert report.findings["Problems"] == 3
    reconcile("stage1", parts.tables["problems"], context.output / "stage1.parquet", context.output / "ledger.parquet")


def test_evidence_tells_the_counts(parts: run_parts.Parts) -> None:
    context = parts.context(recipe(), "one")
    StageOne().execute(context)
    ledger = pl.read_parquet(context.output / "ledger.parquet").rows_by_key("problem_id", named=True, unique=True)
    assert loads(ledger["own:zero"]["evidence"]) == {
        "right": "0",
        "wrong": "24",
        "unknown": "0",
        "accuracy": "0.0",
        "low": "0.0",
        "high": "0.137976",
        "above": "0.0",
        "below": "0.375",
    }
    assert loads(ledger["own:few"]["evidence"]) == {"stored": "6", "needed": "16"}


def test_message_sets_are_drawn_from_the_pool(parts: run_parts.Parts) -> None:
    context = parts.context(recipe(seed=3, stage1={"messages_low": 4, "messages_high": 6}), "one")
    StageOne().execute(context)
    chosen = pl.read_parquet(context.output / "stage1.parquet")
    assert "own:few" in chosen["problem_id"]
    for row in chosen.iter_rows(named=True):
        stored = {run_parts.response(row["problem_id"], index, None).response_id for index in range(24)}
        assert 4 <= len(set(row["messages"])) == len(row["messages"]) <= 6
        assert set(row["messages"]) <= stored


def test_same_seed_same_bytes_other_seed_other_messages(parts: run_parts.Parts) -> None:
    written = []
    for output, seed in (("one", 3), ("two", 3), ("three", 4)):
        context = parts.context(recipe(seed=seed), output)
        StageOne().execute(context)
        written.append((context.output / "stage1.parquet").read_bytes())
    assert written[0] == written[1] != written[2]


def test_truncated_responses_can_be_left_out(tmp_path: Path) -> None:
    cut = [("own:good", index) for index in range(20, 24)]
    parts = build(tmp_path, [problem("good")], {"own:good": "r" * 8 + "w" * 12 + "u" * 4}, truncated=cut)
    ids = {run_parts.response("own:good", index, None).response_id for _, index in cut}
    kept: dict[str, set[str]] = {}
    for truncated in ("keep", "leave_out"):
        section = {"messages_low": 20, "messages_high": 24, "truncated": truncated, "math_below": 0.5}
        context = parts.context(recipe(stage1=section), truncated)
        StageOne().execute(context)
        kept[truncated] = set(pl.read_parquet(context.output / "stage1.parquet")["messages"].explode())
    assert kept["leave_out"].isdisjoint(ids)
    assert len(kept["leave_out"]) == 20


def test_configuration_follows_the_thresholds_and_the_seed() -> None:
    step = StageOne()
    told = [
        step.configuration(recipe()),
        step.configuration(recipe(seed=1)),
        step.configuration(recipe(stage1={"math_below": "8/24"})),
    ]
    assert told[0] != told[1]
    assert told[0] != told[2]
