"""Writes a row of atoms as TeX: sub- and superscripts by baseline and size, words, gaps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from curation.ingest.papers.atoms import Atom, box

AXIS = 0.25
"""Height of the fraction bar over the baseline, in ems: 2.5 in Computer Modern, nearly the same in all math fonts."""
LIMIT_WORDS = ("limsup", "liminf", "argmax", "argmin", "lim", "max", "min", "sup", "inf", "gcd", "det", "Pr")
FUNCTIONS = frozenset(
    [
        "sin",
        "cos",
        "tan",
        "cot",
        "sec",
        "csc",
        "arcsin",
        "arccos",
        "arctan",
        "sinh",
        "cosh",
        "tanh",
        "log",
        "ln",
        "exp",
        "lim",
        "max",
        "min",
        "sup",
        "inf",
        "gcd",
        "det",
        "deg",
        "dim",
        "ker",
        "arg",
    ]
)
_LEVEL = 0.06
"""Ems by which baselines of one row may differ; the smallest shift of a script is 0.15."""
WORD_GAP = 0.12
"""Ems between words at least; TeX's word space shrinks from 0.33 to 0.22, a thin space is 0.17, kerns are under 0.1."""
_SMALLEST = 7.5
"""Points; scripts of scripts are not smaller than these."""
_NO_BASES = frozenset([*",:;.?([=+-<>", "\\{", "\\cdot", "\\times", "\\leq", "\\geq"])
"""What has no scripts, so that what stands off the line beside it belongs to something else."""


def middle(atom: Atom) -> float:
    """Return the height of an atom's middle."""
    return (atom.top + atom.bottom) / 2


def small_beside(atom: Atom, brace: Atom, slack: float) -> bool:
    """Tell whether the atom stands to the right of a large brace and within its height."""
    return atom.x0 > brace.x1 - slack and brace.bottom - slack < middle(atom) < brace.top + slack


def rows(atoms: Sequence[Atom]) -> list[list[Atom]]:
    """Split atoms into rows: one begins where drawing goes back to the left and below what stands so far."""
    found: list[list[Atom]] = []
    right = bottom = 0.0
    for atom in atoms:
        back = found and atom.x0 < right - 0.2 * atom.size and middle(atom) < bottom
        if not found or back:
            found.append([])
            right, bottom = atom.x1, atom.bottom
        found[-1].append(atom)
        right, bottom = max(right, atom.x1), min(bottom, atom.bottom)
    return found


def formula(atoms: Sequence[Atom]) -> Atom:
    """Return one row of atoms as one atom of TeX.

    Several rows where one is expected are damage: their order says nothing about what they mean together.
    """
    damage = () if len(rows(atoms)) == 1 else ("lost_structure: rows on top of each other",)
    pieces, lost = compose(atoms)
    size, baseline = base_of(atoms)
    tex = "".join(in_formula(pieces)).strip()
    if all(atom.name == "fraction" for atom in atoms):
        return box(tex, atoms, "fraction", atoms[0].baseline, size, (*damage, *lost))
    plain = all(atom.kind == "glyph" for atom in atoms)
    return box(tex, atoms, "formula" if plain else "formulas", baseline, size, (*damage, *lost))


@dataclass(frozen=True, slots=True)
class Piece:
    """What stands on a row's own baseline, with its scripts.

    Attributes:
        tex: as TeX, without its scripts.
        scripts: its primes, sub- and superscript.
        x0, x1: from where to where, scripts included.
        math: it can stand in formulas only.
        size: the row's size.
        hyphen: a hyphen or dash, which may divide a word at a line's end.
        glyph: the atom that it is, without its scripts.
    """

    tex: str
    scripts: str
    x0: float
    x1: float
    math: bool
    size: float
    hyphen: bool
    glyph: Atom

    @property
    def whole(self) -> str:
        """The piece with its scripts."""
        return self.tex + self.scripts


def base_of(atoms: Sequence[Atom]) -> tuple[float, float]:
    """Return a row's font size and baseline: the largest size, and the baseline most of its atoms stand on."""
    sized = [atom for atom in atoms if atom.kind in ("glyph", "box")] or list(atoms)
    size = max(atom.size for atom in sized)
    large = [atom for atom in sized if atom.size >= 0.9 * size]
    glyphs = [atom for atom in large if atom.kind == "glyph"] or large
    counted = Counter(round(_baseline(atom, size), 1) for atom in glyphs)
    most = max(counted.values())
    first = next(atom for atom in glyphs if counted[round(_baseline(atom, size), 1)] == most)
    return size, _baseline(first, size)


def _baseline(atom: Atom, size: float) -> float:
    if atom.kind in ("delimiter", "operator", "radical"):
        return middle(atom) - AXIS * size
    return atom.baseline - (AXIS * size if atom.name == "fraction" else 0.0)


def _stands_on(atom: Atom, baseline: float, size: float) -> bool:
    if atom.kind in ("delimiter", "operator"):
        return atom.size > 0.85 * size and abs(middle(atom) - baseline - AXIS * size) < 0.35 * size
    slack = 2 * _LEVEL if atom.name == "fraction" else _LEVEL
    return abs(_baseline(atom, size) - baseline) <= slack * size


def compose(atoms: Sequence[Atom]) -> tuple[list[Piece], tuple[str, ...]]:
    """Attach scripts to what they belong to; return the row's pieces from left to right and what was lost."""
    size, baseline = base_of(atoms)
    pieces: list[Piece] = []
    lost: list[str] = []
    place = 0
    while place < len(atoms):
        atom = atoms[place]
        if _stands_on(atom, baseline, size) or atom.kind == "frame":
            lost += _overlap(pieces, atom)
            pieces.append(_piece(atom, size))
            place += 1
            continue
        end = place
        while end < len(atoms) and not _stands_on(atoms[end], baseline, size) and atoms[end].kind != "frame":
            end += 1
        run = list(atoms[place:end])
        following = atoms[end] if end < len(atoms) else None
        lost += _attach(pieces, run, following, baseline + AXIS * size, size)
        place = end
    return pieces, tuple(dict.fromkeys(lost))


def _piece(atom: Atom, size: float) -> Piece:
    return Piece(atom.tex, "", atom.x0, atom.x1, atom.math, size, atom.name in ("hyphen", "endash"), atom)


def _overlap(pieces: list[Piece], atom: Atom) -> list[str]:
    if not pieces or atom.kind == "frame" or pieces[-1].glyph.kind == "frame":
        return []
    over = pieces[-1].x1 - atom.x0
    if over > 0.3 * atom.size:
        return [f"overlap: {pieces[-1].tex} and {atom.tex}"]
    return []


def _attach(pieces: list[Piece], run: list[Atom], following: Atom | None, axis: float, size: float) -> list[str]:
    """Add a run of atoms off the baseline to the piece before it."""
    if any(atom.kind in ("rule", "vrule") for atom in run):
        run = [atom for atom in run if atom.kind not in ("rule", "vrule")]
        if not run:
            return ["figure: a line that belongs to no formula"]
    if not pieces:
        return [f"lost_structure: {run[0].tex} stands off the line's beginning"]
    if max(atom.size for atom in run) > 0.9 * size and not _is_smallest(run, axis, size):
        return [f"lost_structure: {run[0].tex} stands off the line"]
    last = pieces[-1]
    lost: list[str] = []
    primed, right = "", last.x1
    if following is not None and following.x0 < max(atom.x1 for atom in run) - 0.3 * size:
        lost.append(f"lost_structure: {run[0].tex} stands over or under {following.tex}")
    if last.tex in _NO_BASES:
        lost.append(f"lost_structure: {run[0].tex} is a script of {last.tex!r}")
    slanted = last.glyph.kind == "operator"
    if run[0].x0 < last.x1 - 0.35 * size or run[0].x0 > last.x1 + (0.6 if slanted else 0.25) * size:
        lost.append(f"lost_structure: {run[0].tex} is no script of {last.tex}")
    scripts: dict[str, str] = {}
    for part in _parts(run, axis, 0.8 if slanted else 0.5):
        raised = middle(part[0]) > axis
        primes = 0
        while raised and primes < len(part) and part[primes].name == "prime":
            primes += 1
        primed += "'" * primes
        rest = part[primes:]
        right = max(right, *(atom.x1 for atom in part))
        if not rest:
            continue
        mark = "^" if raised else "_"
        if mark in scripts:
            lost.append(f"lost_structure: two scripts of {last.tex} on one side")
        inside = formula(rest)
        lost += inside.damage
        written = inside.tex if len(inside.tex) == 1 else f"{{{inside.tex}}}"
        scripts[mark] = scripts.get(mark, "") + mark + written
    attached = primed + scripts.get("_", "") + scripts.get("^", "")
    pieces[-1] = replace(last, scripts=attached, x1=right)
    return lost


def _is_smallest(run: list[Atom], axis: float, size: float) -> bool:
    """Tell scripts of TeX's smallest size, as large as what they belong to, by how little they are shifted."""
    shifts = (abs(atom.baseline - axis + AXIS * size) for atom in run if atom.kind == "glyph")
    return size < _SMALLEST and all(0.1 * size < shift < 0.65 * size for shift in shifts)


def _parts(run: list[Atom], axis: float, slack: float) -> list[list[Atom]]:
    """Split scripts into the upper and the lower one: the second begins where the first began, on the other side.

    Args:
        slack: ems by which the two may begin apart: a slanted integral sign sets them off.
    """
    parts = [[run[0]]]
    for atom in run[1:]:
        first = parts[-1][0]
        other_side = (middle(atom) > axis) != (middle(first) > axis)
        if other_side and abs(atom.x0 - first.x0) < slack * max(first.size, atom.size):
            parts.append([])
        parts[-1].append(atom)
    return parts


def _is_roman_letter(piece: Piece) -> bool:
    return not piece.math and piece.tex.isalpha() and not piece.tex.startswith("\\")


def words_and_pieces(pieces: Sequence[Piece]) -> Iterator[list[Piece]]:
    """Group pieces: the letters of one word, else one piece each."""
    word: list[Piece] = []
    for piece in pieces:
        near = word and not word[-1].scripts and piece.x0 - word[-1].x1 < WORD_GAP * piece.size
        if word and not (near and _is_roman_letter(piece)):
            yield word
            word = []
        if _is_roman_letter(piece):
            word.append(piece)
        else:
            yield [piece]
    if word:
        yield word


def in_formula(pieces: Sequence[Piece]) -> Iterator[str]:
    """Yield a formula's parts: function names as commands, other words as text."""
    last: Piece | None = None
    for group in words_and_pieces(pieces):
        text, scripts = "".join(piece.tex for piece in group), group[-1].scripts
        spaced = last is not None and group[0].x0 - last.x1 > 1.5 * WORD_GAP * group[0].size
        if len(group) > 1 or (len(text) > 1 and _is_roman_letter(group[0])):
            blank = " " if spaced else ""
            text = f"\\{text}{scripts} " if text in FUNCTIONS else f"\\text{{{blank}{text}}}{scripts} "
        elif text.startswith("\\") and text[-1:].isalpha():
            text += scripts or " "
        else:
            text = (" " if spaced else "") + text + scripts
        yield text
        last = group[-1]
