"""The test of each candidate, and the choice: the strictest checker that nothing speaks against.

A candidate has to accept every answer for itself, the outputs of the accepted submissions, and what the statement
promises (a decimal within the tolerance, letters in another case); it has to reject what no checker may accept
(`curation.judging.matching.mutations.MUST_REJECT`). Other mutations that it accepts are listed as what it cannot see.
Accepted submissions whose outputs no candidate accepts mean that the problem needs a checker of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from curation.judging.bench import Bench
from curation.judging.matching.answers import Shape, shape_of
from curation.judging.matching.candidates import candidates, is_order_free
from curation.judging.matching.claims import Claim, claims_of, with_conventions
from curation.judging.matching.evidence import Evidence, Trial
from curation.judging.matching.mutations import (
    MUST_REJECT,
    MUST_REJECT_OF_SEVERAL,
)
from curation.judging.matching.outputs import KnownOutput
from curation.judging.named_checkers import NamedCheckers
from curation.judging.trial import Checker
from curation.records import TestCase

Outcome = Literal["matched", "special judge", "unknown"]

AGREEING = 3
"""So many accepted submissions that agree on all tests outweigh a statement that promises any answer."""

_SHOWING_ORDER = 2
"""So many that agree but for the order, and differ in it, prove a statement that promises any order."""

_MUTATED_OF_OWN = 3


@dataclass(frozen=True, slots=True)
class Match:
    """The choice for one problem, with all its evidence.

    Attributes:
        outcome: ``matched``; ``special judge``: it needs a checker of its own; ``unknown``: nothing can be tested.
        checker: the survivor's name; None where there is none.
        reason: one sentence.
        is_promised: the statement or the source promises that several outputs are right.
        claims: what the statement promises, and conventions.
        evidence: of the candidates that were tested, strictest first.
    """

    outcome: Outcome
    checker: str | None
    reason: str
    is_promised: bool = False
    claims: tuple[Claim, ...] = ()
    evidence: tuple[Evidence, ...] = ()


def match_checker(
    bench: Bench,
    named: NamedCheckers,
    tests: Sequence[TestCase],
    statement: str,
    outputs: Sequence[KnownOutput] = (),
    *,
    is_special: bool = False,
    are_sure: bool = False,
) -> Match:
    """Find the strictest checker that nothing speaks against; call it on a worker of the bench.

    Args:
        bench: where checkers run.
        named: makes candidates from their names.
        tests: the problem's tests; only those with streams count.
        statement: its text.
        outputs: what accepted submissions wrote, see `curation.judging.matching.outputs`.
        is_special: the source says that several outputs may be right.
        are_sure: the submissions are certainly right, as those of a problem package are; else a minority of them that
            differs is taken for wrong.

    Raises:
        OutsideError: testlib cannot be fetched, or no sandbox can be started.
    """
    streams = [test for test in tests if test.kind == "stdio"]
    if not streams:
        return Match("unknown", None, "it has no tests with an answer that a checker could read")
    shape = shape_of([test.output for test in streams])
    claims = with_conventions(claims_of(statement), shape)
    if is_special:
        claims.insert(0, Claim("any_answer", "the source says that it needs a checker of its own"))
    trial = Trial(bench, streams, claims, outputs)
    evidence: list[Evidence] = []
    for name in candidates(shape, claims):
        checker = named.find(name)
        evidence.append(
            Evidence(name, survives=False, reason=checker) if isinstance(checker, str) else trial.test(name, checker)
        )
        if evidence[-1].survives:
            break
    return _choose(shape, claims, evidence, are_sure=are_sure)


def check_own(
    bench: Bench,
    name: str,
    checker: Checker,
    tests: Sequence[TestCase],
    outputs: Sequence[KnownOutput] = (),
) -> Evidence:
    """Test the checker that came with a problem; call it on a worker of the bench.

    It has to accept every answer for itself and to reject the empty output. Other mutations may be right outputs of a
    problem with several, so they are only counted.

    Raises:
        OutsideError: no sandbox can be started.
    """
    streams = [test for test in tests if test.kind == "stdio"]
    if not streams:
        return Evidence(name, survives=True, reason="")
    found = Trial(bench, streams, (), outputs, mutated=_MUTATED_OF_OWN).test(name, checker)
    if found.tests_accepted < found.tests:
        return found
    reason = "it accepts the empty output" if "empty" in found.accepted else ""
    return replace(found, survives=not reason, reason=reason)


def check_written(
    bench: Bench,
    name: str,
    checker: Checker,
    tests: Sequence[TestCase],
    outputs: Sequence[KnownOutput],
    wrong: Mapping[str, Sequence[KnownOutput]],
) -> Evidence:
    """Test a checker that was written for a problem with several right outputs; call it on a worker of the bench.

    It has to accept every answer for itself and all outputs of accepted submissions, to reject outputs that are empty,
    short or long, some change of content, and something of every wrong submission; and it may never fail.

    Args:
        bench: where it runs.
        name: its name.
        checker: the checker.
        tests: the problem's tests with streams, at least one.
        outputs: what accepted submissions wrote.
        wrong: what each wrong submission wrote, by its name; less than one output a test where it failed by itself.

    Raises:
        OutsideError: no sandbox can be started.
    """
    trial = Trial(bench, tests, (), outputs, must_reject=MUST_REJECT_OF_SEVERAL)
    found = trial.test(name, checker)
    if not found.survives:
        return found
    passing = [one for one, written in wrong.items() if trial.accepts_all(checker, written)]
    found = replace(found, wrong=len(wrong), wrong_rejected=len(wrong) - len(passing))
    reason = ""
    if found.failures:
        reason = f"it fails on {found.failures} outputs: {trial.failure}"
    elif set(found.accepted) | set(found.rejected) > MUST_REJECT_OF_SEVERAL >= set(found.rejected):
        reason = "it looks at no more than the number of tokens: every change of content passes"
    elif passing:
        reason = f"it accepts everything that the wrong submission {passing[0]} writes"
    return replace(found, survives=not reason, reason=reason)


def _choose(shape: Shape, claims: list[Claim], evidence: list[Evidence], *, are_sure: bool) -> Match:
    promised = _promised(shape, claims)

    def told(outcome: Outcome, checker: str | None, reason: str) -> Match:
        return Match(outcome, checker, reason, promised is not None, tuple(claims), tuple(evidence))

    survivor = evidence[-1] if evidence[-1].survives else None
    if survivor is None and promised is None and not are_sure:
        survivor = _by_majority(evidence)
    if survivor is None:
        if any(one.programs for one in evidence):
            return told("special judge", None, "accepted submissions give outputs that no checker here accepts")
        return told("unknown", None, f"no checker here fits its answers: {evidence[0].reason}")
    is_shown = promised is not None and promised.kind == "any_order" and is_order_free(survivor.candidate)
    wanted = _SHOWING_ORDER if is_shown else AGREEING
    if promised is not None and survivor.programs_accepted < wanted:
        known = f"{survivor.programs_accepted} of {wanted} accepted submissions that would have to agree are known"
        return told("special judge", None, f"{promised.sentence!r} promises several right outputs, and {known}")
    others = survivor.programs - survivor.programs_accepted
    beside = f"; {others} of {survivor.programs} differ and are taken for wrong" if others else ""
    shown = f"{survivor.programs_accepted} accepted submissions" if survivor.programs else "the answers alone"
    return told("matched", survivor.candidate, f"it is the strictest that nothing speaks against, by {shown}{beside}")


def _by_majority(evidence: list[Evidence]) -> Evidence | None:
    """Return the candidate that accepts most submissions and more than half: labels of data sets are sometimes false.

    Of the solutions in APPS, 80 % pass the tests that they came with.
    """
    sound = [one for one in evidence if one.rejected and not set(one.accepted) & MUST_REJECT]
    best = max(sound, key=lambda one: one.programs_accepted, default=None)
    return best if best is not None and 2 * best.programs_accepted > best.programs else None


def _promised(shape: Shape, claims: list[Claim]) -> Claim | None:
    kinds = {"any_answer"} if not shape.only_yes_no else set()
    kinds |= {"any_order"} if not shape.single_token else set()
    return next((claim for claim in claims if claim.kind in kinds), None)
