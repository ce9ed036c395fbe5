"""Exact arithmetic on quotients of sums; each term is a rational number times generators with rational exponents.

A generator is written as text: ``#p`` is the prime p under a root, ``u`` is exp(i pi) (so that ``u`` to the power 1/2
is i), ``π``, ``$x`` is a symbol, ``E:...`` an exponential, ``L:...`` a logarithm, ``R:...`` a sum under a root,
``F:...`` the value of another function. Products of prime roots, i, one transcendental and symbols are linearly
independent over the rationals (A. Besicovitch, 1940, for the roots), so for these a sum is zero only without terms.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple, TypeAlias

Monomial: TypeAlias = tuple[tuple[str, Fraction], ...]
Terms: TypeAlias = dict[Monomial, Fraction]

_LONGEST_KEY = 50_000
TERM_LIMIT = 600
"""Terms of a sum."""

BIT_LIMIT = 400_000
"""Bits of a coefficient: about 120,000 digits."""

PROVEN_PRIME = 4_000_000
"""`integers.factor` proves factors below this to be primes."""

ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
I_MONOMIAL: Monomial = (("u", HALF),)


class BeyondError(ValueError):
    """The formula is beyond exact arithmetic: too large, or of a kind that it does not know."""


class Quotient(NamedTuple):
    """A sum over a sum that is not empty."""

    top: Terms
    bottom: Terms

    @property
    def rational(self) -> Fraction | None:
        """The value where it is one rational number, else None."""
        if not self.top:
            return ZERO
        if len(self.top) == 1 and len(self.bottom) == 1 and () in self.top and () in self.bottom:
            return self.top[()] / self.bottom[()]
        return None


UNIT: Terms = {(): ONE}


def constant(value: Fraction | int) -> Quotient:
    """Return a rational number as a quotient."""
    return Quotient({(): Fraction(value)} if value else {}, UNIT)


def generator(name: str, exponent: Fraction = ONE) -> Quotient:
    """Return one generator to a power."""
    return Quotient({((name, exponent),): ONE}, UNIT)


class Field:
    """What the generators of one comparison stand for; both sides of a comparison share it."""

    def __init__(self) -> None:
        self.radicands: dict[str, Terms] = {}
        self.exponents: dict[str, Quotient] = {}

    def add(self, first: Quotient, second: Quotient) -> Quotient:
        """Return the sum."""
        if first.bottom == second.bottom:
            return Quotient(_plus(first.top, second.top), first.bottom)
        top = _plus(self.times(first.top, second.bottom), self.times(second.top, first.bottom))
        return _settled(top, self.times(first.bottom, second.bottom))

    def multiply(self, first: Quotient, second: Quotient) -> Quotient:
        """Return the product."""
        return _settled(self.times(first.top, second.top), self.times(first.bottom, second.bottom))

    def scale(self, value: Quotient, factor: Fraction) -> Quotient:
        """Return the product with a rational number."""
        if not factor:
            return constant(0)
        return Quotient({monomial: number * factor for monomial, number in value.top.items()}, value.bottom)

    def invert(self, value: Quotient) -> Quotient:
        """Return the reciprocal.

        Raises:
            BeyondError: the value is zero.
        """
        if not value.top:
            raise BeyondError("a division by zero")
        if len(value.top) > 1:
            return Quotient(value.bottom, value.top)
        ((monomial, number),) = value.top.items()
        result = Quotient({left: other / number for left, other in value.bottom.items()}, UNIT)
        for name, exponent in monomial:
            result = self.multiply(result, self._inverse_of(name, exponent))
        return result

    def _inverse_of(self, name: str, exponent: Fraction) -> Quotient:
        if name in self.radicands:
            return Quotient({((name, 1 - exponent),): ONE}, self.radicands[name])
        return self.power_of(name, -exponent)

    def raise_to(self, value: Quotient, exponent: int) -> Quotient:
        """Return an integer power.

        Raises:
            BeyondError: it is too large, or zero to a negative power.
        """
        if not exponent and not value.top:
            raise BeyondError("zero to the power of zero")
        if exponent < 0:
            value, exponent = self.invert(value), -exponent
        if exponent > 1:
            self._refuse_large(value, exponent)
        return _settled(self._integer_power(value.top, exponent), self._integer_power(value.bottom, exponent))

    def _refuse_large(self, value: Quotient, exponent: int) -> None:
        for terms in value:
            bits = max((_bits(number) for number in terms.values()), default=0)
            if bits > 1 and bits * exponent > BIT_LIMIT:
                raise BeyondError("a power that is too large to write out")
            if len(terms) > 1 and (
                exponent > TERM_LIMIT or math.comb(exponent + len(terms) - 1, exponent) > TERM_LIMIT
            ):
                raise BeyondError("a power with too many terms")

    def _integer_power(self, terms: Terms, exponent: int) -> Terms:
        if len(terms) == 1:
            ((monomial, number),) = terms.items()
            raised = tuple((name, power * exponent) for name, power in monomial)
            return self._reduced(dict(raised), number**exponent)
        result, square = UNIT, terms
        while exponent:
            if exponent & 1:
                result = self.times(result, square)
            exponent >>= 1
            if exponent:
                square = self.times(square, square)
        return result

    def times(self, first: Terms, second: Terms) -> Terms:
        """Return the product of two sums.

        Raises:
            BeyondError: it is too large.
        """
        if first == UNIT:
            return second
        if second == UNIT:
            return first
        if len(first) * len(second) > TERM_LIMIT * 8:
            raise BeyondError("a product with too many terms")
        result: Terms = {}
        for left, number in first.items():
            for right, other in second.items():
                coefficient = number * other
                if _bits(coefficient) > BIT_LIMIT:
                    raise BeyondError("a number that is too large to write out")
                if not left or not right:
                    _accumulate(result, left or right, coefficient)
                    continue
                merged = dict(left)
                for name, exponent in right:
                    merged[name] = merged.get(name, ZERO) + exponent
                for monomial, value in self._reduced(merged, coefficient).items():
                    _accumulate(result, monomial, value)
        if len(result) > TERM_LIMIT:
            raise BeyondError("a sum with too many terms")
        return result

    def _reduced(self, exponents: dict[str, Fraction], number: Fraction) -> Terms:
        """Bring one term to normal form: whole powers of primes into the number, of sums under roots written out."""
        expanded: list[Terms] = []
        kept: dict[str, Fraction] = {}
        for name, exponent in exponents.items():
            if not exponent:
                continue
            if name[0] == "#":
                whole = math.floor(exponent)
                prime = prime_of(name)
                if abs(whole) * prime.bit_length() > BIT_LIMIT:
                    raise BeyondError("a power that is too large to write out")
                number *= Fraction(prime) ** whole
                exponent -= whole
            elif name == "u":
                exponent %= 2
                if exponent >= 1:
                    number, exponent = -number, exponent - 1
                if exponent != HALF and (expansion := ROOTS_OF_UNITY.get(exponent)):
                    expanded.append(expansion)
                    continue
            elif name in self.radicands and exponent >= 1:
                whole = math.floor(exponent)
                self._refuse_large(Quotient(self.radicands[name], UNIT), whole)
                expanded.append(self._integer_power(self.radicands[name], whole))
                exponent -= whole
            if exponent:
                kept[name] = exponent
        result: Terms = {tuple(sorted(kept.items())): number}
        for factor in expanded:
            result = self.times(result, factor)
        return result

    def power_of(self, name: str, exponent: Fraction) -> Quotient:
        """Return one generator to a power, in normal form."""
        return Quotient(self._reduced({name: exponent}, ONE), UNIT)

    def difference(self, first: Quotient, second: Quotient) -> Terms:
        """Return a sum that is zero where both quotients are equal."""
        left, right = self.times(first.top, second.bottom), self.times(second.top, first.bottom)
        return _plus(left, {monomial: -number for monomial, number in right.items()})


def _settled(top: Terms, bottom: Terms) -> Quotient:
    if len(bottom) == 1 and bottom != UNIT and () in bottom:
        return Quotient({monomial: number / bottom[()] for monomial, number in top.items()}, UNIT)
    return Quotient(top, bottom)


def _plus(first: Terms, second: Terms) -> Terms:
    result = dict(first)
    for monomial, number in second.items():
        _accumulate(result, monomial, number)
    if len(result) > TERM_LIMIT:
        raise BeyondError("a sum with too many terms")
    return result


def _accumulate(result: Terms, monomial: Monomial, number: Fraction) -> None:
    total = result.get(monomial, ZERO) + number
    if total:
        result[monomial] = total
    else:
        result.pop(monomial, None)


def _bits(number: Fraction) -> int:
    return max(number.numerator.bit_length(), number.denominator.bit_length())


def prime_name(prime: int) -> str:
    """Return the name of a prime under a root; in base 16, which Python writes for integers of any size."""
    return f"#{prime:x}"


def prime_of(name: str) -> int:
    """Return the prime that a generator's name holds."""
    return int(name[1:], 16)


def key(value: Quotient) -> str:
    """Return a text that two quotients share only if they are equal.

    Raises:
        BeyondError: it is too long; each function inside another may double it.
    """
    lead = value.bottom[min(value.bottom)]
    text = f"{_key(value.top, lead)}/{_key(value.bottom, lead)}" if value.bottom != UNIT else _key(value.top, ONE)
    if len(text) > _LONGEST_KEY:
        raise BeyondError("functions inside functions that are too large to write out")
    return text


def _key(terms: Terms, lead: Fraction) -> str:
    return "+".join(
        _text(number / lead) + "*" + "*".join(f"{name}^{exponent}" for name, exponent in monomial)
        for monomial, number in sorted(terms.items())
    )


def _text(number: Fraction) -> str:
    return f"{number.numerator:x}/{number.denominator:x}"


def is_independent(terms: Terms) -> bool:
    """Tell whether all generators are independent, so that a sum with terms is not zero."""
    transcendental = set()
    for monomial in terms:
        for name, exponent in monomial:
            if name in ("π", "E:"):
                transcendental.add(name)
            elif (name[0] == "#" and prime_of(name) >= PROVEN_PRIME) or not (
                name[0] in "#$" or name.startswith("F:?") or (name == "u" and exponent == HALF)
            ):
                return False
    return len(transcendental) <= 1


def _unity(*terms: tuple[Fraction, int, bool]) -> Terms:
    """Return a sum of number * sqrt(radicand) * (i or 1)."""
    result: Terms = {}
    for number, radicand, imaginary in terms:
        roots = [(f"#{prime}", HALF) for prime in (2, 3) if radicand % prime == 0]
        monomial = tuple(sorted([*roots, *I_MONOMIAL] if imaginary else roots))
        _accumulate(result, monomial, number)
    return result


_QUARTER = Fraction(1, 4)
ROOTS_OF_UNITY: dict[Fraction, Terms] = {
    Fraction(1, 12): _unity((_QUARTER, 6, False), (_QUARTER, 2, False), (_QUARTER, 6, True), (-_QUARTER, 2, True)),
    Fraction(1, 6): _unity((HALF, 3, False), (HALF, 1, True)),
    Fraction(1, 4): _unity((HALF, 2, False), (HALF, 2, True)),
    Fraction(1, 3): _unity((HALF, 1, False), (HALF, 3, True)),
    Fraction(5, 12): _unity((_QUARTER, 6, False), (-_QUARTER, 2, False), (_QUARTER, 6, True), (_QUARTER, 2, True)),
    Fraction(7, 12): _unity((-_QUARTER, 6, False), (_QUARTER, 2, False), (_QUARTER, 6, True), (_QUARTER, 2, True)),
    Fraction(2, 3): _unity((-HALF, 1, False), (HALF, 3, True)),
    Fraction(3, 4): _unity((-HALF, 2, False), (HALF, 2, True)),
    Fraction(5, 6): _unity((-HALF, 3, False), (HALF, 1, True)),
    Fraction(11, 12): _unity((-_QUARTER, 6, False), (-_QUARTER, 2, False), (_QUARTER, 6, True), (-_QUARTER, 2, True)),
}
"""exp(i pi r) for the r whose sines and cosines are square roots."""
