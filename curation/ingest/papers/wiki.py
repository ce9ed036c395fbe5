"""Contest papers in MediaWiki's markup, as the AoPS wiki has them: a heading a problem, formulas in tags.

mwparserfromhell reads links, templates and tags, because they nest in ways that expressions cannot follow. It knows no
``<cmath>``; formulas are put aside before it looks.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

import mwparserfromhell
from mwparserfromhell.nodes import Comment, ExternalLink, Heading, HTMLEntity, Node, Tag, Template, Text, Wikilink

from curation.errors import InputError
from curation.ingest.papers.headed import (
    SOLUTION_LINK,
    TRANSCLUDED,
    Headed,
    items_under_headings,
    key_items,
    without_marks,
)
from curation.ingest.papers.headed import Heading as HeadingPart
from curation.ingest.papers.items import FIGURE_MARK, Fault, Item

_FORMULA = re.compile(
    r"<(?P<tag>i?math|cmath|asy)\b[^>]*>(?P<content>(?:(?!<(?:i?math|cmath|asy)\b|\n==).)*?)</(?P=tag)\s*>"
    r"|\[asy\].*?\[/asy\]",
    re.DOTALL | re.IGNORECASE,
)
"""A formula or drawing; one that is not closed ends at the next one or at a heading, and is none."""
_HELD = re.compile("\ue000(\\d+)\ue001")
_SWITCH = re.compile(r"__[A-Z]{3,}__")
_FILE_LINK = re.compile(r"\s*(?:file|image)\s*:", re.IGNORECASE)
_CATEGORY_LINK = re.compile(r"\s*category\s*:", re.IGNORECASE)
_PROBLEM_PAGE = re.compile(r"/Problem[ _]\d+\s*(?:#.*)?\Z", re.IGNORECASE)
_BOX_TEMPLATE = re.compile(r"\A(?:.*\bbox|MAA Notice|AIME Problems|.*\bProblems|TOC\w*|duplicate)\Z", re.IGNORECASE)
_BREAKS = frozenset(["br", "p", "div", "center", "blockquote"])
_MARKS = {"*": "* ", "#": "# ", ":": "", ";": ""}


def read_wiki(path: Path, shown: str, place: int, *, solved: bool, number: int | None) -> list[Item | Fault]:
    """Return the problems of a page.

    Args:
        path: the file.
        shown: its path in the archive, for locations.
        place: the file's place among those of its round.
        solved: whether solutions under headings of their own are read too.
        number: the problem's number where the page holds one alone.

    Raises:
        InputError: the file cannot be opened.
    """
    return items_under_headings(_parts(_text(path)), shown, place, solved=solved, number=number)


def read_wiki_key(path: Path, shown: str, place: int) -> list[Item | Fault]:
    """Return the answers of an answer key: a numbered list with one answer a line.

    Raises:
        InputError: as `read_wiki`.
    """
    lines = [line[1:].strip() for line in _text(path).splitlines() if re.match(r"#(?![#*:])", line)]
    return key_items([_plain(line) for line in lines], shown, place)


def _plain(line: str) -> str:
    return "".join(part for part in _parts(line) if isinstance(part, str)).strip()


def _text(path: Path) -> str:
    # A byte that is no UTF-8 spoils its own problem, not the paper.
    try:
        return path.read_bytes().decode(errors="replace").replace("\r\n", "\n")
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror})") from None


def _parts(text: str) -> list[Headed]:
    """Return a page as headings and the text between them, formulas as TeX."""
    held: list[str] = []

    def hold(found: re.Match[str]) -> str:
        held.append(_formula(found))
        return f"\ue000{len(held) - 1}\ue001"

    safe = _SWITCH.sub("", _FORMULA.sub(hold, without_marks(text)))
    parts: list[Headed] = []
    for part in _shown(mwparserfromhell.parse(safe, skip_style_tags=False).nodes):
        if isinstance(part, str):
            parts.append(_HELD.sub(lambda found: held[int(found[1])], part))
        else:
            parts.append(part)
    return parts


def _formula(found: re.Match[str]) -> str:
    tag = (found["tag"] or "asy").lower()
    if tag == "asy":
        return FIGURE_MARK
    content = html.unescape(found["content"]).strip()
    return f"\\[{content}\\]" if tag == "cmath" else f"${content}$"


def _shown(nodes: list[Node]) -> Iterator[Headed]:
    for node in nodes:
        if isinstance(node, Heading):
            yield HeadingPart(
                "".join(part for part in _shown(node.title.nodes) if isinstance(part, str)).strip(), node.level
            )
        elif isinstance(node, Text):
            yield str(node.value)
        elif isinstance(node, HTMLEntity):
            yield str(node.normalize()).replace("\xa0", " ")
        elif isinstance(node, Wikilink):
            yield from _link(node)
        elif isinstance(node, ExternalLink):
            yield from _shown(node.title.nodes if node.title else [])
        elif isinstance(node, Template):
            yield _template(node)
        elif isinstance(node, Tag):
            yield from _tag(node)
        elif not isinstance(node, Comment):
            yield str(node)


def _link(link: Wikilink) -> Iterator[Headed]:
    title = str(link.title)
    words = "".join(part for part in _shown((link.text or link.title).nodes) if isinstance(part, str))
    if _FILE_LINK.match(title):
        yield FIGURE_MARK
    elif words.strip().lower() == "solution" or (_PROBLEM_PAGE.search(title) and "solution" in words.lower()):
        yield SOLUTION_LINK
    elif not _CATEGORY_LINK.match(title):
        yield words


def _template(template: Template) -> str:
    name = str(template.name).strip()
    if _BOX_TEMPLATE.fullmatch(name) and not name.startswith(":"):
        return ""
    # Its text stands on another page, so the problem is not whole here.
    return f"{TRANSCLUDED}{{{{{name}}}}}"


def _tag(tag: Tag) -> Iterator[Headed]:
    name = str(tag.tag).strip().lower()
    markup = str(tag.wiki_markup or "")
    inner = list(_shown(tag.contents.nodes)) if tag.contents is not None else []
    words = "".join(part for part in inner if isinstance(part, str))
    if name == "table" or name == "gallery" or name == "img":
        yield FIGURE_MARK
    elif name in ("sub", "sup"):
        yield f"${'_' if name == 'sub' else '^'}{{{words}}}$"
    elif name in ("ref", "references", "style", "script"):
        return
    elif markup in _MARKS and not words:
        yield _MARKS[markup]
    elif name in _BREAKS:
        yield "\n"
        yield from inner
        yield "\n"
    else:
        yield from inner
