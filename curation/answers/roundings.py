r"""Answers that add their rounded value: ``2\sqrt{2} \approx 2.83``."""

from __future__ import annotations

from fractions import Fraction

from curation.answers.comparison import Comparison, unknown
from curation.answers.enclosure import real_bounds
from curation.answers.tree import VALUED, Listing, Node, Number, Relation


def with_roundings(first: Node, second: Node, result: Comparison) -> Comparison:
    """Return the verdict, left open where an answer is right by its exact side and rounds that side wrongly."""
    if result.verdict == "equal" and (_rounded_wrongly(first) or _rounded_wrongly(second)):
        return unknown("rounding", "the value and its rounding contradict each other")
    return result


def _rounded_wrongly(node: Node) -> bool:
    if isinstance(node, Listing):
        return any(map(_rounded_wrongly, node.members))
    if not isinstance(node, Relation) or "≈" not in node.signs:
        return False
    pairs = zip(node.signs, node.sides, node.sides[1:], strict=False)
    return any(sign == "≈" and not _near(exact, rounded) for sign, exact, rounded in pairs)


def _near(exact: Node, rounded: Node) -> bool:
    """Tell whether a number may be a rounding of a value; what cannot be computed may be."""
    bounds = real_bounds(exact) if isinstance(exact, VALUED) else None
    if bounds is None or not isinstance(rounded, Number):
        return True
    value, unit = abs(rounded.value), _last_place(rounded.value)
    low, high = bounds if rounded.value >= 0 else (-bounds[1], -bounds[0])
    # Rounded to the nearest or cut off.
    return value - unit / 2 <= high and low < value + unit


def _last_place(value: Fraction) -> Fraction:
    unit = Fraction(1)
    while value and (value / (unit * 10)).denominator == 1:
        unit *= 10
    while (value / unit).denominator != 1 and unit > Fraction(1, 10**30):
        unit /= 10
    return unit
