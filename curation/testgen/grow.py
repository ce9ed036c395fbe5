"""Growing tests: make inputs, keep the valid ones that accepted programs agree on, choose by kills, measure.

Without a model. The programs held out by `curation.testgen.split` are read once, at the end, to measure the suite.
"""

from __future__ import annotations

from pathlib import Path

from curation.errors import InputError
from curation.judging.bench import Bench
from curation.judging.layout import Package, read_package
from curation.judging.levels import Isolation
from curation.progress import Reporter, Silent
from curation.testgen.grown import Grown, Options
from curation.testgen.inference import infer, tidy
from curation.testgen.package import check_place, write_package
from curation.testgen.rates import measure
from curation.testgen.rounds import chosen_tests, first_round, further_rounds
from curation.testgen.rules import Rules, make_rules
from curation.testgen.search import known_inputs, start
from curation.testgen.split import split_programs
from curation.testgen.statement import statement_of
from curation.testgen.summary import summed_up
from curation.testgen.trivial_programs import measured_rewards
from curation.testgen.validators import try_near_misses

_MISSED_INPUTS = 3


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
    options, reporter = options or Options(), reporter or Silent()
    package = read_package(problem)
    if package.is_interactive or package.passes is not None:
        raise InputError(f"{problem}: tests of interactive and of multi-pass problems cannot be grown")
    check_place(problem, out)
    split = split_programs(problem, options.seed, options.held_out)
    rules = infer_rules(package)
    with Bench(store, isolation) as bench:
        search = start(bench, package, rules, split, options, reporter)
        misses = try_near_misses(
            bench, rules, search.validate, [tidy(test.input) for test in known_inputs(package)[:3]]
        )
        mutants = first_round(search, split)
        further_rounds(search, split)
        chosen = chosen_tests(search)
        reporter.note("measuring the suite on the programs held out")
        suite = [*package.tests, *chosen]
        measured = [
            measure(bench, programs, suite, search.limits, search.checker)
            for programs in (split.steering, split.held_out)
        ]
        rewards = measured_rewards(search, suite)
    grown = summed_up(search, chosen, mutants, misses, measured, rewards, out, split)
    write_package(problem, out, chosen, grown, rewards, search.rejected)
    return grown


def infer_rules(package: Package) -> Rules:
    known = [test.input for test in known_inputs(package)]
    statement = statement_of(package.path)
    shape = infer(known, statement) if known else None
    if shape is None:
        raise InputError(
            f"{package.path / 'data'} holds no inputs with a shape that can be inferred: "
            "no new input could be shown to be valid"
        )
    return make_rules(shape, statement, known)
