r"""Letters that leave a comparison open: constants of integration, matrices, parameters, the golden ratio."""

from __future__ import annotations

import itertools
import re
from fractions import Fraction

from curation.answers.comparison import Comparison, unknown
from curation.answers.formulas import compare_formulas, symbols_of
from curation.answers.linear import substitute
from curation.answers.tree import Formula, Node, Number, Power, Product, Root, Sum, Symbol

_CONSTANT = re.compile(r"(?:[a-dkmA-DKM]|alpha|beta|lambda|mu)(?:_\w{1,2})?")
_MOST_CONSTANTS = 3
_PARAMETERS = frozenset("klmj")
_GOLDEN = Product((Sum((Number(Fraction(1)), Root(Number(Fraction(5)), Number(Fraction(2))))), Number(Fraction(1, 2))))


def with_open_letters(first: Formula, second: Formula, result: Comparison) -> Comparison:
    """Return the verdict on two formulas, left open where it rests on what a letter stands for."""
    if result.verdict == "equal" and _products_of_matrices(first, second):
        return unknown("letters", "capital letters in another order, which counts for matrices")
    if result.verdict == "different" and _same_but_for_constants(first, second):
        return unknown("letters", "the same formula with other letters for constants")
    if result.verdict == "different" and (_golden(first, second) or _golden(second, first)):
        return unknown("letters", "phi may be the golden ratio")
    return result


def with_open_parameter(name: Formula, first: Formula, second: Formula, result: Comparison) -> Comparison:
    """Return the verdict on two values of one name: ``n = 2k+1`` and ``n = 2k-1`` may be the same numbers."""
    shared = symbols_of(first)
    if result.verdict != "different" or shared != symbols_of(second) or len(shared) != 1:
        return result
    (letter,) = shared
    if letter not in _PARAMETERS or not isinstance(name, Symbol) or "_" in name.name:
        return result
    for step in (1, -1):
        moved = substitute(first, letter, Sum((Symbol(letter), Number(Fraction(step)))))
        if compare_formulas(moved, second).verdict == "equal":
            return unknown("letters", "the same values where the parameter is any integer")
    return result


def _products_of_matrices(first: Formula, second: Formula) -> bool:
    orders = [_letters_in_order(side) for side in (first, second)]
    return None not in orders and orders[0] != orders[1]


def _letters_in_order(formula: Formula) -> list[Node] | None:
    """Return the factors of a product of capital letters and their powers; None for other formulas."""
    if not isinstance(formula, Product):
        return None
    for part in formula.factors:
        base = part.base if isinstance(part, Power) else part
        if not isinstance(base, Symbol) or not base.name.removeprefix("bold ")[0].isupper():
            return None
    return list(formula.factors)


def _same_but_for_constants(first: Formula, second: Formula) -> bool:
    here, there = symbols_of(first), symbols_of(second)
    ours, theirs = sorted(here - there), sorted(there - here)
    if (
        all(_CONSTANT.fullmatch(name) for name in here & there)
        or len(ours) != len(theirs)
        or not 0 < len(ours) <= _MOST_CONSTANTS
    ):
        return False
    if not all(_CONSTANT.fullmatch(name) for name in (*ours, *theirs)):
        return False
    for names in itertools.permutations(theirs):
        renamed = first
        for name, new in zip(ours, names, strict=True):
            renamed = substitute(renamed, name, Symbol(new))
        if compare_formulas(renamed, second).verdict == "equal":
            return True
    return False


def _golden(letter: Formula, value: Formula) -> bool:
    if symbols_of(letter) != frozenset({"phi"}) or symbols_of(value):
        return False
    return compare_formulas(substitute(letter, "phi", _GOLDEN), value).verdict == "equal"
