"""The one atomic writer: a file or directory appears whole under its name, or not at all."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from curation.errors import InputError, OutsideError

TEMPORARY_MARK = ".partial-"
"""What a name holds while its content is being written; `remove_leftovers` deletes what a killed process left."""

ROW_GROUP_BYTES = 64 << 20
"""A row group is closed at about this much text, so that a reader's Arrow strings stay far below 2 GB."""

_ROW_GROUP_ROWS = 50_000
_LITTLE_ROOM = 1 << 20
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]+:")


def _temporary(path: Path) -> Path:
    return path.with_name(f"{TEMPORARY_MARK}{os.getpid()}-{path.name}")


def on_this_machine(path: Path) -> Path:
    """Return a path as it is.

    Raises:
        InputError: it was an address, as in ``s3://bucket/out``, which would become a directory called ``s3:``.
    """
    if path.parts and _SCHEME.fullmatch(path.parts[0]):
        raise InputError(f"{path} is an address, and this is written on this machine alone: give a path")
    return path


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Make what the system says against writing ``path`` an `InputError` that names it."""
    on_this_machine(path)
    try:
        yield
    except OSError as error:
        raise InputError(f"{path} cannot be written ({error.strerror}): choose another place") from None


@contextmanager
def while_room(path: Path) -> Iterator[None]:
    """Make a disk that fills up while ``path`` is written an `OutsideError` that names it.

    Raises:
        OutsideError: the disk of ``path`` is full; where another one is, its error passes.
    """
    try:
        yield
    except OSError as error:
        if error.errno != errno.ENOSPC or not _is_full(path.parent):
            raise
        raise OutsideError(f"{path} cannot be written ({error.strerror}): make room and run again") from None


def _is_full(directory: Path) -> bool:
    state = os.statvfs(directory)
    return state.f_bavail * state.f_frsize < _LITTLE_ROOM or not state.f_favail


@contextmanager
def atomic_file(path: Path) -> Iterator[Path]:
    """Give a temporary path to write; rename it to ``path`` on success, delete it on failure.

    Raises:
        InputError: there can be no such file, because of its name, its directory or who may write there.
        OutsideError: the disk is full.
    """
    temporary = _temporary(path)
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        # Made before the work, so that hours of it are not lost to a directory that takes no file.
        temporary.touch()
    try:
        with while_room(path):
            yield temporary
            with temporary.open("rb") as written:
                os.fsync(written.fileno())
            temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def atomic_directory(path: Path) -> Iterator[Path]:
    """Give a temporary directory to fill; swap it for ``path`` on success, delete it on failure.

    Raises:
        InputError: there can be no such directory, because of its name, its place or who may write there.
        OutsideError: the disk is full.
    """
    temporary = _temporary(path)
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir()
    try:
        with while_room(path):
            yield temporary
        if path.exists():
            old = _temporary(path.with_name(path.name + ".old"))
            path.replace(old)
            temporary.replace(path)
            shutil.rmtree(old)
        else:
            temporary.replace(path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def write_text(path: Path, text: str) -> None:
    """Write ``text`` as UTF-8 with its line ends untouched, atomically."""
    with atomic_file(path) as temporary:
        temporary.write_bytes(text.encode())


def remove_leftovers(directory: Path) -> int:
    """Delete what killed writers left anywhere under ``directory``; return how many entries that were."""
    count = 0
    if not directory.is_dir():
        return 0
    for entry in sorted(directory.rglob(f"{TEMPORARY_MARK}*")):
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry, ignore_errors=True)
        else:
            entry.unlink(missing_ok=True)
        count += 1
    return count


def arrow_schema(schema: pl.Schema) -> pa.Schema:
    """Return the Arrow schema of a Polars one, with plain ``string`` and ``list`` types as `datasets` expects."""

    def plain(kind: pa.DataType) -> pa.DataType:
        if pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
            return pa.string()
        if pa.types.is_large_list(kind):
            return pa.list_(pa.field("element", plain(kind.value_type)))
        if pa.types.is_struct(kind):
            return pa.struct([pa.field(field.name, plain(field.type)) for field in kind])
        return kind

    empty = pl.DataFrame(schema=schema).to_arrow()
    return pa.schema([pa.field(field.name, plain(field.type)) for field in empty.schema])


class TableWriter:
    """Writes one table frame by frame. Made by `open_table`.

    The file's bytes depend only on the rows and their order, not on how they were split into frames.
    """

    def __init__(self, writer: pq.ParquetWriter, schema: pl.Schema) -> None:
        self._writer, self._schema, self._target = writer, schema, arrow_schema(schema)
        self._pending: list[pl.DataFrame] = []
        self._pending_rows = self._pending_bytes = 0
        self.rows = 0

    def write(self, frame: pl.DataFrame) -> None:
        """Add a frame's rows.

        Raises:
            polars.exceptions.SchemaError: a column has another type than the table's.
        """
        typed = frame.select(pl.col(name) for name in self._schema.names())
        if typed.schema != self._schema:
            wrong = next(name for name, kind in self._schema.items() if typed.schema[name] != kind)
            raise pl.exceptions.SchemaError(f"column {wrong!r} is {typed.schema[wrong]}, not {self._schema[wrong]}")
        # Rows are measured one by one so that the cut does not depend on how the caller split them.
        start = 0
        for index, weight in enumerate(_row_bytes(typed)):
            full = self._pending_rows >= _ROW_GROUP_ROWS or self._pending_bytes + weight > ROW_GROUP_BYTES
            if self._pending_rows and full:
                self._pending.append(typed.slice(start, index - start))
                self.close_group()
                start = index
            self._pending_rows += 1
            self._pending_bytes += weight
        if start < typed.height:
            self._pending.append(typed.slice(start))

    def close_group(self) -> None:
        """Write the rows that wait for their row group to fill."""
        if self._pending_rows:
            group = pl.concat(self._pending)
            self._writer.write_table(group.to_arrow().cast(self._target), row_group_size=max(1, group.height))
            self.rows += group.height
            self._pending, self._pending_rows, self._pending_bytes = [], 0, 0


@contextmanager
def open_table(path: Path, schema: pl.Schema) -> Iterator[TableWriter]:
    """Open a Parquet file for a step that writes several tables in one pass, in constant memory.

    The file appears under its name when the block ends, and not at all when it fails.

    Args:
        path: the file to write.
        schema: columns and types, always given, never inferred.
    """
    with (
        atomic_file(path) as temporary,
        pq.ParquetWriter(
            temporary, arrow_schema(schema), compression="zstd", version="2.6", write_page_checksum=True
        ) as file,
    ):
        writer = TableWriter(file, schema)
        yield writer
        writer.close_group()


def write_table(path: Path, frames: pl.DataFrame | Iterable[pl.DataFrame], schema: pl.Schema) -> int:
    """Write frames as one Parquet file, atomically and in constant memory; return the number of rows.

    The bytes depend only on the rows and their order, not on how they were split into frames.

    Args:
        path: the file to write.
        frames: one frame or a stream of them, each with the columns of ``schema``.
        schema: columns and types, always given, never inferred.

    Raises:
        polars.exceptions.SchemaError: a frame's column has another type.
    """
    with open_table(path, schema) as writer:
        for frame in [frames] if isinstance(frames, pl.DataFrame) else frames:
            writer.write(frame)
    return writer.rows


def _row_bytes(frame: pl.DataFrame) -> list[int]:
    def size(name: str, kind: pl.DataType) -> pl.Expr:
        column = pl.col(name)
        if kind == pl.String:
            return column.str.len_bytes().fill_null(0).cast(pl.Int64)
        if isinstance(kind, pl.List):
            inner = (
                pl.element().struct.json_encode() if isinstance(kind.inner, pl.Struct) else pl.element().cast(pl.String)
            )
            return column.list.eval(inner.str.len_bytes()).list.sum().fill_null(0).cast(pl.Int64)
        return pl.lit(8, dtype=pl.Int64)

    total = pl.sum_horizontal(size(name, kind) for name, kind in frame.schema.items())
    return frame.select(total.alias("bytes")).to_series().to_list() if frame.height else []


def read_table(path: Path, schema: pl.Schema) -> pl.DataFrame:
    """Read a table that this program wrote.

    Raises:
        InputError: the file is missing, damaged or of another schema.
    """
    try:
        frame = pl.read_parquet(path, use_pyarrow=False, glob=False)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise InputError(f"{path} cannot be read as a table ({error}): delete it and run again") from None
    missing = [name for name in schema.names() if name not in frame.columns]
    if missing:
        raise InputError(
            f"{path} has no column {missing[0]!r}: it was written by another version, delete it and run again"
        )
    return frame.select(pl.col(name).cast(kind) for name, kind in schema.items())


def check_columns(path: Path, schema: pl.Schema) -> None:
    """Check that a table has the columns of ``schema`` with their types, without reading its rows.

    Raises:
        InputError: the file is missing, damaged or of another schema; names the column.
    """
    try:
        found = pl.read_parquet_schema(path)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise InputError(f"{path} cannot be read as a Parquet table ({error}): give another file") from None
    for name, kind in schema.items():
        if found.get(name) != kind:
            raise InputError(f"{path} needs a column {name!r} of type {kind}: give a table with these columns")


def iterate_table(path: Path, schema: pl.Schema, rows: int = 20_000) -> Iterator[pl.DataFrame]:
    """Read a table that this program wrote in frames of at most ``rows`` rows, in constant memory."""
    # With ``pre_buffer`` Arrow keeps what it has read until the file's end.
    with pq.ParquetFile(path, pre_buffer=False) as file:
        for batch in file.iter_batches(batch_size=rows, columns=schema.names()):
            frame = pl.from_arrow(pa.Table.from_batches([batch]))
            if isinstance(frame, pl.DataFrame):
                yield frame.select(pl.col(name).cast(kind) for name, kind in schema.items())


def sha256_file(path: Path) -> str:
    """Return the SHA-256 of a file's bytes, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def sha256_text(text: str) -> str:
    """Return the SHA-256 of a text's UTF-8 bytes, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()
