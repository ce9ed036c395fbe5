"""Turns a formula into exact arithmetic: the quotient of sums that `answers.exact` compares."""

from __future__ import annotations

import math
from fractions import Fraction

from curation.answers.enclosure import real_bounds
from curation.answers.exact import HALF, ONE, UNIT, ZERO, BeyondError, Quotient, constant, generator, key
from curation.answers.powers import PowerField
from curation.answers.special_functions import gamma, zeta
from curation.answers.tree import Call, Formula, Number, Power, Product, Root, Sum, Symbol

FACTORIAL_LIMIT = 10_000
"""The largest integer whose factorial is written out."""

_SHIFT_LIMIT = 20
_DEGREE = Fraction(1, 180)
_SHARES = {"percent": Fraction(1, 100), "permille": Fraction(1, 1000)}
_ANGLES = {"degrees": _DEGREE, "arcminutes": _DEGREE / 60, "arcseconds": _DEGREE / 3600}
_ODD = ("arcsin", "arctan")


class Canonical:
    """Converts the formulas of one comparison into one field."""

    def __init__(self) -> None:
        self.field = PowerField()

    def convert(self, formula: Formula) -> Quotient:
        """Return the formula as a quotient of sums.

        Raises:
            BeyondError: it is too large, or holds what exact arithmetic does not know.
        """
        if isinstance(formula, Number):
            return constant(formula.value)
        if isinstance(formula, Symbol):
            return _symbol(formula.name)
        if isinstance(formula, Sum):
            total = constant(0)
            for term in formula.terms:
                total = self.field.add(total, self.convert(term))
            return total
        if isinstance(formula, Product):
            product = constant(1)
            for part in formula.factors:
                product = self.field.multiply(product, self.convert(part))
            return product
        if isinstance(formula, Power):
            return self._power(formula)
        if isinstance(formula, Root):
            index = self.convert(formula.index)
            return self.field.raise_by(self.convert(formula.radicand), self.field.invert(index))
        if isinstance(formula, Call):
            return self._call(formula)
        raise BeyondError(f"a {type(formula).__name__.lower()} inside a formula")

    def _power(self, power: Power) -> Quotient:
        exponent = self.convert(power.exponent)
        return self.field.raise_by(self.convert(power.base), exponent)

    def _call(self, call: Call) -> Quotient:
        name = call.function
        if name in ("floor", "ceil"):
            return self._rounded(call)
        values = [self.convert(argument) for argument in call.arguments]
        first = values[0]
        if name in _SHARES:
            return self.field.scale(first, _SHARES[name])
        if name in _ANGLES:
            return self.field.multiply(self.field.scale(first, _ANGLES[name]), generator("π"))
        if name in ("log", "ln", "lg"):
            return self._logarithm(name, values)
        if len(values) == 1:
            found = self._one_argument(call, first)
            if found is not None:
                return found
        if name == "binom" and len(values) == 2:
            return self._binomial(*values)
        if name in ("gcd", "lcm", "min", "max"):
            return self._of_integers(name, values)
        return self._opaque(name, values)

    def _logarithm(self, name: str, values: list[Quotient]) -> Quotient:
        logarithm = self.field.log(values[0])
        if len(values) == 2:
            return self.field.multiply(logarithm, self.field.invert(self.field.log(values[1])))
        if name == "lg":
            return self.field.multiply(logarithm, self.field.invert(self.field.log(constant(10))))
        # A logarithm without base is natural in one book and decimal in the next: the factor between them stays open.
        if name == "log":
            return self.field.multiply(logarithm, generator("F:log"))
        return logarithm

    def _one_argument(self, call: Call, value: Quotient) -> Quotient | None:
        name = call.function
        if name == "exp":
            return self.field.exp(value)
        if name == "cis":
            return self.field.exp(self.field.multiply(value, generator("u", HALF)))
        if name in ("sin", "cos", "tan", "cot", "sec", "csc"):
            return self._trigonometric(name, self.field.multiply(value, generator("u", HALF)), circular=True)
        if name in ("sinh", "cosh", "tanh", "coth"):
            return self._trigonometric(name.removesuffix("h"), value, circular=False)
        if name in _ODD and value.top and value.top[min(value.top)] < 0:
            return self.field.scale(self._opaque(name, [self.field.scale(value, Fraction(-1))]), Fraction(-1))
        if name == "abs":
            return self._absolute(call, value)
        if name == "factorial":
            return self._factorial(value)
        if name in ("Gamma", "zeta") and value.rational is not None:
            return self._special(name, value.rational)
        if name == "double factorial" and value.rational is not None:
            return _double_factorial(value.rational)
        return None

    def _special(self, name: str, argument: Fraction) -> Quotient | None:
        """Return a value of the gamma or zeta function that is a number times a power of pi; None for others."""
        found = gamma(argument) if name == "Gamma" else zeta(argument)
        return None if found is None else self.field.scale(generator("π", found[1]), found[0])

    def _trigonometric(self, name: str, exponent: Quotient, *, circular: bool) -> Quotient:
        field = self.field
        up, down = self.field.exp(exponent), self.field.exp(field.scale(exponent, Fraction(-1)))
        sine = field.scale(field.add(up, field.scale(down, Fraction(-1))), HALF)
        if circular:
            sine = field.multiply(sine, self.field.power_of("u", Fraction(3, 2)))
        cosine = field.scale(field.add(up, down), HALF)
        top, bottom = {
            "sin": (sine, None),
            "cos": (cosine, None),
            "tan": (sine, cosine),
            "cot": (cosine, sine),
            "sec": (constant(1), cosine),
            "csc": (constant(1), sine),
        }[name]
        return top if bottom is None else field.multiply(top, field.invert(bottom))

    def _absolute(self, call: Call, value: Quotient) -> Quotient:
        bounds = real_bounds(call.arguments[0])
        if bounds is not None and (bounds[0] >= 0 or bounds[1] <= 0):
            return value if bounds[0] >= 0 else self.field.scale(value, Fraction(-1))
        lead = value.top[min(value.top)] if value.top else ONE
        return self._opaque("abs", [self.field.scale(value, Fraction(-1)) if lead < 0 else value])

    def _rounded(self, call: Call) -> Quotient:
        value = self.convert(call.arguments[0])
        turn = math.floor if call.function == "floor" else math.ceil
        if value.rational is not None:
            return constant(turn(value.rational))
        bounds = real_bounds(call.arguments[0])
        if bounds is not None and turn(bounds[0]) == turn(bounds[1]):
            return constant(turn(bounds[0]))
        return self._opaque(call.function, [value])

    def _factorial(self, value: Quotient) -> Quotient:
        number = value.rational
        if number is not None:
            if number.denominator != 1 or not 0 <= number <= FACTORIAL_LIMIT:
                raise BeyondError("a factorial that is too large to write out, or of no natural number")
            return constant(math.factorial(number.numerator))
        shift = value.top.get((), ZERO) if value.bottom == UNIT else ZERO
        if shift.denominator != 1 or not 0 < abs(shift) <= _SHIFT_LIMIT:
            return self._opaque("factorial", [value])
        base = self.field.add(value, constant(-shift))
        result = self._opaque("factorial", [base])
        for step in range(1, int(shift) + 1):
            result = self.field.multiply(result, self.field.add(base, constant(step)))
        for step in range(int(-shift)):
            result = self.field.multiply(result, self.field.invert(self.field.add(base, constant(-step))))
        return result

    def _binomial(self, upper: Quotient, lower: Quotient) -> Quotient:
        whole, part = upper.rational, lower.rational
        if whole is not None and part is not None and whole.denominator == part.denominator == 1:
            if not 0 <= part <= whole <= FACTORIAL_LIMIT:
                raise BeyondError("a binomial coefficient out of range")
            return constant(math.comb(whole.numerator, part.numerator))
        if part is not None and part.denominator == 1 and 0 <= part <= _SHIFT_LIMIT:
            result = constant(Fraction(1, math.factorial(part.numerator)))
            for step in range(part.numerator):
                result = self.field.multiply(result, self.field.add(upper, constant(-step)))
            return result
        rest = self.field.add(upper, self.field.scale(lower, Fraction(-1)))
        below = self.field.multiply(self._factorial(lower), self._factorial(rest))
        return self.field.multiply(self._factorial(upper), self.field.invert(below))

    def _of_integers(self, name: str, values: list[Quotient]) -> Quotient:
        numbers = [value.rational for value in values]
        known = [number for number in numbers if number is not None]
        if len(known) == len(numbers):
            if name in ("min", "max"):
                return constant(min(known) if name == "min" else max(known))
            if all(number.denominator == 1 for number in known):
                whole = [number.numerator for number in known]
                return constant(math.gcd(*whole) if name == "gcd" else math.lcm(*whole))
        return self._opaque(name, sorted(values, key=key))

    def _opaque(self, name: str, values: list[Quotient]) -> Quotient:
        known = name in KNOWN_FUNCTIONS
        special = _SPECIAL_VALUES.get((name, key(values[0]))) if known else None
        if special is not None:
            return self.field.multiply(constant(special), generator("π"))
        return generator(f"F:{'' if known else '?'}{name}[{','.join(key(value) for value in values)}]")


KNOWN_FUNCTIONS = frozenset(
    [
        "arcsin",
        "arccos",
        "arctan",
        "arccot",
        "arcsec",
        "arccsc",
        "abs",
        "floor",
        "ceil",
        "factorial",
        "gcd",
        "lcm",
        "min",
        "max",
        "sgn",
        "arg",
    ]
) | {"double factorial", "Re", "Im", "Gamma", "zeta"}
"""Functions that mean one thing in every answer."""


def _double_factorial(number: Fraction) -> Quotient:
    if number.denominator != 1 or not 0 <= number <= FACTORIAL_LIMIT:
        raise BeyondError("a double factorial that is too large to write out, or of no natural number")
    return constant(math.prod(range(number.numerator, 0, -2)))


def _symbol(name: str) -> Quotient:
    if name == "i":
        return generator("u", HALF)
    if name == "e":
        return generator("E:")
    if name == "pi":
        return generator("π")
    if name in ("∞", "°"):
        raise BeyondError("infinity inside a formula")
    return generator(f"${name}")


def _special_values() -> dict[tuple[str, str], Fraction]:
    """Return what the inverse trigonometric functions give for the usual arguments, as multiples of pi."""
    found: dict[tuple[str, str], Fraction] = {}
    canonical = Canonical()

    def root(number: Fraction) -> str:
        return key(canonical.field.number_power(number, HALF)) if number else key(constant(0))

    for share, square in ((0, 0), (6, Fraction(1, 4)), (4, HALF), (3, Fraction(3, 4)), (2, 1)):
        angle = Fraction(1, share) if share else ZERO
        found["arcsin", root(Fraction(square))] = angle
        found["arccos", root(Fraction(square))] = HALF - angle
        found[
            "arccos", key(canonical.field.scale(canonical.field.number_power(Fraction(square), HALF), Fraction(-1)))
        ] = (HALF + angle) if square else HALF
    for share, square in ((0, 0), (6, Fraction(1, 3)), (4, 1), (3, 3)):
        found["arctan", root(Fraction(square))] = Fraction(1, share) if share else ZERO
    return found


_SPECIAL_VALUES = _special_values()
