"""Rows that a user gives to a command: where their statement, answer and identifier stand, whatever the file is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from curation.errors import InputError
from curation.ingest.columns import Expression, ExpressionError, parse
from curation.ingest.files import UNKNOWN_FILE, read_place
from curation.ingest.place import find_place
from curation.ingest.readers import BadRow, RawRow
from curation.ingest.user_statements import STATEMENT_COLUMNS, statement_of, text_of
from curation.json_reader import JsonValue, as_text

Field = Literal["statement", "answer", "id"]


@dataclass(frozen=True, slots=True)
class InputRow:
    """One row of a user's.

    Attributes:
        id: the row's ``id``, or its number in the input, counted from 1.
        location: file and line or row.
        statement: the problem; of a chat the last message of the user.
        answer: the answer as text; None where there is none.
        raw: the row as it came, numbers as `JsonNumber`.
    """

    id: str
    location: str
    statement: str
    answer: str | None
    raw: Mapping[str, JsonValue]


def read_rows(
    given: str,
    columns: Mapping[Field, str] | None = None,
    *,
    limit: int | None = None,
    on_bad: Callable[[BadRow], None] | None = None,
) -> Iterator[InputRow]:
    """Read the rows of a file, a folder, ``hub://owner/name[@revision]`` or another address that fsspec opens.

    Args:
        given: the place. JSONL, JSON, CSV, Parquet, Arrow, compressed or not.
        columns: expressions of `curation.ingest.columns` for what stands in other columns than the usual ones.
        limit: rows to read at most, bad ones counted.
        on_bad: gets each row that cannot be read or has no statement, and each file of an unknown kind; without it such
            a row is an error and such a file is left out.

    Raises:
        InputError: the place or a file cannot be used, no row has a statement or anything in the answer column that was
            named, or a row is bad and ``on_bad`` is None.
        OutsideError: the network failed.
    """
    expressions = _parsed(columns or {})
    seen, used, answered = 0, 0, False
    keys: list[str] = []
    for seen, row in enumerate(read_place(find_place(given, streaming=limit is not None)), start=1):
        found = row if isinstance(row, BadRow) else _input_row(row, seen, expressions)
        if isinstance(found, InputRow):
            used += 1
            answered = answered or found.answer is not None
            yield found
        elif on_bad is None and found.rule != UNKNOWN_FILE:
            raise InputError(f"{found.location}: {found.reason}: mend the row or take it out")
        else:
            if on_bad is not None:
                on_bad(found)
            keys = keys or (list(row.value) if isinstance(row, RawRow) and isinstance(row.value, dict) else [])
        if seen == limit:
            break
    if not seen:
        raise InputError(f"{given} holds no rows")
    if not used:
        has = f"; it has {', '.join(keys)}" if keys else ""
        raise InputError(f"{given}: no row has a column {', '.join(STATEMENT_COLUMNS[:5])} or messages{has}: name one")
    if not answered and "answer" in (columns or {}):
        named = (columns or {})["answer"]
        raise InputError(f"--column answer={named}: no row of {given} has anything there: name another column")


def _parsed(columns: Mapping[Field, str]) -> dict[Field, Expression]:
    try:
        return {field: parse(text) for field, text in columns.items()}
    except ExpressionError as error:
        raise InputError(str(error)) from None


def _input_row(row: RawRow, number: int, expressions: Mapping[Field, Expression]) -> InputRow | BadRow:
    if not isinstance(row.value, dict):
        return BadRow(row.location, "no_object", "the row is no object")
    chosen = expressions.get("statement")
    statement = statement_of(row.value) if chosen is None else text_of(chosen.extract(row.value).value)
    if statement is None or not statement.strip():
        why = chosen.extract(row.value).why if chosen is not None else ""
        return BadRow(row.location, "no_statement", why or "the row has no statement")
    answer = _plain(row.value, "answer", expressions.get("answer"))
    identifier = _plain(row.value, "id", expressions.get("id"))
    return InputRow(identifier or str(number), row.location, statement, answer, row.value)


def _plain(row: Mapping[str, JsonValue], name: str, expression: Expression | None) -> str | None:
    if expression is not None:
        return as_text(expression.extract(dict(row)).value)
    return next((as_text(value) for key, value in row.items() if key.casefold() == name), None)
