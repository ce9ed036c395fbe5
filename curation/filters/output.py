"""Files of rows whose columns are not known beforehand: JSONL, Parquet or CSV by suffix, whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

import polars as pl

from curation import storage
from curation.errors import InputError
from curation.filters.row_lines import RowLines
from curation.json_reader import JsonValue, as_text, loads

SUFFIXES = (".jsonl", ".parquet", ".csv")
_BATCH = 5_000


class RowFile:
    """Takes rows one by one or many at a time. Made by `open_rows`."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self.columns: dict[str, None] = {}

    def write(self, row: Mapping[str, JsonValue]) -> None:
        """Add a row."""
        lines = RowLines()
        lines.write(row)
        self.extend(lines)

    def extend(self, rows: RowLines) -> None:
        """Add rows."""
        self.columns.update(rows.columns)
        self._stream.writelines(rows.lines)


def refuse_overwriting(source: str, *outputs: Path) -> None:
    """See that no output is the file, or one in the folder of that name, that the rows come from.

    Raises:
        InputError: one is, and the rows as they came in would be gone; or there can be no such file.
    """
    origin = Path(source).resolve()
    for output in outputs:
        with storage.writing(output):
            place = output.resolve()
            is_there = place.exists()
        if place == origin or (is_there and origin in place.parents):
            raise InputError(
                f"{output} is what the rows are read from: give another file, so that they stay as they are"
            )


@contextmanager
def open_rows(path: Path) -> Iterator[RowFile]:
    """Open a file of rows. Parquet and CSV hold every column as text: numbers as written, nested values as JSON.

    Rows are spooled as JSONL first, because a Parquet or CSV file needs all of its columns at its beginning.

    Raises:
        InputError: the suffix is none of `SUFFIXES`, or there can be no such file.
        OutsideError: the disk is full.
    """
    if path.suffix not in SUFFIXES:
        raise InputError(f"{path}: rows are written as {', '.join(SUFFIXES)}: give one of these suffixes")
    if path.suffix == ".jsonl":
        with storage.atomic_file(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as stream:
            yield RowFile(stream)
        return
    with _spool(path) as spool, storage.while_room(path):
        rows = RowFile(spool)
        yield rows
        spool.seek(0)
        schema = pl.Schema(dict.fromkeys(rows.columns, pl.String()))
        frames = _frames(spool, schema)
        if path.suffix == ".parquet":
            storage.write_table(path, frames, schema)
        else:
            with storage.atomic_file(path) as temporary:
                _write_csv(temporary, frames, schema)


@contextmanager
def _spool(path: Path) -> Iterator[IO[str]]:
    """Open a file beside ``path`` that is gone at the end."""
    with storage.writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        spool = NamedTemporaryFile(  # noqa: SIM115 - closed below
            "w+", encoding="utf-8", newline="", dir=path.parent, prefix=storage.TEMPORARY_MARK
        )
    try:
        yield spool
    finally:
        # On a full disk what is still to be written fails once more, and it is deleted here anyway.
        with suppress(OSError):
            spool.close()


def _frames(spool: Iterator[str], schema: pl.Schema) -> Iterator[pl.DataFrame]:
    while lines := list(islice(spool, _BATCH)):
        columns: dict[str, list[str | None]] = {name: [] for name in schema.names()}
        for line in lines:
            row = loads(line)
            for name, values in columns.items():
                values.append(as_text(row.get(name)) if isinstance(row, dict) else None)
        yield pl.DataFrame(columns, schema=schema)


def _write_csv(path: Path, frames: Iterator[pl.DataFrame], schema: pl.Schema) -> None:
    """Write the header and the rows; null is nothing between commas, an empty text is two quotation marks."""
    with path.open("wb") as stream:
        pl.DataFrame(schema=schema).write_csv(stream)
        for frame in frames:
            frame.write_csv(stream, include_header=False)
