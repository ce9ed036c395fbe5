"""Arithmetic with boxes: intervals of real and imaginary parts that surely contain a value.

On the functional layer of mpmath, which has no global state.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, TypeAlias

from mpmath import libmp
from mpmath.libmp import libmpi

Interval: TypeAlias = tuple[Any, Any]
"""Lower and upper end, as mpmath's raw floats."""

Box: TypeAlias = tuple[Interval, Interval]
"""Real and imaginary part."""

SIZE_LIMIT = 4_000
"""Bits of the exponent of the largest number that is computed with."""

_ARGUMENT_BITS = 2_000
_GAMMA_LIMIT = 10_000

ZERO: Interval = (libmp.fzero, libmp.fzero)
ONE: Interval = (libmp.fone, libmp.fone)


class NoValueError(ValueError):
    """The formula has no value that can be enclosed: out of range, undefined, or of an unknown kind."""


def apart(first: Box, second: Box) -> bool:
    """Tell whether the boxes have no point in common."""
    return any(
        libmp.mpf_lt(one[1], other[0]) or libmp.mpf_lt(other[1], one[0])
        for one, other in zip(first, second, strict=True)
    )


def is_real(box: Box) -> bool:
    """Tell whether the value is surely real."""
    return box[1] == ZERO


class BoxArithmetic:
    """Functions of boxes at one precision, in bits."""

    def __init__(self, precision: int) -> None:
        self.precision = precision

    def rational(self, value: Fraction) -> Interval:
        """Enclose a rational number."""
        low = libmp.from_rational(value.numerator, value.denominator, self.precision, libmp.round_floor)
        high = libmp.from_rational(value.numerator, value.denominator, self.precision, libmp.round_ceiling)
        return low, high

    def bounded(self, box: Box) -> Box:
        """Return the box.

        Raises:
            NoValueError: it has no bounds, or is out of range.
        """
        for interval in box:
            for sign, mantissa, exponent, bits in interval:
                if not mantissa and exponent:
                    raise NoValueError("an unbounded value")
                if abs(exponent + bits).bit_length() > SIZE_LIMIT:
                    raise NoValueError(f"a value out of range ({sign})")
        return box

    def multiply(self, first: Box, second: Box) -> Box:
        """Return the product."""
        if first[1] == second[1] == ZERO:
            return self.bounded((libmpi.mpi_mul(first[0], second[0], self.precision), ZERO))
        return self.bounded(libmpi.mpci_mul(first, second, self.precision))

    def invert(self, box: Box) -> Box:
        """Return the reciprocal.

        Raises:
            NoValueError: the value may be zero.
        """
        if box[1] == ZERO:
            if _contains_zero(box[0]):
                raise NoValueError("a division by what may be zero")
            return self.bounded((libmpi.mpi_div(ONE, box[0], self.precision), ZERO))
        if _contains_zero(box[0]) and _contains_zero(box[1]):
            raise NoValueError("a division by what may be zero")
        return self.bounded(libmpi.mpci_div((ONE, ZERO), box, self.precision))

    def integer_power(self, box: Box, exponent: int) -> Box:
        """Return an integer power."""
        if exponent < 0:
            return self.integer_power(self.invert(box), -exponent)
        if box[1] == ZERO:
            return self.bounded((libmpi.mpi_pow_int(box[0], exponent, self.precision), ZERO))
        result: Box = (ONE, ZERO)
        while exponent:
            if exponent & 1:
                result = self.multiply(result, box)
            exponent >>= 1
            if exponent:
                box = self.multiply(box, box)
        return result

    def fractional_power(self, box: Box, exponent: Fraction) -> Box:
        """Return a rational power; real where an odd root of a negative number is taken."""
        if box[1] == ZERO and exponent.denominator % 2 and libmp.mpf_lt(box[0][1], libmp.fzero):
            positive = self.fractional_power((libmpi.mpi_neg(box[0]), ZERO), exponent)
            return self.multiply(positive, (self.rational(Fraction((-1) ** exponent.numerator)), ZERO))
        if box == (ZERO, ZERO):
            if exponent < 0:
                raise NoValueError("a division by zero")
            return box
        if exponent.denominator == 2 and box[1] == ZERO:
            return self.integer_power(self._square_root(box[0]), exponent.numerator)
        return self.exp(self.multiply((self.rational(exponent), ZERO), self.log(box)))

    def _square_root(self, real: Interval) -> Box:
        if libmp.mpf_ge(real[0], libmp.fzero):
            return libmpi.mpi_sqrt(real, self.precision), ZERO
        if libmp.mpf_lt(real[1], libmp.fzero):
            return ZERO, libmpi.mpi_sqrt(libmpi.mpi_neg(real), self.precision)
        raise NoValueError("a root of what may be negative")

    def log(self, box: Box) -> Box:
        """Return the principal natural logarithm.

        Raises:
            NoValueError: the value may lie on the branch cut.
        """
        real, imaginary = box
        if imaginary == ZERO and libmp.mpf_gt(real[0], libmp.fzero):
            return libmpi.mpi_log(real, self.precision), ZERO
        if imaginary == ZERO and libmp.mpf_lt(real[1], libmp.fzero):
            return libmpi.mpi_log(libmpi.mpi_neg(real), self.precision), libmpi.mpi_pi(self.precision)
        if _contains_zero(imaginary) and not libmp.mpf_gt(real[0], libmp.fzero):
            raise NoValueError("a logarithm across its branch cut")
        logarithm: Box = libmpi.mpci_log(box, self.precision)
        return logarithm

    def exp(self, box: Box) -> Box:
        """Return the exponential."""
        _refuse_large(box)
        if box[1] == ZERO:
            return self.bounded((libmpi.mpi_exp(box[0], self.precision), ZERO))
        return self.bounded(libmpi.mpci_exp(box, self.precision))

    def trigonometric(self, name: str, box: Box) -> Box:
        """Return ``sin``, ``cos``, ``tan``, ``cot``, ``sec`` or ``csc``."""
        _refuse_large(box)
        if box[1] == ZERO:
            cosine, sine = libmpi.mpi_cos_sin(box[0], self.precision)
            pair: tuple[Box, Box] = (sine, ZERO), (cosine, ZERO)
        else:
            pair = libmpi.mpci_sin(box, self.precision), libmpi.mpci_cos(box, self.precision)
        sine_box, cosine_box = pair
        if name == "sin":
            return sine_box
        if name == "cos":
            return cosine_box
        if name in ("tan", "sec"):
            return self.multiply(sine_box if name == "tan" else (ONE, ZERO), self.invert(cosine_box))
        return self.multiply(cosine_box if name == "cot" else (ONE, ZERO), self.invert(sine_box))

    def hyperbolic(self, name: str, box: Box) -> Box:
        """Return ``sinh``, ``cosh``, ``tanh`` or ``coth``."""
        up = self.exp(box)
        down = self.invert(up)
        half = (self.rational(Fraction(1, 2)), ZERO)
        cosine = self.multiply(half, libmpi.mpci_add(up, down, self.precision))
        sine = self.multiply(half, libmpi.mpci_sub(up, down, self.precision))
        if name in ("sinh", "cosh"):
            return sine if name == "sinh" else cosine
        return self.multiply(sine, self.invert(cosine)) if name == "tanh" else self.multiply(cosine, self.invert(sine))

    def real_function(self, name: str, value: Interval) -> Interval:
        """Return a function of a real value.

        Raises:
            NoValueError: it has no value there, or the function is unknown.
        """
        if name == "abs":
            return _checked(libmpi.mpi_abs(value, self.precision))
        if name == "arctan":
            return _checked(libmpi.mpi_atan(value, self.precision))
        if name in ("arcsin", "arccos"):
            inside = libmpi.mpi_sub(ONE, libmpi.mpi_mul(value, value, self.precision), self.precision)
            if libmp.mpf_lt(inside[0], libmp.fzero):
                raise NoValueError("an inverse sine or cosine beyond 1")
            root = libmpi.mpi_sqrt(inside, self.precision)
            pair = (value, root) if name == "arcsin" else (root, value)
            return _checked(libmpi.mpi_atan2(*pair, self.precision))
        if name in ("floor", "ceil"):
            rounding = libmp.mpf_floor if name == "floor" else libmp.mpf_ceil
            low, high = (rounding(end, self.precision) for end in value)
            if low != high:
                raise NoValueError("a floor or ceiling at a jump")
            return low, high
        if name == "factorial" and libmp.mpf_ge(value[0], libmp.fzero):
            if libmp.mpf_gt(value[1], libmp.from_int(_GAMMA_LIMIT)):
                raise NoValueError("a factorial out of range")
            return _checked(libmpi.mpi_factorial(value, self.precision))
        raise NoValueError(f"the function {name}")

    def binomial(self, values: list[Box]) -> Box:
        """Return the binomial coefficient of two values."""
        upper, lower = values
        rest = libmpi.mpci_sub(upper, lower, self.precision)
        parts = [(self.real_function("factorial", part[0]), ZERO) for part in (upper, lower, rest)]
        return self.multiply(parts[0], self.invert(self.multiply(parts[1], parts[2])))


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
