"""Encloses the value of a formula in intervals that surely contain it, at any precision.

Two formulas whose intervals lie apart are different; nothing here makes two formulas equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from mpmath import libmp
from mpmath.libmp import libmpi

from curation.answers.boxes import ONE, SIZE_LIMIT, ZERO, Box, BoxArithmetic, NoValueError
from curation.answers.tree import Call, Formula, Number, Power, Product, Root, Sum, Symbol


def enclose(
    formula: Formula, precision: int, values: Mapping[str, Fraction] | None = None, log_base: int | None = None
) -> Box:
    """Return intervals that contain the formula's real and imaginary part.

    Args:
        formula: the formula.
        precision: bits.
        values: what the symbols stand for.
        log_base: the base of logarithms without one; natural if None.

    Raises:
        NoValueError: a symbol has no value, or the formula cannot be enclosed.
    """
    try:
        return _Evaluation(precision, values or {}, log_base).of(formula)
    # mpmath raises NotImplementedError for intervals that a function cannot take.
    except (ArithmeticError, ValueError, NotImplementedError) as error:
        raise NoValueError(str(error)) from None


def real_bounds(formula: Formula, precision: int = 200) -> tuple[Fraction, Fraction] | None:
    """Return rational bounds of a constant real formula; None where it is not known to be one."""
    try:
        real, imaginary = enclose(formula, precision)
    except NoValueError:
        return None
    if imaginary != ZERO or any(abs(end[2] + end[3]) > SIZE_LIMIT for end in real if end != libmp.fzero):
        return None
    low, high = (Fraction(*libmp.to_rational(end)) for end in real)
    return low, high


class _Evaluation(BoxArithmetic):
    def __init__(self, precision: int, values: Mapping[str, Fraction], log_base: int | None) -> None:
        super().__init__(precision)
        self._values = values
        self._log_base = log_base

    def of(self, formula: Formula) -> Box:
        if isinstance(formula, Number):
            return self.rational(formula.value), ZERO
        if isinstance(formula, Symbol):
            return self._symbol(formula.name)
        if isinstance(formula, Sum):
            total: Box = (ZERO, ZERO)
            for term in formula.terms:
                total = self.bounded(libmpi.mpci_add(total, self.of(term), self.precision))
            return total
        if isinstance(formula, Product):
            product: Box = (ONE, ZERO)
            for part in formula.factors:
                product = self.multiply(product, self.of(part))
            return product
        if isinstance(formula, Power):
            return self._power(formula.base, formula.exponent)
        if isinstance(formula, Root):
            return self._root(self.of(formula.radicand), formula.index)
        if isinstance(formula, Call):
            return self._call(formula)
        raise NoValueError(f"a {type(formula).__name__.lower()} has no value")

    def _symbol(self, name: str) -> Box:
        if name in self._values:
            return self.rational(self._values[name]), ZERO
        if name == "pi":
            return libmpi.mpi_pi(self.precision), ZERO
        if name == "e":
            return libmpi.mpi_exp(ONE, self.precision), ZERO
        if name == "i":
            return ZERO, ONE
        raise NoValueError(f"{name} has no value")

    def _power(self, base: Formula, exponent: Formula) -> Box:
        value = self.of(base)
        if isinstance(exponent, Number):
            if exponent.value.denominator == 1 and abs(exponent.value) < 1 << 30:
                return self.integer_power(value, int(exponent.value))
            return self.fractional_power(value, exponent.value)
        whole = _integer(self.of(exponent))
        if whole is not None:
            return self.integer_power(value, whole)
        return self.exp(self.multiply(self.of(exponent), self.log(value)))

    def _root(self, radicand: Box, index: Formula) -> Box:
        if not isinstance(index, Number) or index.value == 0:
            return self.exp(self.multiply(self.invert(self.of(index)), self.log(radicand)))
        return self.fractional_power(radicand, 1 / index.value)

    def _call(self, call: Call) -> Box:
        name = call.function
        values = [self.of(argument) for argument in call.arguments]
        first = values[0]
        if name in ("log", "ln", "lg"):
            return self._logarithm(name, values)
        if name in _SCALES:
            return self.multiply(first, (self.rational(_SCALES[name]), ZERO))
        if name in _ANGLES:
            angle = libmpi.mpi_mul(self.rational(_ANGLES[name]), libmpi.mpi_pi(self.precision), self.precision)
            return self.multiply(first, (angle, ZERO))
        if name == "exp":
            return self.exp(first)
        if name == "cis":
            return self.exp(self.multiply(first, (ZERO, ONE)))
        if name in ("sin", "cos", "tan", "cot", "sec", "csc"):
            return self.trigonometric(name, first)
        if name in ("sinh", "cosh", "tanh", "coth"):
            return self.hyperbolic(name, first)
        if len(values) == 1 and first[1] == ZERO:
            return self.real_function(name, first[0]), ZERO
        if name == "binom" and len(values) == 2:
            return self.binomial(values)
        if name in ("min", "max") and all(value[1] == ZERO for value in values):
            ends = [value[0] for value in values]
            return (_extreme(name, [end[0] for end in ends]), _extreme(name, [end[1] for end in ends])), ZERO
        raise NoValueError(f"the function {name}")

    def _logarithm(self, name: str, values: list[Box]) -> Box:
        logarithm = self.log(values[0])
        base = values[1] if len(values) == 2 else None
        if name == "lg" or (name == "log" and base is None and self._log_base):
            base = self.rational(Fraction(10 if name == "lg" else self._log_base or 10)), ZERO
        return logarithm if base is None else self.multiply(logarithm, self.invert(self.log(base)))


EVALUATED = frozenset(
    [
        "log",
        "ln",
        "lg",
        "exp",
        "sin",
        "cos",
        "tan",
        "cot",
        "sec",
        "csc",
        "sinh",
        "cosh",
        "tanh",
        "coth",
        "abs",
        "arctan",
        "arcsin",
        "arccos",
        "floor",
        "ceil",
        "factorial",
        "binom",
        "min",
        "max",
        "percent",
        "permille",
        "degrees",
        "arcminutes",
        "arcseconds",
    ]
)
"""The functions that can be enclosed."""

_SHIFT_LIMIT = 30
_SCALES = {"percent": Fraction(1, 100), "permille": Fraction(1, 1000)}
_ANGLES = {"degrees": Fraction(1, 180), "arcminutes": Fraction(1, 10_800), "arcseconds": Fraction(1, 648_000)}


def _integer(box: Box) -> int | None:
    (low, high), imaginary = box
    if low != high or imaginary != ZERO or abs(low[2]) > _SHIFT_LIMIT:
        return None
    top, bottom = libmp.to_rational(low)
    return int(top) if bottom == 1 and abs(top) < 1 << _SHIFT_LIMIT else None


def _extreme(name: str, ends: list[Any]) -> Any:
    found = ends[0]
    for end in ends[1:]:
        if libmp.mpf_lt(end, found) == (name == "min"):
            found = end
    return found
