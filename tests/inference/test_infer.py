"""`curation infer`: PaCoRe's rounds over a data set, on a scripted server and on the real small model."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from scripted_server import ScriptedServer, completion, running

from curation.cli import app
from curation.errors import InputError
from curation.inference.evaluation import Inference, infer
from curation.llm.engine import Request
from curation.llm.standalone import Options, one_section
from curation.recipe import Recipe, Sampler

ROWS = [
    {"id": "even", "problem": "What is 2 + 2?", "answer": "4"},
    {"id": "odd", "problem": "What is 2 + 3?", "answer": "5"},
    {"id": "open", "problem": "What is 2 + 4?"},
]
SEEDS = {Request("", "", (), Sampler(), index).seed: index for index in range(64)}


def write(payload: dict[str, Any]) -> bytes:
    """Answer: alone right with even indexes of 2 + 2 alone; with references what the first of them says."""
    prompt, index = payload["messages"][0]["content"], SEEDS[payload["seed"]]
    answers = re.findall(r"says (\d+)", prompt)
    if answers:
        return completion(f"<think>{index} reads {len(answers)}</think>It says {answers[-1]}: \\boxed{{{answers[-1]}}}")
    value = 4 if "2 + 2" in prompt and index % 2 == 0 else 90 + index
    return completion(f"<think>hidden {index}</think>Response {index} says {value}: \\boxed{{{value}}}")


def rows_in(home: Path) -> str:
    (home / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return str(home / "rows.jsonl")


def asked(server: ScriptedServer, rounds: list[list[int]], **section: object) -> Recipe:
    model = {"url": server.url, "model": "m", "attempts": 1}
    return one_section(Options(model=model, section={"rounds": rounds, **section}), "infer")


def prompts_of(server: ScriptedServer) -> list[str]:
    return [payload["messages"][0]["content"] for payload in server.payloads]


def test_each_round_reads_the_messages_of_the_one_before_in_their_order(tmp_path: Path) -> None:
    with running(ScriptedServer(write=write)) as server:
        found = infer(rows_in(tmp_path), tmp_path / "out", asked(server, [[3, 2]]))
        prompts = [prompt for prompt in prompts_of(server) if "2 + 2" in prompt]
        assert len(server.payloads) == 3 * (3 + 2 + 1) == found.stored
    alone, second, last = prompts[:3], prompts[3:5], prompts[5]
    assert len(set(alone)) == 1
    assert "Reference" not in alone[0]
    assert second[0] == second[1]
    assert [SEEDS[payload["seed"]] for payload in server.payloads if "2 + 2" in str(payload)][5] == 0
    places = [second[0].index(f"Response {index} says") for index in range(3)]
    assert places == sorted(places)
    assert "think" not in second[0] + last
    assert alone[0] in second[0]
    assert alone[0] in last
    assert (last.count("It says"), last.count("Response 0 says")) == (2, 0)
    assert [one.responses for one in found.evaluated[0].rounds] == [9, 6, 3]


def test_accuracy_counts_unknown_answers_apart_and_tokens_of_all_rounds(tmp_path: Path) -> None:
    with running(ScriptedServer(write=write)) as server:
        found = infer(rows_in(tmp_path), tmp_path / "out", asked(server, [[1], [2], []]))
        one, two, alone = found.evaluated
        assert (one.k, two.k, alone.k) == ((1,), (2,), ())
        # Alone and first responses are the same ones: asked once, counted in each.
        assert len(server.payloads) == 3 * 2 + 3 * (1 + 1)
    assert (one.worth.right, one.worth.wrong, one.worth.unknown) == (1, 1, 1)
    assert (two.worth.right, two.worth.wrong, two.worth.unknown) == (0, 2, 1)
    assert one.worth.accuracy.value == 0.5
    assert one.worth.accuracy.low == pytest.approx(0.0945, abs=1e-4)
    assert one.unknown == {"the problem has no answer to compare with": 1}
    assert (two.prompt_tokens, two.completion_tokens) == (9 * 7, 9 * 3)
    assert two.tokens_per_problem == 30
    assert two.majority is not None
    assert alone.majority is None
    # 2 + 2 has one right and one wrong response: a tie is no answer.
    assert (two.majority.right, two.majority.wrong, two.majority.unknown) == (0, 1, 2)
    document = json.loads((tmp_path / "out/inference.json").read_text())
    assert document["evaluated"][1]["rounds"][0]["right"] == 1
    rows = [json.loads(line) for line in (tmp_path / "out/answers-2.jsonl").read_text().splitlines()]
    assert [(row["id"], row["verdict"]) for row in rows] == [("even", "wrong"), ("odd", "wrong"), ("open", "unknown")]
    assert rows[0]["prompt_tokens"] == 21


def test_samples_go_through_rounds_of_their_own_and_nothing_is_asked_twice(tmp_path: Path) -> None:
    def ask(out: str, samples: int) -> Inference:
        return infer(rows_in(tmp_path), tmp_path / out, asked(server, [[2]], samples=samples))

    with running(ScriptedServer(write=write)) as server:
        ask("out", 1)
        assert len(server.payloads) == 9
        more = ask("out", 4)
        assert len(server.payloads) == 36
        written = (tmp_path / "out/inference.json").read_bytes()
        again = ask("out", 4)
        assert (again.stored, len(server.payloads)) == (0, 36)
        assert (tmp_path / "out/inference.json").read_bytes() == written
        first = {(payload["messages"][0]["content"], payload["seed"]) for payload in server.payloads}
        ask("other", 4)
        second = {(payload["messages"][0]["content"], payload["seed"]) for payload in server.payloads[36:]}
        assert (len(server.payloads), first) == (72, second)
    worth = more.evaluated[0].worth
    assert (worth.right + worth.wrong, worth.unknown, worth.problems) == (8, 4, 2)
    assert (worth.never, worth.sometimes, worth.always) == (2, 0, 0)


def test_a_response_that_failed_or_was_cut_is_no_reference(tmp_path: Path) -> None:
    def cut(payload: dict[str, Any]) -> bytes:
        index = SEEDS[payload["seed"]]
        text = f"Response {index} says 4: \\boxed{{4}}"
        return completion(text, "length" if index == 1 and "Reference" not in str(payload) else "stop")

    with running(ScriptedServer(write=cut, faults=[(400, {}, b"no")])) as server:
        model = {"url": server.url, "model": "m", "attempts": 1, "concurrency": 1, "failures_allowed": 1.0}
        options = Options(model=model, section={"rounds": [[4]]}, stage1={"truncated": "leave_out"})
        found = infer(rows_in(tmp_path), tmp_path / "out", one_section(options, "infer"), limit=1)
    (last,) = [prompt for prompt in prompts_of(server) if "Reference" in prompt]
    assert [index for index in range(4) if f"Response {index} says" in last] == [2, 3]
    counts = found.evaluated[0].rounds[0]
    assert (counts.right, counts.unknown, counts.truncated, counts.failed) == (2, 2, 1, 1)


def test_kill_nine_and_resume_ask_only_for_what_was_in_flight(tmp_path: Path) -> None:
    rows_in(tmp_path)
    with running(ScriptedServer(write=write, delay_s=0.05)) as server:
        options = ("--server", server.url, "--model", "m", "--concurrency", "2", "--k", "4,2", "--json")
        command = [sys.executable, "-m", "curation", "infer", "rows.jsonl", "--out", "out", *options]
        with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            deadline = time.monotonic() + 120
            while len(server.payloads) < 8 and time.monotonic() < deadline:
                time.sleep(0.01)
            process.send_signal(signal.SIGKILL)
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True, timeout=120)
        assert 0 < json.loads(done.stdout)["stored"] < 21
        assert 21 <= len(server.payloads) <= 21 + 2
        infer(str(tmp_path / "rows.jsonl"), tmp_path / "whole", asked(server, [[4, 2]]))
    for name in ("answers-4-2.jsonl", "inference.json"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    assert not list(tmp_path.rglob(".partial-*"))


@pytest.mark.xdist_group("llama")
def test_the_real_model_goes_through_two_rounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("xllamacpp")
    rows_in(tmp_path)
    monkeypatch.chdir(tmp_path)
    small = ("--threads", "1", "--concurrency", "2", "--context-tokens", "512", "--max-tokens", "12", "--limit", "1")
    prompts = ("--prompt", "solve_brief", "--synthesis-prompt", "synthesis_brief")
    app(["infer", "rows.jsonl", "--out", "out", "--k", "2,2", *prompts, *small], standalone_mode=False)
    told = capsys.readouterr().out
    assert "[2, 2]" in told
    found = json.loads((tmp_path / "out/inference.json").read_text())
    rounds = found["evaluated"][0]["rounds"]
    assert [one["responses"] for one in rounds] == [2, 2, 1]
    assert all(one["completion_tokens"] > 0 and one["failed"] == 0 for one in rounds)
    assert rounds[1]["prompt_tokens"] > rounds[0]["prompt_tokens"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--k", "4,x"), "--k 4,x"),
        (("--k", "0"), "rounds"),
        (("--k", "99999"), "--k 99999"),
        (("--synthesis-prompt", "nowhere"), "nowhere"),
        (("--recipe", "demo"), r"has no \[infer\] section"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], sentence: str
) -> None:
    rows_in(tmp_path)
    monkeypatch.chdir(tmp_path)
    server = () if "--recipe" in options else ("--server", "http://127.0.0.1:9/v1", "--model", "m")
    with pytest.raises(InputError, match=sentence):
        app(["infer", "rows.jsonl", "--out", "out", *server, *options], standalone_mode=False)


def test_a_recipe_says_how_to_ask(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with running(ScriptedServer(write=write)) as server:
        recipe = tmp_path / "own.toml"
        recipe.write_text(
            f"""
            name = "own"
            [[sources]]
            use = "demo"
            [models.checkpoint]
            engine = "http"
            model = "m"
            url = "{server.url}"
            [infer]
            model = "checkpoint"
            rounds = [[1], [2, 1]]
            """
        )
        arguments = [rows_in(tmp_path), "--out", str(tmp_path / "out"), "--recipe", str(recipe), "--json"]
        app(["infer", *arguments], standalone_mode=False)
    told = json.loads(capsys.readouterr().out)
    assert [one["k"] for one in told["evaluated"]] == [[1], [2, 1]]
