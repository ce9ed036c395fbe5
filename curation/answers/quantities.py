"""Quantities with units, ratios, times of day, and angles without their degree sign."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from curation.answers.comparison import Comparison, different, equal, unknown
from curation.answers.formulas import compare_formulas, symbols_of
from curation.answers.groups import Compare
from curation.answers.tree import (
    VALUED,
    Call,
    Formula,
    Listing,
    Measured,
    Node,
    Number,
    Power,
    Product,
    Ratio,
    Relation,
    Sum,
    Symbol,
)
from curation.answers.units import Unit, read_unit

_RADIANS = (("angle", 1),)
_TEMPERATURES = ((("celsius", 1),), (("fahrenheit", 1),), (("kelvin", 1),))
_SCALE_SIGNS = {"C": "celsius", "F": "fahrenheit"}
_SCALE_NAMES = frozenset({"c", "f", "celsius", "fahrenheit"})


def settle_units(node: Node) -> Node:
    """Return a temperature as a quantity with its unit: ``20^\\circ C`` is twenty degrees Celsius, no angle."""
    if isinstance(node, Product) and len(node.factors) == 2:
        angle, scale = node.factors
        degrees = _degrees(angle)
        if degrees is not None and isinstance(scale, Symbol) and scale.name in _SCALE_SIGNS:
            return Measured(degrees, _SCALE_SIGNS[scale.name])
    if isinstance(node, Measured) and node.unit.strip().lower() in _SCALE_NAMES:
        degrees = _degrees(node.quantity)
        return node if degrees is None else Measured(degrees, node.unit)
    return node


def _degrees(node: Node) -> Formula | None:
    return node.arguments[0] if isinstance(node, Call) and node.function == "degrees" else None


def compare_measured(first: Node, second: Node, compare: Compare) -> Comparison:
    """Compare two answers of which at least one has a unit; it may be left out of the other."""
    if isinstance(first, Measured) and isinstance(second, Measured):
        return _both_measured(first, second, compare)
    measured, bare = (first, second) if isinstance(first, Measured) else (second, first)
    if not isinstance(measured, Measured):
        return compare(first, second)
    total = _total(bare)
    if total is not None:
        return _both_measured(measured, total, compare)
    unit = read_unit(measured.unit)
    if unit is None:
        return compare(measured.quantity, bare)
    if measured.unit.strip() in ("am", "pm") and isinstance(bare, Ratio):
        times = _minutes(measured), _minutes(bare)
        if times[0] is not None and times[0] == times[1]:
            return equal("time", "the same time of day")
    lettered = letter_as_unit(bare)
    if lettered is not None:
        letter = read_unit(lettered.unit)
        if letter is not None and letter.known and unit.known and letter.dimensions == unit.dimensions:
            return _both_measured(measured, lettered, compare)
    if isinstance(bare, Product) and bare.factors[-1] == Symbol(measured.unit.strip()):
        # 5 m in plain letters is read as a product.
        return compare(measured.quantity, Product(bare.factors[:-1]))
    quantity = _times(measured.quantity, unit.multiplier)
    angle = _in_degrees(bare) if isinstance(bare, VALUED) else None
    if angle is None or not isinstance(bare, VALUED) or not isinstance(quantity, VALUED):
        return compare(quantity, bare)
    if unit.dimensions == _RADIANS:
        return compare_formulas(quantity, bare)
    if unit.dimensions in _TEMPERATURES or not unit.dimensions:
        return compare(quantity, angle)
    return different("unit", "an angle against another quantity")


def _total(node: Node) -> Measured | None:
    """Return ``1 hour and 30 minutes`` in the first of its units; None for other answers."""
    if not isinstance(node, Listing) or node.connective != "and":
        return None
    terms: list[Formula] = []
    first: Measured | None = None
    for member in node.members:
        unit = read_unit(member.unit) if isinstance(member, Measured) else None
        if (
            unit is None
            or not unit.known
            or not isinstance(member, Measured)
            or not isinstance(member.quantity, VALUED)
        ):
            return None
        first = first or member
        base = read_unit(first.unit)
        if base is None or base.dimensions != unit.dimensions or (member is not first and unit.factor >= base.factor):
            return None
        terms.append(Product((member.quantity, Number(unit.factor / base.factor, "rational"))))
    return None if first is None else Measured(Sum(tuple(terms)), first.unit)


def letter_as_unit(node: Node) -> Measured | None:
    """Read ``5 m`` and ``5 m^2``, which in plain letters are products, as quantities with a unit."""
    if not isinstance(node, Product) or len(node.factors) < 2:
        return None
    *quantity, last = node.factors
    name, exponent = (last.base, last.exponent) if isinstance(last, Power) else (last, None)
    values = tuple(part for part in quantity if isinstance(part, VALUED) and not symbols_of(part))
    if not isinstance(name, Symbol) or len(values) != len(quantity):
        return None
    raised = f"^{exponent.value}" if isinstance(exponent, Number) else ""
    if exponent is not None and not raised:
        return None
    return Measured(values[0] if len(values) == 1 else Product(values), name.name + raised)


def _both_measured(first: Measured, second: Measured, compare: Compare) -> Comparison:
    one, other = _minutes(first), _minutes(second)
    if one is not None and other is not None:
        return equal("time", "the same time of day") if one == other else different("time", "different times of day")
    if isinstance(first.quantity, Ratio) and isinstance(second.quantity, Ratio):
        return unknown("time", "a ratio with a unit")
    units = read_unit(first.unit), read_unit(second.unit)
    if units[0] is None or units[1] is None:
        return unknown("unit", "words after a number that are no unit")
    units = _pounds(units[0], units[1]), _pounds(units[1], units[0])
    if units[0].dimensions and units[1].dimensions and units[0].dimensions != units[1].dimensions:
        if units[0].known and units[1].known:
            return different("unit", "units of different kinds")
        return unknown("unit", "what is counted goes by different names")
    together = units[0].dimensions == units[1].dimensions
    values = [
        _times(side.quantity, unit.multiplier * (unit.factor if together else 1))
        for side, unit in ((first, units[0]), (second, units[1]))
    ]
    return compare(values[0], values[1])


def _pounds(unit: Unit, other: Unit) -> Unit:
    """Return the unit ``pounds`` as money or as a weight where the other side is one."""
    if unit.dimensions != (("pound", 1),):
        return unit
    readings = [reading for name in ("GBP", "lb") if (reading := read_unit(name)) is not None]
    meant = next((reading for reading in readings if reading.dimensions == other.dimensions), unit)
    return replace(meant, multiplier=unit.multiplier)


def _times(quantity: Node, factor: Fraction) -> Node:
    """Return the quantity, or each member of a list, times a number."""
    if factor == 1:
        return quantity
    if isinstance(quantity, VALUED):
        return Product((quantity, Number(factor, "rational")))
    if isinstance(quantity, Listing):
        return Listing(tuple(_times(member, factor) for member in quantity.members), quantity.connective)
    if isinstance(quantity, Relation):
        return Relation(quantity.signs, (*quantity.sides[:-1], _times(quantity.sides[-1], factor)), quantity.modulus)
    return Measured(quantity, str(factor))


def degree_left_out(first: Formula, second: Formula) -> Comparison | None:
    """Compare an angle in degrees with a bare number, as if the sign had been left out; None for other pairs."""
    for angle, bare in ((first, second), (second, first)):
        inner = _in_degrees(angle)
        if inner is None or _in_degrees(bare) is not None or symbols_of(bare) or _holds_pi(bare):
            continue
        if compare_formulas(inner, bare).verdict == "equal":
            return equal("unit", "the degree sign is left out")
    return None


def _in_degrees(formula: Formula) -> Formula | None:
    degrees = _degrees(formula)
    if degrees is not None:
        return degrees
    if isinstance(formula, Product) and len(formula.factors) == 2 and isinstance(formula.factors[0], Number):
        inner = _in_degrees(formula.factors[1])
        return None if inner is None else Product((formula.factors[0], inner))
    return None


def _holds_pi(formula: Formula) -> bool:
    if isinstance(formula, Symbol):
        return formula.name == "pi"
    if isinstance(formula, Product):
        return any(map(_holds_pi, formula.factors))
    return isinstance(formula, Power) and _holds_pi(formula.base)


def compare_ratios(first: Ratio, second: Ratio) -> Comparison:
    """Compare ratios up to a common factor; two clock readings that differ only as times stay open."""
    if len(first.parts) != len(second.parts):
        return different("ratio", "ratios of different lengths")
    if first.parts != second.parts and (_is_surely_clock(first) or _is_surely_clock(second)):
        return different("time", "different times of day")
    open_part = False
    for one, other in zip(first.parts[1:], second.parts[1:], strict=True):
        left, right = Product((first.parts[0], other)), Product((second.parts[0], one))
        verdict = compare_formulas(left, right).verdict
        if verdict == "different":
            return different("ratio", "the ratios are not proportional")
        open_part = open_part or verdict == "unknown"
    if open_part:
        return unknown("ratio", "terms that could not be compared")
    if first.parts != second.parts and _is_clock(first) and _is_clock(second):
        return unknown("ratio", "equal as ratios, different as times of day")
    return equal("ratio", "the ratios are proportional")


def _minutes(node: Node) -> Fraction | None:
    """Return the minutes from midnight to a clock reading that says before or after noon, or has 24 hours."""
    half = node.unit.strip() if isinstance(node, Measured) else ""
    reading = node.quantity if isinstance(node, Measured) else node
    parts = reading.parts if isinstance(reading, Ratio) else (reading,)
    values = [part.value for part in parts if isinstance(part, Number)]
    if half not in ("am", "pm", "") or not 1 <= len(values) == len(parts) <= 3 or (not half and len(parts) == 1):
        return None
    hours, rest = values[0], sum((value / 60**place for place, value in enumerate(values[1:])), Fraction(0))
    if half:
        hours = hours % 12 + (12 if half == "pm" else 0)
    return 60 * hours + rest


def compare_ratio_with_formula(ratio: Ratio, formula: Formula) -> Comparison:
    """Compare a ratio of two terms with its quotient; a clock reading is no number."""
    if len(ratio.parts) != 2 or ratio.parts[1] == Number(Fraction(0)):
        return different("ratio", "a ratio or time against a number")
    result = compare_formulas(Product((ratio.parts[0], Power(ratio.parts[1], Number(Fraction(-1))))), formula)
    if result.verdict == "equal" and _is_clock(ratio):
        return unknown("ratio", "equal as a ratio, but it may be a time of day")
    return result


def _is_surely_clock(ratio: Ratio) -> bool:
    return any(isinstance(part, Number) and part.written == "clock" for part in ratio.parts)


def _is_clock(ratio: Ratio) -> bool:
    if len(ratio.parts) != 2:
        return False
    hours, minutes = ratio.parts
    if not isinstance(hours, Number) or not isinstance(minutes, Number):
        return False
    return 0 <= hours.value < 24 and 10 <= minutes.value < 60
