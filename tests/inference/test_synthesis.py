"""`curation synthesis`: a checkpoint on rows that bring their references, math and code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from scripted_server import ScriptedServer, completion, running

from curation.cli import app
from curation.errors import InputError
from curation.export.rows import TRIPLE_SCHEMA
from curation.inference.references import histogram, synthesis_accuracy
from curation.llm.engine import Message, Request
from curation.llm.prompts import load
from curation.llm.standalone import Options, one_section
from curation.recipe import Recipe, Sampler
from curation.selection.synthesis import conversation_with_references

SEEDS = {Request("", "", (), Sampler(), index).seed: index for index in range(64)}
BIG = "7" * 40
DOUBLE = {
    "tests": [{"name": "1", "kind": "stdio", "input": "4\n", "output": "8\n", "function": None}],
    "checker": None,
    "time_limit_s": 5,
    "memory_limit_mb": 256,
}


def row(statement: str, gold: str, *responses: str) -> dict[str, object]:
    return {
        "conversation": [{"role": "user", "content": statement}],
        "responses": list(responses),
        "ground_truth": gold,
    }


ROWS = [
    row("Always?", BIG, "I say 1.", "I say 2."),
    row("Sometimes?", "5", "I say 5."),
    row("Double a number.", json.dumps(DOUBLE), "Write a program."),
]


def write(payload: dict[str, Any]) -> bytes:
    prompt, index = payload["messages"][-1]["content"], SEEDS[payload["seed"]]
    if "Double" in prompt:
        factor = "3" if index == 1 else "2"
        return completion(f"```python\nprint(int(input()) * {factor})\n```")
    value = BIG if "Always?" in prompt else ("5" if index < 1 else "6")
    return completion(f"\\boxed{{{value}}}", "length" if index == 3 else "stop")


def asked(server: ScriptedServer, **section: object) -> Recipe:
    values = {"samples": 4, **section}
    return one_section(Options(model={"url": server.url, "model": "m", "attempts": 1}, section=values), "infer")


def test_an_export_measures_a_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "train.parquet"
    pl.DataFrame(ROWS, schema=TRIPLE_SCHEMA).write_parquet(path)
    with running(ScriptedServer(write=write)) as server:
        found = synthesis_accuracy(str(path), tmp_path / "out", asked(server))
        assert len(server.payloads) == 12 == found.stored
        again = synthesis_accuracy(str(path), tmp_path / "out", asked(server))
        assert (len(server.payloads), again.stored, again.worth) == (12, 0, found.worth)
        prompt = next(one for one in server.payloads if "Always?" in str(one))["messages"]
    expected = load("synthesis", Path()).render(problem="Always?", responses=["I say 1.", "I say 2."])
    assert prompt == [{"role": "user", "content": expected}]
    accuracy = pl.read_parquet(tmp_path / "out/synthesis_accuracy.parquet")
    counts = accuracy.select("right", "wrong", "unknown").rows()
    assert counts == [(3, 0, 1), (1, 2, 1), (3, 1, 0)]
    assert (found.rows, found.samples, found.references) == (3, 4, 4)
    assert (found.worth.never, found.worth.sometimes, found.worth.always) == (0, 2, 1)
    assert found.worth.accuracy.value == pytest.approx((1 + 1 / 3 + 3 / 4) / 3, abs=1e-4)
    assert found.unknown == {"the response was cut at its token limit": 2}
    assert {name: count for name, count in found.histogram.items() if count} == {"to 0.4": 1, "to 0.8": 1, "1": 1}
    assert json.loads((tmp_path / "out/synthesis.json").read_text())["worth"]["right"] == 7


def test_the_prompt_of_stage_two_comes_back_with_the_solving_template(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    turns = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "What is 2 + 3?"}]
    path.write_text(json.dumps({"id": "7", "messages": turns, "responses": ["It is 5."], "answer": "5"}) + "\n")
    with running(ScriptedServer(write=lambda _: completion("\\boxed{5}"))) as server:
        found = synthesis_accuracy(str(path), tmp_path / "out", asked(server, samples=1), prompt="solve_brief")
        (payload,) = server.payloads
    solving = load("solve_brief", Path()).render(statement="What is 2 + 3?")
    conversation = [Message("system", "Be brief."), Message("user", solving)]
    expected = conversation_with_references(conversation, load("synthesis", Path()), ["It is 5."])
    assert [(one["role"], one["content"]) for one in payload["messages"]] == [
        (message.role, message.content) for message in expected
    ]
    assert found.worth.accuracy.value == 1
    assert pl.read_parquet(tmp_path / "out/synthesis_grades.parquet")["problem_id"].to_list() == ["7"]


def test_rows_that_cannot_be_asked_about_are_named_and_the_others_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = [
        {**ROWS[1], "responses": []},
        {**ROWS[1], "responses": [5]},
        {**ROWS[1], "ground_truth": None},
        {**ROWS[1], "ground_truth": '{"tests": 5}'},
        {"responses": ["x"]},
    ]
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in [ROWS[1], *bad]))
    with running(ScriptedServer(write=write)) as server:
        arguments = [str(path), "--out", str(tmp_path / "out"), "--server", server.url, "--model", "m"]
        app(["synthesis", *arguments, "--samples", "2", "--json"], standalone_mode=False)
        told = json.loads(capsys.readouterr().out)
        assert len(server.payloads) == 2
        app(["synthesis", *arguments, "--samples", "2"], standalone_mode=False)
        assert "Rows by accuracy" in capsys.readouterr().out
    assert [reason for _, reason in told["bad"]] == [
        "the row has no responses",
        "responses is no list of texts",
        "the row has neither ground_truth nor answer",
        "the ground truth is no object with a list of tests",
        "the row has no statement",
    ]
    assert (told["rows"], told["worth"]["sometimes"]) == (1, 1)


def test_a_file_without_references_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('{"problem": "What?", "answer": "5"}\n')
    with running(ScriptedServer(write=write)) as server, pytest.raises(InputError, match="no row has responses"):
        synthesis_accuracy(str(path), tmp_path / "out", asked(server))


def test_the_histogram_keeps_none_and_all_apart() -> None:
    found = histogram(pl.Series([0.0, 0.05, 0.1, 0.3, 0.30001, 0.95, 1.0], dtype=pl.Float64))
    assert {name: count for name, count in found.items() if count} == {
        "0": 1, "to 0.1": 2, "to 0.3": 1, "to 0.4": 1, "to 1.0": 1, "1": 1,
    }  # fmt: skip
