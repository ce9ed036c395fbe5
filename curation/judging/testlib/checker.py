"""testlib checkers: ``checker INPUT OUTPUT ANSWER REPORT``, the verdict in the exit code."""

from __future__ import annotations

import re
from dataclasses import dataclass

from curation.json_reader import dumps
from curation.judging.compilation import Prepared
from curation.judging.output_checker import CHECKER_LIMITS, MESSAGE_BYTES, Judged
from curation.judging.sandbox import Execution, RunLimits, Sandbox, WorkFile
from curation.records import JudgeVerdict

OK = 0
WRONG_ANSWER = 1
PRESENTATION_ERROR = 2
FAIL = 3
DIRT = 4
POINTS = 7
UNEXPECTED_END = 8
PARTIAL_BASE = 50
"""Where the codes of ``_pc(0)`` to ``_pc(200)`` start in programs compiled with TESTSYS."""

_MOST_PARTIAL = 200
_REPORT = "report.txt"
_VERDICTS: dict[int, JudgeVerdict] = {
    OK: "AC",
    WRONG_ANSWER: "WA",
    PRESENTATION_ERROR: "PE",
    DIRT: "PE",
    UNEXPECTED_END: "PE",
}
_LABEL = re.compile(
    r"^(?:ok|wrong answer|wrong output format|FAIL|unexpected eof|partially correct \(\d+\)|points)(?:[ \t]+|$)"
)
_POINTS = re.compile(r"^(?:points_info=(\S+)|([0-9.]+(?:e[+-]?\d+)?))[ \t]*")


@dataclass(frozen=True, slots=True)
class Checker:
    """A compiled checker.

    Attributes:
        program: the compiled program.
        testset: the name of the test set it is told, or None.
        group: the name of the test group it is told, or None.
        limits: what it may use on one output.
    """

    program: Prepared
    testset: str | None = None
    group: str | None = None
    limits: RunLimits = CHECKER_LIMITS

    @property
    def key(self) -> str:
        """Everything that could change what it says, as text."""
        return dumps(["testlib", self.program.key, self.testset, self.group])

    def check(self, sandbox: Sandbox, given: bytes, answer: bytes, output: bytes) -> Judged:
        """Check one output; see `curation.judging.output_checker.ProgramChecker`.

        ``_fail`` and exit codes that testlib does not define are the judge's error, never the submission's.
        """
        names = ("--testset", self.testset), ("--group", self.group)
        options = [word for name, value in names if value is not None for word in (name, value)]
        execution = sandbox.run(
            [*self.program.command, *options, "test.in", "test.out", "test.ans", _REPORT],
            self.limits,
            files=[
                *self.program.files,
                WorkFile("test.in", given),
                WorkFile("test.out", output),
                WorkFile("test.ans", answer),
            ],
            collect={_REPORT: MESSAGE_BYTES},
        )
        return read_verdict(execution, execution.files.get(_REPORT, b""), "the checker")


def read_verdict(execution: Execution, report: bytes, who: str) -> Judged:
    """Return what the run of a checker or an interactor says.

    Args:
        execution: the run.
        report: what it wrote into its report file; where that is empty, standard error is taken.
        who: the program, as a message calls it.
    """
    if execution.failure is not None:
        return Judged("JE", f"{who} could not be run: {execution.failure}")
    if execution.stopped is not None:
        return Judged("JE", f"{who} passed its {execution.stopped} limit")
    text = (report or execution.error[-MESSAGE_BYTES:]).decode(errors="replace").strip()
    message = _LABEL.sub("", text, count=1).strip()
    code = execution.exit_code
    if code in _VERDICTS:
        return Judged(_VERDICTS[code], message)
    if code == FAIL:
        return Judged("JE", f"{who} failed: {message or 'it gives no reason'}")
    if code == POINTS:
        found = _POINTS.match(message)
        if found is None:
            return Judged("JE", f"{who} gives points but no number of them: {message}")
        return Judged("PARTIAL", message[found.end() :], found[1] or found[2])
    if code is not None and PARTIAL_BASE <= code <= PARTIAL_BASE + _MOST_PARTIAL:
        percent = code - PARTIAL_BASE
        return Judged("PARTIAL", message, str(percent), min(percent, 100) / 100)
    return Judged("JE", f"{who} ended with {code}, which testlib does not define")
