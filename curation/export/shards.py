"""Writes a stream of rows as Parquet shards in constant memory, cut by bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from curation import storage

SHARD_BYTES = 500_000_000
"""A shard is closed at about this much text, before compression."""

_FRAME_BYTES = 16_000_000
_FRAME_ROWS = 1_000


@dataclass(frozen=True, slots=True)
class Shard:
    """One Parquet file of a split.

    Attributes:
        path: where it lies.
        rows: how many rows it holds.
        text_bytes: how much text went into it, before compression.
    """

    path: Path
    rows: int
    text_bytes: int


def write_split(
    directory: Path,
    split: str,
    rows: Iterable[Mapping[str, object]],
    schema: pl.Schema,
    shard_bytes: int = SHARD_BYTES,
) -> list[Shard]:
    """Write rows as ``split-00000-of-0000N.parquet`` in ``directory``; at least one file, even without rows.

    Where a shard ends depends only on the rows' text, so the same rows give the same files.

    Args:
        directory: made where it does not exist.
        split: the split's name.
        rows: rows with the columns of ``schema``.
        schema: columns and types.
        shard_bytes: how much text closes a shard.
    """
    feed = _Feed(rows, schema, shard_bytes)
    unnamed: list[Shard] = []
    while feed.more() or not unnamed:
        path = directory / f"{split}-{len(unnamed):05d}.parquet"
        count = storage.write_table(path, feed.shard(), schema)
        unnamed.append(Shard(path, count, feed.shard_bytes))
    return [
        Shard(
            shard.path.replace(directory / f"{split}-{index:05d}-of-{len(unnamed):05d}.parquet"),
            shard.rows,
            shard.text_bytes,
        )
        for index, shard in enumerate(unnamed)
    ]


class _Feed:
    """Hands rows out shard by shard, as small frames."""

    def __init__(self, rows: Iterable[Mapping[str, object]], schema: pl.Schema, shard_limit: int) -> None:
        self._rows = iter(rows)
        self._schema = schema
        self._limit = shard_limit
        self._next: Mapping[str, object] | None = None
        self.shard_bytes = 0

    def more(self) -> bool:
        """Say whether a row is left."""
        if self._next is None:
            self._next = next(self._rows, None)
        return self._next is not None

    def shard(self) -> Iterator[pl.DataFrame]:
        """Yield frames until the shard is full or no row is left."""
        self.shard_bytes = 0
        while self.shard_bytes < self._limit and self.more():
            yield self._frame()

    def _frame(self) -> pl.DataFrame:
        taken: list[Mapping[str, object]] = []
        size = 0
        while (
            len(taken) < _FRAME_ROWS and size < _FRAME_BYTES and self.shard_bytes + size < self._limit and self.more()
        ):
            if self._next is not None:
                taken.append(self._next)
                size += _text_bytes(self._next)
                self._next = None
        self.shard_bytes += size
        return pl.DataFrame(taken, schema=self._schema, orient="row")


def _text_bytes(value: object) -> int:
    if isinstance(value, str):
        return len(value.encode())
    if isinstance(value, Mapping):
        return sum(_text_bytes(item) for item in value.values())
    if isinstance(value, list):
        return sum(_text_bytes(item) for item in value)
    return 8
