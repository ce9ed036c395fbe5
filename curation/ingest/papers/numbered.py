"""Finds the numbered problems in a paper's lines, and where each one's statement ends and its solution begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from curation.ingest.papers.part_marks import ANSWER, INSTRUCTION, LABEL, NOT_ANSWER, SOLUTION, is_label, series_of
from curation.ingest.papers.pdf_headings import heading_place, is_heading, is_set_off, looks_like_heading
from curation.ingest.papers.pdf_lines import Line, Paper, shifted

_ALIGNED = 4.0
"""Points by which the labels of one list may differ, at their left or their right end."""
_UNBROKEN = 8.0
"""Ems that a line may be shorter than others because what comes next could not be broken."""
_LONGEST_SKIP = 3

_INDENT = 30.0
"""Points by which an item's text stands to the right of its label at most."""
_COLUMN_LINES = 3
"""Lines that a column has at least."""
ANSWERS_OVER = "merged: an answer stands over the first problem, so each may stand over its own"
"""The doubt about a paper in which the answer behind a problem may be the next one's."""
_UNSOLVED = "merged: nothing tells its solution from its statement"


@dataclass(frozen=True, slots=True)
class Item:
    """One numbered item: its lines without the label, split where a solution begins.

    Attributes:
        number: its number.
        series: what stands before the number in its label: a round's letter, a set's number; empty for most.
        statement: the lines of the problem.
        solution: the lines from the first ``Proposed by``, ``Answer`` or ``Solution`` on.
        after: the line that follows the item in the paper: a heading, or the next item's first line.
        damage: doubts about where the item begins or ends.
    """

    number: int
    series: str
    statement: tuple[Line, ...]
    solution: tuple[Line, ...]
    after: Line | None
    damage: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Label:
    place: int
    number: int
    series: str
    x0: float
    x1: float
    gap: float
    style: str
    text: str


def items(paper: Paper) -> list[Item]:
    """Return the paper's numbered items in order; lists of instructions and lists inside problems are none."""
    labels = _labels(paper.lines)
    found: list[Item] = []
    chains = _chains(labels, paper)
    for place, chain in enumerate(chains):
        following = chains[place + 1][0] if place + 1 < len(chains) else None
        own = _items(paper, chain, following, labels)
        doubt = _doubtful_beginning(paper, chain[0], chains[place - 1][0] if place else None)
        found += [replace(item, damage=(*item.damage, doubt)) for item in own] if doubt else own
    return found


def _doubtful_beginning(paper: Paper, first: _Label, before: _Label | None) -> str | None:
    """Return why a list may be none of problems, or its answers not stand under them."""
    above = paper.lines[first.place - 1] if first.place else None
    if before is None:
        under = above is not None and ANSWER.match(above.text) is not None
        return ANSWERS_OVER if under else None
    if first.series != before.series or above is None or is_heading(paper.lines, first.place - 1, paper.body_size):
        return None
    solved = any(SOLUTION.match(line.text) for line in paper.lines[before.place : first.place])
    apart = above.page != paper.lines[first.place].page if solved else is_set_off(paper.lines, first.place)
    return None if apart else "merged: its list may be a part of the problem or solution over it"


def _labels(lines: Sequence[Line]) -> list[_Label]:
    labels: list[_Label] = []
    shifts = {
        page: _column_shift([line for line in lines if line.page == page]) for page in {line.page for line in lines}
    }
    for place, line in enumerate(lines):
        match = LABEL.match(line.text)
        if match is None or not is_label(match):
            continue
        above = lines[place - 1] if place else None
        same_page = above is not None and above.page == line.page
        gap = above.baseline - line.baseline if above is not None and same_page else float("inf")
        rest = line.text[match.end() :]
        marks = ("A" if match["letter"] else "", "0-" if match["set"] else "", match["sign"] or "")
        style = f"{(match['word'] or '').lower()}{''.join(marks)}{match['end'].strip()}"
        middle, shift = shifts[line.page]
        moved = shift if line.x0 > middle else 0.0
        number = int(match["number"])
        labels.append(
            _Label(place, number, series_of(match), line.x0 - moved, _label_end(line) - moved, gap, style, rest)
        )
    return labels


def _column_shift(lines: Sequence[Line]) -> tuple[float, float]:
    """Return the middle between a page's two columns and how far right the second stands, 0 where there is one."""
    middle = (min(line.x0 for line in lines) + max(line.x1 for line in lines)) / 2
    left = [line for line in lines if line.x1 < middle]
    right = [line for line in lines if line.x0 > middle]
    across = len(lines) - len(left) - len(right)
    if min(len(left), len(right)) < _COLUMN_LINES or across > 0.2 * len(lines):
        return middle, 0.0
    return middle, min(line.x0 for line in right) - min(line.x0 for line in left)


def _label_end(line: Line) -> float:
    """Return where the label ends: the first gap of a word's width."""
    for last, piece in zip(line.pieces, line.pieces[1:], strict=False):
        if piece.x0 - last.x1 > 0.17 * line.size:
            return last.x1
    return line.x1


def _aligned(one: _Label, other: _Label) -> bool:
    near = abs(one.x0 - other.x0) < _ALIGNED or abs(one.x1 - other.x1) < _ALIGNED
    return near and one.style == other.style


def _in_series(one: _Label, other: _Label) -> bool:
    return one.series == other.series and _aligned(one, other)


def _chains(labels: Sequence[_Label], paper: Paper) -> list[list[_Label]]:
    """Return the lists of consecutive numbers, the longest first taken, those inside one that is taken left out."""
    candidates = sorted(
        (_chain(labels, start) for start in range(len(labels))),
        key=lambda chain: (-len(chain), chain[0].x0, chain[0].place),
    )
    taken: list[list[_Label]] = []
    for chain in candidates:
        start, end = chain[0].place, chain[-1].place
        apart = all(end < other[0].place or start > other[-1].place for other in taken)
        in_style = not taken or _aligned(chain[0], taken[0][0])
        alone = len(chain) == 1 and bool(taken) and not is_heading(paper.lines, start - 1, paper.body_size)
        if apart and in_style and not alone and (chain[0].number == 1 or len(chain) > 1):
            taken.append(chain)
    return sorted(taken, key=lambda chain: chain[0].place)


def _chain(labels: Sequence[_Label], start: int) -> list[_Label]:
    chain = [labels[start]]
    here = start
    while True:
        following = _following(labels, here)
        if following is None:
            return chain
        chain.append(labels[following])
        here = following


def _following(labels: Sequence[_Label], here: int) -> int | None:
    """Return the place of the next number's label; of several before the number after it, the one set off the most."""
    for step in range(1, _LONGEST_SKIP + 1):
        wanted = labels[here].number + step
        matches = [
            place
            for place in range(here + 1, len(labels))
            if labels[place].number == wanted and _in_series(labels[here], labels[place])
        ]
        if not matches:
            continue
        later = (
            place
            for place in range(matches[0] + 1, len(labels))
            if labels[place].number == wanted + 1 and _in_series(labels[here], labels[place])
        )
        limit = next(later, len(labels))
        restart = next(
            (place for place in range(here + 1, len(labels)) if _restarts(labels[here], labels[place])), None
        )
        restart = len(labels) if restart is None else restart
        rivals = [place for place in matches if place < min(limit, restart)] or matches[:1]
        if rivals[0] > restart:
            return None
        return max(rivals, key=lambda place: (labels[place].gap, -place))
    return None


def _restarts(here: _Label, label: _Label) -> bool:
    """Tell whether another list begins that is no deeper than this one: its labels do not stand farther right."""
    return label.number == 1 and label.style == here.style and label.x0 < here.x1 + _ALIGNED


def _items(paper: Paper, chain: Sequence[_Label], following: _Label | None, labels: Sequence[_Label]) -> list[Item]:
    """Return the items of one list.

    Args:
        chain: its labels.
        following: the label that opens the next list.
        labels: all that look like labels.
    """
    found: list[Item] = []
    lines = paper.lines
    for position, label in enumerate(chain):
        after = chain[position + 1] if position + 1 < len(chain) else None
        opens = after or following
        end = opens.place if opens else len(lines)
        own = [shifted(lines[label.place], label.text), *lines[label.place + 1 : end]]
        stop = heading_place(own, paper.body_size)
        follows = own[stop] if stop < len(own) else (lines[end] if end < len(lines) else None)
        own = own[:stop]
        damage: tuple[str, ...] = ()
        if after is not None and after.number > label.number + 1:
            damage = (f"merged: the label of {label.number + 1} was not found after it",)
        inside = [line for line in own[1:] if _names(line, label)]
        inner = [each for each in labels if label.place < each.place < end and _repeats(label, each)]
        if inside or inner:
            number = inner[0].number if inner and not inside else label.number + 1
            damage = (*damage, f"merged: {number} seems to begin inside it")
        split = next((place for place, line in enumerate(own) if place and SOLUTION.match(line.text)), len(own))
        statement, solution = tuple(own[:split]), tuple(own[split:])
        damage = (*damage, *_doubtful_end(statement, solution, follows, ends_list=after is None))
        found.append(Item(label.number, label.series, statement, solution, follows, damage))
    solved = sum(bool(item.solution) for item in found)
    if 2 * solved >= len(found):
        found = [item if item.solution else replace(item, damage=(*item.damage, _UNSOLVED)) for item in found]
    instructions = sum(any(INSTRUCTION.search(line.text) for line in item.statement) for item in found)
    return [] if 2 * instructions >= len(found) else found


def _names(line: Line, label: _Label) -> bool:
    """Tell whether a line could be the label after this one; one that is indented as the item's text is is none."""
    match = LABEL.match(line.text)
    if match is None or label.x1 < line.x0 < label.x1 + _INDENT:
        return False
    return int(match["number"]) == label.number + 1 and (match["end"].strip() or "-") == label.style[-1:]


def _repeats(label: _Label, inner: _Label) -> bool:
    """Tell whether a label inside an item stands where the list's own do and counts from 1 or from the item again."""
    return inner.number in (1, label.number) and _aligned(label, inner)


def _doubtful_end(
    statement: Sequence[Line], solution: Sequence[Line], follows: Line | None, *, ends_list: bool
) -> tuple[str, ...]:
    """Return why a statement may hold what is not its own, or lack what is."""
    heading = None if solution else looks_like_heading(statement)
    if heading is not None:
        return (f"merged: {heading} may be a heading",)
    if not ends_list or follows is None or LABEL.match(follows.text) is None or solution:
        return ()
    apart = is_set_off((statement[-1], follows), 1)
    return () if apart else (f"merged: the list at {follows.text[:40]} may be a part of it",)


def answer_lines(paper: Paper, item: Item) -> tuple[Line, ...]:
    """Return the lines of an item's ``Answer:``, without that word; empty where it has none."""
    for place, line in enumerate(item.solution):
        match = ANSWER.match(line.text)
        if match is None:
            continue
        right = max(other.x1 for other in paper.lines if other.page == line.page and other.x0 < line.x1)
        own = [shifted(line, line.text[match.end() :])]
        for following in item.solution[place + 1 :]:
            # A line that ends early ends its paragraph.
            full = line.x1 > right - _UNBROKEN * line.size
            near = full and following.page == line.page and line.baseline - following.baseline < 1.6 * line.size
            if NOT_ANSWER.match(following.text) or not (near or not own[0].text):
                break
            own.append(following)
            line = following
        return tuple(each for each in own if each.text)
    return ()
