"""Puts the atoms of a page together to formulas: fractions, roots, lines over and under, limits, accents, stacks.

TeX draws a formula's parts one after another, so the parts of one structure are neighbours in drawing order: a
fraction's numerator stands right before its bar and its denominator right after it. Each step here therefore looks at
a run of neighbours and asks geometry only whether they belong. What fits no structure stays as it is or carries damage.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from curation.ingest.papers.atoms import Atom, box
from curation.ingest.papers.formula_rows import formula, middle
from curation.ingest.papers.glyph_marks import join_marks
from curation.ingest.papers.limits import structures

_TALLEST = 2.5
"""Ems from a rule to a script at the end of what it carries: the exponent of a tall bracket."""


def assemble(atoms: Sequence[Atom]) -> list[Atom]:
    """Return a page's atoms with every recognised structure as one atom, in drawing order.

    Rules that belong to no structure stay: a table's lines, a separator, a blank to fill in.
    """
    found = _frames(_tall_parts(join_marks(atoms)))
    found = _fold_rules(found)
    return structures(found)


def _tall_parts(atoms: list[Atom]) -> list[Atom]:
    """Join the pieces of a bracket or root that is built of several glyphs."""
    joined: list[Atom] = []
    for atom in atoms:
        last = joined[-1] if joined else None
        if (
            last is not None
            and atom.kind == last.kind in ("delimiter", "radical")
            and abs(atom.centre - last.centre) < 0.35 * atom.size
            and atom.top < last.top + 0.1 * atom.size
            and (atom.kind == "radical" or atom.tex in (last.tex, "") or last.tex == "")
        ):
            joined[-1] = replace(
                last, tex=last.tex or atom.tex, x1=max(last.x1, atom.x1), bottom=min(last.bottom, atom.bottom)
            )
        else:
            joined.append(atom)
    return joined


def _frames(atoms: list[Atom]) -> list[Atom]:
    """Turn the four rules around a boxed answer into an opening and a closing atom.

    The box's content is drawn between its sides or, by later versions of LaTeX, before all of them.
    """
    found = list(atoms)
    index = 0
    while index + 3 < len(found):
        end = _frame_end(found, index)
        if end is not None:
            top = found[index]
            inside = [atom for atom in found[index + 1 : end] if atom.kind not in ("rule", "vrule")]
            start = index
            while not inside[:1] and start > 0 and _is_inside(found[start - 1], top, found[end]):
                start -= 1
            content = found[start:index] or found[index + 2 : end - 1]
            if content and all(atom.kind != "vrule" for atom in content):
                opened, closed = _frame(content[0], "\\boxed{", top.x0), _frame(content[-1], "}", top.x1)
                found[start : end + 1] = [opened, *content, closed]
        index += 1
    return found


def _frame_end(atoms: list[Atom], place: int) -> int | None:
    """Return the place of the lower rule of a frame whose upper rule is at ``place``."""
    top, left = atoms[place], atoms[place + 1]
    if top.kind != "rule" or left.kind != "vrule" or abs(left.centre - top.x0) > 1 or abs(left.top - top.top) > 1.5:
        return None
    for end in range(place + 3, min(len(atoms), place + 200)):
        right, bottom = atoms[end - 1], atoms[end]
        same = abs(bottom.x0 - top.x0) < 1 and abs(bottom.x1 - top.x1) < 1 and bottom.top < top.bottom
        if right.kind == "vrule" and bottom.kind == "rule" and same and abs(right.centre - top.x1) < 1:
            return end
    return None


def _is_inside(atom: Atom, top: Atom, bottom: Atom) -> bool:
    return top.x0 - 1 < atom.x0 and atom.x1 < top.x1 + 1 and bottom.bottom - 1 < middle(atom) < top.top + 1


def _frame(beside: Atom, tex: str, x: float) -> Atom:
    return replace(beside, tex=tex, x0=x, x1=x, kind="frame", name="frame", math=True, damage=())


def _fold_rules(atoms: list[Atom]) -> list[Atom]:
    """Put together what each horizontal rule joins, inner structures first: those have the shorter rules."""
    found = list(atoms)
    done: set[int] = set()
    while True:
        waiting = [
            (atom.x1 - atom.x0, atom.baseline, place)
            for place, atom in enumerate(found)
            if atom.kind == "rule" and id(atom) not in done
        ]
        if not waiting:
            return found
        place = min(waiting)[2]
        done.add(id(found[place]))
        for join in (_root, _fraction, _line_over, _line_under):
            joined = join(found, place)
            if joined is not None:
                start, end, whole = joined
                found[start:end] = [whole]
                break


_Joined = tuple[int, int, Atom] | None


def _root(atoms: list[Atom], place: int) -> _Joined:
    rule = atoms[place]
    if place == 0 or atoms[place - 1].kind != "radical":
        return None
    sign = atoms[place - 1]
    size = sign.size
    if abs(sign.x1 - rule.x0) > 0.15 * size or abs(sign.top - rule.top) > 0.3 * size:
        return None
    end = _reach(atoms, place, 1, rule, lambda atom: sign.bottom - 0.3 * size < middle(atom) < rule.baseline)
    if end == place + 1:
        return None
    start = place - 1
    while start > 0 and _is_degree(atoms[start - 1], sign):
        start -= 1
    inside = formula(structures(atoms[place + 1 : end]))
    degree = formula(atoms[start : place - 1]) if start < place - 1 else None
    tex = f"\\sqrt[{degree.tex}]{{{inside.tex}}}" if degree else f"\\sqrt{{{inside.tex}}}"
    name = "fraction" if inside.name == "fraction" else "radical"
    whole = box(tex, [*atoms[start:place], inside], name, inside.baseline, inside.size)
    return start, end, replace(whole, x1=max(whole.x1, rule.x1), top=max(whole.top, rule.top))


def _is_degree(atom: Atom, sign: Atom) -> bool:
    inside = sign.x0 - 0.5 * sign.size < atom.x0 and atom.x1 < sign.x1
    return atom.kind == "glyph" and atom.size < 0.75 * sign.size and inside and atom.x1 > sign.x0 + 0.05 * sign.size


def _fraction(atoms: list[Atom], place: int) -> _Joined:
    rule = atoms[place]
    start = _reach(atoms, place, -1, rule, lambda atom: middle(atom) > rule.baseline) + 1
    end = _reach(atoms, place, 1, rule, lambda atom: middle(atom) < rule.baseline)
    if start == place or end == place + 1:
        return None
    above, below = formula(structures(atoms[start:place])), formula(structures(atoms[place + 1 : end]))
    reach = 0.5 * max(above.size, below.size)
    if above.bottom - rule.top > reach or rule.bottom - below.top > reach:
        return None
    if max(above.x1 - above.x0, below.x1 - below.x0) < 0.5 * (rule.x1 - rule.x0):
        return None
    size = max(above.size, below.size)
    if max(abs(above.centre - rule.centre), abs(below.centre - rule.centre)) > 0.3 * size:
        return None
    whole = box(f"\\frac{{{above.tex}}}{{{below.tex}}}", [above, below], "fraction", rule.baseline, size)
    return start, end, replace(whole, x0=rule.x0, x1=rule.x1)


def _line_over(atoms: list[Atom], place: int) -> _Joined:
    rule = atoms[place]
    end = _reach(atoms, place, 1, rule, lambda atom: middle(atom) < rule.baseline)
    if end == place + 1:
        return None
    inside = formula(structures(atoms[place + 1 : end]))
    gap = rule.bottom - inside.top
    if not _fills(inside, rule) or not -0.45 * inside.size < gap < 0.4 * inside.size:
        return None
    name = "fraction" if inside.name == "fraction" else "overline"
    whole = box(f"\\overline{{{inside.tex}}}", [inside], name, inside.baseline, inside.size)
    return place, end, replace(whole, top=max(whole.top, rule.top), x0=rule.x0, x1=rule.x1)


def _line_under(atoms: list[Atom], place: int) -> _Joined:
    rule = atoms[place]
    start = _reach(atoms, place, -1, rule, lambda atom: middle(atom) > rule.baseline) + 1
    if start == place:
        return None
    parts = atoms[start:place]
    inside = formula(structures(parts))
    gap = inside.baseline - rule.top
    if not _fills(inside, rule) or not 0 < gap < 0.5 * inside.size:
        return None
    whole = box(f"\\underline{{{inside.tex}}}", [inside], "underline", inside.baseline, inside.size)
    return start, place + 1, replace(whole, math=any(part.math for part in parts))


def _fills(inside: Atom, rule: Atom) -> bool:
    return inside.x1 - inside.x0 > 0.75 * (rule.x1 - rule.x0)


def _reach(atoms: list[Atom], place: int, step: int, rule: Atom, fits: Callable[[Atom], bool]) -> int:
    """Return the first place from ``place`` in direction ``step`` whose atom does not stand under or over the rule.

    The run stays in the rule's width and grows without a vertical gap, so that it ends before another line's text.
    """
    low, high = rule.bottom, rule.top
    first = True
    here = place + step
    while 0 <= here < len(atoms):
        atom = atoms[here]
        slack = 0.13 * (atom.size or 10)
        if atom.kind in ("rule", "vrule", "frame") or not fits(atom):
            break
        if atom.x0 < rule.x0 - slack or atom.x1 > rule.x1 + slack:
            break
        gap = max(atom.bottom - high, low - atom.top)
        if gap > (_TALLEST if first else 0.15) * atom.size:
            break
        first = False
        low, high = min(low, atom.bottom), max(high, atom.top)
        here += step
    return here
