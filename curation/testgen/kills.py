"""Which wrong programs a test kills, and the few tests that kill what all kill."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from curation.judging.bench import Bench
from curation.judging.judge import Program, judge_program
from curation.judging.limits import Limits
from curation.judging.trial import Checker
from curation.judging.verdicts import Judgement
from curation.records import TestCase

Kills = dict[str, frozenset[str]]
"""The programs that a test kills, by the test's name."""

_SLOW_ENOUGH = 2
"""A program that is too slow for so many small tests is run on no more of them."""


def find_kills(
    bench: Bench,
    programs: Sequence[Program],
    tests: Sequence[TestCase],
    limits: Limits,
    checker: Checker,
    large: frozenset[str],
) -> tuple[Kills, frozenset[str]]:
    """Run wrong programs on tests.

    Args:
        bench: where they run.
        programs: what to run.
        tests: what to run them on.
        limits: what they may use.
        checker: what checks them.
        large: names of tests on which a program runs only until the first kills it, because slow ones cost most there.

    Returns:
        what each test kills, and the programs that could not be judged.
    """
    found: dict[str, set[str]] = {test.name: set() for test in tests}
    few = [test for test in tests if test.name not in large]
    many = [test for test in tests if test.name in large]
    work = partial(_on_small_and_large, bench, few, many, limits, checker)
    unknown: set[str] = set()
    for program, judgements in zip(programs, bench.map(work, programs), strict=True):
        if not any(judged.tests for judged in judgements):
            unknown.add(program.name)
        for result in (result for judged in judgements for result in judged.tests):
            if result.verdict not in ("AC", "JE"):
                found[result.name].add(program.name)
    return {name: frozenset(killed) for name, killed in found.items()}, frozenset(unknown)


def _on_small_and_large(
    bench: Bench,
    few: Sequence[TestCase],
    many: Sequence[TestCase],
    limits: Limits,
    checker: Checker,
    program: Program,
) -> list[Judgement]:
    """Run a program on all small tests, until it is too slow for two of them, and on large ones until one kills it."""
    judgements: list[Judgement] = []
    slow = 0
    for test in few:
        judgements.append(judge_program(bench, program, [test], limits, checker))
        slow += judgements[-1].verdict == "TLE"
        if slow == _SLOW_ENOUGH or not judgements[-1].tests:
            return judgements
    if many:
        judgements.append(judge_program(bench, program, many, limits, checker, stop_at_failure=True))
    return judgements


def select(tests: Sequence[TestCase], kills: Kills, always: frozenset[str]) -> list[TestCase]:
    """Return one test, the shortest, for every distinct set of killed programs, and those that are always kept.

    The order is that of the tests given.
    """
    chosen = set(always)
    covered = {kills.get(name, frozenset()) for name in always}
    for test in sorted(tests, key=lambda one: (len(one.input), one.name)):
        killed = kills.get(test.name, frozenset())
        if killed and killed not in covered:
            covered.add(killed)
            chosen.add(test.name)
    return [test for test in tests if test.name in chosen]
