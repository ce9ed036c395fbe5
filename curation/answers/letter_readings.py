"""Letters that mean something else than a symbol, as the answer on the other side shows."""

from __future__ import annotations

import re

from curation.answers.comparison import Comparison, equal, unknown
from curation.answers.formulas import compare_formulas, holds_imaginary, symbols_of
from curation.answers.groups import Compare
from curation.answers.linear import substitute
from curation.answers.literals import base_numeral
from curation.answers.quantities import compare_measured, letter_as_unit
from curation.answers.tree import Formula, Number, Sum, Symbol
from curation.answers.units import read_unit

_LONE_DIGIT = re.compile(r"([A-F])_(1[1-6])")


def read_letters_anew(first: Formula, second: Formula, compare: Compare) -> Comparison | None:
    """Compare two formulas with a letter of one read as a digit, as a unit or as the imaginary unit.

    Returns:
        the verdict; None where no letter calls for another reading.
    """
    return _digits(first, second) or _units(first, second, compare) or _imaginary(first, second)


def _digits(first: Formula, second: Formula) -> Comparison | None:
    """Read ``B_{16}`` as a digit above nine where the other side is the number that it would be."""
    for lone, other in ((first, second), (second, first)):
        found = _LONE_DIGIT.fullmatch(lone.name) if isinstance(lone, Symbol) else None
        if found is None or not isinstance(other, Number) or int(found[1], 16) >= int(found[2]):
            continue
        if base_numeral(found[1], int(found[2])).value == other.value:
            return equal("base", "the same number, written as one digit of a larger base")
    return None


def _units(first: Formula, second: Formula, compare: Compare) -> Comparison | None:
    """Read ``3 m^3`` and ``3000 L``, which in plain letters are products, as quantities of one kind."""
    sides = letter_as_unit(first), letter_as_unit(second)
    if sides[0] is None or sides[1] is None:
        return None
    units = read_unit(sides[0].unit), read_unit(sides[1].unit)
    if units[0] is None or units[1] is None or not (units[0].known and units[1].known):
        return None
    if units[0].dimensions != units[1].dimensions or symbols_of(first) == symbols_of(second):
        return None
    return compare_measured(sides[0], sides[1], compare)


def _imaginary(first: Formula, second: Formula) -> Comparison | None:
    """Read j as the imaginary unit, as engineers do, where the other side is complex."""
    for engineer, other in ((first, second), (second, first)):
        if (
            symbols_of(engineer) != frozenset("j")
            or symbols_of(other)
            or not holds_imaginary(other)
            or holds_imaginary(engineer)
        ):
            continue
        if compare_formulas(substitute(engineer, "j", Symbol("i")), other).verdict != "equal":
            return None
        if isinstance(engineer, Sum) and any(not symbols_of(term) for term in engineer.terms):
            return equal("complex", "equal with j for the imaginary unit")
        return unknown("complex", "j may be the imaginary unit or a vector")
    return None
