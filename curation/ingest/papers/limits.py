"""Puts together what stands over and under others: limits of sums, of lim and max, and arrows over letters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from curation.ingest.papers.atoms import Atom, box
from curation.ingest.papers.bracketed import bracketed
from curation.ingest.papers.formula_rows import LIMIT_WORDS, formula, middle, rows

_ARROWS = {
    (False, True): "overrightarrow",
    (True, False): "overleftarrow",
    (True, True): "overleftrightarrow",
}
"""The command by whether the arrow has a head on its left and on its right."""


def structures(atoms: Sequence[Atom]) -> list[Atom]:
    """Return the atoms with limits, arrows over letters and bracketed stacks put together."""
    return bracketed(_limit_words(_limits(_arrows_over(list(atoms)))))


def _limits(atoms: list[Atom]) -> list[Atom]:
    """Give large operators the formulas over and under them."""
    found = list(atoms)
    place = 0
    while place < len(found):
        sign = found[place]
        if sign.kind == "operator":
            start = place
            while start > 0 and _is_limit(found[start - 1], sign, above=True):
                start -= 1
            end = place + 1
            while end < len(found) and _is_limit(found[end], sign, above=False):
                end += 1
            over, under = found[start:place], found[place + 1 : end]
            if over and not _centred(over, sign):
                over, start = [], place
            if under and not _centred(under, sign):
                under, end = [], place + 1
            if over or under:
                parts = [part for part in (_limit(under, "_"), _limit(over, "^")) if part is not None]
                tex = sign.tex + "".join(part.tex for part in parts)
                whole = box(tex, [sign, *parts], "operator", sign.baseline, sign.size)
                found[start:end] = [replace(whole, kind="operator", top=sign.top, bottom=sign.bottom)]
                place = start
        place += 1
    return found


def _limit(parts: list[Atom], mark: str) -> Atom | None:
    if not parts:
        return None
    lines = [formula(row) for row in rows(parts)]
    tex = lines[0].tex if len(lines) == 1 else "\\substack{" + " \\\\ ".join(line.tex for line in lines) + "}"
    return box(f"{mark}{{{tex}}}", lines, "limit", lines[0].baseline, lines[0].size)


def _is_limit(atom: Atom, sign: Atom, *, above: bool) -> bool:
    if atom.kind in ("rule", "vrule", "frame", "operator") or atom.size > 0.85 * sign.size:
        return False
    gap = atom.bottom - sign.top if above else sign.bottom - atom.top
    outside = middle(atom) > sign.top if above else middle(atom) < sign.bottom
    return outside and gap < 1.2 * sign.size and abs(atom.centre - sign.centre) < 6 * sign.size


def _centred(parts: list[Atom], sign: Atom) -> bool:
    centre = (min(part.x0 for part in parts) + max(part.x1 for part in parts)) / 2
    return abs(centre - sign.centre) < 0.35 * sign.size


def _limit_words(atoms: list[Atom]) -> list[Atom]:
    """Give lim, max, gcd and their like what stands under them."""
    found = list(atoms)
    place = 1
    while place < len(found):
        last, under = found[place - 1], found[place]
        if (
            last.kind == "glyph"
            and under.kind in ("glyph", "box")
            and under.size < 0.85 * last.size
            and under.x0 < last.x1 - 0.1 * last.size
            and under.top < last.baseline + 0.1 * last.size
        ):
            start = place
            while start > 0 and _same_word(found[start - 1], found[place - 1]) and place - start < 6:
                start -= 1
            word = "".join(part.tex for part in found[start:place])
            name = next((known for known in LIMIT_WORDS if word.endswith(known)), None)
            end = place
            while end < len(found) and found[end].size < 0.85 * last.size and found[end].top < last.baseline + 0.3:
                end += 1
            if name is not None:
                start = _word_start(found, place, name)
                limit = _limit(found[place:end], "_")
                if limit is not None and _centred_on(found[start:place], found[place:end]):
                    word_box = box(f"\\{name}{limit.tex}", found[start:place], "limits", last.baseline, last.size)
                    found[start:end] = [replace(word_box, damage=limit.damage)]
                    place = start
        place += 1
    return found


def _same_word(atom: Atom, last: Atom) -> bool:
    return atom.kind == "glyph" and not atom.math and atom.tex.isalpha() and abs(atom.baseline - last.baseline) < 0.5


def _word_start(atoms: list[Atom], end: int, word: str) -> int:
    start, left = end, len(word)
    while left > 0:
        start -= 1
        left -= len(atoms[start].tex)
    return start


def _centred_on(word: list[Atom], limit: list[Atom]) -> bool:
    one = (min(part.x0 for part in word) + max(part.x1 for part in word)) / 2
    other = (min(part.x0 for part in limit) + max(part.x1 for part in limit)) / 2
    return abs(one - other) < 0.35 * word[0].size


def _arrows_over(atoms: list[Atom]) -> list[Atom]:
    """Put arrows that are drawn over letters, ``\\overrightarrow{AB}``, and their letters together."""
    found = list(atoms)
    place = 0
    while place < len(found):
        if found[place].name in ("arrowright", "arrowleft"):
            start, end = _arrow(found, place)
            stop = _under_arrow(found, start, end)
            if stop > end:
                whole = _with_arrow(found[start:end], formula(found[end:stop]))
                if whole is not None:
                    found[start:stop] = [whole]
                    place = start
        place += 1
    return found


def _arrow(atoms: list[Atom], place: int) -> tuple[int, int]:
    """Return where the pieces of the arrow at ``place`` begin and end: heads, and minus signs as its shaft."""
    start, end = place, place + 1
    while start > 0 and atoms[start - 1].name in ("minus", "arrowleft") and _goes_on(atoms[start - 1], atoms[start]):
        start -= 1
    while end < len(atoms) and atoms[end].name in ("minus", "arrowright") and _goes_on(atoms[end - 1], atoms[end]):
        end += 1
    return start, end


def _under_arrow(atoms: list[Atom], start: int, end: int) -> int:
    """Return where the run of atoms right after an arrow that stand under it ends."""
    shaft = atoms[start]
    x0, x1 = min(part.x0 for part in atoms[start:end]), max(part.x1 for part in atoms[start:end])
    stop = end
    while stop < len(atoms) and atoms[stop].x1 < x1 + 1.5 and atoms[stop].x0 > x0 - 1.5:
        drop = shaft.baseline - atoms[stop].baseline
        if not 0.3 * shaft.size <= drop <= 1.2 * shaft.size:
            break
        stop += 1
    return stop


def _with_arrow(arrow: list[Atom], inside: Atom) -> Atom | None:
    heads = {part.tex for part in arrow}
    left = not heads.isdisjoint({"\\leftarrow", "\\leftrightarrow"})
    right = not heads.isdisjoint({"\\to", "\\leftrightarrow"})
    width = max(part.x1 for part in arrow) - min(part.x0 for part in arrow)
    if not (left or right) or inside.x1 - inside.x0 <= 0.5 * width:
        return None
    whole = box(f"\\{_ARROWS[left, right]}{{{inside.tex}}}", [inside], "overline", inside.baseline, inside.size)
    return replace(whole, top=arrow[0].top)


def _goes_on(last: Atom, atom: Atom) -> bool:
    level = abs(atom.baseline - last.baseline) < 0.3 and abs(atom.size - last.size) < 0.3
    return level and abs(atom.x0 - last.x1) < 0.8 * last.size
