"""Judging one submission on a list of tests."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from curation.json_reader import dumps
from curation.judging import comparison, languages, verdicts
from curation.judging.bench import Bench
from curation.judging.comparison import Tokens
from curation.judging.compilation import Prepared, Refused, prepare
from curation.judging.levels import LEVELS, Isolation
from curation.judging.limits import Limits
from curation.judging.sandbox import WorkFile
from curation.judging.store import JUDGE_VERSION
from curation.judging.trial import Checker, run_test
from curation.judging.validators import Validator
from curation.judging.verdicts import Judgement, TestResult
from curation.records import TestCase


@dataclass(frozen=True, slots=True)
class Program:
    """What somebody submitted: a name, a language label and its source files, the main one first."""

    name: str
    language: str
    sources: tuple[WorkFile, ...]


def judge(
    tests: Sequence[TestCase],
    code: str,
    language: str,
    limits: Limits,
    checker: str | Checker | None = None,
    *,
    submission: str = "submission",
    store: Path | None = None,
    isolation: Isolation | None = None,
    stop_at_failure: bool = False,
) -> Judgement:
    """Run one submission on tests.

    Args:
        tests: what to run it on.
        code: the program's text.
        language: its label (``python3``, ``cpp17``, ...).
        limits: what it may use on each test.
        checker: the name and flags of a checker; None for the default.
        submission: its name in the result.
        store: a directory that keeps results, so that nothing runs twice.
        isolation: what holds it; None for the strongest that the machine offers.
        stop_at_failure: leave the tests out that follow the first one that went wrong.

    Raises:
        InputError: the checker is unknown.
        OutsideError: the machine isolates no program.
    """
    program = single_file(submission, language, code)
    chosen = checker if isinstance(checker, Tokens | Validator) else named_checker(checker)
    with Bench(store, isolation) as bench:
        work = partial(_judge_on, bench, tests, limits, chosen, stop_at_failure)
        return next(bench.map(work, [program]))


def _judge_on(
    bench: Bench,
    tests: Sequence[TestCase],
    limits: Limits,
    checker: Checker,
    stop_at_failure: bool,
    program: Program,
) -> Judgement:
    return judge_program(bench, program, tests, limits, checker, stop_at_failure=stop_at_failure)


def single_file(name: str, language: str, code: str) -> Program:
    """Return a program that is one text."""
    known = languages.find(language)
    suffix = known.suffixes[0] if known is not None else ".txt"
    return Program(name, language, (WorkFile(f"main{suffix}", code.encode(errors="surrogatepass")),))


def named_checker(text: str | None) -> Tokens:
    """Return the checker that a problem names: None or ``tokens``, with the flags of `comparison.parse_flags`.

    Raises:
        InputError: there is no such checker.
    """
    name, *flags = (text or "tokens").split()
    if name != "tokens":
        name, flags = "tokens", [name, *flags]
    return comparison.parse_flags(flags, f"checker {text!r}")


def judge_program(
    bench: Bench,
    program: Program,
    tests: Sequence[TestCase],
    limits: Limits,
    checker: Checker | Mapping[str, Checker] | str,
    *,
    stop_at_failure: bool = False,
) -> Judgement:
    """Run one program on tests; call it on a worker of the bench.

    Args:
        bench: the workers.
        program: what to run.
        tests: what to run it on.
        limits: what it may use on each test.
        checker: what says whether an output is right, for all tests or by test name; or why there is none, as text,
            which is the judge's error.
        stop_at_failure: leave the tests out that follow the first one that went wrong.

    Raises:
        OutsideError: no sandbox can be started, or the store cannot be written.
    """
    level = bench.isolation.level
    if not tests:
        return Judgement(program.name, "JE", 0.0, level, (), "there are no tests")
    if isinstance(checker, str):
        return Judgement(program.name, "JE", 0.0, level, (), checker)
    prepared = prepare(bench.sandbox(), bench.store, program.language, program.sources)
    if isinstance(prepared, Refused):
        return Judgement(program.name, prepared.verdict, 0.0, level, (), prepared.message)
    log = bench.store.results(_results_key(prepared, limits))
    results: list[TestResult] = []
    levels = {level}
    for test in tests:
        own = checker[test.name] if isinstance(checker, Mapping) else checker
        key = _test_key(test, own)
        stored = log.known.get(key)
        if stored is None:
            stored = run_test(bench, prepared, test, limits, own)
            if stored.verdict != "JE":
                log.add(key, stored)
        levels.update(name for name in LEVELS if name == stored.isolation)
        score = 1.0 if stored.verdict == "AC" else 0.0
        results.append(TestResult(test.name, stored.verdict, stored.cpu_s, stored.memory_mb, stored.message, score))
        if stop_at_failure and stored.verdict != "AC":
            break
    passed = sum(result.score for result in results) / len(tests)
    weakest = max(levels, key=LEVELS.index)
    return Judgement(program.name, verdicts.of_tests(results), passed, weakest, tuple(results))


def _results_key(prepared: Prepared, limits: Limits) -> str:
    parts = [JUDGE_VERSION, prepared.key, repr(limits)]
    return hashlib.sha256(dumps(parts).encode()).hexdigest()


def _test_key(test: TestCase, checker: Checker) -> str:
    parts = [test.kind, test.function, test.input, test.output, _checker_key(checker)]
    return hashlib.sha256(dumps(parts).encode(errors="surrogateescape")).hexdigest()


def _checker_key(checker: Checker) -> str:
    if isinstance(checker, Validator):
        return dumps(["validator", checker.program.key, list(checker.flags)])
    return repr(checker)
