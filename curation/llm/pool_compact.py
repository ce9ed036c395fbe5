"""Put the many small parts of a pool together into few, while others read it and write to it.

New parts are written beside the pool and moved in under its lock, each by one rename, which is the moment it takes the
place of the parts it holds (`curation.llm.parts`). Killed before, nothing happened; after, the next who opens the pool
deletes what is left of the old ones. Writers wait for that moment only. In an object store the moment is one put; what
a kill leaves of the old parts holds rows that the new one has too, and goes with the next compaction.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import polars as pl

from curation import storage
from curation.llm import parts, places
from curation.llm.places import PoolPath
from curation.llm.pool import RESPONSES, check_pool, open_pool
from curation.llm.pool_problems import PROBLEMS
from curation.llm.verdicts import VERDICT_SCHEMA, VERDICTS
from curation.records import PROBLEM_SCHEMA, RESPONSE_SCHEMA

TABLES = {RESPONSES: RESPONSE_SCHEMA, VERDICTS: VERDICT_SCHEMA, PROBLEMS: PROBLEM_SCHEMA}
"""The tables of a pool."""

PART_BYTES = 2 << 30

_KEYS = {RESPONSES: ("response_id",), VERDICTS: ("response_id", "grader", "version", "reference")}
"""What tells the rows of a table apart; two machines that fill one object store may both have written one."""


@dataclass(frozen=True, slots=True)
class Compacted:
    """What became of one table: the number of its parts before and after, and its rows."""

    table: str
    before: int
    after: int
    rows: int


def compact(pool: PoolPath, part_bytes: int = PART_BYTES) -> list[Compacted]:
    """Put parts that follow each other together, up to ``part_bytes`` of files for a new one, in constant memory.

    Raises:
        InputError: there is no pool, or a part is damaged; everything stays as it was.
        OutsideError: the file system cannot be reached.
    """
    check_pool(pool)
    # What dead writers left becomes a part first.
    with open_pool(pool):
        pass
    with _aside(pool) as aside:
        return [_compact_table(pool, table, schema, part_bytes, aside) for table, schema in TABLES.items()]


@contextmanager
def _aside(pool: PoolPath) -> Iterator[Path]:
    """Give a directory for new parts, on the pool's own disk where it has one, and keep other compactions out."""
    home = places.home(pool)
    aside = home.with_name(f"{home.name}.compaction")
    with places.locked(aside):
        try:
            yield aside
        finally:
            shutil.rmtree(aside, ignore_errors=True)


def _compact_table(pool: PoolPath, table: str, schema: pl.Schema, part_bytes: int, aside: Path) -> Compacted:
    directory = pool / table
    before = parts.paths(directory)
    rows = 0
    for batch in _batches(before, part_bytes):
        made = aside / parts.name(parts.numbers(batch[0])[0], max(parts.numbers(path)[1] for path in batch), directory)
        rows += storage.write_table(made, _rows(batch, schema, _KEYS.get(table)), schema)
        with places.locked(pool):
            target = directory / made.name
            if isinstance(target, Path):
                made.replace(target)
            else:
                places.put(made, target)
                made.unlink()
            # The first ones first: what a kill leaves then comes after the new part, whose rows count.
            for old in batch:
                places.remove(old)
    return Compacted(table, len(before), len(parts.paths(directory)), rows)


def _batches(paths: list[PoolPath], part_bytes: int) -> Iterator[list[PoolPath]]:
    batch: list[PoolPath] = []
    size = 0
    for path in paths:
        weight = places.size(path)
        if batch and size + weight > part_bytes:
            if len(batch) > 1:
                yield batch
            batch, size = [], 0
        batch.append(path)
        size += weight
    if len(batch) > 1:
        yield batch


def _rows(batch: list[PoolPath], schema: pl.Schema, key: tuple[str, ...] | None) -> Iterator[pl.DataFrame]:
    """Yield the rows of some parts in their order, each key once."""
    seen: set[bytes] = set()
    for path in batch:
        for group in range(parts.row_groups(path)):
            frame = parts.row_group(path, group, schema, checked=True)
            if key is None:
                yield frame
                continue
            keys = [sha256("\n".join(str(part) for part in row).encode()).digest() for row in frame.select(key).rows()]
            new = []
            for one in keys:
                new.append(one not in seen)
                seen.add(one)
            yield frame.filter(pl.Series(new, dtype=pl.Boolean))
