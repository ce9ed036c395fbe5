"""Asks SymPy, in a process with limits, to prove formulas equal that agree as far as they were computed.

SymPy gets trees that were built from our own tokens, never text.
"""

from __future__ import annotations

from typing import TypeAlias

from curation.answers.comparison import Comparison, equal, unknown
from curation.answers.symbolic_worker import shared_worker
from curation.answers.tree import Call, Formula, Number, Power, Product, Root, Sum, Symbol
from curation.json_reader import dumps

Serial: TypeAlias = "list[str | Serial]"

_SIZE_LIMIT = 4_000
_NUMBER_BITS = 10_000


def prove_equal(first: Formula, second: Formula) -> Comparison:
    """Return equal where SymPy proves it, else unknown."""
    try:
        arguments = [dumps(serialize(first)), dumps(serialize(second))]
    except ValueError as error:
        return unknown("sympy", str(error))
    if sum(map(len, arguments)) > _SIZE_LIMIT:
        return unknown("sympy", "too large for SymPy")
    reply = shared_worker().ask("simplify", arguments)
    if reply.outcome == "true":
        return equal("sympy", reply.why)
    return unknown("sympy", reply.why)


def serialize(formula: Formula) -> Serial:
    """Return the formula in prefix form, as JSON lists of text.

    Raises:
        ValueError: it is of a kind that SymPy is not asked about.
    """
    if isinstance(formula, Number):
        if max(formula.value.numerator.bit_length(), formula.value.denominator.bit_length()) > _NUMBER_BITS:
            raise ValueError("a number too large for SymPy")
        return ["number", str(formula.value.numerator), str(formula.value.denominator)]
    if isinstance(formula, Symbol):
        return ["symbol", formula.name]
    if isinstance(formula, Sum):
        return ["sum", *(serialize(term) for term in formula.terms)]
    if isinstance(formula, Product):
        return ["product", *(serialize(part) for part in formula.factors)]
    if isinstance(formula, Power):
        return ["power", serialize(formula.base), serialize(formula.exponent)]
    if isinstance(formula, Root):
        return ["root", serialize(formula.radicand), serialize(formula.index)]
    if isinstance(formula, Call) and formula.function == "log" and len(formula.arguments) == 1:
        # In one book to the base e, in the next to the base 10: what holds for all factors holds for both.
        return ["product", ["symbol", "log"], ["call", "ln", serialize(formula.arguments[0])]]
    if isinstance(formula, Call):
        return ["call", formula.function, *(serialize(argument) for argument in formula.arguments)]
    raise ValueError(f"SymPy is not asked about a {type(formula).__name__.lower()}")
