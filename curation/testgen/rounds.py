"""The rounds of the search: first against all wrong programs and mutants, then against those that survive."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

from curation.judging.judge import Program, judge_program
from curation.records import TestCase
from curation.testgen.kills import Kills, find_kills, select
from curation.testgen.mutants import Mutant, make_mutants
from curation.testgen.search import Search, make_tests, take_in
from curation.testgen.split import Split

_FEW_WRONG = 40
"""With fewer wrong programs than this to steer by, mutants fill up."""


def first_round(search: Search, split: Split) -> Mapping[str, int]:
    tests = make_tests(search, search.options.inputs, 0)
    if search.generators is not None:
        tests += take_in(search, search.generators.first(search.options.generators), 0)
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


def _passing_known(search: Search, mutants: Sequence[Mutant]) -> list[Mutant]:
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


def _screened(search: Search, kills: Kills, mutants: Sequence[Mutant], unknown: frozenset[str]) -> Mapping[str, int]:
    """Keep the kills of mutants; those that all tests accept are taken for equivalent."""
    times = Counter(name for killed in kills.values() for name in killed)
    names = {one.program.name for one in mutants} - unknown
    search.kills = kills
    equivalent = sum(times[name] == 0 for name in names)
    return {"equivalent": equivalent, "used": len(names) - equivalent}


def further_rounds(search: Search, split: Split) -> None:
    """Make more inputs while wrong programs that steer survive; keep the kills of survivors only."""
    for turn in range(1, search.options.rounds + 1):
        alive = survivors(search, split)
        if not alive or _is_spent(search):
            return
        search.reporter.note(f"{len(alive)} wrong programs survive: making inputs against them")
        tests = make_tests(search, search.options.inputs // 2, turn)
        if search.generators is not None:
            aims = [one for one in split.wrong() if one.program in alive][: search.options.targets]
            tests += take_in(search, search.generators.against(aims, search.rejected, turn), turn)
        kills, _ = find_kills(search.bench, alive, tests, search.limits, search.checker, frozenset(search.large))
        search.kills.update(kills)


def _is_spent(search: Search) -> bool:
    budget = search.options.budget_s
    return budget is not None and time.monotonic() - search.began > budget


def survivors(search: Search, split: Split) -> list[Program]:
    killed = {name for some in search.kills.values() for name in some}
    return [one.program for one in split.wrong() if one.program.name not in killed]


def chosen_tests(search: Search) -> list[TestCase]:
    """Return the new tests to keep: by kills, all large ones, and the first to hit a bound that no other one hits."""
    tests = list(search.tests.values())
    always = {test.name for test in search.package.tests} | search.large
    chosen = select([*search.package.tests, *tests], search.kills, frozenset(always))
    reached = {bound for test in chosen for bound in search.bounds.get(test.name, ())}
    kept = {test.name for test in chosen}
    for test in sorted(tests, key=lambda one: (len(one.input), one.name)):
        new = set(search.bounds.get(test.name, ())) - reached
        if new and test.name not in kept:
            kept.add(test.name)
            reached |= new
    return [test for test in tests if test.name in kept]
