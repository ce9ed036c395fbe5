"""Integers of an input: a list's builds, and values near which programs go wrong."""

from __future__ import annotations

import math
import random

_TRIES = 20


def cell(build: str, low: int, high: int, index: int, count: int, state: float, source: random.Random) -> int:
    """Return one integer of a list.

    Args:
        build: how the list is built, see `curation.testgen.profiles`; any other one is random.
        low: the least value that is allowed.
        high: the greatest.
        index: the place in the list, from 0.
        count: how many integers the list has.
        state: a number from 0 to 1 that is the same for the whole list.
        source: of random numbers.
    """
    last = max(1, count - 1)
    if build == "equal low":
        return low
    if build == "equal high":
        return high
    if build == "ascending":
        return low + (high - low) * index // last
    if build == "descending":
        return high - (high - low) * index // last
    if build == "ends":
        return low if source.random() < 0.5 else high
    if build == "alternate":
        return high if index % 2 else low
    if build == "step":
        return low if index < count // 2 else high
    if build == "one differs":
        return low if index == int(count * state) else high
    if build == "near":
        middle = low + int((high - low) * state)
        return min(high, max(low, middle + source.randint(-1, 1)))
    if build == "special":
        return special(low, high, source)
    return source.randint(low, high)


def special(low: int, high: int, source: random.Random) -> int:
    """Return a power of two or ten, a square, a cube or a number of many divisors, or a neighbour of one; else any."""
    top = max(abs(low), abs(high))
    for _ in range(_TRIES):
        value = source.choice((_power_of_two, _power_of_ten, _square, _cube, _of_many_divisors))(top, source)
        value += source.choice((-1, 0, 0, 1))
        if low < 0 and source.random() < 0.5:
            value = -value
        if low <= value <= high:
            return value
    return source.randint(low, high)


def _power_of_two(top: int, source: random.Random) -> int:
    return 1 << source.randint(0, max(1, top.bit_length() - 1))


def _power_of_ten(top: int, source: random.Random) -> int:
    return int(10 ** source.randint(0, max(1, len(str(top)) - 1)))


def _square(top: int, source: random.Random) -> int:
    root = math.isqrt(top)
    # The greatest square is where a rounded root goes wrong.
    return int((root if source.random() < 0.4 else source.randint(0, root)) ** 2)


def _cube(top: int, source: random.Random) -> int:
    return int(source.randint(0, 1 << (top.bit_length() // 3)) ** 3)


def _of_many_divisors(top: int, source: random.Random) -> int:
    found, factor = 1, 2
    while found * factor <= top:
        found, factor = math.lcm(found, factor), factor + 1
    while found > 1 and (found > top or source.random() < 0.3):
        found //= next(each for each in range(2, found + 1) if found % each == 0)
    return found


def decimal(value: int, places: int) -> str:
    """Return an integer as a number with so many decimals, one or more."""
    whole, rest = divmod(abs(value), 10**places)
    return f"{'-' if value < 0 else ''}{whole}.{rest:0{places}}"
