"""What the readers of papers, solutions and answer keys give, and what holds for all of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Numbering = Literal["stated", "counted"]
"""Whether an item's number stands in the file, or is its place in a list."""

_FIGURE = re.compile(
    r"\\includegraphics|\\begin\{(?:asy|tikzpicture|picture|pspicture|figure\*?)\}|\[/?asy\]|</?asy\b|\\epsf(?:box|file)",
    re.IGNORECASE,
)
FIGURE_MARK = "[figure]"
"""What stands in a statement where a page shows an image that is no formula."""


@dataclass(frozen=True, slots=True)
class Item:
    """One numbered item of a file.

    Attributes:
        key: the place of its section in the file, and its number or label in it; -1 where labels hold everywhere.
        section: the heading over it.
        number: its number or label.
        statement: the problem, or in a solutions file the problem as it is repeated; empty where it is not.
        solution: the solution; None where the file has none.
        answers: the different answers that the solution or the key gives.
        location: file, and line or page.
        damage: what was lost in reading as ``reason: evidence``; None where nothing was.
        numbering: where the number comes from.
    """

    key: tuple[int, str]
    section: str
    number: str
    statement: str
    solution: str | None
    answers: tuple[str, ...]
    location: str
    damage: str | None = None
    numbering: Numbering = "stated"


@dataclass(frozen=True, slots=True)
class Fault:
    """A file, or a part of one, that gives no item.

    Attributes:
        location: file and line.
        rule: the ledger's name for what is wrong.
        reason: one sentence.
    """

    location: str
    rule: str
    reason: str


def figure(statement: str) -> str | None:
    """Return what shows that a statement holds a drawing or an image; None where nothing does."""
    found = FIGURE_MARK if FIGURE_MARK in statement else None
    drawn = _FIGURE.search(statement)
    return drawn.group() if drawn else found
