"""The parts of a pool's tables: numbered Parquet files, atomic, never changed, only put together into larger ones.

``part-000007.parquet`` is the seventh part; ``part-000001-000009.parquet`` holds the rows of the first nine, in their
order, and stands for whichever of them are still there: whoever is killed between writing it and deleting those has
lost and doubled nothing.

Where no lock keeps writers of other machines apart, a name has a word of its own after the numbers,
``part-000007.3f9a1c02.parquet``, so that no part takes another one's place. Two such parts may hold one row, and a part
never stands for others: of the rows with one key the first counts, in the order of `paths`.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from curation import storage
from curation.errors import InputError
from curation.llm import places
from curation.llm.places import PoolPath

_SUFFIX = ".parquet"
_WORD_BYTES = 4


def numbers(path: PoolPath) -> tuple[int, int]:
    """Return the first and the last of the parts whose rows a part holds."""
    first, _, last = path.stem.removeprefix("part-").partition(".")[0].partition("-")
    return int(first), int(last or first)


def paths(directory: PoolPath) -> list[PoolPath]:
    """Return the parts in the order in which they were written, without those that another one stands for."""
    return _listed(directory)[0]


def superseded(directory: PoolPath) -> list[PoolPath]:
    """Return the parts that another one stands for, which a killed compaction left."""
    return _listed(directory)[1]


def name(first: int, last: int, directory: PoolPath) -> str:
    """Return a file name for the part that holds the rows of these parts of a directory."""
    both = f"part-{first:06d}" if first == last else f"part-{first:06d}-{last:06d}"
    return f"{both}{_SUFFIX}" if isinstance(directory, Path) else f"{both}.{secrets.token_hex(_WORD_BYTES)}{_SUFFIX}"


def append(directory: PoolPath, frames: pl.DataFrame | Iterable[pl.DataFrame], schema: pl.Schema) -> PoolPath:
    """Write a frame, or a stream of them, as the next part. Call it under `places.locked`.

    Raises:
        OutsideError: the file system cannot be reached, or may not be written.
    """
    last = paths(directory)
    number = numbers(last[-1])[1] + 1 if last else 1
    path = directory / name(number, number, directory)
    if isinstance(path, Path):
        storage.write_table(path, frames, schema)
        return path
    with workspace(directory.parent) as place:
        made = place / path.name
        storage.write_table(made, frames, schema)
        places.put(made, path)
    return path


@contextmanager
def workspace(pool: PoolPath) -> Iterator[Path]:
    """Give a directory on this machine where a part can be made for a pool that lies elsewhere."""
    home = places.home(pool)
    home.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=storage.TEMPORARY_MARK, dir=home) as place:
        yield Path(place)


def text_column(path: PoolPath, column_name: str) -> list[list[str]]:
    """Return one text column of a part, a list for each row group.

    Raises:
        InputError: the part is damaged.
    """
    with _reading(path), places.parquet(path) as file:
        groups = [file.read_row_group(group, columns=[column_name]) for group in range(file.num_row_groups)]
        return [group.column(column_name).to_pylist() for group in groups]


def columns(path: PoolPath, schema: pl.Schema) -> pl.DataFrame:
    """Return columns of a part, as a frame of ``schema``; those that an older part lacks are null.

    Raises:
        InputError: the part is damaged.
    """
    with _reading(path), places.parquet(path) as file:
        return _typed(file.read(columns=list(schema)), schema)


def frames(directory: PoolPath, schema: pl.Schema) -> Iterator[pl.DataFrame]:
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
            if is_there(path):
                raise
            waiting = [later for later in paths(directory) if numbers(later)[1] >= numbers(path)[0]]
            continue
        waiting = waiting[1:]


def is_there(path: PoolPath) -> bool:
    """Tell whether a part still is where it was listed."""
    return path.exists() if isinstance(path, Path) else places.exists(path)


def footer(path: PoolPath) -> pq.FileMetaData:
    """Return what stands at the end of a part.

    Raises:
        InputError: the part is damaged.
    """
    with _reading(path), places.parquet(path) as file:
        return file.metadata


def row_groups(path: PoolPath) -> int:
    """Return how many row groups a part has.

    Raises:
        InputError: the part is damaged.
    """
    return int(footer(path).num_row_groups)


def row_group(
    path: PoolPath, group: int, schema: pl.Schema, *, checked: bool = False, without: Sequence[str] = ()
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
    with _reading(path), places.parquet(path, checked=checked) as file:
        table = file.read_row_group(group, columns=[column for column in schema if column not in without])
    return _typed(table, schema)


def _typed(table: pa.Table, schema: pl.Schema) -> pl.DataFrame:
    frame = pl.DataFrame(table)
    return frame.select(
        (pl.col(column_name) if column_name in frame.columns else pl.lit(None)).cast(kind).alias(column_name)
        for column_name, kind in schema.items()
    )


def _listed(directory: PoolPath) -> tuple[list[PoolPath], list[PoolPath]]:
    kept: list[PoolPath] = []
    left: list[PoolPath] = []
    furthest = 0
    found = [path for path in places.files(directory, _SUFFIX) if path.name.startswith("part-")]
    # Of parts that begin together the one that reaches furthest stands for the others.
    for path in sorted(found, key=lambda path: (numbers(path)[0], -numbers(path)[1], path.name)):
        if "." in path.stem:
            kept.append(path)
            continue
        last = numbers(path)[1]
        (kept if last > furthest else left).append(path)
        furthest = max(furthest, last)
    return kept, left


@contextmanager
def _reading(path: PoolPath) -> Iterator[None]:
    try:
        yield
    except (OSError, pa.ArrowException, KeyError) as error:
        raise InputError(f"{path} cannot be read as a part of a pool ({error}): put it right or take it away") from None
