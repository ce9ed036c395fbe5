"""Sums and products over a range of integers, written out term by term."""

from __future__ import annotations

import math
from fractions import Fraction

from curation.answers.formulas import children_of, rebuilt
from curation.answers.linear import substitute
from curation.answers.tokens import UnreadableError
from curation.answers.tree import Call, Formula, Number, Power, Product, Sum

PART_LIMIT = 20_000
"""Parts of the longest sum that is written out."""

_BITS = 10_000
_EXPONENT_LIMIT = 2_000
_FACTORIAL_LIMIT = 500


def written_out(operator: str, body: Formula, variable: str, low: int, high: int) -> Formula:
    r"""Return ``\sum`` or ``\prod`` of the body over the integers from ``low`` to ``high``.

    Raises:
        UnreadableError: it has too many terms, or numbers that are too large.
    """
    if is_long(body, low, high):
        raise UnreadableError(f"a sum that has more than {PART_LIMIT:,} parts when written out")
    total: Formula = Number(Fraction(operator == "prod"))
    rest: list[Formula] = []
    for value in range(low, high + 1):
        term = folded(substitute(body, variable, Number(Fraction(value))))
        if isinstance(term, Number) and isinstance(total, Number):
            total = _number(total.value * term.value if operator == "prod" else total.value + term.value)
        else:
            rest.append(term)
    if not rest:
        return total
    return Product((total, *rest)) if operator == "prod" else Sum((total, *rest))


def is_long(body: Formula, low: int, high: int) -> bool:
    """Tell whether a sum has too many terms to be written out."""
    return (high - low) * _size(body) >= PART_LIMIT


def _size(formula: Formula) -> int:
    return 1 + sum(map(_size, children_of(formula)))


def folded(formula: Formula) -> Formula:
    """Return the formula with its rational parts computed.

    Raises:
        UnreadableError: a part is too large a number.
    """
    children = [folded(child) for child in children_of(formula)]
    values = [child.value for child in children if isinstance(child, Number)]
    if not children or len(values) != len(children):
        return rebuilt(formula, children) if children else formula
    found = _value(formula, values)
    return rebuilt(formula, children) if found is None else _number(found)


def _value(formula: Formula, values: list[Fraction]) -> Fraction | None:
    if isinstance(formula, Sum):
        return sum(values, Fraction(0))
    if isinstance(formula, Product):
        return math.prod(values, start=Fraction(1))
    if isinstance(formula, Power):
        return _power(*values)
    if isinstance(formula, Call) and all(value.denominator == 1 and value <= _FACTORIAL_LIMIT for value in values):
        whole = [value.numerator for value in values]
        if formula.function == "factorial" and whole[0] >= 0:
            return Fraction(math.factorial(whole[0]))
        if formula.function == "binom" and 0 <= whole[1] <= whole[0]:
            return Fraction(math.comb(whole[0], whole[1]))
    return None


def _power(base: Fraction, exponent: Fraction) -> Fraction | None:
    if exponent.denominator != 1 or (base == 0 and exponent <= 0) or abs(exponent) > _EXPONENT_LIMIT:
        return None
    bits = max(base.numerator.bit_length(), base.denominator.bit_length())
    if bits * abs(exponent) > _BITS:
        raise UnreadableError("a sum with numbers that are too large")
    return Fraction(base**exponent.numerator)


def _number(value: Fraction) -> Number:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > _BITS:
        raise UnreadableError("a sum with numbers that are too large")
    return Number(value, "integer" if value.denominator == 1 else "rational")
