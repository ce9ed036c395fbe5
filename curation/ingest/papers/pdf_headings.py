"""Where an item of a paper ends before the next label: at a larger line, a line of dots, or the name of a round."""

from __future__ import annotations

import re
from collections.abc import Sequence

from curation.ingest.papers.pdf_lines import Line

_SEPARATOR = re.compile(r"[.\s…_–—-]{12,}|(?:\$?\\ldots\$?\s*){4,}.*")
_TITLE_SIZE = 1.15
"""Times the body's size from which a line is a heading."""
_SET_OFF = 1.6
"""Ems over a heading at least; lines of text are at most 1.5 apart."""
_LONGEST = 90
_BOLD = re.compile(r"bold|CMBX|BX\d|-Bd|Black|Demi", re.IGNORECASE)
_COUNT = r"(?:\s+(?:[A-Z]|\d{1,2}|[IVX]+|One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten))?"
_NAMED = re.compile(
    rf"""(?:[A-Z][\w’'&-]*\s+){{0,5}}(?:Round|ROUND|Division|DIVISION|Tie-?[Bb]reakers?|TIE-?BREAKERS?|Set|SET)
    {_COUNT}(?:\s*[\[(:–—-].*)?
    |(?:Answers|ANSWERS)|(?:Answer|ANSWER|Solution)\s+(?:Key|KEY|Sheet|SHEET)(?:\s*:)?
    |(?:The\s+)?(?:End|END)\s+(?:of|OF)\s+(?:[Tt]he\s+|THE\s+)?\w+(?:\s+\w+)?[.!]?""",
    re.VERBOSE,
)
"""Names of rounds and sets, and what stands over a list of answers."""
_ANSWERS_INLINE = re.compile(r"Answers\s*:")
_SMALL_WORDS = frozenset(["of", "and", "the", "for", "in", "at", "on", "to", "by", "a"])
_SENTENCE_END = re.compile(r"[.?!)\]”\"$]\Z|\A\Z")


def heading_place(lines: Sequence[Line], body_size: float) -> int:
    """Return the place of the line that ends an item, the length where none does.

    Args:
        lines: from the item's label to the next one.
        body_size: the font size of most of the paper's letters.
    """
    return next((place for place in range(1, len(lines)) if is_heading(lines, place, body_size)), len(lines))


def is_heading(lines: Sequence[Line], place: int, body_size: float) -> bool:
    """Tell whether a line is none of the item's over it."""
    line = lines[place]
    larger = line.size > _TITLE_SIZE * body_size and not any(piece.math for piece in line.pieces)
    return larger or _SEPARATOR.fullmatch(line.text) is not None or _is_named(lines, place)


def looks_like_heading(lines: Sequence[Line]) -> str | None:
    """Return the last of an item's lines where it may be a heading and not the item's: set off, capitals, no stop."""
    place = len(lines) - 1
    if place < 1 or not is_set_off(lines, place) or not _SENTENCE_END.search(lines[place - 1].text):
        return None
    line = lines[place]
    words = re.findall(r"[^\W\d_][\w’']*", line.text)
    titled = bool(words) and all(word[0].isupper() or word in _SMALL_WORDS for word in words)
    plain = len(line.text) <= _LONGEST and not any(piece.math for piece in line.pieces)
    return line.text if titled and len(words) > 1 and plain and line.text[-1] not in ".?!" else None


def is_set_off(lines: Sequence[Line], place: int) -> bool:
    """Tell whether a line stands farther below the one before it than lines of text do, or begins a page."""
    last, line = lines[place - 1], lines[place]
    return last.page != line.page or last.baseline - line.baseline > _SET_OFF * max(last.size, line.size)


def _is_named(lines: Sequence[Line], place: int) -> bool:
    line = lines[place]
    if _ANSWERS_INLINE.match(line.text):
        return True
    bold = bool(line.pieces) and all(_BOLD.search(piece.glyph.font) for piece in line.pieces)
    named = len(line.text) <= _LONGEST and _NAMED.fullmatch(line.text) is not None
    return named and (bold or is_set_off(lines, place)) and _SENTENCE_END.search(lines[place - 1].text) is not None
