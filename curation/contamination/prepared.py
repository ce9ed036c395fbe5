"""A text made ready for matching: its tokens, and the same tokens with numbers masked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from curation.contamination.vocabulary import NUMBER_WORDS
from curation.remembered import Remembered
from curation.text import NUMBER_MASK, fold, tokens

_FIGURE = re.compile(
    r"\[asy\].*?\[/asy\]|<asy>.*?</asy>|\\begin\s*\{(asy|tikzpicture|figure)\}.*?\\end\s*\{\1\}"
    r"|\\includegraphics\s*(?:\[[^\]]*\])?\s*\{[^{}]*\}|!\[[^\]]*\]\([^()\s]*\)",
    re.DOTALL,
)
_FIGURE_SIGNS = ("[asy]", "<asy>", "\\begin", "graphics", "![")


@dataclass(frozen=True)
class Prepared:
    """Tokens of one text.

    Attributes:
        raw: the text without blanks at its ends.
        folded: the folded text without its figures.
        words: the tokens of the folded text, number words as digits.
    """

    raw: str
    folded: str
    words: list[str]

    @cached_property
    def masked(self) -> list[str]:
        """``words`` with every number as `NUMBER_MASK`."""
        return list(map(_MASKS.__getitem__, self.words))


def prepare(text: str) -> Prepared:
    """Fold a text and cut it into tokens; figures are left out, which one typing draws and the other does not."""
    shown = _FIGURE.sub(" ", text) if any(sign in text for sign in _FIGURE_SIGNS) else text
    folded = fold(shown)
    return Prepared(text.strip(), folded, list(filter(None, map(_TOKENS.__getitem__, folded.split(" ")))))


_TOKENS: Remembered[str | None] = Remembered(lambda word: NUMBER_WORDS.get(word, word) if tokens(word) else None)
_MASKS: Remembered[str] = Remembered(lambda word: NUMBER_MASK if word[0].isdigit() else word)
