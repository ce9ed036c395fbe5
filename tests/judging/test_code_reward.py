"""Rewards of code responses: from the export's document, in the conventions of TRL and verl, and over HTTP."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from aiohttp import web

from curation.export.rows import ground_truth
from curation.judging.reward import Asked, CodeReward, compute_score
from curation.judging.reward_server import Bounds, RewardServer
from curation.records import CheckerSource

pytestmark = pytest.mark.xdist_group("reward")

EVEN = CheckerSource.of("python", "import sys\nprint(1 if int(open(sys.argv[3]).read()) % 2 == 0 else 0)\n")


def document(count: int = 4, checker: str | None = None, source: CheckerSource | None = None, **changes: object) -> str:
    tests = [
        {"name": f"t{n}", "kind": "stdio", "input": f"{n}\n", "output": f"{2 * n}\n", "function": None}
        for n in range(count)
    ]
    problem = {"domain": "code", "checker": checker, "time_limit_s": 2.0, "memory_limit_mb": 256}
    known = {} if source is None else {source.sha256: source}
    text = ground_truth(problem, tests, known)
    assert text is not None
    return json.dumps({**json.loads(text), **changes}) if changes else text


def fenced(code: str) -> str:
    return f"Like this:\n```python\n{code}\n```\n"


DOUBLE = fenced("print(2 * int(input()))")
HALF_RIGHT = fenced("n = int(input())\nprint(2 * n if n < 2 else 0)")


@pytest.fixture(scope="module")
def scorer() -> Iterator[CodeReward]:
    """One bench for the file."""
    with CodeReward() as made:
        yield made


@pytest.mark.parametrize(
    ("response", "binary", "fraction"),
    [
        (DOUBLE, 1.0, 1.0),
        (HALF_RIGHT, 0.0, 0.5),
        (fenced("print('x')"), 0.0, 0.0),
        (fenced("print("), 0.0, 0.0),
        ("It doubles.", 0.0, 0.0),
        ("```rust\nfn main() {}\n```", None, None),
    ],
)
def test_all_tests_or_their_share(
    scorer: CodeReward, response: str, binary: float | None, fraction: float | None
) -> None:
    assert scorer.score(Asked(document(), response)).reward == binary
    found = scorer.score(Asked(document(), response, mode="fraction"))
    assert (found.reward, found.tests) == (fraction, 4)


def test_kill_groups_weigh_tests_less_what_a_trivial_program_earns(scorer: CodeReward) -> None:
    groups = [
        {"name": "easy", "weight": 0.2, "tests": ["t0", "t1"], "kills": 0},
        {"name": "hard", "weight": 0.8, "tests": ["t2", "t3"], "kills": 3},
    ]
    truth = document(rewards={"groups": groups, "trivial": 0.1})
    earned = [
        scorer.score(Asked(truth, response, mode="weighted")).reward
        for response in (DOUBLE, HALF_RIGHT, fenced("print(0)"), fenced("print('x')"))
    ]
    assert earned == pytest.approx([1, (0.2 - 0.1) / 0.9, 0, 0])
    assert scorer.score(Asked(document(), HALF_RIGHT, mode="weighted")).reward == 0.5
    assert scorer.score(Asked(truth, HALF_RIGHT)).reward == 0


_SOME = [{"name": "a", "weight": 1, "tests": ["t0"], "kills": 0}]


@pytest.mark.parametrize(
    ("truth", "end", "why"),
    [
        (document(count=0), None, "no tests"),
        (document(), "length", "cut"),
        (document(checker="unknown"), None, "no checker says which"),
        (document(checker="python:" + "0" * 64), None, "not in the table"),
        (document(checker="checkers:nothing_like_it"), None, "nothing_like_it"),
        (document(checker="testlib:/etc/passwd"), None, "names no checker"),
        (document(time_limit_s=1e9), None, "time limit"),
        (document(tests=[{"kind": "stdio", "input": 5, "output": "x"}]), None, "no text"),
        (document(tests=[{"kind": "shell", "input": "", "output": ""}]), None, "kind"),
        (document(checker_source={"kind": "python", "source": "print(1)"}), None, "not the checker"),
        (document(rewards={"groups": _SOME, "trivial": 0.1}), None, "each test once"),
        (document(rewards={"groups": [], "trivial": "0"}), None, "trivial"),
        ("42", None, "no object"),
        ("{", None, "no JSON"),
        ("[" * 100_000, None, "no JSON"),
    ],
)
def test_what_proves_nothing_is_unknown(scorer: CodeReward, truth: str, end: str | None, why: str) -> None:
    found = scorer.score(Asked(truth, DOUBLE, end))
    assert found.reward is None
    assert why in found.why


def test_a_checker_travels_with_its_row(scorer: CodeReward) -> None:
    truth = document(checker=f"python:{EVEN.sha256}", source=EVEN)
    assert scorer.score(Asked(truth, fenced("print(8)"))).reward == 1.0
    assert scorer.score(Asked(truth, fenced("print(7)"))).reward == 0.0
    assert scorer.score(Asked(truth, fenced("print('eight')"))).reward is None


def test_public_graders_mistakes_are_not_ours(scorer: CodeReward) -> None:
    """Each pair is accepted by a reward function in public use."""
    pairs = [
        ("YES", "NO"),
        ("xyz", "abc"),
        ("100000", "100001"),
        ("1000000000000000001", "1e18"),
        ("5", "5 5 5"),
    ]
    for expected, output in pairs:
        tests = [{"name": "t", "kind": "stdio", "input": "", "output": expected}]
        for checker in (None, "tokens case_sensitive"):
            truth = json.dumps({"tests": tests, "checker": checker})
            assert scorer.score(Asked(truth, fenced(f"print({output!r})"))).reward == 0.0, (expected, output, checker)
            assert scorer.score(Asked(truth, fenced(f"print({expected!r})"))).reward == 1.0


def test_trl_convention(scorer: CodeReward) -> None:
    completions = [DOUBLE, [{"role": "assistant", "content": HALF_RIGHT}], DOUBLE, DOUBLE]
    truths = [document(), document(), document(count=0), document()]
    ends = ["stop", "stop", "stop", "length"]
    found = scorer(prompts=["?"] * 4, completions=completions, ground_truth=truths, finish_reason=ends, level=[1] * 4)
    assert found == [1.0, 0.0, None, None]
    assert scorer.__name__ == "code_binary"
    with pytest.raises(ValueError, match="ground_truth"):
        scorer(prompts=["?"], completions=[DOUBLE], ground_truth=[])


def test_verl_convention() -> None:
    right = compute_score("code", DOUBLE, document(), {"index": 3})
    assert (right["score"], right["unknown"], right["fraction"]) == (1.0, 0.0, 1.0)
    cut = compute_score("code", DOUBLE, document(), {"finish_reason": "length"})
    assert (cut["score"], cut["unknown"]) == (0.0, 1.0)


class Served:
    """A server as a user starts it, at a free port."""

    def __init__(self, *options: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        command = [sys.executable, "-m", "curation", "serve-reward", "--port", str(port), *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.url = f"http://127.0.0.1:{port}"
        for _ in range(600):
            try:
                httpx.get(f"{self.url}/healthz", timeout=5)
                return
            except httpx.TransportError:
                assert self.process.poll() is None, self.process.stdout and self.process.stdout.read()
                time.sleep(0.2)
        raise AssertionError("the server never answered")

    def post(self, content: object, **options: object) -> httpx.Response:
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        return httpx.post(f"{self.url}/score", content=body, timeout=240)

    def stop(self, signal_number: int = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(signal_number)
        code = self.process.wait(120)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return code


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    """One server for the file."""
    made = Served("--body-mb", "1", "--items", "40", "--waiting", "60")
    yield made
    made.stop()


def test_a_server_says_how_it_is(served: Served) -> None:
    health = httpx.get(f"{served.url}/healthz", timeout=30).json()
    assert (health["status"], health["waiting"]) == ("ok", 0)
    assert health["workers"] >= 1


def test_one_request_one_item_or_many(served: Served) -> None:
    one = {"ground_truth": document(), "response": DOUBLE}
    answer = served.post(one)
    assert answer.status_code == 200
    assert [item["reward"] for item in answer.json()["rewards"]] == [1.0]
    many = [one, {**one, "response": HALF_RIGHT, "mode": "fraction"}, {**one, "finish_reason": "length"}]
    assert [item["reward"] for item in served.post({"items": many}).json()["rewards"]] == [1.0, 0.5, None]


def test_thirty_requests_at_once(served: Served) -> None:
    def ask(number: int) -> float | None:
        response = DOUBLE if number % 3 else fenced(f"print({number})")
        answer = served.post({"ground_truth": document(count=2), "response": response})
        assert answer.status_code == 200, answer.text
        reward: float | None = answer.json()["rewards"][0]["reward"]
        return reward

    with ThreadPoolExecutor(30) as threads:
        assert list(threads.map(ask, range(30))) == [1.0 if number % 3 else 0.0 for number in range(30)]


@pytest.mark.parametrize(
    ("content", "status", "error"),
    [
        (b"\xff\xfe", 400, "UTF-8"),
        (b"", 400, "no JSON"),
        (b"[" * 200_000, 400, "no JSON"),
        (b'{"ground_truth": "x", "ground_truth": "y", "response": ""}', 400, "no JSON"),
        (b'{"ground_truth": "\\ud800", "response": ""}', 400, "no JSON"),
        ([], 400, "no JSON object"),
        ({"items": 5}, 400, "no list"),
        ({"items": [5]}, 400, "item 0"),
        ({"response": DOUBLE}, 400, "ground_truth"),
        ({"ground_truth": document(), "response": 5}, 400, "response"),
        ({"ground_truth": document(), "response": "", "mode": "best"}, 400, "binary or fraction"),
        ({"items": [{"ground_truth": "", "response": ""}] * 41}, 413, "41 items"),
        (b'"' + b"x" * (2 << 20) + b'"', 413, "1 MiB"),
    ],
)
def test_hostile_requests_are_refused_in_a_sentence(served: Served, content: object, status: int, error: str) -> None:
    answer = served.post(content)
    assert (answer.status_code, error in answer.json()["error"]) == (status, True), answer.text
    assert httpx.get(f"{served.url}/healthz", timeout=30).json()["waiting"] == 0


def test_hostile_programs_earn_nothing(served: Served) -> None:
    programs = [
        "import os, sys, signal\nos.kill(os.getppid(), 9)",
        "import sys\nsys.stdout.buffer.write(b'\\xff\\x00' * 100)",
        "print('x' * 10_000)",
        "import socket\nsocket.create_connection(('127.0.0.1', 1))",
    ]
    items = [{"ground_truth": document(count=1), "response": fenced(code)} for code in programs]
    assert [item["reward"] for item in served.post({"items": items}).json()["rewards"]] == [0.0] * 4


def test_work_beyond_what_may_wait_is_refused_for_now(served: Served) -> None:
    slow = fenced("import time\ntime.sleep(1.5)\nprint(2 * int(input()))")
    items = [{"ground_truth": document(count=1), "response": f"{slow}\n{number}"} for number in range(40)]
    with ThreadPoolExecutor(3) as threads:
        answers = list(threads.map(lambda _: served.post({"items": items}), range(3)))
    assert sorted({answer.status_code for answer in answers}) == [200, 503]
    refused = next(answer for answer in answers if answer.status_code == 503)
    assert re.search(r"\d+ items wait", refused.json()["error"])
    assert int(refused.headers["retry-after"]) > 0


def test_a_client_that_sends_nothing_blocks_nobody(scorer: CodeReward) -> None:
    async def talk() -> tuple[bytes, bytes]:
        runner = web.AppRunner(RewardServer(scorer, Bounds(requests=1, body_s=0.5)).application())
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        assert site._server is not None
        port = site._server.sockets[0].getsockname()[1]
        head = b"POST /score HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n"
        silent_reader, silent = await asyncio.open_connection("127.0.0.1", port)
        silent.write(head % 100)
        body = json.dumps({"ground_truth": document(count=1), "response": DOUBLE}).encode()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(head % len(body) + body)
        answers = await silent_reader.readline(), await reader.readline()
        for one in (silent, writer):
            one.close()
        await runner.cleanup()
        return answers

    assert [line.split()[1] for line in asyncio.run(talk())] == [b"408", b"200"]


@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGINT])
def test_the_server_answers_what_it_has_begun_and_ends(tmp_path: Path, signal_number: int) -> None:
    server = Served("--store", str(tmp_path / "store"), "--fraction")
    slow = fenced("import time\ntime.sleep(2)\nn = int(input())\nprint(2 * n if n < 1 else 1)")
    try:
        with ThreadPoolExecutor(1) as threads:
            asked = threads.submit(server.post, {"ground_truth": document(count=2), "response": slow})
            while httpx.get(f"{server.url}/healthz", timeout=30).json()["waiting"] == 0 and not asked.done():
                time.sleep(0.05)
            os.kill(server.process.pid, signal_number)
            assert [item["reward"] for item in asked.result().json()["rewards"]] == [0.5]
        assert server.process.wait(120) == 0
    finally:
        server.stop()
