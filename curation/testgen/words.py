"""Words and rows of grids, built as a profile says, and words made from another one."""

from __future__ import annotations

import random

_CHANGES = (
    "same",
    "reverse",
    "rotation",
    "rotation",
    "anagram",
    "part",
    "part",
    "changed",
    "last changed",
    "longer",
    "shorter",
)
"""Words that differ in the last letter alone are the worst for whoever compares letter by letter."""


def word(build: str, alphabet: str, length: int, source: random.Random) -> str:
    """Return a word over an alphabet."""
    if not alphabet or length == 0:
        return ""
    one, two = source.choice(alphabet), source.choice(alphabet)
    if build == "one letter":
        return one * length
    if build == "two letters":
        return "".join(source.choices(one + two, k=length))
    if build == "periodic":
        period = "".join(source.choices(alphabet, k=source.randint(1, 4)))
        return (period * length)[:length]
    if build == "palindrome":
        half = "".join(source.choices(alphabet, k=(length + 1) // 2))
        return half + half[: length // 2][::-1]
    if build == "halves":
        return one * (length // 2) + two * (length - length // 2)
    if build == "alternate":
        return ((alphabet[0] + alphabet[-1]) * length)[:length]
    if build == "late change":
        return alphabet[0] * (length - 1) + alphabet[-1]
    if build == "blocks":
        runs = "".join(source.choice(alphabet) * source.randint(1, 4) for _ in range(length))
        return runs[:length]
    return "".join(source.choices(alphabet, k=length))


def related(text: str, alphabet: str, source: random.Random) -> str:
    """Return the same word, its reverse, a rotation, its letters in another order, a part of it, or one changed."""
    change = source.choice(_CHANGES)
    at = max(0, len(text) - 1) if change == "last changed" else source.randrange(len(text) + 1)
    if change == "reverse":
        return text[::-1]
    if change == "rotation":
        return text[at:] + text[:at]
    if change == "anagram":
        return "".join(source.sample(text, len(text)))
    if change == "part":
        one, two = sorted((at, source.choice((0, source.randrange(len(text) + 1), len(text)))))
        return text[one:two]
    if change == "longer":
        return text[:at] + source.choice(alphabet) + text[at:]
    if change in ("changed", "last changed"):
        return text[:at] + (source.choice(alphabet) if text[at:] else "") + text[at + 1 :]
    return text[:at] + text[at + 1 :] if change == "shorter" else text


def grid_row(build: str, alphabet: str, length: int, index: int, count: int, source: random.Random) -> str:
    """Return a row of a grid: all of one letter, nearly all, stripes, a checkerboard, a path that winds, or random.

    Args:
        build: how the grid is built.
        alphabet: its letters.
        length: of the row.
        index: the row's place, from 0.
        count: how many rows there are.
        source: of random numbers.
    """
    first, last = alphabet[0], alphabet[-1]
    if build == "one letter":
        return last * length
    if build == "halves":
        return first * length
    if build in ("two letters", "late change"):
        most, least = (last, first) if build == "two letters" else (first, last)
        return "".join(least if source.random() < 0.1 else most for _ in range(length))
    if build == "periodic":
        return ((first + last) * length)[:length]
    if build == "alternate":
        return ((first + last) * length)[index % 2 :][:length]
    if build in ("palindrome", "blocks"):
        path, wall = (last, first) if build == "palindrome" else (first, last)
        gap = wall * (length - 1)
        # The way ends in a corner whether the rows are even or odd in number.
        return path * length if index % 2 == 0 or index == count - 1 else gap + path if index % 4 == 1 else path + gap
    return "".join(source.choices(alphabet, k=length))
