"""Proves of towers of powers and factorials that they are beyond any ordinary number, without computing them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeAlias

from mpmath import libmp

from curation.answers.boxes import Interval, NoValueError, is_real
from curation.answers.enclosure import enclose
from curation.answers.tree import Call, Formula, Power, Product, Sum

Sign: TypeAlias = int

_LARGE = 10**6
"""An exponent from which on a power of at least 11/10 is huge."""

_PRECISION = 64
_ORDINARY_BITS = 3_000


def huge_sign(formula: Formula) -> Sign:
    """Return 1 or -1 where the formula is proved to be beyond 2^100000 on that side, 0 where nothing is proved."""
    if isinstance(formula, Power):
        return 1 if _is_huge_power(formula) else 0
    if isinstance(formula, Call) and formula.function == "factorial":
        large = _at_least(formula.arguments[0], Fraction(_LARGE)) or huge_sign(formula.arguments[0]) == 1
        return 1 if large else 0
    if isinstance(formula, Sum):
        signs = {huge_sign(term) for term in formula.terms if not is_ordinary(term)}
        return signs.pop() if len(signs) == 1 else 0
    if isinstance(formula, Product):
        return _product_sign(formula)
    return 0


def is_ordinary(formula: Formula) -> bool:
    """Tell whether the formula is proved to be real and within 2^3000."""
    ends = _ends(formula)
    return ends is not None and all(_bits(end) < _ORDINARY_BITS for end in ends)


def _ends(formula: Formula) -> Interval | None:
    try:
        box = enclose(formula, _PRECISION)
    except NoValueError:
        return None
    return box[0] if is_real(box) else None


def _bits(end: Any) -> int:
    return int(end[2] + end[3])


def _at_least(formula: Formula, bound: Fraction) -> bool:
    ends = _ends(formula)
    limit = libmp.from_rational(bound.numerator, bound.denominator, _PRECISION, libmp.round_ceiling)
    return ends is not None and bool(libmp.mpf_ge(ends[0], limit))


def _is_huge_power(power: Power) -> bool:
    if _at_least(power.base, Fraction(11, 10)):
        return _at_least(power.exponent, Fraction(_LARGE)) or huge_sign(power.exponent) == 1
    return _at_least(power.exponent, Fraction(1)) and huge_sign(power.base) == 1


def _product_sign(product: Product) -> Sign:
    sign, found = 1, False
    for part in product.factors:
        huge = huge_sign(part)
        if huge:
            sign, found = sign * huge, True
            continue
        ends = _ends(part)
        if ends is None or _straddles_zero(ends) or min(_bits(end) for end in ends) < -_ORDINARY_BITS:
            return 0
        sign *= 1 if libmp.mpf_gt(ends[0], libmp.fzero) else -1
    return sign if found else 0


def _straddles_zero(ends: Interval) -> bool:
    return bool(libmp.mpf_le(ends[0], libmp.fzero) and libmp.mpf_ge(ends[1], libmp.fzero))
