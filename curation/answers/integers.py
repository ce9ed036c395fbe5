"""Factors integers as far as small primes and perfect powers go."""

from __future__ import annotations

import functools
import math

_SMALL = 2_000
_ROOT_BITS = 2_000
_DIGITS_BITS = 20_000


@functools.cache
def _primes() -> tuple[int, ...]:
    sieve = bytearray([1]) * _SMALL
    for number in range(2, math.isqrt(_SMALL) + 1):
        if sieve[number]:
            sieve[number * number :: number] = bytes(len(range(number * number, _SMALL, number)))
    return tuple(number for number in range(2, _SMALL) if sieve[number])


def factor(number: int) -> list[tuple[int, int]]:
    """Return factors greater than 1 with exponents; their product is ``number``.

    Factors below 4,000,000 are primes. A larger one may be composite; it is no square, and below 2^2000 no cube or
    fifth power.
    """
    found: list[tuple[int, int]] = []
    if number.bit_length() > _DIGITS_BITS:
        return [(number, 1)] if number > 1 else []
    for prime in _primes():
        if prime * prime > number:
            break
        power = 0
        while number % prime == 0:
            number //= prime
            power += 1
        if power:
            found.append((prime, power))
    if number > 1:
        found.append(_as_power(number))
    return found


def _as_power(number: int) -> tuple[int, int]:
    if number < _SMALL * _SMALL:
        return number, 1
    for degree in (5, 3, 2) if number.bit_length() <= _ROOT_BITS else (2,):
        root = _integer_root(number, degree)
        if root**degree == number:
            base, power = _as_power(root)
            return base, power * degree
    return number, 1


def _integer_root(number: int, degree: int) -> int:
    if degree == 2:
        return math.isqrt(number)
    low, high = 1, 1 << (number.bit_length() // degree + 1)
    while low < high:
        middle = (low + high + 1) // 2
        if middle**degree <= number:
            low = middle
        else:
            high = middle - 1
    return low
