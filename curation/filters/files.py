"""Filters a data set of the user's: rows in, kept rows out, dropped rows out with their reasons."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from curation.errors import InputError
from curation.filters.output import RowFile, open_rows
from curation.filters.parallel import screen_batches
from curation.filters.rule import Row
from curation.filters.screening import Screened
from curation.ingest.files import read_place
from curation.ingest.place import find_place
from curation.ingest.readers import BadRow, RawRow
from curation.ingest.user_rows import STATEMENT_COLUMNS, statement_of
from curation.json_reader import JsonValue, as_text
from curation.progress import Reporter, Silent
from curation.recipe import FilterSection

_BATCH = 2_000
_ADDED = ("reason", "rule", "span")


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


@dataclass(frozen=True, slots=True)
class _Input:
    number: int
    location: str
    raw: dict[str, JsonValue]
    statement: str
    answer: str | None
    identifier: str


def filter_file(
    source: str,
    kept: Path,
    dropped: Path,
    section: FilterSection | None = None,
    *,
    directory: Path | None = None,
    limit: int | None = None,
    workers: int | None = None,
    reporter: Reporter | None = None,
) -> FilterSummary:
    """Clean and filter the rows of a data set.

    A row's statement is its ``problem``, ``statement``, ``question``, ``prompt``, ``text`` or the last user message
    of a chat; its answer is ``answer``. Kept rows have every column of the input, the cleaned statement in its place,
    and an ``id`` (the row's number where they had none). Dropped rows have the input's text and, besides, ``reason``,
    ``rule`` and ``span``; an input column of one of these names becomes ``input_reason`` and so on. Where no row of the
    first batch has an answer the data set has none, and no row is dropped for that.

    Args:
        source: a file, a folder, ``hub://owner/name`` or another address.
        kept: the file of kept rows: .jsonl, .parquet or .csv. JSONL keeps nested columns; the others hold text.
        dropped: the file of dropped rows.
        section: the rules wanted; all by default.
        directory: where relative paths of own rules start; the working directory by default.
        limit: rows to read at most.
        workers: processes to use; None for one a processor.
        reporter: where progress goes; silent by default.

    Raises:
        InputError: the source, an output's suffix or a rule cannot be used.
        OutsideError: the network failed or a process died.
    """
    if kept.resolve() == dropped.resolve():
        raise InputError(f"{kept} cannot hold both kept and dropped rows: give two files")
    counts = _Counts()
    waiting: deque[list[_Input]] = deque()
    with (
        open_rows(kept) as kept_rows,
        open_rows(dropped) as dropped_rows,
        (reporter or Silent()).task("filter", None, "rows") as task,
    ):
        inputs = _inputs(source, limit, counts, dropped_rows)
        batches = _batches(inputs, waiting)
        for screened in screen_batches(batches, section or FilterSection(), directory or Path(), workers):
            for given, result in zip(waiting.popleft(), screened, strict=True):
                _write(given, result, kept_rows, dropped_rows, counts)
            task.advance(len(screened))
    return counts.summary()


class _Counts:
    def __init__(self) -> None:
        self.kept = self.cleaned = 0
        self.reasons: Counter[str] = Counter()
        self.rules: Counter[str] = Counter()

    def drop(self, reason: str, rule: str) -> None:
        self.reasons[reason] += 1
        self.rules[rule] += 1

    def summary(self) -> FilterSummary:
        dropped = self.reasons.total()
        return FilterSummary(
            self.kept + dropped,
            self.kept,
            dropped,
            self.cleaned,
            dict(self.reasons.most_common()),
            dict(self.rules.most_common()),
        )


def _inputs(source: str, limit: int | None, counts: _Counts, dropped: RowFile) -> Iterator[_Input]:
    """Yield the rows that have a statement column; write the others to the dropped rows."""
    found, keys, number = False, "", 0
    layouts: dict[tuple[str, ...], _Layout] = {}
    for number, row in enumerate(islice(read_place(find_place(source, streaming=limit is not None)), limit), start=1):
        if isinstance(row, BadRow) or not isinstance(row.value, dict):
            dropped.write(_unreadable(row, number, counts))
            continue
        names = tuple(row.value)
        layout = layouts.get(names)
        if layout is None:
            layout = layouts[names] = _Layout.of(names)
            found = found or bool(layout.statements)
            keys = keys or ", ".join(names)
        answer = None if layout.answer is None else as_text(row.value[layout.answer])
        yield _Input(number, row.location, row.value, layout.statement(row.value), answer, layout.identifier)
    if not found:
        raise _unusable(source, rows=number, keys=keys)


def _unusable(source: str, *, rows: int, keys: str) -> InputError:
    """Say why none of a data set's rows can be filtered."""
    if not rows:
        return InputError(f"{source} holds no rows: fetch it again or give another file")
    if not keys:
        return InputError(f"{source}: not one of {rows} rows is an object: give rows with named columns")
    names = f"{', '.join(STATEMENT_COLUMNS[:5])} or messages"
    return InputError(f"{source}: no row has a column {names}; it has {keys}: give one of them such a name")


def _unreadable(row: RawRow | BadRow, number: int, counts: _Counts) -> dict[str, JsonValue]:
    bad = row if isinstance(row, BadRow) else BadRow(row.location, "no_object", "the row is no object")
    counts.drop("unreadable", bad.rule)
    shown = bad.evidence.get("text")
    return {
        "id": str(number),
        "row": row.value if isinstance(row, RawRow) else shown if isinstance(shown, str) else None,
        "location": row.location,
        "reason": "unreadable",
        "rule": bad.rule,
        "span": bad.reason,
    }


@dataclass(frozen=True, slots=True)
class _Layout:
    """Which columns of rows with the same columns hold what, the likeliest statement first."""

    statements: tuple[str, ...]
    answer: str | None
    identifier: str

    @classmethod
    def of(cls, names: tuple[str, ...]) -> _Layout:
        # A name as it is written here comes before one that differs in the case of its letters.
        folded = {name.casefold(): name for name in names} | {name: name for name in names}
        statements = tuple(folded[name] for name in STATEMENT_COLUMNS if name in folded)
        return cls(statements, folded.get("answer"), folded.get("id", "id"))

    def statement(self, row: dict[str, JsonValue]) -> str:
        first = row[self.statements[0]] if self.statements else None
        return str(first) if isinstance(first, str) else statement_of(row) or ""


def _batches(inputs: Iterator[_Input], waiting: deque[list[_Input]]) -> Iterator[list[Row]]:
    first = list(islice(inputs, _BATCH))
    expected = any(given.answer is not None for given in first)
    rest = iter(lambda: list(islice(inputs, _BATCH)), [])
    for batch in chain([first] if first else [], rest):
        waiting.append(batch)
        yield [
            Row(
                given.statement,
                given.answer,
                as_text(given.raw.get("solution")),
                "code" if given.raw.get("domain") == "code" else "math",
                expected,
            )
            for given in batch
        ]


def _write(given: _Input, result: Screened, kept: RowFile, dropped: RowFile, counts: _Counts) -> None:
    name = given.identifier
    raw = given.raw if given.raw.get(name) is not None else {**given.raw, name: str(given.number)}
    if not result.hits:
        counts.kept += 1
        if result.statement != given.statement:
            counts.cleaned += 1
            raw = _with_statement(raw, given.statement, result.statement)
        kept.write(raw)
        return
    first = result.hits[0]
    counts.drop(first.reason, first.rule)
    renamed: dict[str, JsonValue] = {f"input_{name}" if name in _ADDED else name: value for name, value in raw.items()}
    dropped.write({**renamed, "reason": first.reason, "rule": first.rule, "span": first.span})


def _with_statement(raw: dict[str, JsonValue], old: str, new: str) -> dict[str, JsonValue]:
    """Put the cleaned statement where the old one stood: a column, or a message of a chat."""
    for wanted in STATEMENT_COLUMNS:
        for name, value in raw.items():
            if name.casefold() == wanted and statement_of({wanted: value}) == old:
                return {**raw, name: new if isinstance(value, str) else _in_messages(value, old, new)}
    return raw


def _in_messages(value: JsonValue, old: str, new: str) -> JsonValue:
    if isinstance(value, str):
        return new if value == old else value
    if isinstance(value, list):
        return [_in_messages(item, old, new) for item in value]
    if isinstance(value, dict):
        return {key: _in_messages(item, old, new) for key, item in value.items()}
    return value
