"""Why a problem that was read from a PDF is not to be trusted: lost glyphs, lost structure, a figure, a lost border."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from curation.ingest.papers.atoms import Drawing
from curation.ingest.papers.line_text import line_text
from curation.ingest.papers.numbered import Item
from curation.ingest.papers.part_marks import LABEL, is_label
from curation.ingest.papers.pdf_lines import Line, Paper

_FIGURE_WORDS = re.compile(
    r"\bas (?:shown|drawn|pictured|depicted|illustrated)\b|\b(?:figure|diagram|picture|drawing)s? (?:below|above|shown"
    r"|to the (?:right|left)|on the (?:right|left))|\b(?:shown|pictured|depicted) (?:below|above|to the)"
    r"|\b(?:in|see) the (?:following )?(?:figure|diagram|picture)"
    r"|\b(?:following|below|above) (?:figure|diagram|picture)",
    re.IGNORECASE,
)

_MAY_MEAN_FIGURE = re.compile(
    r"\b(?:figures?|diagrams?|pictures?|drawings?|drawn|shown|shaded|depict\w*|illustrat\w*|below|above|graph|grid|map"
    r"|right|left)\b",
    re.IGNORECASE,
)

_ANSWER_INSIDE = re.compile(r"(?<=[.?!]) Ans(?:wer)?\s*[:.]\s*\S")

_DOLLAR = re.compile(r"(?<!\\)\$")
_FORMULA = re.compile(r"\$[^$]*\$")
_SPACED_LETTERS = re.compile(r"(?<![\w\\'’.-])(?:[A-Za-z] ){3,}")
"""A fixed-width listing: each letter in a column of its own."""
_PROGRAM_LINE = re.compile(r"(?:\A|\s)\d{1,2}:\s")
_TYPEWRITER = re.compile(r"TT\d|Mono|Courier|Typewriter|Consolas", re.IGNORECASE)
_GUTTER = 1.5
"""Ems between two columns or two cells of a table at least."""
_CELL_ALIGNED = 3.0
"""Points by which the cells of one column may differ at their left ends."""


def _cell_starts(line: Line) -> list[int]:
    """Return the places of the pieces before which a line has a gap that no words have, outside formulas."""
    return [
        place
        for place, (last, piece) in enumerate(pairwise(line.pieces), 1)
        if piece.x0 - last.x1 > _GUTTER * line.size
    ]


def _side_by_side(paper: Paper, pages: set[int]) -> str | None:
    """Return a line of the pages behind whose gap another problem begins: columns that are drawn row by row."""
    for line in paper.lines:
        if line.page not in pages:
            continue
        for start in _cell_starts(line):
            label = LABEL.match(line_text(line.pieces[start:]))
            if label is not None and is_label(label) and label.end() < len(line_text(line.pieces[start:])):
                return line.text
    return None


def _table_rows(lines: Sequence[Line]) -> str | None:
    """Return a line whose cells stand under those of the line before it: what belongs to what is lost."""
    for last, line in pairwise(lines):
        over = [last.pieces[start].x0 for start in _cell_starts(last)]
        under = [line.pieces[start].x0 for start in _cell_starts(line)]
        near = sum(any(abs(one - other) < _CELL_ALIGNED for other in over) for one in under)
        if near > 1:
            return line.text
    return None


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


def item_damage(paper: Paper, item: Item, text: str, below: Line | None, before: Item | None = None) -> str | None:
    """Return the first reason not to trust an item's statement, as ``reason: evidence``; None where there is none.

    Args:
        text: the statement as joined.
        below: the line that follows the statement in the paper, where there is one.
        before: the item before it.
    """
    reasons = [*item.damage, *(each for line in item.statement for each in line.damage)]
    if reasons:
        return reasons[0]
    close = _close_lines(item.statement, paper.body_size)
    if close is not None:
        return f"lost_structure: {close} stands closer to its neighbour than a line"
    if not any(letter.isalpha() for letter in text):
        return "empty: nothing is stated"
    answered = _ANSWER_INSIDE.search(text)
    if answered:
        return f"merged: its answer stands in it: {text[answered.start() :].strip()[:60]}"
    figure = _figure(paper, item.statement, below, None if _MAY_MEAN_FIGURE.search(text) else before)
    if figure is not None:
        return f"figure: {figure}"
    words = _FIGURE_WORDS.search(text)
    if words:
        return f"figure: the text says {words[0]!r}"
    if _SPACED_LETTERS.search(_FORMULA.sub("", text)) or len(_PROGRAM_LINE.findall(text)) > 1:
        return "lost_structure: the lines of a program"
    side = _side_by_side(paper, {line.page for line in item.statement})
    if side is not None:
        return f"merged: another problem stands beside it in {side}"
    row = _table_rows(item.statement)
    if row is not None:
        return f"lost_structure: {row} is a row of a table"
    if _in_typewriter(item) > 1:
        return "lost_structure: lines in typewriter type"
    if len(_DOLLAR.findall(text)) % 2:
        return "lost_structure: a formula has no end"
    return None


def _figure(paper: Paper, lines: Sequence[Line], below: Line | None, before: Item | None) -> str | None:
    """Return what is drawn in the lines' area: on each page from the first line down to what follows the last.

    A drawing that hangs down beside them from the item before, which speaks of one, is that item's.
    """
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
            if before is None or not _hangs_down(
                drawing, own, [line for line in before.statement if line.page == page]
            ):
                return drawing.what
    return "lines of a table" if separators > 0 else None


def _hangs_down(drawing: Drawing, own: Sequence[Line], before: Sequence[Line]) -> bool:
    """Tell whether a drawing begins beside lines that speak of a figure and only ends beside the item's own."""
    if not before or not _FIGURE_WORDS.search(" ".join(line.text for line in before)):
        return False
    begins = drawing.top > before[-1].bottom and drawing.top > own[0].top + own[0].size
    beside = all(line.x1 < drawing.x0 or line.x0 > drawing.x1 for line in own if line.top > drawing.bottom)
    return begins and beside
