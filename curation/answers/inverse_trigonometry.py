"""Proves that a rational combination of inverse sines, cosines and tangents and of pi is zero.

The arctangent of x is the angle of ``1 + xi``, the arcsine that of ``sqrt(1 - x^2) + xi``, the arccosine that of
``x + sqrt(1 - x^2) i``. Integer multiples of angles add up as those numbers multiply: the sum is a multiple of pi
exactly where the product is real, and it is zero if it also lies between -1 and 1.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TypeAlias

from curation.answers.canonical import Canonical
from curation.answers.enclosure import real_bounds
from curation.answers.exact import HALF, BeyondError, Quotient, constant
from curation.answers.tree import Call, Formula, Number, Product, Sum, Symbol

_Complex: TypeAlias = tuple[Quotient, Quotient]

_FACTOR_LIMIT = 60
_INVERSES = ("arcsin", "arccos", "arctan")


class _OtherFormError(ValueError):
    """The formula is no combination of angles."""


def is_zero_angle(formula: Formula) -> bool:
    """Tell whether the formula is proven zero; False says nothing."""
    angles: dict[Call, Fraction] = {}
    try:
        share = _collect(formula, Fraction(1), angles)
        scale = math.lcm(share.denominator, *(factor.denominator for factor in angles.values()))
        if not angles or sum(abs(factor) for factor in angles.values()) * scale > _FACTOR_LIMIT:
            return False
        canonical = Canonical()
        product: _Complex = constant(1), constant(0)
        for call, factor in angles.items():
            direction = _direction(canonical, call, backwards=factor < 0)
            for _ in range(int(abs(factor) * scale)):
                product = _multiplied(canonical, product, direction)
    except (_OtherFormError, BeyondError):
        return False
    bounds = real_bounds(Product((Number(Fraction(scale)), formula)))
    return not product[1].top and bounds is not None and bounds[0] > -1 and bounds[1] < 1


def _collect(formula: Formula, factor: Fraction, angles: dict[Call, Fraction]) -> Fraction:
    """Add the inverse functions times their factors to ``angles``; return the multiple of pi."""
    if isinstance(formula, Sum):
        return sum((_collect(term, factor, angles) for term in formula.terms), Fraction(0))
    if isinstance(formula, Call) and formula.function in _INVERSES:
        angles[formula] = angles.get(formula, Fraction(0)) + factor
        return Fraction(0)
    if isinstance(formula, Call) and formula.function == "degrees":
        return factor * _rational(formula.arguments[0]) / 180
    if formula == Symbol("pi"):
        return factor
    if isinstance(formula, Product):
        parts = [part for part in formula.factors if _holds_angle(part)]
        rest = tuple(part for part in formula.factors if not _holds_angle(part))
        if len(parts) == 1 and rest:
            return _collect(parts[0], factor * _rational(Product(rest)), angles)
    if _rational(formula) != 0:
        raise _OtherFormError
    return Fraction(0)


def _holds_angle(formula: Formula) -> bool:
    if isinstance(formula, Sum | Product):
        return any(map(_holds_angle, formula.terms if isinstance(formula, Sum) else formula.factors))
    return formula == Symbol("pi") or (isinstance(formula, Call) and formula.function in (*_INVERSES, "degrees"))


def _rational(formula: Formula) -> Fraction:
    value = Canonical().convert(formula).rational
    if value is None:
        raise _OtherFormError
    return value


def _direction(canonical: Canonical, call: Call, *, backwards: bool) -> _Complex:
    field = canonical.field
    value = canonical.convert(call.arguments[0])
    if call.function == "arctan":
        real, imaginary = constant(1), value
    else:
        square = field.scale(field.multiply(value, value), Fraction(-1))
        other = field.raise_by(field.add(constant(1), square), constant(HALF))
        real, imaginary = (value, other) if call.function == "arccos" else (other, value)
    return (real, field.scale(imaginary, Fraction(-1))) if backwards else (real, imaginary)


def _multiplied(canonical: Canonical, first: _Complex, second: _Complex) -> _Complex:
    field = canonical.field
    real = field.add(
        field.multiply(first[0], second[0]), field.scale(field.multiply(first[1], second[1]), Fraction(-1))
    )
    return real, field.add(field.multiply(first[0], second[1]), field.multiply(first[1], second[0]))
