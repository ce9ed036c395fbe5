"""Are two formulas equal? Exact arithmetic proves it, intervals refute it, and what neither settles stays open."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from curation.answers.boxes import Box, NoValueError, apart, is_real
from curation.answers.canonical import KNOWN_FUNCTIONS, Canonical
from curation.answers.comparison import Comparison, different, equal, unknown
from curation.answers.enclosure import EVALUATED, enclose
from curation.answers.exact import BeyondError, Terms, is_independent, key
from curation.answers.inverse_trigonometry import is_zero_angle
from curation.answers.magnitude import huge_sign, is_ordinary
from curation.answers.root_bound import is_zero
from curation.answers.symbolic import prove_equal
from curation.answers.tree import (
    Bracket,
    Call,
    Dots,
    Formula,
    Matrix,
    Number,
    PlusMinus,
    Power,
    Product,
    Root,
    SetBuilder,
    Sum,
    Symbol,
)

SIZE_LIMIT = 1_500
"""Parts of the largest formula that is compared."""

_PRECISIONS = (64, 256, 1_024)
_CONSTANTS = frozenset({"pi", "e", "i", "∞", "°"})

# Where formulas with symbols are compared: positive, inside and outside of the unit interval, and negative.
_SAMPLES = (
    (Fraction(37, 23), Fraction(19, 53)),
    (Fraction(311, 97), Fraction(61, 41)),
    (Fraction(29, 101), Fraction(13, 211)),
    (Fraction(1009, 7), Fraction(503, 11)),
    (Fraction(-41, 29), Fraction(-17, 59)),
    (Fraction(-307, 89), Fraction(71, 43)),
    (Fraction(67, 31), Fraction(-131, 37)),
)

# Where formulas are refuted that have real values for integers alone, such as powers of -1.
_INTEGER_SAMPLES = ((Fraction(3), Fraction(2)), (Fraction(8), Fraction(3)))


def symbols_of(formula: Formula) -> frozenset[str]:
    """Return the names of the symbols in a formula, without the constants."""
    if isinstance(formula, Symbol):
        return frozenset() if formula.name in _CONSTANTS else frozenset({formula.name})
    found: frozenset[str] = frozenset()
    for child in children_of(formula):
        found |= symbols_of(child)
    return found


def children_of(formula: Formula) -> tuple[Formula, ...]:
    """Return the formulas that a formula is made of."""
    if isinstance(formula, Sum):
        return formula.terms
    if isinstance(formula, Product):
        return formula.factors
    if isinstance(formula, Power):
        return formula.base, formula.exponent
    if isinstance(formula, Root):
        return formula.radicand, formula.index
    if isinstance(formula, Call):
        return formula.arguments
    if isinstance(formula, PlusMinus):
        return (formula.term,)
    return ()


def _size(formula: Formula) -> int:
    return 1 + sum(map(_size, children_of(formula)))


def rebuilt(formula: Formula, children: Sequence[Formula]) -> Formula:
    """Return the formula with other formulas in the places of `children_of`."""
    if isinstance(formula, Sum):
        return Sum(tuple(children))
    if isinstance(formula, Product):
        return Product(tuple(children))
    if isinstance(formula, Power):
        return Power(children[0], children[1])
    if isinstance(formula, Root):
        return Root(children[0], children[1])
    if isinstance(formula, Call):
        return Call(formula.function, tuple(children))
    if isinstance(formula, PlusMinus):
        return PlusMinus(children[0], formula.lower)
    return formula


def has_unknown_kinds(formula: Formula) -> bool:
    """Tell whether a formula holds brackets, matrices, dots or a plus-minus, which have no single value."""
    if isinstance(formula, Bracket | Matrix | SetBuilder | Dots | PlusMinus):
        return True
    return any(has_unknown_kinds(child) for child in children_of(formula))


def compare_formulas(first: Formula, second: Formula) -> Comparison:
    """Compare two formulas as functions of their symbols: equal wherever both are real."""
    if first == second:
        return equal("identical", "both formulas are the same")
    if isinstance(first, Number) and isinstance(second, Number):
        if first.value == second.value:
            return equal("exact", "both numbers have the same exact value")
        return different("exact", "the numbers have different exact values")
    if max(_size(first), _size(second)) > SIZE_LIMIT:
        return unknown("formula", f"a formula of more than {SIZE_LIMIT} parts")
    if has_unknown_kinds(first) or has_unknown_kinds(second):
        return unknown("formula", "a formula without a single value")
    symbols = symbols_of(first) | symbols_of(second)
    try:
        canonical = Canonical()
        terms = canonical.field.difference(canonical.convert(first), canonical.convert(second))
    except BeyondError as error:
        return _without_exact(first, second, symbols, str(error))
    if not symbols:
        return _constants(first, second, terms)
    return _functions(first, second, canonical, terms)


def _constants(first: Formula, second: Formula, terms: Terms) -> Comparison:
    separated = _apart(first, second, {})
    if not terms:
        if separated:
            return unknown("exact", "exact arithmetic and intervals contradict each other")
        return equal("exact", "both have the same exact value")
    if separated or is_independent(terms):
        return different("exact", "the values lie apart")
    zero = is_zero(Sum((first, Product((Number(Fraction(-1)), second)))))
    if zero is not None:
        return (
            equal("exact", "the difference is below its separation bound") if zero else different("exact", "not zero")
        )
    if is_zero_angle(Sum((first, Product((Number(Fraction(-1)), second))))):
        return equal("exact", "the angles add up to the same")
    return prove_equal(first, second)


def _functions(first: Formula, second: Formula, canonical: Canonical, terms: Terms) -> Comparison:
    if terms and is_independent(terms):
        return different("exact", "the normal forms differ")
    if _is_fixed_but_not_evaluated(first) or _is_fixed_but_not_evaluated(second):
        compared = None
    else:
        compared = _sampled(_abstracted(first, canonical), _abstracted(second, canonical))
    if compared is False:
        return different("exact", "the values differ where the symbols have values")
    if not terms:
        return equal("exact", "both have the same normal form")
    changes = compared is None and symbols_of(first) != symbols_of(second) and not _agree_on_integers(first, second)
    if changes and _is_constant_against_varying(first, second):
        return different("exact", "one depends on a symbol, the other does not")
    if compared is None:
        return unknown("exact", "nothing could be evaluated")
    return prove_equal(first, second)


def _abstracted(formula: Formula, canonical: Canonical) -> Formula:
    """Return the formula with a symbol for each value of an unknown function, the same one for equal arguments."""
    if isinstance(formula, Call) and formula.function not in EVALUATED:
        values = ",".join(key(canonical.convert(argument)) for argument in formula.arguments)
        return Symbol(f"{formula.function}[{values}]")
    return rebuilt(formula, [_abstracted(child, canonical) for child in children_of(formula)])


def _is_fixed_but_not_evaluated(formula: Formula) -> bool:
    """Tell whether a formula holds a function that means one thing but is not computed, such as a gcd of symbols."""
    if isinstance(formula, Call) and formula.function in KNOWN_FUNCTIONS - EVALUATED:
        return True
    return any(map(_is_fixed_but_not_evaluated, children_of(formula)))


def holds_imaginary(formula: Formula) -> bool:
    """Tell whether the imaginary unit stands in a formula."""
    return formula == Symbol("i") or any(map(holds_imaginary, children_of(formula)))


def _sampled(first: Formula, second: Formula) -> bool | None:
    """Return False where values differ, True where they agree as far as computed, None where none could be compared."""
    agreed: bool | None = None
    symbols = symbols_of(first) | symbols_of(second)
    real = not (holds_imaginary(first) or holds_imaginary(second))
    for start, step in (*_SAMPLES, *_INTEGER_SAMPLES):
        if agreed and step.denominator == 1:
            break
        values = {name: start + step * index for index, name in enumerate(sorted(symbols))}
        verdict = _apart(first, second, values, real=real)
        if verdict:
            return False
        if verdict is False and step.denominator != 1:
            agreed = True
    return agreed


def _agree_on_integers(first: Formula, second: Formula) -> bool:
    symbols = sorted(symbols_of(first) | symbols_of(second))
    return all(
        _apart(first, second, {name: start + step * index for index, name in enumerate(symbols)}) is False
        for start, step in _INTEGER_SAMPLES
    )


def _apart(first: Formula, second: Formula, values: dict[str, Fraction], *, real: bool = False) -> bool | None:
    """Tell whether the values surely differ; None where they cannot be computed, or are not real and should be."""
    bases = (None, 10) if _has_open_logarithm(first) or _has_open_logarithm(second) else (None,)
    verdicts = [_apart_in(first, second, values, base, real) for base in bases]
    if None in verdicts:
        return None
    return all(verdicts)


def _apart_in(
    first: Formula, second: Formula, values: dict[str, Fraction], log_base: int | None, real: bool
) -> bool | None:
    found: bool | None = None
    for precision in _PRECISIONS:
        try:
            boxes: tuple[Box, Box] = (
                enclose(first, precision, values, log_base),
                enclose(second, precision, values, log_base),
            )
        except NoValueError:
            continue
        if real and not (is_real(boxes[0]) and is_real(boxes[1])):
            return None
        if apart(*boxes):
            return True
        found = False
    return found


def _has_open_logarithm(formula: Formula) -> bool:
    if isinstance(formula, Call) and formula.function == "log" and len(formula.arguments) == 1:
        return True
    return any(_has_open_logarithm(child) for child in children_of(formula))


def _is_constant_against_varying(first: Formula, second: Formula) -> bool:
    varying, constant = (first, second) if symbols_of(first) else (second, first)
    if symbols_of(constant) or not symbols_of(varying):
        return False
    boxes: list[Box] = []
    for start, step in _SAMPLES:
        values = {name: start + step * index for index, name in enumerate(sorted(symbols_of(varying)))}
        try:
            boxes.append(enclose(varying, _PRECISIONS[1], values))
        except NoValueError:
            continue
    return any(apart(boxes[0], box) for box in boxes[1:])


def _without_exact(first: Formula, second: Formula, symbols: frozenset[str], why: str) -> Comparison:
    if symbols:
        if _sampled(first, second) is False:
            return different("interval", "the values differ where the symbols have values")
        return unknown("exact", why)
    if _apart(first, second, {}):
        return different("interval", "the values lie apart")
    for large, small in ((first, second), (second, first)):
        if huge_sign(large) and is_ordinary(small):
            return different("magnitude", "one is beyond any number that the other could be")
    return unknown("exact", why)
