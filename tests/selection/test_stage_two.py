"""Stage 2 with a real server on this machine that plays the checkpoint."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import polars as pl
import pytest
import run_parts
from run_parts import build, problem, recipe

from curation.ledger import reconcile
from curation.llm.engine import Message
from curation.llm.prompts import load
from curation.recipe import Recipe
from curation.selection import StageOne, StageTwo
from curation.selection.synthesis import conversation_with_references


class Checkpoint(ThreadingHTTPServer):
    """Answers every synthesis prompt; which samples are right depends on the problem."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.prompts: list[str] = []
        self.seen: dict[str, int] = {}
        self.lock = threading.Lock()

    def reply(self, prompt: str) -> tuple[str, str]:
        with self.lock:
            self.prompts.append(prompt)
            count = self.seen[prompt] = self.seen.get(prompt, 0) + 1
        if "What is always?" in prompt:
            return "So the final answer is \\boxed{7}.", "stop"
        if "What is never?" in prompt or "What is refused?" in prompt:
            return "So the final answer is \\boxed{8}.", "stop"
        if "What is cut?" in prompt:
            return "So the final answer is \\boxed{7}.", "length"
        return f"So the final answer is \\boxed{{{7 if count == 1 else 8}}}.", "stop"


class _Handler(BaseHTTPRequestHandler):
    server: Checkpoint
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = asked["messages"][-1]["content"]
        text, reason = self.server.reply(prompt)
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": reason}
        body = json.dumps({"choices": [choice], "usage": {"prompt_tokens": 1, "completion_tokens": 1}}).encode()
        self.send_response(400 if "What is refused?" in prompt else 200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def checkpoint() -> Iterator[Checkpoint]:
    with Checkpoint() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


GRADES = {
    "always": "rww",
    "cut": "rww",
    "few": "r",
    "never": "rww",
    "often": "rrr",
    "refused": "rww",
    "some": "rww",
}


@pytest.fixture
def parts(tmp_path: Path) -> run_parts.Parts:
    letters = {f"own:{name}": grades for name, grades in GRADES.items()}
    return build(tmp_path, [problem(name) for name in GRADES], letters)


def wanted(checkpoint: Checkpoint, **stage2: object) -> Recipe:
    model = {"engine": "http", "model": "stage-1", "url": f"http://127.0.0.1:{checkpoint.server_port}/v1"}
    return recipe(
        models={"checkpoint": model},
        pool={"model": "checkpoint", "samples": 3},
        stage1={"messages_low": 2, "messages_high": 3},
        stage2={"model": "checkpoint", "samples": 4, **stage2},
    )


def run(parts: run_parts.Parts, asked: Recipe, name: str) -> Path:
    one = parts.context(asked, f"{name}-one")
    StageOne().execute(one)
    parts.tables["stage1"] = one.output / "stage1.parquet"
    two = parts.context(asked, f"{name}-two")
    StageTwo().execute(two)
    assert not any(entry.is_dir() for entry in two.output.iterdir())
    reconcile("stage2", parts.tables["problems"], two.output / "stage2.parquet", two.output / "ledger.parquet")
    return two.output


def rules(output: Path) -> dict[str, str]:
    ledger = pl.read_parquet(output / "ledger.parquet")
    return dict(ledger.select(pl.col("problem_id").str.strip_prefix("own:"), "rule").iter_rows())


def test_problems_between_never_and_always_are_kept(parts: run_parts.Parts, checkpoint: Checkpoint) -> None:
    output = run(parts, wanted(checkpoint), "pool")
    chosen = pl.read_parquet(output / "stage2.parquet")
    assert dict(chosen.select("problem_id", "accuracy").iter_rows()) == {"own:often": 0.25, "own:some": 0.25}
    assert rules(output) == {
        "always": "accuracy_too_high",
        "never": "accuracy_zero",
        "cut": "no_graded_response",
        "refused": "no_graded_response",
        "few": "too_few_responses",
    }
    accuracy = pl.read_parquet(output / "synthesis_accuracy.parquet").rows_by_key("problem_id", unique=True)
    assert accuracy["own:some"] == (1, 3, 0, 0.25, 0.045587, 0.699358)
    assert accuracy["own:cut"] == (0, 0, 4, None, None, None)
    grades = pl.read_parquet(output / "synthesis_grades.parquet")
    assert grades.filter(pl.col("problem_id") == "own:some")["sample_index"].to_list() == [0, 1, 2, 3]
    refused = grades.filter(pl.col("problem_id") == "own:refused")
    assert refused["grade"].to_list() == ["unknown"] * 4
    assert all("no response: " in why and "400" in why for why in refused["why"])


def test_prompt_holds_the_problem_and_the_drawn_messages(parts: run_parts.Parts, checkpoint: Checkpoint) -> None:
    output = run(parts, wanted(checkpoint), "pool")
    drawn = pl.read_parquet(output / "stage2.parquet").filter(pl.col("problem_id") == "own:some")["messages"][0]
    texts = {run_parts.response("own:some", n, None).response_id: f"own:some says {n}" for n in range(3)}
    prompt = next(prompt for prompt in checkpoint.prompts if "What is some?" in prompt)
    places = [prompt.index(texts[message]) for message in drawn]
    assert places == sorted(places)
    assert prompt.index("What is some?") < places[0]
    assert "<think>" not in prompt
    assert prompt.count("## Reference") == len(drawn)


def test_fed_by_stage_one_only(parts: run_parts.Parts, checkpoint: Checkpoint) -> None:
    output = run(parts, wanted(checkpoint, feeds="stage1"), "stage1")
    assert pl.read_parquet(output / "stage2.parquet")["problem_id"].to_list() == ["own:some"]
    assert rules(output)["often"] == "not_in_stage1"
    assert rules(output)["few"] == "not_in_stage1"
    assert not any("What is often?" in prompt for prompt in checkpoint.prompts)


def test_both_stages_draw_the_same_messages(parts: run_parts.Parts, checkpoint: Checkpoint) -> None:
    output = run(parts, wanted(checkpoint), "pool")
    one = dict(pl.read_parquet(parts.tables["stage1"]).select("problem_id", "messages").iter_rows())
    two = dict(pl.read_parquet(output / "stage2.parquet").select("problem_id", "messages").iter_rows())
    assert two["own:some"] == one["own:some"]


def test_second_time_nothing_is_asked_and_the_bytes_are_the_same(
    parts: run_parts.Parts, checkpoint: Checkpoint
) -> None:
    first = run(parts, wanted(checkpoint), "first")
    stored = [prompt for prompt in checkpoint.prompts if "What is refused?" not in prompt]
    assert len(stored) == 5 * 4
    checkpoint.prompts.clear()
    second = run(parts, wanted(checkpoint), "second")
    assert all("What is refused?" in prompt for prompt in checkpoint.prompts)
    for name in ("stage2", "synthesis_grades", "synthesis_accuracy", "ledger"):
        assert (first / f"{name}.parquet").read_bytes() == (second / f"{name}.parquet").read_bytes()


@pytest.mark.parametrize(("without", "rule"), [("stage2", "no_stage2"), ("pool", "no_pool")])
def test_recipe_without_the_section_leaves_the_stage_empty(
    parts: run_parts.Parts, checkpoint: Checkpoint, without: str, rule: str
) -> None:
    asked = wanted(checkpoint).model_copy(update={without: None})
    context = parts.context(asked, "two")
    report = StageTwo().execute(context)
    assert "Not made" in report.findings
    assert pl.read_parquet(context.output / "stage2.parquet").is_empty()
    assert set(rules(context.output).values()) == {rule}
    assert len(rules(context.output)) == len(GRADES)
    assert not checkpoint.prompts


def test_last_user_message_is_the_one_replaced() -> None:
    prompt = load("synthesis", Path())
    turns = [Message("system", "S"), Message("user", "one"), Message("assistant", "A"), Message("user", "two")]
    asked = conversation_with_references(turns, prompt, ["first", "second"])
    assert asked[:3] == tuple(turns[:3])
    assert asked[3].role == "user"
    assert "two" in asked[3].content
    assert asked[3].content.index("first") < asked[3].content.index("second")
    assert conversation_with_references(turns, prompt, []) == tuple(turns)
