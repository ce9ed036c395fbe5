"""What a row is, and rows out of JSON files. Numbers stay the text that they were.

A file that cannot be used at all raises `InputError`; a single row that cannot be read is a `BadRow`.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import BinaryIO, Literal, NamedTuple

from curation.errors import InputError
from curation.json_reader import JsonTextError, JsonValue, RepeatedKeyError, dumps, iterate_array, loads

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


class JsonLine(NamedTuple):
    """One row as a line of JSON that is not parsed yet: parsing is work that other processes can do.

    Attributes:
        name: the file.
        number: the line's, counted from 1.
        line: the line as it stands in the file.
    """

    name: str
    number: int
    line: bytes

    def row(self) -> RawRow | BadRow:
        """Parse the line."""
        location = f"{self.name}:{self.number}"
        try:
            value = loads(self.line.decode())
        except UnicodeDecodeError as error:
            return BadRow(location, "not_utf8", f"byte {error.start + 1} of the line is no UTF-8")
        except JsonTextError as error:
            shown = {"text": self.line[:_SHOWN].decode(errors="replace")}
            if isinstance(error, RepeatedKeyError):
                return _repeated_key(location, error, shown)
            return BadRow(location, "broken_json", f"the line is no JSON: {error}", shown)
        return as_row(location, value)


Rows = Iterator[RawRow | BadRow]
UnparsedRows = Iterator[JsonLine | RawRow | BadRow]


def json_lines(open_file: OpenFile, name: str) -> Iterator[JsonLine]:
    r"""Read the lines that are not blank; only ``\n`` ends a line, so that U+2028 and the like stay inside theirs.

    Raises:
        InputError: the file is UTF-16.
    """
    with open_file() as stream:
        refuse_wide_text(stream, name)
    with open_file() as stream:
        for number, line in enumerate(stream, start=1):
            if not line.isspace():
                yield JsonLine(name, number, line)


def read_jsonl(open_file: OpenFile, name: str) -> Rows:
    """Read one JSON value a line.

    Raises:
        InputError: the file is UTF-16.
    """
    yield from map(parsed, json_lines(open_file, name))


def parsed(row: JsonLine | RawRow | BadRow) -> RawRow | BadRow:
    """Return the row, parsed where it is a line."""
    return row.row() if isinstance(row, JsonLine) else row


def read_json(open_file: OpenFile, name: str) -> Rows:
    """Read an array of rows, an object of rows, an object that holds one array of rows, or JSON lines.

    The rows of an object of rows get their key as ``key`` where they have no such column.

    Raises:
        InputError: the file is no JSON, is cut off, or is not UTF-8.
    """
    with open_file() as stream:
        refuse_wide_text(stream, name)
    with open_file() as stream:
        start = stream.read(_LOOKED_AT).removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"["):
        yield from _array(open_file, name)
    elif _has_lines(open_file):
        yield from read_jsonl(open_file, name)
    else:
        yield from _object(open_file, name)


def as_row(location: str, value: JsonValue) -> RawRow | BadRow:
    """Return the value as a row; only objects and lists are rows."""
    if isinstance(value, dict | list):
        return RawRow(location, value)
    return BadRow(location, "no_object", "the row is no object", {"text": dumps(value)[:_SHOWN]})


def _repeated_key(location: str, error: RepeatedKeyError, shown: Mapping[str, object] | None = None) -> BadRow:
    return BadRow(location, "repeated_key", f"{error}: which value is meant nobody can tell", shown or {})


def _array(open_file: OpenFile, name: str) -> Rows:
    number = 0
    try:
        with io.TextIOWrapper(open_file(), encoding="utf-8", newline="") as text:
            for number, value in enumerate(iterate_array(text), start=1):
                location = f"{name}:row {number}"
                yield _repeated_key(location, value) if isinstance(value, Exception) else as_row(location, value)
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


def refuse_wide_text(stream: BinaryIO, name: str) -> None:
    """Refuse text whose first bytes mark it as UTF-16.

    Raises:
        InputError: they do.
    """
    encoding = _WIDE_MARKS.get(stream.read(2))
    if encoding is not None:
        raise InputError(f"{name} is {encoding}, not UTF-8: save it as UTF-8")
