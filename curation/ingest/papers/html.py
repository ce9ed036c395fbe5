"""Contest papers as web pages: the AoPS wiki as it is shown, and papers whose problems are headings or a numbered list.

Formulas are images with TeX as their alternative text, MathJax scripts,
or MathML with TeX as its annotation; other images are figures.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from selectolax.lexbor import LexborNode

from curation.errors import InputError
from curation.ingest.papers.answers import stated_answers
from curation.ingest.papers.headed import (
    SOLUTION_LINK,
    Headed,
    Heading,
    items_under_headings,
    key_items,
    tidied,
    without_marks,
)
from curation.ingest.papers.items import FIGURE_MARK, Fault, Item
from curation.ingest.web_page import parse_page

_ROOTS = (".mw-parser-output", "#mw-content-text", "main", "article", "body")
_UNSHOWN = frozenset(["script", "style", "noscript", "template", "head", "nav", "header", "footer", "form", "button"])
_ASIDE = re.compile(
    r"\b(?:toc|mw-editsection|printfooter|catlinks|navbox|noprint|MathJax(?:_Preview|_SVG)?|katex-html)\b"
)
_BLOCKS = frozenset(
    ["p", "div", "section", "article", "ul", "ol", "li", "dl", "dt", "dd", "blockquote", "center", "pre", "details"]
)
_SET_BY_STYLE = re.compile(
    r"\b(?:m?frac(?:tion)?|numer(?:ator)?|denom(?:inator)?|vinculum|sqrt|radical|radicand)\b", re.IGNORECASE
)
"""Names of what a style sheet sets as a fraction or root; its text alone would run together."""
_LEVEL = re.compile(r"h([1-6])")
_FORMULA_IMAGE = re.compile(r"\b(?:latex\w*|tex|mwe-math\S*)\b")
_ASYMPTOTE = re.compile(r"\s*\[asy\]|\bdraw\s*\(")
_DELIMITED = re.compile(r"\$.*\$|\\\[.*\\\]|\\\(.*\\\)|\\begin\{", re.DOTALL)
_DOLLAR = re.compile(r"(?<!\\)\$")
_TEX_TYPE = re.compile(r"math/tex(?P<display>\s*;\s*mode=display)?")
_NUMBERED = re.compile(r"(?P<number>\d{1,3})\s*[.)]\s+(?P<text>.+)", re.DOTALL)
_HEADING_MARK = "\ue003"
_ANSWER = re.compile(r"^\s*Answer\s*[.:]", re.IGNORECASE | re.MULTILINE)


def read_html(path: Path, shown: str, place: int, *, solved: bool, number: int | None) -> list[Item | Fault]:
    """Return the problems of a page: under headings that number them, else in its longest numbered list.

    Args:
        path: the file.
        shown: its path in the archive, for locations.
        place: the file's place among those of its round.
        solved: whether solutions under headings of their own, or answers inside a list's items, are taken in.
        number: the problem's number where the page holds one alone.

    Raises:
        InputError: the file cannot be opened.
        NestedTooDeeplyError: its elements are.
    """
    root = _root(path)
    found = items_under_headings(list(_parts(root)), shown, place, solved=solved, number=number)
    if any(isinstance(item, Item) for item in found):
        return found
    lists = _lists(root)
    listed = max(lists, key=len, default=[]) or _numbered_blocks(root)
    others = [each for each in lists if each is not listed and len(each) > 1]
    faults = [
        Fault(
            f"{shown}:1", "other_list", f"the page has another numbered list, of {len(each)} items: {each[0][1][:60]}"
        )
        for each in others
    ]
    return [*(_listed(number, text, shown, place) for number, text in listed), *faults] if listed else found


def read_html_key(path: Path, shown: str, place: int) -> list[Item | Fault]:
    """Return the answers of an answer key: a numbered list, a table of numbers and answers, or numbered paragraphs.

    Raises:
        InputError: the file cannot be opened.
        NestedTooDeeplyError: its elements are.
    """
    root = _root(path)
    pairs = _table(root) or _numbered_blocks(root)
    items = max(_lists(root), key=len, default=[])
    if len(items) >= len(pairs):
        return key_items([text for _, text in items], shown, place)
    return [
        Item((place * 1000, str(number)), "", str(number), "", None, (text,), f"{shown}:number {number}")
        for number, text in pairs
    ]


def _root(path: Path) -> LexborNode:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror})") from None
    tree = parse_page(without_marks(content.decode(errors="replace")))
    return next(node for root in _ROOTS if (node := tree.css_first(root)) is not None)


def _parts(node: LexborNode) -> Iterator[Headed]:
    """Yield what a node shows, in order: headings, and text with formulas as TeX."""
    child = node.child
    while child is not None:
        yield from _part(child)
        child = child.next


def _part(node: LexborNode) -> Iterator[Headed]:
    tag = node.tag or ""
    if tag == "-text":
        yield (node.text_content or "").replace("\n", " ").replace("\xa0", " ")
        return
    names = f"{node.attributes.get('class') or ''} {node.attributes.get('id') or ''}"
    level = _LEVEL.fullmatch(tag)
    if level is not None:
        yield Heading(_words(node), int(level[1]))
    elif tag == "script":
        yield _script(node)
    elif tag.startswith("-") or tag in _UNSHOWN or _ASIDE.search(names):
        return
    elif tag == "img":
        yield _image(node, names)
    elif tag == "math" or "katex" in names.split():
        yield _mathml(node)
    elif _SET_BY_STYLE.search(names):
        yield "\ufffd"
    elif tag in ("svg", "canvas", "picture", "figure", "object", "embed", "iframe", "table", "video"):
        yield FIGURE_MARK
    elif tag == "a" and _words(node).strip().lower() in ("solution", "solutions"):
        yield SOLUTION_LINK
    elif tag in ("sub", "sup"):
        yield f"${'_' if tag == 'sub' else '^'}{{{_words(node)}}}$"
    elif tag == "br":
        yield "\n"
    else:
        edge = "\n\n" if tag in _BLOCKS else ""
        yield edge
        yield from _parts(node)
        yield edge


def _words(node: LexborNode) -> str:
    return "".join(part for part in _parts(node) if isinstance(part, str)).strip()


def _image(node: LexborNode, names: str) -> str:
    alternative = (node.attributes.get("alt") or "").strip()
    if not alternative or _ASYMPTOTE.search(alternative) or not _FORMULA_IMAGE.search(names):
        return FIGURE_MARK
    return alternative if _DELIMITED.match(alternative) else f"${alternative}$"


def _script(node: LexborNode) -> str:
    found = _TEX_TYPE.match(node.attributes.get("type") or "")
    if found is None:
        return ""
    formula = (node.text(strip=True) or "").strip()
    return f"\\[{formula}\\]" if found["display"] else f"${formula}$"


def _mathml(node: LexborNode) -> str:
    annotation = node.css_first('annotation[encoding="application/x-tex"]')
    if annotation is None:
        # A formula whose TeX is not there would lose its powers and fractions as plain text.
        return "\ufffd"
    return f"${annotation.text(strip=True)}$"


def _lists(root: LexborNode) -> list[list[tuple[int, str]]]:
    """Return the outermost numbered lists with the numbers that a browser shows; one that goes on joins the last."""
    found: list[list[tuple[int, str]]] = []
    for listed in root.css("ol"):
        if _inside(listed, "ol"):
            continue
        items: list[tuple[int, str]] = []
        number = _whole(listed.attributes.get("start"), 1) - 1
        child = listed.child
        while child is not None:
            if child.tag == "li":
                number = _whole(child.attributes.get("value"), number + 1)
                items.append((number, tidied(_words(child))))
            child = child.next
        if found and items and found[-1] and items[0][0] == found[-1][-1][0] + 1:
            found[-1] += items
        else:
            found.append(items)
    return found


def _inside(node: LexborNode, tag: str) -> bool:
    """Return whether a node stands in another one of a tag, or in a part of the page that is not its content."""
    parent = node.parent
    while parent is not None:
        if (
            parent.tag == tag
            or parent.tag in _UNSHOWN
            or _ASIDE.search(f"{parent.attributes.get('class') or ''} {parent.attributes.get('id') or ''}")
        ):
            return True
        parent = parent.parent
    return False


def _numbered_blocks(root: LexborNode) -> list[tuple[int, str]]:
    """Return paragraphs that start with a number; those without one go on with the problem above them.

    A heading ends the problem above it, and a list that begins anew ends all.
    """
    found: list[tuple[int, str]] = []
    goes_on = False
    text = "".join(part if isinstance(part, str) else f"\n\n{_HEADING_MARK}\n\n" for part in _parts(root))
    for paragraph in tidied(text).split("\n\n"):
        numbered = _NUMBERED.fullmatch(paragraph)
        number = int(numbered["number"]) if numbered is not None else None
        if paragraph == _HEADING_MARK:
            goes_on = False
        elif numbered is not None and number == (found[-1][0] + 1 if found else 1):
            found.append((number, numbered["text"].strip()))
            goes_on = True
        elif found and number == 1:
            break
        elif goes_on:
            found[-1] = (found[-1][0], f"{found[-1][1]}\n\n{paragraph}")
    return found


def _table(root: LexborNode) -> list[tuple[int, str]]:
    rows: Sequence[Sequence[str]] = [[_words(cell) for cell in row.css("td")] for row in root.css("tr")]
    return [(int(row[0].rstrip(".")), row[1]) for row in rows if len(row) == 2 and row[0].rstrip(".").isdecimal()]


def _listed(number: int, text: str, shown: str, place: int) -> Item:
    before = text.partition(SOLUTION_LINK)[0]
    answer = _ANSWER.search(before)
    statement, solution = (before[: answer.start()], before[answer.start() :]) if answer else (before, None)
    statement = statement.strip()
    damage = "encoding: a formula or character could not be read" if "\ufffd" in statement else None
    if damage is None and len(_DOLLAR.findall(statement)) % 2:
        damage = "lost_structure: a formula has no end"
    answers = tuple(stated_answers(solution, statement)) if solution is not None else ()
    key = (place * 1000, str(number))
    return Item(key, "", str(number), statement, solution, answers, f"{shown}:number {number}", damage)


def _whole(text: str | None, otherwise: int) -> int:
    return int(text) if text is not None and text.strip().isdecimal() else otherwise
