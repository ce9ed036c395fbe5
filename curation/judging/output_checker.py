"""What a program that checks outputs says, whichever convention it follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from curation.judging.sandbox import RunLimits, Sandbox
from curation.records import JudgeVerdict

CHECKER_LIMITS = RunLimits(cpu_s=60, wall_s=180, memory_mb=2048, output_mb=8, disk_mb=2048, file_mb=1024)
"""What a checker may use on one output: plenty, as it is the judge's side and reads outputs of any size."""

MESSAGE_BYTES = 10_000
"""How much of a checker's message is kept."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What a checker says.

    Attributes:
        verdict: ``AC``, ``WA``, ``PE``, ``PARTIAL`` or ``JE``.
        message: its message, or why it failed.
        points: the points it gives, as text; None where it gives none.
        share: the share of full marks, 0 to 1; None where the points' scale is the problem's to know.
    """

    verdict: JudgeVerdict
    message: str
    points: str | None = None
    share: float | None = None


class ProgramChecker(Protocol):
    """A compiled program that says whether an output is right, run in the sandbox."""

    @property
    def key(self) -> str:
        """Everything that could change what it says, as text."""

    def check(self, sandbox: Sandbox, given: bytes, answer: bytes, output: bytes) -> Judged:
        """Check one output.

        Args:
            sandbox: where the checker runs.
            given: the test's input.
            answer: the test's answer.
            output: what the submission wrote.

        Raises:
            OutsideError: no sandbox can be started.
        """
