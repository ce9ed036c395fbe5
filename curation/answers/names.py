r"""What names a value: ``x = 5``, ``f(3) = 7``, ``\angle A = 60^\circ`` and ``AB = 5`` state a value of something."""

from __future__ import annotations

from curation.answers.enclosure import EVALUATED
from curation.answers.formulas import children_of, symbols_of
from curation.answers.tree import VALUED, Bracket, Call, Formula, Node, Number, Product, Ratio, Relation, Symbol
from curation.answers.vocabulary import FUNCTIONS

_OF_ANGLES = frozenset({"sin", "cos", "tan", "cot", "sec", "csc"})
_ACCENTS = frozenset({"bar", "vec", "hat", "tilde"})
_KNOWN = (
    EVALUATED
    | _ACCENTS
    | frozenset(FUNCTIONS.values())
    | {"double factorial", "derivative", "mod", "Gamma", "zeta", "Re", "Im", "ratio"}
)
_BEFORE_POINTS = frozenset({"angle", "triangle", "m"})


def named_value(node: Relation) -> tuple[Formula, Node] | None:
    """Split ``name = value``, ``f(x) = value`` or a chain of equations that starts so; None for other relations."""
    if set(node.signs) - {"=", "≈"}:
        return None
    name, value = node.sides[0], stated_side(node, 1)
    if isinstance(name, Ratio) and isinstance(value, Ratio):
        return Call("ratio", name.parts), value
    if isinstance(name, Bracket) and isinstance(value, Bracket):
        return _point(name, value)
    if not isinstance(name, VALUED) or not _is_name(name):
        return None
    if isinstance(value, VALUED) and symbols_of(name) & symbols_of(value):
        # f(x) = 2x defines f; sin(x) = 2x is an equation.
        return (name, value) if isinstance(name, Call) and is_unknown_function(name) else None
    return name, value


def stated_side(node: Relation, first: int) -> Node:
    """Return the last side of a chain, or the one before its first rounded side."""
    for place in range(first, len(node.signs)):
        if node.signs[place] == "≈":
            return node.sides[place]
    return node.sides[-1]


def is_unknown_function(call: Call) -> bool:
    r"""Tell whether a call is of a function of the problem's own: the ``f`` of ``f(x)``, not ``\sin``."""
    return call.function not in _KNOWN


def calls_unknown_function(formula: Formula) -> bool:
    """Tell whether a formula holds a value of a function of the problem's own: ``f(3)``."""
    if isinstance(formula, Call) and is_unknown_function(formula):
        return True
    return any(map(calls_unknown_function, children_of(formula)))


def same_name(first: Formula, second: Formula) -> bool:
    """Tell whether two names mean one thing; a function's variable may be called otherwise, an event or a point not."""
    if first == second:
        return True
    if not isinstance(first, Call) or not isinstance(second, Call) or first.function != second.function:
        return False
    arguments = (*first.arguments, *second.arguments)
    variables = all(isinstance(argument, Symbol) and argument.name.islower() for argument in arguments)
    return is_unknown_function(first) and variables and len(first.arguments) == len(second.arguments)


def _point(names: Bracket, values: Bracket) -> tuple[Formula, Node] | None:
    """Bring ``(y, x) = (2, 1)`` into the order of the names."""
    symbols = [member for member in names.members if isinstance(member, Symbol)]
    if names.opening != "(" or len(symbols) != len(names.members) or len(symbols) != len(values.members):
        return None
    pairs = sorted(zip(symbols, values.members, strict=True), key=lambda pair: pair[0].name)
    ordered = tuple(value for _, value in pairs)
    return Bracket("(", ")", tuple(name for name, _ in pairs)), Bracket(values.opening, values.closing, ordered)


def _is_name(formula: Formula) -> bool:
    r"""Tell whether a formula names a value: ``x``, ``f(x)``, ``\sin A``, ``AB`` or ``|AB|`` for a segment."""
    if isinstance(formula, Symbol):
        return True
    if not isinstance(formula, Call):
        return _are_points(formula)
    if is_unknown_function(formula):
        return all(isinstance(argument, Symbol | Number) for argument in formula.arguments)
    argument = formula.arguments[0]
    if formula.function == "abs":
        # |x| = 2 is an equation, |AB| = 2 states a length.
        return _are_points(argument)
    return formula.function in _OF_ANGLES | _ACCENTS and (isinstance(argument, Symbol) or _are_points(argument))


def _are_points(formula: Formula) -> bool:
    r"""Tell whether a formula is letters of points: ``AB``, ``\angle ABC``."""
    factors = formula.factors if isinstance(formula, Product) else (formula,)
    names = [part.name for part in factors if isinstance(part, Symbol)]
    if len(names) != len(factors):
        return False
    while len(names) > 1 and names[0] in _BEFORE_POINTS:
        names.pop(0)
    return all(name[0].isupper() for name in names)
