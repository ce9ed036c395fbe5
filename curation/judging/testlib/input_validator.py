"""testlib validators: is this input as the statement promises, and which of its bounds does it reach?

The program reads the input from standard input and ends with 0 (valid) or 3 (not). With ``--testOverviewLogFileName``
it writes for each named variable whether its least and greatest value were hit, and which features the input has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from curation.judging.compilation import Prepared
from curation.judging.output_checker import CHECKER_LIMITS, MESSAGE_BYTES
from curation.judging.sandbox import RunLimits, Sandbox
from curation.judging.testlib.checker import FAIL, OK

_LOG = "overview.log"
_BOUND = re.compile(r'^"((?:[^"\\]|\\.)*)":( min-value-hit)?( max-value-hit)?$')
_CONSTANT = re.compile(r'^constant-bounds "((?:[^"\\\\]|\\\\.)*)": (\S+) (\S+)$')
_FEATURE = re.compile(r'^feature "((?:[^"\\]|\\.)*)":( hit)?$')


@dataclass(frozen=True, slots=True)
class BoundsHit:
    """Whether an input takes a variable to its least and to its greatest value.

    Attributes:
        variable: its name.
        least: its least value was hit.
        greatest: its greatest value was hit.
        bounds: these two values, as text, where they are the same in every reading; None where they are not.
    """

    variable: str
    least: bool
    greatest: bool
    bounds: tuple[str | None, str | None] = (None, None)


@dataclass(frozen=True, slots=True)
class Validation:
    """What a validator says of an input.

    Attributes:
        is_valid: None where the validator itself failed.
        message: why the input is not valid, or how the validator failed.
        bounds: the variables that the validator names, with the bounds that were hit.
        features: the features it names, and whether the input has them.
    """

    is_valid: bool | None
    message: str
    bounds: tuple[BoundsHit, ...] = ()
    features: tuple[tuple[str, bool], ...] = ()


def validate_input(
    sandbox: Sandbox,
    program: Prepared,
    given: bytes,
    *,
    testset: str | None = None,
    group: str | None = None,
    limits: RunLimits = CHECKER_LIMITS,
) -> Validation:
    """Run a validator on one input.

    Args:
        sandbox: where it runs.
        program: the compiled validator.
        given: the input.
        testset: the name of the test set it is told, or None.
        group: the name of the test group it is told, or None.
        limits: what it may use.

    Raises:
        OutsideError: no sandbox can be started.
    """
    names = ("--testset", testset), ("--group", group)
    options = [word for name, value in names if value is not None for word in (name, value)]
    execution = sandbox.run(
        [*program.command, "--testOverviewLogFileName", _LOG, *options],
        limits,
        files=program.files,
        standard_input=given,
        collect={_LOG: MESSAGE_BYTES},
    )
    if execution.failure is not None:
        return Validation(None, f"the validator could not be run: {execution.failure}")
    if execution.stopped is not None:
        return Validation(None, f"the validator passed its {execution.stopped} limit")
    message = execution.error[-MESSAGE_BYTES:].decode(errors="replace").strip()
    if execution.exit_code == OK:
        bounds, features = _read_log(execution.files.get(_LOG, b"").decode(errors="replace"))
        return Validation(True, message, bounds, features)
    if execution.exit_code == FAIL:
        if "must end with readEof" in message:
            return Validation(None, "the validator does not read to the end of the input (it lacks readEof)")
        return Validation(False, message.removeprefix("FAIL").strip())
    return Validation(None, f"the validator ended with {execution.exit_code} instead of {OK} or {FAIL}")


def _read_log(text: str) -> tuple[tuple[BoundsHit, ...], tuple[tuple[str, bool], ...]]:
    lines = [line.rstrip() for line in text.splitlines()]
    constants = {
        match[1]: (_known(match[2]), _known(match[3])) for line in lines if (match := _CONSTANT.match(line)) is not None
    }
    bounds = [match for line in lines if (match := _BOUND.match(line)) is not None]
    features = [match for line in lines if (match := _FEATURE.match(line)) is not None]
    return (
        tuple(
            BoundsHit(match[1], match[2] is not None, match[3] is not None, constants.get(match[1], (None, None)))
            for match in bounds
        ),
        tuple((match[1], match[2] is not None) for match in features),
    )


def _known(value: str) -> str | None:
    return None if value == "?" else value
