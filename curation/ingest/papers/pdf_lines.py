"""Splits a PDF's pages into lines of text with formulas, without running heads, page numbers and logos."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from curation.ingest.papers.atoms import Atom, Drawing, PageContent
from curation.ingest.papers.formula_rows import Piece, compose, middle
from curation.ingest.papers.line_text import line_text
from curation.ingest.papers.part_marks import opens_a_part
from curation.ingest.papers.pdf_formulas import assemble

_MARGIN = 0.18
"""Share of the page's height at its top and bottom where running heads and page numbers stand."""
_SET_OFF = 1.8
"""Ems over a page number at least; lines of text are at most 1.5 apart."""
_NUMBER = re.compile(r"\d+")
_FEWEST_HEADS = 1 / 3
"""Share of a paper's pages that have a running head at least: heads alternate, and covers and first pages have none."""
_LONGEST_PAGE_NUMBER = 4
_FEWEST_WATERMARKS = 3
"""Pages on each of which the same is drawn amid the text before it is taken for the paper's background."""
_PAGE_NUMBER = re.compile(r"(?:page\s*)?[-–]*\s*\d{1,3}\s*[-–]*(?:\s*(?:of|/)\s*\d{1,3})?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a page.

    Attributes:
        page: the page's number.
        text: what it says, formulas between dollar signs.
        pieces: the same, piece by piece.
        x0, x1, top, bottom: where it stands, in points.
        baseline: where its letters stand.
        size: its font size.
        damage: what was lost in it.
    """

    page: int
    text: str
    pieces: tuple[Piece, ...]
    x0: float
    x1: float
    top: float
    bottom: float
    baseline: float
    size: float
    damage: tuple[str, ...]


@dataclass(slots=True)
class Paper:
    """All lines of a paper in reading order, and what is drawn beside them, by page.

    Attributes:
        lines: in reading order, page by page.
        drawings: figures, and lines that belong to no formula.
        body_size: the font size of most letters.
    """

    lines: list[Line] = field(default_factory=list)
    drawings: dict[int, list[Drawing]] = field(default_factory=dict)
    body_size: float = 10.0


def read_paper(pages: Iterable[PageContent]) -> Paper:
    """Return the lines and drawings of the pages."""
    contents = list(pages)
    paper = Paper()
    sizes = Counter(round(atom.size, 1) for page in contents for atom in page.atoms if atom.kind == "glyph")
    if sizes:
        paper.body_size = sizes.most_common(1)[0][0]
    lines: list[list[Line]] = []
    for page in contents:
        atoms = assemble(page.atoms)
        strokes = [atom for atom in atoms if atom.kind in ("rule", "vrule")]
        lines.append([_line(page.number, each) for each in split_lines(atoms)])
        paper.drawings[page.number] = _figures(page, strokes)
    _leave_out_repeated_drawings(contents, paper.drawings)
    running = _running_heads(contents, lines)
    for page, own in zip(contents, lines, strict=True):
        furniture = _furniture(page, own, running)
        paper.lines += [line for place, line in enumerate(own) if line.text and place not in furniture]
    return paper


def split_lines(atoms: Sequence[Atom]) -> list[list[Atom]]:
    """Split a page's atoms into lines: a line ends where drawing returns to the left, lower, or leaves its height."""
    lines: list[list[Atom]] = []
    right = size = baseline = base = 0.0
    for atom in atoms:
        if atom.kind in ("rule", "vrule"):
            continue
        is_script = atom.size < 0.85 * size and atom.x0 > base and middle(atom) > baseline - 1.6 * size
        if not lines or (_begins_line(atom, right, size, baseline) and not is_script):
            lines.append([])
            right, size, baseline = atom.x1, 0.0, middle(atom) - 0.25 * atom.size
        lines[-1].append(atom)
        right = max(right, atom.x1)
        if atom.size > 0.85 * size:
            base = atom.x0
        sized = atom.kind == "glyph" or (atom.kind == "box" and atom.name != "fraction")
        if sized and atom.size > 1.05 * size:
            size, baseline = atom.size, atom.baseline
    return lines


def _begins_line(atom: Atom, right: float, size: float, baseline: float) -> bool:
    em = size or atom.size
    if atom.kind == "frame":
        return middle(atom) < baseline - 0.45 * em and atom.x0 < right - em
    if middle(atom) < baseline - 0.45 * em and atom.x0 < right - em:
        return True
    if atom.kind == "glyph" and atom.size > 0.85 * em and abs(atom.baseline - baseline) > 0.8 * em:
        return True
    axis = atom.baseline if atom.name == "fraction" else middle(atom)
    apart = abs(axis - baseline - 0.25 * em) > 0.75 * em
    return (apart and atom.size > 0.85 * em) or middle(atom) > baseline + 2.5 * em


def _line(page: int, atoms: Sequence[Atom]) -> Line:
    pieces, lost = compose(atoms)
    damage = dict.fromkeys([*(each for atom in atoms for each in atom.damage), *lost])
    glyphs = [atom for atom in atoms if atom.kind == "glyph"] or list(atoms)
    size = max(atom.size for atom in glyphs)
    baseline = next(atom.baseline for atom in glyphs if atom.size == size)
    return Line(
        page=page,
        text=line_text(pieces),
        pieces=tuple(pieces),
        x0=min(atom.x0 for atom in atoms),
        x1=max(atom.x1 for atom in atoms),
        top=max(atom.top for atom in atoms),
        bottom=min(atom.bottom for atom in atoms),
        baseline=baseline,
        size=size,
        damage=tuple(damage),
    )


def _figures(page: PageContent, strokes: Sequence[Atom]) -> list[Drawing]:
    """Return a page's drawings; a path as large as the page is its background."""
    drawn = [
        drawing
        for drawing in page.drawings
        if drawing.what != "drawing"
        or drawing.x1 - drawing.x0 < 0.9 * page.width
        or drawing.top - drawing.bottom < 0.9 * page.height
    ]
    for stroke in strokes:
        separates = stroke.kind == "rule" and stroke.x1 - stroke.x0 > 0.5 * page.width
        what = "separator" if separates else "a line that belongs to no formula"
        drawn.append(Drawing(what, stroke.x0, stroke.x1, stroke.top, stroke.bottom))
    return drawn


def _place(drawing: Drawing) -> tuple[str, int, int, int, int]:
    corners = (drawing.x0, drawing.x1, drawing.top, drawing.bottom)
    x0, x1, top, bottom = (round(corner / 2) for corner in corners)
    return drawing.what, x0, x1, top, bottom


def _leave_out_repeated_drawings(pages: Sequence[PageContent], drawings: dict[int, list[Drawing]]) -> None:
    """Take out logos and the lines under running heads, drawn at one place of several margins, and watermarks."""
    counted = Counter(place for own in drawings.values() for place in {_place(drawing) for drawing in own})
    everywhere = max(len(pages), _FEWEST_WATERMARKS)
    for page in pages:
        drawings[page.number] = [
            drawing
            for drawing in drawings[page.number]
            if counted[_place(drawing)] < (2 if _in_margin(page, drawing) else everywhere)
        ]


def _in_margin(page: PageContent, piece: Line | Drawing) -> bool:
    return piece.bottom > (1 - _MARGIN) * page.height or piece.top < _MARGIN * page.height


def _heads(line: Line) -> set[tuple[str, int]]:
    """Return what a line would say on every page if it were a running head, with its height.

    One number in it may be the page's: it counts by its distance from the page's place.
    """
    height = round(line.baseline / 3)
    paged = {
        f"{line.text[: number.start()]}#{int(number[0]) - line.page}{line.text[number.end() :]}"
        for number in _NUMBER.finditer(line.text)
        if len(number[0]) < _LONGEST_PAGE_NUMBER
    }
    return {(text, height) for text in (line.text, *paged)}


def _running_heads(pages: Sequence[PageContent], lines: Sequence[Sequence[Line]]) -> set[tuple[str, int]]:
    """Return what stands in the margin of enough pages at one height and opens no problem, solution or answer."""
    counted = Counter(
        head
        for page, own in zip(pages, lines, strict=True)
        for head in {
            head
            for line in own
            if line.text and _in_margin(page, line) and not opens_a_part(line.text)
            for head in _heads(line)
        }
    )
    return {head for head, count in counted.items() if count > 1 and count >= _FEWEST_HEADS * len(pages)}


def _furniture(page: PageContent, own: Sequence[Line], running: set[tuple[str, int]]) -> set[int]:
    """Return the places of running heads and of the page number: those beyond which nothing else stands."""
    heads = {
        place
        for place, line in enumerate(own)
        if line.text and _in_margin(page, line) and not running.isdisjoint(_heads(line))
    }
    downwards = sorted(range(len(own)), key=lambda place: -own[place].baseline)
    upwards = downwards[::-1]
    found = {place for place in takewhile(heads.__contains__, downwards) if not _goes_on(own[place].text)}
    feet = list(takewhile(lambda place: place in heads or _is_page_number(page, own[place]), upwards))
    # The last lines of a text can repeat as well, so a foot stands apart from it.
    gaps = [own[place].baseline - own[below].baseline for place, below in zip(upwards[1:], feet, strict=False)]
    apart = [gap > _SET_OFF * own[place].size for gap, place in zip(gaps, feet, strict=False)]
    foot = (
        feet if len(feet) == len(own) else feet[: max((count for count, yes in enumerate(apart, 1) if yes), default=0)]
    )
    found.update(place for place in foot if len(foot) < len(own) or not _goes_on(own[place].text))
    return found


def _goes_on(text: str) -> bool:
    """Tell the end of a sentence, which can stand first on several pages, from a head."""
    return text[0].islower() and _PAGE_NUMBER.fullmatch(text) is None


def _is_page_number(page: PageContent, line: Line) -> bool:
    return line.top < _MARGIN * page.height and _PAGE_NUMBER.fullmatch(line.text) is not None


def join_lines(lines: Sequence[Line], words: frozenset[str]) -> str:
    """Return lines as running text: divided words joined, paragraphs and listed items apart.

    Args:
        words: the words of the whole paper that stand inside lines; a division is undone where they hold the whole
            word or do not hold its hyphened form.
    """
    text = ""
    last: Line | None = None
    for line in lines:
        if last is not None:
            if last.pieces and last.pieces[-1].glyph.name == "hyphen" and text.endswith("-"):
                text = _undivided(text, line.text, words)
            elif last.page == line.page and last.baseline - line.baseline > 2.1 * max(last.size, line.size):
                text += "\n\n"
            elif line.text.startswith(("•", "$\\bullet", "–")):
                text += "\n"
            else:
                text += " "
        text += line.text
        last = line
    return text.strip()


_TAIL = re.compile(r"([A-Za-z]+(?:-[A-Za-z]+)*)-\Z")
_HEAD = re.compile(r"[a-z]+")
_NUMBER_WORDS = frozenset(
    [
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "twenty",
        "thirty",
        "forty",
        "fifty",
        "sixty",
        "seventy",
        "eighty",
        "ninety",
        "half",
        "self",
    ]
)

_COMPOUND_ENDS = frozenset(
    ["shaped", "sided", "faced", "digit", "letter", "element", "dimensional", "handed", "angled", "colored", "coloured"]
)
"""Ends of words that are written with a hyphen before them."""


def _undivided(text: str, following: str, words: frozenset[str]) -> str:
    """Return the text without the hyphen at its end where it divides a word."""
    tail, head = _TAIL.search(text), _HEAD.match(following)
    if tail is None or head is None or len(tail[1]) == 1 or tail[1].lower() in _NUMBER_WORDS:
        return text
    if following[head.end() : head.end() + 1] == "-" or head[0] in _COMPOUND_ENDS:
        return text
    whole, hyphened = (tail[1] + head[0]).lower(), f"{tail[1]}-{head[0]}".lower()
    return text if hyphened in words and whole not in words else text[:-1]


def words_of(lines: Iterable[Line]) -> frozenset[str]:
    """Return the words inside lines, hyphened ones whole, in lower case."""
    return frozenset(
        word.lower() for line in lines for word in re.findall(r"[A-Za-z]+(?:-[A-Za-z]+)*(?![A-Za-z-]*-\Z)", line.text)
    )


def shifted(line: Line, text: str) -> Line:
    """Return the line with another text, for a line whose label is taken off."""
    return replace(line, text=text)
