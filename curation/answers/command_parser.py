"""Reads LaTeX commands with their arguments: fractions, roots, binomials, accents, matrices."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction

from curation.answers.cursor import Cursor
from curation.answers.finite_sums import folded, is_long, written_out
from curation.answers.formulas import holds_imaginary, symbols_of
from curation.answers.linear import substitute
from curation.answers.literals import number_of, quotient
from curation.answers.polynomial_sums import closed_form
from curation.answers.tokens import Token, UnknownNotationError, UnreadableError
from curation.answers.tree import Call, Formula, Matrix, Node, Number, Power, Product, Root, Symbol

ACCENTS = frozenset(
    [
        "overline",
        "bar",
        "vec",
        "hat",
        "widehat",
        "tilde",
        "widetilde",
        "dot",
        "ddot",
        "overrightarrow",
        "overleftarrow",
        "underline",
        "check",
        "breve",
    ]
)
"""Commands that set a sign over a formula."""

FRACTIONS = frozenset({"frac", "dfrac", "tfrac", "cfrac", "nicefrac", "sfrac"})
"""Commands that write a quotient."""

FORMULA_COMMANDS = frozenset({"sqrt", "sum", "prod", "binom", "dbinom", "tbinom", "begin"}) | FRACTIONS | ACCENTS
"""Commands that start a factor."""

_LIKE_ACCENTS = {"overline": "bar", "widehat": "hat", "widetilde": "tilde", "overrightarrow": "vec"}
_CALCULUS = frozenset({"sum", "prod", "int", "iint", "oint", "lim", "partial", "nabla"})

_MATRICES = {
    **dict.fromkeys(("pmatrix", "bmatrix", "matrix", "smallmatrix", "Bmatrix", "array"), "matrix"),
    "vmatrix": "determinant",
    "cases": "cases",
}


def _is_differential(formula: Formula) -> bool:
    """Tell whether a formula is what stands over or under the bar of a derivative: ``d``, ``dy``, ``d^2 y``."""
    first = formula.factors[0] if isinstance(formula, Product) else formula
    base = first.base if isinstance(first, Power) else first
    return isinstance(base, Symbol) and base.name in ("d", "partial")


class CommandParser(Cursor, ABC):
    """Adds the commands; `formula_parser` gives the formulas that they take."""

    @abstractmethod
    def sum(self) -> Formula:
        """Read terms with signs between them."""

    @abstractmethod
    def product(self) -> Formula:
        """Read factors with multiplication or division signs, or nothing, between them."""

    @abstractmethod
    def primary(self) -> Formula:
        """Read one number, symbol, function, bracket or command."""

    @abstractmethod
    def bracket(self, opening: str) -> Formula:
        """Read what follows an opening bracket, with the closing one."""

    @abstractmethod
    def cell(self) -> Node:
        """Read one cell of a matrix."""

    @abstractmethod
    def subscript(self) -> str:
        """Read what stands after an underscore as text."""

    def command(self, name: str) -> Formula:
        if name in FRACTIONS:
            top = self.command_argument()
            bottom = self.command_argument(last=True)
            if _is_differential(top) and _is_differential(bottom):
                return Call("derivative", (top, bottom))
            return quotient(top, bottom)
        if name == "sqrt":
            return self._root()
        if name in ("binom", "dbinom", "tbinom"):
            top = self.command_argument()
            return Call("binom", (top, self.command_argument()))
        if name in ACCENTS:
            return self._accent(name)
        if name == "begin":
            return self._matrix()
        if name in ("lfloor", "lceil"):
            inner = self.sum()
            if not self.accept("command", "r" + name[1:]):
                raise UnreadableError("a floor or ceiling does not close")
            return Call(name[1:], (inner,))
        if name in ("sum", "prod"):
            return self._over_a_range(name)
        kind = UnknownNotationError if name in _CALCULUS else UnreadableError
        raise kind(f"the command \\{name}")

    def _over_a_range(self, name: str) -> Formula:
        r"""Read ``\sum_{k=1}^{n}`` or ``\prod_{k=1}^{n}`` over integers, with the term after it."""
        head = [self.peek(ahead) for ahead in range(6)]
        if [token.text for token in head[:2]] != ["_", "{"] or head[2].kind != "name" or head[3].text != "=":
            raise UnknownNotationError(f"the command \\{name}")
        if not head[4].text.isdigit() or head[5].text != "}":
            raise UnknownNotationError(f"the command \\{name}")
        self._at += 6
        if not self.accept("operator", "^"):
            raise UnknownNotationError(f"the command \\{name}")
        high = folded(self.command_argument())
        body = self.product()
        after = self._tokens[self._at :] if self.peek().text in ("+", "-") else []
        if any(token.kind == "name" and token.text == head[2].text for token in after):
            raise UnreadableError("where the term of a sum ends can be read in two ways")
        return self._range_summed(name, body, head[2].text, int(head[4].text), high)

    def _range_summed(self, name: str, body: Formula, variable: str, low: int, high: Formula) -> Formula:
        if any(variable in index for name in symbols_of(body) for index in name.split("_")[1:]):
            raise UnreadableError("the terms of a sequence, which are not known")
        if isinstance(high, Number) and high.value.denominator == 1:
            end = high.value.numerator
            long = name == "sum" and is_long(body, low, end)
            found = closed_form(body, variable, low, high) if long else None
            return found or written_out(name, body, variable, low, end)
        found = closed_form(body, variable, low, high) if name == "sum" and symbols_of(high) else None
        if found is not None:
            return found
        if not symbols_of(high) and high != Symbol("∞"):
            raise UnreadableError(f"an end of \\{name} that is no known integer")
        raise UnknownNotationError(f"the command \\{name}")

    def _accent(self, name: str) -> Formula:
        inner = self.command_argument()
        if isinstance(inner, Symbol) and self.accept("operator", "_"):
            inner = Symbol(f"{inner.name}_{self.subscript()}")
        if name in ("overline", "bar") and holds_imaginary(inner) and not symbols_of(inner):
            return substitute(inner, "i", Product((Number(Fraction(-1)), Symbol("i"))))
        return Call(_LIKE_ACCENTS.get(name, name), (inner,))

    def command_argument(self, *, last: bool = False) -> Formula:
        token = self.peek()
        if token.kind == "open" and token.text == "{":
            self.take()
            return self.bracket("{")
        if token.kind == "number" and len(token.text) > 1:
            return self._digit_argument(token, last=last)
        return self.primary()

    def _digit_argument(self, token: Token, *, last: bool) -> Number:
        # \frac12 is one half; a third digit would be read in different ways.
        if not token.text.isdigit() or (last and len(token.text) > 1) or (not last and len(token.text) != 2):
            raise UnreadableError("digits without braces after a command")
        self._tokens[self._at] = token._replace(text=token.text[1:])
        return number_of(token.text[0])

    def _root(self) -> Formula:
        index: Formula = Number(Fraction(2))
        if self.accept("open", "["):
            index = self.sum()
            self.expect("]")
        token = self.peek()
        if token.kind == "open":
            self.take()
            return Root(self.bracket(token.text), index)
        return Root(self.primary(), index)

    def _matrix(self) -> Formula:
        name = self._environment()
        if name not in _MATRICES:
            raise UnreadableError(f"the environment {name}")
        if name == "array" and self.accept("open", "{"):
            while not self.accept("close", "}"):
                if self.take().kind == "end":
                    raise UnreadableError("an array does not end")
        rows: list[tuple[Node, ...]] = []
        cells: list[Node] = []
        while True:
            token = self.peek()
            if token.kind == "row" or (token.kind == "command" and token.text == "end"):
                self.take()
                if cells:
                    rows.append(tuple(cells))
                cells = []
                if token.kind != "row":
                    break
            elif (token.kind == "operator" and token.text == "&") or (
                token.kind == "separator" and _MATRICES[name] == "cases"
            ):
                self.take()
            else:
                cells.append(self.cell())
        if self._environment() != name:
            raise UnreadableError("an environment ends under another name")
        if not rows or (_MATRICES[name] != "cases" and len({len(row) for row in rows}) != 1):
            raise UnreadableError("a matrix with uneven rows")
        return Matrix(_MATRICES[name], tuple(rows))

    def _environment(self) -> str:
        self.expect_open("{")
        letters = []
        while (token := self.take()).kind != "close":
            if token.kind == "end":
                raise UnreadableError("an environment without name")
            letters.append(token.text)
        return "".join(letters)
