"""Equations up to a factor, named values, congruences, and inequalities in several variables."""

from __future__ import annotations

from fractions import Fraction

from curation.answers.canonical import Canonical
from curation.answers.comparison import Comparison, different, equal, unknown
from curation.answers.exact import BeyondError, Monomial, Terms, is_independent
from curation.answers.formulas import compare_formulas, has_unknown_kinds, symbols_of
from curation.answers.linear import solve_linear, substitute
from curation.answers.names import calls_unknown_function, named_value, same_name, stated_side
from curation.answers.open_letters import with_open_letters, with_open_parameter
from curation.answers.tree import (
    VALUED,
    Call,
    Formula,
    Node,
    Number,
    Product,
    Relation,
    Sum,
    Symbol,
)

_COORDINATES = frozenset("xyz")
_REVERSED = {">": "<", "≥": "≤", "<": ">", "≤": "≥"}


def constant_value(node: Relation) -> Formula | None:
    """Return the last side of a chain of constants, such as ``0.5 = 50%``; None for other relations."""
    if set(node.signs) - {"=", "≈"}:
        return None
    sides = [
        side
        for side in node.sides
        if isinstance(side, VALUED) and not symbols_of(side) and not calls_unknown_function(side)
    ]
    value = stated_side(node, 0)
    return value if len(sides) == len(node.sides) and isinstance(value, VALUED) else None


def holds(node: Relation) -> bool:
    """Tell whether the sides of a chain of constants are found equal."""
    sides = [side for side in node.sides if isinstance(side, VALUED)]
    return "≈" in node.signs or all(compare_formulas(side, sides[-1]).verdict == "equal" for side in sides[:-1])


def compare_relations(first: Relation, second: Relation) -> Comparison:
    """Compare two relations that are not read as sets of real numbers."""
    if first.modulus is not None or second.modulus is not None:
        return _congruences(first, second)
    if set(first.signs) <= {"=", "≈"} and set(second.signs) <= {"=", "≈"}:
        named = named_value(first), named_value(second)
        if named[0] and named[1]:
            found = _named(named[0], named[1])
            if found is not None:
                return found
        if len(first.signs) == len(second.signs) == 1:
            return _equations(first, second)
        return unknown("equation", "chains of equations")
    sides = [*first.sides, *second.sides]
    if all(isinstance(side, VALUED) and not symbols_of(side) for side in sides):
        return _constant_chains(first, second)
    return _inequalities(first, second)


def _constant_chains(first: Relation, second: Relation) -> Comparison:
    """Compare statements about constants, such as ``2 < e < 3``, side by side."""
    sides, others = list(first.sides), list(second.sides)
    signs = first.signs
    if signs != second.signs:
        others.reverse()
        signs = tuple(_REVERSED.get(sign, sign) for sign in reversed(signs))
    if signs != second.signs or len(sides) != len(others):
        return unknown("inequality", "statements of different forms")
    verdicts = {
        compare_formulas(one, other).verdict
        for one, other in zip(sides, others, strict=True)
        if isinstance(one, VALUED) and isinstance(other, VALUED)
    }
    if verdicts == {"equal"}:
        return equal("inequality", "the same constants in the same order")
    return (
        different("inequality", "other constants or another order")
        if "different" in verdicts
        else unknown("inequality", "a constant that could not be compared")
    )


def _named(first: tuple[Formula, Node], second: tuple[Formula, Node]) -> Comparison | None:
    (name, value), (other, given) = first, second
    if not isinstance(value, VALUED) or not isinstance(given, VALUED):
        return None
    if has_unknown_kinds(value) or has_unknown_kinds(given):
        return None
    same = same_name(name, other)
    if isinstance(name, Symbol) and isinstance(other, Symbol):
        if {name.name, other.name} <= _COORDINATES or name.name in symbols_of(given):
            return None
    elif same and isinstance(name, Call) and isinstance(other, Call):
        given = _renamed(given, other, name)
    result = with_open_letters(value, given, compare_formulas(value, given))
    if result.verdict != "equal" or same:
        return with_open_parameter(name, value, given, result) if same else result
    return unknown("equation", "the same value under different names")


def _renamed(value: Formula, source: Call, target: Call) -> Formula:
    for argument, new in zip(source.arguments, target.arguments, strict=True):
        if isinstance(argument, Symbol) and isinstance(new, Symbol) and argument != new:
            if new.name in symbols_of(value):
                return value
            value = substitute(value, argument.name, new)
    return value


def _difference(relation: Relation) -> Formula:
    left, right = relation.sides[0], relation.sides[1]
    if not isinstance(left, VALUED) or not isinstance(right, VALUED):
        raise BeyondError("a relation between other things than formulas")
    return Sum((left, Product((Number(Fraction(-1)), right))))


def _equations(first: Relation, second: Relation) -> Comparison:
    try:
        canonical = Canonical()
        tops = [_polynomial(canonical.convert(_difference(relation)).top) for relation in (first, second)]
        factor = _factor(canonical, *tops)
    except BeyondError as error:
        return unknown("equation", str(error))
    if factor is not None:
        return equal("equation", "the equations differ by a constant factor")
    if _differ_by_constant(canonical, first, second):
        return different("equation", "the equations exclude each other")
    degrees = [max(map(_degree, terms), default=Fraction(0)) for terms in tops]
    if degrees[0] == degrees[1] and all(is_independent(terms) for terms in tops):
        return different("equation", "no constant factor makes the equations the same")
    return unknown("equation", "the equations are of different kinds")


def _differ_by_constant(canonical: Canonical, first: Relation, second: Relation) -> bool:
    sides = [canonical.convert(_difference(relation)) for relation in (first, second)]
    for sign in (-1, 1):
        offset = canonical.field.add(sides[0], canonical.field.scale(sides[1], Fraction(sign))).rational
        if offset:
            return True
    return False


def _polynomial(terms: Terms) -> Terms:
    """Multiply by the symbols that stand in denominators."""
    least: dict[str, Fraction] = {}
    for monomial in terms:
        for name, exponent in monomial:
            if name[0] == "$" and exponent < 0:
                least[name] = min(least.get(name, Fraction(0)), exponent)
    if not least:
        return terms
    cleared: Terms = {}
    for monomial, number in terms.items():
        exponents = dict(monomial)
        for name, exponent in least.items():
            exponents[name] = exponents.get(name, Fraction(0)) - exponent
        cleared[tuple(sorted(item for item in exponents.items() if item[1]))] = number
    return cleared


def _symbolic(monomial: Monomial) -> Monomial:
    return tuple(item for item in monomial if item[0][0] not in "#uπ" and item[0] != "E:")


def _degree(monomial: Monomial) -> Fraction:
    return sum((exponent for name, exponent in monomial if name[0] == "$"), Fraction(0))


def _factor(canonical: Canonical, first: Terms, second: Terms) -> tuple[Terms, Terms] | None:
    """Return the leading coefficients whose quotient turns one sum into the other; None where none does."""
    if not first or not second:
        return None
    leads = [max(map(_symbolic, terms)) for terms in (first, second)]
    if leads[0] != leads[1]:
        return None
    coefficients = [
        {
            tuple(item for item in monomial if item not in leads[0]): number
            for monomial, number in terms.items()
            if _symbolic(monomial) == leads[0]
        }
        for terms in (first, second)
    ]
    left = canonical.field.times(first, coefficients[1])
    right = canonical.field.times(second, coefficients[0])
    return (coefficients[0], coefficients[1]) if left == right else None


def _inequalities(first: Relation, second: Relation) -> Comparison:
    pairs = [_pairs(relation) for relation in (first, second)]
    if len(pairs[0]) != len(pairs[1]):
        return unknown("inequality", "chains of different lengths")
    rest = list(pairs[1])
    certain = True
    for pair in pairs[0]:
        verdicts = [_same_inequality(pair, other) for other in rest]
        if True in verdicts:
            rest.pop(verdicts.index(True))
        elif None in verdicts:
            return unknown("inequality", "a side is beyond exact arithmetic")
        else:
            certain = False
    if not certain:
        return different("inequality", "no positive factor makes the inequalities the same")
    return equal("inequality", "the inequalities differ by a positive factor")


def _pairs(relation: Relation) -> list[Relation]:
    found = []
    for index, sign in enumerate(relation.signs):
        left, right = relation.sides[index], relation.sides[index + 1]
        if sign in (">", "≥"):
            found.append(Relation((_REVERSED[sign],), (right, left)))
        else:
            found.append(Relation((sign,), (left, right)))
    return found


def _same_inequality(first: Relation, second: Relation) -> bool | None:
    if first.signs != second.signs:
        return False
    try:
        canonical = Canonical()
        tops = [canonical.convert(_difference(relation)) for relation in (first, second)]
        if tops[0].bottom != tops[1].bottom:
            return None
        leads = _factor(canonical, tops[0].top, tops[1].top)
    except BeyondError:
        return None
    if leads is None:
        return False if all(is_independent(top.top) for top in tops) else None
    if first.signs[0] not in _REVERSED:
        return True
    numbers = [next(iter(lead.values())) if len(lead) == 1 else None for lead in leads]
    if numbers[0] is None or numbers[1] is None:
        return None
    return (numbers[0] > 0) == (numbers[1] > 0)


def compare_equation_with_formula(equation: Relation, formula: Formula) -> Comparison:
    """Compare an equation with a formula: they are different things, unless one may stand for the other."""
    if len(equation.signs) != 1 or equation.signs[0] not in ("=", "≈"):
        return different("equation", "a relation against a formula")
    left, right = equation.sides
    if not isinstance(left, VALUED) or not isinstance(right, VALUED):
        return unknown("equation", "a relation between other things than formulas")
    solution = solve_linear(left, right)
    meant: list[Formula] = [left, right, _difference(equation)] if solution is None else [solution[1]]
    if all(compare_formulas(side, formula).verdict == "different" for side in meant):
        return different("equation", "an equation against a formula")
    return unknown("equation", "a formula that may stand for the equation")


def _congruences(first: Relation, second: Relation) -> Comparison:
    moduli = [_integer(relation.modulus) for relation in (first, second)]
    if None in moduli or len(first.sides) != 2 or len(second.sides) != 2:
        return unknown("congruence", "a congruence without a known modulus")
    if first.sides[0] == second.sides[0] and isinstance(first.sides[0], Symbol) and moduli[0] != moduli[1]:
        return different("congruence", "residue classes of different moduli")
    if moduli[0] != moduli[1] or first.sides[0] != second.sides[0]:
        return unknown("congruence", "congruences of different kinds")
    residues = [_integer(relation.sides[1]) for relation in (first, second)]
    if residues[0] is None or residues[1] is None or not moduli[0]:
        return unknown("congruence", "residues that are no integers")
    if (residues[0] - residues[1]) % moduli[0] == 0:
        return equal("congruence", "the same residue class")
    return different("congruence", "different residue classes")


def _integer(node: Node | None) -> int | None:
    if isinstance(node, Number) and node.value.denominator == 1:
        return node.value.numerator
    return None
