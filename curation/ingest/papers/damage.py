"""Why a problem that was read from a PDF is not to be trusted: lost glyphs, lost structure, a figure, a lost border."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from curation.ingest.papers.numbered import Item
from curation.ingest.papers.pdf_lines import Line, Paper

_FIGURE_WORDS = re.compile(
    r"\bas (?:shown|drawn|pictured|depicted|illustrated)\b|\b(?:figure|diagram|picture|drawing)s? (?:below|above|shown"
    r"|to the (?:right|left)|on the (?:right|left))|\b(?:shown|pictured|depicted) (?:below|above|to the)"
    r"|\b(?:in|see) the (?:following )?(?:figure|diagram|picture)"
    r"|\b(?:following|below|above) (?:figure|diagram|picture)",
    re.IGNORECASE,
)

_DOLLAR = re.compile(r"(?<!\\)\$")
_FORMULA = re.compile(r"\$[^$]*\$")
_SPACED_LETTERS = re.compile(r"(?<![\w\\'’.-])(?:[A-Za-z] ){3,}")
"""A fixed-width listing: each letter in a column of its own."""
_PROGRAM_LINE = re.compile(r"(?:\A|\s)\d{1,2}:\s")
_TYPEWRITER = re.compile(r"TT\d|Mono|Courier|Typewriter|Consolas", re.IGNORECASE)


def _in_typewriter(item: Item) -> int:
    """Return how many of the statement's lines are all in a typewriter font: a listing, whose indents are lost."""
    return sum(all(_TYPEWRITER.search(piece.glyph.font) for piece in line.pieces) for line in item.statement)


def _close_lines(lines: Sequence[Line], body_size: float) -> str | None:
    """Return a line whose distance to the line before is less than lines have: a part of a formula by itself."""
    for last, line in pairwise(lines):
        distance = last.baseline - line.baseline
        small = line.size < 0.85 * body_size and distance < 1.05 * body_size
        if last.page == line.page and -3 * body_size < distance and (distance < 0.8 * body_size or small):
            return line.text
    return None


def item_damage(paper: Paper, item: Item, text: str, below: Line | None) -> str | None:
    """Return the first reason not to trust an item's statement, as ``reason: evidence``; None where there is none.

    Args:
        text: the statement as joined.
        below: the line that follows the statement in the paper, where there is one.
    """
    reasons = [*item.damage, *(each for line in item.statement for each in line.damage)]
    if reasons:
        return reasons[0]
    close = _close_lines(item.statement, paper.body_size)
    if close is not None:
        return f"lost_structure: {close} stands closer to its neighbour than a line"
    if not any(letter.isalpha() for letter in text):
        return "empty: nothing is stated"
    figure = _figure(paper, item.statement, below)
    if figure is not None:
        return f"figure: {figure}"
    words = _FIGURE_WORDS.search(text)
    if words:
        return f"figure: the text says {words[0]!r}"
    if _SPACED_LETTERS.search(_FORMULA.sub("", text)) or len(_PROGRAM_LINE.findall(text)) > 1:
        return "lost_structure: the lines of a program"
    if _in_typewriter(item) > 1:
        return "lost_structure: lines in typewriter type"
    if len(_DOLLAR.findall(text)) % 2:
        return "lost_structure: a formula has no end"
    return None


def _figure(paper: Paper, lines: Sequence[Line], below: Line | None) -> str | None:
    """Return what is drawn in the lines' area: on each page from the first line down to what follows the last."""
    separators = 0
    for page in dict.fromkeys(line.page for line in lines):
        own = [line for line in lines if line.page == page]
        top = own[0].top if page == lines[0].page else float("inf")
        last = page == lines[-1].page
        bottom = below.top if last and below is not None and below.page == page else float("-inf")
        for drawing in paper.drawings.get(page, ()):
            if drawing.top < bottom or drawing.bottom > top:
                continue
            if drawing.what == "separator":
                inside = drawing.bottom > own[-1].bottom
                separators += inside
                continue
            return drawing.what
    return "lines of a table" if separators > 0 else None
