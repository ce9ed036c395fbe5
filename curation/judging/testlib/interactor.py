"""testlib interactors: ``interactor INPUT TOUT ANSWER REPORT``, talking to the submission over standard streams.

What it writes to TOUT goes to the problem's checker as the output, where the problem has one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from curation.json_reader import dumps
from curation.judging.compilation import Prepared
from curation.judging.output_checker import MESSAGE_BYTES, Judged, ProgramChecker
from curation.judging.sandbox import Execution, Sandbox, WorkFile
from curation.judging.testlib.checker import read_verdict

_OUTPUT = "tout.txt"
_OUTPUT_BYTES = 64 << 20
_REPORT = "report.txt"


@dataclass(frozen=True, slots=True)
class Interactor:
    """A compiled interactor, and the checker that judges what it writes down; see `curation.judging.conversation`."""

    program: Prepared
    checker: ProgramChecker | None = None

    @property
    def key(self) -> str:
        """Everything that could change what it says, as text."""
        return dumps(["interactor", self.program.key, None if self.checker is None else self.checker.key])

    @property
    def collected(self) -> Mapping[str, int]:
        """The files it may leave behind, with the greatest number of bytes of each."""
        return {_OUTPUT: _OUTPUT_BYTES, _REPORT: MESSAGE_BYTES}

    def command(self) -> list[str]:
        """Return how it is started in its work directory."""
        return [*self.program.command, "test.in", _OUTPUT, "test.ans", _REPORT]

    def files(self, given: bytes, answer: bytes) -> list[WorkFile]:
        """Return what its work directory holds for one test."""
        return [*self.program.files, WorkFile("test.in", given), WorkFile("test.ans", answer)]

    def read(self, sandbox: Sandbox, execution: Execution, given: bytes, answer: bytes) -> Judged:
        """Return what its run says, and what the checker says of the output where the interactor is content."""
        judged = read_verdict(execution, execution.files.get(_REPORT, b""), "the interactor")
        if judged.verdict != "AC" or self.checker is None:
            return judged
        return self.checker.check(sandbox, given, answer, execution.files.get(_OUTPUT, b""))
