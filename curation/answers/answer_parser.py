"""Reads whole answers: lists, relations, sets, intervals, ratios, units and remarks around formulas."""

from __future__ import annotations

import functools

from curation.answers.answer_forms import difference_of_sets, multiplied, named_point, system, under_one_name
from curation.answers.formula_parser import FormulaParser
from curation.answers.grouped_lists import listed
from curation.answers.literals import base_numeral
from curation.answers.remainders import REMAINDER
from curation.answers.scanner import tokenize
from curation.answers.tokens import UnreadableError
from curation.answers.tree import (
    VALUED,
    Bracket,
    Call,
    Combination,
    Formula,
    Listing,
    Measured,
    Node,
    Number,
    Product,
    Qualified,
    Ratio,
    Relation,
    SetBuilder,
    Sum,
    Symbol,
)
from curation.answers.units import read_unit
from curation.answers.vocabulary import REMARKS

_MONEY = ("$", "€", "£", "¥", "₹")
_SAME_SEPARATORS = {"&": "and", "或": "or", "和": "and", "及": "and"}
_SET_SIGNS = ("∪", "∩", "∖")


class WordsError(UnreadableError):
    """The text is no formula because it is words."""


class AnswerParser(FormulaParser):
    """Adds to formulas what stands around them in an answer."""

    def answer(self) -> Node:
        """Read the whole text.

        Raises:
            UnreadableError: it is no formula, or one in a notation that we do not know.
            WordsError: it is words.
        """
        self._skip_name_in_words()
        members: list[Node] = []
        separators: list[str] = []
        connective = ","
        remark = ""
        while True:
            if self._starts_remark():
                remark = self._rest()
                break
            members.append(self.item())
            if self._starts_remark():
                remark = self._rest()
                break
            if self.starts_condition():
                conditions = self._condition_in_brackets()
                separators += [","] * len(conditions)
                members += conditions
            if self.peek().kind != "separator":
                break
            rank, connective = self._separators(connective)
            if self.peek().kind == "end":
                break
            separators.append(rank)
        if self.peek().kind != "end":
            if self.peek().kind == "word":
                raise WordsError("words between formulas")
            raise UnreadableError(f"{self.peek().text!r} where the answer should end")
        if not members:
            raise WordsError("words")
        members = [system(member) for member in members]
        node = members[0] if len(members) == 1 else listed(under_one_name(members), separators, connective)
        return Qualified(node, remark) if remark else node

    def _skip_name_in_words(self) -> None:
        """Go past ``Area =`` and ``Answer:``, which name the answer in words."""
        ahead = 0
        while self.peek(ahead).kind == "word" and self.peek(ahead).text not in _MONEY:
            ahead += 1
        if ahead and self.peek(ahead).text in ("=", ":"):
            self._at += ahead + 1

    def _condition_in_brackets(self) -> list[Node]:
        r"""Read ``(k \in \mathbb{Z})`` after an answer, which says what it would after a comma."""
        self.take()
        conditions, _ = self.members()
        if self.take().kind != "close":
            raise UnreadableError("a bracket does not close")
        return conditions

    def members(self) -> tuple[list[Node], bool]:
        """Read what stands between brackets, up to the closing token; also tell whether separators were seen."""
        if self.peek().kind == "close":
            return [], False
        members = [self.item()]
        if self._bars and self.peek().kind == "operator" and self.peek().text in ("|", ":"):
            self.take()
            return [SetBuilder(members[0], self._condition())], True
        separated = False
        while self.peek().kind == "separator":
            separated = True
            self._separators(",")
            if self.peek().kind == "close":
                break
            members.append(self.item())
        return members, separated

    def item(self) -> Node:
        """Read one member of a list: a relation, a ratio or a set, with its unit."""
        token = self.peek()
        if token.kind == "word":
            if token.text not in _MONEY:
                raise WordsError("words")
            self.take()
            amount = self.item()
            return Measured(multiplied(amount) if isinstance(amount, Measured) else amount, token.text)
        node = self._with_unit(self._relation())
        if isinstance(node, Measured) and self.peek().kind == "number":
            return self._compound(node)
        return node

    def _with_unit(self, node: Node) -> Node:
        if self.peek().kind != "word" or self._starts_remark():
            return node
        if isinstance(node, Number) and self.peek().text in ("base", "in base") and self.peek(1).kind == "number":
            self.take()
            return base_numeral(self._digits_before_subscript, int(self.take().text))
        unit = self._unit()
        read = read_unit(unit)
        if read is None or (not read.known and node in _ARTICLES):
            raise WordsError("words after a formula")
        return Measured(node, unit)

    def _compound(self, first: Measured) -> Measured:
        """Read what follows in a smaller unit: ``3 hours 20 minutes``."""
        parts = [first]
        while self.peek().kind == "number":
            part = self._with_unit(self.product())
            if not isinstance(part, Measured):
                raise WordsError("a number after a unit")
            parts.append(part)
        units = [read_unit(part.unit) for part in parts]
        terms: list[Formula] = []
        for part, unit in zip(parts, units, strict=True):
            if unit is None or units[0] is None or unit.dimensions != units[0].dimensions or not unit.known:
                raise WordsError("quantities of different kinds side by side")
            terms.append(Product((self.formula(part.quantity), Number(unit.factor / units[0].factor, "rational"))))
        return Measured(Sum(tuple(terms)), first.unit)

    def cell(self) -> Node:
        """Read one cell of a matrix, or one line of a case distinction."""
        if self.peek().kind == "word":
            raise WordsError("words in a matrix")
        return self._relation()

    def _condition(self) -> Node:
        conditions = [self.item()]
        while self.peek().kind == "separator":
            self._separators(",")
            conditions.append(self.item())
        return conditions[0] if len(conditions) == 1 else Listing(tuple(conditions), "and")

    def _relation(self) -> Node:
        if self.peek().kind == "relation" and self.peek().text in ("≈", "="):
            self.take()
        sides: list[Node] = [self._remainder(named_point(self._ratio_of_names(self._combination())))]
        signs: list[str] = []
        while self.peek().kind == "relation":
            signs.append(self.take().text)
            sides.append(self._combination())
            if isinstance(sides[0], Ratio):
                sides[-1] = self._ratio(sides[-1])
        if not signs:
            return self._ratio(sides[0])
        return Relation(tuple(signs), tuple(sides), self._modulus())

    def _remainder(self, first: Node) -> Node:
        r"""Read ``17 \bmod 5`` where it is the whole answer or a side of an equation."""
        token = self.peek()
        if self._nesting or self._bars or not isinstance(first, VALUED):
            return first
        if token.text == "pmod" or self.starts_modulus():
            modulus = self._modulus()
            return first if modulus is None else Call(REMAINDER, (first, modulus))
        if token.kind != "command" or token.text not in ("bmod", "mod"):
            return first
        self.take()
        divided, divisor = first, self.power()
        if self.peek().kind not in ("end", "separator", "relation", "word"):
            raise UnreadableError("a remainder among other operations")
        return Call(REMAINDER, (divided, divisor))

    def _ratio(self, first: Node) -> Node:
        parts = [first]
        while not self._bars and self.accept("operator", ":"):
            digits = self.peek().text
            part = self._combination()
            minutes = len(digits) == 2 and digits[0] == "0" and isinstance(part, Number)
            parts.append(Number(part.value, "clock") if minutes and isinstance(part, Number) else part)
        return first if len(parts) == 1 else Ratio(tuple(self.formula(part) for part in parts))

    def _ratio_of_names(self, first: Node) -> Node:
        """Read ``a : b`` before ``= 3 : 4``."""
        start = self._at
        ratio = self._ratio(first) if isinstance(first, Symbol) else first
        if ratio is not first and self.peek().text != "=":
            self._at = start
            return first
        return ratio

    def _modulus(self) -> Formula | None:
        token = self.peek()
        if token.kind == "command" and token.text in ("pmod", "bmod", "mod"):
            self.take()
            return self.command_argument()
        if self.starts_modulus():
            self._at += 4
            modulus = self.sum()
            self.expect(")")
            return modulus
        return None

    def _combination(self) -> Node:
        parts: list[Node] = [self.sum()]
        sign = ""
        while self.peek().kind == "operator" and self.peek().text in _SET_SIGNS:
            found = self.take().text
            if sign and (found != sign or sign == "∖"):
                raise UnreadableError("set operations of different kinds without brackets")
            sign = found
            parts.append(self.sum())
        return Combination(sign, tuple(parts)) if sign else difference_of_sets(parts[0])

    def _separators(self, connective: str) -> tuple[str, str]:
        """Go past separators; return the strongest of them, and the last word that stood between members so far."""
        rank = ","
        while self.peek().kind == "separator":
            sign = self.take().text
            word = _SAME_SEPARATORS.get(sign, sign)
            connective = word if word.isalpha() else connective
            rank = rank if word == "," else word
        return rank, connective

    def _starts_remark(self) -> bool:
        token = self.peek()
        return token.kind == "word" and token.text.split()[0].strip("(,").lower() in REMARKS

    def _rest(self) -> str:
        parts: list[str] = []
        while (token := self.take()).kind != "end":
            parts.append(token.text)
        return " ".join(parts)

    def _unit(self) -> str:
        parts: list[str] = []
        while (token := self.peek()).kind == "word" or (parts and self._continues_unit()):
            if token.kind == "word" and self._starts_remark():
                break
            parts.append(self.take().text)
        return " ".join(parts)

    def _continues_unit(self) -> bool:
        token = self.peek()
        if token.kind == "number":
            return self._tokens[self._at - 1].text in ("^", "{", "-")
        if token.kind == "name" or (token.kind in ("open", "close") and token.text in "{}"):
            return token.text != "}" or self._opened()
        return token.kind == "operator" and token.text in ("^", "/", "*", "-", ".")

    def _opened(self) -> bool:
        return any(token.text == "{" for token in self._tokens[max(0, self._at - 3) : self._at])


_ARTICLES = (Symbol("a"), Symbol("A"))
_KEPT_LENGTH = 200


def read_answer(text: str, *, grouped: bool = True) -> Node:
    """Read an answer.

    Args:
        text: the answer, LaTeX or plain.
        grouped: whether ``1,300`` is one number; else it is a list of two.

    Raises:
        UnreadableError: it is no formula, or one in a notation that we do not know.
        WordsError: it is words.
    """
    return _read_again(text, grouped) if len(text) <= _KEPT_LENGTH else _read(text, grouped)


def _read(text: str, grouped: bool) -> Node:
    node = AnswerParser(tokenize(text.rstrip(" ,;"), grouped=grouped)).answer()
    if isinstance(node, Bracket) and node.opening == "{":
        return Bracket("\\{", "\\}", node.members)
    return node


# A gold answer is read once for all the responses that are graded against it.
_read_again = functools.lru_cache(maxsize=8_192)(_read)
