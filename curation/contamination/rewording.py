"""The layer for reworded and translated problems: signatures propose, the answers weigh in."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from curation.contamination.agreement import (
    OTHER_ANSWER,
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
from curation.contamination.semantic import closeness, closeness_evidence
from curation.contamination.signature import Signature, sign

_ENOUGH = 4.0
_PRIOR_ITEMS = 60
_MATHEMATICS = "nfl"
_GIVEN = "nl"
_FAR_BEYOND = 8.0
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


class RewordingIndex:
    """Finds the items that a text states in other words; holds no state of the texts."""

    def __init__(self, items: Sequence[BenchmarkItem], prepared: Sequence[Prepared]) -> None:
        self._signatures = SignatureIndex(
            [_signature(item.text, one) for item, one in zip(items, prepared, strict=True)]
        )
        self._texts = [item.text for item in items]
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
        similar: Sequence[Mapping[int, float]] | None = None,
    ) -> list[list[Rewording]]:
        """Return the items that texts state in other words, for each text one entry an item.

        Args:
            texts: the texts; of a long one the first pieces are looked at one by one.
            prepared: the same texts, prepared.
            answers: the answers of their rows.
            known: for each text places of items that other layers have found.
            similar: for each text places of items nearest to it by embeddings, with the cosines.
        """
        near = similar if similar is not None else [{} for _ in texts]
        agreeing = [self._with_answer.get(answer.key, {}) if answer is not None else {} for answer in answers]
        favoured = [_sum(one, closeness(other)) if other else one for one, other in zip(agreeing, near, strict=True)]
        pieces = [
            (number, _signature(piece, ready))
            for number, (text, one) in enumerate(zip(texts, prepared, strict=True))
            for piece, ready in _pieces(text, one)
        ]
        likenesses = self._signatures.candidates(
            [signature for _, signature in pieces], _ENOUGH, [favoured[number] for number, _ in pieces]
        )
        found: list[dict[int, Rewording]] = [{} for _ in texts]
        for (number, _), own in zip(pieces, likenesses, strict=True):
            for likeness in own:
                if likeness.number in known[number]:
                    continue
                rewording = self._judge(likeness, answers[number], near[number].get(likeness.number, 0.0))
                if rewording is not None and rewording.kind != "partial" and answers[number] is None:
                    rewording = self._with_question(rewording, texts[number])
                before = found[number].get(likeness.number)
                if rewording is not None and (before is None or before.score < rewording.score):
                    found[number][likeness.number] = rewording
        return [list(one.values()) for one in found]

    def _enough(self, number: int) -> float:
        """Return the evidence needed: more for long items, whose many features hang together (stories, formats)."""
        return _ENOUGH + max(0, self._lengths[number] - _USUAL_LENGTH) * _FOR_EACH_TOKEN

    def _judge(self, likeness: Likeness, answer: Answer | None, cosine: float) -> Rewording | None:
        own = self._answers[likeness.number]
        most = self._agreement[likeness.number] if answer is not None and own is not None else 0.0
        close = closeness_evidence(cosine)
        if likeness.evidence + close + most < self._enough(likeness.number):
            return None
        agree = self.answers_agree(likeness.number, answer)
        said = 0.0 if agree is None else most if agree else OTHER_ANSWER
        evidence = likeness.evidence + close + said
        if agree is False and evidence < self._enough(likeness.number):
            # The answers speak against it: only an unmistakable setting with another question is left.
            return self._another_question(likeness)
        # Words alone are no evidence: the numbers, formulas and labels, or the answer, must speak for it too.
        mathematics = sum(likeness.by_kind[kind] for kind in _MATHEMATICS) + max(said, 0.0)
        needed = 0.0 if answer is None or own is None else _ENOUGH
        if evidence < self._enough(likeness.number) or mathematics < needed:
            return None
        if agree is False:
            return self._another_question(likeness)
        detail = f"similarity {cosine:.2f}" if close else None
        return Rewording(likeness.number, "translated" if likeness.translated else "reworded", _score(evidence), detail)

    def _with_question(self, rewording: Rewording, text: str) -> Rewording:
        """Without answers what is asked tells a problem from another one with the same setting."""
        other = ask_different_things(text, self._texts[rewording.number])
        return replace(rewording, kind="partial") if other else rewording

    def _another_question(self, likeness: Likeness) -> Rewording | None:
        """Return what is left where the answers differ: an unmistakable setting, of which something else is asked."""
        # A quadratic equation has the shape of every other: what is given in numbers and labels makes a setting.
        given = sum(likeness.by_kind[kind] for kind in _GIVEN)
        if likeness.evidence < _FAR_BEYOND - _ENOUGH + self._enough(likeness.number) or given < _ENOUGH:
            return None
        return Rewording(likeness.number, "partial", _score(likeness.evidence))


def _sum(one: Mapping[int, float], other: Mapping[int, float]) -> dict[int, float]:
    return {number: one.get(number, 0.0) + other.get(number, 0.0) for number in one.keys() | other.keys()}


def _signature(text: str, prepared: Prepared) -> Signature:
    said = plainly(text)
    return sign(said, prepared if said == text else prepare(said))


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
