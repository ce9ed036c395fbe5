"""Grading what a model wrote for a code problem: its last code block is the submission."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType

import polars as pl

from curation.errors import InputError
from curation.judging import languages
from curation.judging.bench import Bench
from curation.judging.isolation import choose
from curation.judging.judge import Program, judge_program, single_file
from curation.judging.limits import problem_limits
from curation.judging.named_checkers import NamedCheckers
from curation.judging.verdicts import Judgement
from curation.recipe import JudgeSection
from curation.records import CheckerSource, Grade, TestCase

Problem = Mapping[str, object]
"""A row of `records.PROBLEM_SCHEMA`."""

Tests = Sequence[TestCase] | pl.DataFrame

_FENCE = re.compile(r"^[ \t]*(`{3,}|~{3,})[ \t]*([^\s`]*)[^\n`]*$", re.MULTILINE)
_DEFAULT_LANGUAGE = "python3"


def last_code_block(text: str) -> tuple[str, str] | None:
    """Return language hint and text of the last fenced code block; None where there is none."""
    found = code_blocks(text)
    return found[-1] if found else None


def code_blocks(text: str) -> list[tuple[str, str]]:
    """Return hint and text of the fenced blocks that hold something, in order.

    A finished response may end inside of its last block.
    """
    found: list[tuple[str, str]] = []
    opened: re.Match[str] | None = None
    for fence in _FENCE.finditer(text):
        if opened is None:
            opened = fence
        elif fence[1].startswith(opened[1]) and not fence[2]:
            found.append((opened[2], text[opened.end() + 1 : fence.start()]))
            opened = None
    if opened is not None:
        found.append((opened[2], text[opened.end() + 1 :]))
    return [(hint, inside) for hint, inside in found if inside.strip()]


class ResponseJudge:
    """Grades responses to code problems with one bench of workers. Use it as a context manager.

    Args:
        store: the directory of results; None for a temporary one.
        settings: the recipe's section.
        checkers: the checkers that came with the problems, by SHA-256.
        workers: how many programs run at a time; None for one a core.

    Raises:
        OutsideError: the machine isolates no program, and the section does not allow doing without.
    """

    def __init__(
        self,
        store: Path | None,
        settings: JudgeSection,
        checkers: Mapping[str, CheckerSource] | None = None,
        *,
        workers: int | None = None,
    ) -> None:
        self._bench = Bench(store, choose(without_isolation=settings.without_isolation), workers)
        self._checkers = NamedCheckers(self._bench, checkers)
        self._settings = settings

    def __enter__(self) -> ResponseJudge:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bench.__exit__(kind, error, trace)

    def grade(self, problem: Problem, tests: Tests, text: str) -> tuple[Grade, str]:
        """Grade one response; see `grade_response`."""
        return next(self.grade_each([(problem, tests, text)]))

    def grade_each(self, items: Iterable[tuple[Problem, Tests, str]]) -> Iterator[tuple[Grade, str]]:
        """Grade many responses side by side, in order."""
        return self._bench.map(self._grade, items)

    def _grade(self, item: tuple[Problem, Tests, str]) -> tuple[Grade, str]:
        problem, tests, text = item
        block = last_code_block(text)
        if block is None:
            return "wrong", "the response holds no code block"
        cases = tests if not isinstance(tests, pl.DataFrame) else test_cases(tests)
        program = program_of(*block)
        checker = problem.get("checker")
        try:
            chosen = self._checkers.find(str(checker) if checker is not None else None)
        except InputError as error:
            return "unknown", f"JE: {error}"
        seconds, megabytes = problem.get("time_limit_s"), problem.get("memory_limit_mb")
        limits = problem_limits(
            float(seconds) if isinstance(seconds, int | float) else None,
            int(megabytes) if isinstance(megabytes, int) else None,
            program.language,
            self._settings,
        )
        return _grade_of(judge_program(self._bench, program, cases, limits, chosen, stop_at_failure=True))


def grade_response(
    problem: Problem, tests: Tests, text: str, store: Path | None = None, settings: JudgeSection | None = None
) -> tuple[Grade, str]:
    """Grade one finished response to a code problem by running the last code block in it.

    Args:
        problem: a row of `records.PROBLEM_SCHEMA`; its limits and checker are used.
        tests: the problem's tests, or a frame of `records.TEST_SCHEMA`.
        text: the response; whether it was cut is the caller's to know.
        store: a directory that keeps results, so that nothing runs twice.
        settings: the recipe's section; the defaults where None.

    Returns:
        the grade, and verdict with reason. ``unknown`` where the judge failed, there is no test, or the language
        cannot be run here; a finished response without code is ``wrong``.

    Raises:
        OutsideError: the machine isolates no program.
    """
    with ResponseJudge(store, settings or JudgeSection()) as judge:
        return judge.grade(problem, tests, text)


def test_cases(frame: pl.DataFrame) -> list[TestCase]:
    """Return the rows of a frame of `records.TEST_SCHEMA` as records."""
    return [TestCase(**row) for row in frame.iter_rows(named=True)]


def program_of(hint: str, code: str) -> Program:
    """Return the program that a code block is, in the language of its hint or, without one, of its own signs."""
    return single_file("response", _language(hint, code), code)


def _language(hint: str, code: str) -> str:
    if hint and languages.find(hint) is not None:
        return hint
    return languages.looks_like(code) or (languages.canonical(hint) if hint else _DEFAULT_LANGUAGE)


def _grade_of(judgement: Judgement) -> tuple[Grade, str]:
    failed = next((result for result in judgement.tests if result.verdict == judgement.verdict != "AC"), None)
    reason = judgement.message if failed is None else f"test {failed.name}: {failed.message}"
    why = f"{judgement.verdict}: {reason}" if reason else judgement.verdict
    if judgement.verdict == "AC":
        return "right", why
    return ("unknown" if judgement.verdict == "JE" else "wrong"), why
