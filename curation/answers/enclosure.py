"""Encloses the value of a formula in intervals that surely contain it, at any precision.

Interval arithmetic of mpmath's functional layer, which has no global state. Two formulas whose intervals lie apart are
different; nothing here makes two formulas equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from mpmath import libmp
from mpmath.libmp import libmpi

from curation.answers.tree import Call, Formula, Number, Power, Product, Root, Sum, Symbol

Interval: TypeAlias = tuple[Any, Any]
"""Lower and upper end, as mpmath's raw floats."""

Box: TypeAlias = tuple[Interval, Interval]
"""Real and imaginary part."""

_SIZE_LIMIT = 4_000
"""Bits of the exponent of the largest number that is computed with."""

_ARGUMENT_BITS = 2_000
_GAMMA_LIMIT = 10_000

_ZERO: Interval = (libmp.fzero, libmp.fzero)
_ONE: Interval = (libmp.fone, libmp.fone)


class NoValueError(ValueError):
    """The formula has no value that can be enclosed: out of range, undefined, or of an unknown kind."""


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
    except (ArithmeticError, ValueError, NotImplementedError) as error:
        raise NoValueError(str(error)) from None


def apart(first: Box, second: Box) -> bool:
    """Tell whether the boxes have no point in common."""
    return any(
        libmp.mpf_lt(one[1], other[0]) or libmp.mpf_lt(other[1], one[0])
        for one, other in zip(first, second, strict=True)
    )


def is_real(box: Box) -> bool:
    """Tell whether the value is surely real."""
    return box[1] == _ZERO


def real_bounds(formula: Formula, precision: int = 200) -> tuple[Fraction, Fraction] | None:
    """Return rational bounds of a constant real formula; None where it is not known to be one."""
    try:
        real, imaginary = enclose(formula, precision)
    except NoValueError:
        return None
    if imaginary != _ZERO or any(abs(end[2] + end[3]) > _SIZE_LIMIT for end in real if end != libmp.fzero):
        return None
    low, high = (Fraction(*libmp.to_rational(end)) for end in real)
    return low, high


class _Evaluation:
    def __init__(self, precision: int, values: Mapping[str, Fraction], log_base: int | None) -> None:
        self._precision = precision
        self._values = values
        self._log_base = log_base

    def of(self, formula: Formula) -> Box:
        if isinstance(formula, Number):
            return self._rational(formula.value), _ZERO
        if isinstance(formula, Symbol):
            return self._symbol(formula.name)
        if isinstance(formula, Sum):
            total: Box = (_ZERO, _ZERO)
            for term in formula.terms:
                total = self._bounded(libmpi.mpci_add(total, self.of(term), self._precision))
            return total
        if isinstance(formula, Product):
            product: Box = (_ONE, _ZERO)
            for part in formula.factors:
                product = self._multiply(product, self.of(part))
            return product
        if isinstance(formula, Power):
            return self._power(formula.base, formula.exponent)
        if isinstance(formula, Root):
            return self._root(self.of(formula.radicand), formula.index)
        if isinstance(formula, Call):
            return self._call(formula)
        raise NoValueError(f"a {type(formula).__name__.lower()} has no value")

    def _rational(self, value: Fraction) -> Interval:
        low = libmp.from_rational(value.numerator, value.denominator, self._precision, libmp.round_floor)
        high = libmp.from_rational(value.numerator, value.denominator, self._precision, libmp.round_ceiling)
        return low, high

    def _symbol(self, name: str) -> Box:
        if name in self._values:
            return self._rational(self._values[name]), _ZERO
        if name == "pi":
            return libmpi.mpi_pi(self._precision), _ZERO
        if name == "e":
            return libmpi.mpi_exp(_ONE, self._precision), _ZERO
        if name == "i":
            return _ZERO, _ONE
        raise NoValueError(f"{name} has no value")

    def _bounded(self, box: Box) -> Box:
        for interval in box:
            for sign, mantissa, exponent, bits in interval:
                if not mantissa and exponent:
                    raise NoValueError("an unbounded value")
                if abs(exponent + bits).bit_length() > _SIZE_LIMIT:
                    raise NoValueError(f"a value out of range ({sign})")
        return box

    def _multiply(self, first: Box, second: Box) -> Box:
        if first[1] == second[1] == _ZERO:
            return self._bounded((libmpi.mpi_mul(first[0], second[0], self._precision), _ZERO))
        return self._bounded(libmpi.mpci_mul(first, second, self._precision))

    def _invert(self, box: Box) -> Box:
        if box[1] == _ZERO:
            if _contains_zero(box[0]):
                raise NoValueError("a division by what may be zero")
            return self._bounded((libmpi.mpi_div(_ONE, box[0], self._precision), _ZERO))
        if _contains_zero(box[0]) and _contains_zero(box[1]):
            raise NoValueError("a division by what may be zero")
        return self._bounded(libmpi.mpci_div((_ONE, _ZERO), box, self._precision))

    def _power(self, base: Formula, exponent: Formula) -> Box:
        value = self.of(base)
        if isinstance(exponent, Number):
            if exponent.value.denominator == 1 and abs(exponent.value) < 1 << 30:
                return self._integer_power(value, int(exponent.value))
            return self._fractional(value, exponent.value)
        return self._exp(self._multiply(self.of(exponent), self._log(value)))

    def _integer_power(self, box: Box, exponent: int) -> Box:
        if exponent < 0:
            return self._integer_power(self._invert(box), -exponent)
        if box[1] == _ZERO:
            return self._bounded((libmpi.mpi_pow_int(box[0], exponent, self._precision), _ZERO))
        result: Box = (_ONE, _ZERO)
        while exponent:
            if exponent & 1:
                result = self._multiply(result, box)
            exponent >>= 1
            if exponent:
                box = self._multiply(box, box)
        return result

    def _fractional(self, box: Box, exponent: Fraction) -> Box:
        if box[1] == _ZERO and exponent.denominator % 2 and libmp.mpf_lt(box[0][1], libmp.fzero):
            positive = self._fractional((libmpi.mpi_neg(box[0]), _ZERO), exponent)
            return self._multiply(positive, (self._rational(Fraction((-1) ** exponent.numerator)), _ZERO))
        if box == (_ZERO, _ZERO):
            if exponent < 0:
                raise NoValueError("a division by zero")
            return box
        if exponent.denominator == 2 and box[1] == _ZERO:
            return self._integer_power(self._square_root(box[0]), exponent.numerator)
        return self._exp(self._multiply((self._rational(exponent), _ZERO), self._log(box)))

    def _square_root(self, real: Interval) -> Box:
        if libmp.mpf_ge(real[0], libmp.fzero):
            return libmpi.mpi_sqrt(real, self._precision), _ZERO
        if libmp.mpf_lt(real[1], libmp.fzero):
            return _ZERO, libmpi.mpi_sqrt(libmpi.mpi_neg(real), self._precision)
        raise NoValueError("a root of what may be negative")

    def _root(self, radicand: Box, index: Formula) -> Box:
        if not isinstance(index, Number) or index.value == 0:
            return self._exp(self._multiply(self._invert(self.of(index)), self._log(radicand)))
        return self._fractional(radicand, 1 / index.value)

    def _log(self, box: Box) -> Box:
        real, imaginary = box
        if imaginary == _ZERO and libmp.mpf_gt(real[0], libmp.fzero):
            return libmpi.mpi_log(real, self._precision), _ZERO
        if imaginary == _ZERO and libmp.mpf_lt(real[1], libmp.fzero):
            return libmpi.mpi_log(libmpi.mpi_neg(real), self._precision), libmpi.mpi_pi(self._precision)
        if _contains_zero(imaginary) and not libmp.mpf_gt(real[0], libmp.fzero):
            raise NoValueError("a logarithm across its branch cut")
        logarithm: Box = libmpi.mpci_log(box, self._precision)
        return logarithm

    def _exp(self, box: Box) -> Box:
        _refuse_large(box)
        if box[1] == _ZERO:
            return self._bounded((libmpi.mpi_exp(box[0], self._precision), _ZERO))
        return self._bounded(libmpi.mpci_exp(box, self._precision))

    def _call(self, call: Call) -> Box:
        name = call.function
        values = [self.of(argument) for argument in call.arguments]
        first = values[0]
        if name in ("log", "ln", "lg"):
            return self._logarithm(name, values)
        if name in _SCALES:
            return self._multiply(first, (self._rational(_SCALES[name]), _ZERO))
        if name in _ANGLES:
            angle = libmpi.mpi_mul(self._rational(_ANGLES[name]), libmpi.mpi_pi(self._precision), self._precision)
            return self._multiply(first, (angle, _ZERO))
        if name == "exp":
            return self._exp(first)
        if name in ("sin", "cos", "tan", "cot", "sec", "csc"):
            return self._trigonometric(name, first)
        if name in ("sinh", "cosh", "tanh", "coth"):
            return self._hyperbolic(name, first)
        if len(values) == 1 and first[1] == _ZERO:
            return self._of_real(name, first[0]), _ZERO
        if name == "binom" and len(values) == 2:
            return self._binomial(values)
        if name in ("min", "max") and all(value[1] == _ZERO for value in values):
            ends = [value[0] for value in values]
            pick = (lambda pair: pair[0]) if name == "min" else (lambda pair: pair[-1])
            return (_extreme([end[0] for end in ends], pick), _extreme([end[1] for end in ends], pick)), _ZERO
        raise NoValueError(f"the function {name}")

    def _logarithm(self, name: str, values: list[Box]) -> Box:
        logarithm = self._log(values[0])
        base = values[1] if len(values) == 2 else None
        if name == "lg" or (name == "log" and base is None and self._log_base):
            base = self._rational(Fraction(10 if name == "lg" else self._log_base or 10)), _ZERO
        return logarithm if base is None else self._multiply(logarithm, self._invert(self._log(base)))

    def _trigonometric(self, name: str, box: Box) -> Box:
        _refuse_large(box)
        if box[1] == _ZERO:
            cosine, sine = libmpi.mpi_cos_sin(box[0], self._precision)
            pair: tuple[Box, Box] = (sine, _ZERO), (cosine, _ZERO)
        else:
            pair = libmpi.mpci_sin(box, self._precision), libmpi.mpci_cos(box, self._precision)
        sine_box, cosine_box = pair
        if name == "sin":
            return sine_box
        if name == "cos":
            return cosine_box
        if name in ("tan", "sec"):
            return self._multiply(sine_box if name == "tan" else (_ONE, _ZERO), self._invert(cosine_box))
        return self._multiply(cosine_box if name == "cot" else (_ONE, _ZERO), self._invert(sine_box))

    def _hyperbolic(self, name: str, box: Box) -> Box:
        up = self._exp(box)
        down = self._invert(up)
        half = (self._rational(Fraction(1, 2)), _ZERO)
        cosine = self._multiply(half, libmpi.mpci_add(up, down, self._precision))
        sine = self._multiply(half, libmpi.mpci_sub(up, down, self._precision))
        if name in ("sinh", "cosh"):
            return sine if name == "sinh" else cosine
        return (
            self._multiply(sine, self._invert(cosine)) if name == "tanh" else self._multiply(cosine, self._invert(sine))
        )

    def _of_real(self, name: str, value: Interval) -> Interval:
        if name == "abs":
            return _checked(libmpi.mpi_abs(value, self._precision))
        if name == "arctan":
            return _checked(libmpi.mpi_atan(value, self._precision))
        if name in ("arcsin", "arccos"):
            inside = libmpi.mpi_sub(_ONE, libmpi.mpi_mul(value, value, self._precision), self._precision)
            if libmp.mpf_lt(inside[0], libmp.fzero):
                raise NoValueError("an inverse sine or cosine beyond 1")
            root = libmpi.mpi_sqrt(inside, self._precision)
            pair = (value, root) if name == "arcsin" else (root, value)
            return _checked(libmpi.mpi_atan2(*pair, self._precision))
        if name in ("floor", "ceil"):
            rounding = libmp.mpf_floor if name == "floor" else libmp.mpf_ceil
            low, high = (rounding(end, self._precision) for end in value)
            if low != high:
                raise NoValueError("a floor or ceiling at a jump")
            return low, high
        if name == "factorial" and libmp.mpf_ge(value[0], libmp.fzero):
            if libmp.mpf_gt(value[1], libmp.from_int(_GAMMA_LIMIT)):
                raise NoValueError("a factorial out of range")
            return _checked(libmpi.mpi_factorial(value, self._precision))
        raise NoValueError(f"the function {name}")

    def _binomial(self, values: list[Box]) -> Box:
        upper, lower = values
        rest = libmpi.mpci_sub(upper, lower, self._precision)
        parts = [(self._of_real("factorial", part[0]), _ZERO) for part in (upper, lower, rest)]
        return self._multiply(parts[0], self._invert(self._multiply(parts[1], parts[2])))


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
        "degrees",
        "arcminutes",
        "arcseconds",
    ]
)
"""The functions that can be enclosed."""

_SCALES = {"percent": Fraction(1, 100)}
_ANGLES = {"degrees": Fraction(1, 180), "arcminutes": Fraction(1, 10_800), "arcseconds": Fraction(1, 648_000)}


def _refuse_large(box: Box) -> None:
    """Refuse arguments that would need as many bits as they are large."""
    for interval in box:
        for end in interval:
            if end != libmp.fzero and end[2] + end[3] > _ARGUMENT_BITS:
                raise NoValueError("an argument out of range")


def _contains_zero(interval: Interval) -> bool:
    return bool(libmp.mpf_le(interval[0], libmp.fzero) and libmp.mpf_ge(interval[1], libmp.fzero))


def _checked(interval: Interval) -> Interval:
    if any(end == libmp.fnan for end in interval):
        raise NoValueError("no value")
    return interval


def _extreme(ends: list[Any], pick: Any) -> Any:
    found = ends[0]
    for end in ends[1:]:
        found = pick(libmp.mpf_min_max([found, end]))
    return found
