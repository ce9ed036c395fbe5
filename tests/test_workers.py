"""Workers: results in the order of the batches, errors that come through, and an end with the process that began."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from curation.errors import InputError, OutsideError
from curation.parallel import Preparation, Workers

_FACTOR = [1]


def multiply_by(factor: int) -> None:
    """Set what `multiplied` multiplies by."""
    _FACTOR[0] = factor


def multiplied(batch: list[int]) -> list[int]:
    """Take longest for the first batch."""
    time.sleep(0.2 if batch[0] == 0 else 0)
    return [_FACTOR[0] * item for item in batch]


def refuse(batch: list[int]) -> None:
    """Raise on the third batch."""
    if batch[0] == 2:
        raise InputError("the third batch cannot be used")


def die(batch: list[int]) -> None:
    """End the process from outside."""
    os.kill(os.getpid(), signal.SIGKILL)


def process_of(batch: list[int]) -> int:
    """Return who works."""
    return os.getpid()


def test_results_come_in_order_whatever_the_number_of_processes() -> None:
    batches = [[number, number + 100] for number in range(20)]
    for count in (1, 3):
        with Workers("multiplies", count) as workers:
            assert list(workers.map(multiplied, batches)) == [(batch, batch) for batch in batches]


def test_a_process_is_prepared_before_its_first_batch() -> None:
    with Workers("multiplies", 2, preparation=Preparation(multiply_by, (7,))) as workers:
        assert [result for _, result in workers.map(multiplied, [[1], [2]])] == [[7], [14]]
    assert _FACTOR == [1]


def test_few_items_are_worked_on_here() -> None:
    with Workers("works", items_without_help=3) as workers:
        found = [result for _, result in workers.map(process_of, [[1, 2], [3], [4]], here=lambda batch: 0)]
    assert found[:2] == [0, 0]
    assert os.cpu_count() == 1 or found[2] not in (0, os.getpid())


def test_no_more_batches_are_taken_than_the_processes_need() -> None:
    taken: list[int] = []

    def batches() -> Iterator[list[int]]:
        for number in range(1, 50):
            taken.append(number)
            yield [number]

    with Workers("multiplies", 2) as workers:
        next(workers.map(multiplied, batches()))
        assert len(taken) == 5


def test_an_error_comes_through_and_a_dead_process_is_told() -> None:
    with Workers("works", 2) as workers, pytest.raises(InputError, match="third batch"):
        list(workers.map(refuse, [[number] for number in range(4)]))
    with (
        Workers("counts sheep", 2) as workers,
        pytest.raises(OutsideError, match="a process that counts sheep was ended"),
    ):
        list(workers.map(die, [[1]]))


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_no_process_outlives_the_one_that_began(tmp_path: Path, end: signal.Signals) -> None:
    (tmp_path / "sleeping.py").write_text(
        # One write a line: two processes share the pipe.
        "import os, time\ndef sleep(batch):\n    os.write(1, b'%d\\n' % os.getpid())\n    time.sleep(batch[0])\n"
    )
    seconds = 600 if end == signal.SIGKILL else 2
    program = (
        "from curation.parallel import Workers\n"
        "import sleeping\n"
        "with Workers('sleeps', 2) as workers:\n"
        f"    list(workers.map(sleeping.sleep, [[{seconds}]] * 4))\n"
    )
    paths = os.pathsep.join([str(Path(__file__).parents[1]), str(tmp_path)])
    with subprocess.Popen(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": paths},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        text=True,
    ) as begun:
        assert begun.stdout is not None
        working = [psutil.Process(int(begun.stdout.readline())) for _ in range(2)]
        if end == signal.SIGKILL:
            begun.kill()
        else:
            os.killpg(begun.pid, end)
        _, alive = psutil.wait_procs(working, timeout=60)
        assert not alive
        begun.wait(60)
        errors = begun.stderr.read() if begun.stderr is not None else ""
    assert errors.count("Traceback") <= (end == signal.SIGINT)


def test_a_script_without_a_guard_is_not_run_again_by_the_processes(tmp_path: Path) -> None:
    (tmp_path / "doubling.py").write_text("def double(batch):\n    return [2 * item for item in batch]\n")
    script = tmp_path / "script.py"
    script.write_text(
        "print('begun')\n"
        "import doubling\n"
        "from curation.parallel import Workers\n"
        "with Workers('doubles', 2) as workers:\n"
        "    print([result for _, result in workers.map(doubling.double, [[1], [2]])])\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    run = subprocess.run([sys.executable, str(script)], env=environment, capture_output=True, text=True, timeout=120)
    assert (run.returncode, run.stdout) == (0, "begun\n[[2], [4]]\n"), run.stderr
