"""What kind of value an answer is: settled once, when its row is made."""

from __future__ import annotations

from curation.answers.answer_parser import read_answer
from curation.answers.canonical import Canonical
from curation.answers.exact import BeyondError
from curation.answers.formulas import children_of, has_unknown_kinds, symbols_of
from curation.answers.labels import choice_letter, split_choice
from curation.answers.names import named_value
from curation.answers.numerals import read_numeral
from curation.answers.quantities import settle_units
from curation.answers.tokens import UnreadableError
from curation.answers.tree import (
    VALUED,
    Bracket,
    Call,
    Combination,
    Formula,
    Grouped,
    Listing,
    Matrix,
    Measured,
    Node,
    Number,
    PlusMinus,
    Qualified,
    Ratio,
    Relation,
    SetBuilder,
    Symbol,
)

_INTERVAL_BRACKETS = {("(", "]"), ("[", ")")}


def answer_type(text: str) -> str:
    """Return the kind of value that an answer is.

    One of: integer, rational, decimal, exact real, tuple, set, list, interval, inequality, equation, expression,
    matrix, base-n numeral, ratio, percent, unit, angle, complex, text label, choice letter. A named value (``x = 5``)
    has the kind of the value; what cannot be read as mathematics is a text label.
    """
    numeral = read_numeral(text)
    if numeral is not None:
        return numeral.kind
    if choice_letter(text) or split_choice(text):
        return "choice letter"
    try:
        return _kind(settle_units(read_answer(text.strip())))
    except UnreadableError:
        return "text label"


def _kind(node: Node) -> str:
    if isinstance(node, Qualified):
        return _kind(node.answer)
    if isinstance(node, Measured):
        return "ratio" if isinstance(node.quantity, Ratio) else "unit"
    if isinstance(node, Relation):
        return _relation_kind(node)
    if isinstance(node, Bracket):
        return _bracket_kind(node)
    if isinstance(node, Combination):
        kinds = {_kind(part) for part in node.parts}
        return "interval" if kinds & {"interval", "tuple"} else "set"
    if isinstance(node, VALUED):
        return _formula_kind(node)
    names = {SetBuilder: "set", Listing: "list", Grouped: "list", PlusMinus: "list", Matrix: "matrix", Ratio: "ratio"}
    return names.get(type(node), "expression")


def _relation_kind(node: Relation) -> str:
    named = named_value(node)
    if named is not None and isinstance(named[0], Symbol):
        value = named[1]
        if not isinstance(value, VALUED) or not symbols_of(value):
            return _kind(value)
    if node.signs == ("∈",):
        return _kind(node.sides[1])
    return "equation" if set(node.signs) <= {"=", "≈", "≡"} else "inequality"


def _bracket_kind(node: Bracket) -> str:
    if node.opening == "\\{":
        return "set"
    infinite = any(isinstance(member, VALUED) and "∞" in _names(member) for member in node.members)
    if infinite or (node.opening, node.closing) in _INTERVAL_BRACKETS:
        return "interval"
    return "interval" if node.opening == "[" and len(node.members) == 2 else "tuple"


def _formula_kind(formula: Formula) -> str:
    if isinstance(formula, Number):
        return "base-n numeral" if formula.written == "base" else _number_kind(formula)
    if isinstance(formula, Call) and formula.function in ("percent", "degrees"):
        return "percent" if formula.function == "percent" else "angle"
    if symbols_of(formula) or has_unknown_kinds(formula):
        return "expression"
    if "i" in _names(formula):
        return "complex"
    try:
        value = Canonical().convert(formula).rational
    except BeyondError:
        return "exact real"
    if value is None:
        return "exact real"
    return "integer" if value.denominator == 1 else "rational"


def _number_kind(number: Number) -> str:
    if number.written == "decimal":
        return "decimal"
    return "integer" if number.value.denominator == 1 else "rational"


def _names(formula: Formula) -> frozenset[str]:
    if isinstance(formula, Symbol):
        return frozenset({formula.name})
    return frozenset().union(*(_names(child) for child in children_of(formula)))
