from __future__ import annotations

import gzip
import json
from pathlib import Path

import polars as pl
import pytest
from requests_for_tests import MODEL, engine, recipe, request
from scripted_server import ScriptedServer, running
from step_parts import context, execute, math, table

from curation.errors import InputError
from curation.llm.asking import ask
from curation.llm.engines import open_engine
from curation.llm.pool import open_pool, stats
from curation.llm.pool_import import LogColumns, import_log
from curation.llm.proposer import FillPool
from curation.llm.replay import ReplayEngine
from curation.progress import Silent
from curation.recipe import Recipe


def log(path: Path, rows: list[object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


LOG = [
    {"idx": 0, "question": "What is $1+1$?", "gt": "2", "code": ["\\boxed{2}", "\\boxed{3}"], "score": [True, False]},
    {"idx": 1, "question": "What is $1+2$?", "gt": "3", "code": ["\\boxed{3}", "no idea"], "score": [True, None]},
]


def replaying(home: Path, model: str, samples: int = 3) -> Recipe:
    models = {"old": {"engine": "replay", "model": model}}
    return recipe(home, models, pool={"model": "old", "samples": samples, "sampler": {"max_tokens": 9}})


def test_own_responses_are_replayed_by_their_key(tmp_path: Path) -> None:
    with running(ScriptedServer()) as server, open_pool(tmp_path / "old") as pool:
        ask(engine(server.url), pool, [request("p", 0), request("p", 1)], Silent())
    replay = ReplayEngine(tmp_path / "old", None)
    assert replay.identity == MODEL
    answers = list(replay.answer([request("p", 1), request("p", 2), request("p", 1, prompt="Another prompt")]))
    assert answers[0].response.text == f"seed {request('p', 1).seed}"
    assert answers[0].response.engine == "replay"
    assert [answer.response.failure for answer in answers[1:]] == ["not in the pool"] * 2
    assert not any(answer.may_pass for answer in answers)


def test_imported_log_is_matched_by_its_question_not_by_its_spelling(tmp_path: Path) -> None:
    import_log(log(tmp_path / "log.jsonl", LOG), tmp_path / "run" / "pool", model="logged")
    problems = [math("a", "What is \\(1 + 1\\)?", "2"), math("b", "What is 1+2?", "3"), math("c", "What is 9?", "9")]
    given = context(tmp_path, replaying(tmp_path, "logged"), problems)
    execute(FillPool(), given)
    grades = table(given, "pool_grades")
    assert [tuple(row) for row in grades.select("problem_id", "grade").rows()] == [
        ("own:a", "right"),
        ("own:a", "wrong"),
        ("own:a", "unknown"),
        ("own:b", "right"),
        ("own:b", "unknown"),
        ("own:b", "unknown"),
        *[("own:c", "unknown")] * 3,
    ]
    assert "not in the pool" in grades["why"][2]
    assert table(given, "problems")["source_id"].to_list() == ["a", "b"]
    assert table(given, "ledger")["rule"].to_list() == ["no_graded_response"]


def test_imported_verdicts_stand_beside_the_responses(tmp_path: Path) -> None:
    pool, file = tmp_path / "pool", log(tmp_path / "log.jsonl", LOG)
    first = import_log(file, pool, model="logged")
    assert (first.rows, first.responses, first.new, first.right, first.wrong, first.unknown) == (2, 4, 4, 2, 1, 1)
    verdicts = pl.read_parquet(pool / "verdicts" / "*.parquet")
    responses = pl.read_parquet(pool / "responses" / "*.parquet")
    joined = responses.join(verdicts, on="response_id")
    assert sorted(joined.select("text", "grade").rows()) == [
        ("\\boxed{2}", "right"),
        ("\\boxed{3}", "right"),
        ("\\boxed{3}", "wrong"),
        ("no idea", "unknown"),
    ]
    assert set(verdicts["grader"]) == {"import:logged"}
    assert set(responses["finish_reason"]) == {"unstated"}
    # The same file again adds nothing; another file goes on counting; a lost verdict table is made whole.
    assert import_log(file, pool, model="logged").new == 0
    (other := log(tmp_path / "other.jsonl", LOG[:1]))
    assert import_log(other, pool, model="logged").new == 2
    indexes = pl.read_parquet(pool / "responses" / "*.parquet").filter(pl.col("statement") == "What is $1+1$?")
    assert sorted(indexes["sample_index"]) == [0, 1, 2, 3]
    for part in (pool / "verdicts").iterdir():
        part.unlink()
    import_log(file, pool, model="logged")
    assert pl.read_parquet(pool / "verdicts" / "*.parquet").height == 4
    assert stats(pool)["responses"].to_list() == [6]


def test_log_with_other_columns_single_values_and_compression(tmp_path: Path) -> None:
    rows = [
        {"id": 7, "prompt": "Q?", "output": "A", "correct": 1, "finish": "length"},
        {"id": 8, "prompt": "R?", "output": "B", "correct": 0.5, "finish": None},
    ]
    file = tmp_path / "log.jsonl.gz"
    file.write_bytes(gzip.compress(b"".join(json.dumps(row).encode() + b"\n" for row in rows)))
    columns = LogColumns("prompt", "output", "correct", "finish", "id")
    found = import_log(file, tmp_path / "pool", model="m", columns=columns)
    assert (found.right, found.unknown) == (1, 1)
    with open_pool(tmp_path / "pool") as pool:
        assert [(r.problem_id, r.finish_reason) for r in pool.iterate()] == [("7", "length"), ("8", "unstated")]


def test_rows_that_cannot_be_used_are_named_and_a_file_without_any_is_an_error(tmp_path: Path) -> None:
    bad: list[object] = [
        {"question": "Q", "code": ["a", "b"], "score": [True]},
        {"question": "Q", "code": [None], "score": [True]},
        {"question": " ", "code": ["a"], "score": [True]},
        {"question": "Q", "score": [True]},
        [1],
        {"question": "Q", "code": [7], "score": [True]},
    ]
    found = import_log(log(tmp_path / "mixed.jsonl", [*bad, LOG[0]]), tmp_path / "pool", model="m")
    assert (found.rows, found.new) == (1, 2)
    assert [location.rpartition(":")[2] for location, _ in found.skipped] == ["1", "2", "3", "4", "5", "6"]
    assert "2 responses, 1 scores" in found.skipped[0][1]
    with pytest.raises(InputError, match=r"bad\.jsonl:1: .*no row of .* can be imported"):
        import_log(log(tmp_path / "bad.jsonl", bad), tmp_path / "pool", model="m")
    with pytest.raises(InputError, match="the file is empty"):
        import_log(log(tmp_path / "empty.jsonl", []), tmp_path / "pool", model="m")
    with pytest.raises(InputError, match="no such file"):
        import_log(tmp_path / "none.jsonl", tmp_path / "pool", model="m")


def test_pool_that_cannot_be_replayed_is_named(tmp_path: Path) -> None:
    import_log(log(tmp_path / "log.jsonl", LOG), tmp_path / "pool", model="logged")
    cases = [("other", tmp_path / "pool", "of model 'other': the models it knows are logged"), ("x", None, "needs")]
    for model, pool, message in cases:
        with (
            pytest.raises(InputError, match=message),
            open_engine(replaying(tmp_path, model), "old", Silent(), pool),
        ):
            pass


def test_pool_given_as_a_directory_answers_for_all_its_models(tmp_path: Path) -> None:
    for model in ("one", "two"):
        import_log(log(tmp_path / "log.jsonl", LOG), tmp_path / "logs", model=model)
    given = context(tmp_path, replaying(tmp_path, "logs", samples=4), [math("a", "What is 1 + 1?", "2")])
    execute(FillPool(), given)
    assert table(given, "pool_grades")["grade"].to_list() == ["right", "wrong", "right", "wrong"]
    with open_pool(tmp_path / "logs") as pool:
        assert len(pool) == 8


def test_a_log_that_is_cut_off_is_named(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl.gz"
    file.write_bytes(gzip.compress(log(tmp_path / "log.jsonl", LOG).read_bytes())[:-12])
    with pytest.raises(InputError, match=r"log\.jsonl\.gz is damaged or cut off"):
        import_log(file, tmp_path / "pool", model="logged")
