"""How well predictions agree with labels: precision, recall, F1 and Cohen's kappa, each with a 95 % interval.

Precision and recall are shares of cases and have Wilson's interval. F1 and kappa are none, and have the percentile
interval of a bootstrap over cases (Efron and Tibshirani, An Introduction to the Bootstrap, chapter 13). The formulas
are a few lines each, so that the core needs no statistics library.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from curation.intervals import wilson

Flags = npt.NDArray[np.bool_]

_RESAMPLES = 2_000
_SEED = 0
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % interval.

    Attributes:
        value: 0 where nothing defines it: no case was predicted, or none has the label.
        low, high: the ends of the interval; None where there is none.
    """

    value: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """Predictions against labels; positive is what is kept.

    Attributes:
        kept_right, kept_wrong: positives that have the label, and that do not.
        left_wrong, left_right: negatives that should have been kept, and that should not.
    """

    kept_right: int
    kept_wrong: int
    left_wrong: int
    left_right: int
    precision: Estimate
    recall: Estimate
    f1: Estimate
    kappa: Estimate


def measure(labels: Sequence[bool], predictions: Sequence[bool]) -> Agreement:
    """Measure predictions against labels, one of each a case.

    Raises:
        ValueError: there is no case, or the lengths differ.
    """
    if not labels or len(labels) != len(predictions):
        raise ValueError("labels and predictions are of the same cases, at least one")
    truth, kept = np.array(labels, dtype=np.bool_), np.array(predictions, dtype=np.bool_)
    counts = _counts(truth, kept)
    right, wrong, missed, left = (int(count) for count in counts)
    generator = np.random.default_rng(_SEED)
    rows = generator.integers(0, len(labels), (_RESAMPLES, len(labels)))
    resampled = _counts(truth[rows], kept[rows])
    return Agreement(
        right,
        wrong,
        missed,
        left,
        _share(right, right + wrong),
        _share(right, right + missed),
        _estimate(_f1(*counts), _f1(*resampled)),
        _estimate(_kappa(*counts), _kappa(*resampled)),
    )


def same_share(first: Flags, second: Flags) -> Estimate:
    """Return the share of cases on which two yes-or-no columns agree, with Wilson's interval."""
    return _share(int((first == second).sum()), len(first))


def fleiss_kappa(labels: npt.NDArray[np.bool_]) -> Estimate:
    """Return Fleiss' kappa of several raters, with the interval of a bootstrap over cases.

    Args:
        labels: a row a case, a column a rater; at least one row and two columns.
    """
    # Fleiss 1971, doi:10.1037/h0031619
    positives, raters = labels.sum(axis=1), labels.shape[1]
    rows = np.random.default_rng(_SEED).integers(0, len(positives), (_RESAMPLES, len(positives)))
    return _estimate(_fleiss(positives, raters), _fleiss(positives[rows], raters))


def correlation(first: Flags, second: Flags) -> float | None:
    """Return Pearson's correlation of two yes-or-no columns (phi); None where one of them never changes."""
    if first.all() or second.all() or not first.any() or not second.any():
        return None
    return float(np.corrcoef(first.astype(float), second.astype(float))[0, 1])


def _counts(truth: Flags, kept: Flags) -> tuple[Any, Any, Any, Any]:
    """Count over the last axis: kept and right, kept and wrong, left and wrong, left and right."""
    return (
        (truth & kept).sum(axis=-1),
        (~truth & kept).sum(axis=-1),
        (truth & ~kept).sum(axis=-1),
        (~truth & ~kept).sum(axis=-1),
    )


def _f1(right: Any, wrong: Any, missed: Any, _: Any) -> Any:
    return _divided(2 * right, 2 * right + wrong + missed)


def _kappa(right: Any, wrong: Any, missed: Any, left: Any) -> Any:
    # Cohen 1960, doi:10.1177/001316446002000104
    total = right + wrong + missed + left
    observed = _divided(right + left, total)
    by_chance = _divided((right + wrong) * (right + missed) + (missed + left) * (wrong + left), total * total)
    return _divided(observed - by_chance, 1 - by_chance)


def _fleiss(positives: Any, raters: int) -> Any:
    pairs = positives * (positives - 1) + (raters - positives) * (raters - positives - 1)
    observed = (pairs / (raters * (raters - 1))).mean(axis=-1)
    share = positives.mean(axis=-1) / raters
    by_chance = share**2 + (1 - share) ** 2
    return _divided(observed - by_chance, 1 - by_chance)


def _divided(part: Any, whole: Any) -> Any:
    part, whole = np.asarray(part, dtype=float), np.asarray(whole, dtype=float)
    return np.divide(part, whole, out=np.zeros_like(part), where=whole != 0)


def _share(part: int, whole: int) -> Estimate:
    if not whole:
        return Estimate(0.0, None, None)
    low, high = wilson(float(part), float(whole))
    return Estimate(round(part / whole, _DIGITS), round(low, _DIGITS), round(high, _DIGITS))


def _estimate(value: Any, resampled: Any) -> Estimate:
    low, high = np.percentile(resampled, [2.5, 97.5])
    return Estimate(round(float(value), _DIGITS), round(float(low), _DIGITS), round(float(high), _DIGITS))
