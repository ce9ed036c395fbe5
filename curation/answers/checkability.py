"""Can answers be checked against this gold answer? It must equal itself and differ from its own mutations."""

from __future__ import annotations

from fractions import Fraction

from curation.answers.answer_parser import WordsError, read_answer
from curation.answers.comparing import compare_nodes
from curation.answers.comparison import Comparison, different, equal, unknown
from curation.answers.labels import choice_letter, normal, split_choice
from curation.answers.numerals import read_numeral
from curation.answers.quantities import settle_units
from curation.answers.real_sets import infinite_sign
from curation.answers.relations import constant_value
from curation.answers.tokens import UnreadableError
from curation.answers.tree import (
    VALUED,
    Bracket,
    Combination,
    Formula,
    Grouped,
    Listing,
    Matrix,
    Measured,
    Node,
    Number,
    PlusMinus,
    Product,
    Qualified,
    Ratio,
    Relation,
    SetBuilder,
    Sum,
    Symbol,
)

_ONE, _ZERO, _MINUS_ONE = (Number(Fraction(value)) for value in (1, 0, -1))
_OTHER_BRACKET = {"(": "[", "[": "(", ")": "]", "]": ")"}
_WORD_LIMIT = 6


def checkable(answer: str) -> Comparison:
    """Tell whether a gold answer can be checked against: ``equal`` if so, else the verdict that went wrong.

    The answer must equal itself in another form (plus zero, members turned round where order means nothing) and be told
    apart from its mutations: the other sign, one more or less, another order, another endpoint, a member too few. Words
    are checkable where they are short.
    """
    text = answer.strip()
    if not text:
        return unknown("empty", "an empty answer")
    if read_numeral(text) is not None or choice_letter(text):
        return equal("exact", "a number or letter")
    choice = split_choice(text)
    try:
        node = read_answer(choice[1] if choice else text)
    except WordsError:
        return _checkable_words(text)
    except UnreadableError as error:
        return unknown("unreadable", str(error))
    return _checkable_node(node)


def _checkable_words(text: str) -> Comparison:
    words = normal(text).split()
    if not words:
        return unknown("text", "no words are left without marks")
    if len(words) > _WORD_LIMIT:
        return unknown("text", f"a phrase of more than {_WORD_LIMIT} words can be said in many ways")
    return equal("text", "a short text")


def _checkable_node(node: Node) -> Comparison:
    node = settle_units(node)
    if isinstance(node, Relation):
        node = constant_value(node) or node
    for same in _rewritten(node):
        result = compare_nodes(node, same)
        if result.verdict != "equal":
            return unknown(result.path, f"the answer is not found equal to itself: {result.why}")
    mutations = _mutated(node)
    if not mutations:
        return unknown("none", "an answer of a kind that is not compared")
    for mutation in mutations:
        result = compare_nodes(node, mutation)
        if result.verdict == "equal":
            return different(result.path, "a mutation of the answer is found equal to it")
        if result.verdict == "unknown":
            return unknown(result.path, f"a mutation of the answer is not told apart: {result.why}")
    return equal("gate", "equal to itself and different from its mutations")


def _rewritten(node: Node) -> list[Node]:
    """Return other forms of the same answer."""
    if isinstance(node, VALUED):
        return [] if infinite_sign(node) else [Sum((node, _ZERO))]
    if isinstance(node, Qualified):
        return [Qualified(same, node.remark) for same in _rewritten(node.answer)]
    if isinstance(node, Measured):
        return [Measured(same, node.unit) for same in _rewritten(node.quantity)]
    if isinstance(node, Listing):
        # Letters may be listed in an order that counts.
        letters = all(isinstance(member, Symbol) for member in node.members)
        return [] if letters else [Listing(tuple(reversed(node.members)), node.connective)]
    if isinstance(node, Grouped):
        return [Grouped(tuple(reversed(node.parts)))]
    if isinstance(node, Bracket) and node.opening == "\\{":
        return [Bracket(node.opening, node.closing, tuple(reversed(node.members)))]
    if isinstance(node, Relation) and isinstance(node.sides[-1], VALUED):
        return [Relation(node.signs, (*node.sides[:-1], Sum((node.sides[-1], _ZERO))), node.modulus)]
    return []


def _mutated(node: Node) -> list[Node]:
    """Return answers that are wrong where this one is right."""
    if isinstance(node, VALUED):
        return _mutated_formula(node)
    if isinstance(node, PlusMinus):
        return [PlusMinus(wrong, node.lower) for wrong in _mutated_formula(node.term)[1:] if isinstance(wrong, VALUED)]
    if isinstance(node, Qualified):
        return [Qualified(wrong, node.remark) for wrong in _mutated(node.answer)]
    if isinstance(node, Measured):
        return [Measured(wrong, node.unit) for wrong in _mutated(node.quantity)]
    if isinstance(node, Ratio):
        return [Ratio((*node.parts[:-1], Sum((node.parts[-1], _ONE))))]
    if isinstance(node, Listing):
        return [Listing(members, node.connective) for members in _mutated_members(node.members)]
    if isinstance(node, Grouped):
        return [Grouped((wrong, *node.parts[1:])) for wrong in _mutated(node.parts[0])]
    if isinstance(node, Bracket):
        return _mutated_bracket(node)
    if isinstance(node, SetBuilder):
        return [SetBuilder(node.element, wrong) for wrong in _mutated(node.condition)]
    if isinstance(node, Relation):
        last = _as_interval(node.sides[-1]) or _mutated(node.sides[-1])
        return [Relation(node.signs, (*node.sides[:-1], wrong), node.modulus) for wrong in last]
    if isinstance(node, Matrix):
        first, *rest = node.rows
        return [Matrix(node.kind, ((wrong, *first[1:]), *rest)) for wrong in _mutated(first[0])]
    if isinstance(node, Combination):
        *others, last_part = node.parts
        wrongs = _as_interval(last_part) or _mutated(last_part)
        return [Combination(node.sign, (*others, wrong)) for wrong in wrongs]
    return []


def _as_interval(node: Node) -> list[Node]:
    """Return an interval with an endpoint in or out that was out or in, none for what is no interval."""
    if not isinstance(node, Bracket) or node.opening == "\\{" or len(node.members) != 2:
        return []
    found: list[Node] = []
    low, high = node.members
    if infinite_sign(low) and infinite_sign(high):
        return [Bracket(node.opening, node.closing, (low, _ZERO))]
    if infinite_sign(low) is None:
        found.append(Bracket(_OTHER_BRACKET[node.opening], node.closing, node.members))
    if infinite_sign(high) is None:
        found.append(Bracket(node.opening, _OTHER_BRACKET[node.closing], node.members))
        found += [Bracket(node.opening, node.closing, (low, wrong)) for wrong in _mutated(high)[1:2]]
    return found


def _mutated_formula(formula: Formula) -> list[Node]:
    if infinite_sign(formula):
        return [Product((_MINUS_ONE, formula)), _ZERO]
    found: list[Node] = [Sum((formula, _ONE)), Sum((formula, _MINUS_ONE))]
    if not (isinstance(formula, Number) and formula.value == 0):
        found.insert(0, Product((_MINUS_ONE, formula)))
    return found


def _mutated_members(members: tuple[Node, ...]) -> list[tuple[Node, ...]]:
    found = [(wrong, *members[1:]) for wrong in _mutated(members[0])[-1:]]
    if len(members) > 1 and members[-1] not in members[:-1]:
        found.append(members[:-1])
    return found


def _mutated_bracket(node: Bracket) -> list[Node]:
    if not node.members:
        return [Bracket(node.opening, node.closing, (_ZERO,))]
    found: list[Node] = [Bracket(node.opening, node.closing, members) for members in _mutated_members(node.members)]
    if any(infinite_sign(member) for member in node.members):
        return _as_interval(node)
    if node.opening != "\\{":
        turned = tuple(reversed(node.members))
        if turned != node.members:
            found.append(Bracket(node.opening, node.closing, turned))
        if len(node.members) == 2:
            found.append(Bracket(_OTHER_BRACKET[node.opening], node.closing, node.members))
    return found
