"""Runs of the judge: what is kept, what is run again, what an end in the middle costs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from judge_cases import LIMITS, SUM_CPP, SUM_PYTHON, SUMS, stdio

from curation.judging import Limits, judge
from curation.judging.sandbox import Execution, Sandbox
from curation.judging.turns import Gate
from curation.judging.warden import watch

IMPORTS = """
import sys
from pathlib import Path
from curation import records
from curation.judging import Limits, judge
"""


def test_results_are_kept_and_nothing_runs_twice(tmp_path: Path) -> None:
    first = judge(SUMS, SUM_PYTHON, "python3", LIMITS, store=tmp_path)
    kept = sorted(tmp_path.rglob("*"))
    again = judge(SUMS, SUM_PYTHON, "python3", LIMITS, store=tmp_path)
    assert again == first
    more = judge([*SUMS, *stdio(("7 7", "14"))], SUM_PYTHON, "py3", LIMITS, store=tmp_path)
    assert more.tests[:2] == first.tests
    assert sorted(tmp_path.rglob("*")) == kept


@pytest.mark.parametrize(
    "change",
    [
        {"tests": stdio(("1 2\n", "4\n"))},
        {"limits": Limits(cpu_s=3, memory_mb=256)},
        {"code": SUM_PYTHON + "# changed\n"},
        {"checker": "case_sensitive"},
    ],
    ids=["answer", "limits", "program", "checker"],
)
def test_whatever_could_change_a_result_is_in_its_key(tmp_path: Path, change: dict[str, object]) -> None:
    def lines() -> int:
        return sum(len(path.read_bytes().splitlines()) for path in tmp_path.rglob("*.jsonl"))

    given: dict[str, object] = {"tests": stdio(("1 2\n", "3\n")), "code": SUM_PYTHON, "limits": LIMITS, "checker": None}
    for fields in (given, {**given, **change}):
        judge(fields["tests"], fields["code"], "python3", fields["limits"], fields["checker"], store=tmp_path)
    assert lines() == 2


def test_a_judge_that_is_killed_loses_at_most_the_test_it_was_at(tmp_path: Path) -> None:
    tests = stdio(*((f"{number} 1", f"{number + 1}") for number in range(60)))
    script = (
        f"{IMPORTS}"
        f"tests = [records.TestCase('p', f't{{n}}', 'stdio', f'{{n}} 1', f'{{n + 1}}') for n in range(60)]\n"
        f"judge(tests, {SUM_PYTHON!r}, 'python3', Limits(2, 256), store=Path(sys.argv[1]))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)])
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        logs = list(tmp_path.rglob("*.jsonl"))
        if logs and len(logs[0].read_bytes().splitlines()) >= 5:
            break
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    (log,) = tmp_path.rglob("*.jsonl")
    before = log.read_bytes()
    assert 5 <= len(before.splitlines()) < 60
    log.write_bytes(before[:-20])
    assert judge(tests, SUM_PYTHON, "python3", Limits(2, 256), store=tmp_path).verdict == "AC"
    after = log.read_bytes()
    assert after.startswith(before[:-20])
    whole = []
    for line in after.splitlines():
        try:
            whole.append(json.loads(line)["test"])
        except json.JSONDecodeError:
            assert line == before.splitlines()[-1][:-19]
    assert len(whole) == len(set(whole)) == 60


@pytest.mark.parametrize(
    ("code", "runs"),
    [
        ("while True: pass", 2),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", 2),
        ("print(0)", 1),
        ("raise ValueError", 1),
    ],
    ids=["endless", "killed", "wrong", "raises"],
)
def test_what_a_busy_machine_may_have_caused_is_run_again_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, runs: int
) -> None:
    seen: list[tuple[str, ...]] = []
    run = Sandbox.run

    def counted(sandbox: Sandbox, arguments: tuple[str, ...], *rest: object, **more: object) -> Execution:
        seen.append(tuple(arguments))
        return run(sandbox, arguments, *rest, **more)

    monkeypatch.setattr(Sandbox, "run", counted)
    judge(SUMS[:1], code, "python3", Limits(cpu_s=0.3, memory_mb=128), store=tmp_path)
    assert sum(arguments[-1] == "main.py" for arguments in seen) == runs


def test_one_runs_alone_while_others_wait() -> None:
    gate = Gate()
    order: list[str] = []
    first_is_in, may_end = threading.Event(), threading.Event()

    def beside(name: str) -> None:
        with gate.beside_others():
            order.append(f"{name} in")
            first_is_in.set()
            may_end.wait(20)
            order.append(f"{name} out")

    def alone() -> None:
        with gate.alone():
            order.append("alone in")
            time.sleep(0.05)
            order.append("alone out")

    threads = [threading.Thread(target=beside, args=("first",))]
    threads[0].start()
    assert first_is_in.wait(20)
    threads.append(threading.Thread(target=alone))
    threads[1].start()
    while not gate._alone:
        time.sleep(0.001)
    threads.append(threading.Thread(target=beside, args=("second",)))
    threads[2].start()
    may_end.set()
    for thread in threads:
        thread.join(20)
    assert order == ["first in", "first out", "alone in", "alone out", "second in", "second out"]


def test_an_interrupted_judge_ends_at_once(tmp_path: Path) -> None:
    script = (
        f"{IMPORTS}"
        "tests = [records.TestCase('p', 't', 'stdio', '', '')]\n"
        # The processes that tests run in ignore the signal, and children inherit that.
        "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "print('started', flush=True)\n"
        "judge(tests, 'import time; time.sleep(600)', 'python3', Limits(200, 256), store=Path(sys.argv[1]))\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.readline()
    deadline = time.monotonic() + 60
    while not _running(process.pid, b"main.py") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert _running(process.pid, b"main.py")
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert b"KeyboardInterrupt" in error
    assert not list(tmp_path.rglob("*.jsonl"))


def _running(root: int, mark: bytes) -> bool:
    for pid in watch.tree(root):
        try:
            if mark in Path(f"/proc/{pid}/cmdline").read_bytes():
                return True
        except OSError:
            continue
    return False


def test_two_identical_programs_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    script = (
        f"{IMPORTS}"
        "tests = [records.TestCase('p', f't{n}', 'stdio', f'{n} 1', f'{n + 1}') for n in range(20)]\n"
        f"print(judge(tests, {SUM_CPP!r}, 'cpp17', Limits(2, 256), store=Path(sys.argv[1])).verdict)\n"
    )
    both = [subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE) for _ in range(2)]
    assert [process.communicate()[0] for process in both] == [b"AC\n"] * 2
    assert not list(tmp_path.rglob(".partial-*"))
