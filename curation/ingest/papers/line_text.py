"""Writes a line of a paper as text, with its formulas between dollar signs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curation.ingest.papers.formula_rows import FUNCTIONS, WORD_GAP, Piece, in_formula, words_and_pieces

_SPACE = 0.24
"""Ems between two formulas at least; the widest italic correction is 0.22."""
_NEUTRAL = frozenset("0123456789+=()[]!:|/-<>")


def _is_neutral(piece: Piece) -> bool:
    known = bool(piece.tex) and set(piece.tex) <= _NEUTRAL and not piece.scripts
    return known and not (piece.hyphen and not piece.math)


def line_text(pieces: Sequence[Piece]) -> str:
    """Return a line's text, formulas between dollar signs."""
    groups = list(words_and_pieces(pieces))
    kinds = [_group_kind(group) for group in groups]
    for place, kind in enumerate(kinds):
        if kind == "function":
            near = kinds[place + 1] if place + 1 < len(kinds) else "text"
            kinds[place] = "math" if near in ("math", "neutral", "function") else "text"
    parts: list[str] = []
    place = 0
    while place < len(groups):
        end = place
        while end < len(groups) and kinds[end] in ("math", "neutral"):
            if end > place and _ends_formula(groups[end - 1][-1], groups[end][0]):
                break
            end += 1
        start, stop = _trim(groups, kinds, place, end)
        if start < stop:
            parts += [_gap(groups, place) if start > place else "", *_plain(groups, place, start)]
            inner = "".join(in_formula([piece for group in groups[start:stop] for piece in group])).strip()
            parts += [_gap(groups, start), f"${inner}$", *_plain(groups, stop, end)]
            place = end
        else:
            parts += _plain(groups, place, max(end, place + 1))
            place = max(end, place + 1)
    return "".join(parts).strip()


def _ends_formula(last: Piece, piece: Piece) -> bool:
    """Tell two formulas with a word space between them: inside one, only relations and commas have so much room."""
    if last.glyph.name == "limits" or last.glyph.kind == "operator" or piece.glyph.kind == "delimiter":
        return False
    is_command = last.tex[:1] == "\\" and last.tex[1:].isalpha()
    operand = bool(last.scripts) or (not is_command and (last.tex[-1:].isalnum() or last.tex[-1:] in ")]}"))
    starts = piece.tex[:1].isalnum() or piece.tex[:1] in "(["
    return operand and starts and piece.x0 - last.x1 > _SPACE * piece.size


def _group_kind(group: list[Piece]) -> str:
    text = "".join(piece.tex for piece in group)
    if text in FUNCTIONS:
        return "function"
    if any(piece.math or piece.scripts for piece in group):
        return "math"
    return "neutral" if all(_is_neutral(piece) for piece in group) else "text"


def _trim(groups: list[list[Piece]], kinds: list[str], start: int, end: int) -> tuple[int, int]:
    """Leave brackets out of a formula that are not closed or opened in it, and punctuation at its end."""
    if "math" not in kinds[start:end]:
        return start, start
    while start < end:
        texts = ["".join(piece.tex for piece in group) for group in groups[start:end]]
        depth = _depth(texts)
        first, last = kinds[start] == "neutral", kinds[end - 1] == "neutral"
        if first and (texts[0] == ":" or (texts[0] in ("(", "[") and depth > 0)):
            start += 1
        elif last and (texts[-1] in (":", "(", "[") or (texts[-1] in (")", "]") and depth < 0)):
            end -= 1
        else:
            break
    return start, end


def _depth(texts: list[str]) -> int:
    return sum(text in ("(", "[") for text in texts) - sum(text in (")", "]") for text in texts)


def _gap(groups: list[list[Piece]], place: int) -> str:
    if place == 0:
        return ""
    last, first = groups[place - 1][-1], groups[place][0]
    return " " if first.x0 - last.x1 > WORD_GAP * first.size else ""


def _plain(groups: list[list[Piece]], start: int, end: int) -> Iterator[str]:
    for place in range(start, end):
        yield _gap(groups, place)
        yield from (piece.whole for piece in groups[place])
