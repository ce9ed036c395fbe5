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
        given = context(tmp_path, recipe_of(server, tmp_path, stop="never"), PROBLEMS)
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
    low, high = accuracy["own:half"]["low"], accuracy["own:half"]["high"]
    assert 0 < low < accuracy["own:half"]["accuracy"] < high < 1
    cut = {"problem_id": "own:cut", "right": 0, "wrong": 0, "unknown": 8}
    assert accuracy["own:cut"] == {**cut, "accuracy": None, "low": None, "high": None}
    grades = table(given, "proposer_grades")
    assert grades.height == 40
    assert grades["problem_id"].unique(maintain_order=True).to_list() == [problem.problem_id for problem in PROBLEMS]
    whys = dict(grades.select("problem_id", "why").rows())
    assert "token limit" in whys["own:cut"]
    assert "content_filter" in whys["own:odd"]
    assert report.findings["Responses unknown"] == 16


def test_pool_keeps_everything_that_could_be_graded_and_reuses_responses(tmp_path: Path) -> None:
    with running(ScriptedServer(write=write)) as server:
        asked = recipe_of(server, tmp_path, stop="never")
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


def test_stopping_early_keeps_the_same_problems_and_asks_for_less(tmp_path: Path) -> None:
    found = {}
    for number, stop in enumerate(("never", "outside", "decided")):
        with running(ScriptedServer(write=write)) as server:
            given = context(tmp_path / stop, recipe_of(server, tmp_path, stop=stop, wave=2), PROBLEMS, attempt=number)
            report = execute(Propose(), given)
            rules = dict(table(given, "ledger").select("problem_id", "rule").iter_rows())
            found[stop] = (table(given, "problems")["problem_id"].to_list(), rules)
            asked, most = report.findings["Samples asked for, of those without stopping early"]  # type: ignore[misc]
            assert asked == len(server.payloads) == table(given, "proposer_grades").height
            assert most == 40
            assert (asked < 40) == (stop == "decided")
            # A problem that was never solved, or never wrong, has had every sample.
            full = table(given, "proposer_grades").group_by("problem_id").len()
            lengths = dict(full.iter_rows())
            assert {lengths[name] for name in ("own:easy", "own:hard", "own:cut", "own:odd")} == {8}
            grades = table(given, "proposer_grades")
            runs = grades["problem_id"].rle().struct.field("value").to_list()
            assert runs == [problem.problem_id for problem in PROBLEMS]
            indexes = grades.group_by("problem_id").agg("sample_index")["sample_index"]
            assert all(index == list(range(len(index))) for index in indexes.to_list())
    assert found["never"] == found["outside"] == found["decided"]


def test_a_pool_with_more_responses_than_the_waves_want_gives_the_same_tables(tmp_path: Path) -> None:
    with running(ScriptedServer(write=write)) as server:
        asked = recipe_of(server, tmp_path, wave=2)
        alone = context(tmp_path / "alone", asked, PROBLEMS)
        execute(Propose(), alone)
        execute(FillPool(), context(tmp_path, asked, PROBLEMS))
        server.payloads.clear()
        given = context(tmp_path, asked, PROBLEMS, attempt=2)
        execute(Propose(), given)
        assert server.payloads == []
    for name in ("problems", "proposer_grades", "proposer_accuracy", "ledger", "doubtful_answers"):
        assert (given.output / f"{name}.parquet").read_bytes() == (alone.output / f"{name}.parquet").read_bytes()


def test_truncated_responses_are_asked_again_within_the_budget(tmp_path: Path) -> None:
    cut = 0

    def first_ones_are_cut(payload: dict[str, Any]) -> bytes:
        nonlocal cut
        if "1 + 1" in payload["messages"][0]["content"] and cut < 2:
            cut += 1
            return completion("\\boxed{2}", "length")
        return write(payload)

    with running(ScriptedServer(write=first_ones_are_cut)) as server:
        asked = recipe_of(server, tmp_path, stop="never", extra_samples=3)
        given = context(tmp_path, asked, PROBLEMS)
        execute(Propose(), given)
    counts = {row["problem_id"]: row for row in table(given, "proposer_accuracy").to_dicts()}
    half = counts["own:half"]
    assert (half["right"] + half["wrong"], half["unknown"]) == (8, 2)
    assert counts["own:cut"]["unknown"] == 8 + 3
    assert counts["own:easy"]["right"] == 8
    assert len(server.payloads) == 5 * 8 + 2 + 3 + 3


def test_a_pool_stops_only_where_stage_one_is_out_of_reach(tmp_path: Path) -> None:
    with running(ScriptedServer(write=write)) as server:
        models = {"m": {"engine": "http", "model": "m", "url": server.url}}
        pool = {"model": "m", "samples": 8, "sampler": SAMPLER, "stop": "outside", "wave": 1}
        given = context(tmp_path, recipe(tmp_path, models, pool=pool), PROBLEMS)
        execute(FillPool(), given)
    counts = {row["problem_id"]: row for row in table(given, "pool_accuracy").to_dicts()}
    # 3 of 8 is 9/24: with the third right one no accuracy below it is left.
    assert (counts["own:easy"]["right"], counts["own:easy"]["wrong"]) == (3, 0)
    assert counts["own:half"]["right"] == 3 or counts["own:half"]["right"] + counts["own:half"]["wrong"] == 8
    assert counts["own:hard"]["wrong"] == 8
    with pytest.raises(ValueError, match="feeds = 'stage1'"):
        recipe(tmp_path, models, pool=pool, stage2={"model": "m"})
    with pytest.raises(ValueError, match="without their messages"):
        recipe(tmp_path, models, pool={**pool, "stop": "decided"})


def test_a_screening_model_takes_out_what_is_easy_and_nothing_else(tmp_path: Path) -> None:
    with running(ScriptedServer(write=write)) as server, running(ScriptedServer(write=write)) as small:
        models = {
            "m": {"engine": "http", "model": "m", "url": server.url},
            "s": {"engine": "http", "model": "small", "url": small.url},
        }
        screen = {"model": "s", "samples": 3, "sampler": SAMPLER}
        proposer = {"model": "m", "samples": 8, "sampler": SAMPLER, "screen": screen}
        given = context(tmp_path, recipe(tmp_path, models, proposer=proposer), PROBLEMS)
        report = execute(Propose(), given)
        assert len(small.payloads) == 5 * 3
        assert not any("1 + 2" in payload["messages"][0]["content"] for payload in server.payloads)
    assert table(given, "problems")["source_id"].to_list() == ["half"]
    drops = {row["problem_id"]: row for row in table(given, "ledger").to_dicts()}
    assert drops["own:easy"]["rule"] == "screened_too_easy"
    assert "small" in drops["own:easy"]["evidence"]
    assert drops["own:hard"]["rule"] == "accuracy_zero"
    assert report.findings["Screened out as too easy"] == 1
    assert "own:easy" not in table(given, "proposer_accuracy")["problem_id"]


def test_answers_that_all_responses_contradict_alike_are_looked_at_again(tmp_path: Path) -> None:
    def disagreeing(payload: dict[str, Any]) -> bytes:
        if "1 + 9" in payload["messages"][0]["content"]:
            return completion(f"\\boxed{{{payload['seed'] % 10_000}}}")
        if "1 + 8" in payload["messages"][0]["content"]:
            return completion(("\\boxed{0.5}", "\\boxed{\\frac12}")[payload["seed"] % 2])
        return write(payload)

    problems = [*PROBLEMS, math("scattered", "What is 1 + 9?", "77777"), math("agreed", "What is 1 + 8?", "7")]
    with running(ScriptedServer(write=disagreeing)) as server:
        given = context(tmp_path, recipe_of(server, tmp_path), problems)
        report = execute(Propose(), given)
    doubts = {row["problem_id"]: row for row in table(given, "doubtful_answers").to_dicts()}
    assert doubts.keys() == {"own:hard", "own:agreed"}
    assert doubts["own:hard"]["answer"] == "4"
    assert (doubts["own:hard"]["consensus"], doubts["own:hard"]["agree"], doubts["own:hard"]["graded"]) == ("5", 8, 8)
    assert doubts["own:agreed"]["agree"] == 8
    assert report.findings["Unsolved problems whose responses agree on another answer"] == 2


def test_how_many_must_agree_on_another_answer_is_the_recipes_to_say(tmp_path: Path) -> None:
    def split(payload: dict[str, Any]) -> bytes:
        return completion(f"\\boxed{{{50 + payload['seed'] % 2}}}")

    found = []
    for number, share in enumerate((0.5, 1.0)):
        with running(ScriptedServer(write=split)) as server:
            asked = recipe_of(server, tmp_path, doubtful_share=share)
            given = context(tmp_path, asked, PROBLEMS[:1], attempt=number)
            execute(Propose(), given)
        found.append(table(given, "doubtful_answers").height)
    assert found == [1, 0]


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
