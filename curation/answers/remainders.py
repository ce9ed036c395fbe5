r"""Remainders: ``17 \bmod 5``, which is a number and, where it is reduced already, may stand for its residue class."""

from __future__ import annotations

from fractions import Fraction

from curation.answers.comparison import Comparison, different, equal, unknown
from curation.answers.finite_sums import folded
from curation.answers.tokens import UnreadableError
from curation.answers.tree import Call, Formula, Node, Number, Power, Product, Relation, Sum, Symbol

REMAINDER = "mod"
"""The function of a call that is a remainder: of its first argument on division by its second."""

_FACTORIAL_LIMIT = 100_000


def is_remainder(node: Node) -> bool:
    """Tell whether a node is a remainder."""
    return isinstance(node, Call) and node.function == REMAINDER and len(node.arguments) == 2


def compare_remainders(first: Node, second: Node) -> Comparison:
    """Compare two nodes of which at least one is a remainder.

    What is equal as a residue class and not as a number, as ``2 \\bmod 5`` and 7, is unknown.
    """
    one, other = _value(first), _value(second)
    if one is None or other is None:
        return unknown("remainder", "a remainder that is not computed")
    (value, modulus), (against, other_modulus) = one, other
    moduli = {found for found in (modulus, other_modulus) if found is not None}
    if len(moduli) > 1:
        return unknown("remainder", "remainders on division by different numbers")
    if value == against:
        return equal("remainder", "the same remainder")
    (divisor,) = moduli
    if (value - against) % divisor == 0:
        return unknown("remainder", "the same residue class, but another number")
    return different("remainder", "different remainders")


def _value(node: Node) -> tuple[int, int | None] | None:
    """Return the number that a node is with the modulus that it names; None where either is not known."""
    if isinstance(node, Call) and node.function == REMAINDER:
        left, right = node.arguments
        return _remainder(left, _integer(right))
    if isinstance(node, Relation) and node.signs == ("≡",) and isinstance(node.sides[0], Symbol):
        right_side = node.sides[1]
        if node.modulus is None or not isinstance(right_side, Number):
            return None
        return _remainder(right_side, _integer(node.modulus))
    number = _integer(node)
    return None if number is None else (number, None)


def _remainder(left: Formula, modulus: int | None) -> tuple[int, int] | None:
    # Whether a sign or the terms before belong to what is divided can be read in two ways.
    leading = left.factors[0] if isinstance(left, Product) else left
    if modulus is None or modulus < 1 or isinstance(left, Sum) or (isinstance(leading, Number) and leading.value < 0):
        return None
    residue = _residue(left, modulus)
    return None if residue is None else (residue, modulus)


def _residue(formula: Formula, modulus: int) -> int | None:
    """Return the residue of an integer formula, powers by repeated squaring; None where it may be no integer."""
    if isinstance(formula, Number):
        return formula.value.numerator % modulus if formula.value.denominator == 1 else None
    if isinstance(formula, Power):
        base, exponent = _residue(formula.base, modulus), _integer(formula.exponent)
        return None if base is None or exponent is None or exponent < 0 else pow(base, exponent, modulus)
    if isinstance(formula, Call) and formula.function == "factorial":
        number = _integer(formula.arguments[0])
        if number is None or not 0 <= number <= _FACTORIAL_LIMIT:
            return None
        product = 1 % modulus
        for factor in range(2, number + 1):
            product = product * factor % modulus
        return product
    if isinstance(formula, Sum | Product):
        parts = formula.terms if isinstance(formula, Sum) else formula.factors
        residues = [_residue(part, modulus) for part in parts]
        known = [residue for residue in residues if residue is not None]
        if len(known) != len(residues):
            return None
        if isinstance(formula, Sum):
            return sum(known) % modulus
        product = 1
        for residue in known:
            product = product * residue % modulus
        return product % modulus
    return None


def _integer(node: Node) -> int | None:
    if not isinstance(node, Number | Sum | Product | Power | Call):
        return None
    try:
        value = folded(node)
    except UnreadableError:
        return None
    return value.value.numerator if isinstance(value, Number) and _is_whole(value.value) else None


def _is_whole(value: Fraction) -> bool:
    return value.denominator == 1
