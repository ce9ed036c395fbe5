"""Multi-pass problems: the validator writes the input of the next pass, and keeps notes from one pass to the next.

After the ICPC problem package format 2025-09: while the validator accepts and leaves ``nextpass.in`` in its feedback
directory, the submission runs again on that; what else is in the directory is there in the next pass too.
"""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable
from dataclasses import dataclass

from curation.json_reader import dumps
from curation.judging.output_checker import CHECKER_LIMITS, Judged
from curation.judging.sandbox import Execution, Sandbox, WorkFile
from curation.judging.validators import FEEDBACK, Validator, read_verdict

_NEXT_INPUT = f"{FEEDBACK}nextpass.in"
_ARCHIVE = "feedback.tar"
_ARCHIVE_BYTES = 64 << 20
_RUN_AND_PACK = '"$@"; code=$?; tar -cf feedback.tar feedback; exit $code'


@dataclass(frozen=True, slots=True)
class MultiPass:
    """A validator that may ask for further passes, up to a number of them in all."""

    validator: Validator
    passes: int

    @property
    def key(self) -> str:
        """Everything that could change a verdict, as text."""
        return dumps(["multi-pass", self.validator.key, self.passes])


def run_passes(
    sandbox: Sandbox,
    checker: MultiPass,
    given: bytes,
    answer: bytes,
    run: Callable[[bytes], tuple[Execution, Judged | None]],
) -> tuple[Execution, Judged]:
    """Run a submission pass after pass.

    Args:
        sandbox: where the validator runs.
        checker: the validator.
        given: the test's input, which is that of the first pass.
        answer: the test's answer.
        run: runs the submission on an input; gives what went wrong with it, or None where its output counts.

    Returns:
        the last pass's run, and what it or the validator says.

    Raises:
        OutsideError: no sandbox can be started.
    """
    feedback: list[WorkFile] = []
    next_input = given
    for _ in range(checker.passes):
        execution, wrong = run(next_input)
        if wrong is not None:
            return execution, wrong
        validated = _validate(sandbox, checker.validator, given, answer, execution.output, feedback)
        judged = read_verdict(validated)
        if judged.verdict != "AC":
            return execution, judged
        feedback = _unpack(validated.files.get(_ARCHIVE, b""))
        following = next((file for file in feedback if file.path == _NEXT_INPUT), None)
        if following is None:
            return execution, judged
        next_input = following.content
        feedback.remove(following)
    return execution, Judged("JE", f"the output validator asks for more than {checker.passes} passes")


def _validate(
    sandbox: Sandbox, validator: Validator, given: bytes, answer: bytes, output: bytes, feedback: list[WorkFile]
) -> Execution:
    return sandbox.run(
        ["/bin/sh", "-c", _RUN_AND_PACK, "sh", *validator.command()],
        CHECKER_LIMITS,
        files=[*validator.files(given, answer), *feedback],
        standard_input=output,
        collect={**validator.collected, _ARCHIVE: _ARCHIVE_BYTES},
    )


def _unpack(archive: bytes) -> list[WorkFile]:
    """Return the regular files of a packed feedback directory."""
    if not archive:
        return []
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        return [
            WorkFile(member.name, content.read())
            for member in packed
            if member.isfile() and (content := packed.extractfile(member)) is not None
        ]
