"""`curation sample`: a pool for the rows of any table, resumable, with problems and verdicts beside the responses."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from scripted_server import ScriptedServer, completion, running

from curation.errors import InputError, OutsideError
from curation.llm.sampling import SampleSummary, sample
from curation.llm.standalone import Options, SectionName, named_columns, one_section
from curation.recipe import Recipe

ROWS = [
    {"id": "one", "problem": "What is 1 + 1?", "answer": "2"},
    {"id": "two", "problem": "What is 1 + 2?", "answer": "3"},
    {"id": "open", "problem": "What is 1 + 3?"},
]


def write(payload: dict[str, Any]) -> bytes:
    prompt = payload["messages"][0]["content"]
    if "1 + 1" in prompt:
        return completion(f"\\boxed{{{2 + payload['seed'] % 2}}}")
    return completion("\\boxed{3}", "length" if payload["seed"] % 3 == 0 else "stop")


def rows_in(home: Path, rows: Sequence[dict[str, object]] = tuple(ROWS), name: str = "rows.jsonl") -> str:
    (home / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(home / name)


def asked(server: ScriptedServer, section: SectionName = "pool", **changes: object) -> Recipe:
    model = {"url": server.url, "model": "m", "attempts": 1}
    return one_section(Options(model=model, section={"samples": 6, **changes}), section)


def test_rows_of_any_shape_fill_a_pool_that_is_never_asked_twice(tmp_path: Path) -> None:
    with running(ScriptedServer(write=write)) as server:
        first = sample(rows_in(tmp_path), tmp_path / "pool", asked(server))
        assert len(server.payloads) == 18 == first.stored == first.samples
        assert (first.problems, first.known, first.failed, first.model) == (3, 0, 0, "m")
        assert (
            first.truncated
            == pl.read_parquet(tmp_path / "pool/responses/*.parquet").filter(pl.col("finish_reason") == "length").height
        )
        assert first.right + first.wrong + first.unknown == 18
        assert first.unknown == 6 + first.truncated // 2
        assert first.completion_tokens == 18 * 3
        chat = [
            {"id": row["id"], "messages": [{"role": "user", "content": row["problem"]}], "answer": row.get("answer")}
            for row in ROWS
        ]
        again = sample(rows_in(tmp_path, chat, "chat.jsonl"), tmp_path / "pool", asked(server))
        assert len(server.payloads) == 18
        assert (again.known, again.stored) == (18, 0)
        more = sample(rows_in(tmp_path), tmp_path / "pool", asked(server, samples=8))
        assert (more.known, more.stored) == (18, 6)
    problems = pl.read_parquet(tmp_path / "pool/problems/*.parquet")
    assert problems["problem_id"].to_list() == ["one", "two", "open"]
    assert not list(tmp_path.rglob(".partial-*"))


def test_verdicts_are_kept_by_grader_version_and_by_what_was_compared(tmp_path: Path) -> None:
    with running(ScriptedServer(write=write)) as server:
        sample(rows_in(tmp_path), tmp_path / "pool", asked(server))
        before = pl.read_parquet(tmp_path / "pool/verdicts/*.parquet")
        sample(rows_in(tmp_path), tmp_path / "pool", asked(server))
        assert pl.read_parquet(tmp_path / "pool/verdicts/*.parquet").equals(before)
        other = [{**ROWS[0], "answer": "7"}, *ROWS[1:]]
        changed = sample(rows_in(tmp_path, other), tmp_path / "pool", asked(server))
        assert len(server.payloads) == 18
    after = pl.read_parquet(tmp_path / "pool/verdicts/*.parquet")
    new = after.filter(~pl.col("reference").is_in(before["reference"].implode()))
    assert new["problem_id"].unique().to_list() == ["one"]
    assert new["grade"].to_list() == ["wrong"] * 6
    assert set(after["version"]) == set(before["version"])
    assert changed.right == before.filter((pl.col("grade") == "right") & (pl.col("problem_id") == "two")).height
    # Of a problem the last row counts.
    kept = pl.read_parquet(tmp_path / "pool/problems/*.parquet").filter(pl.col("problem_id") == "one")
    assert kept["answer"].to_list() == ["2", "7"]


def test_a_server_that_dies_leaves_what_was_answered(tmp_path: Path) -> None:
    with running(ScriptedServer(write=write)) as server:
        server.write = lambda payload: b"{" if len(server.payloads) > 9 else write(payload)
        with pytest.raises(OutsideError, match="rerun"):
            sample(rows_in(tmp_path), tmp_path / "pool", asked(server, samples=8))
        server.write = write
        server.payloads.clear()
        done = sample(rows_in(tmp_path), tmp_path / "pool", asked(server, samples=8))
        assert done.known + done.stored == 24
        assert done.stored == len(server.payloads) < 24
        assert done.known > 0


def test_failures_are_counted_by_reason_and_bad_rows_are_named(tmp_path: Path) -> None:
    rows = [*ROWS, {"id": "empty", "answer": "3"}]
    with running(ScriptedServer(write=write, faults=[(400, {}, b"too long")] * 2)) as server:
        summary = sample(rows_in(tmp_path, rows), tmp_path / "pool", asked(server))
    assert summary.failed == 2
    assert summary.failures == {"refused: HTTP 400 too long": 2}
    assert [(place[-1], why) for place, why in summary.bad] == [("4", "the row has no statement")]
    assert summary.problems == 3


def test_replay_answers_from_a_pool_and_stopping_keeps_who_is_inside(tmp_path: Path) -> None:
    with running(ScriptedServer(write=write)) as server:
        filled = sample(rows_in(tmp_path), tmp_path / "pool", asked(server, "proposer", stop="never"), of="proposer")
    found: dict[str, SampleSummary] = {}
    for stop in ("never", "decided"):
        options = Options(
            engine="replay",
            model={"model": str(tmp_path / "pool")},
            section={"samples": 6, "stop": stop, "wave": 1},
        )
        found[stop] = sample(rows_in(tmp_path), tmp_path / stop, one_section(options, "proposer"), of="proposer")
    assert found["never"].samples == filled.samples == 18
    assert found["never"].inside == found["decided"].inside == filled.inside > 0
    assert found["decided"].samples < 18
    # A problem without an answer is never settled and never stopped.
    grades = pl.read_parquet(tmp_path / "decided/responses/*.parquet").group_by("problem_id").len()
    assert dict(grades.iter_rows())["open"] == 6


def test_code_is_graded_with_the_tests_that_are_given(tmp_path: Path) -> None:
    from curation import records, storage

    tests = [records.TestCase("add", f"t{n}", "stdio", f"{n} {n}\n", f"{2 * n}\n") for n in range(2)]
    storage.write_table(tmp_path / "tests.parquet", records.to_frame(tests, records.TEST_SCHEMA), records.TEST_SCHEMA)
    row = {"id": "add", "problem": "Add two integers.", "domain": "code", "tests": "add", "time_limit_s": 2.0}
    program = "```python\na, b = map(int, input().split())\nprint(a + b)\n```"
    with running(ScriptedServer(write=lambda _: program)) as server:
        done = sample(
            rows_in(tmp_path, [row]), tmp_path / "pool", asked(server, samples=1), tests=tmp_path / "tests.parquet"
        )
    assert (done.right, done.wrong, done.unknown) == (1, 0, 0)
    assert pl.read_parquet(tmp_path / "pool/verdicts/*.parquet")["grader"].to_list() == ["judging"]


def test_options_go_over_the_sections_of_a_recipe(tmp_path: Path) -> None:
    (tmp_path / "recipe.toml").write_text(
        'name = "r"\nseed = 5\n[[sources]]\nuse = "limo"\n[models.m]\nengine = "http"\nmodel = "big"\n'
        'url = "http://127.0.0.1:9/v1"\n[pool]\nmodel = "m"\nsamples = 3\nprompt = "solve_brief"\n'
        "sampler = { max_tokens = 99, seed = 4 }\n"
    )
    given = Options(recipe=str(tmp_path / "recipe.toml"), sampler={"seed": 7, "top_p": None}, section={"samples": None})
    recipe = one_section(given, "pool")
    assert recipe.pool is not None
    assert (recipe.pool.samples, recipe.pool.prompt) == (3, "solve_brief")
    assert (recipe.pool.sampler.max_tokens, recipe.pool.sampler.seed) == (99, 7)
    assert recipe.models[recipe.pool.model].model == "big"
    with pytest.raises(InputError, match=r"no \[proposer\] section"):
        one_section(given, "proposer")


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (Options(engine="http", model={"model": "m"}), "--server URL"),
        (Options(engine="replay"), "--model NAME"),
        (Options(stage1={"math_below": "9/0"}), "math_below"),
        (Options(stage1={"above": "0.5"}), "no accuracy lies between"),
        (Options(section={"prompt": 3}), "prompt"),
    ],
)
def test_options_that_cannot_be_used_are_one_sentence(options: Options, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        one_section(options, "pool")


def test_two_rows_of_one_identifier_are_refused(tmp_path: Path) -> None:
    with running(ScriptedServer()) as server, pytest.raises(InputError, match="'one' is also that of"):
        sample(rows_in(tmp_path, [ROWS[0], ROWS[0]]), tmp_path / "pool", asked(server))


def test_other_columns_are_named() -> None:
    assert named_columns(["statement=body", "id=meta.key"]) == {"statement": "body", "id": "meta.key"}
    with pytest.raises(InputError, match="--column body"):
        named_columns(["body"])
