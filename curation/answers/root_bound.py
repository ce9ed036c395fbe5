"""Decides whether a real formula of rational numbers and real roots is exactly zero.

A formula that is not zero is at least as far from it as its separation bound; an interval around zero that is narrower
proves zero. The bound is that of C. Burnikel, S. Funke, K. Mehlhorn, S. Schirra and S. Schmitt, A separation bound for
real algebraic expressions, Algorithmica 55 (2009).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from mpmath import libmp

from curation.answers.enclosure import NoValueError, enclose, is_real
from curation.answers.tree import Formula, Number, Power, Product, Root, Sum

_PRECISION_LIMIT = 20_000
_EXPONENT_LIMIT = 64


@dataclass(frozen=True, slots=True)
class _Bound:
    """Logarithms to base 2 of the bounds ``u`` and ``l`` of the paper."""

    upper: float
    lower: float


def is_zero(formula: Formula) -> bool | None:
    """Tell whether the formula is zero; None where it is no formula of real roots, or too large to decide."""
    roots: dict[Formula, int] = {}
    try:
        bound = _bound(formula, roots)
    except NoValueError:
        return None
    degree = math.prod(roots.values())
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


def _bound(formula: Formula, roots: dict[Formula, int]) -> _Bound:
    if isinstance(formula, Number):
        top, bottom = abs(formula.value.numerator), formula.value.denominator
        return _Bound(_log2(top), _log2(bottom))
    if isinstance(formula, Sum):
        total = _bound(formula.terms[0], roots)
        for term in formula.terms[1:]:
            other = _bound(term, roots)
            sums = (total.upper + other.lower, total.lower + other.upper)
            total = _Bound(max(sums) + 1, total.lower + other.lower)
        return total
    if isinstance(formula, Product):
        parts = [_bound(part, roots) for part in formula.factors]
        return _Bound(sum(part.upper for part in parts), sum(part.lower for part in parts))
    if isinstance(formula, Power) and isinstance(formula.exponent, Number):
        exponent = formula.exponent.value
        if exponent.denominator != 1:
            root = Root(formula.base, Number(1 / (exponent / exponent.numerator)))
            return _raised(_bound(root, roots), exponent.numerator)
        return _raised(_bound(formula.base, roots), exponent.numerator)
    if isinstance(formula, Root) and isinstance(formula.index, Number) and formula.index.value.denominator == 1:
        return _root_bound(formula, int(formula.index.value), roots)
    raise NoValueError("no formula of roots")


def _raised(bound: _Bound, exponent: int) -> _Bound:
    if abs(exponent) > _EXPONENT_LIMIT:
        raise NoValueError("a large exponent")
    if exponent < 0:
        bound, exponent = _Bound(bound.lower, bound.upper), -exponent
    return _Bound(bound.upper * exponent, bound.lower * exponent)


def _root_bound(root: Root, index: int, roots: dict[Formula, int]) -> _Bound:
    if not 2 <= index <= _EXPONENT_LIMIT:
        raise NoValueError("a root of unusual degree")
    inner = _bound(root.radicand, roots)
    box = enclose(root.radicand, 128)
    if not is_real(box) or (index % 2 == 0 and libmp.mpf_lt(box[0][0], libmp.fzero)):
        raise NoValueError("a root that is not real")
    roots[root] = index
    if inner.upper >= inner.lower:
        return _Bound((inner.upper + (index - 1) * inner.lower) / index, inner.lower)
    return _Bound(inner.upper, ((index - 1) * inner.upper + inner.lower) / index)


def _log2(number: int) -> float:
    return max(0.0, math.log2(number)) if number else 0.0
