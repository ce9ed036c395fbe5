"""A problem package's own output validator: a program that is run in the sandbox and answers 42 (accepted) or 43.

Command line and exit codes after the ICPC problem package format:
``validator INPUT ANSWER FEEDBACK_DIR [FLAG ...] < OUTPUT``. Any other end is the judge's error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from curation.judging.compilation import Prepared
from curation.judging.sandbox import RunLimits, Sandbox, WorkFile
from curation.records import JudgeVerdict

ACCEPTED = 42
REJECTED = 43
_LIMITS = RunLimits(cpu_s=60, wall_s=180, memory_mb=2048, output_mb=8, disk_mb=2048, file_mb=1024)
_MESSAGE_BYTES = 10_000
_FEEDBACK = "feedback/"


@dataclass(frozen=True, slots=True)
class Validator:
    """A compiled output validator and the flags a test group gives it."""

    program: Prepared
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """What a validator says.

    Attributes:
        verdict: ``AC``, ``WA`` or ``JE``.
        message: its judge message, or why it failed.
        score: the score it wrote, as text; None where it wrote none.
    """

    verdict: JudgeVerdict
    message: str
    score: str | None = None


def validate(sandbox: Sandbox, validator: Validator, given: bytes, answer: bytes, output: bytes) -> Judged:
    """Run a validator on one output.

    Args:
        sandbox: where it runs.
        validator: the program.
        given: the test's input.
        answer: the test's answer.
        output: what the submission wrote.

    Raises:
        OutsideError: no sandbox can be started.
    """
    files = [
        *validator.program.files,
        WorkFile("test.in", given),
        WorkFile("test.ans", answer),
        WorkFile(_FEEDBACK, b""),
    ]
    message, score = f"{_FEEDBACK}judgemessage.txt", f"{_FEEDBACK}score.txt"
    command = [part.format(memory_mb=_LIMITS.memory_mb) for part in validator.program.command]
    execution = sandbox.run(
        [*command, "test.in", "test.ans", _FEEDBACK, *validator.flags],
        _LIMITS,
        files=files,
        standard_input=output,
        collect={message: _MESSAGE_BYTES, score: 100},
    )
    if execution.failure is not None:
        return Judged("JE", f"the output validator could not be run: {execution.failure}")
    if execution.stopped is not None:
        return Judged("JE", f"the output validator passed its {execution.stopped} limit")
    text = execution.files.get(message, b"").decode(errors="replace").strip()
    if execution.exit_code == ACCEPTED:
        found = execution.files.get(score)
        return Judged("AC", text, found.decode(errors="replace").strip() if found is not None else None)
    if execution.exit_code == REJECTED:
        return Judged("WA", text or "the output validator rejects the output")
    return Judged("JE", f"the output validator ended with {execution.exit_code} instead of {ACCEPTED} or {REJECTED}")


def flags_text(flags: Sequence[str]) -> str:
    """Return flags as one text, for a key."""
    return "\0".join(flags)
