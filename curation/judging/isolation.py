"""Which level of isolation this machine really gives, found by running a program at each."""

from __future__ import annotations

import functools

from curation.errors import OutsideError
from curation.judging.levels import Isolation, Level, describe, python_for
from curation.judging.sandbox import RunLimits, Sandbox

_TRIED = (
    describe("bubblewrap"),
    describe("namespaces"),
    describe("bubblewrap", reusable=False),
    describe("limits"),
)
_SAY = "print('here')"


def isolation_level() -> Level | None:
    """Return the strongest level that works on this machine, for a report; None where none does."""
    try:
        return strongest().level
    except OutsideError:
        return None


@functools.cache
def strongest() -> Isolation:
    """Return the strongest isolation that works on this machine.

    Raises:
        OutsideError: none works; the message says what each level lacks.
    """
    reasons = []
    for isolation in _TRIED:
        reason = why_not(isolation)
        if reason is None:
            return isolation
        reasons.append(f"{isolation.level}: {reason}")
    raise OutsideError(
        f"this machine isolates no program ({'; '.join(reasons)}): "
        "install bubblewrap, or set without_isolation in the recipe's [judge]"
    )


def choose(*, without_isolation: bool) -> Isolation:
    """Return the strongest isolation that works; none at all only where that is allowed and nothing works.

    Raises:
        OutsideError: nothing works, and doing without is not allowed.
    """
    try:
        return strongest()
    except OutsideError:
        if without_isolation:
            return describe("none")
        raise


def why_not(isolation: Isolation) -> str | None:
    """Return why an isolation does not work on this machine, or None where a program ran under it."""
    try:
        with Sandbox(isolation) as sandbox:
            limits = RunLimits(cpu_s=10, wall_s=30, memory_mb=256)
            execution = sandbox.run([python_for(isolation), "-I", "-S", "-c", _SAY], limits)
    except OutsideError as error:
        return str(error)
    if execution.failure is not None:
        return execution.failure
    if execution.exit_code != 0 or execution.output != b"here\n":
        return f"a program ended with {execution.exit_code}: {execution.error[:200].decode(errors='replace')}"
    return None
