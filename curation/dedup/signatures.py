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
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from curation.dedup.wording import BRACKETS, folded_wording
from curation.text import fold

SIGNATURE_VERSION = 1
"""Raised whenever a signature changes."""

PERMUTATIONS = 64

Words64 = npt.NDArray[np.uint64]

_FEWEST_WORDS = 3
_MIX = np.uint64(0x9E3779B97F4A7C15)
_PLACE = np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)
_BRACKET, _SIGN, _WORD = range(3)

Number = TypeVar("Number", np.uint64, np.int64)


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


class _Vocabulary(dict[str, int]):
    """Numbers of tokens, and by these their hashes and kinds."""

    def __init__(self) -> None:
        self.hashes: list[int] = []
        self.kinds: list[int] = []

    def __missing__(self, token: str) -> int:
        number = self[token] = len(self.hashes)
        self.hashes.append(_hash64(token))
        self.kinds.append(_WORD if token[0].isalpha() else _BRACKET if token in BRACKETS else _SIGN)
        return number


def _hash64(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def sign(statements: Sequence[tuple[str, str]], banding: Banding) -> Signatures:
    """Return the keys of a batch of (domain, statement)."""
    exact: list[tuple[int, int]] = []
    domains: list[int] = []
    numbers: list[int] = []
    lengths: list[int] = []
    vocabulary = _Vocabulary()
    for domain, statement in statements:
        folded = fold(statement)
        telling = folded_wording(domain, statement, folded)
        exact.append(statement_key(domain, statement, folded))
        domains.append(vocabulary[domain])
        numbers += [vocabulary[word] for word in telling]
        lengths.append(len(telling))
    keys = np.array(exact, dtype=np.uint64).reshape(-1, 2)
    hashes = np.array(vocabulary.hashes, dtype=np.uint64)
    tokens = _Tokens(
        hashes[numbers] if numbers else np.empty(0, dtype=np.uint64),
        np.array(vocabulary.kinds, dtype=np.int8)[numbers] if numbers else np.empty(0, dtype=np.int8),
        np.array(lengths, dtype=np.int64),
    )
    domain_hashes = hashes[domains]
    # A text that says next to nothing is compared by its fold alone.
    few = tokens.lengths < _FEWEST_WORDS
    whole = np.where(few, keys[:, 1], _mixed(tokens.sequence_hashes(None), domain_hashes))
    signs = _mixed(tokens.sequence_hashes(_SIGN), domain_hashes)
    return Signatures(keys, _bands(whole, signs, *tokens.only(_WORD), banding))


@dataclass(frozen=True)
class _Tokens:
    """The tokens of a batch of wordings, one after another; ``lengths`` says how many belong to each."""

    hashes: Words64
    kinds: npt.NDArray[np.int8]
    lengths: npt.NDArray[np.int64]

    def only(self, kind: int | None) -> tuple[Words64, npt.NDArray[np.int64]]:
        """Return the hashes of the tokens of one kind (None: all), and how many each wording has."""
        if kind is None:
            return self.hashes, self.lengths
        mask = self.kinds == kind
        return self.hashes[mask], _sums(mask.astype(np.int64), self.lengths)

    def sequence_hashes(self, kind: int | None) -> Words64:
        """Return a hash of each wording's sequence of tokens of one kind: the sum of hashes mixed with places."""
        hashes, lengths = self.only(kind)
        starts = np.cumsum(lengths) - lengths
        places = (np.arange(len(hashes)) - np.repeat(starts, lengths) + 1).astype(np.uint64)
        return _sums(_mixed(_mixed(hashes, places * _PLACE), places), lengths)


def _sums(values: npt.NDArray[Number], lengths: npt.NDArray[np.int64]) -> npt.NDArray[Number]:
    """Return the sum of each run of values; a run may be empty, and sums wrap."""
    ends = np.cumsum(lengths)
    totals = np.concatenate((np.zeros(1, dtype=values.dtype), np.cumsum(values, dtype=values.dtype)))
    sums: npt.NDArray[Number] = totals[ends] - totals[ends - lengths]
    return sums


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
