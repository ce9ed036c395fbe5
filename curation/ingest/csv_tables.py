"""Rows out of CSV files. Every cell is text; an empty cell is null and an empty quoted one an empty text."""

from __future__ import annotations

import os
from typing import BinaryIO

import pyarrow as pa
import pyarrow.csv as pa_csv

from curation.errors import InputError
from curation.ingest.compression import local_copy
from curation.ingest.readers import BadRow, OpenFile, RawRow, Rows, refuse_wide_text

_BLOCK = 32 << 20
_TAIL = 1 << 16

Cells = tuple[bytes | None, ...]


def read_csv(open_file: OpenFile, name: str, delimiter: str) -> Rows:
    """Read comma- or tab-separated text.

    Raises:
        InputError: there is no header, two columns share a name, or a cell is larger than 32 MiB.
    """
    with open_file() as stream:
        refuse_wide_text(stream, name)
    uneven: dict[int, int] = {}

    def skip(row: pa_csv.InvalidRow) -> str:
        uneven[row.number - 1] = row.actual_columns
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
    uneven: dict[int, int],
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
                yield _uneven(name, number, len(columns), uneven.pop(number))
                number += 1
            held = (f"{name}:row {number}", cells)
    if held is not None and _is_cut_off(copy, held[1][-1], delimiter):
        yield BadRow(held[0], "cut_off", "the file ends inside a quoted cell")
    elif held is not None:
        yield _row(*held, columns)
    for row, found in sorted(uneven.items()):
        yield _uneven(name, row, len(columns), found)


def _is_cut_off(copy: BinaryIO, last_cell: bytes | None, delimiter: str) -> bool:
    """Return whether a file ends inside the quotes of its last cell, which the parser takes for a whole one."""
    size = copy.seek(0, os.SEEK_END)
    copy.seek(max(0, size - _TAIL))
    tail = copy.read()
    escaped = (last_cell or b"").replace(b'"', b'""')
    if len(escaped) >= _TAIL:
        return tail.endswith(escaped[-_TAIL:])
    return tail.endswith((delimiter.encode() + b'"' + escaped, b'\n"' + escaped))


def _uneven(name: str, number: int, expected: int, found: int) -> BadRow:
    return BadRow(f"{name}:row {number}", "uneven_row", f"the row has {found} cells, the header {expected}")


def _row(location: str, cells: Cells, columns: list[str]) -> RawRow | BadRow:
    try:
        values = [None if cell is None else cell.decode() for cell in cells]
    except UnicodeDecodeError:
        return BadRow(location, "not_utf8", "a cell is no UTF-8")
    return RawRow(location, dict(zip(columns, values, strict=True)))
