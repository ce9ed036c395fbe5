"""The parts of a pool's tables: numbered Parquet files, atomic, never changed, only put together into larger ones.

``part-000007.parquet`` is the seventh part; ``part-000001-000009.parquet`` holds the rows of the first nine, in their
order, and stands for whichever of them are still there: whoever is killed between writing it and deleting those has
lost and doubled nothing.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator, Sequence
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


def numbers(path: Path) -> tuple[int, int]:
    """Return the first and the last of the parts whose rows a part holds."""
    first, _, last = path.stem.removeprefix("part-").partition("-")
    return int(first), int(last or first)


def paths(directory: Path) -> list[Path]:
    """Return the parts in the order in which they were written, without those that another one stands for."""
    return _listed(directory)[0]


def superseded(directory: Path) -> list[Path]:
    """Return the parts that another one stands for, which a killed compaction left."""
    return _listed(directory)[1]


def name(first: int, last: int) -> str:
    """Return the file name of the part that holds the rows of these parts."""
    return f"part-{first:06d}.parquet" if first == last else f"part-{first:06d}-{last:06d}.parquet"


def append(directory: Path, frames: pl.DataFrame | Iterable[pl.DataFrame], schema: pl.Schema) -> Path:
    """Write a frame, or a stream of them, as the next part. Call it under `locked`."""
    last = paths(directory)
    number = numbers(last[-1])[1] + 1 if last else 1
    path = directory / name(number, number)
    storage.write_table(path, frames, schema)
    return path


def column(path: Path, column_name: str) -> list[list[str]]:
    """Return one text column of a part, a list for each row group.

    Raises:
        InputError: the part is damaged.
    """
    try:
        with pq.ParquetFile(path) as file:
            groups = [file.read_row_group(group, columns=[column_name]) for group in range(file.num_row_groups)]
    except (OSError, pa.ArrowException, KeyError) as error:
        raise _damaged(path, error) from None
    return [group.column(column_name).to_pylist() for group in groups]


def frames(directory: Path, schema: pl.Schema) -> Iterator[pl.DataFrame]:
    """Yield the parts of a directory, a row group at a time, as frames of ``schema``; see `row_group`.

    Rows of parts that are put together meanwhile may come twice.

    Raises:
        InputError: a part is damaged.
    """
    waiting = paths(directory)
    while waiting:
        path = waiting[0]
        try:
            for group in range(row_groups(path)):
                yield row_group(path, group, schema)
        except InputError:
            if path.exists():
                raise
            waiting = [later for later in paths(directory) if numbers(later)[1] >= numbers(path)[0]]
            continue
        waiting = waiting[1:]


def row_groups(path: Path) -> int:
    """Return how many row groups a part has.

    Raises:
        InputError: the part is damaged.
    """
    try:
        return int(pq.read_metadata(path).num_row_groups)
    except (OSError, pa.ArrowException) as error:
        raise _damaged(path, error) from None


def row_group(
    path: Path, group: int, schema: pl.Schema, *, checked: bool = False, without: Sequence[str] = ()
) -> pl.DataFrame:
    """Return one row group of a part as a frame of ``schema``; columns that an older part lacks are null.

    Args:
        path: the part.
        group: which, from 0.
        schema: the table's.
        checked: whether the checksums of the pages are compared.
        without: columns that are not read and are null.

    Raises:
        InputError: the part is damaged.
    """
    try:
        with pq.ParquetFile(path, page_checksum_verification=checked) as file:
            table = file.read_row_group(group, columns=[name for name in schema if name not in without])
    except (OSError, pa.ArrowException) as error:
        raise _damaged(path, error) from None
    frame = pl.DataFrame(table)
    return frame.select(
        (pl.col(column_name) if column_name in frame.columns else pl.lit(None)).cast(kind).alias(column_name)
        for column_name, kind in schema.items()
    )


def _listed(directory: Path) -> tuple[list[Path], list[Path]]:
    kept: list[Path] = []
    left: list[Path] = []
    furthest = 0
    # Of parts that begin together the one that reaches furthest stands for the others.
    for path in sorted(directory.glob("part-*.parquet"), key=lambda path: (numbers(path)[0], -numbers(path)[1])):
        last = numbers(path)[1]
        (kept if last > furthest else left).append(path)
        furthest = max(furthest, last)
    return kept, left


def _damaged(path: Path, error: Exception) -> InputError:
    return InputError(f"{path} cannot be read as a part of a pool ({error}): put it right or take it away")
