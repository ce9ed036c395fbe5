"""A time limit that was stated for another machine, scaled by what accepted submissions take on this one."""

from __future__ import annotations

from dataclasses import dataclass, replace

from curation.judging.bench import Bench
from curation.judging.judge import Checkers, judge_side_by_side
from curation.judging.layout import Package, own_programs
from curation.judging.limits import Limits

_GENEROUS_S = 60.0
"""The limit under which accepted programs show how long they take."""

_NOISE = 1.5
"""How much more than the slowest accepted program took is allowed: the next run is not exactly as fast."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """How a limit was scaled.

    Attributes:
        stated_s: CPU seconds as the package states them.
        slowest_s: what the slowest accepted submission took here on one test; None where none is accepted here.
        submission: which one that is.
        test: the test.
        factor: the slowest over the stated limit; 1 where that is less, as no limit is made smaller.
        cpu_s: the limit to use.
    """

    stated_s: float
    slowest_s: float | None
    submission: str
    test: str
    factor: float
    cpu_s: float


def calibrate(bench: Bench, package: Package, checkers: Checkers, limits: Limits) -> Calibration:
    """Run the package's accepted submissions and scale the limit so that they keep it.

    Raises:
        OutsideError: no sandbox can be started.
    """
    accepted = [program for kind, program in own_programs(package.path) if kind == "accepted"]
    generous = replace(limits, cpu_s=max(_GENEROUS_S, limits.cpu_s))
    judged = judge_side_by_side(bench, accepted, package.tests, generous, checkers)
    slowest = max(
        (
            (result.cpu_s, judgement.submission, result.name)
            for judgement in judged
            if judgement.verdict == "AC"
            for result in judgement.tests
        ),
        default=None,
    )
    if slowest is None:
        return Calibration(limits.cpu_s, None, "", "", 1.0, limits.cpu_s)
    cpu_s, submission, test = slowest
    factor = max(1.0, cpu_s / limits.cpu_s)
    used = limits.cpu_s if factor == 1.0 else limits.cpu_s * factor * _NOISE
    return Calibration(limits.cpu_s, cpu_s, submission, test, round(factor, 3), round(used, 3))
