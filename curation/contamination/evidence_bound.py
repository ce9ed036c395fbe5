"""What no item's evidence exceeds, for many texts at once: most items are spared being weighed one by one.

Evidence is what `curation.contamination.likeness` adds up, without what it knows of powers, lengths and languages. What
one kind says is kept within limits, and evidence within a lower limit is a convex function of what the shared features
add, so that the straight line from none to all of them lies above it. Lines add up in a product of matrices: features
that many items have are a dense one, for the rest each pair of a text and an item is added to.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, pairwise

import numpy as np
from threadpoolctl import ThreadpoolController

from curation.contamination.chances import chance_at_large
from curation.contamination.rates import EXTRA_LIMITS, KINDS, LIMITS, against
from curation.contamination.signature import Signature
from curation.remembered import Remembered

_COMMON = 128
_CELLS = 1 << 20
_MOST_TEXTS = 256
_ROUNDING = 0.02
"""More than sums of single-precision numbers of this size are off, in nats."""

_LEAST_OWN = np.array([LIMITS[kind][0] for kind in KINDS])
_LEAST_EXTRA = np.array([EXTRA_LIMITS[kind] for kind in KINDS])


@cache
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()


@dataclass(frozen=True, slots=True)
class ItemFeature:
    """A feature of an item.

    Attributes:
        feature: the feature.
        present: what it says that a text has it, in nats.
        absent: what it says that the text lacks it.
    """

    feature: str
    present: float
    absent: float


class EvidenceBound:
    """Bounds on the evidence for items, for texts of one language; holds no state of the texts.

    Args:
        items: each item's features.
        chances: how often a problem has a feature, for all features of the items.
    """

    def __init__(self, items: Sequence[Sequence[ItemFeature]], chances: Mapping[str, float]) -> None:
        self._size = len(items)
        having: dict[str, list[tuple[int, float]]] = defaultdict(list)
        nothing = np.zeros((len(KINDS), self._size))
        everything = np.zeros((len(KINDS), self._size))
        for number, own in enumerate(items):
            for one in own:
                kind = KINDS.index(one.feature[0])
                nothing[kind, number] += one.absent
                everything[kind, number] += one.present
                having[one.feature].append((number, one.present - one.absent))
        least = _LEAST_OWN[:, None]
        bounded = np.maximum(nothing, least)
        gained = np.maximum(everything - nothing, 1e-6)
        slope = (np.maximum(everything, least) - bounded) / gained
        self._nothing_shared = bounded.sum(axis=0).astype(np.float32)
        # The features that most items have come first.
        ordered = sorted(having, key=lambda feature: (-len(having[feature]), feature))
        self._places = {feature: place for place, feature in enumerate(ordered)}
        self._kinds = np.array([KINDS.index(feature[0]) for feature in ordered], dtype=np.int64)
        self._against = np.array([against(feature, chances[feature]) for feature in ordered])
        postings = [having[feature] for feature in ordered]
        self._lengths = np.array([len(posting) for posting in postings], dtype=np.int64)
        self._starts = np.cumsum(self._lengths) - self._lengths
        self._numbers = np.array([number for posting in postings for number, _ in posting], dtype=np.int64)
        gains = np.array([gain for posting in postings for _, gain in posting])
        self._gains = (gains * slope[np.repeat(self._kinds, self._lengths), self._numbers]).astype(np.float32)
        self._common = min(_COMMON, len(ordered))
        self._dense = np.zeros((2 * self._common, self._size), dtype=np.float32)
        for place in range(self._common):
            here = slice(self._starts[place], self._starts[place] + self._lengths[place])
            self._dense[place, self._numbers[here]] = self._gains[here]
            self._dense[self._common + place, self._numbers[here]] = 1.0
        self._unknown: dict[tuple[int, float], int] = {}
        self._place_of = Remembered(self._place)

    def reaching(
        self, signatures: Sequence[Signature], least: float, less: Sequence[Mapping[int, float]]
    ) -> Iterator[list[int]]:
        """Yield for each text the items whose evidence may be enough.

        Args:
            signatures: the texts', all of the language that the items' features are weighed for.
            least: the evidence that is enough, in nats.
            less: for each text, for some items how much less is enough.
        """
        step = max(1, min(_MOST_TEXTS, _CELLS // max(1, self._size)))
        for start in range(0, len(signatures), step):
            yield from self._reaching(signatures[start : start + step], least, less[start : start + step])

    def _reaching(
        self, signatures: Sequence[Signature], least: float, less: Sequence[Mapping[int, float]]
    ) -> Iterator[list[int]]:
        count = len(signatures)
        places, texts = self._look_up([signature.features for signature in signatures])
        unknown = list(self._unknown)
        kinds = np.concatenate([self._kinds, np.array([kind for kind, _ in unknown], dtype=np.int64)])[places]
        speaking = np.concatenate([self._against, np.array([value for _, value in unknown])])[places]
        cells = texts * len(KINDS) + kinds
        shape, size = (count, len(KINDS)), count * len(KINDS)
        known = np.flatnonzero(places < self._lengths.size)
        extra = np.bincount(cells, speaking, size).reshape(shape)
        taken_back = -np.bincount(cells[known], speaking[known], size).reshape(shape)
        none_shared = np.maximum(extra, _LEAST_EXTRA)
        gained = np.maximum(extra + taken_back, _LEAST_EXTRA) - none_shared
        share = np.divide(gained, taken_back, out=np.zeros(shape), where=taken_back > 0)
        further = -speaking[known] * share.ravel()[cells[known]]
        places, texts = places[known], texts[known]
        held, holding = self._look_up(
            [[value for value in signature.worked_out if value in self._places] for signature in signatures]
        )
        most = self._add_up(
            count,
            np.concatenate([texts, holding]),
            np.concatenate([places, held]),
            np.concatenate([further, np.zeros(held.size)]).astype(np.float32),
        )
        enough = least - _ROUNDING - none_shared.sum(axis=1)
        reached = most >= enough.astype(np.float32)[:, None]
        for text, lowered in enumerate(less):
            if lowered:
                numbers = np.fromiter(lowered.keys(), np.int64, len(lowered))
                margins = np.fromiter(lowered.values(), np.float64, len(lowered))
                reached[text, numbers] = most[text, numbers] >= enough[text] - margins
        where, numbers = np.divmod(np.flatnonzero(reached), self._size)
        ends = np.searchsorted(where, np.arange(count + 1)).tolist()
        found = numbers.tolist()
        for start, end in pairwise(ends):
            yield found[start:end]

    def _look_up(self, features: Sequence[Collection[str]]) -> tuple[np.ndarray, np.ndarray]:
        """Return the places of texts' features, one text after the other, and which text each is of."""
        every = list(chain.from_iterable(features))
        lengths = list(map(len, features))
        places = np.fromiter(map(self._place_of.__getitem__, every), np.int64, len(every))
        return places, np.repeat(np.arange(len(features)), lengths)

    def _place(self, feature: str) -> int:
        """Return the place of a feature; those that no item has share places, one for what they say."""
        place = self._places.get(feature)
        if place is not None:
            return place
        says = KINDS.index(feature[0]), against(feature, chance_at_large(feature))
        return self._unknown.setdefault(says, len(self._places) + len(self._unknown))

    def _add_up(self, count: int, texts: np.ndarray, places: np.ndarray, further: np.ndarray) -> np.ndarray:
        """Return the bounds without what texts' features say against every item: a row a text, a column an item."""
        common = places < self._common
        shared = np.zeros((count, 2 * self._common), dtype=np.float32)
        shared[texts[common], places[common]] = 1.0
        shared[texts[common], self._common + places[common]] = further[common]
        # The processes that scan rows are as many as the processors.
        with _libraries().limit(limits=1, user_api="blas"):
            most: np.ndarray = shared @ self._dense
        rare = ~common
        lengths = self._lengths[places[rare]]
        ends = np.cumsum(lengths)
        postings = np.repeat(self._starts[places[rare]] - (ends - lengths), lengths) + np.arange(lengths.sum())
        cells = np.repeat(texts[rare] * self._size, lengths) + self._numbers[postings]
        np.add.at(most.reshape(-1), cells, self._gains[postings] + np.repeat(further[rare], lengths))
        most += self._nothing_shared
        return most
