"""The cascade: what a text and a benchmark item have to do with each other, cheapest and surest layers first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

from curation.contamination.agreement import Answer
from curation.contamination.alignment import Alignment, align, longest_run, spans
from curation.contamination.index import GRAM, Candidate, Index
from curation.contamination.items import Kind, Match
from curation.contamination.prepared import Prepared, prepare
from curation.contamination.rewording import RewordingIndex
from curation.contamination.samples import SampleIndex
from curation.contamination.semantic import ModelIdentity, SemanticIndex
from curation.contamination.shared_features import Located, feature_spans
from curation.contamination.vocabulary import STOCK
from curation.text import NUMBER_MASK, shingles

MATCH_VERSION = 4
"""Raised whenever the cascade finds anything else in any text."""

_PROPOSED = 0.25
_PROPOSED_BY_A_RUN = 0.12
_MOST_CANDIDATES = 12
_NEAR = 0.55
_NEAR_STEP = 0.04
_TELLING_ENOUGH = 10
_CHANGED = 0.85
_OTHER_QUESTION = 0.85
_WHOLE = 0.97
_SAME_NUMBERS = 0.6
_LOOSE = 0.4
_ALL_NUMBERS = 0.9
_NUMBER_EVIDENCE = 2.5
_TELLING_TO_EMBED = 3
_TELLING_RUN = 4
_TELLING_OF_A_COPY = 3
_COMMON_RUN = 2


@dataclass(frozen=True)
class MatchOptions:
    """What the recipe leaves open.

    Attributes:
        ngram: a shared run of so many units counts as `near`, or `partial` where it is a small part of the item.
        ngram_unit: the unit of ``ngram``: a token of `curation.text.tokens`, or a word between blanks.
        semantic: an embedding model for `curation.contamination.semantic`; None for none.
    """

    ngram: int = 13
    ngram_unit: Literal["token", "word"] = "token"
    semantic: str | None = None


@dataclass(frozen=True, slots=True)
class _Found:
    """What a text and an item have to do with each other, before it is shown."""

    number: int
    kind: Kind
    score: float
    detail: str | None = None


class Matcher:
    """Matches texts with the items of an index."""

    def __init__(self, index: Index, options: MatchOptions) -> None:
        self._index = index
        self._options = options
        self._rewordings = RewordingIndex(index.items, index.prepared)
        self._samples = SampleIndex([item.text for item in index.items])
        self._semantic = (
            SemanticIndex([item.text for item in index.items], options.semantic) if options.semantic else None
        )
        self._telling = [_telling(prepared.masked) for prepared in index.prepared]
        self._located = [Located(item.text) for item in index.items]
        runs = [
            frozenset(shingles(units, options.ngram)) if len(units) >= options.ngram else frozenset()
            for units in map(self._units, index.prepared)
        ]
        self._items_with_runs = sum(map(bool, runs))
        having = Counter(chain.from_iterable(runs))
        self._runs = [frozenset(run for run in own if having[run] <= _COMMON_RUN) for own in runs]

    def match(self, text: str, answer: Answer | None = None, most: int | None = None) -> list[Match]:
        """Return the hits of one text, as `match_all` does of many."""
        return self.match_all([text], [answer], most)[0]

    def match_all(
        self, texts: Sequence[str], answers: Sequence[Answer | None], most: int | None = None
    ) -> list[list[Match]]:
        """Return the hits of each text, one for each item at most, the surest first.

        Args:
            texts: the texts; hundreds at a time cost least.
            answers: the answers of their rows, which weigh in where a text is only reworded.
            most: how many hits of a text to return; None for all.
        """
        prepared = [prepare(text) for text in texts]
        found = [self._same(one) for one in prepared]
        proposed = self._index.candidates(prepared, _PROPOSED_BY_A_RUN, _PROPOSED, self._runs_of_a_long_one)
        for one, candidates, own in zip(prepared, proposed, found, strict=True):
            for candidate in candidates[:_MOST_CANDIDATES]:
                if candidate.number not in own and self._is_worth_aligning(candidate):
                    hit = self._judge(candidate, one)
                    if hit is not None:
                        own[candidate.number] = hit
        similar = None if self._semantic is None else self._semantic.similar(texts)
        known = [{number for number, hit in own.items() if hit.kind != "partial"} if own else () for own in found]
        for own, reworded in zip(found, self._rewordings.find(texts, prepared, answers, known, similar), strict=True):
            for rewording in reworded:
                if rewording.kind == "partial" and rewording.number in own:
                    continue
                detail = self._named(rewording.detail)
                own[rewording.number] = _Found(rewording.number, rewording.kind, rewording.score, detail)
        for own, text in zip(found, texts, strict=True):
            for shared in self._samples.find(text):
                if shared.number not in own or own[shared.number].kind == "partial":
                    score = 1 - 1 / (1 + shared.characters)
                    own[shared.number] = _Found(shared.number, "reworded", score, f"{shared.samples} samples equal")
        return [
            self._show_all(list(own.values()), text, answer, most) if own else []
            for own, text, answer in zip(found, texts, answers, strict=True)
        ]

    def _same(self, prepared: Prepared) -> dict[int, _Found]:
        """Return the items that are the same text after folding."""
        found = {}
        for number in self._index.same_words.get(" ".join(prepared.words), ()):
            same = prepared.raw == self._index.prepared[number].raw
            found[number] = _Found(number, "exact" if same else "folded", 1.0)
        return found

    def _show_all(self, found: Sequence[_Found], text: str, answer: Answer | None, most: int | None) -> list[Match]:
        items = self._index.items
        surest = sorted(
            found, key=lambda hit: (-hit.score, items[hit.number].benchmark, items[hit.number].benchmark_id)
        )
        located = Located(text)
        return [self._show(hit, located, answer) for hit in surest[:most]]

    @property
    def semantic_model(self) -> ModelIdentity | None:
        """The embedding model in use."""
        return None if self._semantic is None else self._semantic.identity

    def _named(self, detail: str | None) -> str | None:
        return f"{detail} by {self._semantic.identity.name}" if detail and self._semantic else detail

    def coverage(self) -> dict[str, int]:
        """Return how many items each layer can see at all."""
        prepared = self._index.prepared
        return {
            "folded": sum(1 for item in prepared if item.words),
            "embedded": sum(1 for item, telling in zip(prepared, self._telling, strict=True) if _embeds(item, telling)),
            "numbers_changed": sum(1 for item in prepared if NUMBER_MASK in item.masked),
            "near": sum(1 for item in prepared if len(item.masked) >= GRAM),
            "reworded and translated": self._rewordings.visible(),
            f"shared run of {self._options.ngram} {self._options.ngram_unit}s": self._items_with_runs,
        }

    @property
    def _runs_of_a_long_one(self) -> int:
        # A shared run of so many tokens holds one more run of GRAM; words are longer than tokens.
        return (self._options.ngram if self._options.ngram_unit == "token" else self._options.ngram // 2) - GRAM

    def _is_worth_aligning(self, candidate: Candidate) -> bool:
        return candidate.share >= _PROPOSED or len(candidate.places) > self._runs_of_a_long_one

    def _judge(self, candidate: Candidate, prepared: Prepared) -> _Found | None:
        number = candidate.number
        item = self._index.prepared[number]
        if len(prepared.words) > len(item.words):
            if not _embeds(item, self._telling[number]):
                return None
            if _contains(prepared.words, item.words):
                return _Found(number, "embedded", 1.0)
        alignment = align(item, prepared, candidate.places, self._index.weight, self._index.number_weight)
        kind = self._kind(item, candidate, alignment, prepared)
        if kind is None:
            return None
        detail = None
        if kind == "numbers_changed":
            pairs = dict.fromkeys(f"{one} -> {other}" for one, other in (*alignment.changed, *alignment.swapped))
            detail = ", ".join(list(pairs)[:6])
        return _Found(number, kind, alignment.coverage, detail)

    def _kind(self, item: Prepared, candidate: Candidate, alignment: Alignment, prepared: Prepared) -> Kind | None:
        number, coverage, share = candidate.number, alignment.coverage, candidate.share
        longer = len(prepared.words) > len(item.words)
        differs = bool(alignment.changed or alignment.swapped)
        if coverage >= _CHANGED and differs and share >= _NEAR and self._is_a_copy(number, alignment, prepared):
            return "numbers_changed"
        if coverage >= _WHOLE and longer and alignment.inserted <= 2 and not differs:
            return "embedded"
        if not differs and coverage >= _LOOSE and alignment.row_coverage >= _WHOLE and _telling(prepared.masked) >= 2:
            # The whole text is in the item; what the item says beyond it may hold numbers of its own.
            return "near"
        if alignment.numbers < _SAME_NUMBERS:
            return None
        if min(coverage, share) >= self._near(item, number) and not differs:
            return "near"
        if coverage >= _LOOSE and alignment.numbers >= _ALL_NUMBERS and alignment.number_weight >= _NUMBER_EVIDENCE:
            return "near"
        if self._shares_run(number, prepared, alignment):
            return "near" if coverage >= _NEAR else "partial"
        return None

    def _near(self, item: Prepared, number: int) -> float:
        """Return how much of an item must be there: more of a short one, which has little to tell it from others."""
        numbers = len({word for word in item.words if word[0].isdigit() and len(word) > 1})
        return _NEAR + _NEAR_STEP * max(0, _TELLING_ENOUGH - self._telling[number] - numbers)

    def _is_a_copy(self, number: int, alignment: Alignment, prepared: Prepared) -> bool:
        """Tell a copy with other numbers from two problems of one common type: those are short and in stock words."""
        if self._telling[number] >= _TELLING_OF_A_COPY or len(self._index.prepared[number].words) >= 4 * GRAM:
            return True
        start, end = alignment.window
        own = {word for word in self._index.prepared[number].words if word[0].isdigit()}
        return 2 * len(own.intersection(prepared.words[start:end])) >= len(own)

    def _shares_run(self, number: int, prepared: Prepared, alignment: Alignment) -> bool:
        runs = self._runs[number]
        if not runs or longest_run(self._index.prepared[number], prepared, alignment.window) < GRAM:
            return False
        start, end = alignment.window
        units = self._units(prepared)
        if self._options.ngram_unit == "token":
            units = units[start:end]
        shared = runs.intersection(shingles(units, self._options.ngram))
        return any(_telling(run.split(" ")) >= _TELLING_RUN for run in shared)

    def _units(self, prepared: Prepared) -> Sequence[str]:
        return prepared.words if self._options.ngram_unit == "token" else prepared.raw.lower().split()

    def _show(self, hit: _Found, row: Located, answer: Answer | None) -> Match:
        item = self._index.items[hit.number]
        agree = self._rewordings.answers_agree(hit.number, answer)
        if hit.kind == "near" and agree is False and self._rewordings.may_be_rewritten(hit.number, answer):
            agree = None
        # The same setting with another answer is another question about it.
        other_question = hit.kind == "near" and agree is False and hit.score < _OTHER_QUESTION
        if hit.kind in {"reworded", "translated"}:
            item_spans, row_spans = feature_spans(self._located[hit.number], row)
        else:
            item_spans, row_spans = spans(self._located[hit.number].tokens, row.tokens)
        kind: Kind = "partial" if other_question else hit.kind
        return Match(kind, item.benchmark, item.benchmark_id, hit.score, row_spans, item_spans, agree, hit.detail, item)


def _telling(words: Sequence[str]) -> int:
    return sum(1 for word in words if word.isalpha() and word not in STOCK)


def _embeds(item: Prepared, telling: int) -> bool:
    # A few stock words can stand anywhere: such an item is seen only where it is the whole text.
    numbers = len({word for word in item.words if word[0].isdigit()})
    return len(item.words) >= 2 * GRAM and telling + numbers >= _TELLING_TO_EMBED


def _contains(words: Sequence[str], part: Sequence[str]) -> bool:
    return f" {' '.join(part)} " in f" {' '.join(words)} "
