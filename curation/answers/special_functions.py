"""Values of the gamma and zeta functions that are a rational number times a power of pi."""

from __future__ import annotations

import functools
import math
from fractions import Fraction

_LARGEST = 30
_HALF = Fraction(1, 2)


def gamma(argument: Fraction) -> tuple[Fraction, Fraction] | None:
    """Return the number and the power of pi whose product is gamma of a natural number or of one and a half."""
    if argument.denominator == 1 and 0 < argument <= _LARGEST:
        return Fraction(math.factorial(int(argument) - 1)), Fraction(0)
    if argument.denominator == 2 and 0 < argument <= _LARGEST:
        return Fraction(
            math.prod((argument - step for step in range(1, int(argument + _HALF))), start=Fraction(1))
        ), _HALF
    return None


@functools.lru_cache(maxsize=64)
def zeta(argument: Fraction) -> tuple[Fraction, Fraction] | None:
    """Return the number and the power of pi whose product is zeta of an even positive number (L. Euler, 1735)."""
    if argument.denominator != 1 or argument % 2 or not 0 < argument <= _LARGEST:
        return None
    order = int(argument)
    value = abs(_bernoulli(order)) * 2 ** (order - 1) / math.factorial(order)
    return value, Fraction(order)


def _bernoulli(order: int) -> Fraction:
    numbers = [Fraction(1)]
    for n in range(1, order + 1):
        numbers.append(-sum((math.comb(n + 1, k) * numbers[k] for k in range(n)), Fraction(0)) / (n + 1))
    return numbers[order]
