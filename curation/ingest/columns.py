r"""The path language of source files: how a column of ours comes out of a row of theirs.

An expression is one or more pipelines with ``//`` between them; the first whose value is not null counts. A pipeline is
a path and what is done to the value, with ``|`` between::

    prompt[-1].content                      a key, then the last element, then a key
    [0].value                               the row itself is a list
    'Short Answer'                          a key that is no plain word
    tests[*].input                          a list: the key of each element
    answer // solution | last_boxed         the answer, or where it is null the last box of the solution
    input_output | json | .inputs           a path into parsed JSON text
    . | paragraphs('title, body')           the row itself, and what is done to it

Operations are those of `curation.ingest.operations`; on a list they work on each element. What is not there is null
with a reason, never an error of the program.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from curation.ingest.operations import OPERATIONS, WHOLE_LIST, MissingError, UnreadableError, paragraph_keys
from curation.json_reader import JsonValue

_TOKEN = re.compile(
    r"""\s*(?:(?P<fallback>//)|(?P<index>\[\s*-?\d+\s*\])|(?P<each>\[\s*\*\s*\])
      |(?P<quoted>'[^']*'|"[^"]*")|(?P<word>[\w-]+)|(?P<sign>[.|(),]))""",
    re.VERBOSE,
)


class ExpressionError(ValueError):
    """The expression cannot be parsed; the message says where."""


@dataclass(frozen=True, slots=True)
class Extracted:
    """What an expression found.

    Attributes:
        value: the value; None where there is none.
        state: ``found``; ``null``; ``absent`` where the row has no such place, as where a column is missing;
            ``unreadable`` where something stands there that cannot be what it should be.
        why: the reason where nothing was found; empty otherwise.
    """

    value: JsonValue
    state: Literal["found", "null", "absent", "unreadable"] = "found"
    why: str = ""


class _AbsentError(MissingError):
    """The row has no such key or element."""


@dataclass(frozen=True, slots=True)
class _Key:
    name: str

    def apply(self, value: JsonValue) -> JsonValue:
        if not isinstance(value, dict):
            raise _AbsentError(f"there is no object that could have a key {self.name!r}")
        if self.name not in value:
            raise _AbsentError(f"the key {self.name!r} is missing")
        return value[self.name]


@dataclass(frozen=True, slots=True)
class _Index:
    number: int

    def apply(self, value: JsonValue) -> JsonValue:
        if not isinstance(value, list):
            raise _AbsentError(f"there is no list that could have an element [{self.number}]")
        if not -len(value) <= self.number < len(value):
            raise _AbsentError(f"the list has no element [{self.number}]")
        return value[self.number]


@dataclass(frozen=True, slots=True)
class _Each:
    """Applies the rest of its path to each element."""

    rest: tuple[_Stage, ...]

    def apply(self, value: JsonValue) -> JsonValue:
        if not isinstance(value, list):
            raise _AbsentError("there is no list whose elements could be taken")
        return [_apply(self.rest, item) for item in value]


@dataclass(frozen=True, slots=True)
class _Call:
    name: str
    arguments: tuple[str, ...]

    def apply(self, value: JsonValue) -> JsonValue:
        if isinstance(value, list) and self.name not in WHOLE_LIST:
            return [self.apply(item) for item in value]
        function, _ = OPERATIONS[self.name]
        return function(value, *self.arguments)


_Stage = _Key | _Index | _Each | _Call


def _apply(stages: tuple[_Stage, ...], value: JsonValue) -> JsonValue:
    for stage in stages:
        value = stage.apply(value)
    return value


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed expression.

    Attributes:
        text: as written, for messages.
        pipelines: tried in order.
    """

    text: str
    pipelines: tuple[tuple[_Stage, ...], ...]

    def extract(self, row: JsonValue) -> Extracted:
        """Evaluate the expression on one row."""
        reasons: list[str] = []
        state: Literal["null", "absent", "unreadable"] = "absent"
        for stages in self.pipelines:
            try:
                value = _apply(stages, row)
            except _AbsentError as missing:
                reasons.append(str(missing))
                continue
            except MissingError as missing:
                reasons.append(str(missing))
                if state != "unreadable":
                    state = "unreadable" if isinstance(missing, UnreadableError) else "null"
                continue
            if value is not None:
                return Extracted(value)
            reasons.append("it is null")
            state = "null" if state == "absent" else state
        return Extracted(None, state, f"{self.text}: {', and '.join(dict.fromkeys(reasons))}")

    def keys(self) -> frozenset[str] | None:
        """Return the keys of a row that the expression starts from; None where it may need the whole row."""
        found = [_first_keys(stages) for stages in self.pipelines]
        known = [names for names in found if names is not None]
        return frozenset().union(*known) if len(known) == len(found) else None


def _first_keys(stages: tuple[_Stage, ...]) -> frozenset[str] | None:
    start = stages[0]
    if isinstance(start, _Key):
        return frozenset({start.name})
    if isinstance(start, _Call) and start.name == "paragraphs":
        return frozenset(key for _, key in paragraph_keys(start.arguments[0]))
    return None


def parse(text: str) -> Expression:
    """Parse an expression.

    Raises:
        ExpressionError: it follows another grammar than this module's; the message quotes it.
    """
    return Expression(text, _Parser(text).expression())


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(self._split(text))
        self._next = 0

    def expression(self) -> tuple[tuple[_Stage, ...], ...]:
        pipelines = [self._pipeline()]
        while self._take("fallback"):
            pipelines.append(self._pipeline())
        if self._next < len(self._tokens):
            raise self._error(f"{self._tokens[self._next][1]!r} is not expected")
        return tuple(pipelines)

    def _pipeline(self) -> tuple[_Stage, ...]:
        stages = () if self._starts_at_row() else self._path(at_start=True)
        while self._take("sign", "|"):
            kind, value = self._peek()
            starts_path = kind in ("index", "each") or (kind, value) == ("sign", ".")
            stages += self._path(at_start=False) if starts_path else (self._call(),)
        return stages

    def _starts_at_row(self) -> bool:
        starts = self._tokens[self._next : self._next + 2] == [("sign", "."), ("sign", "|")]
        self._next += starts
        return starts

    def _path(self, *, at_start: bool) -> tuple[_Stage, ...]:
        stages: list[_Stage] = []
        needs_dot = not at_start
        while True:
            kind, value = self._peek()
            if kind == "index":
                self._next += 1
                stages.append(_Index(int(value[1:-1])))
            elif kind == "each":
                self._next += 1
                return (*stages, _Each(self._path(at_start=False)))
            elif not needs_dot or self._take("sign", "."):
                stages.append(_Key(self._name()))
            else:
                return tuple(stages)
            needs_dot = True

    def _call(self) -> _Stage:
        name = self._word("an operation")
        if name not in OPERATIONS:
            raise self._error(f"there is no operation {name!r}, only {', '.join(OPERATIONS)}")
        _, expected = OPERATIONS[name]
        arguments: list[str] = []
        if self._take("sign", "("):
            while not self._take("sign", ")"):
                if arguments and not self._take("sign", ","):
                    raise self._error(f"the brackets after {name} are not closed")
                kind, value = self._peek()
                if kind != "quoted":
                    raise self._error(f"{name} takes text in quotes")
                self._next += 1
                arguments.append(value[1:-1])
        if len(arguments) != expected:
            raise self._error(f"{name} takes {expected} texts, not {len(arguments)}")
        return _Call(name, tuple(arguments))

    def _name(self) -> str:
        kind, value = self._peek()
        if kind == "quoted":
            self._next += 1
            return value[1:-1]
        return self._word("a key")

    def _word(self, what: str) -> str:
        kind, value = self._peek()
        if kind != "word":
            raise self._error(f"{what} is expected {'at the end' if not kind else f'where {value!r} stands'}")
        self._next += 1
        return value

    def _peek(self) -> tuple[str, str]:
        return self._tokens[self._next] if self._next < len(self._tokens) else ("", "")

    def _take(self, kind: str, value: str | None = None) -> bool:
        found = self._peek()
        if found[0] != kind or (value is not None and found[1] != value):
            return False
        self._next += 1
        return True

    def _split(self, text: str) -> Iterator[tuple[str, str]]:
        position = 0
        while position < len(text.rstrip()):
            token = _TOKEN.match(text, position)
            if token is None or token.lastgroup is None:
                raise self._error(f"{text[position:].strip()[:20]!r} cannot be read")
            yield token.lastgroup, token.group(token.lastgroup)
            position = token.end()

    def _error(self, problem: str) -> ExpressionError:
        return ExpressionError(f"the expression {self._text!r} cannot be read: {problem}")
