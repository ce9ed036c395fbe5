"""Powers with any exponent, logarithms and exponentials in exact arithmetic.

Roots and logarithms are taken apart as if symbols were positive; what that could make equal by mistake is refuted on
negative values afterwards (`answers.formulas`).
"""

from __future__ import annotations

import math
from fractions import Fraction

from curation.answers.exact import (
    HALF,
    ONE,
    UNIT,
    ZERO,
    BeyondError,
    Field,
    Monomial,
    Quotient,
    Terms,
    constant,
    generator,
    key,
    prime_name,
    prime_of,
)
from curation.answers.integers import factor


class PowerField(Field):
    """Adds powers, logarithms and exponentials to a field."""

    def raise_by(self, base: Quotient, exponent: Quotient) -> Quotient:
        """Return a power with any exponent.

        Raises:
            BeyondError: it is too large, or zero to a negative power.
        """
        number = exponent.rational
        if number is None:
            return self.exp(self.multiply(exponent, self.log(base)))
        if number.denominator == 1:
            return self.raise_to(base, number.numerator)
        if not base.top:
            if number > 0:
                return base
            raise BeyondError("a division by zero")
        top = self._fractional(base.top, number)
        if base.bottom == UNIT:
            return top
        return self.multiply(top, self.invert(self._fractional(base.bottom, number)))

    def _fractional(self, terms: Terms, exponent: Fraction) -> Quotient:
        if len(terms) == 1:
            ((monomial, number),) = terms.items()
            result = self.number_power(number, exponent)
            for name, power in monomial:
                result = self.multiply(result, self._generator_power(name, power * exponent))
            return result
        content, common, rest = _primitive(terms)
        result = self.number_power(content, exponent)
        for name, power in common:
            result = self.multiply(result, self._generator_power(name, power * exponent))
        denested = self._denested(rest) if exponent.denominator == 2 else None
        if denested is not None:
            return self.multiply(result, self.raise_to(denested, exponent.numerator))
        name = "R:" + key(Quotient(rest, UNIT))
        self.radicands[name] = rest
        whole = math.floor(exponent)
        result = self.multiply(result, generator(name, exponent - whole))
        return self.multiply(result, self.raise_to(Quotient(rest, UNIT), whole))

    def _generator_power(self, name: str, exponent: Fraction) -> Quotient:
        if name in self.radicands:
            whole = math.floor(exponent)
            rest = generator(name, exponent - whole) if exponent != whole else constant(1)
            return self.multiply(rest, self.raise_to(Quotient(self.radicands[name], UNIT), whole))
        return self.power_of(name, exponent)

    def number_power(self, number: Fraction, exponent: Fraction) -> Quotient:
        """Return a rational number to a rational power; real where an odd root of a negative number is taken."""
        if number == 1:
            return constant(1)
        result = constant(1)
        if number < 0:
            if exponent.denominator % 2:
                result = constant(-1 if exponent.numerator % 2 else 1)
            else:
                result = self.power_of("u", exponent)
        exponents: Terms = UNIT
        for part, sign in ((abs(number.numerator), 1), (number.denominator, -1)):
            for prime, power in factor(part):
                one = self.power_of(prime_name(prime), exponent * power * sign)
                exponents = self.times(exponents, one.top)
        return self.multiply(result, Quotient(exponents, UNIT))

    def _denested(self, terms: Terms) -> Quotient | None:
        """Return the root of a + b as a sum of two roots, where b is a square root and a^2 - b^2 a square."""
        if len(terms) != 2 or () not in terms:
            return None
        plain = terms[()]
        ((monomial, number),) = [item for item in terms.items() if item[0]]
        if any(name[0] != "#" or exponent != HALF for name, exponent in monomial):
            return None
        radicand = number * number * Fraction(math.prod(prime_of(name) for name, _ in monomial))
        inner: Fraction = plain * plain - radicand
        if inner < 0 or plain < 0:
            return None
        root = Fraction(math.isqrt(inner.numerator), math.isqrt(inner.denominator))
        if root * root != inner:
            return None
        first = self.number_power((plain + root) / 2, HALF)
        second = self.number_power((plain - root) / 2, HALF) if plain != root else constant(0)
        return self.add(first, second if number > 0 else self.scale(second, Fraction(-1)))

    def log(self, value: Quotient) -> Quotient:
        """Return the natural logarithm, taken apart into those of primes and generators."""
        if not value.top:
            raise BeyondError("the logarithm of zero")
        top = self._log_terms(value.top)
        if value.bottom == UNIT:
            return top
        return self.add(top, self.scale(self._log_terms(value.bottom), Fraction(-1)))

    def _log_terms(self, terms: Terms) -> Quotient:
        content, common, rest = _primitive(terms)
        result = constant(0)
        if content < 0:
            result = Quotient({(("u", HALF), ("π", ONE)): ONE}, UNIT)
        for part, sign in ((abs(content.numerator), 1), (content.denominator, -1)):
            for prime, power in factor(part):
                result = self.add(result, self.scale(generator(f"L:{prime_name(prime)}"), Fraction(power * sign)))
        for name, exponent in common:
            result = self.add(result, self.scale(self._log_generator(name), exponent))
        if rest != UNIT:
            name = "R:" + key(Quotient(rest, UNIT))
            self.radicands[name] = rest
            result = self.add(result, generator(f"L:{name}"))
        return result

    def _log_generator(self, name: str) -> Quotient:
        if name in self.exponents:
            return self.exponents[name]
        if name == "E:":
            return constant(1)
        if name == "u":
            return Quotient({(("u", HALF), ("π", ONE)): ONE}, UNIT)
        return generator(f"L:{name}")

    def exp(self, value: Quotient) -> Quotient:
        """Return the exponential, one generator for each kind of term."""
        if len(value.bottom) > 1:
            lead = value.top[min(value.top)] if value.top else ONE
            unit = self.scale(value, 1 / lead)
            return self._exponential(unit, lead)
        scale = self.invert(Quotient(value.bottom, UNIT))
        result = constant(1)
        for monomial, number in self.times(value.top, scale.top).items():
            result = self.multiply(result, self._exp_term(monomial, number, scale.bottom))
        return result

    def _exp_term(self, monomial: Monomial, number: Fraction, bottom: Terms) -> Quotient:
        if bottom != UNIT:
            return self._exponential(Quotient({monomial: ONE}, bottom), number)
        if not monomial:
            return generator("E:", number)
        if monomial == (("u", HALF), ("π", ONE)):
            return self.power_of("u", number)
        if len(monomial) == 1 and monomial[0][1] == 1 and monomial[0][0].startswith("L:"):
            name = monomial[0][0][2:]
            if name in self.radicands:
                return self.raise_by(Quotient(self.radicands[name], UNIT), constant(number))
            return self._generator_power(name, number)
        return self._exponential(Quotient({monomial: ONE}, UNIT), number)

    def _exponential(self, exponent: Quotient, power: Fraction) -> Quotient:
        name = "E:" + key(exponent)
        self.exponents[name] = exponent
        return generator(name, power)


def _primitive(terms: Terms) -> tuple[Fraction, Monomial, Terms]:
    """Split a sum into its rational content (positive for several terms), the powers that all share, and the rest."""
    if len(terms) == 1:
        ((monomial, number),) = terms.items()
        return number, monomial, UNIT
    top = math.gcd(*(number.numerator for number in terms.values()))
    bottom = math.lcm(*(number.denominator for number in terms.values()))
    content = Fraction(top, bottom)
    shared: dict[str, Fraction] = {}
    monomials = [dict(monomial) for monomial in terms]
    for name in monomials[0]:
        if name[0] in "$π":
            least = min(monomial.get(name, ZERO) for monomial in monomials)
            if least:
                shared[name] = least
    rest: Terms = {}
    for monomial, number in terms.items():
        kept = {name: exponent - shared.get(name, ZERO) for name, exponent in monomial}
        rest[tuple(sorted(item for item in kept.items() if item[1]))] = number / content
    return content, tuple(sorted(shared.items())), rest
