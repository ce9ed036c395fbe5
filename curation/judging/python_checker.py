"""Checkers in Python: ``checker.py INPUT ANSWER OUTPUT`` prints ``1`` for a right output and ``0`` for a wrong one.

The convention of the data set open-r1/codeforces (column ``generated_checker``). Its own reward takes whatever else
such a checker does for a wrong answer; here it is the judge's error.
"""

from __future__ import annotations

from dataclasses import dataclass

from curation.json_reader import dumps
from curation.judging.compilation import Prepared
from curation.judging.output_checker import CHECKER_LIMITS, MESSAGE_BYTES, Judged
from curation.judging.sandbox import Execution, RunLimits, Sandbox, WorkFile

MAIN = "checker.py"
_INPUT, _ANSWER, _OUTPUT = "input.txt", "correct_output.txt", "solution_output.txt"
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class PythonChecker:
    """A checker in Python that was looked at by `curation.judging.compilation.prepare`, and what it may use."""

    program: Prepared
    limits: RunLimits = CHECKER_LIMITS

    @property
    def key(self) -> str:
        """Everything that could change what it says, as text."""
        return dumps(["python", self.program.key])

    def check(self, sandbox: Sandbox, given: bytes, answer: bytes, output: bytes) -> Judged:
        """Check one output; see `curation.judging.output_checker.ProgramChecker`."""
        files = (WorkFile(_INPUT, given), WorkFile(_ANSWER, answer), WorkFile(_OUTPUT, output))
        command = [*self.program.command, _INPUT, _ANSWER, _OUTPUT]
        return read_verdict(sandbox.run(command, self.limits, files=[*self.program.files, *files]))


def read_verdict(execution: Execution) -> Judged:
    """Return what a checker's run says."""
    if execution.failure is not None:
        return Judged("JE", f"the checker could not be run: {execution.failure}")
    if execution.stopped is not None:
        return Judged("JE", f"the checker passed its {execution.stopped} limit")
    if execution.exit_code != 0:
        lines = execution.error[-MESSAGE_BYTES:].decode(errors="replace").strip().splitlines()
        return Judged("JE", f"the checker ended with {execution.exit_code}: {lines[-1] if lines else 'no message'}")
    said = execution.output.strip()
    if said == b"1":
        return Judged("AC", "")
    if said == b"0":
        return Judged("WA", "the checker rejects the output")
    return Judged("JE", f"the checker printed {said[:_SHOWN].decode(errors='replace')!r} instead of 1 or 0")
