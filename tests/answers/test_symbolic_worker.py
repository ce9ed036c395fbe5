from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from curation.answers.math_verify_worker import verify
from curation.answers.symbolic_worker import SymbolicWorker

HANGS = "10^{10^{10^{10}}}"


@pytest.fixture(scope="module")
def worker() -> SymbolicWorker:
    return SymbolicWorker(wall_limit_s=120.0)


def _gone(process_id: int) -> bool:
    for _ in range(200):
        if not psutil.pid_exists(process_id) or psutil.Process(process_id).status() == psutil.STATUS_ZOMBIE:
            return True
        time.sleep(0.05)
    return False


def test_a_verdict_comes_back(worker: SymbolicWorker) -> None:
    assert verify(r"\frac{x}{2}", "0.5x", worker).verdict == "equal"
    assert verify(r"\frac{x}{2}", "0.6x", worker).verdict == "different"


def test_a_request_past_its_wall_limit_is_unknown_and_the_next_one_works() -> None:
    worker = SymbolicWorker(wall_limit_s=10.0)
    verify("x", "x", worker)
    before = worker.process_id
    result = verify("8", HANGS, worker)
    assert result.verdict == "unknown"
    assert result.why
    assert before is not None
    assert worker.submit("math_verify", ["x", "x"]).result().outcome in ("true", "failed")
    worker.close()
    assert worker.process_id is None
    assert _gone(before)


def test_a_killed_process_is_unknown_and_replaced(worker: SymbolicWorker) -> None:
    verify("1", "1", worker)
    process_id = worker.process_id
    assert process_id is not None
    os.kill(process_id, signal.SIGKILL)
    assert verify("x", "x", worker).verdict in ("unknown", "equal")
    assert verify("x", "x", worker).verdict == "equal"


def test_threads_share_one_process(worker: SymbolicWorker) -> None:
    verdicts: list[str] = []
    threads = [threading.Thread(target=lambda: verdicts.append(verify("2x", "x+x", worker).verdict)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert verdicts == ["equal"] * 8


def test_async_code_can_wait_for_it(worker: SymbolicWorker) -> None:
    async def ask() -> list[str]:
        replies = await asyncio.gather(
            *(asyncio.wrap_future(worker.submit("math_verify", ["2x", "x+x"])) for _ in range(3))
        )
        return [reply.outcome for reply in replies]

    assert asyncio.run(ask()) == ["true"] * 3


def _in_child(answers: multiprocessing.Queue[str]) -> None:
    answers.put(verify("2x", "x+x").verdict)


def test_a_forked_child_gets_a_process_of_its_own() -> None:
    assert verify("2x", "x+x").verdict == "equal"
    context = multiprocessing.get_context("fork")
    answers: multiprocessing.Queue[str] = context.Queue()
    child = context.Process(target=_in_child, args=(answers,))
    child.start()
    assert answers.get(timeout=120) == "equal"
    child.join()


_PARENT = """
import sys, time
from curation.answers.symbolic_worker import SymbolicWorker
worker = SymbolicWorker()
worker.ask("math_verify", ["1", "1"])
print(worker.process_id, flush=True)
if sys.argv[1] == "wait":
    time.sleep(600)
"""


@pytest.mark.parametrize("end", ["wait", "return"])
def test_no_process_stays_behind(end: str, tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(_PARENT)
    with subprocess.Popen([sys.executable, str(script), end], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        process_id = int(parent.stdout.readline())
        if end == "wait":
            parent.kill()
    assert _gone(process_id)
