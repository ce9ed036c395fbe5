"""The tables that ingest writes in one pass, with memory for a few rows of each at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, TypeVar

import polars as pl

from curation import ledger, records
from curation.ingest.problems import MappedRow
from curation.ledger import Drop
from curation.records import CheckerSource, Problem, Submission, TestCase
from curation.steps import DROPPED, KEPT
from curation.storage import TableWriter, open_table

_ROWS = 2_000
_CHARACTERS = 8 << 20

Row = TypeVar("Row", Problem, TestCase, Submission, CheckerSource, Drop)


class _Buffer(Generic[Row]):
    def __init__(self, writer: TableWriter, to_frame: Callable[[list[Row]], pl.DataFrame]) -> None:
        self._writer = writer
        self._to_frame: Callable[[list[Row]], pl.DataFrame] = to_frame
        self._rows: list[Row] = []
        self._characters = 0

    def add(self, row: Row, characters: int) -> None:
        self._rows.append(row)
        self._characters += characters
        if len(self._rows) >= _ROWS or self._characters >= _CHARACTERS:
            self.flush()

    def flush(self) -> None:
        if self._rows:
            self._writer.write(self._to_frame(self._rows))
            self._rows, self._characters = [], 0


class IngestTables:
    """Open tables of problems, tests, submissions, checkers and dropped rows. Made by `open_tables`."""

    def __init__(
        self,
        problems: TableWriter,
        tests: TableWriter,
        submissions: TableWriter,
        checkers: TableWriter,
        dropped: TableWriter,
    ) -> None:
        self._problems = _Buffer[Problem](problems, lambda rows: records.to_frame(rows, records.PROBLEM_SCHEMA))
        self._tests = _Buffer[TestCase](tests, lambda rows: records.to_frame(rows, records.TEST_SCHEMA))
        self._submissions = _Buffer[Submission](
            submissions, lambda rows: records.to_frame(rows, records.SUBMISSION_SCHEMA)
        )
        self._checkers = _Buffer[CheckerSource](checkers, lambda rows: records.to_frame(rows, records.CHECKER_SCHEMA))
        self._known_checkers: set[str] = set()
        self._dropped = _Buffer[Drop](dropped, ledger.to_frame)

    def keep(self, row: MappedRow) -> None:
        """Add a problem with its tests, submissions and checker; a checker of several problems stands there once."""
        self._problems.add(row.problem, len(row.problem.statement))
        for test in row.tests:
            self._tests.add(test, len(test.input) + len(test.output))
        for submission in row.submissions:
            self._submissions.add(submission, len(submission.code))
        checker = row.checker
        if checker is not None and checker.sha256 not in self._known_checkers:
            self._known_checkers.add(checker.sha256)
            self._checkers.add(checker, len(checker.source))

    def drop(self, drop: Drop) -> None:
        """Add a row that became no problem."""
        self._dropped.add(drop, len(drop.reason))

    def flush(self) -> None:
        """Write what waits."""
        for buffer in (self._problems, self._tests, self._submissions, self._checkers, self._dropped):
            buffer.flush()


@contextmanager
def open_tables(directory: Path) -> Iterator[IngestTables]:
    """Open the five tables in a directory; they appear when the block ends, and not at all when it fails."""
    with (
        open_table(directory / f"{KEPT}.parquet", records.PROBLEM_SCHEMA) as problems,
        open_table(directory / "tests.parquet", records.TEST_SCHEMA) as tests,
        open_table(directory / "submissions.parquet", records.SUBMISSION_SCHEMA) as submissions,
        open_table(directory / "checkers.parquet", records.CHECKER_SCHEMA) as checkers,
        open_table(directory / f"{DROPPED}.parquet", records.LEDGER_SCHEMA) as dropped,
    ):
        tables = IngestTables(problems, tests, submissions, checkers, dropped)
        yield tables
        tables.flush()
