"""A directory of append-only Parquet parts that several processes may write: numbered, atomic, never changed."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from curation import storage
from curation.errors import InputError


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Keep other processes from adding parts under ``directory``; the lock ends with the process at the latest."""
    directory.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def paths(directory: Path) -> list[Path]:
    """Return the parts in the order in which they were written."""
    return sorted(directory.glob("part-*.parquet"))


def append(directory: Path, frame: pl.DataFrame, schema: pl.Schema) -> Path:
    """Write a frame as the next part. Call it under `locked`."""
    last = paths(directory)
    number = int(last[-1].stem.removeprefix("part-")) + 1 if last else 1
    path = directory / f"part-{number:06d}.parquet"
    storage.write_table(path, frame, schema)
    return path


def column(path: Path, name: str) -> list[list[str]]:
    """Return one text column of a part, a list for each row group.

    Raises:
        InputError: the part is damaged.
    """
    try:
        with pq.ParquetFile(path) as file:
            groups = [file.read_row_group(group, columns=[name]) for group in range(file.num_row_groups)]
    except (OSError, pa.ArrowException, KeyError) as error:
        raise _damaged(path, error) from None
    return [group.column(name).to_pylist() for group in groups]


def frames(directory: Path, schema: pl.Schema) -> Iterator[pl.DataFrame]:
    """Yield the parts of a directory, a row group at a time, as frames of ``schema``; see `row_group`.

    Raises:
        InputError: a part is damaged.
    """
    for path in paths(directory):
        try:
            groups = pq.read_metadata(path).num_row_groups
        except (OSError, pa.ArrowException) as error:
            raise _damaged(path, error) from None
        for group in range(groups):
            yield row_group(path, group, schema)


def row_group(path: Path, group: int, schema: pl.Schema) -> pl.DataFrame:
    """Return one row group of a part as a frame of ``schema``; columns that an older part lacks are null.

    Raises:
        InputError: the part is damaged.
    """
    try:
        with pq.ParquetFile(path) as file:
            table = file.read_row_group(group)
    except (OSError, pa.ArrowException) as error:
        raise _damaged(path, error) from None
    frame = pl.DataFrame(table)
    return frame.select(
        (pl.col(name) if name in frame.columns else pl.lit(None)).cast(kind).alias(name)
        for name, kind in schema.items()
    )


def _damaged(path: Path, error: Exception) -> InputError:
    return InputError(f"{path} cannot be read as a part of a pool ({error}): put it right or take it away")
