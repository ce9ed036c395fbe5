"""Growing tests: make inputs, keep the valid ones that accepted programs agree on, choose by kills, measure.

A writer, as a rule a model, may add validators and generators; without one all inputs come from the inferred grammar.
The programs held out by `curation.testgen.split` are read once, at the end, to measure the suite.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from curation.errors import InputError
from curation.judging import package_matching
from curation.judging.bench import Bench
from curation.judging.layout import Package, read_package
from curation.judging.levels import Isolation
from curation.judging.writing import Source, Workshop, Writer
from curation.progress import Reporter, Silent
from curation.testgen.candidates import candidates, parsed
from curation.testgen.grown import Grown, Options
from curation.testgen.inference import infer, tidy
from curation.testgen.package import check_place, write_package
from curation.testgen.rates import measure
from curation.testgen.rounds import chosen_tests, first_round, further_rounds
from curation.testgen.rules import Rules, make_rules
from curation.testgen.screening import set_aside
from curation.testgen.search import Search, judging_of, known_inputs, look_at_known, start
from curation.testgen.split import labelled_programs, split_programs
from curation.testgen.statement import statement_of
from curation.testgen.summary import summed_up
from curation.testgen.trivial_programs import measured_rewards
from curation.testgen.validators import NearMisses, try_near_misses
from curation.testgen.written_generators import WrittenGenerators
from curation.testgen.written_validators import Evidence, write_validators

_MISSED_INPUTS = 3
_COMPARED = 24
_SHOWN_SAMPLES = 3
_SHOWN_CHARACTERS = 2_000


def grow(
    problem: Path,
    out: Path,
    options: Options | None = None,
    *,
    writer: Writer | None = None,
    store: Path | None = None,
    isolation: Isolation | None = None,
    reporter: Reporter | None = None,
) -> Grown:
    """Grow the tests of a problem package and write a new package.

    Args:
        problem: the package, in the Kattis/ICPC layout or from Polygon, with two accepted programs or more and a sample
            or more. Accepted programs that fail its own tests are set aside and named.
        out: where the new package goes; an old result there is replaced.
        options: how.
        writer: writes validators and generators, see `curation.llm.writer`; None to do without.
        store: a directory that keeps runs, so that a second call goes on where the first was stopped.
        isolation: what holds programs; None for the strongest that the machine offers.
        reporter: where progress goes.

    Raises:
        InputError: the package cannot be read, or no input can be shown to be valid.
        OutsideError: the machine isolates no program, or the writer cannot be reached.
    """
    options, reporter = options or Options(), reporter or Silent()
    package = read_package(problem)
    if package.is_interactive or package.passes is not None:
        raise InputError(f"{problem}: tests of interactive and of multi-pass problems cannot be grown")
    check_place(problem, out)
    labelled = labelled_programs(problem)
    rules = infer_rules(package)
    if rules is None and writer is None:
        raise InputError(
            f"{package.path / 'data'} holds no inputs with a shape that can be inferred: "
            "no new input could be shown to be valid"
        )
    with Bench(store, isolation) as bench:
        judging = judging_of(bench, package)
        labelled, failing = set_aside(bench, package, labelled, *judging)
        split = split_programs(labelled, options.seed, options.held_out)
        search = start(bench, package, rules, split, judging, options, reporter)
        few = [tidy(test.input) for test in known_inputs(package)[:_MISSED_INPUTS]]
        misses = try_near_misses(bench, rules, search.validators, few)
        if writer is not None:
            misses = _let_write(search, writer, misses, few)
        look_at_known(search)
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
    grown = summed_up(search, chosen, mutants, misses, measured, rewards, out, split, failing)
    write_package(problem, out, chosen, grown, rewards, search.rejected, _sources(search))
    return grown


def _let_write(search: Search, writer: Writer, misses: NearMisses, few: Sequence[str]) -> NearMisses:
    """Set generators up, and a written validator where the package's own is missing or lets near misses pass."""
    facts = facts_of(search.package)
    workshop = Workshop(search.bench, search.options.written_cpu_s)
    search.generators = WrittenGenerators(workshop, writer, facts)
    if search.validators and not misses.accepted:
        return misses
    search.reporter.note("having validators written")
    known = [tidy(test.input) for test in known_inputs(search.package)]
    evidence = Evidence(search.rules, known, few, _compared(search.rules, known, search.options.seed))
    search.written = write_validators(
        workshop, writer, facts, evidence, search.options.validators, search.options.repairs
    )
    if search.written.chosen is not None:
        search.validators.append(search.written.chosen)
        misses = try_near_misses(search.bench, search.rules, search.validators, few)
    elif search.rules is None and not search.validators:
        reasons = "; ".join(one.reason for one in search.written.trials)
        raise InputError(
            f"{search.package.path}: no written validator is sound, so no input can be shown valid: {reasons}"
        )
    return misses


def _sources(search: Search) -> list[tuple[str, Source]]:
    """Return the written programs with the name of each one's kind."""
    validators = search.written.sources if search.written is not None else ()
    generators = search.generators.sources if search.generators is not None else {}
    return [*(("validator", one) for one in validators), *generators.items()]


def _compared(rules: Rules | None, known: Sequence[str], seed: int) -> list[str]:
    """Return inputs of the grammar on which validators are compared."""
    if rules is None:
        return []
    made = candidates(rules, parsed(rules, known), _COMPARED, 0, random.Random(f"{seed} compared"))
    return [one.text for one in made]


def facts_of(package: Package) -> dict[str, object]:
    """Return what a writer is told of a problem: its statement and its first samples."""
    tests = [test for test in known_inputs(package) if len(test.input) <= _SHOWN_CHARACTERS][:_SHOWN_SAMPLES]
    samples = [{"input": test.input, "output": test.output[:_SHOWN_CHARACTERS]} for test in tests]
    return {"statement": package_matching.statement_of(package.path), "samples": samples}


def infer_rules(package: Package) -> Rules | None:
    """Return the grammar that a package's inputs and statement agree on; None where there is none."""
    known = [test.input for test in known_inputs(package)]
    statement = statement_of(package.path)
    shape = infer(known, statement) if known else None
    return None if shape is None else make_rules(shape, statement, known)
