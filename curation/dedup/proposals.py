"""Which wordings may state one problem: an index of datasketch proposes, `curation.dedup.verification` decides.

What comes from datasketch: the numbers of bands and rows that suit a similarity, and the index of those wordings that
share a key with another one at all. What does not: the signatures (`curation.dedup.signatures`), and the sieve before
the index, which sorts the keys of all rows and leaves out the rows that are alone under all of theirs. An index of all
rows would propose the same pairs and hold several hundred bytes a row and band.
"""

from __future__ import annotations

import math
import sys
from collections import Counter

import numpy as np
import numpy.typing as npt
from datasketch import LeanMinHash, MinHashLSH
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from curation.dedup.signatures import PERMUTATIONS, Banding, Words64

WEIGHTS = (0.1, 0.9)
"""How much a pair proposed in vain weighs beside a missed one: the former costs microseconds."""

_HIGHEST_THRESHOLD = 0.9
"""Above it a single band would do, which `MinHashLSH` refuses."""

_SCHEME = "affine64"
_SEED = 1
_CROWD = 200
_MOST_PROPOSED = 32


def banding(similarity: float) -> Banding:
    """Return the bands that find wordings of a similarity or more.

    A share ``1 - similarity`` of the words may be others. Each of them breaks two pairs of neighbouring words on both
    sides, so that the sets of pairs have a Jaccard similarity of ``(2 s - 1) / (3 - 2 s)`` or more. In a wording of
    fewer than ``1 / (1 - s)`` words even one other word is too much.
    """
    jaccard = min((2 * similarity - 1) / (3 - 2 * similarity), _HIGHEST_THRESHOLD)
    lsh = MinHashLSH(threshold=jaccard, num_perm=PERMUTATIONS, weights=WEIGHTS)
    shortest = sys.maxsize if similarity >= 1 else math.ceil(1 / (1 - similarity) - 1e-9)
    return Banding(lsh.b, lsh.r, shortest)


def groups(bands: Words64) -> npt.NDArray[np.int64]:
    """Return for each row the group that its proposals stay in; rows of different groups share no key.

    Args:
        bands: keys of `curation.dedup.signatures`, shape (rows, keys).

    Returns:
        shape (rows,): the smallest row of the group. A row that is alone under all its keys is a group of its own.
    """
    count = len(bands)
    ones, others = [], []
    for column in bands.T:
        order = np.argsort(column, kind="stable")
        same = np.flatnonzero(column[order][1:] == column[order][:-1])
        ones.append(order[same])
        others.append(order[same + 1])
    one, other = np.concatenate(ones), np.concatenate(others)
    edges = coo_array((np.ones(len(one), dtype=np.int8), (one, other)), shape=(count, count))
    labels = connected_components(edges, directed=False)[1]
    smallest = np.full(count, count, dtype=np.int64)
    np.minimum.at(smallest, labels, np.arange(count))
    group: npt.NDArray[np.int64] = smallest[labels]
    return group


class Index:
    """Wordings by their keys, in the order in which they came.

    A key under which many wordings stand that are not one problem (a template without numbers) takes no more of them,
    so that the work stays linear; their other keys still propose them.
    """

    def __init__(self, keys: int) -> None:
        self._lsh = MinHashLSH(num_perm=keys, params=(keys, 1))
        self._bands: list[Words64] = []
        self._crowds: Counter[tuple[int, int]] = Counter()

    def __len__(self) -> int:
        return len(self._bands)

    def proposed(self, bands: Words64) -> list[int]:
        """Return the numbers of wordings that may state the same problem, those with most keys in common first."""
        found: list[int] = sorted(self._lsh.query(_sketch(bands)))
        if len(found) < 2:
            return found
        shared = np.count_nonzero(np.stack([self._bands[number] for number in found]) == bands, axis=1)
        ranked = sorted(zip(found, shared.tolist(), strict=True), key=lambda pair: (-pair[1], pair[0]))
        return [number for number, _ in ranked[:_MOST_PROPOSED]]

    def add(self, bands: Words64) -> int:
        """Put a wording into the index and return its number."""
        number = len(self._bands)
        self._bands.append(bands)
        open_bands = bands.copy()
        for place, key in enumerate(bands.tolist()):
            self._crowds[place, key] += 1
            if place and self._crowds[place, key] > _CROWD:
                open_bands[place] = np.uint64(number)
        self._lsh.insert(number, _sketch(open_bands), check_duplication=False)
        return number


def _sketch(bands: Words64) -> LeanMinHash:
    return LeanMinHash(seed=_SEED, hashvalues=bands, scheme=_SCHEME)
