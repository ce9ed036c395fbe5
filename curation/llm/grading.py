"""Grades of responses, three-valued, and what they add up to.

A response that was cut at its token limit, that the server broke off, or that is not there is unknown, with the reason:
it is outside the accuracy's denominator.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from curation import regroup, storage
from curation.answers import grade as grade_answer
from curation.judging import grade_response as judge_response
from curation.llm.engine import COMPLETE, ModelIdentity
from curation.llm.pool import Pool
from curation.llm.solving import ProblemRow, Solving
from curation.records import ACCURACY_SCHEMA, GRADE_SCHEMA, PROBLEM_SCHEMA, TEST_SCHEMA, Grade, Response

_ANSWERS, _JUDGING, _NOBODY = "answers", "judging", "none"
_TESTS_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Graded:
    """A verdict on one response.

    Attributes:
        grade: right, wrong or unknown.
        why: one sentence or the name of what decided.
        grader: ``answers``, ``judging``, or ``none`` where nobody had anything to grade.
    """

    grade: Grade
    why: str
    grader: str


def grade_response(
    problem: ProblemRow, tests: pl.DataFrame, response: Response | None, failure: str | None = None
) -> Graded:
    """Grade one response to a problem.

    Args:
        problem: a row of `records.PROBLEM_SCHEMA`.
        tests: the problem's tests, of `records.TEST_SCHEMA`; empty for math.
        response: the response; None where there is none.
        failure: why there is none.
    """
    if response is None or response.text is None:
        return Graded("unknown", f"no response: {failure or 'it was never asked for'}", _NOBODY)
    if response.finish_reason == "length":
        return Graded("unknown", "the response was cut at its token limit", _NOBODY)
    if response.finish_reason not in COMPLETE:
        return Graded("unknown", f"the response ended with {response.finish_reason}", _NOBODY)
    if problem["domain"] == "code":
        grade, why = judge_response(problem, tests, response.text)
        return Graded(grade, why, _JUDGING)
    if problem["answer"] is None:
        return Graded("unknown", "the problem has no answer to compare with", _NOBODY)
    compared = grade_answer(problem["answer"], response.text)
    grades: dict[str, Grade] = {"equal": "right", "different": "wrong", "unknown": "unknown"}
    return Graded(grades[compared.verdict], f"{compared.path}: {compared.why}", _ANSWERS)


def grade_all(
    solving: Solving,
    problems: Path,
    tests: Path,
    pool: Pool,
    identity: ModelIdentity,
    failures: Mapping[str, str],
    workspace: Path,
) -> Iterator[pl.DataFrame]:
    """Grade every response that was asked for, in the order of problems and sample indexes, in constant memory.

    Args:
        solving: how the responses were asked for.
        problems: a table of `records.PROBLEM_SCHEMA`.
        tests: a table of `records.TEST_SCHEMA`.
        pool: the response pool.
        identity: the model that was asked.
        failures: why responses are missing, by ``response_id``.
        workspace: an empty directory, the caller's to delete.

    Yields:
        frames of `records.GRADE_SCHEMA`.
    """
    tests_in_order = _tests_by_problem(problems, tests, workspace)
    for batch in solving.batches(problems):
        responses = iter(pool.answers([request for _, wanted in batch for request in wanted], identity))
        rows = []
        for problem, wanted in batch:
            own_tests = next(tests_in_order)
            for request in wanted:
                key = request.key(identity)
                graded = grade_response(problem, own_tests, next(responses), failures.get(key))
                rows.append((problem["problem_id"], key, request.sample_index, graded.grade, graded.why, graded.grader))
        yield pl.DataFrame(rows, schema=GRADE_SCHEMA, orient="row")


def _tests_by_problem(problems: Path, tests: Path, workspace: Path) -> Iterator[pl.DataFrame]:
    wanted = (
        storage.read_table(problems, pl.Schema({"tests": PROBLEM_SCHEMA["tests"]}))
        .with_row_index("group")
        .select(pl.col("group").cast(pl.Int64), pl.col("tests").alias("problem_id"))
    )
    schema = pl.Schema({"group": pl.Int64(), **TEST_SCHEMA})
    code = wanted.drop_nulls("problem_id")

    def frames() -> Iterator[pl.DataFrame]:
        for frame in storage.iterate_table(tests, TEST_SCHEMA, _TESTS_AT_ONCE) if code.height else ():
            rows = frame.join(code, on="problem_id", how="inner", maintain_order="left")
            if rows.height:
                yield rows.select(schema.names())

    expected = regroup.text_bytes(tests, ["input", "output"]) if code.height else 0
    for _, rows in regroup.grouped(frames(), schema, wanted.height, expected, workspace):
        yield rows.drop("group")


def accuracies(grades: Path) -> pl.DataFrame:
    """Add grades up to one row of `records.ACCURACY_SCHEMA` a problem, in the order in which problems first appear."""

    def count(grade: Grade) -> pl.Expr:
        return (pl.col("grade") == grade).sum().cast(pl.Int32).alias(grade)

    graded = pl.col("right") + pl.col("wrong")
    return (
        pl.scan_parquet(grades, glob=False)
        .group_by("problem_id", maintain_order=True)
        .agg(count("right"), count("wrong"), count("unknown"))
        .with_columns(pl.when(graded > 0).then(pl.col("right") / graded).alias("accuracy"))
        .collect()
        .select(ACCURACY_SCHEMA.names())
    )
