"""Forms of whole answers that mean something else than the formulas they are written like."""

from __future__ import annotations

from curation.answers.literals import MINUS_ONE
from curation.answers.tree import (
    VALUED,
    Bracket,
    Combination,
    Listing,
    Matrix,
    Measured,
    Node,
    Number,
    Product,
    Relation,
    Sum,
    Symbol,
)
from curation.answers.units import read_unit


def system(node: Node) -> Node:
    r"""Read a ``cases`` environment of equations or inequalities as the list of them; case distinctions stay."""
    if not isinstance(node, Matrix) or node.kind != "cases":
        return node
    lines = [row[0] for row in node.rows if len(row) == 1 and isinstance(row[0], Relation)]
    if len(lines) != len(node.rows) or len(lines) < 2:
        return node
    return Listing(tuple(lines))


def chain_of_names(relation: Relation) -> Listing | None:
    """Read ``a = b = c = 1`` as three values; None for other relations."""
    *names, value = relation.sides
    symbols = {name.name for name in names if isinstance(name, Symbol)}
    if set(relation.signs) != {"="} or len(symbols) != len(names) or len(names) < 2 or not isinstance(value, Number):
        return None
    return Listing(tuple(Relation(("=",), (name, value)) for name in names))


def difference_of_sets(node: Node) -> Node:
    r"""Read ``\mathbb{R} - \{0\}`` as the set without its element."""
    if not isinstance(node, Sum) or len(node.terms) != 2 or node.terms[0] != Symbol("blackboard R"):
        return node
    taken = node.terms[1]
    if not isinstance(taken, Product) or taken.factors[0] != MINUS_ONE or not isinstance(taken.factors[1], Bracket):
        return node
    return Combination("∖", (node.terms[0], taken.factors[1]))


def named_point(node: Node) -> Node:
    """Read ``A(1, 2)`` as the point of that name; ``P(5, 2)`` may be a number of arrangements."""
    if not isinstance(node, Product) or len(node.factors) != 2:
        return node
    name, point = node.factors
    if not isinstance(name, Symbol) or not name.name[0].isupper() or name.name[1:2].isalpha():
        return node
    if isinstance(point, Bracket) and (point.opening, point.closing) == ("(", ")") and len(point.members) > 1:
        numbers = [member.value for member in point.members if isinstance(member, Number)]
        if name.name in ("P", "C") and len(numbers) == len(point.members) == 2 and numbers[0] >= numbers[1] >= 0:
            return node
        return Relation(("=",), (name, point))
    return node


def multiplied(amount: Measured) -> Node:
    """Return the quantity with the number words after it: the three million of ``$3 million``."""
    unit = read_unit(amount.unit)
    if unit is None or unit.multiplier == 1 or not isinstance(amount.quantity, VALUED):
        return amount.quantity
    return Product((amount.quantity, Number(unit.multiplier, "rational")))


def under_one_name(members: list[Node]) -> tuple[Node, ...]:
    """Read ``m = 2, 5, 7`` as three values of m."""
    first = members[0]
    if not (isinstance(first, Relation) and first.signs == ("=",) and isinstance(first.sides[0], Symbol)):
        return tuple(members)
    if any(isinstance(member, Relation | Measured) for member in members[1:]):
        return tuple(members)
    name = first.sides[0]
    return (first, *(Relation(("=",), (name, member)) for member in members[1:]))
