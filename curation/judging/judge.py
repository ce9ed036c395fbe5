"""Judging one submission on a list of tests."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from curation.json_reader import dumps
from curation.judging import languages, verdicts
from curation.judging.bench import Bench
from curation.judging.comparison import Tokens
from curation.judging.compilation import Prepared, Refused, prepare
from curation.judging.levels import LEVELS
from curation.judging.limits import Limits
from curation.judging.sandbox import WorkFile
from curation.judging.store import JUDGE_VERSION, ResultLog, StoredResult
from curation.judging.trial import Checker, run_test
from curation.judging.verdicts import Judgement, TestResult
from curation.records import TestCase

Checkers = Checker | Mapping[str, Checker] | str
"""One checker for all tests, one for each by test name, or why there is none, as text: that is the judge's error."""


@dataclass(frozen=True, slots=True)
class Program:
    """What somebody submitted: a name, a language label and its source files, the main one first."""

    name: str
    language: str
    sources: tuple[WorkFile, ...]


def single_file(name: str, language: str, code: str) -> Program:
    """Return a program that is one text."""
    known = languages.find(language)
    suffix = known.suffixes[0] if known is not None else ".txt"
    return Program(name, language, (WorkFile(f"main{suffix}", code.encode(errors="surrogatepass")),))


def judge_program(
    bench: Bench,
    program: Program,
    tests: Sequence[TestCase],
    limits: Limits,
    checker: Checkers,
    *,
    stop_at_failure: bool = False,
) -> Judgement:
    """Run one program on tests, one after the other; call it on a worker of the bench.

    Args:
        bench: the workers.
        program: what to run.
        tests: what to run it on.
        limits: what it may use on each test.
        checker: what says whether an output is right.
        stop_at_failure: leave the tests out that follow the first one that went wrong.

    Raises:
        OutsideError: no sandbox can be started, or the store cannot be written.
    """
    started = _start(bench, tests, limits, checker, program)
    if isinstance(started, Judgement):
        return started
    results: list[StoredResult] = []
    for test in tests:
        results.append(_result(bench, limits, (started, test)))
        if stop_at_failure and results[-1].verdict != "AC":
            break
    return _sum_up(program, tests, results, bench)


def judge_side_by_side(
    bench: Bench, programs: Sequence[Program], tests: Sequence[TestCase], limits: Limits, checker: Checkers
) -> Iterator[Judgement]:
    """Run programs on all tests, as many runs at a time as there are workers; yield the judgements in order.

    Call it from outside the workers. Arguments and errors are those of `judge_program`.
    """
    started = list(bench.map(partial(_start, bench, tests, limits, checker), programs))
    units = ((one, test) for one in started if isinstance(one, _Started) for test in tests)
    results = bench.map(partial(_result, bench, limits), units)
    for program, one in zip(programs, started, strict=True):
        if isinstance(one, Judgement):
            yield one
        else:
            yield _sum_up(program, tests, list(islice(results, len(tests))), bench)


@dataclass(frozen=True, slots=True)
class _Started:
    """A program that can be run, where its results are kept, and what checks them."""

    prepared: Prepared
    log: ResultLog
    checker: Checker | Mapping[str, Checker]


def _start(
    bench: Bench, tests: Sequence[TestCase], limits: Limits, checker: Checkers, program: Program
) -> _Started | Judgement:
    level = bench.isolation.level
    if not tests:
        return Judgement(program.name, "JE", 0.0, level, (), "there are no tests")
    if isinstance(checker, str):
        return Judgement(program.name, "JE", 0.0, level, (), checker)
    prepared = prepare(bench.sandbox(), bench.store, program.language, program.sources)
    if isinstance(prepared, Refused):
        return Judgement(program.name, prepared.verdict, 0.0, level, (), prepared.message)
    return _Started(prepared, bench.store.results(_results_key(prepared, limits)), checker)


def _result(bench: Bench, limits: Limits, unit: tuple[_Started, TestCase]) -> StoredResult:
    started, test = unit
    checker = started.checker[test.name] if isinstance(started.checker, Mapping) else started.checker
    key = _test_key(test, checker)
    stored = started.log.known.get(key)
    if stored is None:
        stored = run_test(bench, started.prepared, test, limits, checker)
        if stored.verdict != "JE":
            started.log.add(key, stored)
    return stored


def _sum_up(program: Program, tests: Sequence[TestCase], results: list[StoredResult], bench: Bench) -> Judgement:
    told = tuple(
        TestResult(test.name, result.verdict, result.cpu_s, result.memory_mb, result.message)
        for test, result in zip(tests, results, strict=False)
    )
    share = sum(result.share for result in results) / len(tests)
    levels = {bench.isolation.level, *(name for result in results for name in LEVELS if name == result.isolation)}
    return Judgement(program.name, verdicts.of_tests(told), share, max(levels, key=LEVELS.index), told)


def _results_key(prepared: Prepared, limits: Limits) -> str:
    parts = [JUDGE_VERSION, prepared.key, repr(limits)]
    return hashlib.sha256(dumps(parts).encode()).hexdigest()


def _test_key(test: TestCase, checker: Checker) -> str:
    parts = [test.kind, test.function, test.input, test.output, _checker_key(checker)]
    return hashlib.sha256(dumps(parts).encode(errors="surrogateescape")).hexdigest()


def _checker_key(checker: Checker) -> str:
    return repr(checker) if isinstance(checker, Tokens) else checker.key
