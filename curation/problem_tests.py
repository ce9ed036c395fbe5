"""The tests of problems, problem by problem in the order that is wanted, in constant memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq

from curation import regroup, storage
from curation.records import TEST_SCHEMA

_ROWS_AT_ONCE = 256
_ROW_SCHEMA = pl.Schema({"group": pl.Int64(), **TEST_SCHEMA})


def tests_in_order(table: Path, references: pl.Series, workspace: Path) -> Iterator[pl.DataFrame]:
    """Yield the tests of each problem, of `records.TEST_SCHEMA`; an empty frame for a problem without.

    The test table is read once from end to end, whatever its order; a problem's tests keep theirs.

    Args:
        table: a table of `records.TEST_SCHEMA`.
        references: the column ``tests`` of the problems: under which identifier a problem's tests stand, null for math.
        workspace: an empty directory; takes as much disk as the tests and is the caller's to delete.
    """
    wanted = (
        pl.DataFrame({"problem_id": references.cast(pl.String)})
        .with_row_index("group")
        .select(pl.col("group").cast(pl.Int64), "problem_id")
        .drop_nulls()
    )
    expected = regroup.text_bytes(pq.read_metadata(table), ["input", "output"]) if wanted.height else 0
    for _, rows in regroup.grouped(_wanted_rows(table, wanted), _ROW_SCHEMA, len(references), expected, workspace):
        yield rows.drop("group")


def _wanted_rows(table: Path, wanted: pl.DataFrame) -> Iterator[pl.DataFrame]:
    if wanted.is_empty():
        return
    for frame in storage.iterate_table(table, TEST_SCHEMA, _ROWS_AT_ONCE):
        rows = frame.join(wanted, on="problem_id", how="inner", maintain_order="left")
        if rows.height:
            yield rows.select(_ROW_SCHEMA.names())
