"""Peak memory of a response pool's whole life over its size.

Writes pools of a third and of all of SIZE gigabytes (24 responses of 170 kB a problem, half of it drawn at random so
that it hardly compresses) and goes through every operation on them, each in a process of its own, whose proportional
set size (PSS, with its children) is read from /proc five times a second:

    python benchmarks/pool_memory.py --gigabytes 3 --directory /tmp/benchmark

The directory takes about twice SIZE.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from curation import records
from curation.llm import pool_problems
from curation.llm.engine import Message, ModelIdentity, Request, written
from curation.llm.pool import open_pool, stats
from curation.llm.pool_compact import compact
from curation.llm.pool_merge import merge
from curation.llm.pool_verify import verify
from curation.pool_selection import select
from curation.recipe import Sampler

RESPONSES = 24
RESPONSE_BYTES = 170_000
MODEL = ModelIdentity("synthetic", "r1")


def problem(number: int) -> records.Problem:
    """Return a problem."""
    name = f"synthetic:{number}"
    licence = "CC0-1.0"
    return records.Problem(
        name, "math", "synthetic_math", "synthetic", str(number), f"What is {name}?", licence, answer="7"
    )


def responses(number: int) -> Iterator[records.Response]:
    """Yield the problem's responses, of which the first is right."""
    for index in range(RESPONSES):
        noise = random.Random(f"{number}/{index}").randbytes(RESPONSE_BYTES // 4).hex()
        request = Request(f"synthetic:{number}", "solve", (Message("user", f"What is {number}?"),), Sampler(), index)
        said = f"{noise}{'so it goes on and on. ' * (RESPONSE_BYTES // 44)}\\boxed{{{7 + (index > 0)}}}"
        text = f"<think>short</think>{said}"
        yield written(request, MODEL, "http", text=text, finish_reason="stop", completion_tokens=1)


def write(directory: Path, problems: int) -> None:
    """Fill a pool in an order that is not the problems' own."""
    numbers = random.Random(0).sample(range(problems), problems)
    with open_pool(directory / "pool") as opened:
        for number in numbers:
            for response in responses(number):
                opened.add(response)
    known = records.to_frame([problem(number) for number in numbers], records.PROBLEM_SCHEMA)
    pool_problems.keep(directory / "pool", [known])


def count(directory: Path, problems: int) -> None:
    """Count the responses."""
    if stats(directory / "pool")["responses"].sum() != problems * RESPONSES:
        sys.exit("responses are missing")


def read_through(directory: Path, problems: int) -> None:
    """Verify the pool."""
    verified = verify(directory / "pool")
    if verified.defects or verified.responses != problems * RESPONSES:
        sys.exit(f"the pool is damaged: {verified}")


def merged(directory: Path, problems: int) -> None:
    """Merge the pool into a new one, which takes its place."""
    if merge([directory / "pool"], directory / "merged").added != problems * RESPONSES:
        sys.exit("responses were lost")
    shutil.rmtree(directory / "pool")
    (directory / "merged").rename(directory / "pool")


def compacted(directory: Path, _: int) -> None:
    """Compact the pool."""
    compact(directory / "pool")


def graded(directory: Path, problems: int) -> None:
    """Grade every response, choose both stages and export them; a second time the verdicts are known."""
    chosen = select(directory / "pool", directory / "selected")
    if chosen.selected.stage1 != problems:
        sys.exit(f"{chosen.selected.stage1} of {problems} problems were selected")


OPERATIONS: dict[str, Callable[[Path, int], None]] = {
    "write": write,
    "stats": count,
    "verify": read_through,
    "merge": merged,
    "compact": compacted,
    "grade, select, export": graded,
    "select, export": graded,
}


@dataclass(frozen=True)
class Measured:
    """What an operation took: its peak in MB, and seconds by the clock and of processors."""

    peak_mb: float
    wall_s: float
    cpu_s: float


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


def measure(operation: str, directory: Path, problems: int) -> Measured:
    """Do one operation in a process of its own."""
    began, used = time.monotonic(), os.times()
    options = ["--operation", operation, "--problems", str(problems), "--directory", str(directory)]
    child = subprocess.Popen([sys.executable, __file__, *options])
    peak = 0
    while child.poll() is None:
        peak = max(peak, pss_bytes(child.pid))
        time.sleep(0.2)
    if child.returncode:
        sys.exit(child.returncode)
    now = os.times()
    cpu_s = now.children_user + now.children_system - used.children_user - used.children_system
    return Measured(peak / 1e6, time.monotonic() - began, cpu_s)


def main() -> None:
    """Measure two sizes and print what each further gigabyte costs."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--gigabytes", type=float, default=3.0)
    arguments.add_argument("--directory", type=Path, default=Path(tempfile.gettempdir()) / "curation-pool-memory")
    arguments.add_argument("--operation", help=argparse.SUPPRESS)
    arguments.add_argument("--problems", type=int, help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.operation:
        OPERATIONS[given.operation](given.directory, given.problems)
        return
    print(f"{'operation':<24}{'GB':>7}{'peak MB':>9}{'wall s':>9}{'CPU s':>9}", flush=True)
    peaks: dict[str, list[float]] = {operation: [] for operation in OPERATIONS}
    sizes = [given.gigabytes / 3, given.gigabytes]
    for size in sizes:
        problems = max(1, round(size * 1e9 / RESPONSES / RESPONSE_BYTES))
        try:
            for operation in OPERATIONS:
                found = measure(operation, given.directory, problems)
                peaks[operation].append(found.peak_mb)
                row = f"{size:>7.2f}{found.peak_mb:>9.0f}{found.wall_s:>9.0f}{found.cpu_s:>9.0f}"
                print(f"{operation:<24}{row}", flush=True)
        finally:
            shutil.rmtree(given.directory, ignore_errors=True)
    for operation, (small, large) in peaks.items():
        print(f"{operation}: {(large - small) / (sizes[1] - sizes[0]):.0f} MB more for each GB of pool")


if __name__ == "__main__":
    main()
