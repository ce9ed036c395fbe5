"""Accepted programs that fail the package's own tests: they are named and set aside where enough others agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from curation.errors import InputError
from curation.judging.bench import Bench
from curation.judging.judge import judge_side_by_side
from curation.judging.layout import Package
from curation.judging.limits import Limits
from curation.judging.trial import Checker
from curation.records import JudgeVerdict
from curation.testgen.split import FEWEST_RIGHT, Labelled


@dataclass(frozen=True, slots=True)
class SetAside:
    """A program that is said to be right and is not accepted on the package's own tests.

    Attributes:
        name: its name.
        verdict: what the judge says; JE where it cannot be run here.
        why: the test, and the judge's words.
    """

    name: str
    verdict: JudgeVerdict
    why: str

    def __str__(self) -> str:
        return f"{self.name} is {self.verdict} on the package's own tests{f' ({self.why})' if self.why else ''}"


def set_aside(
    bench: Bench, package: Package, programs: Sequence[Labelled], limits: Limits, checker: Checker
) -> tuple[list[Labelled], tuple[SetAside, ...]]:
    """Return the programs without the accepted ones that fail known tests, and those.

    Raises:
        InputError: fewer than two accepted programs pass, or more fail than pass; the message names those that do.
    """
    right = [one for one in programs if one.is_right]
    judged = judge_side_by_side(bench, [one.program for one in right], package.tests, limits, checker)
    failing: dict[str, SetAside] = {}
    for one, judgement in zip(right, judged, strict=True):
        if judgement.verdict != "AC":
            test = next((test for test in judgement.tests if test.verdict == judgement.verdict), None)
            why = judgement.message if test is None else f"{test.name}: {test.message}".rstrip(": ")
            failing[one.program.name] = SetAside(one.name, judgement.verdict, why)
    wrong = sum(one.verdict != "JE" for one in failing.values())
    passing = len(right) - len(failing)
    if passing < FEWEST_RIGHT or wrong > passing:
        named = "; ".join(str(one) for one in failing.values())
        raise InputError(
            f"{package.path}: {passing} of {len(right)} accepted programs pass its tests, too few to give answers: "
            f"{named}: mend them, or move them out of accepted"
        )
    return [one for one in programs if one.program.name not in failing], tuple(failing.values())
