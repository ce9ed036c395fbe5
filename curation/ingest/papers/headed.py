"""Problems of a page whose headings say ``Problem 7``, ``Solution`` and the like, whatever the page is written in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from curation.ingest.papers.answers import stated_answers
from curation.ingest.papers.items import Fault, Item

SOLUTION_LINK = "\ue002"
"""Stands in a page's text for the link from a problem to its solutions; nothing behind it is the problem's."""

TRANSCLUDED = "\ue003"
"""Stands before the name of a page whose text belongs here."""

_TOP_LEVEL = 2
"""The level of headings like "See also", which end the problem above them."""

_MARKS = re.compile("[\ue000-\ue003]")
_PROBLEM = re.compile(r"\s*(?:problem|question)\s*(?:no\.?|#)?\s*(?P<number>\d{1,3})\s*[.:]?\s*", re.IGNORECASE)
_ALONE = re.compile(r"\s*(?:problem|question)(?:\s+statement)?\s*[.:]?\s*", re.IGNORECASE)
_SOLUTION = re.compile(
    r"\s*(?:video\s+)?(?:quick\s+|alternate\s+|alternative\s+)?(?:solutions?|answers?|proof)\b", re.IGNORECASE
)
_VIDEO = re.compile(r"\bvideo\b", re.IGNORECASE)
_OPEN_FORMULA = re.compile(r"</?(?:i?math|cmath|asy)\b[^>]{0,40}>?", re.IGNORECASE)
_DOLLAR = re.compile(r"(?<!\\)\$")
_SPACES = re.compile(r"[ \t]+")
_EMPTY_LINES = re.compile(r"\n\s*\n(?:\s*\n)*")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a page.

    Attributes:
        title: its words.
        level: 1 for the highest.
    """

    title: str
    level: int


Headed = Heading | str
"""A page in order: headings, and the text between them."""


@dataclass(slots=True)
class _Open:
    number: int
    level: int
    statement: list[str]
    solution: list[str] | None = None
    closed: bool = False


def items_under_headings(
    parts: Sequence[Headed], shown: str, place: int, *, solved: bool, number: int | None
) -> list[Item | Fault]:
    """Return the problems that a page's headings open.

    Args:
        parts: the page.
        shown: its path in the archive, for locations.
        place: the file's place among those of its round.
        solved: whether solutions under headings of their own are taken in.
        number: the problem's number where the page holds one alone; its text may then stand before any heading.
    """
    opened: list[_Open] = []
    if number is not None and not any(isinstance(part, Heading) and _opens(part, number) for part in parts):
        opened.append(_Open(number, 0, []))
    for part in parts:
        current = opened[-1] if opened else None
        if isinstance(part, str):
            _take(part, current)
        elif (found := _opens(part, number)) is not None:
            opened.append(_Open(found, part.level, []))
        elif current is not None and _SOLUTION.match(part.title):
            current.closed = _VIDEO.search(part.title) is not None
            if not current.closed:
                current.solution = [*(current.solution or []), "\n\n"]
        elif current is not None and part.level <= max(current.level, _TOP_LEVEL):
            current.closed = True
    if not opened:
        return [Fault(f"{shown}:1", "no_problem_list", "no heading of the page opens a problem")]
    return [_item(one, shown, place, solved=solved) for one in opened]


def key_items(answers: Sequence[str], shown: str, place: int) -> list[Item | Fault]:
    """Return the lines of an answer key as items, numbered as they come."""
    if not answers:
        return [Fault(f"{shown}:1", "no_answer_list", "the page holds no numbered list of answers")]
    return [
        Item(
            (place * 1000, str(number)),
            "",
            str(number),
            "",
            None,
            (answer,),
            f"{shown}:number {number}",
            None,
            "counted",
        )
        for number, answer in enumerate(answers, start=1)
    ]


def without_marks(text: str) -> str:
    """Return text in which none of the characters stands that mark something here; nobody writes them."""
    return _MARKS.sub("\ufffd", text)


def tidied(text: str) -> str:
    """Return text with one space where a page has several, and one empty line between paragraphs."""
    lines = (_SPACES.sub(" ", line).strip() for line in text.split("\n"))
    return _EMPTY_LINES.sub("\n\n", "\n".join(lines)).strip()


def _opens(heading: Heading, alone: int | None) -> int | None:
    found = _PROBLEM.fullmatch(heading.title)
    if found is not None:
        return int(found["number"])
    return alone if alone is not None and _ALONE.fullmatch(heading.title) else None


def _take(text: str, current: _Open | None) -> None:
    if current is None or current.closed:
        return
    if current.solution is not None:
        current.solution.append(text)
        return
    before, link, _ = text.partition(SOLUTION_LINK)
    current.statement.append(before)
    current.closed = bool(link)


def _item(problem: _Open, shown: str, place: int, *, solved: bool) -> Item:
    statement = tidied("".join(problem.statement))
    solution = tidied("".join(problem.solution)) if solved and problem.solution is not None else None
    number = str(problem.number)
    damage = None
    if TRANSCLUDED in statement:
        damage = f"transcluded: the text of {statement.split(TRANSCLUDED)[1].split('}}')[0]}}}}} stands on another page"
    elif "\ufffd" in statement:
        damage = "encoding: it holds a character that could not be read"
    elif opened := _OPEN_FORMULA.search(statement):
        damage = f"lost_structure: {opened.group()} is not closed or not opened"
    elif len(_DOLLAR.findall(statement)) % 2:
        damage = "lost_structure: a formula has no end"
    item = Item((place * 1000, number), "", number, statement, solution, (), f"{shown}:number {number}", damage)
    return item if solution is None else replace(item, answers=tuple(stated_answers(solution, statement)))
