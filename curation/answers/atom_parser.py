"""Reads the atoms of formulas: numbers, symbols, functions with their arguments, brackets."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

from curation.answers.command_parser import CommandParser
from curation.answers.literals import MINUS_ONE, base_numeral, number_of, quotient
from curation.answers.numerals import integer_of
from curation.answers.tokens import DEPTH_LIMIT, Token, UnreadableError
from curation.answers.tree import (
    FORMULAS,
    Bracket,
    Call,
    Dots,
    Formula,
    Node,
    Number,
    Power,
    Product,
    Root,
    SetBuilder,
    Sum,
    Symbol,
)

Reader: TypeAlias = Callable[[], Formula]

_MATCHING = {"(": ")", "[": "]", "{": "}", "\\{": "\\}"}
_LETTER_DIGITS = frozenset("ABCDEFabcdef")
_FUNCTION_LETTERS = frozenset("fghFGH")


class AtomParser(CommandParser):
    """Adds the atoms."""

    def __init__(self, tokens: list[Token]) -> None:
        super().__init__(tokens)
        self._bars = 0
        self._nesting = 0
        self._functions = _FUNCTION_LETTERS | _defined_functions(tokens)
        self._digits_before_subscript = ""

    @abstractmethod
    def power(self) -> Formula:
        """Read one factor with its exponent and the signs after it."""

    @abstractmethod
    def script(self) -> Formula:
        """Read an exponent, or the base of a logarithm."""

    @abstractmethod
    def signed(self, read: Reader) -> Formula:
        """Read signs and what they stand before."""

    @abstractmethod
    def starts_factor(self, token: Token) -> bool:
        """Tell whether a token starts another factor without a multiplication sign."""

    def primary(self) -> Formula:
        """Read one number, symbol, function with its argument, bracket, or command with its arguments."""
        self._nesting += 1
        if self._nesting > DEPTH_LIMIT:
            raise UnreadableError("nested too deeply")
        formula = self._atom(self.take())
        self._nesting -= 1
        return formula

    def _atom(self, token: Token) -> Formula:
        if token.kind == "number":
            return self._number(token.text)
        if token.kind == "name":
            starts_numeral = token.text in _LETTER_DIGITS and self.peek().kind in ("number", "name")
            numeral = self._letter_digits(token.text) if starts_numeral and not self.peek().spaced else None
            return numeral or self._symbol(token.text)
        if token.kind == "function":
            return self._function(token.text)
        if token.kind == "open":
            return self.bracket(token.text)
        if token.kind == "command":
            return self.command(token.text)
        if token.kind == "operator":
            if token.text == "|":
                return self._absolute()
            if token.text == "∞":
                return Symbol("∞")
            if token.text == "…":
                return Dots()
            if token.text == "∅":
                return Bracket("\\{", "\\}", ())
        raise UnreadableError(f"{token.text or 'the end'!r} where a formula should start")

    def _number(self, text: str) -> Number:
        self._digits_before_subscript = text if text.replace(".", "").isdigit() else ""
        following = self.peek()
        if following.kind == "command" and following.text in ("overline", "bar", "dot") and "." in text:
            self.take()
            return self._repeating(text)
        if (
            following.kind == "name"
            and self.peek(1).text == "_"
            and following.text in "ABCDEF"
            and not following.spaced
        ):
            return self._letter_digits(text) or number_of(text)
        return number_of(text)

    def _letter_digits(self, text: str) -> Number | None:
        """Read digits with letters among them and a base above ten after them: ``1A_{16}``; None for anything else."""
        start = self._at
        digits = text
        while (token := self.peek()).kind in ("number", "name") and token.text.isalnum() and not token.spaced:
            digits += self.take().text
        if self.accept("operator", "_"):
            base = self.subscript()
            if base.isdigit() and 10 < int(base) <= 36:
                return base_numeral(digits, int(base))
        self._at = start
        return None

    def _repeating(self, text: str) -> Number:
        self.expect_open("{")
        block = self.take()
        self.expect("}")
        if block.kind != "number" or not block.text.isdigit():
            raise UnreadableError("a repeating decimal in an unknown notation")
        whole, _, decimals = text.partition(".")
        scale = 10 ** len(decimals)
        repeated = Fraction(integer_of(block.text), scale * (10 ** len(block.text) - 1))
        return Number(Fraction(integer_of(whole + decimals), scale) + repeated, "rational")

    def _symbol(self, name: str) -> Formula:
        if self.accept("operator", "_"):
            if name == "log":
                raise UnreadableError("a logarithm in an unknown notation")
            below = self.subscript()
            chosen = self._chosen(name, below)
            if chosen is not None:
                return chosen
            name = f"{name}_{below}"
        while self.accept("operator", "'"):
            name += "'"
        if name in self._functions and self._skip_inverse():
            name += "^-1"
            self.take()
            return Call(name, self._arguments(")"))
        if name == "Gamma" and self.peek().text == "(" and self.peek(1).kind == "number" and self.peek(2).text == ")":
            self.take()
            return Call("factorial", (Sum((*self._arguments(")"), MINUS_ONE)),))
        if self.peek().kind == "open" and self.peek().text == "(" and self._is_function(name):
            self.take()
            return Call(name, self._arguments(")"))
        if name == "C" and self.peek().text == "(" and self.peek(2).text == "," and self.peek(4).text == ")":
            self.take()
            return Call("binom", self._arguments(")"))
        return Symbol(name)

    def _chosen(self, name: str, below: str) -> Formula | None:
        """Read ``C_5^2`` and ``A_5^2``, the numbers of combinations and of arrangements; None for other symbols."""
        if name not in ("C", "A") or not below.isdigit() or self.peek().text != "^":
            return None
        braced = self.peek(1).text == "{"
        above = self.peek(2 if braced else 1)
        if not above.text.isdigit() or (braced and self.peek(3).text != "}") or int(below) < int(above.text):
            return None
        self._at += 4 if braced else 2
        number, part = (Number(Fraction(integer_of(digits))) for digits in (below, above.text))
        combinations = Call("binom", (number, part))
        return combinations if name == "C" else Product((combinations, Call("factorial", (part,))))

    def _skip_inverse(self) -> bool:
        """Go past ``^{-1}`` between a function and its argument."""
        if [self.peek(ahead).text for ahead in range(6)] != ["^", "{", "-", "1", "}", "("]:
            return False
        self._at += 5
        return True

    def _is_function(self, name: str) -> bool:
        if name.rstrip("'") in self._functions or name in ("Gamma", "zeta"):
            return True
        # I(0) is the value of I at 0; nobody multiplies a letter by a number in brackets.
        return len(name) == 1 and name not in "ie" and self.peek(1).kind == "number" and self.peek(2).text == ")"

    def _arguments(self, closing: str) -> tuple[Formula, ...]:
        members, _ = self.members()
        self.expect(closing)
        if not members:
            raise UnreadableError("a function without argument")
        return tuple(self.formula(member) for member in members)

    def _function(self, name: str) -> Formula:
        base: Formula | None = None
        power: Formula | None = None
        while self.peek().text in ("_", "^") and self.peek().kind == "operator":
            if self.take().text == "_":
                base = self.script()
            else:
                power = self.script()
        arguments = self._function_arguments(name)
        if base is not None:
            if name not in ("log", "ln") or len(arguments) != 1:
                raise UnreadableError(f"a subscript of {name}")
            arguments = (*arguments, base)
        if power == MINUS_ONE and name in ("sin", "cos", "tan", "cot", "sec", "csc"):
            return Call("arc" + name, arguments)
        value: Formula = Call(name, arguments)
        if name in ("sqrt", "cbrt") and len(arguments) == 1:
            value = Root(arguments[0], Number(Fraction(2 if name == "sqrt" else 3)))
        return value if power is None else Power(value, power)

    def _function_arguments(self, name: str) -> tuple[Formula, ...]:
        token = self.peek()
        if token.kind == "open" and (token.text in ("(", "{", "[") or name in ("min", "max", "gcd", "lcm")):
            self.take()
            return self._arguments(_MATCHING[token.text])
        if name in ("sqrt", "cbrt"):
            return (self.primary(),)
        factors = [self.signed(self.power) if token.text == "-" else self.power()]
        while (token := self.peek()).kind in ("number", "name", "command") and self.starts_factor(token):
            factors.append(self.power())
        if self.peek().text == "/" and self.peek(1).kind != "function":
            raise UnreadableError("a quotient after a function without brackets can be read in two ways")
        return (factors[0] if len(factors) == 1 else Product(tuple(factors)),)

    def bracket(self, opening: str) -> Formula:
        if opening == "{" and (old := self._over_or_choose()) is not None:
            return old
        bars, self._bars = self._bars, 1 if opening == "\\{" else 0
        members, separated = self.members()
        self._bars = bars
        closing = self.take()
        if closing.kind != "close":
            raise UnreadableError("a bracket does not close")
        matching = _MATCHING[opening] == closing.text
        if opening == "{" and not matching:
            raise UnreadableError("a brace does not close")
        if len(members) == 1 and not separated and matching and opening != "\\{":
            return self.formula(members[0])
        if not members and opening != "\\{":
            raise UnreadableError("empty brackets")
        if len(members) == 1 and isinstance(members[0], SetBuilder):
            return members[0]
        return Bracket(opening, closing.text, tuple(members))

    def _over_or_choose(self) -> Formula | None:
        depth, at = 1, self._at
        while depth:
            token = self._tokens[at]
            if token.kind == "end":
                return None
            depth += {"open": 1, "close": -1}.get(token.kind, 0)
            if depth == 1 and token.kind == "command" and token.text in ("over", "choose"):
                break
            at += 1
        else:
            return None
        top = self.sum()
        operator = self.take().text
        bottom = self.sum()
        self.expect("}")
        return quotient(top, bottom) if operator == "over" else Call("binom", (top, bottom))

    def _absolute(self) -> Formula:
        self._bars += 1
        inner = self.sum()
        self._bars -= 1
        if not self.accept("operator", "|"):
            raise UnreadableError("a bar does not close")
        return Call("abs", (inner,))

    def subscript(self) -> str:
        """Read what stands after an underscore as text: it names a symbol or a base, it is no formula."""
        token = self.take()
        if token.kind != "open":
            return token.text
        depth, parts = 1, []
        while depth:
            token = self.take()
            if token.kind == "end":
                raise UnreadableError("a subscript does not end")
            depth += {"open": 1, "close": -1}.get(token.kind, 0)
            parts.append(token.text)
        return "".join(parts[:-1])

    @abstractmethod
    def members(self) -> tuple[list[Node], bool]:
        """Read what stands between brackets, up to the closing token; also tell whether separators were seen."""

    def formula(self, node: Node) -> Formula:
        """Return the node where it can stand inside a formula.

        Raises:
            UnreadableError: it is a relation, a list or a set operation.
        """
        if isinstance(node, FORMULAS):
            return node
        raise UnreadableError("a relation or list inside a formula")


def _defined_functions(tokens: list[Token]) -> frozenset[str]:
    """Return the letters that the text itself uses as functions: ``P(x) = ...``."""
    found = set()
    for at in range(len(tokens) - 4):
        name, opening, argument, closing, sign = tokens[at : at + 5]
        if (name.kind, opening.text, argument.kind, closing.text, sign.text) == ("name", "(", "name", ")", "="):
            found.add(name.text)
    return frozenset(found)
