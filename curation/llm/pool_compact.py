"""Put the many small parts of a pool together into few, while others read it and write to it.

New parts are written beside the pool and moved in under its lock, each by one rename, which is the moment it takes the
place of the parts it holds (`curation.llm.parts`). Killed before, nothing happened; after, the next who opens the pool
deletes what is left of the old ones. Writers wait for that moment only.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from curation import storage
from curation.llm import parts
from curation.llm.pool import RESPONSES, open_pool
from curation.llm.pool_problems import PROBLEMS
from curation.llm.verdicts import VERDICT_SCHEMA, VERDICTS
from curation.records import PROBLEM_SCHEMA, RESPONSE_SCHEMA

TABLES = {RESPONSES: RESPONSE_SCHEMA, VERDICTS: VERDICT_SCHEMA, PROBLEMS: PROBLEM_SCHEMA}
"""The tables of a pool."""

PART_BYTES = 2 << 30


@dataclass(frozen=True, slots=True)
class Compacted:
    """What became of one table: the number of its parts before and after, and its rows."""

    table: str
    before: int
    after: int
    rows: int


def compact(pool: Path, part_bytes: int = PART_BYTES) -> list[Compacted]:
    """Put parts that follow each other together, up to ``part_bytes`` of files for a new one, in constant memory.

    Raises:
        InputError: a part is damaged; everything stays as it was.
    """
    # What dead writers left becomes a part first.
    with open_pool(pool):
        pass
    aside = pool.with_name(f"{pool.name}.compaction")
    with parts.locked(aside):
        try:
            return [_compact_table(pool, table, schema, part_bytes, aside) for table, schema in TABLES.items()]
        finally:
            shutil.rmtree(aside, ignore_errors=True)


def _compact_table(pool: Path, table: str, schema: pl.Schema, part_bytes: int, aside: Path) -> Compacted:
    directory = pool / table
    before = parts.paths(directory)
    rows = 0
    for batch in _batches(before, part_bytes):
        path = aside / parts.name(parts.numbers(batch[0])[0], parts.numbers(batch[-1])[1])
        rows += storage.write_table(path, _rows(batch, schema), schema)
        with parts.locked(pool):
            path.replace(directory / path.name)
            for old in batch:
                old.unlink()
    return Compacted(table, len(before), len(parts.paths(directory)), rows)


def _batches(paths: list[Path], part_bytes: int) -> Iterator[list[Path]]:
    batch: list[Path] = []
    size = 0
    for path in paths:
        weight = path.stat().st_size
        if batch and size + weight > part_bytes:
            if len(batch) > 1:
                yield batch
            batch, size = [], 0
        batch.append(path)
        size += weight
    if len(batch) > 1:
        yield batch


def _rows(batch: list[Path], schema: pl.Schema) -> Iterator[pl.DataFrame]:
    for path in batch:
        for group in range(parts.row_groups(path)):
            yield parts.row_group(path, group, schema, checked=True)
