"""Filters a batch of a user's rows from the text that was read to the text that is written, in whichever process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate, repeat
from pathlib import Path

from curation.filters.parallel import rules_of
from curation.filters.row_lines import RowLines
from curation.filters.rule import Row
from curation.filters.screening import Screened, screen_all
from curation.ingest.readers import BadRow, JsonLine, RawRow, parsed
from curation.ingest.user_statements import STATEMENT_COLUMNS, statement_of
from curation.json_reader import JsonTextError, JsonValue, as_text, loads
from curation.recipe import FilterSection
from curation.records import Domain

NumberedRow = tuple[int, JsonLine | RawRow | BadRow]
"""A row with its number in the input, counted from 1."""


class RowBatch(list[NumberedRow]):
    """Rows on their way to the process that filters them: lines of one file travel as one text."""

    def __reduce__(self) -> tuple[object, ...]:
        numbers = [number for number, _ in self]
        rows = [row for _, row in self]
        lines = [row for row in rows if isinstance(row, JsonLine)]
        names = {line.name for line in lines}
        if len(lines) < len(rows) or len(names) != 1:
            return RowBatch, (list(self),)
        sizes = [len(line.line) for line in lines]
        return _unpacked, (
            *names,
            numbers,
            [line.number for line in lines],
            sizes,
            b"".join(line.line for line in lines),
        )


def _unpacked(name: str, numbers: list[int], places: list[int], sizes: list[int], text: bytes) -> RowBatch:
    ends = accumulate(sizes)
    lines = (text[end - size : end] for size, end in zip(sizes, ends, strict=True))
    return RowBatch(zip(numbers, map(JsonLine, repeat(name), places, lines), strict=False))


_ADDED = ("reason", "rule", "span")


@dataclass(slots=True)
class FilteredRows:
    """What became of some rows.

    Attributes:
        kept: the kept rows.
        dropped: the dropped rows, those that could not be read among them.
        cleaned: how many kept rows have another statement now.
        reasons: dropped rows by reason.
        rules: dropped rows by rule.
        has_statements: whether a row had a column for its statement.
        columns: the columns of the first row that had any.
    """

    kept: RowLines = field(default_factory=RowLines)
    dropped: RowLines = field(default_factory=RowLines)
    cleaned: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)
    has_statements: bool = False
    columns: tuple[str, ...] = ()

    def drop(self, row: dict[str, JsonValue], reason: str, rule: str, span: str) -> None:
        """Add a dropped row."""
        self.reasons[reason] += 1
        self.rules[rule] += 1
        self.dropped.write({**row, "reason": reason, "rule": rule, "span": span})


def has_answer(given: JsonLine | RawRow | BadRow) -> bool:
    """Tell whether a row has an answer."""
    row = parsed(given)
    if isinstance(row, BadRow) or not isinstance(row.value, dict):
        return False
    name = _Layout.of(tuple(row.value)).answer
    return name is not None and row.value[name] is not None


def filter_rows(section: str, directory: str, answers_expected: bool, batch: Sequence[NumberedRow]) -> FilteredRows:
    """Read, screen and write rows.

    Args:
        section: the rules wanted, a `FilterSection` as JSON.
        directory: where relative paths of own rules start.
        answers_expected: whether a row without an answer lacks one.
        batch: the rows.

    Raises:
        InputError: an own rule cannot be used.
    """
    rules = rules_of(FilterSection.model_validate_json(section), Path(directory))
    read = [_read(given) for _, given in batch]
    layouts = {names: _Layout.of(names) for names in dict.fromkeys(tuple(row) for row in read if isinstance(row, dict))}
    done = FilteredRows()
    done.columns = next((names for names in layouts if names), ())
    done.has_statements = any(layout.statements for layout in layouts.values())
    seen = [layouts[tuple(row)].row(row, answers_expected) for row in read if isinstance(row, dict)]
    screened = zip(seen, screen_all(seen, rules), strict=True)
    for (number, _), row in zip(batch, read, strict=True):
        if isinstance(row, dict):
            given, result = next(screened)
            _add(row, number, layouts[tuple(row)], given.statement, result, done)
        else:
            _drop_unreadable(row, number, done)
    return done


def _read(given: JsonLine | RawRow | BadRow) -> dict[str, JsonValue] | RawRow | BadRow:
    """Return a row's columns, or the row where it has none."""
    if isinstance(given, JsonLine):
        try:
            value = loads(given.line.decode())
        except (UnicodeDecodeError, JsonTextError):
            return given.row()
        if isinstance(value, dict):
            return value
    row = parsed(given)
    return row.value if isinstance(row, RawRow) and isinstance(row.value, dict) else row


def _drop_unreadable(row: RawRow | BadRow, number: int, done: FilteredRows) -> None:
    bad = row if isinstance(row, BadRow) else BadRow(row.location, "no_object", "the row is no object")
    shown = bad.evidence.get("text")
    value = row.value if isinstance(row, RawRow) else shown if isinstance(shown, str) else None
    told: dict[str, JsonValue] = {"id": str(number), "row": value, "location": row.location}
    done.drop(told, "unreadable", bad.rule, bad.reason)


@dataclass(frozen=True, slots=True)
class _Layout:
    """Which columns of rows with the same columns hold what, the likeliest statement first."""

    statements: tuple[str, ...]
    answer: str | None
    identifier: str
    has_more: bool

    @classmethod
    def of(cls, names: tuple[str, ...]) -> _Layout:
        # A name as it is written here comes before one that differs in the case of its letters.
        folded = {name.casefold(): name for name in names} | {name: name for name in names}
        statements = tuple(folded[name] for name in STATEMENT_COLUMNS if name in folded)
        has_more = "solution" in names or "domain" in names
        return cls(statements, folded.get("answer"), folded.get("id", "id"), has_more)

    def row(self, values: dict[str, JsonValue], answers_expected: bool) -> Row:
        """Return what the rules see."""
        first = values[self.statements[0]] if self.statements else None
        statement = str(first) if isinstance(first, str) else statement_of(values) or ""
        answer = None if self.answer is None else as_text(values[self.answer])
        if not self.has_more:
            return Row(statement, answer, None, "math", answers_expected)
        domain: Domain = "code" if values.get("domain") == "code" else "math"
        return Row(statement, answer, as_text(values.get("solution")), domain, answers_expected)


def _add(
    values: dict[str, JsonValue], number: int, layout: _Layout, statement: str, result: Screened, done: FilteredRows
) -> None:
    name = layout.identifier
    row = values if values.get(name) is not None else {**values, name: str(number)}
    if result.hits:
        first = result.hits[0]
        renamed = {f"input_{name}" if name in _ADDED else name: value for name, value in row.items()}
        done.drop(renamed, first.reason, first.rule, first.span)
        return
    if result.statement != statement:
        done.cleaned += 1
        row = _with_statement(row, statement, result.statement)
    done.kept.write(row)


def _with_statement(row: dict[str, JsonValue], old: str, new: str) -> dict[str, JsonValue]:
    """Put the cleaned statement where the old one stood: a column, or a message of a chat."""
    for wanted in STATEMENT_COLUMNS:
        for name, value in row.items():
            if name.casefold() == wanted and statement_of({wanted: value}) == old:
                return {**row, name: new if isinstance(value, str) else _in_messages(value, old, new)}
    return row


def _in_messages(value: JsonValue, old: str, new: str) -> JsonValue:
    if isinstance(value, str):
        return new if value == old else value
    if isinstance(value, list):
        return [_in_messages(item, old, new) for item in value]
    if isinstance(value, dict):
        return {key: _in_messages(item, old, new) for key, item in value.items()}
    return value
