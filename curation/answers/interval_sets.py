"""Unions of real intervals whose ends are formulas: order, union, intersection, difference."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from curation.answers.enclosure import real_bounds
from curation.answers.formulas import compare_formulas, symbols_of
from curation.answers.tree import Formula

MINUS_INFINITY, INFINITY = "-∞", "∞"
"""The ends that are no formulas."""


class NotASetError(ValueError):
    """The answer does not describe a set of real numbers, or one that cannot be ordered."""


@dataclass(frozen=True, slots=True)
class End:
    """One end of an interval; ``at`` is a formula, or ``∞`` or ``-∞``."""

    at: Formula | str
    closed: bool


@dataclass(frozen=True, slots=True)
class Interval:
    """The numbers between two ends."""

    low: End
    high: End


ALL = Interval(End(MINUS_INFINITY, False), End(INFINITY, False))
"""The real line."""


def _order(first: Formula | str, second: Formula | str) -> int:
    """Return -1, 0 or 1 for the order of two places.

    Raises:
        NotASetError: their order is not known.
    """
    if first == second:
        return 0
    if first == MINUS_INFINITY or second == INFINITY:
        return -1
    if first == INFINITY or second == MINUS_INFINITY:
        return 1
    if isinstance(first, str) or isinstance(second, str) or symbols_of(first) or symbols_of(second):
        raise NotASetError("ends whose order is open")
    result = compare_formulas(first, second)
    if result.verdict == "equal":
        return 0
    bounds = real_bounds(first), real_bounds(second)
    if result.verdict == "unknown" or bounds[0] is None or bounds[1] is None:
        raise NotASetError("ends whose order is open")
    if bounds[0][1] < bounds[1][0]:
        return -1
    if bounds[1][1] < bounds[0][0]:
        return 1
    raise NotASetError("ends whose order is open")


def _low_order(first: End, second: End) -> int:
    return _order(first.at, second.at) or (second.closed - first.closed)


def _high_order(first: End, second: End) -> int:
    return _order(first.at, second.at) or (first.closed - second.closed)


def _interval_order(first: Interval, second: Interval) -> int:
    return _low_order(first.low, second.low)


def is_empty(interval: Interval) -> bool:
    """Tell whether an interval holds no number.

    Raises:
        NotASetError: the order of its ends is not known.
    """
    order = _order(interval.low.at, interval.high.at)
    return order > 0 or (order == 0 and not (interval.low.closed and interval.high.closed))


def intersection(first: tuple[Interval, ...], second: tuple[Interval, ...]) -> tuple[Interval, ...]:
    """Return what both unions of intervals hold."""
    found = []
    for one in first:
        for other in second:
            if ALL in (one, other):
                found.append(other if one == ALL else one)
                continue
            low = one.low if _low_order(one.low, other.low) >= 0 else other.low
            high = one.high if _high_order(one.high, other.high) <= 0 else other.high
            interval = Interval(low, high)
            if not is_empty(interval):
                found.append(interval)
    return tuple(found)


def union(first: tuple[Interval, ...], second: tuple[Interval, ...]) -> tuple[Interval, ...]:
    """Return what one of the two unions of intervals holds, as disjoint intervals in order."""
    pieces = sorted((*first, *second), key=functools.cmp_to_key(_interval_order))
    merged: list[Interval] = []
    for piece in pieces:
        if merged and _touch(merged[-1].high, piece.low):
            last = merged[-1]
            high = last.high if _high_order(last.high, piece.high) >= 0 else piece.high
            merged[-1] = Interval(last.low, high)
        else:
            merged.append(piece)
    return tuple(merged)


def _touch(high: End, low: End) -> bool:
    order = _order(high.at, low.at)
    return order > 0 or (order == 0 and (high.closed or low.closed))


def difference(first: tuple[Interval, ...], second: tuple[Interval, ...]) -> tuple[Interval, ...]:
    """Return what the first union of intervals holds and the second does not."""
    rest: tuple[Interval, ...] = (ALL,)
    for interval in second:
        outside = []
        if interval.low.at != MINUS_INFINITY:
            outside.append(Interval(ALL.low, End(interval.low.at, not interval.low.closed)))
        if interval.high.at != INFINITY:
            outside.append(Interval(End(interval.high.at, not interval.high.closed), ALL.high))
        rest = intersection(rest, tuple(outside))
    return intersection(first, rest)
