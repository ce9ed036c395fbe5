"""A text made ready for matching: its tokens, and the same tokens with numbers masked."""

from __future__ import annotations

import re
from dataclasses import dataclass

from curation.contamination.vocabulary import NUMBER_WORDS
from curation.text import NUMBER_MASK, fold, tokens

_FIGURE = re.compile(
    r"\[asy\].*?\[/asy\]|<asy>.*?</asy>|\\begin\s*\{(asy|tikzpicture|figure)\}.*?\\end\s*\{\1\}"
    r"|\\includegraphics\s*(?:\[[^\]]*\])?\s*\{[^{}]*\}|!\[[^\]]*\]\([^()\s]*\)",
    re.DOTALL,
)
_FIGURE_SIGN = re.compile(r"\[asy\]|<asy>|\\begin|graphics|!\[")


@dataclass(frozen=True, slots=True)
class Prepared:
    """Tokens of one text.

    Attributes:
        raw: the text without blanks at its ends.
        folded: the folded text without its figures.
        words: the tokens of the folded text, number words as digits.
        masked: ``words`` with every number as `NUMBER_MASK`.
    """

    raw: str
    folded: str
    words: list[str]
    masked: list[str]


def prepare(text: str) -> Prepared:
    """Fold a text and cut it into tokens; figures are left out, which one typing draws and the other does not."""
    shown = _FIGURE.sub(" ", text) if _FIGURE_SIGN.search(text) else text
    folded = fold(shown)
    words = [NUMBER_WORDS.get(word, word) for word in tokens(folded)]
    return Prepared(text.strip(), folded, words, [NUMBER_MASK if word[0].isdigit() else word for word in words])
