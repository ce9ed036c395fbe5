"""Solves an equation or inequality that is linear in its one symbol, by exact arithmetic."""

from __future__ import annotations

from fractions import Fraction

from curation.answers.canonical import Canonical
from curation.answers.enclosure import real_bounds
from curation.answers.exact import BeyondError
from curation.answers.formulas import children_of, rebuilt, symbols_of
from curation.answers.tree import (
    VALUED,
    Formula,
    Node,
    Number,
    Power,
    Product,
    Sum,
    Symbol,
)

_MINUS_ONE, _ZERO, _ONE = (Number(Fraction(value)) for value in (-1, 0, 1))


def solve_linear(left: Node, right: Node) -> tuple[str, Formula, bool] | None:
    """Solve ``left = right`` for its only symbol.

    Returns:
        the symbol's name, its value, and whether an inequality turns round when it is brought to that form; None where
        the equation is not linear in one symbol.
    """
    if not isinstance(left, VALUED) or not isinstance(right, VALUED):
        return None
    if isinstance(left, Symbol) and not symbols_of(right):
        return left.name, right, False
    if isinstance(right, Symbol) and not symbols_of(left):
        return right.name, left, True
    names = symbols_of(left) | symbols_of(right)
    if len(names) != 1:
        # An end may hold parameters where the variable stands alone on its side.
        return _alone(left, right)
    (name,) = names
    difference: Formula = Sum((left, Product((_MINUS_ONE, right))))
    offset = substitute(difference, name, _ZERO)
    slope = Sum((substitute(difference, name, _ONE), Product((_MINUS_ONE, offset))))
    try:
        canonical = Canonical()
        line = Sum((Product((slope, Symbol(name))), offset))
        if canonical.field.difference(canonical.convert(difference), canonical.convert(line)):
            return None
        steep = canonical.convert(slope)
        value = canonical.field.multiply(canonical.convert(offset), canonical.field.invert(steep))
    except BeyondError:
        return None
    bounds = real_bounds(slope)
    if bounds is None or bounds[0] <= 0 <= bounds[1]:
        return None
    if value.rational is not None:
        root: Formula = Number(-value.rational, "rational")
    else:
        root = Product((_MINUS_ONE, offset, Power(slope, _MINUS_ONE)))
    return name, root, bounds[1] < 0


def _alone(left: Formula, right: Formula) -> tuple[str, Formula, bool] | None:
    if isinstance(left, Symbol) and left.name not in symbols_of(right):
        return left.name, right, False
    if isinstance(right, Symbol) and right.name not in symbols_of(left):
        return right.name, left, True
    return None


def substitute(formula: Formula, name: str, value: Formula) -> Formula:
    """Return the formula with a symbol replaced."""
    if isinstance(formula, Symbol):
        return value if formula.name == name else formula
    return rebuilt(formula, [substitute(child, name, value) for child in children_of(formula)])
