"""Decides whether a real formula of rational numbers, real roots and sines of fractions of pi is exactly zero.

A formula that is not zero is at least as far from it as its separation bound; an interval around zero that is narrower
proves zero. The bound is that of C. Burnikel, S. Funke, K. Mehlhorn, S. Schirra and S. Schmitt, A separation bound for
real algebraic expressions, Algorithmica 55 (2009). Twice a sine or cosine of a fraction of pi is an algebraic integer
in a cyclotomic field whose conjugates are at most 2, which is all that the bound asks of a leaf.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from mpmath import libmp

from curation.answers.boxes import NoValueError, is_real
from curation.answers.canonical import Canonical
from curation.answers.enclosure import enclose
from curation.answers.exact import ONE, UNIT, BeyondError
from curation.answers.tree import Call, Formula, Number, Power, Product, Root, Sum

_PRECISION_LIMIT = 20_000
_EXPONENT_LIMIT = 64
_ORDER_LIMIT = 180


@dataclass(frozen=True, slots=True)
class _Bound:
    """Logarithms to base 2 of the bounds ``u`` and ``l`` of the paper."""

    upper: float
    lower: float


@dataclass(frozen=True, slots=True)
class _Leaves:
    """The roots of the formula with their degrees, and the orders of the roots of unity behind its sines."""

    roots: dict[Formula, int]
    orders: set[int]


def is_zero(formula: Formula) -> bool | None:
    """Tell whether the formula is zero; None where it is no formula of real roots, or too large to decide."""
    leaves = _Leaves({}, set())
    try:
        bound = _bound(formula, leaves)
    except NoValueError:
        return None
    degree = math.prod(leaves.roots.values()) * _totient(math.lcm(*leaves.orders))
    bits = (degree - 1) * bound.upper + bound.lower
    precision = int(2 * bits) + 100
    if precision > _PRECISION_LIMIT:
        return None
    try:
        box = enclose(formula, precision)
    except NoValueError:
        return None
    low, high = box[0]
    if not is_real(box):
        return None
    if libmp.mpf_gt(low, libmp.fzero) or libmp.mpf_lt(high, libmp.fzero):
        return False
    limit = libmp.mpf_shift(libmp.fone, -int(bits) - 2)
    if libmp.mpf_lt(libmp.mpf_abs(low), limit) and libmp.mpf_lt(libmp.mpf_abs(high), limit):
        return True
    return None


def _bound(formula: Formula, leaves: _Leaves) -> _Bound:
    if isinstance(formula, Number):
        top, bottom = abs(formula.value.numerator), formula.value.denominator
        return _Bound(_log2(top), _log2(bottom))
    if isinstance(formula, Sum):
        total = _bound(formula.terms[0], leaves)
        for term in formula.terms[1:]:
            other = _bound(term, leaves)
            sums = (total.upper + other.lower, total.lower + other.upper)
            total = _Bound(max(sums) + 1, total.lower + other.lower)
        return total
    if isinstance(formula, Product):
        parts = [_bound(part, leaves) for part in formula.factors]
        return _Bound(sum(part.upper for part in parts), sum(part.lower for part in parts))
    if isinstance(formula, Power) and isinstance(formula.exponent, Number):
        exponent = formula.exponent.value
        if exponent.denominator != 1:
            root = Root(formula.base, Number(1 / (exponent / exponent.numerator)))
            return _raised(_bound(root, leaves), exponent.numerator)
        return _raised(_bound(formula.base, leaves), exponent.numerator)
    if isinstance(formula, Root) and isinstance(formula.index, Number) and formula.index.value.denominator == 1:
        return _root_bound(formula, int(formula.index.value), leaves)
    if isinstance(formula, Call):
        return _call_bound(formula, leaves)
    raise NoValueError("no formula of roots")


def _call_bound(call: Call, leaves: _Leaves) -> _Bound:
    if call.function not in ("sin", "cos", "tan", "cot", "sec", "csc"):
        raise NoValueError("no formula of roots")
    share = _share_of_pi(call.arguments[0])
    if share is None or share.denominator > _ORDER_LIMIT:
        raise NoValueError("a sine of no fraction of pi")
    # A sine is the cosine of what is missing to a right angle: the order of i belongs to both.
    leaves.orders.add(math.lcm(4, 2 * share.denominator))
    return _Bound(1.0, 1.0)


def _share_of_pi(argument: Formula) -> Fraction | None:
    try:
        value = Canonical().convert(argument)
    except BeyondError:
        return None
    if not value.top:
        return Fraction(0)
    ((monomial, number), *rest) = value.top.items()
    return number if not rest and value.bottom == UNIT and monomial == (("π", ONE),) else None


def _totient(order: int) -> int:
    return sum(1 for number in range(1, order + 1) if math.gcd(number, order) == 1)


def _raised(bound: _Bound, exponent: int) -> _Bound:
    if abs(exponent) > _EXPONENT_LIMIT:
        raise NoValueError("a large exponent")
    if exponent < 0:
        bound, exponent = _Bound(bound.lower, bound.upper), -exponent
    return _Bound(bound.upper * exponent, bound.lower * exponent)


def _root_bound(root: Root, index: int, leaves: _Leaves) -> _Bound:
    if not 2 <= index <= _EXPONENT_LIMIT:
        raise NoValueError("a root of unusual degree")
    inner = _bound(root.radicand, leaves)
    box = enclose(root.radicand, 128)
    if not is_real(box) or (index % 2 == 0 and libmp.mpf_lt(box[0][0], libmp.fzero)):
        raise NoValueError("a root that is not real")
    leaves.roots[root] = index
    if inner.upper >= inner.lower:
        return _Bound((inner.upper + (index - 1) * inner.lower) / index, inner.lower)
    return _Bound(inner.upper, ((index - 1) * inner.upper + inner.lower) / index)


def _log2(number: int) -> float:
    return max(0.0, math.log2(number)) if number else 0.0
