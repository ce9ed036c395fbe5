"""The layer for reworded and translated problems: signatures propose, the answers weigh in."""

from __future__ import annotations

import math
import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass

from curation.contamination.agreement import answer_evidence, answers_agree
from curation.contamination.items import BenchmarkItem, Kind
from curation.contamination.likeness import Likeness, SignatureIndex
from curation.contamination.prepared import Prepared, prepare
from curation.contamination.signature import sign

_ENOUGH = 4.0
_PROPOSED = -2.5
_MOST_PROPOSED = 8
_FAR_BEYOND = 8.0
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
    """

    number: int
    kind: Kind
    score: float


class RewordingIndex:
    """Finds the items that a text states in other words; holds no state of the texts."""

    def __init__(self, items: Sequence[BenchmarkItem], prepared: Sequence[Prepared]) -> None:
        self._items = tuple(items)
        self._signatures = SignatureIndex([sign(item.text, one) for item, one in zip(items, prepared, strict=True)])

    def find(self, text: str, prepared: Prepared, answer: str | None, known: Container[int]) -> list[Rewording]:
        """Return the items that a text states in other words, one entry an item.

        Args:
            text: the text; of a long one the first pieces are looked at one by one.
            prepared: the same text, prepared.
            answer: the row's answer.
            known: places of items that other layers have found.
        """
        found: dict[int, Rewording] = {}
        for piece, ready in _pieces(text, prepared):
            signature = sign(piece, ready)
            for likeness in self._signatures.candidates(signature, _PROPOSED)[:_MOST_PROPOSED]:
                if likeness.number in known:
                    continue
                rewording = self._judge(likeness, answer)
                before = found.get(likeness.number)
                if rewording is not None and (before is None or before.score < rewording.score):
                    found[likeness.number] = rewording
        return list(found.values())

    def _judge(self, likeness: Likeness, answer: str | None) -> Rewording | None:
        own = self._items[likeness.number].answer
        mathematics = likeness.by_kind["n"] + likeness.by_kind["f"] + likeness.by_kind["l"]
        if likeness.evidence < _ENOUGH and (answer is None or own is None):
            return None
        agree = answers_agree(answer, own)
        evidence = likeness.evidence + answer_evidence(agree, own)
        if evidence < _ENOUGH or (agree is not True and mathematics < 0):
            return None
        if agree is False:
            # The answers speak against it: only an unmistakable setting with another question is left.
            return Rewording(likeness.number, "partial", _score(evidence)) if evidence >= _FAR_BEYOND else None
        return Rewording(likeness.number, "translated" if likeness.translated else "reworded", _score(evidence))


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
