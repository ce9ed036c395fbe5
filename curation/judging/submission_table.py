"""The submissions of problems, problem by problem in the order that is wanted, in constant memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq

from curation import regroup, storage
from curation.records import SUBMISSION_SCHEMA

_ROW_SCHEMA = pl.Schema({"group": pl.Int64(), **SUBMISSION_SCHEMA})
_ROWS_AT_ONCE = 1_000


def submissions_in_order(table: Path, problem_ids: pl.Series, workspace: Path) -> Iterator[pl.DataFrame]:
    """Yield the submissions of each problem, of `records.SUBMISSION_SCHEMA`; an empty frame for a problem without.

    Args:
        table: a table of `records.SUBMISSION_SCHEMA`, read once from end to end.
        problem_ids: the problems.
        workspace: an empty directory; takes as much disk as the submissions and is the caller's to delete.
    """
    wanted = pl.DataFrame({"problem_id": problem_ids}).with_row_index("group")
    wanted = wanted.select(pl.col("group").cast(pl.Int64), "problem_id")

    def frames() -> Iterator[pl.DataFrame]:
        for frame in storage.iterate_table(table, SUBMISSION_SCHEMA, _ROWS_AT_ONCE):
            rows = frame.join(wanted, on="problem_id", how="inner", maintain_order="left")
            if rows.height:
                yield rows.select(_ROW_SCHEMA.names())

    expected = regroup.text_bytes(pq.read_metadata(table), ["code"])
    for _, rows in regroup.grouped(frames(), _ROW_SCHEMA, wanted.height, expected, workspace):
        yield rows.drop("group")
