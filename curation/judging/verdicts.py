"""Verdicts: what a run says about a program, and what a list of tests says about a submission.

``JE`` (judge error) is never the submission's fault: the sandbox or the checker failed, there is no test, or the
program is in a language that cannot be run here.
"""

from __future__ import annotations

import re
import signal
from collections.abc import Sequence
from dataclasses import dataclass

from curation.judging.limits import Limits
from curation.judging.sandbox import Execution
from curation.records import JudgeVerdict

_OUT_OF_MEMORY = re.compile(
    rb"(?m)^\s*(?:MemoryError|what\(\):\s+std::bad_alloc|numpy.*ArrayMemoryError.*)|java\.lang\.OutOfMemoryError"
)
_TAIL_BYTES = 4000
_MESSAGE_CHARACTERS = 300


@dataclass(frozen=True, slots=True)
class TestResult:
    """One test's verdict.

    Attributes:
        name: the test's name.
        verdict: see the module.
        cpu_s: CPU seconds used.
        memory_mb: peak of resident MiB.
        message: why, for a reader; empty where all is well.
    """

    name: str
    verdict: JudgeVerdict
    cpu_s: float
    memory_mb: float
    message: str


@dataclass(frozen=True, slots=True)
class Judgement:
    """A submission's verdict.

    Attributes:
        submission: its name.
        verdict: of all tests together.
        score: the share of points, 0 to 1.
        isolation: the weakest level that a test ran under.
        tests: the tests that were run, in order.
        message: why, where no single test says it.
    """

    submission: str
    verdict: JudgeVerdict
    score: float
    isolation: str
    tests: tuple[TestResult, ...]
    message: str = ""


def of_run(execution: Execution, limits: Limits) -> tuple[JudgeVerdict, str] | None:
    """Return verdict and reason of a run that went wrong; None where the program ended well and its output counts."""
    if execution.failure is not None:
        return "JE", execution.failure
    if execution.stopped == "cpu" or execution.cpu_s > limits.cpu_s or execution.exit_code == -signal.SIGXCPU:
        return "TLE", f"more than {limits.cpu_s:g} CPU seconds"
    if execution.stopped == "wall":
        return "TLE", f"not finished after {limits.wall_s:g} seconds on the clock, most of them idle"
    if execution.stopped == "memory" or execution.memory_mb > limits.memory_mb:
        return "MLE", f"more than {limits.memory_mb} MiB"
    if execution.stopped == "output":
        return "OLE", f"more than {limits.output_mb} MiB of output"
    if execution.exit_code == -signal.SIGXFSZ:
        return "OLE", "a file larger than allowed"
    if execution.stopped == "processes":
        return "RTE", "too many processes"
    if execution.stopped == "disk":
        return "RTE", "too much disk"
    if execution.exit_code != 0:
        if _OUT_OF_MEMORY.search(execution.error[-_TAIL_BYTES:]):
            return "MLE", f"an allocation failed under a limit of {limits.memory_mb} MiB"
        return "RTE", _ending(execution)
    return None


def is_worth_a_second_run(verdict: JudgeVerdict, execution: Execution) -> bool:
    """Say whether a busy machine may be to blame, so that only a run alone decides."""
    if verdict in ("TLE", "JE"):
        return True
    return execution.exit_code == -signal.SIGKILL


def of_tests(results: Sequence[TestResult]) -> JudgeVerdict:
    """Return the verdict of all tests: the first that went wrong; JE only where nothing else did.

    A test that went wrong is proof against the submission whatever happened to the judge on another one.
    """
    if not results:
        return "JE"
    wrong = next((result.verdict for result in results if result.verdict not in ("AC", "JE", "PARTIAL")), None)
    if wrong is not None:
        return wrong
    return next((result.verdict for result in results if result.verdict != "AC"), "AC")


def _ending(execution: Execution) -> str:
    code = execution.exit_code or 0
    lines = execution.error[-_TAIL_BYTES:].decode(errors="replace").strip().splitlines()
    last = lines[-1].strip()[:_MESSAGE_CHARACTERS] if lines else ""
    if code < 0:
        try:
            how = f"killed by {signal.Signals(-code).name}"
        except ValueError:
            how = f"killed by signal {-code}"
    else:
        how = f"exit status {code}"
    return f"{how}: {last}" if last else how
