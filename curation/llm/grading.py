"""Grades of responses, three-valued, and what they add up to.

A response that was cut at its token limit, that the server broke off, or that is not there is unknown, with the reason:
it is outside the accuracy's denominator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import polars as pl

from curation import storage
from curation.cluster import Cluster
from curation.intervals import wilson
from curation.judging import ResponseJudge
from curation.judging.named_checkers import read_checkers
from curation.judging.step import STORE
from curation.llm.cluster_grading import Item, compared, grade_there, workers_of
from curation.llm.engine import COMPLETE, ModelIdentity
from curation.llm.pool import Pool
from curation.llm.solving import ProblemRow, Solving
from curation.llm.verdicts import JUDGING, NOBODY, Graded, Verdicts
from curation.parallel import Workers
from curation.problem_tests import tests_in_order
from curation.recipe import JudgeSection
from curation.records import ACCURACY_SCHEMA, GRADE_SCHEMA, PROBLEM_SCHEMA, Grade, Response

NOT_GRADED = ("reasoning", "statement", "key_rest", "logprobs", "versions")
"""Columns of a response that no grade hangs on, so that they need not be read."""


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


class Grader:
    """Grades math by its answer and code by running it. Use it as a context manager.

    The judge starts with the first program, so that a run over math needs no sandbox.
    """

    def __init__(
        self,
        settings: JudgeSection,
        directory: Path,
        verdicts: Verdicts | None = None,
        checkers: Path | None = None,
        cluster: Cluster | None = None,
    ) -> None:
        """Take how programs are judged, and where verdicts are kept.

        Args:
            settings: the judge's section.
            directory: the judge keeps its results there, in a directory of its own.
            verdicts: the pool's verdicts, which are looked up and added to; None to grade everything.
            checkers: a table of `records.CHECKER_SCHEMA`, the checkers that came with the problems; None for none.
            cluster: where answers are compared and programs run; None for this machine.
        """
        self._settings, self._store, self._verdicts = settings, directory / STORE, verdicts
        self._checkers = checkers
        self._resources = ExitStack()
        self._judge: ResponseJudge | None = None
        self._cluster = cluster
        self._workers: Workers | None = None

    def __enter__(self) -> Grader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._resources.close()

    def known(self, response_id: str, problem: ProblemRow, tests: pl.DataFrame) -> Graded | None:
        """Return the verdict that is kept on a response, for which nobody needs its text; None where there is none."""
        return self._verdicts.find(response_id, problem, tests) if self._verdicts is not None else None

    def grade(self, items: Iterable[Ungraded]) -> list[Graded]:
        """Grade responses, in their order; programs are judged side by side.

        Raises:
            OutsideError: a program was to be run, and the machine isolates none; or there is no cluster.
        """
        given = list(items)
        graded: list[Graded | None] = []
        whole: list[Item] = []
        for item in given:
            known = self.known(item.response.response_id, item.problem, item.tests) if item.response else None
            known = known or _not_to_grade(item)
            graded.append(known)
            if known is None and item.response is not None:
                whole.append((item.problem, item.tests, item.response.text or ""))
        new = self._graded(whole)
        found = [known if known is not None else next(new) for known in graded]
        if self._verdicts is not None:
            for item, one in zip(given, found, strict=True):
                self._verdicts.add(item.response, item.problem, item.tests, one)
        return found

    def _graded(self, whole: list[Item]) -> Iterator[Graded]:
        if self._cluster is not None:
            if self._workers is None:
                checkers = read_checkers(self._checkers)
                self._workers = self._resources.enter_context(workers_of(self._cluster, self._settings, checkers))
            yield from grade_there(self._workers, whole)
            return
        judged = self._judged([item for item in whole if item[0]["domain"] == "code"])
        for problem, _, text in whole:
            yield next(judged) if problem["domain"] == "code" else compared(problem, text)

    def _judged(self, programs: list[Item]) -> Iterator[Graded]:
        if not programs:
            return
        if self._judge is None:
            self._judge = self._resources.enter_context(
                ResponseJudge(self._store, self._settings, read_checkers(self._checkers))
            )
        for grade, why in self._judge.grade_each(programs):
            yield Graded(grade, why, JUDGING)


def _not_to_grade(item: Ungraded) -> Graded | None:
    """Return the verdict on what cannot be graded; None for a whole response to a problem with an answer or tests."""
    response, problem = item.response, item.problem
    if response is None or response.text is None:
        return Graded("unknown", f"no response: {item.failure or 'it was never asked for'}", NOBODY)
    if response.finish_reason == "length":
        return Graded("unknown", "the response was cut at its token limit", NOBODY)
    if response.finish_reason not in COMPLETE:
        return Graded("unknown", f"the response ended with {response.finish_reason}", NOBODY)
    if problem["domain"] != "code" and problem["answer"] is None:
        return Graded("unknown", "the problem has no answer to compare with", NOBODY)
    return None


def grade_samples(
    solving: Solving,
    problems: Path,
    samples: Callable[[int], range],
    tests_table: Path,
    pool: Pool,
    identity: ModelIdentity,
    failures: Mapping[str, str],
    grader: Grader,
    workspace: Path,
) -> Iterator[tuple[list[int], pl.DataFrame]]:
    """Grade the responses that were asked for, in the order of problems and sample indexes, in constant memory.

    Args:
        solving: how the responses were asked for.
        problems: a table of `records.PROBLEM_SCHEMA`.
        samples: which samples the problem at a place was asked for.
        tests_table: a table of `records.TEST_SCHEMA`.
        pool: the response pool.
        identity: the model that was asked.
        failures: why responses are missing, by ``response_id``.
        grader: an open grader.
        workspace: an empty directory, the caller's to delete.

    Yields:
        for each row of a frame its problem's place in the table, and the frame, of `records.GRADE_SCHEMA`.
    """
    references = storage.read_table(problems, pl.Schema({"tests": PROBLEM_SCHEMA["tests"]}))["tests"]
    asked = pl.Series([bool(samples(place)) for place in range(len(references))], dtype=pl.Boolean)
    tests = tests_in_order(tests_table, references.filter(asked), workspace)
    for batch in solving.batches(problems, samples):
        # The batch ends first, so that no tests are taken from the stream and lost.
        asked_now = [
            (request, request.key(identity), problem, own_tests)
            for (_, problem, wanted), own_tests in zip(batch, tests, strict=False)
            for request in wanted
        ]
        known = [grader.known(key, problem, own_tests) for _, key, problem, own_tests in asked_now]
        unknown = [one for one, verdict in zip(asked_now, known, strict=True) if verdict is None]
        found = pool.read([key for _, key, _, _ in unknown], without=NOT_GRADED)
        graded = iter(
            grader.grade(
                Ungraded(problem, own_tests, found.get(key), failures.get(key))
                for _, key, problem, own_tests in unknown
            )
        )
        every = [verdict or next(graded) for verdict in known]
        rows = [
            (request.problem_id, key, request.sample_index, one.grade, one.why, one.grader)
            for (request, key, _, _), one in zip(asked_now, every, strict=True)
        ]
        places = [place for place, _, wanted in batch for _ in wanted]
        yield places, pl.DataFrame(rows, schema=GRADE_SCHEMA, orient="row")


def accuracies(grades: Path) -> pl.DataFrame:
    """Add grades up to one row of `records.ACCURACY_SCHEMA` a problem, in the order in which problems first appear."""

    def count(grade: Grade) -> pl.Expr:
        return (pl.col("grade") == grade).sum().cast(pl.Int32).alias(grade)

    graded = pl.col("right") + pl.col("wrong")
    low, high = wilson(pl.col("right").cast(pl.Float64), graded.cast(pl.Float64))
    return (
        pl.scan_parquet(grades, glob=False)
        .group_by("problem_id", maintain_order=True)
        .agg(count("right"), count("wrong"), count("unknown"))
        .with_columns(
            pl.when(graded > 0).then(pl.col("right") / graded).alias("accuracy"),
            pl.when(graded > 0).then(low.round(6)).alias("low"),
            pl.when(graded > 0).then(high.round(6)).alias("high"),
        )
        .collect()
        .select(ACCURACY_SCHEMA.names())
    )
