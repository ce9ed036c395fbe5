"""The texts of chosen messages, problem by problem, read from the pool in constant memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from curation import regroup
from curation.errors import InputError
from curation.llm import parts
from curation.llm.places import PoolPath
from curation.llm.pool import RESPONSES, open_pool
from curation.selection.messages import message

_TEXT_SCHEMA = pl.Schema({"response_id": pl.String(), "text": pl.String()})
_ROW_SCHEMA = pl.Schema({"group": pl.Int64(), "place": pl.Int64(), "text": pl.String()})


def message_texts(pool: PoolPath, chosen: pl.DataFrame, marker: str, workspace: Path) -> Iterator[list[str]]:
    """Yield the messages of each row of ``chosen``, in its order.

    The pool is read once from end to end, whatever the order of its responses.

    Args:
        pool: a response pool; no writer may be at work.
        chosen: of `messages.STAGE_SCHEMA`.
        marker: a message is what follows its last occurrence.
        workspace: an empty directory; takes as much disk as the messages and is the caller's to delete.

    Raises:
        InputError: the pool lacks a response that was chosen.
    """
    wanted = (
        chosen.with_row_index("group")
        .select(pl.col("group").cast(pl.Int64), pl.col("messages").alias("response_id"))
        .explode("response_id")
        .with_columns(pl.int_range(pl.len()).over("group").alias("place"))
    )
    with open_pool(pool):
        files = parts.paths(pool / RESPONSES)
    expected = sum(regroup.text_bytes(parts.footer(path), ["text"]) for path in files)
    frames = _wanted_rows(files, wanted, marker)
    counts = chosen["messages"].list.len().to_list()
    for group, rows in regroup.grouped(frames, _ROW_SCHEMA, chosen.height, expected, workspace):
        # Two parts may hold one response; the first counts.
        rows = rows.unique("place", keep="first", maintain_order=True)
        if rows.height != counts[group]:
            problem_id = chosen["problem_id"][group]
            raise InputError(
                f"{pool} lacks a response that was chosen for {problem_id}: fill the pool and select again"
            )
        yield rows.sort("place")["text"].to_list()


def _wanted_rows(files: list[PoolPath], wanted: pl.DataFrame, marker: str) -> Iterator[pl.DataFrame]:
    for path in files:
        # Not by Arrow's own iteration over a file, which keeps what it has read until the file's end.
        for group in range(parts.row_groups(path)):
            frame = parts.row_group(path, group, _TEXT_SCHEMA)
            rows = frame.join(wanted, on="response_id", how="inner").filter(pl.col("text").is_not_null())
            if rows.height:
                texts = pl.Series("text", [message(text, marker) for text in rows["text"]], dtype=pl.String())
                yield rows.with_columns(texts).select(_ROW_SCHEMA.names())
