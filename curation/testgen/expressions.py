"""Arithmetic and inequalities as statements write them, after `curation.testgen.statement` has made them plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

Relation = Literal["<", "<=", "!="]

_TOKEN = re.compile(r"(\d+)|\|\s*([A-Za-z]+)\s*\||([A-Za-z]+)|(<=|>=|!=|[-<>=+*/^(),…])|(\S)")
_LARGEST_POWER = 400
_REVERSED: dict[str, Relation] = {">": "<", ">=": "<="}


@dataclass(frozen=True, slots=True)
class Number:
    """An integer."""

    value: int


@dataclass(frozen=True, slots=True)
class Name:
    """A variable of the statement; ``|s|`` is the length of ``s``."""

    text: str


@dataclass(frozen=True, slots=True)
class Operation:
    """Two expressions and what joins them: ``+ - * / ^``."""

    sign: str
    left: Expression
    right: Expression


Expression = Number | Name | Operation


@dataclass(frozen=True, slots=True)
class Inequality:
    """``left < right``, ``left <= right`` or ``left != right``."""

    left: Expression
    relation: Relation
    right: Expression


def evaluate(expression: Expression, values: Mapping[str, int]) -> int | None:
    """Return a value, division rounded down; None where a name has no value or the number is too large."""
    if isinstance(expression, Number):
        return expression.value
    if isinstance(expression, Name):
        return values.get(expression.text)
    left, right = evaluate(expression.left, values), evaluate(expression.right, values)
    if left is None or right is None:
        return None
    if expression.sign == "+":
        return left + right
    if expression.sign == "-":
        return left - right
    if expression.sign == "*":
        return left * right
    if expression.sign == "/":
        return left // right if right else None
    return left**right if 0 <= right <= _LARGEST_POWER else None


def names_in(expression: Expression) -> frozenset[str]:
    """Return the variables of an expression."""
    if isinstance(expression, Name):
        return frozenset({expression.text})
    if isinstance(expression, Operation):
        return names_in(expression.left) | names_in(expression.right)
    return frozenset()


def inequalities(text: str) -> list[Inequality]:
    """Return what the chains of inequalities in a text say, such as ``1 <= l, r <= n``, pair by pair."""
    reader = _Reader(text)
    found: list[Inequality] = []
    while reader.place < len(reader.tokens):
        start = reader.place
        chain = list(reader.chain())
        if not chain:
            reader.place = start + 1
        found += chain
    return found


def first_expression(text: str) -> Expression | None:
    """Return the expression that a text starts with, or None."""
    return _Reader(text).sum()


@dataclass(frozen=True, slots=True)
class _Token:
    kind: Literal["number", "name", "sign", "other"]
    text: str
    is_spaced: bool


def _tokens(text: str) -> list[_Token]:
    found = []
    for match in _TOKEN.finditer(text):
        spaced = match.start() == 0 or text[match.start() - 1].isspace()
        if match[1] is not None:
            found.append(_Token("number", match[1], spaced))
        elif match[2] is not None:
            found.append(_Token("name", f"|{match[2]}|", spaced))
        elif match[3] is not None:
            found.append(_Token("name", match[3], spaced))
        else:
            found.append(_Token("sign" if match[4] else "other", match[4] or match[5], spaced))
    return found


class _Reader:
    """Recursive descent over the tokens of a text; what cannot be read gives None and moves nothing that matters."""

    def __init__(self, text: str) -> None:
        self.tokens = _tokens(text)
        self.place = 0

    def chain(self) -> Iterator[Inequality]:
        left = self._listed()
        while left and self._sign() in ("<", "<=", ">", ">=", "!="):
            sign = self._sign()
            before = self.place
            self.place += 1
            right = self._listed(is_last=any(isinstance(one, Name) for one in left))
            if not right:
                self.place = before
                return
            for one in left:
                for two in right:
                    if sign in _REVERSED:
                        yield Inequality(two, _REVERSED[sign], one)
                    else:
                        yield Inequality(one, "<" if sign == "<" else "!=" if sign == "!=" else "<=", two)
            left = right

    def _listed(self, *, is_last: bool = False) -> list[Expression]:
        """Read ``a, b, …``. A number after a comma begins another chain, and so does a name after a chain's end."""
        if self._sign() == "…":
            self.place += 1
            return [Name("…")]
        first = self.sum()
        if first is None:
            return []
        found = [first]
        while self._sign() == "," and isinstance(found[-1], Name):
            before = self.place
            self.place += 1
            if self._sign() == "…":
                self.place += 1
                continue
            following = self.sum()
            begins = is_last and self._sign() in ("<", "<=", ">", ">=", "!=")
            if not isinstance(following, Name) or (begins and following not in found):
                self.place = before
                break
            found.append(following)
        return found

    def sum(self) -> Expression | None:
        """Read terms joined by plus and minus."""
        negative = self._sign() == "-"
        if negative:
            self.place += 1
        left = self._product()
        if left is None:
            return None
        if negative:
            left = Number(-left.value) if isinstance(left, Number) else Operation("-", Number(0), left)
        while (sign := self._sign()) in ("+", "-"):
            before = self.place
            self.place += 1
            right = self._product()
            if right is None:
                self.place = before
                break
            left = Operation(sign, left, right)
        return left

    def _product(self) -> Expression | None:
        left = self._power()
        while left is not None:
            sign = self._sign()
            before = self.place
            if sign in ("*", "/"):
                self.place += 1
            elif not self._is_beside():
                break
            right = self._power()
            if right is None:
                self.place = before
                break
            left = Operation("/" if sign == "/" else "*", left, right)
        return left

    def _is_beside(self) -> bool:
        """Whether what follows is multiplied without a sign: ``2n``, ``n(n-1)``."""
        if self.place >= len(self.tokens):
            return False
        token = self.tokens[self.place]
        if token.is_spaced:
            return False
        return token.text == "(" or (token.kind == "name" and len(token.text) == 1)

    def _power(self) -> Expression | None:
        base = self._atom()
        if base is not None and self._sign() == "^":
            self.place += 1
            exponent = self._atom()
            return None if exponent is None else Operation("^", base, exponent)
        return base

    def _atom(self) -> Expression | None:
        if self.place >= len(self.tokens):
            return None
        token = self.tokens[self.place]
        if token.kind in ("number", "name"):
            self.place += 1
            return Number(int(token.text[:1000])) if token.kind == "number" else Name(token.text)
        if token.text != "(":
            return None
        before = self.place
        self.place += 1
        inner = self.sum()
        if inner is None or self._sign() != ")":
            self.place = before
            return None
        self.place += 1
        return inner

    def _sign(self) -> str:
        if self.place >= len(self.tokens) or self.tokens[self.place].kind != "sign":
            return ""
        return self.tokens[self.place].text
