"""The accuracy band of a stage: strictly above one share of right responses, strictly below another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import polars as pl

from curation import ledger
from curation.ledger import Drop

_DROPS_AT_ONCE = 20_000


def judge(problems: pl.DataFrame, accuracy: pl.DataFrame, above: float, below: pl.Expr) -> pl.DataFrame:
    """Say of each problem whether its accuracy lies inside the band.

    Args:
        problems: with ``problem_id``, one row a problem.
        accuracy: of `records.ACCURACY_SCHEMA`.
        above: the accuracy must be larger.
        below: the accuracy must be smaller; an expression over the columns of ``problems``.

    Returns:
        ``problems`` with the columns of `records.ACCURACY_SCHEMA`, ``above``, ``below`` and ``rule``: null
        inside the band, else ``no_graded_response``, ``accuracy_zero``, ``accuracy_too_low``, ``accuracy_too_high``.
    """
    value = pl.col("accuracy")
    rule = (
        pl.when(value.is_null())
        .then(pl.lit("no_graded_response"))
        .when((value <= pl.col("above")) & (pl.col("right") == 0))
        .then(pl.lit("accuracy_zero"))
        .when(value <= pl.col("above"))
        .then(pl.lit("accuracy_too_low"))
        .when(value >= pl.col("below"))
        .then(pl.lit("accuracy_too_high"))
    )
    return (
        problems.join(accuracy, on="problem_id", how="left", maintain_order="left")
        .with_columns(pl.lit(above).alias("above"), below.alias("below"))
        .with_columns(rule.alias("rule"))
    )


def outside(judged: pl.DataFrame, step: str, of: str) -> Iterator[Drop]:
    """Yield a drop for each problem outside the band.

    Args:
        judged: from `judge`, with ``source``.
        step: the step's name.
        of: what the accuracy is of, for the reason (``its pool``).
    """
    reasons = {
        "no_graded_response": f"no response of {of} could be graded",
        "accuracy_zero": f"no graded response of {of} is right",
        "accuracy_too_low": f"too few graded responses of {of} are right",
        "accuracy_too_high": f"too many graded responses of {of} are right",
    }
    counts = ("right", "wrong", "unknown", "accuracy", "low", "high", "above", "below")
    for row in judged.filter(pl.col("rule").is_not_null()).iter_rows(named=True):
        evidence = {name: row[name] for name in counts}
        yield Drop(row["problem_id"], row["source"], step, row["rule"], reasons[row["rule"]], evidence)


def ledger_frames(drops: Iterable[Drop]) -> Iterator[pl.DataFrame]:
    """Turn a stream of drops into frames of `records.LEDGER_SCHEMA`."""
    batch: list[Drop] = []
    for drop in drops:
        batch.append(drop)
        if len(batch) >= _DROPS_AT_ONCE:
            yield ledger.to_frame(batch)
            batch = []
    yield ledger.to_frame(batch)
