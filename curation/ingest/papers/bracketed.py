"""Puts together what stands in rows between large delimiters: binomials, matrices, cases."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from curation.ingest.papers.atoms import Atom, box
from curation.ingest.papers.formula_rows import formula, middle, rows, small_beside

_OPEN = {"(", "[", "\\{", "\\lfloor", "\\lceil", "\\langle"}
_CLOSE = {")": "(", "]": "[", "\\}": "\\{", "\\rfloor": "\\lfloor", "\\rceil": "\\lceil", "\\rangle": "\\langle"}
_STACKS = {("(", ")"): "pmatrix", ("[", "]"): "bmatrix", ("|", "|"): "vmatrix"}
_BINOMIAL_LEADING = 1.3
"""Baseline distance in ems: a displayed binomial's is 1.36, a matrix's rows are 1.2 apart."""


def bracketed(atoms: Sequence[Atom]) -> list[Atom]:
    """Put binomials, matrices and cases between large delimiters together."""
    found = list(atoms)
    place = len(found) - 1
    while place >= 0:
        opening = found[place]
        if opening.kind == "delimiter" and (opening.tex in _OPEN or opening.tex in ("|", "\\|")):
            end = _closing(found, place)
            inside = found[place + 1 : end] if end is not None else _beside_brace(found, place)
            lines = rows(inside)
            if len(lines) > 1:
                closing = found[end] if end is not None else None
                whole = _stack(opening, lines, closing, found[place - 1] if place else None)
                found[place : place + 1 + len(inside) + (closing is not None)] = [whole]
        place -= 1
    return found


def _closing(atoms: list[Atom], place: int) -> int | None:
    opening = atoms[place]
    depth = 0
    for end in range(place + 1, min(len(atoms), place + 400)):
        atom = atoms[end]
        if atom.kind != "delimiter" or atom.bottom > opening.top or atom.top < opening.bottom:
            continue
        if opening.tex in ("|", "\\|"):
            same = abs(atom.top - opening.top) < 1 and abs(atom.bottom - opening.bottom) < 1
            if atom.tex == opening.tex and same and atom.x0 > opening.x1:
                return end
        elif atom.tex == opening.tex:
            depth += 1
        elif _CLOSE.get(atom.tex) == opening.tex:
            if depth == 0:
                return end if atom.x0 > opening.x1 - 0.3 * opening.size else None
            depth -= 1
    return None


def _beside_brace(atoms: list[Atom], place: int) -> list[Atom]:
    opening = atoms[place]
    if opening.tex != "\\{":
        return []
    end = place + 1
    slack = 0.2 * opening.size
    level = float("inf")
    while end < len(atoms) and small_beside(atoms[end], opening, slack):
        atom = atoms[end]
        if atom.kind == "glyph" and atom.size > 0.85 * opening.size:
            # Rows come from top to bottom, so what stands higher again is the text after them.
            if atom.baseline > level + 0.3 * atom.size:
                break
            level = atom.baseline
        elif atom.name == "fraction" and middle(atom) > level + 0.6 * opening.size and atom.x0 > opening.x1 + slack:
            break
        end += 1
    return atoms[place + 1 : end]


def _stack(opening: Atom, lines: list[list[Atom]], closing: Atom | None, before: Atom | None) -> Atom:
    cells = [[formula(cell) for cell in _cells(line)] for line in lines]
    everything = [opening, *(cell for line in cells for cell in line), *([closing] if closing else [])]
    size = max(cell.size for line in cells for cell in line)
    axis = (opening.top + opening.bottom) / 2
    body = " \\\\ ".join(" & ".join(cell.tex for cell in line) for line in cells)
    if closing is None:
        return box(f"\\begin{{cases}} {body} \\end{{cases}}", everything, "fraction", axis, size)
    single = len(cells) == 2 and all(len(line) == 1 for line in cells)
    if single and (opening.tex, closing.tex) == ("(", ")"):
        distance = cells[0][0].baseline - cells[1][0].baseline
        plain = all(cell.name == "formula" for line in cells for cell in line)
        around = before.size if before is not None and before.kind == "glyph" else 0.0
        if distance > _BINOMIAL_LEADING * size or around > 1.15 * size:
            return box(f"\\binom{{{cells[0][0].tex}}}{{{cells[1][0].tex}}}", everything, "fraction", axis, size)
        if not plain or around == 0.0:
            doubt = ("lost_structure: a binomial or a column of two",)
            return box(f"\\binom{{{cells[0][0].tex}}}{{{cells[1][0].tex}}}", everything, "fraction", axis, size, doubt)
    name = _STACKS.get((opening.tex, closing.tex))
    columns = {len(line) for line in cells}
    if name is None or len(columns) > 1:
        lost = (f"lost_structure: {len(cells)} rows between {opening.tex} and {closing.tex}",)
        return box(body, everything, "fraction", axis, size, lost)
    return box(f"\\begin{{{name}}} {body} \\end{{{name}}}", everything, "fraction", axis, size)


def _cells(line: list[Atom]) -> list[list[Atom]]:
    """Split a row at gaps of at least 0.9 em."""
    cells = [[line[0]]]
    for last, atom in pairwise(line):
        if atom.x0 - last.x1 > 0.9 * max(last.size, atom.size):
            cells.append([])
        cells[-1].append(atom)
    return cells
