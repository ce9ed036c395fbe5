from __future__ import annotations

import numpy as np
import pytest

from curation.intervals import wilson
from curation.llm.agreement import correlation, measure


def flags(kept_right: int, kept_wrong: int, left_wrong: int, left_right: int) -> tuple[list[bool], list[bool]]:
    labels = [True] * kept_right + [False] * kept_wrong + [True] * left_wrong + [False] * left_right
    kept = [True] * (kept_right + kept_wrong) + [False] * (left_wrong + left_right)
    return labels, kept


def test_kappa_of_the_textbook_table() -> None:
    # Two readers of 50 grant proposals: 20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no give 0.4.
    found = measure(*flags(20, 5, 10, 15))
    assert found.kappa.value == pytest.approx(0.4)
    assert found.f1.value == pytest.approx(2 * 20 / (2 * 20 + 5 + 10), abs=1e-4)
    assert found.precision.value == pytest.approx(0.8)
    assert found.recall.value == pytest.approx(20 / 30, abs=1e-4)
    assert found.kappa.low is not None
    assert found.kappa.high is not None
    assert found.kappa.low < 0.4 < found.kappa.high
    assert found == measure(*flags(20, 5, 10, 15))


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    # The tabulated score intervals of Newcombe 1998, Statistics in Medicine 17, table I.
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_intervals_as_tabulated(successes: int, trials: int, low: float, high: float) -> None:
    found = wilson(float(successes), float(trials))
    assert found == (pytest.approx(low, abs=6e-5), pytest.approx(high, abs=6e-5))


def test_intervals_narrow_with_more_cases() -> None:
    few, many = measure(*flags(8, 2, 3, 7)), measure(*flags(80, 20, 30, 70))
    assert few.f1.value == many.f1.value
    assert (few.f1.high or 0) - (few.f1.low or 0) > 2 * ((many.f1.high or 0) - (many.f1.low or 0))


def test_nothing_kept_is_defined() -> None:
    found = measure([True, False], [False, False])
    assert (found.precision.value, found.precision.low, found.f1.value, found.kappa.value) == (0, None, 0, 0)
    with pytest.raises(ValueError, match="at least one"):
        measure([], [])


def test_correlation_of_votes() -> None:
    first = np.array([True, True, False, False])
    assert correlation(first, first) == pytest.approx(1)
    assert correlation(first, ~first) == pytest.approx(-1)
    assert correlation(first, np.array([True, False, True, False])) == pytest.approx(0)
    assert correlation(first, np.array([True] * 4)) is None
