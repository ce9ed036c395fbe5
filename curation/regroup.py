"""Brings rows of any order together by group, in constant memory.

A table of 30 GB in the order it was written becomes a stream of groups in the order that is wanted.

One pass spreads the rows over bucket files by group number; each bucket is then small enough to be sorted in memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from curation import storage

BUCKET_BYTES = 48 << 20
"""A bucket should hold about this much text; one group is never split, so a bucket may hold more."""

_MOST_BUCKETS = 500
_SPREAD_BYTES = 32 << 20


def grouped(
    frames: Iterable[pl.DataFrame],
    schema: pl.Schema,
    groups: int,
    expected_bytes: int,
    workspace: Path,
) -> Iterator[tuple[int, pl.DataFrame]]:
    """Yield each group's rows, in order of group.

    Args:
        frames: rows of ``schema``, in any order; each frame fits into memory.
        schema: columns and types; ``group`` is the 0-based group number, Int64.
        groups: how many groups there are.
        expected_bytes: about how much text all rows hold together, rather too much than too little.
        workspace: an empty directory for the buckets; the caller deletes it.

    Yields:
        the group number and its rows in the order they came, for every number below ``groups``; a group without rows is
        an empty frame.
    """
    if not groups:
        return
    buckets = max(1, min(_MOST_BUCKETS, groups, -(-expected_bytes // BUCKET_BYTES)))
    files = _spread(frames, schema, groups, buckets, workspace)
    for bucket in range(buckets):
        first, end = -(-bucket * groups // buckets), -(-(bucket + 1) * groups // buckets)
        rows = _rows(files[bucket], schema).sort("group", maintain_order=True)
        files[bucket].unlink()
        counts = dict(rows.group_by("group").len().iter_rows())
        place = 0
        for group in range(first, end):
            count = counts.get(group, 0)
            yield group, rows.slice(place, count)
            place += count


def _spread(
    frames: Iterable[pl.DataFrame], schema: pl.Schema, groups: int, buckets: int, workspace: Path
) -> list[Path]:
    target = storage.arrow_schema(schema)
    paths = [workspace / f"{bucket:03d}.arrow" for bucket in range(buckets)]
    # A stream, unlike a Parquet file, has nothing to remember of what it wrote: hundreds are open at once.
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    writers = [pa.ipc.new_stream(str(path), target, options=options) for path in paths]
    try:
        for frame in _gathered(frames):
            of_bucket = (pl.col("group") * buckets // groups).alias("bucket")
            for part in frame.with_columns(of_bucket).partition_by("bucket", maintain_order=True):
                rows = part.select(schema.names()).to_arrow().cast(target)
                writers[int(part["bucket"][0])].write_table(rows)
    finally:
        for writer in writers:
            writer.close()
    return paths


def _rows(path: Path, schema: pl.Schema) -> pl.DataFrame:
    with pa.OSFile(str(path)) as file, pa.ipc.open_stream(file) as stream:
        frame = pl.DataFrame(stream.read_all())
    return frame.select(pl.col(name).cast(kind) for name, kind in schema.items())


def _gathered(frames: Iterable[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """Join small frames, so that a bucket does not end up with one tiny row group a frame."""
    pending: list[pl.DataFrame] = []
    size = 0
    for frame in frames:
        pending.append(frame)
        size += int(frame.estimated_size())
        if size >= _SPREAD_BYTES:
            yield pl.concat(pending)
            pending, size = [], 0
    if pending:
        yield pl.concat(pending)


def text_bytes(footer: pq.FileMetaData, columns: Iterable[str]) -> int:
    """Return how many bytes the columns of a Parquet file take before compression."""
    wanted = set(columns)
    return sum(
        chunk.total_uncompressed_size
        for group in range(footer.num_row_groups)
        for chunk in (footer.row_group(group).column(place) for place in range(footer.num_columns))
        if chunk.path_in_schema.split(".")[0] in wanted
    )
