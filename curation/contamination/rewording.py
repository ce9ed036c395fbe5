"""The layer for reworded and translated problems: signatures propose, the answers weigh in."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from curation.contamination.agreement import (
    Answer,
    agreement_evidence,
    answers_agree_exactly,
    may_be_rewritten,
    read_answer,
)
from curation.contamination.asked import ask_different_things
from curation.contamination.items import BenchmarkItem, Kind
from curation.contamination.likeness import Likeness, SignatureIndex
from curation.contamination.phrases import plainly
from curation.contamination.prepared import Prepared, prepare
from curation.contamination.quantities import Quantities, evidence_of_quantities, give_the_same, quantities
from curation.contamination.semantic import NOT_NEAR, Similarity, closeness, closeness_evidence
from curation.contamination.signature import sign
from curation.contamination.wording import evidence_of_kept_wording

_ENOUGH = 4.0
_PRIOR_ITEMS = 60
_MATHEMATICS = "nfl"
_MOST_SPARED = 1.0
_WANTED_FOR_FEW = 1.5
_LEAST_AGAINST_SIBLINGS = -0.5
_LEAST_WITH_AN_ANSWER = -5.0
_SETTING = 5.0
_WHOLE_SETTING = 1.0
_USUAL_LENGTH = 120
_FOR_EACH_TOKEN = 0.03
_PIECE = 1_800
_MOST_PIECES = 6
_PARAGRAPH = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class Rewording:
    """An item whose problem a text states in other words.

    Attributes:
        number: the item's place.
        kind: ``reworded``, ``translated``, or ``partial`` where the setting is the same and the answer is another.
        score: 0 to 1, growing with the evidence.
        detail: what else decided, in a few words.
    """

    number: int
    kind: Kind
    score: float
    detail: str | None = None


@dataclass(frozen=True)
class _Piece:
    """A piece of a row's text, said plainly."""

    row: int
    text: str
    prepared: Prepared

    @cached_property
    def given(self) -> Quantities:
        return quantities(self.text, self.prepared)


class RewordingIndex:
    """Finds the items that a text states in other words; holds no state of the texts."""

    def __init__(self, items: Sequence[BenchmarkItem], prepared: Sequence[Prepared]) -> None:
        plain = [_plainly(item.text, one) for item, one in zip(items, prepared, strict=True)]
        self._signatures = SignatureIndex([sign(text, one) for text, one in plain])
        self._texts = [text for text, _ in plain]
        self._words = [one.words for _, one in plain]
        self._quantities = [quantities(text, one) for text, one in plain]
        self._lengths = [len(one.words) for one in prepared]
        self._answers = [read_answer(item.answer) for item in items]
        self._with_answer: dict[Fraction | str, dict[int, float]] = {}
        having = Counter(answer.key for answer in self._answers if answer is not None)
        among = len(items) + _PRIOR_ITEMS
        self._agreement = [
            0.0 if answer is None else agreement_evidence(answer, (having[answer.key] - 1) / among)
            for answer in self._answers
        ]
        for number, answer in enumerate(self._answers):
            if answer is not None:
                self._with_answer.setdefault(answer.key, {})[number] = self._agreement[number]

    def answers_agree(self, number: int, answer: Answer | None) -> bool | None:
        """Compare a row's answer with an item's."""
        return answers_agree_exactly(answer, self._answers[number])

    def may_be_rewritten(self, number: int, answer: Answer | None) -> bool:
        """Say whether a row's answer may be an item's, asked for as an integer."""
        return may_be_rewritten(answer, self._answers[number])

    def visible(self) -> int:
        """Return how many items have enough numbers, formulas and words to be recognised by them at all."""
        signatures = self._signatures.signatures
        return sum(
            1
            for number, signature in enumerate(signatures)
            if self._signatures.compare(number, signature).evidence >= self._enough(number)
        )

    def find(
        self,
        texts: Sequence[str],
        prepared: Sequence[Prepared],
        answers: Sequence[Answer | None],
        known: Sequence[Container[int]],
        similar: Sequence[Mapping[int, Similarity]] | None = None,
    ) -> list[list[Rewording]]:
        """Return the items that texts state in other words, for each text one entry an item.

        Args:
            texts: the texts; of a long one the first pieces are looked at one by one.
            prepared: the same texts, prepared.
            answers: the answers of their rows.
            known: for each text places of items that other layers have found.
            similar: for each text places of items nearest to it by embeddings.
        """
        near = similar if similar is not None else [{} for _ in texts]
        agreeing = [self._with_answer.get(answer.key, {}) if answer is not None else {} for answer in answers]
        favoured = [_sum(one, closeness(other)) if other else one for one, other in zip(agreeing, near, strict=True)]
        pieces = [
            _Piece(row, *_plainly(piece, ready))
            for row, (text, one) in enumerate(zip(texts, prepared, strict=True))
            for piece, ready in _pieces(text, one)
        ]
        likenesses = self._signatures.candidates(
            [sign(piece.text, piece.prepared) for piece in pieces],
            _ENOUGH - _MOST_SPARED,
            [favoured[piece.row] for piece in pieces],
        )
        found: list[dict[int, Rewording]] = [{} for _ in texts]
        for piece, own in zip(pieces, likenesses, strict=True):
            row = piece.row
            for likeness in own:
                if likeness.number in known[row]:
                    continue
                rewording = self._judge(likeness, piece, answers[row], near[row].get(likeness.number, NOT_NEAR))
                before = found[row].get(likeness.number)
                if rewording is not None and (before is None or before.score < rewording.score):
                    found[row][likeness.number] = rewording
        return [list(one.values()) for one in found]

    def _enough(self, number: int) -> float:
        """Return the evidence needed: more for long items, whose many features hang together (stories, formats)."""
        return _ENOUGH + max(0, self._lengths[number] - _USUAL_LENGTH) * _FOR_EACH_TOKEN

    def _judge(
        self, likeness: Likeness, piece: _Piece, answer: Answer | None, similarity: Similarity
    ) -> Rewording | None:
        number = likeness.number
        own = self._answers[number]
        most = self._agreement[number] if answer is not None and own is not None else 0.0
        close = closeness_evidence(similarity)
        enough = self._enough(number)
        if likeness.evidence + close + most < enough - _MOST_SPARED:
            return None
        pattern = evidence_of_quantities(self._quantities[number], piece.given)
        enough += _wanted(pattern + most)
        if likeness.evidence + close + most < enough or pattern < _LEAST_WITH_AN_ANSWER:
            return None
        agree = self.answers_agree(number, answer)
        said = most if agree else 0.0
        enough = self._enough(number) + _wanted(pattern + said)
        evidence = likeness.evidence + close + said
        # Without answers what is asked tells a problem from another one with the same setting.
        if agree is False or (answer is None and ask_different_things(piece.text, self._texts[number])):
            return self._another_question(likeness, piece.given)
        if evidence < enough:
            return None
        if not likeness.translated:
            pattern += evidence_of_kept_wording(self._words[number], piece.prepared.words)
        if pattern + said < _LEAST_AGAINST_SIBLINGS:
            return None
        # What is not enough without the answer wants more than words beside it: numbers, formulas and labels.
        without = (
            likeness.evidence + close >= self._enough(number) + _wanted(pattern) and pattern >= _LEAST_AGAINST_SIBLINGS
        )
        mathematics = sum(likeness.by_kind[kind] for kind in _MATHEMATICS) + said
        if not without and mathematics < _ENOUGH:
            return None
        detail = f"similarity {similarity.cosine:.2f}" if close else None
        return Rewording(number, "translated" if likeness.translated else "reworded", _score(evidence), detail)

    def _another_question(self, likeness: Likeness, given: Quantities) -> Rewording | None:
        """Return what is left where another thing is asked: one setting, all of it given in both."""
        beyond = likeness.evidence - self._enough(likeness.number) + _ENOUGH
        own = self._quantities[likeness.number]
        if beyond < _SETTING or not give_the_same(own, given) or evidence_of_quantities(own, given) < _WHOLE_SETTING:
            return None
        return Rewording(likeness.number, "partial", _score(likeness.evidence))


def _sum(one: Mapping[int, float], other: Mapping[int, float]) -> dict[int, float]:
    return {number: one.get(number, 0.0) + other.get(number, 0.0) for number in one.keys() | other.keys()}


def _plainly(text: str, prepared: Prepared) -> tuple[str, Prepared]:
    said = plainly(text)
    return said, prepared if said == text else prepare(said)


def _wanted(pattern: float) -> float:
    """Return how much less is enough where many quantities agree, and how much more is wanted where few could."""
    return -min(_MOST_SPARED, pattern - 1) if pattern > 1 else _WANTED_FOR_FEW * (1 - pattern)


def _score(evidence: float) -> float:
    return 1 / (1 + math.exp((_ENOUGH - 2 - evidence) / 2))


def _pieces(text: str, prepared: Prepared) -> Iterator[tuple[str, Prepared]]:
    if len(text) <= _PIECE:
        yield text, prepared
        return
    piece, pieces = "", 0
    for paragraph in _PARAGRAPH.split(text):
        for start in range(0, len(paragraph), _PIECE):
            part = paragraph[start : start + _PIECE]
            if piece and len(piece) + len(part) > _PIECE:
                yield piece, prepare(piece)
                piece, pieces = "", pieces + 1
                if pieces == _MOST_PIECES:
                    return
            piece = f"{piece}\n\n{part}" if piece else part
    if piece:
        yield piece, prepare(piece)
