"""Plus-minus signs as the several values they stand for."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

from curation.answers.formulas import children_of, rebuilt
from curation.answers.tree import VALUED, Bracket, Formula, Listing, Node, Number, PlusMinus, Product, Relation

_SIGN_LIMIT = 4


def expanded(node: Node) -> Node:
    """Return an answer with its plus-minus signs written out; one without any comes back as it is.

    Several signs stand for all combinations, but a minus-plus sign takes the other sign than the plus-minus signs.
    """
    if isinstance(node, Relation) and node.signs == ("=",):
        return _equations(node, node.sides[0], node.sides[1])
    if isinstance(node, Listing):
        return Listing(_flat(node.members), node.connective)
    if isinstance(node, Bracket) and node.opening == "\\{":
        return Bracket(node.opening, node.closing, _flat(node.members))
    if isinstance(node, Bracket):
        return _tuples(node)
    if isinstance(node, (*VALUED, PlusMinus)):
        values = _values(node)
        return node if values is None else Listing(values)
    return node


def _equations(node: Relation, left: Node, right: Node) -> Node:
    """Return an equation with signs on one of its sides as several; with signs on both they may belong together."""
    values = expanded(right)
    terms = expanded(left) if isinstance(left, (*VALUED, PlusMinus)) else left
    if isinstance(values, Listing) and not isinstance(terms, Listing):
        return Listing(tuple(Relation(("=",), (left, member)) for member in values.members))
    if isinstance(terms, Listing) and not isinstance(values, Listing):
        return Listing(tuple(Relation(("=",), (member, right)) for member in terms.members))
    return node


def is_open(node: Node) -> bool:
    """Tell whether a tuple has signs in several places: it may mean all combinations or only some."""
    return isinstance(node, Bracket) and any(
        isinstance(member, (*VALUED, PlusMinus)) and any(True for _ in _signs(member)) for member in node.members
    )


def _tuples(node: Bracket) -> Node:
    """Return the tuples that a tuple stands for; with signs in several places it may mean these or those."""
    several = [
        (place, values) for place, member in enumerate(node.members) if isinstance(values := expanded(member), Listing)
    ]
    if len(several) != 1 or isinstance(node.members[several[0][0]], Listing):
        return node
    place, values = several[0]
    rows = [(*node.members[:place], value, *node.members[place + 1 :]) for value in values.members]
    return Listing(tuple(Bracket(node.opening, node.closing, row) for row in rows))


def _flat(members: tuple[Node, ...]) -> tuple[Node, ...]:
    found: list[Node] = []
    for member in members:
        several = expanded(member)
        found.extend(several.members if isinstance(several, Listing) else (several,))
    return tuple(found)


def _values(formula: Formula) -> tuple[Formula, ...] | None:
    signs = list(_signs(formula))
    if not signs or len(signs) > _SIGN_LIMIT:
        return None
    if any(lower for lower in signs):
        choices = [tuple(-sign if lower else sign for lower in signs) for sign in (1, -1)]
    else:
        choices = list(itertools.product((1, -1), repeat=len(signs)))
    return tuple(_signed(formula, iter(choice)) for choice in choices)


def _signs(formula: Formula) -> Iterator[bool]:
    """Yield for each sign, in reading order, whether it is a minus-plus."""
    if isinstance(formula, PlusMinus):
        yield formula.lower
    for child in children_of(formula):
        yield from _signs(child)


def _signed(formula: Formula, choice: Iterator[int]) -> Formula:
    if isinstance(formula, PlusMinus):
        sign = Number(Fraction(next(choice)))
        return Product((sign, _signed(formula.term, choice)))
    return rebuilt(formula, [_signed(child, choice) for child in children_of(formula)])
