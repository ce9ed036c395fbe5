"""Joins glyphs that are drawn over or against each other to make one symbol: accents, negations, long arrows, dots."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace

from curation.ingest.papers.atoms import Atom, box
from curation.ingest.papers.glyph_names import accent, is_math_font

_PAIRS = {
    ("minus", "arrowright"): "\\to",
    ("arrowleft", "minus"): "\\leftarrow",
    ("arrowleft", "arrowright"): "\\leftrightarrow",
    ("equal", "arrowdblright"): "\\Rightarrow",
    ("arrowdblleft", "equal"): "\\Leftarrow",
    ("arrowdblleft", "arrowdblright"): "\\Leftrightarrow",
    ("mapsto", "arrowright"): "\\mapsto",
    ("mapsto", "minus"): "\\mapsto",
    ("arrowhookleft", "arrowright"): "\\hookrightarrow",
    ("arrowleft", "arrowhookright"): "\\hookleftarrow",
    ("bar", "equal"): "\\models",
    ("similar", "equal"): "\\cong",
    ("slash", "element"): "\\notin",
    ("period", "equal"): "\\doteq",
}
_NEGATED = {
    "equal": "\\neq",
    "element": "\\notin",
    "equivalence": "\\not\\equiv",
    "propersubset": "\\not\\subset",
    "reflexsubset": "\\not\\subseteq",
    "lessequal": "\\not\\leq",
    "greaterequal": "\\not\\geq",
    "less": "\\not<",
    "greater": "\\not>",
    "similar": "\\not\\sim",
    "bar": "\\nmid",
    "bardbl": "\\nparallel",
    "existential": "\\not\\exists",
    "approxequal": "\\not\\approx",
}
_LONGEST_ACCENT = 5
"""Letters that one wide hat may cover."""


def join_marks(atoms: Sequence[Atom]) -> list[Atom]:
    """Return the atoms with every symbol that is drawn from several glyphs as one."""
    joined: list[Atom] = []
    place = 0
    while place < len(atoms):
        taken, atom = _next(atoms, place)
        joined.append(atom)
        place += taken
    return joined


def _next(atoms: Sequence[Atom], place: int) -> tuple[int, Atom]:
    atom = atoms[place]
    if atom.kind == "accent":
        return _accented(atoms, place)
    following = atoms[place + 1] if place + 1 < len(atoms) else None
    if following is None:
        return 1, atom
    if atom.name == "negationslash":
        if following.name in _NEGATED and abs(following.baseline - atom.baseline) < 0.5:
            return 2, _one(_NEGATED[following.name], [following])
        return 1, replace(atom, damage=("lost_structure: a negation of nothing known",))
    pair = _PAIRS.get((atom.name, following.name))
    slack = -0.1 if atom.x1 - atom.x0 < 0.05 * atom.size else 0.04
    overlaps = atom.x0 - 0.6 * atom.size < following.x0 < atom.x1 - slack * atom.size
    if pair is not None and overlaps and abs(following.baseline - atom.baseline) < 0.6 * atom.size:
        high = max(atom.baseline, following.baseline) if pair != "\\cong" else following.baseline
        return 2, replace(_one(pair, [atom, following]), baseline=following.baseline if pair == "\\cong" else high)
    if atom.name in ("period", "periodcentered") and place + 2 < len(atoms):
        three = atoms[place : place + 3]
        level = all(each.name == atom.name and abs(each.baseline - atom.baseline) < 0.1 for each in three)
        spread = three[2].x0 - three[0].x0 if level else 0.0
        if 0.6 * atom.size < spread < 2 * atom.size:
            return 3, replace(_one("\\ldots" if atom.name == "period" else "\\cdots", three), math=True)
    return 1, atom


def _one(tex: str, parts: Sequence[Atom]) -> Atom:
    name = next((part.name for part in parts if part.name.startswith("arrow")), parts[0].name)
    whole = box(tex, parts, name, parts[-1].baseline, parts[0].size)
    return replace(whole, kind="glyph", font=parts[0].font)


def _accented(atoms: Sequence[Atom], place: int) -> tuple[int, Atom]:
    mark = atoms[place]
    known = accent(mark.name)
    bases = atoms[place + 1 : place + 1 + _LONGEST_ACCENT]
    if known is None or not bases or not _under(bases[0], mark):
        return 1, replace(mark, damage=(f"lost_structure: {mark.name} over nothing",))
    combining, command = known
    first = bases[0]
    if first.kind == "accent":
        taken, inner = _accented(atoms, place + 1)
        return taken + 1, _one(f"{command}{{{inner.tex}}}", [inner])
    letter = {"\\imath": "i", "\\jmath": "j"}.get(first.tex, first.tex)
    if not is_math_font(mark.font + first.font) and letter.isalpha() and mark.size == first.size:
        composed = unicodedata.normalize("NFC", letter + combining)
        if len(composed) == 1:
            return 2, replace(first, tex=composed, math=False)
    covered = _covered(bases, mark) if command.startswith("\\wide") else 1
    parts = bases[:covered]
    whole = _one(f"{command}{{{''.join(part.tex for part in parts)}}}", parts)
    return covered + 1, replace(whole, top=max(whole.top, first.baseline + 0.9 * first.size))


def _under(base: Atom, mark: Atom) -> bool:
    reach = 0.3 * mark.size
    return base.x0 < mark.x1 and base.x0 - reach <= mark.centre <= base.x1 + max(
        reach, 4 * mark.size * (mark.x1 > base.x1)
    )


def _covered(bases: Sequence[Atom], mark: Atom) -> int:
    """Return how many of the letters stand under a wide accent: as many as have their middle under its middle."""
    level = [base for base in bases if abs(base.baseline - bases[0].baseline) < 0.1 * base.size]
    off = [abs((bases[0].x0 + base.x1) / 2 - mark.centre) for base in level]
    return off.index(min(off)) + 1
