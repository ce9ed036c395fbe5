"""Filters a data set of the user's: rows in, kept rows out, dropped rows out with their reasons."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path

from curation.cluster import Cluster
from curation.errors import InputError
from curation.filters.output import open_rows, refuse_overwriting
from curation.filters.parallel import rules_of
from curation.filters.row_batches import FilteredRows, RowBatch, filter_rows, has_answer
from curation.ingest.files import read_unparsed
from curation.ingest.place import find_place
from curation.ingest.readers import BadRow, JsonLine, RawRow, UnparsedRows
from curation.ingest.user_statements import STATEMENT_COLUMNS
from curation.parallel import Workers
from curation.progress import Reporter, Silent
from curation.recipe import FilterSection

_BATCH = 1_000
_BATCH_BYTES = 4 << 20
_ROWS_WITHOUT_HELP = 4_000
"""So many rows are filtered here first: starting processes costs more than filtering them."""

_ROWS_LOOKED_AT = 2_000
"""So many rows are asked whether one has an answer: where none has, the set has none."""


@dataclass(frozen=True)
class FilterSummary:
    """What `filter_file` did.

    Attributes:
        rows: rows read, with those that could not be.
        kept: rows written to the file of kept rows.
        dropped: rows written to the file of dropped rows; ``rows`` = ``kept`` + ``dropped``.
        cleaned: kept rows whose statement changed.
        reasons: dropped rows by reason.
        rules: dropped rows by rule.
    """

    rows: int
    kept: int
    dropped: int
    cleaned: int
    reasons: Mapping[str, int]
    rules: Mapping[str, int]


def filter_file(
    source: str,
    kept: Path,
    dropped: Path,
    section: FilterSection | None = None,
    *,
    directory: Path | None = None,
    limit: int | None = None,
    workers: int | Cluster | None = None,
    reporter: Reporter | None = None,
) -> FilterSummary:
    """Clean and filter the rows of a data set.

    A row's statement is its ``problem``, ``statement``, ``question``, ``prompt``, ``text`` or the last user message
    of a chat; its answer is ``answer``. Kept rows have every column of the input, the cleaned statement in its place,
    and an ``id`` (the row's number where they had none). Dropped rows have the input's text and, besides, ``reason``,
    ``rule`` and ``span``; an input column of one of these names becomes ``input_reason`` and so on. Where none
    of the first 2,000 rows has an answer the data set has none, and no row is dropped for that.

    Args:
        source: a file, a folder, ``hub://owner/name`` or another address.
        kept: the file of kept rows: .jsonl, .parquet or .csv. JSONL keeps nested columns; the others hold text.
        dropped: the file of dropped rows.
        section: the rules wanted; all by default.
        directory: where relative paths of own rules start; the working directory by default.
        limit: rows to read at most.
        workers: processes to use; None for one a processor; a cluster for its processors.
        reporter: where progress goes; silent by default.

    Raises:
        InputError: the source, an output's suffix, a rule or the cluster cannot be used.
        OutsideError: the network failed, a process died, or there is no such cluster.
    """
    if kept.resolve() == dropped.resolve():
        raise InputError(f"{kept} cannot hold both kept and dropped rows: give two files")
    refuse_overwriting(source, kept, dropped)
    section, directory = section or FilterSection(), directory or Path()
    rules_of(section, directory)
    counts = _Counts()
    with (
        open_rows(kept) as kept_rows,
        open_rows(dropped) as dropped_rows,
        (reporter or Silent()).task("filter", None, "rows") as task,
        Workers("filters rows", workers, items_without_help=_ROWS_WITHOUT_HELP) as pool,
    ):
        rows = islice(read_unparsed(find_place(source, streaming=limit is not None)), limit)
        first, has_answers = _first_rows(rows)
        work = partial(filter_rows, section.model_dump_json(), str(directory), has_answers)
        for batch, done in pool.map(work, _batches(chain(first, rows))):
            kept_rows.extend(done.kept)
            dropped_rows.extend(done.dropped)
            counts.add(done)
            task.advance(len(batch))
        counts.check(source)
    return counts.summary()


class _Counts:
    def __init__(self) -> None:
        self._kept = self._cleaned = 0
        self._reasons: Counter[str] = Counter()
        self._rules: Counter[str] = Counter()
        self._has_statements = False
        self._columns: tuple[str, ...] = ()

    def add(self, done: FilteredRows) -> None:
        self._kept += done.kept.count
        self._cleaned += done.cleaned
        self._reasons.update(done.reasons)
        self._rules.update(done.rules)
        self._has_statements = self._has_statements or done.has_statements
        self._columns = self._columns or done.columns

    def check(self, source: str) -> None:
        """Say why none of the rows could be filtered, where that is so.

        Raises:
            InputError: there is no row with a column for its statement.
        """
        rows = self._kept + self._reasons.total()
        if not rows:
            raise InputError(f"{source} holds no rows: fetch it again or give another file")
        if not self._columns:
            raise InputError(f"{source}: not one of {rows} rows is an object: give rows with named columns")
        if not self._has_statements:
            names, has = f"{', '.join(STATEMENT_COLUMNS[:5])} or messages", ", ".join(self._columns)
            raise InputError(f"{source}: no row has a column {names}; it has {has}: give one of them such a name")

    def summary(self) -> FilterSummary:
        dropped = self._reasons.total()
        return FilterSummary(
            self._kept + dropped,
            self._kept,
            dropped,
            self._cleaned,
            dict(self._reasons.most_common()),
            dict(self._rules.most_common()),
        )


def _first_rows(rows: UnparsedRows) -> tuple[Iterator[JsonLine | RawRow | BadRow], bool]:
    """Take rows until one has an answer, and tell whether one has."""
    taken: deque[JsonLine | RawRow | BadRow] = deque()
    for row in islice(rows, _ROWS_LOOKED_AT):
        taken.append(row)
        if has_answer(row):
            return _emptied(taken), True
    return _emptied(taken), False


def _emptied(rows: deque[JsonLine | RawRow | BadRow]) -> Iterator[JsonLine | RawRow | BadRow]:
    while rows:
        yield rows.popleft()


def _batches(rows: Iterable[JsonLine | RawRow | BadRow]) -> Iterator[RowBatch]:
    """Yield batches of so many rows, or fewer where their lines are long: a few are in memory at a time."""
    batch, size = RowBatch(), 0
    for numbered in enumerate(rows, start=1):
        batch.append(numbered)
        row = numbered[1]
        size += len(row.line) if isinstance(row, JsonLine) else 0
        if len(batch) == _BATCH or size > _BATCH_BYTES:
            yield batch
            batch, size = RowBatch(), 0
    if batch:
        yield batch
