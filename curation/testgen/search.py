"""The search for tests: what it works with and what it has found; inputs become tests where all agree."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from curation.errors import InputError
from curation.judging import languages
from curation.judging.bench import Bench
from curation.judging.judge import Program, judge_side_by_side
from curation.judging.layout import Package
from curation.judging.limits import Limits
from curation.judging.package import package_checkers, package_limits
from curation.judging.trial import Checker
from curation.progress import Reporter
from curation.records import TestCase
from curation.testgen.answers import Answering, Candidate, Rejected, rejected
from curation.testgen.candidates import candidates, parsed
from curation.testgen.grown import Options
from curation.testgen.inference import tidy
from curation.testgen.kills import Kills
from curation.testgen.rules import Rules
from curation.testgen.split import Split
from curation.testgen.validators import Validate, own_validator
from curation.testgen.validity import fault, hits

_KNOWN_INPUTS = 20
_KNOWN_BYTES = 50_000
_NEAR = 10


@dataclass
class Search:
    """What the search works with and what it has found so far."""

    bench: Bench
    package: Package
    options: Options
    rules: Rules
    validate: Validate | None
    answering: Answering
    limits: Limits
    checker: Checker
    reporter: Reporter
    seen: set[str] = field(default_factory=set)
    tests: dict[str, TestCase] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)
    large: set[str] = field(default_factory=set)
    rejected: list[Rejected] = field(default_factory=list)
    kills: Kills = field(default_factory=dict)
    made: int = 0
    began: float = field(default_factory=time.monotonic)
    bounds: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def is_new(self, candidate: Candidate) -> bool:
        """Whether an input was not made before; it is counted as made."""
        if candidate.text in self.seen:
            return False
        self.seen.add(candidate.text)
        self.made += 1
        return True

    def bounds_hit(self, test: TestCase) -> tuple[str, ...]:
        """Return the stated bounds that a test hits."""
        if test.name not in self.bounds:
            self.bounds[test.name] = tuple(
                f"{one.variable} {end}"
                for one in hits(self.rules, tidy(test.input))
                for end, hit in (("least", one.least), ("greatest", one.greatest))
                if hit
            )
        return self.bounds[test.name]


def known_inputs(package: Package) -> list[TestCase]:
    """Return the package's own tests that are small enough to learn from."""
    small = [test for test in package.tests if len(test.input) <= _KNOWN_BYTES]
    return small[:_KNOWN_INPUTS]


def start(bench: Bench, package: Package, rules: Rules, split: Split, options: Options, reporter: Reporter) -> Search:
    checkers = next(bench.map(partial(package_checkers, bench), [package]))
    if isinstance(checkers, str):
        raise InputError(f"{package.path}: {checkers}")
    limits = package_limits(bench, package, checkers)
    checker = next(iter(checkers.values())) if isinstance(checkers, Mapping) else checkers
    programs = [one.program for one in split.right()]
    broken = _fails_known(bench, programs, package, limits, checker)
    if broken is not None:
        raise InputError(f"{broken}: mend the program, or move it out of accepted")
    programs.sort(key=lambda one: (_is_slow(one), one.name))
    answering = Answering(bench, programs, limits, checker, package.name)
    validate = next(bench.map(lambda path: own_validator(bench, path), [package.path]))
    return Search(bench, package, options, rules, validate, answering, limits, checker, reporter)


def _is_slow(program: Program) -> bool:
    language = languages.find(program.language)
    return language is None or language.family == "python"


def _fails_known(
    bench: Bench, programs: Sequence[Program], package: Package, limits: Limits, checker: Checker
) -> str | None:
    for judged in judge_side_by_side(bench, programs, package.tests, limits, checker):
        if judged.verdict != "AC":
            return f"{judged.submission} is {judged.verdict} on the package's own tests"
    return None


def make_tests(search: Search, wanted: int, turn: int) -> list[TestCase]:
    """Make inputs and return those that are valid and agreed on."""
    source = random.Random(f"{search.options.seed} inputs {turn}")
    known = parsed(search.rules, [*(test.input for test in known_inputs(search.package)), *_near(search, turn)])
    made = [one for one in candidates(search.rules, known, wanted, turn, source) if search.is_new(one)]
    valid = valid_ones(search, made)
    search.reporter.note(f"round {turn}: {len(valid)} valid inputs, asking {len(search.answering.programs)} programs")
    tests, dropped = search.answering.answer(valid)
    search.rejected += dropped
    for one in valid:
        if one.name in tests:
            search.origins[one.name] = one.origin
            if one.is_large:
                search.large.add(one.name)
    search.tests.update(tests)
    return list(tests.values())


def _near(search: Search, turn: int) -> list[str]:
    """Return the inputs that killed most so far, after the first round."""
    small = [name for name in search.kills if name in search.tests and name not in search.large]
    best = sorted(small, key=lambda name: (-len(search.kills[name]), name))[:_NEAR] if turn else []
    return [search.tests[name].input for name in best]


def valid_ones(search: Search, made: Sequence[Candidate]) -> list[Candidate]:
    reasons = [fault(search.rules, one.text) for one in made]
    if search.validate is not None:
        told = list(search.bench.map(search.validate, [one.text for one in made]))
        reasons = [one or two for one, two in zip(reasons, told, strict=True)]
    valid = []
    for one, reason in zip(made, reasons, strict=True):
        if reason is None:
            valid.append(one)
        else:
            search.rejected.append(rejected(one, "not_valid", reason))
    return valid
