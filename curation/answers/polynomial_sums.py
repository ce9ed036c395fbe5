"""Sums of polynomials over a range of integers in closed form, however long or with what symbol the range ends."""

from __future__ import annotations

import math
from fractions import Fraction

from curation.answers.finite_sums import folded
from curation.answers.formulas import children_of
from curation.answers.linear import substitute
from curation.answers.tree import Formula, Number, Power, Product, Sum, Symbol

_HIGHEST_DEGREE = 8


def closed_form(body: Formula, variable: str, low: int, high: Formula) -> Formula | None:
    r"""Return ``\sum`` of the body over the integers from ``low`` to ``high``, for ``high`` not below ``low - 1``.

    The sum is a polynomial in its number of terms of one degree more, so Newton's forward differences of its first
    values give it exactly.

    Returns:
        None where the body is no polynomial of a low degree in the variable, or ``high`` holds the variable.
    """
    degree = _degree(body, variable)
    if degree is None or degree > _HIGHEST_DEGREE or _holds(high, variable) or _holds(high, "∞"):
        return None
    values = [folded(substitute(body, variable, Number(Fraction(low + step)))) for step in range(degree + 1)]
    count = folded(Sum((high, Number(Fraction(1 - low)))))
    terms: list[Formula] = []
    for order in range(degree + 1):
        signs = [Number(Fraction((-1) ** (order - step) * math.comb(order, step))) for step in range(order + 1)]
        difference = Sum(tuple(Product((sign, value)) for sign, value in zip(signs, values, strict=False)))
        terms.append(Product((difference, _binomial(count, order + 1))))
    return folded(Sum(tuple(terms)))


def _binomial(count: Formula, part: int) -> Formula:
    factors = [Sum((count, Number(Fraction(-step)))) for step in range(part)]
    return Product((Number(Fraction(1, math.factorial(part)), "rational"), *factors))


def _degree(formula: Formula, variable: str) -> int | None:
    """Return the degree in a variable, or a number above it; None where the formula may be no polynomial in it."""
    if formula == Symbol(variable):
        return 1
    if not _holds(formula, variable):
        return 0
    if isinstance(formula, Power):
        base, exponent = _degree(formula.base, variable), formula.exponent
        if base is None or not isinstance(exponent, Number) or exponent.value.denominator != 1 or exponent.value < 0:
            return None
        return base * exponent.value.numerator
    if not isinstance(formula, Sum | Product):
        return None
    degrees = [_degree(part, variable) for part in children_of(formula)]
    known = [degree for degree in degrees if degree is not None]
    if len(known) != len(degrees):
        return None
    return max(known) if isinstance(formula, Sum) else sum(known)


def _holds(formula: Formula, name: str) -> bool:
    return formula == Symbol(name) or any(_holds(child, name) for child in children_of(formula))
