"""Answer sheets in PDF: numbered lines in one or more columns, or tables of numbers and answers either way round."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from curation.ingest.papers.line_text import line_text
from curation.ingest.papers.pdf_lines import Line

_CELL_GAP = 0.8
"""Ems between two cells of a table at least; words are at most half an em apart."""
_LONGEST = 80
"""Characters of a sheet's answer at most; a longer text is a statement."""
_LABELLED = re.compile(r"(?P<number>\d{1,2})\s*[.):](?!\d)\s*(?P<answer>.+)", re.DOTALL)
_NUMBER = re.compile(r"\$?(\d{1,2})\$?\s*[.):]?")
_HEADING = re.compile(r"(?:[A-Z]\w*\s+){0,4}(?:Answers|Answer (?:Key|Sheet)|Key)\s*:?", re.IGNORECASE)

Pairs = list[tuple[int, str]]


def sheet_answers(lines: Sequence[Line]) -> dict[int, str] | None:
    """Return the answers by number; None where the lines are no sheet.

    A sheet numbers its answers from 1 without gap or repetition, and after its first answer holds nothing else: what
    stood between two answers could be a part of one. An answer that was damaged in reading is left out.
    """
    found = _numbered_answers(lines)
    return None if found is None else found[1]


def _numbered_answers(lines: Sequence[Line]) -> tuple[int, dict[int, str]] | None:
    """Return how many answers the lines number and those that are whole."""
    pairs: Pairs = []
    damaged: set[int] = set()
    numbers: list[int] = []
    for line in lines:
        cells = _cells(line)
        if numbers:
            if len(cells) != len(numbers):
                return None
            found, numbers = list(zip(numbers, cells, strict=True)), []
        elif numbers := _consecutive(cells):
            continue
        else:
            found = _pairs(cells)
        if not found and pairs:
            return None
        pairs += found
        damaged.update(number for number, _ in found if line.damage)
    whole = sorted(number for number, _ in pairs) == list(range(1, len(pairs) + 1)) and not numbers
    if len(pairs) < 2 or not whole or any(len(answer) > _LONGEST for _, answer in pairs):
        return None
    return len(pairs), {number: answer for number, answer in sorted(pairs) if number not in damaged}


def key_at_the_end(lines: Sequence[Line]) -> tuple[int, int, dict[int, str]] | None:
    """Return where a paper's own list of answers begins behind its problems, its length, and those that are whole.

    It has a heading that says so, or is a table whose first row holds nothing but numbers from 1 on.
    """
    for place in range(len(lines) - 1, 0, -1):
        headed = _HEADING.fullmatch(lines[place].text) is not None
        if headed or _consecutive(_cells(lines[place]))[:1] == [1]:
            found = _numbered_answers(lines[place + headed :])
            if found is not None:
                return place, *found
    return None


def _cells(line: Line) -> list[str]:
    starts = [
        place
        for place, (last, piece) in enumerate(pairwise(line.pieces), 1)
        if piece.x0 - last.x1 > _CELL_GAP * line.size
    ]
    bounds = pairwise([0, *starts, len(line.pieces)])
    return [text for start, end in bounds if (text := line_text(line.pieces[start:end]))]


def _consecutive(cells: Sequence[str]) -> list[int]:
    """Return the numbers of a table's row that holds nothing but three or more of them in order."""
    found = [_NUMBER.fullmatch(cell) for cell in cells]
    numbers = [int(number[1]) for number in found if number]
    in_order = all(after == before + 1 for before, after in pairwise(numbers))
    return numbers if len(numbers) == len(cells) and len(cells) > 2 and in_order else []


def _pairs(cells: Sequence[str]) -> Pairs:
    labelled = [_LABELLED.fullmatch(cell) for cell in cells]
    if all(labelled):
        return [(int(each["number"]), each["answer"]) for each in labelled if each]
    if len(cells) % 2:
        return []
    couples = [(_NUMBER.fullmatch(number), answer) for number, answer in zip(cells[::2], cells[1::2], strict=True)]
    return [(int(number[1]), answer) for number, answer in couples if number] if all(n for n, _ in couples) else []
