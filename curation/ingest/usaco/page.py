"""Problem pages of usaco.org and of its training gateway, as a browser saved them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser, LexborNode

from curation.ingest.page_text import node_text
from curation.ingest.web_page import parse_page

_PROBLEM = ".problem-text"
_SITE_HEADER = "table:has(a[href*='usaco'])"
_HEADINGS = "h1, h2, h3, h4, h5"
_SAMPLE = re.compile(r"\s*SAMPLE (?P<what>INPUT|OUTPUT)\b", re.IGNORECASE)
_CONTEST = re.compile(r"USACO (?P<year>(?:19|20)\d\d) (?P<contest>[^,]+?)(?: Contest)?, (?P<level>\w+)")
_TITLE = re.compile(r"\s*(?:Problem \d+\.\s*)?(?P<title>.+?)\s*")
_FORMAT = re.compile(r"^\W*INPUT FORMAT", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Page:
    """A problem's page.

    Attributes:
        title: None where it has none.
        contest: ``USACO 2019 December, gold`` in its parts; None for training pages.
        samples: pairs of input and output.
    """

    title: str | None
    contest: str | None
    level: str | None
    year: str | None
    statement: str
    samples: list[tuple[str, str]]


def read_page(text: str) -> Page | None:
    """Return the problem of a page; None where it shows no problem.

    Raises:
        NestedTooDeeplyError: its elements are.
    """
    tree = parse_page(text)
    for table in tree.css(_SITE_HEADER):
        table.decompose()
    root = tree.css_first(_PROBLEM) or tree.body
    statement = "" if root is None else node_text(root)
    if not _FORMAT.search(statement):
        return None
    heads = [node_text(node) for node in tree.css("h1, h2")]
    contest = next((found for head in heads if (found := _CONTEST.match(head))), None)
    titles = (head for head in heads if contest is None or head != contest.string)
    title = _TITLE.fullmatch(next(titles, ""))
    return Page(
        title=title["title"] if title else None,
        contest=contest["contest"] if contest else None,
        level=contest["level"].lower() if contest else None,
        year=contest["year"] if contest else None,
        statement=statement,
        samples=_samples(tree),
    )


def _samples(tree: LexborHTMLParser) -> list[tuple[str, str]]:
    texts: dict[str, list[str]] = {"INPUT": [], "OUTPUT": []}
    heading: re.Match[str] | None = None
    for node in tree.css(f"{_HEADINGS}, pre"):
        if node.tag != "pre":
            heading = _SAMPLE.match(node.text() or "")
        elif heading is not None:
            texts[heading["what"].upper()].append(_typed(node))
            heading = None
    return list(zip(texts["INPUT"], texts["OUTPUT"], strict=False))


def _typed(node: LexborNode) -> str:
    return (node.text() or "").strip("\n") + "\n"
