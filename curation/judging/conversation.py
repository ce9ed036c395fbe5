"""Interactive problems: a submission and the judge's own program that talk over two pipes, each in its own sandbox."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from curation.json_reader import dumps
from curation.judging import streams
from curation.judging.bench import Bench
from curation.judging.limits import Limits
from curation.judging.output_checker import CHECKER_LIMITS, Judged
from curation.judging.sandbox import Connection, Execution, RunLimits, Sandbox, WorkFile
from curation.judging.verdicts import of_run

_LONGER_S = 30.0
"""How much longer than the submission the judge's program may take, so that the slow one is told from the waiting."""


class Interlocutor(Protocol):
    """A compiled program that talks to a submission and says whether it did well."""

    @property
    def key(self) -> str:
        """Everything that could change what it says, as text."""

    @property
    def collected(self) -> Mapping[str, int]:
        """The files it may leave behind, with the greatest number of bytes of each."""

    def command(self) -> list[str]:
        """Return how it is started in its work directory."""

    def files(self, given: bytes, answer: bytes) -> Sequence[WorkFile]:
        """Return what its work directory holds for one test."""

    def read(self, sandbox: Sandbox, execution: Execution, given: bytes, answer: bytes) -> Judged:
        """Return what its run says."""


@dataclass(frozen=True, slots=True)
class Interactive:
    """Marks that an output is not checked but talked about, and with which program."""

    interlocutor: Interlocutor

    @property
    def key(self) -> str:
        """Everything that could change a verdict, as text."""
        return dumps(["interactive", self.interlocutor.key])


@dataclass(frozen=True, slots=True)
class Conversation:
    """How a conversation ended.

    Attributes:
        execution: the submission's run.
        judged: what the judge's program says.
        submission_ended_first: the submission was over before the judge's program.
    """

    execution: Execution
    judged: Judged
    submission_ended_first: bool


def converse(
    bench: Bench,
    arguments: Sequence[str],
    files: Sequence[WorkFile],
    limits: RunLimits,
    interlocutor: Interlocutor,
    given: bytes,
    answer: bytes,
) -> Conversation:
    """Let a submission and the judge's program talk until both are over; call it on a worker of the bench.

    What the judge's program writes to a submission that is over is taken and lost. A broken pipe instead would make its
    verdict a matter of time: whether its last words came before the submission's end or after.

    Args:
        bench: the workers.
        arguments: how the submission is started.
        files: what its work directory holds.
        limits: what it may use.
        interlocutor: the judge's program.
        given: the test's input, which only the judge's program sees.
        answer: the test's answer.

    Raises:
        OutsideError: no sandbox can be started.
    """
    to_submission, from_interlocutor = streams.pipe()
    to_interlocutor, from_submission = streams.pipe()
    streams.widen(to_submission)
    streams.widen(to_interlocutor)
    theirs = RunLimits(
        cpu_s=CHECKER_LIMITS.cpu_s,
        wall_s=limits.wall_s + _LONGER_S,
        memory_mb=CHECKER_LIMITS.memory_mb,
        disk_mb=CHECKER_LIMITS.disk_mb,
        file_mb=CHECKER_LIMITS.file_mb,
    )

    def judge_side() -> tuple[Execution, Judged]:
        sandbox = bench.sandbox()
        execution = sandbox.run(
            interlocutor.command(),
            theirs,
            files=interlocutor.files(given, answer),
            collect=interlocutor.collected,
            connection=Connection(to_interlocutor, from_interlocutor),
        )
        return execution, interlocutor.read(sandbox, execution, given, answer)

    with streams.second_reader(to_submission) as unread:
        other = bench.companion().submit(judge_side)
        try:
            execution = bench.sandbox().run(
                arguments, limits, files=files, connection=Connection(to_submission, from_submission)
            )
        finally:
            # Where this side could not start, the other one must not wait for it.
            to_submission.close()
            from_submission.close()
            streams.discard(unread, until=other.done)
    told, judged = other.result()
    return Conversation(execution, judged, submission_ended_first=execution.ended_at < told.ended_at)


def verdict_of(conversation: Conversation, limits: Limits) -> Judged:
    """Return what a conversation says about the submission.

    Who is over first decides: a rejection stands even if the submission then dies of the closed pipe, and a submission
    that crashes or passes a limit while the judge's program still waits for it is judged by that.
    """
    wrong = of_run(conversation.execution, limits)
    judged = conversation.judged
    rejected_first = judged.verdict != "AC" and not conversation.submission_ended_first
    return judged if wrong is None or rejected_first else Judged(*wrong)
