"""Rows out of CSV files. Every cell is text; an empty cell is null and an empty quoted one an empty text.

A quote that is never closed, or closed too late, makes one row of many. Each of its lines that has all cells by itself
is a bad row of its own, so that none goes uncounted.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

import pyarrow as pa
import pyarrow.csv as pa_csv

from curation.errors import InputError
from curation.ingest.compression import local_copy
from curation.ingest.readers import BadRow, OpenFile, RawRow, Rows, refuse_wide_text

_BLOCK = 32 << 20
_TAIL = 1 << 16
_SHOWN = 200

Cells = tuple[bytes | None, ...]


@dataclass(frozen=True, slots=True)
class _Uneven:
    """A row with other than the header's number of cells; ``text`` is None where it is no UTF-8."""

    cells: int
    text: str | None


def read_csv(open_file: OpenFile, name: str, delimiter: str) -> Rows:
    """Read comma- or tab-separated text.

    Raises:
        InputError: there is no header, two columns share a name, or a cell is larger than 32 MiB.
    """
    with open_file() as stream:
        refuse_wide_text(stream, name)
    uneven: dict[int, _Uneven] = {}

    def skip(row: pa_csv.InvalidRow) -> str:
        uneven[row.number - 1] = _Uneven(row.actual_columns, row.text)
        return "skip"

    with local_copy(open_file) as copy:
        try:
            with pa_csv.open_csv(
                # Arrow reads ahead in a thread, which must hold no Python stream when the program ends.
                pa.OSFile(f"/dev/fd/{copy.fileno()}"),
                # Rows have numbers only where one thread parses them.
                pa_csv.ReadOptions(use_threads=False, block_size=_BLOCK),
                pa_csv.ParseOptions(delimiter=delimiter, newlines_in_values=True, invalid_row_handler=skip),
                pa_csv.ConvertOptions(
                    default_column_type=pa.binary(),
                    null_values=[""],
                    strings_can_be_null=True,
                    quoted_strings_can_be_null=False,
                ),
            ) as reader:
                columns = _header(reader.schema, name)
                yield from _rows(reader, columns, name, uneven, copy, delimiter)
        except pa.ArrowInvalid as error:
            raise InputError(f"{name} cannot be read as CSV ({error}): mend the file") from None


def _header(schema: pa.Schema, name: str) -> list[str]:
    twice = next((column for column in schema.names if schema.names.count(column) > 1), None)
    if twice is not None:
        raise InputError(f"{name}: two columns are called {twice!r}: give one of them another name")
    return list(schema.names)


def _rows(
    reader: pa_csv.CSVStreamingReader,
    columns: list[str],
    name: str,
    uneven: dict[int, _Uneven],
    copy: BinaryIO,
    delimiter: str,
) -> Rows:
    number = 0
    held: tuple[str, Cells] | None = None
    for batch in reader:
        for cells in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            if held is not None:
                yield _row(*held, columns)
            number += 1
            while number in uneven:
                yield from _uneven(f"{name}:row {number}", uneven.pop(number), len(columns), delimiter)
                number += 1
            held = (f"{name}:row {number}", cells)
    if held is not None and _is_cut_off(copy, held[1][-1], delimiter):
        yield from _cut_off(held[0], (held[1][-1] or b"").decode(errors="replace"), len(columns), delimiter)
    elif held is not None:
        yield _row(*held, columns)
    last = max(uneven, default=0)
    for row, found in sorted(uneven.items()):
        if row == last and _is_open(found.text):
            yield from _cut_off(f"{name}:row {row}", found.text or "", len(columns), delimiter)
        else:
            yield from _uneven(f"{name}:row {row}", found, len(columns), delimiter)


def _is_cut_off(copy: BinaryIO, last_cell: bytes | None, delimiter: str) -> bool:
    """Return whether a file ends inside the quotes of its last cell, which the parser takes for a whole one."""
    size = copy.seek(0, os.SEEK_END)
    copy.seek(max(0, size - _TAIL))
    tail = copy.read()
    escaped = (last_cell or b"").replace(b'"', b'""')
    if len(escaped) >= _TAIL:
        return tail.endswith(escaped[-_TAIL:])
    return tail.endswith((delimiter.encode() + b'"' + escaped, b'\n"' + escaped))


def _uneven(location: str, row: _Uneven, columns: int, delimiter: str) -> Iterator[BadRow]:
    first, inside = _rows_inside(row.text or "", columns, delimiter)
    late = f"; {len(inside)} rows are inside its quotes" if inside else ""
    reason = f"the row has {row.cells} cells, the header {columns}{late}"
    yield BadRow(location, "uneven_row", reason, {"text": first})
    yield from _swallowed(location, inside)


def _is_open(text: str | None) -> bool:
    return text is not None and text.count('"') % 2 == 1


def _cut_off(location: str, text: str, columns: int, delimiter: str) -> Iterator[BadRow]:
    first, inside = _rows_inside(text, columns, delimiter)
    late = f"; {len(inside)} rows are inside" if inside else ""
    yield BadRow(location, "cut_off", f"the file ends inside a quoted cell{late}", {"text": first})
    yield from _swallowed(location, inside)


def _rows_inside(text: str, columns: int, delimiter: str) -> tuple[str, list[tuple[int, str]]]:
    """Return the first line of a row, and the others that are rows by themselves with their numbers in it."""
    first, *rest = text.split("\n")
    return first[:_SHOWN], [
        (number, line.rstrip("\r"))
        for number, line in enumerate(rest, start=2)
        if line.strip() and _cells(line, delimiter) == columns
    ]


def _cells(line: str, delimiter: str) -> int:
    # The reader's own limit on a cell; no row that is looked for here comes near it.
    return len(next(csv.reader([line], delimiter=delimiter), [])) if len(line) < csv.field_size_limit() else 0


def _swallowed(location: str, inside: list[tuple[int, str]]) -> Iterator[BadRow]:
    for number, line in inside:
        reason = "the line is inside a quote that an earlier row opens and does not close in time"
        yield BadRow(f"{location}, line {number}", "inside_quote", reason, {"text": line[:_SHOWN]})


def _row(location: str, cells: Cells, columns: list[str]) -> RawRow | BadRow:
    try:
        values = [None if cell is None else cell.decode() for cell in cells]
    except UnicodeDecodeError:
        return BadRow(location, "not_utf8", "a cell is no UTF-8")
    return RawRow(location, dict(zip(columns, values, strict=True)))
