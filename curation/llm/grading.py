"""Grades of responses, three-valued, and what they add up to.

A response that was cut at its token limit, that the server broke off, or that is not there is unknown, with the reason:
it is outside the accuracy's denominator.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import polars as pl

from curation import storage
from curation.answers import grade as grade_answer
from curation.judging import ResponseJudge
from curation.judging.step import STORE
from curation.llm.engine import COMPLETE, ModelIdentity
from curation.llm.pool import Pool
from curation.llm.solving import ProblemRow, Solving
from curation.problem_tests import tests_in_order
from curation.records import ACCURACY_SCHEMA, GRADE_SCHEMA, PROBLEM_SCHEMA, Grade, Response
from curation.steps import StepContext

_ANSWERS, _JUDGING, _NOBODY = "answers", "judging", "none"
_GRADES: dict[str, Grade] = {"equal": "right", "different": "wrong", "unknown": "unknown"}


@dataclass(frozen=True, slots=True)
class Ungraded:
    """One response that waits for its grade.

    Attributes:
        problem: a row of `records.PROBLEM_SCHEMA`.
        tests: the problem's tests, of `records.TEST_SCHEMA`; empty for math.
        response: the response; None where there is none.
        failure: why there is none.
    """

    problem: ProblemRow
    tests: pl.DataFrame
    response: Response | None
    failure: str | None = None


@dataclass(frozen=True, slots=True)
class Graded:
    """A verdict on one response.

    Attributes:
        grade: right, wrong or unknown.
        why: what decided.
        grader: ``answers``, ``judging``, or ``none`` where there was nothing to grade.
    """

    grade: Grade
    why: str
    grader: str


class Grader:
    """Grades math by its answer and code by running it. Use it as a context manager.

    The judge starts with the first program, so that a run over math needs no sandbox.
    """

    def __init__(self, context: StepContext) -> None:
        """Take the judge's section and the place of its results from a step's context."""
        self._settings, self._store = context.recipe.judge, context.run_directory / STORE
        self._resources = ExitStack()
        self._judge: ResponseJudge | None = None

    def __enter__(self) -> Grader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._resources.close()

    def grade(self, items: Iterable[Ungraded]) -> list[Graded]:
        """Grade responses, in their order; programs are judged side by side.

        Raises:
            OutsideError: a program was to be run, and the machine isolates none.
        """
        graded: list[Graded | None] = []
        programs: list[tuple[ProblemRow, pl.DataFrame, str]] = []
        for item in items:
            known = _without_running(item)
            graded.append(known)
            if known is None and item.response is not None:
                programs.append((item.problem, item.tests, item.response.text or ""))
        judged = self._judged(programs)
        return [known if known is not None else next(judged) for known in graded]

    def _judged(self, programs: list[tuple[ProblemRow, pl.DataFrame, str]]) -> Iterator[Graded]:
        if not programs:
            return
        if self._judge is None:
            self._judge = self._resources.enter_context(ResponseJudge(self._store, self._settings))
        for grade, why in self._judge.grade_each(programs):
            yield Graded(grade, why, _JUDGING)


def _without_running(item: Ungraded) -> Graded | None:
    """Return the grade of what needs no judge; None where a program has to be run."""
    response, problem = item.response, item.problem
    if response is None or response.text is None:
        return Graded("unknown", f"no response: {item.failure or 'it was never asked for'}", _NOBODY)
    if response.finish_reason == "length":
        return Graded("unknown", "the response was cut at its token limit", _NOBODY)
    if response.finish_reason not in COMPLETE:
        return Graded("unknown", f"the response ended with {response.finish_reason}", _NOBODY)
    if problem["domain"] == "code":
        return None
    if problem["answer"] is None:
        return Graded("unknown", "the problem has no answer to compare with", _NOBODY)
    compared = grade_answer(problem["answer"], response.text)
    return Graded(_GRADES[compared.verdict], f"{compared.path}: {compared.why}", _ANSWERS)


def grade_all(
    solving: Solving,
    context: StepContext,
    problems: Path,
    pool: Pool,
    identity: ModelIdentity,
    failures: Mapping[str, str],
    workspace: Path,
) -> Iterator[pl.DataFrame]:
    """Grade every response that was asked for, in the order of problems and sample indexes, in constant memory.

    Args:
        solving: how the responses were asked for.
        context: the step's context; its table ``tests`` and the judge's section are used.
        problems: a table of `records.PROBLEM_SCHEMA`.
        pool: the response pool.
        identity: the model that was asked.
        failures: why responses are missing, by ``response_id``.
        workspace: an empty directory, the caller's to delete.

    Yields:
        frames of `records.GRADE_SCHEMA`.
    """
    references = storage.read_table(problems, pl.Schema({"tests": PROBLEM_SCHEMA["tests"]}))["tests"]
    tests = tests_in_order(context.tables["tests"], references, workspace)
    with Grader(context) as grader:
        for batch in solving.batches(problems):
            requests = [request for _, wanted in batch for request in wanted]
            responses = iter(pool.answers(requests, identity))
            items = []
            # The batch ends first, so that no tests are taken from the stream and lost.
            for (problem, wanted), own_tests in zip(batch, tests, strict=False):
                for request in wanted:
                    failure = failures.get(request.key(identity))
                    items.append(Ungraded(problem, own_tests, next(responses), failure))
            rows = [
                (request.problem_id, request.key(identity), request.sample_index, one.grade, one.why, one.grader)
                for request, one in zip(requests, grader.grade(items), strict=True)
            ]
            yield pl.DataFrame(rows, schema=GRADE_SCHEMA, orient="row")


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
