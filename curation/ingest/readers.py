"""Rows out of text files: JSON lines, JSON, CSV. Cells and numbers stay the text that they were.

A file that cannot be used at all raises `InputError`; a single row that cannot be read is a `BadRow`.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import BinaryIO, Literal

import pyarrow as pa
import pyarrow.csv as pa_csv

from curation.errors import InputError
from curation.json_reader import JsonTextError, JsonValue, dumps, iterate_array, loads

OpenFile = Callable[[], BinaryIO]
"""Opens one file from its beginning; it may be called more than once."""

Kind = Literal["jsonl", "json", "csv", "tsv", "parquet", "arrow"]

SUFFIXES: Mapping[str, Kind] = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
}
"""What a data file's name says about it, without a suffix of compression."""

_CSV_BLOCK = 32 << 20
_TAIL = 1 << 16
_SHOWN = 200
_LOOKED_AT = 4_096
_WIDE_MARKS = {b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}


@dataclass(frozen=True, slots=True)
class RawRow:
    """One row as the source has it.

    Attributes:
        location: file and line (``a.jsonl:7``) or file and row (``a.parquet:row 7``), counted from 1.
        value: the row, an object or a list; numbers as `JsonNumber`.
    """

    location: str
    value: JsonValue


@dataclass(frozen=True, slots=True)
class BadRow:
    """One row that cannot be read.

    Attributes:
        location: as in `RawRow`.
        rule: the ledger's name for what is wrong.
        reason: one sentence.
        evidence: what was seen; JSON kinds only.
    """

    location: str
    rule: str
    reason: str
    evidence: Mapping[str, object] = field(default_factory=dict)


Rows = Iterator[RawRow | BadRow]


def read_jsonl(open_file: OpenFile, name: str) -> Rows:
    r"""Read one JSON value a line; only ``\n`` ends a line, so that U+2028 and the like stay inside theirs."""
    with open_file() as stream:
        _refuse_wide_text(stream, name)
    with open_file() as stream:
        for number, line in enumerate(stream, start=1):
            if not line.strip():
                continue
            location = f"{name}:{number}"
            try:
                value = loads(line.decode())
            except UnicodeDecodeError as error:
                yield BadRow(location, "not_utf8", f"byte {error.start + 1} of the line is no UTF-8")
            except JsonTextError as error:
                shown = {"text": line[:_SHOWN].decode(errors="replace")}
                yield BadRow(location, "broken_json", f"the line is no JSON: {error}", shown)
            else:
                yield as_row(location, value)


def read_json(open_file: OpenFile, name: str) -> Rows:
    """Read an array of rows, an object of rows, an object that holds one array of rows, or JSON lines.

    The rows of an object of rows get their key as ``key`` where they have no such column.

    Raises:
        InputError: the file is no JSON, is cut off, or is not UTF-8.
    """
    with open_file() as stream:
        _refuse_wide_text(stream, name)
    with open_file() as stream:
        start = stream.read(_LOOKED_AT).removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"["):
        yield from _array(open_file, name)
    elif _has_lines(open_file):
        yield from read_jsonl(open_file, name)
    else:
        yield from _object(open_file, name)


def read_csv(open_file: OpenFile, name: str, delimiter: str) -> Rows:
    """Read comma- or tab-separated text; every cell is text, an empty unquoted one is null.

    Raises:
        InputError: there is no header, two columns share a name, or a cell is larger than 32 MiB.
    """
    with open_file() as stream:
        _refuse_wide_text(stream, name)
    uneven: dict[int, int] = {}

    def skip(row: pa_csv.InvalidRow) -> str:
        uneven[row.number - 1] = row.actual_columns
        return "skip"

    with open_file() as stream:
        watched = _TailKeeper(stream)
        try:
            with pa_csv.open_csv(
                watched,
                # Rows have numbers only where one thread reads them.
                pa_csv.ReadOptions(use_threads=False, block_size=_CSV_BLOCK),
                pa_csv.ParseOptions(delimiter=delimiter, newlines_in_values=True, invalid_row_handler=skip),
                pa_csv.ConvertOptions(
                    default_column_type=pa.binary(),
                    null_values=[""],
                    strings_can_be_null=True,
                    quoted_strings_can_be_null=False,
                ),
            ) as reader:
                columns = _header(reader.schema, name)
                yield from _csv_rows(reader, columns, name, uneven, watched, delimiter)
        except pa.ArrowInvalid as error:
            raise InputError(f"{name} cannot be read as CSV ({error}): mend the file") from None


def as_row(location: str, value: JsonValue) -> RawRow | BadRow:
    """Return the value as a row; only objects and lists are rows."""
    if isinstance(value, dict | list):
        return RawRow(location, value)
    return BadRow(location, "no_object", "the row is no object", {"text": dumps(value)[:_SHOWN]})


def _array(open_file: OpenFile, name: str) -> Rows:
    number = 0
    try:
        with io.TextIOWrapper(open_file(), encoding="utf-8", newline="") as text:
            for number, value in enumerate(iterate_array(text), start=1):
                yield as_row(f"{name}:row {number}", value)
    except JsonTextError as error:
        raise InputError(f"{name}: row {number + 1}: {error}: mend the file or take it whole from its source") from None
    except UnicodeDecodeError:
        raise InputError(f"{name}: about row {number + 1}: the file is not UTF-8: save it as UTF-8") from None


def _object(open_file: OpenFile, name: str) -> Rows:
    with open_file() as stream:
        content = stream.read()
    try:
        document = loads(content.decode())
    except UnicodeDecodeError as error:
        raise InputError(f"{name}: byte {error.start + 1} is no UTF-8: save the file as UTF-8") from None
    except JsonTextError as error:
        raise InputError(f"{name} is no JSON ({error}): mend the file or take it whole from its source") from None
    if not isinstance(document, dict):
        raise InputError(f"{name} holds no rows: an array or an object of rows is expected")
    arrays = [value for value in document.values() if isinstance(value, list) and _are_objects(value)]
    if document and _are_objects(list(document.values())):
        for key, row in document.items():
            if isinstance(row, dict):
                yield RawRow(f"{name}:key {key!r}", {"key": key, **row})
    elif len(arrays) == 1:
        for number, value in enumerate(arrays[0], start=1):
            yield as_row(f"{name}:row {number}", value)
    else:
        yield RawRow(f"{name}:row 1", document)


def _are_objects(values: list[JsonValue]) -> bool:
    return bool(values) and all(isinstance(value, dict) for value in values)


def _has_lines(open_file: OpenFile) -> bool:
    """Return whether the first line with text is a value of its own and another one follows."""
    with open_file() as stream:
        lines = (line for line in stream if line.strip())
        first = next(lines, b"")
        try:
            loads(first.decode())
        except (UnicodeDecodeError, JsonTextError):
            return False
        return next(lines, None) is not None


def _refuse_wide_text(stream: BinaryIO, name: str) -> None:
    encoding = _WIDE_MARKS.get(stream.read(2))
    if encoding is not None:
        raise InputError(f"{name} is {encoding}, not UTF-8: save it as UTF-8")


class _TailKeeper(io.RawIOBase):
    """Passes a stream on and keeps its end: the CSV parser takes a quoted cell that is never closed for a whole one."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._tail = b""

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        chunk = self._stream.read(size)
        self._tail = (self._tail + chunk[-_TAIL:])[-_TAIL:]
        return chunk

    def is_cut_off(self, last_cell: bytes | None, delimiter: str) -> bool:
        """Return whether the stream ends inside the quotes of this last cell."""
        escaped = (last_cell or b"").replace(b'"', b'""')
        if len(escaped) >= _TAIL:
            return self._tail.endswith(escaped[-_TAIL:])
        return self._tail.endswith((delimiter.encode() + b'"' + escaped, b'\n"' + escaped))


def _header(schema: pa.Schema, name: str) -> list[str]:
    twice = next((column for column in schema.names if schema.names.count(column) > 1), None)
    if twice is not None:
        raise InputError(f"{name}: two columns are called {twice!r}: give one of them another name")
    return list(schema.names)


def _csv_rows(
    reader: pa_csv.CSVStreamingReader,
    columns: list[str],
    name: str,
    uneven: dict[int, int],
    watched: _TailKeeper,
    delimiter: str,
) -> Rows:
    number = 0
    held: tuple[str, tuple[bytes | None, ...]] | None = None
    for batch in reader:
        for cells in zip(*(column.to_pylist() for column in batch.columns), strict=True):
            if held is not None:
                yield _csv_row(*held, columns)
            number += 1
            while number in uneven:
                yield _uneven(name, number, len(columns), uneven.pop(number))
                number += 1
            held = (f"{name}:row {number}", cells)
    if held is not None and watched.is_cut_off(held[1][-1], delimiter):
        yield BadRow(held[0], "cut_off", "the file ends inside a quoted cell")
    elif held is not None:
        yield _csv_row(*held, columns)
    for row, found in sorted(uneven.items()):
        yield _uneven(name, row, len(columns), found)


def _uneven(name: str, number: int, expected: int, found: int) -> BadRow:
    return BadRow(f"{name}:row {number}", "uneven_row", f"the row has {found} cells, the header {expected}")


def _csv_row(location: str, cells: tuple[bytes | None, ...], columns: list[str]) -> RawRow | BadRow:
    try:
        values = [None if cell is None else cell.decode() for cell in cells]
    except UnicodeDecodeError:
        return BadRow(location, "not_utf8", "a cell is no UTF-8")
    return RawRow(location, dict(zip(columns, values, strict=True)))
