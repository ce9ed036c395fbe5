"""The tests of exported code problems, problem by problem, in constant memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl

from curation import regroup, storage
from curation.records import TEST_SCHEMA

_ROWS_AT_ONCE = 256
_TEXTS = ("name", "kind", "input", "output", "function")
_ROW_SCHEMA = pl.Schema({"group": pl.Int64(), **{name: TEST_SCHEMA[name] for name in _TEXTS}})


def tests_of(
    table: Path, problem_ids: pl.Series, problems: pl.DataFrame, workspace: Path
) -> Iterator[list[dict[str, Any]]]:
    """Yield the tests of each problem, in the order of ``problem_ids``; an empty list for math.

    The test table is read once from end to end, whatever its order; a problem's tests keep theirs.

    Args:
        table: a table of `records.TEST_SCHEMA`.
        problem_ids: the problems.
        problems: of `records.PROBLEM_SCHEMA`; its column ``tests`` says under which identifier a problem's tests stand.
        workspace: an empty directory; takes as much disk as the tests and is the caller's to delete.
    """
    wanted = (
        pl.DataFrame({"problem": problem_ids})
        .with_row_index("group")
        .join(problems.select(pl.col("problem_id").alias("problem"), "tests"), on="problem", how="left")
        .filter(pl.col("tests").is_not_null())
        .select(pl.col("group").cast(pl.Int64), pl.col("tests").alias("problem_id"))
    )
    expected = regroup.text_bytes(table, ["input", "output"]) if wanted.height else 0
    frames = _wanted_rows(table, wanted) if wanted.height else iter(())
    for _, rows in regroup.grouped(frames, _ROW_SCHEMA, len(problem_ids), expected, workspace):
        yield rows.select(_TEXTS).to_dicts()


def _wanted_rows(table: Path, wanted: pl.DataFrame) -> Iterator[pl.DataFrame]:
    for frame in storage.iterate_table(table, TEST_SCHEMA, _ROWS_AT_ONCE):
        rows = frame.join(wanted, on="problem_id", how="inner", maintain_order="left")
        if rows.height:
            yield rows.select(_ROW_SCHEMA.names())
