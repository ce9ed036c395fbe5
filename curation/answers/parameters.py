"""Answers with a parameter: ``x = 2k\\pi, k \\in \\mathbb{Z}`` is the same family whatever the parameter is called."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from curation.answers.formulas import symbols_of
from curation.answers.linear import substitute
from curation.answers.tree import (
    VALUED,
    Bracket,
    Formula,
    Listing,
    Node,
    Number,
    Product,
    Qualified,
    Relation,
    Sum,
    Symbol,
)

_NUMBER_SETS = {
    "blackboard Z": "integer",
    "blackboard N": "natural number",
    "blackboard N_+": "positive integer",
    "blackboard Z_+": "positive integer",
    "blackboard R": "real number",
    "blackboard Q": "rational number",
}
_STEPS = 3
GENERAL = frozenset({*_NUMBER_SETS.values(), "real", "number", "constant", "real constant"})
"""Kinds of parameters that one side may leave unsaid."""

_SAID = re.compile(r"(?:where|for|with)\s+(?:(?:any|all|every|some|each)\s+)?(\w)\s+is\s+(?:an?|any)\s+(.*)")
_NAMED = re.compile(r"(?:where|for|with)\s+(?:any|all|every|some|each)\s+(.*?)s?\s+(\w)")


def with_parameter(node: Node) -> tuple[Node, str, str] | None:
    """Split off the declaration of a parameter.

    Returns:
        the answer, the parameter's name and what kind of number it is; None where none is declared.
    """
    if isinstance(node, Qualified):
        remark = node.remark.strip()
        if match := _SAID.fullmatch(remark):
            return node.answer, match.group(1), match.group(2)
        if match := _NAMED.fullmatch(remark):
            return node.answer, match.group(2), match.group(1)
        return None
    if not isinstance(node, Listing):
        return None
    *answers, last = node.members
    if (
        not isinstance(last, Relation)
        or last.signs != ("∈",)
        or not isinstance(last.sides[0], Symbol)
        or not isinstance(last.sides[1], Symbol)
    ):
        return None
    kind = _NUMBER_SETS.get(last.sides[1].name)
    if kind is None:
        return None
    answer = answers[0] if len(answers) == 1 else Listing(tuple(answers), node.connective)
    return answer, last.sides[0].name, kind


def moved(node: Node, name: str) -> Iterator[Node]:
    """Yield the answer with its parameter, any integer, turned round or moved a little, which changes nothing."""
    letter = Symbol(name)
    for turned in (letter, Product((Number(Fraction(-1)), letter))):
        for step in range(-_STEPS, _STEPS + 1):
            other = replaced(node, name, Sum((turned, Number(Fraction(step)))))
            if other is not None and (step or turned is not letter):
                yield other


def renamed(node: Node, old: str, new: str) -> Node | None:
    """Return the answer with a symbol renamed; None where the new name is taken, or the answer is of another kind."""
    if isinstance(node, VALUED) and new in symbols_of(node):
        return None
    return replaced(node, old, Symbol(new), taken=new)


def replaced(node: Node, old: str, new: Formula, *, taken: str | None = None) -> Node | None:
    """Return the answer with a formula for a symbol; None where ``taken`` occurs, or for answers of other kinds."""
    if isinstance(node, VALUED):
        return None if taken is not None and taken in symbols_of(node) else substitute(node, old, new)
    if isinstance(node, Relation):
        sides = [replaced(side, old, new, taken=taken) for side in node.sides]
        known = tuple(side for side in sides if side is not None)
        return Relation(node.signs, known, node.modulus) if len(known) == len(sides) else None
    if isinstance(node, Listing | Bracket):
        members = [replaced(member, old, new, taken=taken) for member in node.members]
        known = tuple(member for member in members if member is not None)
        if len(known) != len(members):
            return None
        if isinstance(node, Listing):
            return Listing(known, node.connective)
        return Bracket(node.opening, node.closing, known)
    return None
