"""Peak memory of a response pool's whole life over its size: written, verified, compacted, selected from and exported.

Writes pools of a third and of all of SIZE gigabytes (24 responses of 170 kB a problem, half of it drawn at random so
that it hardly compresses), each phase in a process of its own, whose proportional set size (PSS, with its children) is
read from /proc five times a second:

    python benchmarks/pool_memory.py --gigabytes 3 --directory /tmp/benchmark
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from curation import records
from curation.llm import pool_problems
from curation.llm.engine import Message, ModelIdentity, Request, written
from curation.llm.pool import open_pool
from curation.llm.pool_compact import compact
from curation.llm.pool_verify import verify
from curation.llm.verdicts import ANSWERS, Graded, open_verdicts
from curation.pool_selection import select
from curation.recipe import JudgeSection, Sampler

RESPONSES = 24
RESPONSE_BYTES = 170_000
PHASES = ("write", "verify", "compact", "select and export")
MODEL = ModelIdentity("synthetic", "r1")
NO_TESTS = pl.DataFrame(schema=records.TEST_SCHEMA)


def problem(number: int) -> records.Problem:
    """Return a problem."""
    name = f"synthetic:{number}"
    licence = "CC0-1.0"
    return records.Problem(
        name, "math", "synthetic_math", "synthetic", str(number), f"What is {name}?", licence, answer="7"
    )


def responses(number: int) -> Iterator[records.Response]:
    """Yield the problem's responses."""
    for index in range(RESPONSES):
        noise = random.Random(f"{number}/{index}").randbytes(RESPONSE_BYTES // 4).hex()
        request = Request(f"synthetic:{number}", "solve", (Message("user", f"What is {number}?"),), Sampler(), index)
        text = f"<think>short</think>{noise}{'so it goes on and on. ' * (RESPONSE_BYTES // 44)}"
        yield written(request, MODEL, "http", text=text, finish_reason="stop", completion_tokens=1)


def write(pool: Path, problems: int) -> None:
    """Fill a pool in an order that is not the problems' own; of each problem one response is right."""
    numbers = random.Random(0).sample(range(problems), problems)
    known = records.to_frame([problem(number) for number in numbers], records.PROBLEM_SCHEMA)
    rows = {row["problem_id"]: row for row in known.iter_rows(named=True)}
    with open_pool(pool) as opened, open_verdicts(pool, JudgeSection()) as verdicts:
        for number in numbers:
            for response in responses(number):
                opened.add(response)
                grade = Graded("right" if response.sample_index == 0 else "wrong", "made so", ANSWERS)
                verdicts.add(response, rows[response.problem_id], NO_TESTS, grade)
        pool_problems.keep(pool, [known])


def work(phase: str, directory: Path, problems: int) -> None:
    """Do one phase."""
    pool = directory / "pool"
    if phase == "write":
        write(pool, problems)
    elif phase == "verify":
        verified = verify(pool)
        if verified.defects or verified.responses != problems * RESPONSES:
            sys.exit(f"the pool is damaged: {verified}")
    elif phase == "compact":
        compact(pool)
    else:
        chosen = select(pool, directory / "selected")
        if chosen.selected.stage1 != problems:
            sys.exit(f"{chosen.selected.stage1} of {problems} problems were selected")


def pss_bytes(root: int) -> int:
    """Return the proportional set size of a process and its children; 0 once they are gone."""
    total, waiting = 0, [root]
    while waiting:
        process = Path(f"/proc/{waiting.pop()}")
        try:
            lines = (process / "smaps_rollup").read_text().splitlines()
            children = (process / "task" / process.name / "children").read_text().split()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) * 1024
        waiting += [int(child) for child in children]
    return total


def measure(directory: Path, gigabytes: float) -> dict[str, float]:
    """Go through all phases at this size and return the peak of each in MB."""
    problems = max(1, round(gigabytes * 1e9 / RESPONSES / RESPONSE_BYTES))
    peaks: dict[str, float] = {}
    for phase in PHASES:
        began = time.monotonic()
        options = ["--phase", phase, "--problems", str(problems), "--directory", str(directory)]
        child = subprocess.Popen([sys.executable, __file__, *options])
        peak = 0
        while child.poll() is None:
            peak = max(peak, pss_bytes(child.pid))
            time.sleep(0.2)
        if child.returncode:
            sys.exit(child.returncode)
        peaks[phase] = peak / 1e6
        seconds = time.monotonic() - began
        print(f"{gigabytes:.2f} GB, {problems} problems, {phase}: {peaks[phase]:.0f} MB, {seconds:.0f} s", flush=True)
    return peaks


def main() -> None:
    """Measure two sizes and print what each further gigabyte costs."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--gigabytes", type=float, default=3.0)
    arguments.add_argument("--directory", type=Path, default=Path(tempfile.gettempdir()) / "curation-pool-memory")
    arguments.add_argument("--phase", help=argparse.SUPPRESS)
    arguments.add_argument("--problems", type=int, help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.phase:
        work(given.phase, given.directory, given.problems)
        return
    peaks: dict[float, dict[str, float]] = {}
    for size in (given.gigabytes / 3, given.gigabytes):
        try:
            peaks[size] = measure(given.directory, size)
        finally:
            shutil.rmtree(given.directory, ignore_errors=True)
    small, large = min(peaks), max(peaks)
    for phase in PHASES:
        slope = (peaks[large][phase] - peaks[small][phase]) / (large - small)
        print(f"{phase}: {slope:.0f} MB more for each GB of pool")


if __name__ == "__main__":
    main()
