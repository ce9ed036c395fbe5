"""How a suite separates right programs from wrong ones: TPR and TNR with Wilson's intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from curation.intervals import wilson
from curation.judging.bench import Bench
from curation.judging.judge import judge_program
from curation.judging.limits import Limits
from curation.judging.trial import Checker
from curation.records import JudgeVerdict, TestCase
from curation.testgen.split import Labelled


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of programs with its 95 % interval; share and interval are None where there are no programs."""

    count: int
    of: int
    share: float | None
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class Measured:
    """What a suite says of programs whose kind is known.

    Attributes:
        tpr: the right programs it accepts.
        tnr: the wrong programs it rejects.
        rejected_right: the right programs that it rejects, with the verdict.
        accepted_wrong: the wrong programs that it accepts.
        unknown: the programs that could not be judged; they count for neither rate.
    """

    tpr: Rate
    tnr: Rate
    rejected_right: tuple[tuple[str, JudgeVerdict], ...]
    accepted_wrong: tuple[str, ...]
    unknown: tuple[str, ...]


def measure(
    bench: Bench, programs: Sequence[Labelled], tests: Sequence[TestCase], limits: Limits, checker: Checker
) -> Measured:
    """Judge programs on a suite, each until its first failure."""
    work = partial(judge_program, bench, tests=tests, limits=limits, checker=checker, stop_at_failure=True)
    judged = list(zip(programs, bench.map(work, [one.program for one in programs]), strict=True))
    known = [(one, judgement.verdict) for one, judgement in judged if judgement.verdict != "JE"]
    right = [(one, verdict) for one, verdict in known if one.is_right]
    wrong = [(one, verdict) for one, verdict in known if not one.is_right]
    return Measured(
        tpr=rate(sum(verdict == "AC" for _, verdict in right), len(right)),
        tnr=rate(sum(verdict != "AC" for _, verdict in wrong), len(wrong)),
        rejected_right=tuple((one.name, verdict) for one, verdict in right if verdict != "AC"),
        accepted_wrong=tuple(one.name for one, verdict in wrong if verdict == "AC"),
        unknown=tuple(one.name for one, judgement in judged if judgement.verdict == "JE"),
    )


def rate(count: int, of: int) -> Rate:
    """Return a share with its interval."""
    if of == 0:
        return Rate(count, of, None, None)
    low, high = wilson(float(count), float(of))
    return Rate(count, of, count / of, (max(0.0, low), min(1.0, high)))
