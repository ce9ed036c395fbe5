"""MinHash signatures of many wordings at once, as the band keys under which `curation.dedup.proposals` looks them up.

The set that is hashed holds the runs of two neighbouring words of a wording; numbers and signs are part of every key
instead, because problems that differ in them are never duplicates. The permutations are ``h -> a h + b`` modulo 2^64
with odd ``a`` (Carter and Wegman 1979; MinHash: Broder 1997), taken over whole batches by NumPy. They depend on nothing
but this module, so that a run proposes the same pairs on every machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from curation.dedup.wording import folded_wording, skeleton
from curation.text import fold

SIGNATURE_VERSION = 1
"""Raised whenever a signature changes."""

PERMUTATIONS = 64

Words64 = npt.NDArray[np.uint64]

_FEWEST_WORDS = 3
_MOST_TOKENS = 500_000
_MIX = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


@dataclass(frozen=True)
class Banding:
    """How a signature is cut into bands.

    Attributes:
        bands: how many keys there are beside the key of the whole wording.
        rows: how many minima are in each.
        shortest: wordings with fewer words have only the key of the whole wording.
    """

    bands: int
    rows: int
    shortest: int


@dataclass(frozen=True)
class Signatures:
    """Keys of a batch of statements.

    Attributes:
        exact: 128-bit keys of the folded statements, shape (rows, 2).
        bands: shape (rows, 1 + bands). Column 0 is the key of the whole wording; two rows are proposed to each other
            where they have one key in one column.
    """

    exact: Words64
    bands: Words64


def statement_key(domain: str, statement: str, folded: str) -> tuple[int, int]:
    """Return a 128-bit key that two statements share when they fold to one text, BLAKE2b over domain and fold.

    A statement that folds to nothing is keyed by its own bytes, so that blank rows are no duplicates of each other
    unless they are equal.
    """
    kind, text = ("fold", folded) if folded else ("raw", statement)
    digest = hashlib.blake2b(f"{domain}\0{kind}\0{text}".encode(), digest_size=16).digest()
    return int.from_bytes(digest[:8], "big"), int.from_bytes(digest[8:], "big")


class _TokenHashes(dict[str, int]):
    def __missing__(self, token: str) -> int:
        if len(self) >= _MOST_TOKENS:
            self.clear()
        value = self[token] = _hash64(token)
        return value


def _hash64(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def sign(statements: Sequence[tuple[str, str]], banding: Banding) -> Signatures:
    """Return the keys of a batch of (domain, statement)."""
    exact, whole, signs, words, lengths = [], [], [], [], []
    hashes = _TokenHashes()
    for domain, statement in statements:
        folded = fold(statement)
        key = statement_key(domain, statement, folded)
        telling = folded_wording(domain, statement, folded)
        spoken = [hashes[word] for word in telling if word[0].isalpha()]
        # A text that says next to nothing is compared by its fold alone.
        few = len(telling) < _FEWEST_WORDS
        exact.append(key)
        whole.append(key[1] if few else _hash64(f"{domain}\0{' '.join(telling)}"))
        signs.append(_hash64(f"{domain}\0{' '.join(skeleton(telling))}"))
        words += spoken
        lengths.append(len(spoken))
    return Signatures(
        np.array(exact, dtype=np.uint64).reshape(-1, 2),
        _bands(
            np.array(whole, dtype=np.uint64),
            np.array(signs, dtype=np.uint64),
            np.array(words, dtype=np.uint64),
            np.array(lengths, dtype=np.int64),
            banding,
        ),
    )


def _bands(whole: Words64, signs: Words64, words: Words64, lengths: npt.NDArray[np.int64], banding: Banding) -> Words64:
    keys = np.empty((len(whole), 1 + banding.bands), dtype=np.uint64)
    keys[:, 0] = whole
    long = lengths >= max(2, banding.shortest)
    minima = _minima(words, lengths, long)
    for band in range(banding.bands):
        column = keys[:, 1 + band]
        # Too short for another wording to be near it: its own key, which rows of the same wording alone share.
        column[:] = _mixed(whole, np.uint64(band))
        value = signs[long]
        for row in range(banding.rows):
            value = _mixed(value, minima[band * banding.rows + row])
        column[long] = _mixed(value, np.uint64(band))
    return keys


def _mixed(one: Words64, other: Words64 | np.uint64) -> Words64:
    value = (one ^ other) * _MIX
    mixed: Words64 = value ^ (value >> _HALF)
    return mixed


def _minima(words: Words64, lengths: npt.NDArray[np.int64], long: npt.NDArray[np.bool_]) -> Words64:
    """Return the smallest hash of each long wording's word pairs under each permutation, (permutations, wordings)."""
    if not long.any():
        return np.empty((PERMUTATIONS, 0), dtype=np.uint64)
    used = words[np.repeat(long, lengths)]
    sizes = lengths[long]
    ends = np.cumsum(sizes)
    pairs = _mixed(used[:-1], used[1:] * np.uint64(3))
    # The pair that reaches from one wording into the next is none of either.
    keep = np.ones(len(pairs), dtype=bool)
    keep[ends[:-1] - 1] = False
    pairs = pairs[keep]
    starts = np.concatenate(([0], np.cumsum(sizes - 1)[:-1]))
    factors, offsets = _permutations()
    minima = np.empty((PERMUTATIONS, len(sizes)), dtype=np.uint64)
    for place in range(PERMUTATIONS):
        minima[place] = np.minimum.reduceat(pairs * factors[place] + offsets[place], starts)
    return minima


def _permutations() -> tuple[Words64, Words64]:
    numbers = [_hash64(f"permutation {place}") for place in range(2 * PERMUTATIONS)]
    factors = np.array(numbers[:PERMUTATIONS], dtype=np.uint64) | np.uint64(1)
    return factors, np.array(numbers[PERMUTATIONS:], dtype=np.uint64)
