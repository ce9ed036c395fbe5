"""Let a model solve every problem of a table, wave by wave, and grade each wave before the next is asked for.

A wave asks each problem that is still open for its next few samples. Which samples a problem gets depends on nothing
but the grades of its earlier ones, so the same responses always give the same tables, whatever else the pool holds.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count, islice
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import polars as pl

from curation import cluster, storage
from curation.llm import engines, solving
from curation.llm.asking import Asked, ask
from curation.llm.engine import ModelIdentity, Request
from curation.llm.grading import Grader, accuracies, grade_samples
from curation.llm.places import PoolPath
from curation.llm.pool import open_pool
from curation.llm.stopping import Band, Sampling
from curation.llm.verdicts import open_verdicts
from curation.progress import Reporter
from curation.recipe import Recipe, SolveSection
from curation.records import GRADE_SCHEMA, PROBLEM_SCHEMA

_WAVE_SCHEMA = pl.Schema({"place": pl.Int64(), **GRADE_SCHEMA})
_ROWS_AT_ONCE = 10_000


@dataclass(frozen=True)
class Task:
    """What is to be solved, and where things are kept.

    Attributes:
        recipe: holds the model and the judge's section.
        section: how often and how the model is asked.
        bands: the accuracies that keep a problem, by domain.
        problems: a table of `records.PROBLEM_SCHEMA`.
        tests: a table of `records.TEST_SCHEMA`.
        pool: the response pool.
        judgements: the judge keeps its results under this directory.
        keep_verdicts: whether verdicts are looked up in the pool and added to it.
        checkers: a table of `records.CHECKER_SCHEMA`, the checkers that came with the problems; None for none.
        stored_only: whether no model is asked, so that a response which the pool lacks is a failure.
    """

    recipe: Recipe
    section: SolveSection
    bands: Mapping[str, Band]
    problems: Path
    tests: Path
    pool: PoolPath
    judgements: Path
    keep_verdicts: bool = False
    checkers: Path | None = None
    stored_only: bool = False


@dataclass(frozen=True)
class Solved:
    """What came of it.

    Attributes:
        identity: the model that answered.
        grades: a table of `records.GRADE_SCHEMA`, by problem and sample index.
        accuracy: of `records.ACCURACY_SCHEMA`, in the order of the problems.
        asked: how many responses were in the pool already, were stored, and failed.
        samples: how many samples the problems got.
        most: how many they would have got without stopping early and without extra samples.
    """

    identity: ModelIdentity
    grades: Path
    accuracy: pl.DataFrame
    asked: Asked
    samples: int
    most: int


def solve(task: Task, grades: Path, reporter: Reporter, name: str) -> Solved:
    """Ask for the samples that the pool lacks, grade them, and write the grades.

    Args:
        task: what is to be solved.
        grades: the table to write.
        reporter: where progress goes.
        name: what the progress bar says.

    Raises:
        InputError: the model or a prompt cannot be used.
        OutsideError: the server failed, or a program was to be run and the machine isolates none.
    """
    asking = solving.prepare(task.recipe, task.section, task.tests)
    standing = _Standing(task)
    known = stored = 0
    failures: dict[str, str] = {}
    with TemporaryDirectory(prefix=storage.TEMPORARY_MARK, dir=grades.parent) as place:
        waves: list[Path] = []
        with (
            open_pool(task.pool) as pool,
            open_verdicts(task.pool, task.recipe.judge) as verdicts,
            Grader(
                task.recipe.judge,
                task.judgements,
                verdicts if task.keep_verdicts else None,
                task.checkers,
                cluster.of(task.recipe),
            ) as grader,
            engines.open_engine(
                task.recipe, task.section.model, reporter, task.pool, stored_only=task.stored_only
            ) as engine,
        ):
            for number in count(1):
                samples, total = standing.next_samples()
                if not total:
                    break
                label = name if number == 1 else f"{name}, wave {number}"
                requests = _requests(asking, task.problems, samples)
                asked = ask(engine, pool, requests, reporter, description=label, total=total)
                known, stored = known + asked.known, stored + asked.stored
                failures.update(asked.failures)
                waves.append(Path(place) / f"wave-{number:04d}.parquet")
                workspace = Path(place) / f"tests-{number:04d}"
                workspace.mkdir()
                graded = grade_samples(
                    asking,
                    task.problems,
                    samples,
                    task.tests,
                    pool,
                    engine.identity,
                    asked.failures,
                    grader,
                    workspace,
                )
                with reporter.task(f"{label}: grading", total, "responses") as progress:
                    frames = standing.count(graded, progress.advance)
                    storage.write_table(waves[-1], frames, _WAVE_SCHEMA)
            identity = engine.identity
        storage.write_table(grades, _merged(waves), GRADE_SCHEMA)
    most = len(standing.asked) * task.section.samples
    return Solved(identity, grades, accuracies(grades), Asked(known, stored, failures), int(standing.asked.sum()), most)


def _requests(asking: solving.Solving, problems: Path, samples: Callable[[int], range]) -> Iterator[Request]:
    for batch in asking.batches(problems, samples):
        for _, _, requests in batch:
            yield from requests


class _Standing:
    """How far each problem of the table is."""

    def __init__(self, task: Task) -> None:
        columns = pl.Schema({name: PROBLEM_SCHEMA[name] for name in ("domain", "answer")})
        rows = storage.read_table(task.problems, columns).with_columns(pl.col("answer").is_not_null()).rows()
        section = task.section
        usual = Sampling(section.samples, section.extra_samples, section.wave, section.stop)
        # What has no answer to compare with is unknown however often it is asked.
        once = Sampling(section.samples)
        self._sampling = [usual if domain == "code" or answered else once for domain, answered in rows]
        self._bands = [task.bands[domain] for domain, _ in rows]
        self._right, self._wrong, self.asked = (np.zeros(len(rows), dtype=np.int32) for _ in range(3))

    def next_samples(self) -> tuple[Callable[[int], range], int]:
        """Return which samples each problem is asked for next, and how many that are; call `count` after it."""
        first = self.asked.copy()
        for place, band in enumerate(self._bands):
            right, wrong, asked = int(self._right[place]), int(self._wrong[place]), int(first[place])
            self.asked[place] += self._sampling[place].wanted(right, wrong, asked, band)
        last = self.asked.copy()
        return lambda place: range(int(first[place]), int(last[place])), int(last.sum() - first.sum())

    def count(
        self, graded: Iterator[tuple[list[int], pl.DataFrame]], advance: Callable[[int], None]
    ) -> Iterator[pl.DataFrame]:
        """Count grades as they pass."""
        for places, frame in graded:
            for place, grade in zip(places, frame["grade"], strict=True):
                self._right[place] += grade == "right"
                self._wrong[place] += grade == "wrong"
            advance(frame.height)
            yield frame.with_columns(pl.Series("place", places, dtype=pl.Int64))


def _merged(waves: list[Path]) -> Iterator[pl.DataFrame]:
    """Yield the rows of all waves by problem and sample index, in constant memory."""

    def rows(path: Path) -> Iterator[tuple[Any, ...]]:
        for frame in storage.iterate_table(path, _WAVE_SCHEMA, _ROWS_AT_ONCE):
            yield from frame.iter_rows()

    # A later wave has the higher sample indexes, and merging keeps the order of the files where places are equal.
    merged = heapq.merge(*[rows(path) for path in waves], key=itemgetter(0))
    while batch := list(islice(merged, _ROWS_AT_ONCE)):
        yield pl.DataFrame(batch, schema=_WAVE_SCHEMA, orient="row").drop("place")
    yield pl.DataFrame(schema=GRADE_SCHEMA)
