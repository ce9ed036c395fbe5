"""What a sandbox costs: seconds a run above a bare process, and how well many short tests fill the processors.

    python benchmarks/judge_overhead.py [--runs N]

Each program is run bare (``subprocess.run`` with pipes) and at every isolation level the machine offers, by turns, so
that a busy moment hits all of them; medians are compared. The second part judges a C++ program on many short tests with
one worker a processor and divides the CPU time used by the time on the clock times the processors.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from curation.judging.bench import Bench
from curation.judging.comparison import Tokens
from curation.judging.isolation import why_not
from curation.judging.judge import judge_program, single_file
from curation.judging.levels import LEVELS, describe, python_for
from curation.judging.limits import Limits
from curation.judging.sandbox import RunLimits, Sandbox
from curation.records import TestCase

SUM = '#include <cstdio>\nint main() { long long a, b; scanf("%lld %lld", &a, &b); printf("%lld\\n", a + b); }\n'
LIMITS = RunLimits(cpu_s=10, wall_s=30, memory_mb=256)


def start_times(runs: int) -> None:
    """Print the median of one run, bare and at each level."""
    levels = [isolation for isolation in map(describe, LEVELS) if why_not(isolation) is None]
    with ExitStack() as stack:
        sandboxes = [stack.enter_context(Sandbox(isolation)) for isolation in levels]
        for name, command in (("true", ["/usr/bin/true"]), ("python", [python_for(levels[0]), "-c", "pass"])):
            bare: list[float] = []
            held: list[list[float]] = [[] for _ in levels]
            for _ in range(runs):
                began = time.perf_counter()
                subprocess.run(command, input=b"", capture_output=True, check=True)
                bare.append(time.perf_counter() - began)
                for sandbox, times in zip(sandboxes, held, strict=True):
                    arguments = [python_for(sandbox.isolation), *command[1:]] if name == "python" else command
                    began = time.perf_counter()
                    sandbox.run(arguments, LIMITS)
                    times.append(time.perf_counter() - began)
            base = statistics.median(bare)
            print(f"{name:8} bare {1000 * base:6.2f} ms")
            for isolation, times in zip(levels, held, strict=True):
                median = statistics.median(times)
                print(f"{name:8} {isolation.level:12} {1000 * median:6.2f} ms, {1000 * (median - base):+6.2f} ms")


def many_short_tests(tests: int) -> None:
    """Print tests a second and the share of the processors used, over submissions that differ in a comment."""
    cases = [TestCase("p", f"t{index}", "stdio", f"{index} {index}\n", f"{2 * index}\n") for index in range(tests)]
    with tempfile.TemporaryDirectory() as store, Bench(Path(store)) as bench:
        programs = [single_file(f"s{number}", "cpp17", f"// {number}\n{SUM}") for number in range(2 * bench.workers)]
        list(bench.map(lambda given: judge_program(bench, given, cases[:1], Limits(2, 256), Tokens()), programs))
        began, used = time.monotonic(), _cpu()
        judged = list(bench.map(lambda given: judge_program(bench, given, cases, Limits(2, 256), Tokens()), programs))
        wall = time.monotonic() - began
        assert all(judgement.verdict == "AC" for judgement in judged)  # noqa: S101 -- a benchmark of wrong work is none
        count = len(programs) * tests
        print(f"{count} tests, {count / wall:.0f}/s, {1000 * bench.workers * wall / count:.2f} ms a test and worker")
    print(f"CPU time over {bench.workers} processors: {(_cpu() - used) / wall / bench.workers:.0%}")


def _cpu() -> float:
    """CPU seconds of this process and of the wardens that have ended, and of the machine's other work as well."""
    with Path("/proc/stat").open() as file:
        fields = [int(field) for field in file.readline().split()[1:8]]
    busy = sum(fields) - fields[3] - fields[4]
    return busy / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--tests", type=int, default=300)
    arguments = parser.parse_args()
    start_times(arguments.runs)
    many_short_tests(arguments.tests)
    print(f"peak memory of the judge: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")
