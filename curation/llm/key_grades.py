"""Grades of stored responses that are known by their keys, problem by problem."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

import polars as pl

from curation.llm.grading import NOT_GRADED, Grader, Ungraded
from curation.llm.pool import Pool
from curation.llm.solving import ProblemRow
from curation.records import GRADE_SCHEMA

_PROBLEMS_AT_ONCE = 16


def grade_keys(
    problems: Iterable[ProblemRow],
    tests: Iterable[pl.DataFrame],
    keys: Iterable[Sequence[str]],
    pool: Pool,
    failures: Mapping[str, str],
    grader: Grader,
) -> Iterator[pl.DataFrame]:
    """Grade the responses of some problems at a time, so that programs are judged side by side.

    Args:
        problems: rows of `records.PROBLEM_SCHEMA`.
        tests: the tests of each problem, of `records.TEST_SCHEMA`.
        keys: the ``response_id`` of each problem's responses.
        pool: holds them.
        failures: why responses are missing, by ``response_id``.
        grader: an open grader.

    Yields:
        frames of `records.GRADE_SCHEMA`, in order; ``sample_index`` is the place among the problem's keys.
    """
    together = zip(problems, tests, keys, strict=True)
    while batch := list(islice(together, _PROBLEMS_AT_ONCE)):
        found = pool.read([key for _, _, wanted in batch for key in wanted], without=NOT_GRADED)
        places = [
            (problem["problem_id"], key, index) for problem, _, wanted in batch for index, key in enumerate(wanted)
        ]
        items = [
            Ungraded(problem, own_tests, found.get(key), failures.get(key))
            for problem, own_tests, wanted in batch
            for key in wanted
        ]
        rows = [
            (*place, one.grade, one.why, one.grader) for place, one in zip(places, grader.grade(items), strict=True)
        ]
        yield pl.DataFrame(rows, schema=GRADE_SCHEMA, orient="row")
