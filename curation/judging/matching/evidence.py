"""The test of one candidate with everything that is known of a problem, and what it found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from curation.judging import comparison
from curation.judging.bench import Bench
from curation.judging.comparison import Tokens
from curation.judging.conversation import Interactive
from curation.judging.matching.claims import Claim
from curation.judging.matching.mutations import MUST_REJECT, mutations_of, within_tolerance
from curation.judging.matching.outputs import KnownOutput
from curation.judging.output_checker import Judged
from curation.judging.passes import MultiPass
from curation.judging.trial import Checker
from curation.records import TestCase

MUTATED_TESTS = 12
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


class Trial:
    """Everything that candidates are tested with, for one problem."""

    def __init__(
        self,
        bench: Bench,
        tests: Sequence[TestCase],
        claims: Sequence[Claim],
        outputs: Sequence[KnownOutput],
        mutated: int = MUTATED_TESTS,
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
