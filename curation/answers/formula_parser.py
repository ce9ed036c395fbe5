"""Reads formulas by recursive descent: sums, products, powers, roots, functions, brackets.

Notation with two common readings (``a/bc``, ``10\\frac{22}{7}``) is refused, because a guess could make a wrong answer
right.
"""

from __future__ import annotations

from fractions import Fraction

from curation.answers.atom_parser import AtomParser, Reader
from curation.answers.command_parser import FORMULA_COMMANDS, FRACTIONS
from curation.answers.literals import MINUS_ONE, base_numeral, mixed, negative, quotient
from curation.answers.numerals import integer_of
from curation.answers.tokens import Token, UnreadableError
from curation.answers.tree import Call, Formula, Number, PlusMinus, Power, Product, Sum, Symbol

_SIGN_LIMIT = 4
_CONDITION_LIMIT = 40
"""Tokens up to the relation of a condition in brackets."""

_POSTFIX_LIMIT = 1_000
"""Tokens of all exponents and signs after one factor."""


class FormulaParser(AtomParser):
    """Adds the levels of precedence, one method each; `answer_parser` adds what stands outside formulas."""

    def sum(self) -> Formula:
        """Read terms with signs between them."""
        terms = [self.signed(self.product)]
        while (token := self.peek()).kind == "operator" and token.text in ("+", "-", "±", "∓"):
            terms.append(self.signed(self.product))
        return terms[0] if len(terms) == 1 else Sum(tuple(terms))

    def signed(self, read: Reader) -> Formula:
        """Read signs and what they stand before."""
        signs = []
        while (token := self.peek()).kind == "operator" and token.text in ("+", "-", "±", "∓"):
            signs.append(self.take().text)
        if len(signs) > _SIGN_LIMIT:
            raise UnreadableError("a row of signs")
        formula = read()
        for sign in reversed(signs):
            if sign == "-":
                formula = negative(formula)
            elif sign != "+":
                formula = PlusMinus(formula, lower=sign == "∓")
        return formula

    def product(self) -> Formula:
        """Read factors with multiplication or division signs, or nothing, between them."""
        factors = [self.power()]
        numeric = isinstance(factors[0], Number)
        divided = False
        while True:
            token = self.peek()
            if token.kind == "operator" and token.text == "*":
                self.take()
                factors.append(self.signed(self.power))
                divided = False
            elif token.kind == "operator" and token.text == "/" and self.peek(1).kind != "word":
                self.take()
                divisor = self.signed(self.power)
                if isinstance(divisor, Number) and isinstance(factors[-1], Number):
                    factors[-1] = quotient(factors[-1], divisor)
                else:
                    factors.append(Power(divisor, MINUS_ONE))
                numeric = numeric and isinstance(divisor, Number)
                divided = True
            elif self.starts_factor(token):
                if divided and not (numeric and token.spaced):
                    raise UnreadableError("what follows a divisor can be read in two ways")
                self._juxtapose(factors)
                divided = False
                numeric = numeric and isinstance(factors[-1], Number)
            else:
                break
        return factors[0] if len(factors) == 1 else Product(tuple(factors))

    def _juxtapose(self, factors: list[Formula]) -> None:
        before, token = factors[-1], self.peek()
        plain = isinstance(before, Number) and self._tokens[self._at - 1].kind == "number"
        if token.kind == "number" and (self._tokens[self._at - 1].text in (")", "!") or self._raised_by_a_symbol()):
            factors.append(self.power())
            return
        if token.kind == "number":
            fraction = self._slash_fraction() if plain else None
            if fraction is None or not isinstance(before, Number):
                raise UnreadableError("a number right after a factor")
            factors[-1] = mixed(before, fraction)
            return
        factor = self.power()
        is_fraction = token.kind == "command" and token.text in FRACTIONS
        if not (plain and is_fraction and isinstance(before, Number)):
            factors.append(factor)
        elif isinstance(factor, Number):
            factors[-1] = mixed(before, factor)
        elif isinstance(factor, Call) and isinstance(factor.arguments[0], Number):
            # 6\frac{1}{2}\%: the sign belongs to the whole mixed number.
            factors[-1] = Call(factor.function, (mixed(before, factor.arguments[0]),))
        else:
            factors.append(factor)

    def _raised_by_a_symbol(self) -> bool:
        """Tell whether ``2^{n-1}`` comes after a letter: no subscript or exponent was meant by the 2."""
        if self._tokens[self._at - 1].kind != "name" or self.peek(1).text != "^":
            return False
        return self.peek(2).kind == "name" or (self.peek(2).text == "{" and self.peek(3).kind == "name")

    def _slash_fraction(self) -> Number | None:
        top, slash, bottom = self.peek(), self.peek(1), self.peek(2)
        if not (top.spaced and slash.text == "/" and top.text.isdigit() and bottom.text.isdigit()):
            return None
        if bottom.kind != "number" or integer_of(bottom.text) == 0:
            return None
        self._at += 3
        return Number(Fraction(integer_of(top.text), integer_of(bottom.text)), "rational")

    def starts_factor(self, token: Token) -> bool:
        """Tell whether a token starts another factor without a multiplication sign."""
        if token.kind in ("number", "name", "function"):
            return True
        if token.kind == "open":
            return not (self.starts_condition() or self.starts_modulus())
        if token.kind == "command":
            return token.text in FORMULA_COMMANDS
        return token.kind == "operator" and token.text == "|" and not self._bars

    def starts_condition(self) -> bool:
        r"""Tell whether brackets with a relation in them come next, as ``(x > 0)`` or ``(k \in \mathbb{Z})``."""
        if self.peek().text != "(":
            return False
        depth = 0
        for ahead in range(_CONDITION_LIMIT):
            token = self.peek(ahead)
            if token.kind == "relation" and depth == 1:
                return True
            depth += {"open": 1, "close": -1}.get(token.kind, 0)
            if depth == 0 or token.kind == "end":
                return False
        return False

    def starts_modulus(self) -> bool:
        """Tell whether ``(mod`` comes next."""
        return [self.peek(ahead).text for ahead in range(4)] == ["(", "m", "o", "d"]

    def power(self) -> Formula:
        """Read one factor with its exponent, factorial, percent and degree signs."""
        base = self.primary()
        start = self._at
        while True:
            token = self.peek()
            if token.kind != "operator":
                return base
            if self._at - start > _POSTFIX_LIMIT:
                raise UnreadableError("a row of exponents or signs")
            if token.text == "^":
                self.take()
                base = self._raised(base)
            elif token.text == "!":
                self.take()
                double = self.accept("operator", "!")
                base = Call("double factorial" if double else "factorial", (base,))
            elif token.text == "%":
                self.take()
                base = Call("percent", (base,))
            elif token.text == "‰":
                self.take()
                base = Call("permille", (base,))
            elif token.text == "°" and not isinstance(base, Symbol):
                self.take()
                base = self._degrees(base)
            elif token.text == "'" and isinstance(base, Symbol):
                self.take()
                base = Symbol(base.name + "'")
            elif token.text == "'" and isinstance(base, Number):
                base = self._minutes(Number(Fraction(0)), base)
            elif token.text == "_" and isinstance(base, Number):
                self.take()
                base = self._in_base(base)
            else:
                return base

    def _raised(self, base: Formula) -> Formula:
        token = self.peek()
        if token.kind == "operator" and token.text == "°":
            self.take()
            return self._degrees(base)
        primes = self._primes()
        if primes:
            if isinstance(base, Symbol):
                return Symbol(base.name + "'" * primes)
            if isinstance(base, Number):
                return Call("arcminutes" if primes == 1 else "arcseconds", (base,))
            raise UnreadableError("primes after a formula")
        exponent = self.script()
        if isinstance(exponent, Symbol) and exponent.name == "°":
            return self._degrees(base)
        return Power(base, exponent)

    def _primes(self) -> int:
        ahead = 1 if self.peek().text == "{" else 0
        count = 0
        while self.peek(ahead + count).text == "'":
            count += 1
        if not count or (ahead and self.peek(ahead + count).text != "}"):
            return 0
        self._at += count + 2 * ahead
        return count

    def _degrees(self, base: Formula) -> Formula:
        if isinstance(base, Number) and self.peek().kind == "number":
            minutes = self.primary()
            if isinstance(minutes, Number) and (self.peek().text == "'" or self.peek().text == "^"):
                self.accept("operator", "^")
                return self._minutes(base, minutes)
            raise UnreadableError("a number after degrees")
        return Call("degrees", (base,))

    def _minutes(self, degrees: Number, minutes: Number) -> Formula:
        primes = self._primes()
        if primes == 2:
            return Call("degrees", (Number(degrees.value + minutes.value / 3600),))
        if primes != 1:
            raise UnreadableError("an angle in an unknown notation")
        total = degrees.value + minutes.value / 60
        if self.peek().kind == "number":
            seconds = self.primary()
            self.accept("operator", "^")
            if self._primes() != 2 or not isinstance(seconds, Number):
                raise UnreadableError("an angle in an unknown notation")
            total += seconds.value / 3600
        return Call("degrees", (Number(total),))

    def script(self) -> Formula:
        """Read an exponent, or the base of a logarithm."""
        token = self.peek()
        if token.kind == "open" and token.text == "{":
            self.take()
            if self.peek().text == "°" and self.peek(1).text == "}":
                self._at += 2
                return Symbol("°")
            inner = self.sum()
            self.expect("}")
            return inner
        if token.kind == "operator" and token.text in ("-", "+"):
            return self.signed(self.script)
        return self.primary()

    def _in_base(self, base: Number) -> Number:
        subscript = self.subscript().removeprefix("base").strip()
        digits = self._digits_before_subscript
        if not subscript.isdigit() or len(subscript) > 2 or not digits:
            raise UnreadableError("a subscript after a number")
        return base_numeral(digits, int(subscript))

    _digits_before_subscript = ""
