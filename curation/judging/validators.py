"""A problem package's own output validator: a program that is run in the sandbox and answers 42 (accepted) or 43.

Command line and exit codes after the ICPC problem package format:
``validator INPUT ANSWER FEEDBACK_DIR [FLAG ...] < OUTPUT``. Any other end is the judge's error.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from curation.json_reader import dumps
from curation.judging.compilation import Prepared
from curation.judging.output_checker import CHECKER_LIMITS, MESSAGE_BYTES, Judged
from curation.judging.sandbox import Execution, Sandbox, WorkFile

ACCEPTED = 42
REJECTED = 43
FEEDBACK = "feedback/"
_MESSAGE = f"{FEEDBACK}judgemessage.txt"
_SCORE = f"{FEEDBACK}score.txt"
COLLECTED = {_MESSAGE: MESSAGE_BYTES, _SCORE: 100}
"""What a validator may leave behind, with the greatest number of bytes of each."""


@dataclass(frozen=True, slots=True)
class Validator:
    """A compiled output validator and the flags a test group gives it."""

    program: Prepared
    flags: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """Everything that could change what it says, as text."""
        return dumps(["validator", self.program.key, list(self.flags)])

    @property
    def collected(self) -> Mapping[str, int]:
        """The files it may leave behind, with the greatest number of bytes of each."""
        return COLLECTED

    def files(self, given: bytes, answer: bytes) -> list[WorkFile]:
        """Return what its work directory holds for one test."""
        return [
            *self.program.files,
            WorkFile("test.in", given),
            WorkFile("test.ans", answer),
            WorkFile(FEEDBACK, b""),
        ]

    def command(self) -> list[str]:
        """Return how it is started."""
        command = [part.format(memory_mb=CHECKER_LIMITS.memory_mb) for part in self.program.command]
        return [*command, "test.in", "test.ans", FEEDBACK, *self.flags]

    def check(self, sandbox: Sandbox, given: bytes, answer: bytes, output: bytes) -> Judged:
        """Run it on one output; see `curation.judging.output_checker.ProgramChecker`."""
        execution = sandbox.run(
            self.command(),
            CHECKER_LIMITS,
            files=self.files(given, answer),
            standard_input=output,
            collect=self.collected,
        )
        return read_verdict(execution)

    def read(self, sandbox: Sandbox, execution: Execution, given: bytes, answer: bytes) -> Judged:
        """Return what its run beside a submission says; see `curation.judging.conversation.Interlocutor`."""
        del sandbox, given, answer
        return read_verdict(execution)


def read_verdict(execution: Execution) -> Judged:
    """Return what a validator's run says."""
    if execution.failure is not None:
        return Judged("JE", f"the output validator could not be run: {execution.failure}")
    if execution.stopped is not None:
        return Judged("JE", f"the output validator passed its {execution.stopped} limit")
    text = execution.files.get(_MESSAGE, b"").decode(errors="replace").strip()
    if execution.exit_code == ACCEPTED:
        found = execution.files.get(_SCORE)
        return Judged("AC", text, found.decode(errors="replace").strip() if found is not None else None)
    if execution.exit_code == REJECTED:
        return Judged("WA", text or "the output validator rejects the output")
    return Judged("JE", f"the output validator ended with {execution.exit_code} instead of {ACCEPTED} or {REJECTED}")
