"""The search for tests: what it works with and what it has found; inputs become tests where all agree."""

from __future__ import annotations

import gc
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial

from curation.errors import InputError
from curation.judging import languages
from curation.judging.bench import Bench
from curation.judging.judge import Program
from curation.judging.layout import Package
from curation.judging.limits import Limits
from curation.judging.package import package_checkers, package_limits
from curation.judging.testlib import BoundsHit, Validation
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
from curation.testgen.validators import GRAMMAR, InputValidator, own_validator
from curation.testgen.validity import Hit, examine
from curation.testgen.written_generators import WrittenGenerators
from curation.testgen.written_validators import ValidatorChoice

_KNOWN_INPUTS = 20
_KNOWN_BYTES = 50_000
_NEAR = 10


@dataclass
class Search:
    """What the search works with and what it has found so far.

    Attributes:
        rules: the inferred grammar; None where only a writer's programs make inputs and say what is valid.
        validators: programs that all have to find an input valid.
        generators: those that a writer makes; None without one.
        written: the validators that a writer made; None without one.
        seen: all inputs made so far.
        tests: inputs with answers, by name.
        origins: how each was made.
        large: the names of large ones.
        rejected: why the others became no tests.
        kills: what each test kills.
        bounds: the bounds that each input hits, by name.
        valid_by: who found each input valid, by name.
        bound_values: the least and greatest value of each variable that a validator logs.
    """

    bench: Bench
    package: Package
    options: Options
    rules: Rules | None
    validators: list[InputValidator]
    answering: Answering
    limits: Limits
    checker: Checker
    reporter: Reporter
    generators: WrittenGenerators | None = None
    written: ValidatorChoice | None = None
    seen: set[str] = field(default_factory=set)
    tests: dict[str, TestCase] = field(default_factory=dict)
    origins: dict[str, str] = field(default_factory=dict)
    large: set[str] = field(default_factory=set)
    rejected: list[Rejected] = field(default_factory=list)
    kills: Kills = field(default_factory=dict)
    made: int = 0
    began: float = field(default_factory=time.monotonic)
    bounds: dict[str, tuple[str, ...]] = field(default_factory=dict)
    valid_by: dict[str, tuple[str, ...]] = field(default_factory=dict)
    bound_values: dict[str, tuple[str | None, str | None]] = field(default_factory=dict)

    def is_new(self, candidate: Candidate) -> bool:
        """Whether an input was not made before; it is counted as made."""
        if candidate.text in self.seen:
            return False
        self.seen.add(candidate.text)
        self.made += 1
        return True


def known_inputs(package: Package) -> list[TestCase]:
    """Return the package's own tests that are small enough to learn from."""
    small = [test for test in package.tests if len(test.input) <= _KNOWN_BYTES]
    return small[:_KNOWN_INPUTS]


def judging_of(bench: Bench, package: Package) -> tuple[Limits, Checker]:
    """Return a package's limits and its checker.

    Raises:
        InputError: the checker cannot be used.
    """
    checkers = next(bench.map(partial(package_checkers, bench), [package]))
    if isinstance(checkers, str):
        raise InputError(f"{package.path}: {checkers}")
    checker = next(iter(checkers.values())) if isinstance(checkers, Mapping) else checkers
    return package_limits(bench, package, checkers), checker


def start(
    bench: Bench,
    package: Package,
    rules: Rules | None,
    split: Split,
    judging: tuple[Limits, Checker],
    options: Options,
    reporter: Reporter,
) -> Search:
    """Return a search that has found nothing yet.

    Raises:
        InputError: the package's validator cannot be used.
        OutsideError: no sandbox can be started.
    """
    limits, checker = judging
    programs = sorted((one.program for one in split.right()), key=lambda one: (_is_slow(one), one.name))
    answering = Answering(bench, programs, limits, checker, package.name)
    own = next(bench.map(lambda path: own_validator(bench, path), [package.path]))
    validators = [] if own is None else [own]
    return Search(bench, package, options, rules, validators, answering, limits, checker, reporter)


def _is_slow(program: Program) -> bool:
    language = languages.find(program.language)
    return language is None or language.family == "python"


def look_at_known(search: Search) -> None:
    """Note which bounds the package's own tests hit."""
    known = [Candidate(test.name, tidy(test.input), "package") for test in search.package.tests]
    for one, hits, said in _examined(search, known):
        _note_bounds(search, one.name, hits[1], said)


def make_tests(search: Search, wanted: int, turn: int) -> list[TestCase]:
    """Make inputs from the grammar and return those that are valid and agreed on."""
    if search.rules is None:
        return []
    source = random.Random(f"{search.options.seed} inputs {turn}")
    known = parsed(search.rules, [*(test.input for test in known_inputs(search.package)), *_near(search, turn)])
    with _few_collections():
        made = list(candidates(search.rules, known, wanted, turn, source))
    return take_in(search, made, turn)


def take_in(search: Search, made: Sequence[Candidate], turn: int) -> list[TestCase]:
    """Return those of the inputs, as tests, that are new, valid and agreed on."""
    valid = _valid(search, [one for one in made if search.is_new(one)])
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


_Examined = tuple[Candidate, tuple[str | None, tuple[Hit, ...]], list[Validation]]


def _examined(search: Search, made: Sequence[Candidate]) -> Iterator[_Examined]:
    """Yield inputs with what the grammar and each validator say of them."""
    with _few_collections():
        by_grammar = [examine(search.rules, one.text) if search.rules else (None, ()) for one in made]
    pairs = [(one, validator) for one in made for validator in search.validators]
    said = search.bench.map(lambda pair: pair[1].look_at(search.bench, pair[0].text), pairs)
    for one, found in zip(made, by_grammar, strict=True):
        yield one, found, [next(said) for _ in search.validators]


def _valid(search: Search, made: Sequence[Candidate]) -> list[Candidate]:
    """Return the inputs that all validators find valid, and the grammar, where it made them or nobody else decides."""
    valid = []
    for one, (fault, hits), said in _examined(search, made):
        asks_grammar = search.rules is not None and (one.by_grammar or not search.validators)
        reason = fault if asks_grammar else None
        against = next((each for each in said if not each.is_valid), None)
        if reason is None and against is not None:
            reason = against.message or "the input validator rejects it"
        if reason is None and not asks_grammar and not said:
            reason = "nothing shows that it is valid"
        if reason is not None:
            search.rejected.append(rejected(one, "not_valid", reason))
            continue
        _note_bounds(search, one.name, hits, said)
        agrees = search.rules is not None and fault is None
        search.valid_by[one.name] = (*(each.name for each in search.validators), *([GRAMMAR] if agrees else []))
        valid.append(one)
    return valid


def _note_bounds(search: Search, name: str, hits: Sequence[Hit], said: Sequence[Validation]) -> None:
    logged: list[Hit | BoundsHit] = [*hits, *(one for each in said for one in each.bounds)]
    found = {
        f"{one.variable} {end}": None
        for one in logged
        for end, hit in (("least", one.least), ("greatest", one.greatest))
        if hit
    }
    search.bounds[name] = tuple(found)
    for each in said:
        for one in each.bounds:
            search.bound_values.setdefault(one.variable, one.bounds)


@contextmanager
def _few_collections() -> Iterator[None]:
    """Look for no cycles while millions of lists without any are made: that takes most of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
