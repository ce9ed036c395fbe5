"""Growing tests: make inputs, keep the valid ones that accepted programs agree on, choose by kills, measure.

Without a model. The programs held out by `curation.testgen.split` are read once, at the end, to measure the suite.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from curation.errors import InputError
from curation.judging import languages
from curation.judging.bench import Bench
from curation.judging.judge import Program, judge_program, judge_side_by_side, single_file
from curation.judging.layout import Package, read_package
from curation.judging.levels import Isolation
from curation.judging.limits import Limits
from curation.judging.package import package_checkers, package_limits
from curation.judging.trial import Checker
from curation.progress import Reporter, Silent
from curation.records import TestCase
from curation.testgen.answers import Answering, Candidate, Rejected, rejected
from curation.testgen.generate import generate
from curation.testgen.grammar import parse, render
from curation.testgen.inference import infer, tidy
from curation.testgen.kills import Kills, find_kills, select
from curation.testgen.mutants import Mutant, make_mutants
from curation.testgen.mutate import mutate
from curation.testgen.profiles import plan
from curation.testgen.rates import Measured, measure
from curation.testgen.reward import Rewards, fraction, reward_groups
from curation.testgen.rules import Rules, make_rules
from curation.testgen.split import Split, split_programs
from curation.testgen.statement import statement_of
from curation.testgen.validators import NearMisses, Validate, own_validator, try_near_misses
from curation.testgen.validity import fault, hits

_KNOWN_INPUTS = 20
_KNOWN_BYTES = 50_000
_FEW_WRONG = 40
"""With fewer wrong programs than this to steer by, mutants fill up."""

_DISAGREEMENTS = 0.2
"""The share of inputs that accepted programs answer differently above which a special judge is suspected."""


@dataclass(frozen=True, slots=True)
class Options:
    """How tests are grown.

    Attributes:
        seed: draws inputs, mutants and the split.
        inputs: how many inputs to make in the first round.
        rounds: rounds of more inputs against wrong programs that survive.
        mutants: how many mutants of accepted programs to make at most; fewer where there are many wrong programs.
        held_out: the share of programs that only measure.
        budget_s: seconds on the clock after which no further round begins; None for no bound.
    """

    seed: int = 0
    inputs: int = 80
    rounds: int = 2
    mutants: int = 40
    held_out: float = 0.5
    budget_s: float | None = None


@dataclass(frozen=True, slots=True)
class NewTest:
    """A test that was added: how it was made, what it kills, which bounds it hits (``n least``, ``n greatest``)."""

    name: str
    origin: str
    bytes: int
    kills: tuple[str, ...]
    bounds_hit: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grown:
    """What growing a problem's tests came to.

    Attributes:
        problem: the package's name.
        out: the directory of the new package.
        grammar: each field's name and whether the statement bounds it.
        dropped_rules: what the statement says and a known input breaks.
        validator: ``package``, where it brings one, else ``grammar``.
        near_misses: what that validator says of near misses.
        inputs: how many inputs were made.
        rejected: how many of them became no candidate, by rule.
        dissent: how often an accepted program disagreed with the others.
        special_judge_suspected: accepted programs disagree often, and the package has no output validator.
        mutants: how many were made, how many of them known tests kill, how many seem equivalent, and the rest.
        tests: the new tests.
        bounds_missed: bounds that no test hits.
        survivors: steering wrong programs that pass every test.
        steering: rates on the programs that steered.
        held_out: rates on the others.
        trivial: the greatest weighted fraction that a trivial program earns.
        with_model: what a model did; always that there was none.
    """

    problem: str
    out: Path
    grammar: Mapping[str, bool]
    dropped_rules: tuple[str, ...]
    validator: str
    near_misses: NearMisses
    inputs: int
    rejected: Mapping[str, int]
    dissent: Mapping[str, int]
    special_judge_suspected: bool
    mutants: Mapping[str, int]
    tests: tuple[NewTest, ...]
    bounds_missed: tuple[str, ...]
    survivors: tuple[str, ...]
    steering: Measured
    held_out: Measured
    trivial: float
    with_model: str = "no model was used: generators, validators and checkers written by a model are not there yet"


@dataclass
class _Search:
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


def grow(
    problem: Path,
    out: Path,
    options: Options | None = None,
    *,
    store: Path | None = None,
    isolation: Isolation | None = None,
    reporter: Reporter | None = None,
) -> Grown:
    """Grow the tests of a problem package and write a new package.

    Args:
        problem: the package, with two accepted programs or more and a sample or more.
        out: where the new package goes; an old result there is replaced.
        options: how.
        store: a directory that keeps runs, so that a second call goes on where the first was stopped.
        isolation: what holds programs; None for the strongest that the machine offers.
        reporter: where progress goes.

    Raises:
        InputError: the package cannot be read, or no input can be shown to be valid.
        OutsideError: the machine isolates no program.
    """
    from curation.testgen.package import check_place, write_package

    options, reporter = options or Options(), reporter or Silent()
    package = read_package(problem)
    if package.is_interactive or package.passes is not None:
        raise InputError(f"{problem}: tests of interactive and of multi-pass problems cannot be grown")
    check_place(problem, out)
    split = split_programs(problem, options.seed, options.held_out)
    rules = _rules(package)
    with Bench(store, isolation) as bench:
        search = _start(bench, package, rules, split, options, reporter)
        misses = try_near_misses(bench, rules, search.validate, [tidy(test.input) for test in _known(package)[:3]])
        mutants = _first_round(search, split)
        _further_rounds(search, split)
        chosen = _chosen(search)
        reporter.note("measuring the suite on the programs held out")
        suite = [*package.tests, *chosen]
        measured = [
            measure(bench, programs, suite, search.limits, search.checker)
            for programs in (split.steering, split.held_out)
        ]
        rewards = _rewards(search, suite)
    grown = _summed_up(search, chosen, mutants, misses, measured, rewards, out, split)
    write_package(problem, out, chosen, grown, rewards, search.rejected)
    return grown


def _known(package: Package) -> list[TestCase]:
    small = [test for test in package.tests if len(test.input) <= _KNOWN_BYTES]
    return small[:_KNOWN_INPUTS]


def _rules(package: Package) -> Rules:
    known = [test.input for test in _known(package)]
    statement = statement_of(package.path)
    shape = infer(known, statement) if known else None
    if shape is None:
        raise InputError(
            f"{package.path / 'data'} holds no inputs with a shape that can be inferred: "
            "no new input could be shown to be valid"
        )
    return make_rules(shape, statement, known)


def _start(bench: Bench, package: Package, rules: Rules, split: Split, options: Options, reporter: Reporter) -> _Search:
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
    return _Search(bench, package, options, rules, validate, answering, limits, checker, reporter)


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


def _candidates(search: _Search, source: random.Random, wanted: int, turn: int) -> Iterator[Candidate]:
    """Yield new inputs: a quarter near known ones, the others from the grammar; large ones in the first round only."""
    known = [values for test in _known(search.package) if (values := parse(search.rules.shape.nodes, tidy(test.input)))]
    small = [name for name in search.kills if name in search.tests and name not in search.large]
    near = sorted(small, key=lambda name: (-len(search.kills[name]), name))[:10] if turn else []
    known += [values for name in near if (values := parse(search.rules.shape.nodes, search.tests[name].input))]
    profiles = plan(wanted)
    for place in range(wanted):
        is_near = place % 4 == 3 and bool(known)
        if is_near:
            values, origin, is_large = mutate(search.rules, source.choice(known), source), "near a known input", False
        else:
            profile = next(profiles)
            while turn and profile.size in ("least", "large"):
                profile = next(profiles)
            values, origin = generate(search.rules, profile, source), profile.label
            is_large = profile.size == "large"
        if values is None:
            continue
        text = render(values)
        if text not in search.seen:
            search.seen.add(text)
            search.made += 1
            yield Candidate(f"r{turn}-{place:03}", text, origin, is_large)


def _make_tests(search: _Search, wanted: int, turn: int) -> list[TestCase]:
    """Make inputs and return those that are valid and agreed on."""
    source = random.Random(f"{search.options.seed} inputs {turn}")
    candidates = list(_candidates(search, source, wanted, turn))
    valid = _valid(search, candidates)
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


def _valid(search: _Search, candidates: Sequence[Candidate]) -> list[Candidate]:
    reasons = [fault(search.rules, one.text) for one in candidates]
    if search.validate is not None:
        told = list(search.bench.map(search.validate, [one.text for one in candidates]))
        reasons = [one or two for one, two in zip(reasons, told, strict=True)]
    valid = []
    for one, reason in zip(candidates, reasons, strict=True):
        if reason is None:
            valid.append(one)
        else:
            search.rejected.append(rejected(one, "not_valid", reason))
    return valid


def _first_round(search: _Search, split: Split) -> Mapping[str, int]:
    tests = _make_tests(search, search.options.inputs, 0)
    wrong = [one.program for one in split.wrong()]
    wanted = min(search.options.mutants, max(0, _FEW_WRONG - len(wrong)))
    made = make_mutants([one.program for one in split.right()], wanted, search.options.seed)
    mutants = _passing_known(search, made)
    programs = [*wrong, *(one.program for one in mutants)]
    search.reporter.note(f"running {len(wrong)} wrong programs and {len(mutants)} mutants on {len(tests)} tests")
    kills, unknown = find_kills(
        search.bench, programs, [*search.package.tests, *tests], search.limits, search.checker, frozenset(search.large)
    )
    return {
        "made": len(made),
        "killed by known tests": len(made) - len(mutants),
        **_screened(search, kills, mutants, unknown),
    }


def _passing_known(search: _Search, mutants: Sequence[Mutant]) -> list[Mutant]:
    """Return the mutants that the known tests accept: the others ask for no new test."""
    work = partial(
        judge_program,
        search.bench,
        tests=search.package.tests,
        limits=search.limits,
        checker=search.checker,
        stop_at_failure=True,
    )
    judged = search.bench.map(work, [one.program for one in mutants])
    return [one for one, judgement in zip(mutants, judged, strict=True) if judgement.verdict == "AC"]


def _screened(search: _Search, kills: Kills, mutants: Sequence[Mutant], unknown: frozenset[str]) -> Mapping[str, int]:
    """Keep the kills of mutants; those that all tests accept are taken for equivalent."""
    times = Counter(name for killed in kills.values() for name in killed)
    names = {one.program.name for one in mutants} - unknown
    search.kills = kills
    equivalent = sum(times[name] == 0 for name in names)
    return {"equivalent": equivalent, "used": len(names) - equivalent}


def _further_rounds(search: _Search, split: Split) -> None:
    """Make more inputs while wrong programs that steer survive; keep the kills of survivors only."""
    for turn in range(1, search.options.rounds + 1):
        survivors = _survivors(search, split)
        if not survivors or _is_spent(search):
            return
        search.reporter.note(f"{len(survivors)} wrong programs survive: making inputs against them")
        tests = _make_tests(search, search.options.inputs // 2, turn)
        kills, _ = find_kills(search.bench, survivors, tests, search.limits, search.checker, frozenset(search.large))
        search.kills.update(kills)


def _is_spent(search: _Search) -> bool:
    budget = search.options.budget_s
    return budget is not None and time.monotonic() - search.began > budget


def _survivors(search: _Search, split: Split) -> list[Program]:
    killed = {name for some in search.kills.values() for name in some}
    return [one.program for one in split.wrong() if one.program.name not in killed]


def _chosen(search: _Search) -> list[TestCase]:
    """Return the new tests to keep: by kills, all large ones, and the first to hit a bound that no other one hits."""
    tests = list(search.tests.values())
    always = {test.name for test in search.package.tests} | search.large
    chosen = select([*search.package.tests, *tests], search.kills, frozenset(always))
    reached = {bound for test in chosen for bound in search.bounds_hit(test)}
    kept = {test.name for test in chosen}
    for test in sorted(tests, key=lambda one: (len(one.input), one.name)):
        new = set(search.bounds_hit(test)) - reached
        if new and test.name not in kept:
            kept.add(test.name)
            reached |= new
    return [test for test in tests if test.name in kept]


def _rewards(search: _Search, suite: Sequence[TestCase]) -> Rewards:
    groups = reward_groups(suite, search.kills)
    answers = Counter(test.output for test in suite).most_common(2)
    programs = [
        single_file(f"constant {place}", "python3", f"print({answer!r}, end='')\n")
        for place, (answer, _) in enumerate(answers)
    ]
    programs.append(single_file("echo", "python3", "import sys\nsys.stdout.write(sys.stdin.read())\n"))
    programs.append(single_file("nothing", "python3", "pass\n"))
    small = [test for test in suite if test.name not in search.large]
    earned = [
        fraction(groups, {result.name: result.verdict == "AC" for result in judged.tests})
        for judged in judge_side_by_side(search.bench, programs, small, search.limits, search.checker)
    ]
    return Rewards(groups, round(max(earned, default=0.0), 6))


def _summed_up(
    search: _Search,
    chosen: Sequence[TestCase],
    mutants: Mapping[str, int],
    misses: NearMisses,
    measured: Sequence[Measured],
    rewards: Rewards,
    out: Path,
    split: Split,
) -> Grown:
    rules = search.rules
    labels = {one.program.name: one.name for one in split.steering}
    tests = tuple(
        NewTest(
            test.name,
            search.origins[test.name],
            len(test.input),
            tuple(sorted(labels.get(name, name) for name in search.kills.get(test.name, ()))),
            search.bounds_hit(test),
        )
        for test in chosen
    )
    fields = range(len(rules.shape.names))
    stated = [rules.name(key) for key in fields if rules.is_stated(key)]
    reached = {bound for test in search.package.tests for bound in search.bounds_hit(test)}
    reached |= {bound for test in tests for bound in test.bounds_hit}
    wanted = [f"{name} {end}" for name in stated for end in ("least", "greatest")]
    disagreed = sum(one.rule == "disagreement" for one in search.rejected)
    own_judge = bool(search.package.validators)
    return Grown(
        problem=search.package.name,
        out=out,
        grammar={rules.name(key): rules.is_stated(key) for key in fields},
        dropped_rules=rules.dropped,
        validator="grammar" if search.validate is None else "package",
        near_misses=misses,
        inputs=search.made,
        rejected=dict(sorted(Counter(one.rule for one in search.rejected).items())),
        dissent={Path(name).name: count for name, count in sorted(search.answering.dissent.items())},
        special_judge_suspected=not own_judge and disagreed > _DISAGREEMENTS * max(1, search.made),
        mutants=mutants,
        tests=tests,
        bounds_missed=tuple(one for one in wanted if one not in reached),
        survivors=measured[0].accepted_wrong,
        steering=measured[0],
        held_out=measured[1],
        trivial=rewards.trivial,
    )
