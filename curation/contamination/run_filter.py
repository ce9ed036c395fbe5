"""Which of many texts share enough runs of tokens with an item: a look at hashes that loses none.

Tokens are numbers, a run's hash is a sum of multiples of four of them, and a table of bits says at once that most runs
are no item's. A text that passes for the hashes of its runs alone costs time and nothing else.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np

from curation.remembered import Remembered
from curation.text import NUMBER_MASK

_CELLS = 1 << 20
_MOST_TEXTS = 256
_BITS = 22
_ROUNDING = 1e-4


@dataclass(frozen=True, slots=True)
class Passing:
    """A text that may hold enough of items' weights.

    Attributes:
        text: its place.
        items: the places of those items.
        starts: where the runs start in it that any items have.
    """

    text: int
    items: Sequence[int]
    starts: Sequence[int]


class RunFilter:
    """Runs of one length that items have, with their weights; holds no state of the texts.

    Args:
        length: how many tokens a run has; shorter ones are the whole of a short item.
        runs: for each run its weight and the places of the items that have it.
        totals: each item's weight.
    """

    def __init__(
        self, length: int, runs: Mapping[tuple[str, ...], tuple[float, Sequence[int]]], totals: Sequence[float]
    ) -> None:
        self._length = length
        self._runs = runs
        self._totals = np.array(totals, dtype=np.float32)
        full = [run for run in runs if len(run) == length]
        self._tokens = {token: place for place, token in enumerate(dict.fromkeys(chain.from_iterable(full)), start=1)}
        self._number_of = Remembered(self._number)
        numbers = np.array([[self._tokens[token] for token in run] for run in full], dtype=np.uint64)
        numbers = numbers.reshape(len(full), length)
        draw = random.Random(0)
        while True:
            self._factors = np.array([draw.getrandbits(64) | 1 for _ in range(length)], dtype=np.uint64)
            hashes = (numbers * self._factors).sum(axis=1, dtype=np.uint64)
            order = np.argsort(hashes)
            self._hashes = hashes[order]
            if np.unique(hashes).size == hashes.size:
                break
        self._bits = np.zeros(1 << _BITS, dtype=np.bool_)
        self._bits[self._hashes >> np.uint64(64 - _BITS)] = True
        postings = [runs[full[place]] for place in order.tolist()]
        self._weights = np.array([weight for weight, _ in postings], dtype=np.float32)
        self._lengths = np.array([len(items) for _, items in postings], dtype=np.int64)
        self._starts = np.cumsum(self._lengths) - self._lengths
        self._items = np.fromiter(chain.from_iterable(items for _, items in postings), np.int64)

    def passing(
        self, texts: Sequence[Sequence[str]], least: float, sure: float = 0.0, runs: int = 0
    ) -> Iterator[Passing]:
        """Yield the texts that may hold at least ``least`` of items' weights.

        Args:
            texts: the texts' tokens.
            least: the share, above 0.
            sure: a text passes only where it may hold so much of an item, or more than ``runs`` runs of one.
            runs: how many runs.
        """
        step = max(1, min(_MOST_TEXTS, _CELLS // max(1, self._totals.size)))
        for start in range(0, len(texts), step):
            yield from self._passing(texts[start : start + step], start, (least, sure), runs)

    def _passing(
        self, texts: Sequence[Sequence[str]], offset: int, shares: tuple[float, float], most_runs: int
    ) -> Iterator[Passing]:
        lengths = np.array([len(text) for text in texts], dtype=np.int64)
        for text in np.flatnonzero((lengths > 0) & (lengths <= self._length)).tolist():
            whole = tuple(NUMBER_MASK if word[0].isdigit() else word for word in texts[text])
            if whole in self._runs:
                yield Passing(offset + text, list(self._runs[whole][1]), [0])
        owners, starts, runs = self._shared(texts, lengths)
        bounds = np.searchsorted(owners, np.arange(len(texts) + 1)).tolist()
        both, times = np.unique(owners * self._hashes.size + runs, return_counts=True)
        owners, runs = np.divmod(both, max(1, self._hashes.size))
        cells, counts = self._cells(owners, runs)
        shared = np.zeros((len(texts), self._totals.size), dtype=np.float32)
        np.add.at(shared.reshape(-1), cells, np.repeat(self._weights[runs], counts))
        least, sure = (self._totals * np.float32(share * (1 - _ROUNDING)) for share in shares)
        reached = np.flatnonzero(shared >= least)
        where, numbers = np.divmod(reached, self._totals.size)
        worth = np.zeros(len(texts), dtype=np.bool_)
        worth[where[shared.reshape(-1)[reached] >= sure[numbers]]] = True
        in_doubt = (np.bincount(owners, times, len(texts)) > most_runs) & ~worth
        doubtful = np.flatnonzero(in_doubt[owners])
        cells, counts = self._cells(owners[doubtful], runs[doubtful])
        found = np.zeros(shared.size, dtype=np.int32)
        np.add.at(found, cells, np.repeat(times[doubtful].astype(np.int32), counts))
        worth[where[found[reached] > most_runs]] = True
        passing = np.flatnonzero(np.diff(where, prepend=-1)).tolist()
        for start, end in pairwise([*passing, where.size]):
            text = int(where[start])
            if worth[text] and lengths[text] > self._length:
                own = starts[bounds[text] : bounds[text + 1]]
                yield Passing(offset + text, numbers[start:end].tolist(), own.tolist())

    def _cells(self, owners: np.ndarray, runs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return a cell of texts by items for each item that has a text's run, and how many each run has."""
        counts = self._lengths[runs]
        ends = np.cumsum(counts)
        postings = np.repeat(self._starts[runs] - (ends - counts), counts) + np.arange(counts.sum())
        return np.repeat(owners * self._totals.size, counts) + self._items[postings], counts

    def _shared(self, texts: Sequence[Sequence[str]], lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the runs of texts that items have: of which text each is, where it starts, and which run it is."""
        total = int(lengths.sum())
        count = total - self._length + 1
        if count <= 0:
            nothing = np.zeros(0, dtype=np.int64)
            return nothing, nothing, nothing
        numbers = np.fromiter(map(self._number_of.__getitem__, chain.from_iterable(texts)), np.uint64, total)
        hashes = numbers[:count] * self._factors[0]
        for place in range(1, self._length):
            hashes += numbers[place : place + count] * self._factors[place]
        known = np.flatnonzero(self._bits[hashes >> np.uint64(64 - _BITS)])
        hashes = hashes[known]
        runs = np.minimum(np.searchsorted(self._hashes, hashes), self._hashes.size - 1)
        here = self._hashes[runs] == hashes if self._hashes.size else np.zeros(0, dtype=np.bool_)
        owners = np.repeat(np.arange(lengths.size), lengths)
        first, last = owners[known], owners[known + self._length - 1]
        kept = here & (first == last)
        first = first[kept]
        return first, known[kept] - (np.cumsum(lengths) - lengths)[first], runs[kept]

    def _number(self, word: str) -> int:
        return self._tokens.get(NUMBER_MASK if word[0].isdigit() else word, 0)
