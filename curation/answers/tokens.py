"""The tokens of an answer, and what is wrong with a text that has none."""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal[
    "number", "name", "word", "function", "command", "operator", "relation", "separator", "row", "open", "close", "end"
]

LENGTH_LIMIT = 20_000
"""Characters of an answer that are read; digits alone are read by `answers.numerals`, whatever their number."""

DEPTH_LIMIT = 30
"""Brackets and braces inside each other."""


class Token(NamedTuple):
    """One token; ``spaced`` tells that a blank stands before it."""

    kind: Kind
    text: str
    spaced: bool = False


class UnreadableError(ValueError):
    """The text is no formula that we can read; the message says why."""


class UnknownNotationError(UnreadableError):
    """The text is a formula in a notation that we do not know, which another reader may."""
