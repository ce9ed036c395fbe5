from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from requests_for_tests import recipe
from scripted_server import ScriptedServer, completion, running
from step_parts import code, context, execute, math, table

from curation import records
from curation.errors import OutsideError
from curation.llm.pool import open_pool
from curation.llm.proposer import FillPool, Propose
from curation.recipe import Recipe

SAMPLER = {"max_tokens": 64}
PROBLEMS = [
    math("half", "What is 1 + 1?", "2"),
    math("easy", "What is 1 + 2?", "3"),
    math("hard", "What is 1 + 3?", "4"),
    math("cut", "What is 1 + 4?", "5"),
    math("odd", "What is 1 + 5?", "6"),
]
FINISHED = {"1 + 1": ["It is \\boxed{2}", "It is \\boxed{3}"], "1 + 2": ["\\boxed{3}"], "1 + 3": ["\\boxed{5}"]}


def write(payload: dict[str, Any]) -> bytes:
    """Answer by the statement: alternating by seed, cut at the limit, or broken off and without an answer."""
    prompt = payload["messages"][0]["content"]
    for part, texts in FINISHED.items():
        if part in prompt:
            return completion(texts[payload["seed"] % len(texts)])
    if "1 + 4" in prompt:
        return completion("\\boxed{5}", "length")
    return completion("\\boxed{6}", "content_filter")


def recipe_of(server: ScriptedServer, home: Path, **changes: object) -> Recipe:
    models = {"m": {"engine": "http", "model": "m", "url": server.url, "attempts": 2}}
    section = {"model": "m", "samples": 8, "sampler": SAMPLER}
    return recipe(home, models, proposer={**section, **changes}, pool=section)


def test_proposer_keeps_what_is_solved_sometimes(tmp_path: Path) -> None:
    with running(ScriptedServer(write=write)) as server:
        given = context(tmp_path, recipe_of(server, tmp_path), PROBLEMS)
        report = execute(Propose(), given)
    assert table(given, "problems")["source_id"].to_list() == ["half"]
    rules = dict(table(given, "ledger").select("problem_id", "rule").rows())
    assert rules == {
        "own:easy": "accuracy_too_high",
        "own:hard": "accuracy_zero",
        "own:cut": "no_graded_response",
        "own:odd": "no_graded_response",
    }
    accuracy = {row["problem_id"]: row for row in table(given, "proposer_accuracy").to_dicts()}
    assert accuracy["own:half"]["right"] + accuracy["own:half"]["wrong"] == 8
    assert 0 < accuracy["own:half"]["accuracy"] < 1
    assert accuracy["own:cut"] == {"problem_id": "own:cut", "right": 0, "wrong": 0, "unknown": 8, "accuracy": None}
    grades = table(given, "proposer_grades")
    assert grades.height == 40
    assert grades["problem_id"].unique(maintain_order=True).to_list() == [problem.problem_id for problem in PROBLEMS]
    whys = dict(grades.select("problem_id", "why").rows())
    assert "token limit" in whys["own:cut"]
    assert "content_filter" in whys["own:odd"]
    assert report.findings["Responses unknown"] == 16


def test_pool_keeps_everything_that_could_be_graded_and_reuses_responses(tmp_path: Path) -> None:
    with running(ScriptedServer(write=write)) as server:
        asked = recipe_of(server, tmp_path)
        execute(Propose(), context(tmp_path, asked, PROBLEMS))
        before = len(server.payloads)
        given = context(tmp_path, asked, PROBLEMS, attempt=2)
        execute(FillPool(), given)
        # Model, prompt and sampler are the proposer's, so every response is there already.
        assert len(server.payloads) == before == 40
    assert table(given, "problems")["source_id"].to_list() == ["half", "easy", "hard"]
    drops = table(given, "ledger")
    assert drops["rule"].to_list() == ["no_graded_response"] * 2
    assert "token limit" in drops["evidence"][0]
    with open_pool(given.run_directory / "pool") as pool:
        stored = {response.response_id for response in pool.iterate()}
    assert set(table(given, "pool_grades")["response_id"]) == stored


def test_two_runs_on_one_pool_give_the_same_bytes_without_a_server(tmp_path: Path) -> None:
    with running(ScriptedServer(write=write)) as server:
        first = context(tmp_path, recipe_of(server, tmp_path), PROBLEMS)
        execute(FillPool(), first)
    with running(ScriptedServer()) as other:
        second = context(tmp_path, recipe_of(other, tmp_path), PROBLEMS, attempt=2)
        execute(FillPool(), second)
        assert other.payloads == []
    for name in ("problems", "pool_grades", "pool_accuracy", "ledger"):
        assert (first.output / f"{name}.parquet").read_bytes() == (second.output / f"{name}.parquet").read_bytes()


def test_refused_requests_are_unknown_and_broken_ones_end_the_run(tmp_path: Path) -> None:
    def refuse(payload: dict[str, Any]) -> bytes:
        return b"nonsense" if "1 + 3" in payload["messages"][0]["content"] else write(payload)

    with running(ScriptedServer(write=refuse)) as server:
        given = context(tmp_path, recipe_of(server, tmp_path), PROBLEMS)
        with pytest.raises(OutsideError, match=r"8 of 40 requests|in a row"):
            FillPool().execute(given)
        server.faults.extend([(400, {}, b"too long")] * 3)
        server.write = write
        again = context(tmp_path, recipe_of(server, tmp_path), PROBLEMS, attempt=2)
        execute(FillPool(), again)
    grades = table(again, "pool_grades")
    refused = grades.filter(grades["why"].str.contains("refused: HTTP 400 too long"))
    assert refused["grade"].to_list() == ["unknown"] * 3
    assert not grades.filter(pl.col("grade") == "wrong")["why"].str.contains("HTTP|JSON|response:").any()


ADD = "a, b = map(int, input().split())\nprint(a + b)\n"
TESTS = [records.TestCase("own:add", f"t{n}", "stdio", f"{n} {n}\n", f"{2 * n}\n") for n in range(3)]


def test_code_is_run_and_the_prompt_says_how(tmp_path: Path) -> None:
    wrong = ADD.replace("a + b", "a - b")

    def program(payload: dict[str, Any]) -> str:
        body = {0: ADD, 1: wrong}.get(payload["seed"] % 3)
        return "I would add them." if body is None else f"Add them.\n\n```python\n{body}```\n"

    with running(ScriptedServer(write=program)) as server:
        given = context(tmp_path, recipe_of(server, tmp_path), [code("add", "Add two integers.")], TESTS)
        execute(FillPool(), given)
        prompt = server.payloads[0]["messages"][0]["content"]
    assert "Add two integers." in prompt
    assert "standard input" in prompt
    grades = table(given, "pool_grades")
    assert set(grades["grader"]) == {"judging"}
    assert {"right", "wrong"} <= set(grades["grade"])


def test_sections_that_are_missing_let_everything_pass(tmp_path: Path) -> None:
    for number, step in enumerate((Propose(), FillPool())):
        given = context(tmp_path, recipe(tmp_path, {}), PROBLEMS, attempt=number)
        report = execute(step, given)
        assert "The recipe has no" in str(report.findings["Not done"])
        assert not (given.output / "problems.parquet").exists()
