"""Intervals of shares: Wilson's for a share of independent trials (Wilson 1927, doi:10.2307/2276774)."""

from __future__ import annotations

from typing import TypeVar

import polars as pl

Number = TypeVar("Number", float, pl.Expr)

_Z = 1.959963984540054
"""The normal quantile of a two-sided 95 % interval."""


def wilson(successes: Number, trials: Number) -> tuple[Number, Number]:
    """Return the ends of the 95 % interval of a share, of numbers or of columns.

    Args:
        successes: how many trials succeeded.
        trials: how many there were; more than 0.
    """
    share = successes / trials
    square = _Z * _Z
    scale = 1 + square / trials
    middle = (share + square / (2 * trials)) / scale
    half = _Z / scale * (share * (1 - share) / trials + square / (4 * trials * trials)) ** 0.5
    return middle - half, middle + half
