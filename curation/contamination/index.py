"""The index over benchmark items: which items can a text have something to do with?

Items are found by runs of four tokens with the numbers masked, each weighted by how few items have it and how little of
it is stock phrase. The index is over the items only; rows stream past it.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from curation.contamination.items import BenchmarkItem
from curation.contamination.prepared import Prepared, prepare
from curation.contamination.run_filter import Passing, RunFilter
from curation.contamination.vocabulary import STOCK, number_information
from curation.text import mask_digits

GRAM = 4
"""Length of the runs that propose candidates: three is too common, five loses retypings."""

_SMOOTHING = 50
_STOCK_WEIGHT = 0.1
_COMMON_SHARE = 100
_COMMON_ITEMS = 20


Gram = tuple[str, ...]


class _Posting(NamedTuple):
    """A run's weight and the items that have it."""

    weight: float
    numbers: list[int]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An item that shares runs with a text.

    Attributes:
        number: the item's place in the index.
        share: the shared part of the item's weight, 0 to 1.
        places: where the shared runs start in the text's tokens.
    """

    number: int
    share: float
    places: tuple[int, ...]


class Index:
    """Benchmark items with their runs; holds no state of the rows it is asked about."""

    def __init__(self, items: Sequence[BenchmarkItem]) -> None:
        self.items = tuple(items)
        self.prepared: tuple[Prepared, ...] = tuple(prepare(item.text) for item in self.items)
        self._count = len(self.items)
        self._with_token = Counter(token for prepared in self.prepared for token in set(prepared.masked))
        self._token_weight = {token: self._weigh(token) for token in (*self._with_token, *STOCK)}
        self._with_number = Counter(
            word for prepared in self.prepared for word in set(prepared.words) if word[0].isdigit()
        )
        self.same_words = _group(" ".join(prepared.words) for prepared in self.prepared)
        every_gram = [dict.fromkeys(_grams(prepared.masked)) for prepared in self.prepared]
        with_gram = Counter(gram for own in every_gram for gram in own)
        # What many items have is a stock phrase, whatever its words.
        most = max(_COMMON_ITEMS, self._count // _COMMON_SHARE)
        grams = [[gram for gram in own if with_gram[gram] <= most] for own in every_gram]
        weights = {gram: self._rarity(count) * self._content(gram) for gram, count in with_gram.items()}
        self._gram_total = [sum(weights[gram] for gram in own) or 1.0 for own in grams]
        self._postings: dict[Gram, _Posting] = {}
        for number, own in enumerate(grams):
            for gram in own:
                self._postings.setdefault(gram, _Posting(weights[gram], [])).numbers.append(number)
        self._run_filter = RunFilter(GRAM, self._postings, self._gram_total)

    def _rarity(self, count: int) -> float:
        return math.log1p((self._count + _SMOOTHING) / (count + 0.5))

    @staticmethod
    def _content(gram: Sequence[str]) -> float:
        telling = sum(1 for token in gram if token.isalpha() and token not in STOCK)
        return max(_STOCK_WEIGHT, telling / len(gram)) if gram else 0.0

    def weight(self, token: str) -> float:
        """Return how telling a masked token is: its rarity among the items, a tenth of it for stock words."""
        known = self._token_weight.get(token)
        return self._weigh(token) if known is None else known

    def _weigh(self, token: str) -> float:
        rarity = self._rarity(self._with_token.get(token, 0))
        return rarity * _STOCK_WEIGHT if token in STOCK else rarity

    def number_weight(self, number: str) -> float:
        """Return how telling a number is: by its size, and less where many items have it."""
        return number_information(number) / (1 + math.log1p(self._with_number.get(number, 0) / 4))

    def candidates(
        self, prepared: Sequence[Prepared], least: float, sure: float = 0.0, runs: int = 0
    ) -> list[list[Candidate]]:
        """Return for each text the items of which it holds at least ``least`` of the weight, the most shared first.

        Args:
            prepared: the texts.
            least: the share of an item's weight.
            sure: a text has candidates only where it holds so much of one of them, or more than ``runs`` of its runs.
            runs: how many runs.
        """
        found: list[list[Candidate]] = [[] for _ in prepared]
        for passing in self._run_filter.passing([one.words for one in prepared], least, sure, runs):
            found[passing.text] = self._candidates(prepared[passing.text].words, passing, least)
        return found

    def _candidates(self, words: Sequence[str], passing: Passing, least: float) -> list[Candidate]:
        runs = ((place, tuple(mask_digits(words[place : place + GRAM]))) for place in passing.starts)
        hits = [(place, hit) for place, run in runs if (hit := self._postings.get(run)) is not None]
        different = list({id(hit): hit for _, hit in hits}.values())
        found = []
        for number in passing.items:
            shared, total = sum(hit.weight for hit in different if number in hit.numbers), self._gram_total[number]
            if shared and shared >= least * total:
                places = tuple(place for place, hit in hits if number in hit.numbers)
                found.append(Candidate(number, shared / total, places))
        return sorted(found, key=lambda candidate: (-candidate.share, candidate.number))


def _grams(masked: Sequence[str]) -> Iterable[Gram]:
    """Return the runs of `GRAM` tokens; a shorter text is one run."""
    if len(masked) <= GRAM:
        return [tuple(masked)] if masked else []
    return zip(masked, masked[1:], masked[2:], masked[3:], strict=False)


def _group(keys: Iterable[str]) -> dict[str, list[int]]:
    grouped: dict[str, list[int]] = defaultdict(list)
    for number, key in enumerate(keys):
        if key:
            grouped[key].append(number)
    return dict(grouped)
