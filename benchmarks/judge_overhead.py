"""What a sandbox costs: seconds a run above a bare process, and how well many short tests fill the processors.

    python benchmarks/judge_overhead.py [--runs N] [--tests N]

Each program is run bare (``subprocess.run`` with pipes) and at every isolation level the machine offers, by turns, so
that a busy moment hits all of them; medians are compared, and minima, which other work on the machine moves least. A
level is compared with the same interpreter: where programs run as another user, that may be the system's.

The second part judges C++ programs on many short tests. On a machine with other work the processors are full anyway:
then only the CPU time a test says something, or a run of this script ahead of the others (``chrt -r 1``, as root, for
seconds).
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
from curation.judging.launcher import compiled_launcher
from curation.judging.levels import LEVELS, describe, python_for
from curation.judging.limits import Limits
from curation.judging.sandbox import RunLimits, Sandbox
from curation.judging.warden import watch
from curation.records import TestCase

SUM = '#include <cstdio>\nint main() { long long a, b; scanf("%lld %lld", &a, &b); printf("%lld\\n", a + b); }\n'
LIMITS = RunLimits(cpu_s=10, wall_s=30, memory_mb=256)
PROGRAMS_A_WORKER = 6


def start_times(runs: int) -> None:
    """Print what one run takes, bare and at each level."""
    levels = [isolation for isolation in map(describe, LEVELS) if why_not(isolation) is None]
    with ExitStack() as stack:
        sandboxes = [stack.enter_context(Sandbox(isolation)) for isolation in levels]
        for name, arguments in (("true", ()), ("python", ("-I", "-S", "-c", "pass"))):
            programs = ["/usr/bin/true" if name == "true" else python_for(isolation) for isolation in levels]
            bare: dict[str, list[float]] = {program: [] for program in programs}
            held: list[list[float]] = [[] for _ in levels]
            for _ in range(runs):
                for program, times in bare.items():
                    began = time.perf_counter()
                    subprocess.run([program, *arguments], input=b"", capture_output=True, check=True)
                    times.append(time.perf_counter() - began)
                for sandbox, program, times in zip(sandboxes, programs, held, strict=True):
                    began = time.perf_counter()
                    sandbox.run([program, *arguments], LIMITS)
                    times.append(time.perf_counter() - began)
            for program, times in bare.items():
                print(f"{name:7} bare         {_told(times)}  {program}")
            for isolation, program, times in zip(levels, programs, held, strict=True):
                more = [1000 * (of(times) - of(bare[program])) for of in (statistics.median, min)]
                print(f"{name:7} {isolation.level:12} {_told(times)}  above bare: {more[0]:+.2f} ms ({more[1]:+.2f})")


def _told(times: list[float]) -> str:
    return f"median {1000 * statistics.median(times):7.2f} ms (minimum {1000 * min(times):7.2f})"


def many_short_tests(tests: int) -> None:
    """Print tests a second, CPU time a test, and the share of the processors used; the programs differ in a comment."""
    cases = [TestCase("p", f"t{index}", "stdio", f"{index} {index}\n", f"{2 * index}\n") for index in range(tests)]
    limits = Limits(2, 256)
    with tempfile.TemporaryDirectory() as store, Bench(Path(store)) as bench:
        count = PROGRAMS_A_WORKER * bench.workers
        programs = [single_file(f"s{number}", "cpp17", f"// {number}\n{SUM}") for number in range(count)]
        list(bench.map(lambda given: judge_program(bench, given, cases[:1], limits, Tokens()), programs))
        began, own, judge, machine = time.monotonic(), _own_cpu(), time.process_time(), _machine_cpu()
        judged = list(bench.map(lambda given: judge_program(bench, given, cases, limits, Tokens()), programs))
        wall = time.monotonic() - began
        own, judge, machine = _own_cpu() - own, time.process_time() - judge, _machine_cpu() - machine
        assert all(judgement.verdict == "AC" for judgement in judged)  # noqa: S101 -- a benchmark of wrong work is none
        runs = count * (tests - 1)
        seconds = bench.workers * wall
        print(f"{runs} tests, {runs / wall:.0f}/s, {1000 * seconds / runs:.2f} ms a test and worker")
        print(
            f"CPU time a test: {1000 * own / runs:.2f} ms, of which {1000 * judge / runs:.2f} ms in the judge's process"
        )
        print(
            f"CPU time over {bench.workers} processors: {own / seconds:.0%} ours, {machine / seconds:.0%} of all work"
        )


def _own_cpu() -> float:
    """CPU seconds of this process and everything below it."""
    return time.process_time() + watch.usage(os.getpid()).cpu_s


def _machine_cpu() -> float:
    """CPU seconds of everything on the machine."""
    with Path("/proc/stat").open() as file:
        fields = [int(field) for field in file.readline().split()[1:8]]
    busy = sum(fields) - fields[3] - fields[4]
    return busy / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--tests", type=int, default=200)
    arguments = parser.parse_args()
    print(f"launcher: {compiled_launcher() or 'not compiled, for lack of g++: a run costs about 2 ms more'}")
    start_times(arguments.runs)
    many_short_tests(arguments.tests)
    print(f"peak memory of the judge: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB")
