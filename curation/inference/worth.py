"""What answers are worth: their accuracy over problems, with its 95 % interval; unknown ones are counted apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from curation.intervals import wilson
from curation.llm.agreement import Estimate

_RESAMPLES = 2_000
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Worth:
    """Answers to problems, one or several a problem.

    Attributes:
        right, wrong, unknown: answers by grade.
        problems: problems with a graded answer.
        accuracy: the mean over those of the share of right answers among the graded ones. The interval is Wilson's
            where a problem has one answer, else of a bootstrap over problems, since answers to one problem are alike.
        never, sometimes, always: how many of those are answered right never, sometimes, always.
    """

    right: int
    wrong: int
    unknown: int
    problems: int
    accuracy: Estimate
    never: int
    sometimes: int
    always: int


def worth_of(grades: pl.DataFrame) -> Worth:
    """Add grades up.

    Args:
        grades: with ``problem_id`` and ``grade``, a row an answer.
    """
    counts = grades.group_by("problem_id", maintain_order=True).agg(
        *[(pl.col("grade") == name).sum().alias(name) for name in ("right", "wrong", "unknown")]
    )
    graded = counts.filter(pl.col("right") + pl.col("wrong") > 0)
    shares = (graded["right"] / (graded["right"] + graded["wrong"])).to_list()
    single = bool((graded["right"] + graded["wrong"] <= 1).all())
    return Worth(
        int(counts["right"].sum()),
        int(counts["wrong"].sum()),
        int(counts["unknown"].sum()),
        len(shares),
        _mean(shares, single),
        sum(share == 0 for share in shares),
        sum(0 < share < 1 for share in shares),
        sum(share == 1 for share in shares),
    )


def _mean(shares: Sequence[float], single: bool) -> Estimate:
    if not shares:
        return Estimate(0.0, None, None)
    values = np.array(shares)
    if single:
        low, high = wilson(float(values.sum()), float(len(values)))
    else:
        generator = np.random.default_rng(0)
        means = [values[generator.integers(0, len(values), len(values))].mean() for _ in range(_RESAMPLES)]
        low, high = np.percentile(means, [2.5, 97.5])
    return Estimate(round(float(values.mean()), _DIGITS), round(float(low), _DIGITS), round(float(high), _DIGITS))
