"""The test of each candidate, and the choice: the strictest checker that nothing speaks against.

A candidate has to accept every answer for itself, the outputs of the accepted submissions, and what the statement
promises (a decimal within the tolerance, letters in another case); it has to reject what no checker may accept
(`curation.judging.matching.mutations.MUST_REJECT`). Other mutations that it accepts are listed as what it cannot see.
Accepted submissions whose outputs no candidate accepts mean that the problem needs a checker of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from curation.judging import comparison
from curation.judging.bench import Bench
from curation.judging.comparison import Tokens
from curation.judging.conversation import Interactive
from curation.judging.matching.answers import Shape, shape_of
from curation.judging.matching.candidates import candidates
from curation.judging.matching.claims import Claim, claims_of, with_conventions
from curation.judging.matching.mutations import (
    MUST_REJECT,
    MUST_REJECT_OF_SEVERAL,
    mutations_of,
    within_tolerance,
)
from curation.judging.matching.outputs import KnownOutput
from curation.judging.named_checkers import NamedCheckers
from curation.judging.output_checker import Judged
from curation.judging.passes import MultiPass
from curation.judging.trial import Checker
from curation.records import TestCase

Outcome = Literal["matched", "special judge", "unknown"]

AGREEING = 3
"""So many accepted submissions that agree on all tests outweigh a statement that promises any answer."""

_MUTATED_TESTS = 12
_MUTATED_OF_OWN = 3
_SHOWN = 80


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the test of one candidate found.

    Attributes:
        candidate: its name, as in `curation.judging.named_checkers`.
        survives: nothing speaks against it.
        reason: what speaks against it first; empty for the survivor.
        tests, tests_accepted: answers that were checked against themselves, and how many it accepted.
        outputs, outputs_accepted: outputs of accepted submissions, and how many it accepted.
        programs, programs_accepted: accepted submissions, and those of which it accepted all outputs.
        rejected: how many mutations of a kind it rejected.
        accepted: how many it accepted: what it cannot see.
        failures: how often it failed instead of deciding.
        wrong, wrong_rejected: submissions that are said to be wrong, and those of which it rejected an output or that
            gave none; only where they are asked for.
    """

    candidate: str
    survives: bool
    reason: str
    tests: int = 0
    tests_accepted: int = 0
    outputs: int = 0
    outputs_accepted: int = 0
    programs: int = 0
    programs_accepted: int = 0
    rejected: Mapping[str, int] = field(default_factory=dict)
    accepted: Mapping[str, int] = field(default_factory=dict)
    failures: int = 0
    wrong: int = 0
    wrong_rejected: int = 0


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
    trial = _Trial(bench, streams, claims, outputs)
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
    found = _Trial(bench, streams, (), outputs, mutated=_MUTATED_OF_OWN).test(name, checker)
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
    trial = _Trial(bench, tests, (), outputs, must_reject=MUST_REJECT_OF_SEVERAL)
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
    if promised is not None and survivor.programs_accepted < AGREEING:
        known = f"{survivor.programs_accepted} of {AGREEING} accepted submissions that would have to agree are known"
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


class _Trial:
    """Everything that candidates are tested with, for one problem."""

    def __init__(
        self,
        bench: Bench,
        tests: Sequence[TestCase],
        claims: Sequence[Claim],
        outputs: Sequence[KnownOutput],
        mutated: int = _MUTATED_TESTS,
        must_reject: frozenset[str] = MUST_REJECT,
    ) -> None:
        self._bench = bench
        self._tests = {test.name: test for test in tests}
        self._claims = claims
        self._must_reject = must_reject
        self._failures = 0
        self.failure = ""
        self._outputs = [one for one in outputs if one.test in self._tests]
        by_length = sorted(tests, key=lambda test: (len(test.output), test.name))
        self._mutated = by_length[:: max(1, len(by_length) // mutated)][:mutated]

    def test(self, name: str, checker: Checker) -> Evidence:
        """Test one candidate; what costs least and says most comes first."""

        def accepts(test: TestCase, output: str | bytes) -> bool:
            return self._judged(checker, test, output).verdict == "AC"

        tests = len(self._tests)
        self._failures = 0
        refused = [test for test in self._tests.values() if not accepts(test, test.output)]
        if refused:
            reason = f"it does not accept the answer of test {refused[0].name} for itself"
            why = self._judged(checker, refused[0], refused[0].output).message
            reason = f"{reason}: {why[:_SHOWN]}" if why else reason
            return Evidence(name, False, reason, tests, tests - len(refused), failures=self._failures)
        broken = self._broken_claim(accepts)
        programs = {one.submission for one in self._outputs}
        wrong = [one for one in self._outputs if not accepts(self._tests[one.test], one.output)]
        rejected, accepted = self._mutate(accepts)
        blind = sorted(set(accepted) & self._must_reject)
        reason = broken or ""
        if not reason and wrong:
            test = self._tests[wrong[0].test]
            why = self._judged(checker, test, wrong[0].output).message[:_SHOWN]
            reason = f"it rejects what {wrong[0].submission} writes on test {wrong[0].test}{f': {why}' if why else ''}"
        if not reason and blind:
            reason = f"it accepts what must be wrong: {', '.join(blind)}"
        return Evidence(
            candidate=name,
            survives=not reason,
            reason=reason,
            tests=tests,
            tests_accepted=tests,
            outputs=len(self._outputs),
            outputs_accepted=len(self._outputs) - len(wrong),
            programs=len(programs),
            programs_accepted=0 if broken else len(programs - {one.submission for one in wrong}),
            rejected=rejected,
            accepted=accepted,
            failures=self._failures,
        )

    def accepts_all(self, checker: Checker, written: Sequence[KnownOutput]) -> bool:
        """Whether a checker accepts an output for every test."""
        known = [one for one in written if one.test in self._tests]
        return len(known) == len(self._tests) and all(
            self._judged(checker, self._tests[one.test], one.output).verdict == "AC" for one in known
        )

    def _broken_claim(self, accepts: Callable[[TestCase, str | bytes], bool]) -> str | None:
        for claim in self._claims:
            says = "users expect" if claim.is_convention else "the statement promises"
            for test in self._mutated:
                if claim.kind == "any_case" and not accepts(test, test.output.swapcase()):
                    return f"it rejects another case, which {says}"
                if claim.kind == "tolerance" and claim.tolerance is not None:
                    moved = within_tolerance(test.output, claim.tolerance, claim.measure)
                    if moved is not None and not accepts(test, moved):
                        return f"it rejects an error of {claim.tolerance / 2:g}, which {says}"
        return None

    def _mutate(self, accepts: Callable[[TestCase, str | bytes], bool]) -> tuple[dict[str, int], dict[str, int]]:
        tolerance = next((claim.tolerance for claim in self._claims if claim.kind == "tolerance"), None)
        answers = [test.output for test in self._mutated]
        rejected: Counter[str] = Counter()
        accepted: Counter[str] = Counter()
        for test in self._mutated:
            for mutation in mutations_of(test.output, answers, tolerance):
                (accepted if accepts(test, mutation.text) else rejected)[mutation.name] += 1
        return dict(sorted(rejected.items())), dict(sorted(accepted.items()))

    def _judged(self, checker: Checker, test: TestCase, output: str | bytes) -> Judged:
        answer = test.output.encode(errors="surrogateescape")
        written = output if isinstance(output, bytes) else output.encode(errors="surrogateescape")
        if isinstance(checker, Tokens):
            difference = comparison.compare(answer, written, checker)
            return Judged("AC", "") if difference is None else Judged("WA", difference.message)
        if isinstance(checker, Interactive | MultiPass):
            return Judged("JE", "it needs a submission to talk to")
        said = checker.check(self._bench.sandbox(), test.input.encode(errors="surrogateescape"), answer, written)
        if said.verdict == "JE":
            self._failures += 1
            self.failure = said.message[:_SHOWN]
        return said
