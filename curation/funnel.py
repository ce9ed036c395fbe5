"""The funnel of a run: rows in, kept and dropped, by step, by reason and by source, read from the ledgers alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from curation.records import LEDGER_SCHEMA
from curation.steps import KEPT, EarlierStep

SELECTIONS = ("stage1", "stage2")
"""The steps that choose rows for a training set; a row they leave out is not lost to the other."""


@dataclass(frozen=True)
class Funnel:
    """Counts of one run.

    Attributes:
        steps: one row a step: step, rows_in, kept, dropped.
        reasons: one row a step and rule: step, rule, its most frequent reason, dropped; most rows first within a step.
        sources: one row a source: source, rows_in, one column of drops for each dropping step, kept,
            and, where the run has them, stage1 and stage2.
    """

    steps: pl.DataFrame
    reasons: pl.DataFrame
    sources: pl.DataFrame


def build(steps: Sequence[EarlierStep], tables: dict[str, Path]) -> Funnel:
    """Count a run's rows.

    Args:
        steps: the finished steps in order.
        tables: the newest ``problems`` table and, where they exist, ``stage1`` and ``stage2``.
    """
    overview = pl.DataFrame(
        [{"step": step.name, "rows_in": step.rows_in, "kept": step.kept, "dropped": step.dropped} for step in steps],
        schema={"step": pl.String, "rows_in": pl.Int64, "kept": pl.Int64, "dropped": pl.Int64},
        orient="row",
    )
    drops = pl.concat([_ledger(step) for step in steps] or [pl.LazyFrame(schema=LEDGER_SCHEMA)])
    order = {step.name: place for place, step in enumerate(steps)}
    reasons = (
        drops.group_by("step", "rule")
        .agg(pl.col("reason").mode().sort().first(), pl.len().cast(pl.Int64).alias("dropped"))
        .collect()
        .with_columns(pl.col("step").replace_strict(order, default=len(order), return_dtype=pl.Int64).alias("place"))
        .sort("place", -pl.col("dropped"), "rule")
        .drop("place")
    )
    return Funnel(overview, reasons, _by_source(steps, drops, tables))


def _ledger(step: EarlierStep) -> pl.LazyFrame:
    return pl.scan_parquet(step.ledger, glob=False).select("problem_id", "source", "step", "rule", "reason")


def _by_source(steps: Sequence[EarlierStep], drops: pl.LazyFrame, tables: dict[str, Path]) -> pl.DataFrame:
    if KEPT not in tables:
        return pl.DataFrame(schema={"source": pl.String, "rows_in": pl.Int64, "kept": pl.Int64})
    problems = pl.scan_parquet(tables[KEPT], glob=False).select("problem_id", "source")
    kept = problems.group_by("source").agg(pl.len().cast(pl.Int64).alias("kept"))
    dropping = [step.name for step in steps if step.name not in SELECTIONS and step.dropped]
    frame = kept
    for name in dropping:
        counts = drops.filter(pl.col("step") == name).group_by("source").agg(pl.len().cast(pl.Int64).alias(name))
        frame = frame.join(counts, on="source", how="full", coalesce=True)
    frame = frame.with_columns(pl.exclude("source").fill_null(0))
    for name in SELECTIONS:
        if name in tables:
            chosen = pl.scan_parquet(tables[name], glob=False).select("problem_id").join(problems, on="problem_id")
            counts = chosen.group_by("source").agg(pl.len().cast(pl.Int64).alias(name))
            frame = frame.join(counts, on="source", how="left").with_columns(pl.col(name).fill_null(0))
    selected = [name for name in SELECTIONS if name in tables]
    total = pl.sum_horizontal("kept", *dropping).alias("rows_in")
    return frame.select("source", total, *dropping, "kept", *selected).sort("source").collect()
