"""The numbers that literals write: decimals, powers of ten, base-n numerals, mixed numbers, quotients."""

from __future__ import annotations

from fractions import Fraction

from curation.answers.numerals import integer_of
from curation.answers.tokens import UnreadableError
from curation.answers.tree import Formula, Number, Power, Product

MINUS_ONE = Number(Fraction(-1))
"""The number -1."""

POWER_OF_TEN_LIMIT = 9_999
"""The largest exponent of a number in scientific notation."""


def negative(formula: Formula) -> Formula:
    """Return the formula with the opposite sign."""
    if isinstance(formula, Number):
        return Number(-formula.value, formula.written)
    return Product((MINUS_ONE, formula))


def number_of(text: str) -> Number:
    """Return the number that a number token writes.

    Raises:
        UnreadableError: its power of ten is too large.
    """
    mantissa, _, exponent = text.lower().partition("e")
    whole, _, decimals = mantissa.partition(".")
    value = Fraction(integer_of(whole + decimals) if whole + decimals else 0, 10 ** len(decimals))
    if exponent:
        if abs(int(exponent)) > POWER_OF_TEN_LIMIT:
            raise UnreadableError("a power of ten that is too large")
        value *= Fraction(10) ** int(exponent)
    return Number(value, "decimal" if decimals or exponent else "integer")


def base_numeral(digits: str, base: int) -> Number:
    """Return the number that digits write in a base.

    Raises:
        UnreadableError: a digit is too large for the base.
    """
    whole, _, places = digits.partition(".")
    try:
        return Number(Fraction(int(whole + places, base), base ** len(places)), "base")
    except ValueError:
        raise UnreadableError(f"digits that base {base} has not") from None


def quotient(top: Formula, bottom: Formula) -> Formula:
    """Return top over bottom; of two integers it is one number.

    Raises:
        UnreadableError: the bottom is zero.
    """
    if isinstance(bottom, Number):
        if bottom.value == 0:
            raise UnreadableError("a division by zero")
        if isinstance(top, Number):
            return Number(top.value / bottom.value, "rational")
    return Product((top, Power(bottom, MINUS_ONE)))


def mixed(whole: Number, part: Number) -> Number:
    if whole.value.denominator != 1 or not 0 < part.value < 1 or whole.written != "integer":
        raise UnreadableError("a number before a fraction can be read in two ways")
    return Number(whole.value + part.value, "rational")
