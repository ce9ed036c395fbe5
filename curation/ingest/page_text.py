"""The text that a web page with a problem's statement shows: paragraphs, lists, formulas, examples as typed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborNode

from curation.ingest.web_page import parse_page

IMAGE = "<image>"
"""What stands for a picture; the filter's rules know it."""

_UNSHOWN = frozenset(["head", "script", "style", "noscript", "template", "nav", "header", "footer", "form", "button"])
_BLOCKS = frozenset(
    ["p", "div", "section", "article", "ul", "ol", "dl", "dt", "dd", "blockquote", "center", "table", "details"]
    + [f"h{level}" for level in range(1, 7)]
)
_SPACES = re.compile(r"[ \t]*\n[ \t]*")
_EMPTY_LINES = re.compile(r"\n{3,}")
_KEPT = "\ue000"
"""Stands for a line end inside text that was typed as it is, until all others are settled."""


def page_text(page: str, selector: str | None = None) -> str:
    """Return what a page shows.

    Args:
        page: its HTML.
        selector: the element that holds the statement; the body where there is no such element, or None.

    Raises:
        NestedTooDeeplyError: its elements are.
    """
    tree = parse_page(page)
    root = tree.css_first(selector) if selector is not None else None
    root = root or tree.body
    return "" if root is None else tidied("".join(_parts(root)))


def node_text(node: LexborNode) -> str:
    """Return what one element of a page shows."""
    return tidied("".join(_parts(node)))


def tidied(text: str) -> str:
    """Return text without blanks at line ends, with at most one empty line between paragraphs."""
    lines = _EMPTY_LINES.sub("\n\n", _SPACES.sub("\n", text.replace("\xa0", " ")))
    return re.sub(r" {2,}", " ", lines).replace(_KEPT, "\n").strip()


def _parts(node: LexborNode) -> Iterator[str]:
    child = node.child
    while child is not None:
        yield from _part(child)
        child = child.next


def _part(node: LexborNode) -> Iterator[str]:
    tag = node.tag or ""
    if tag == "-text":
        yield re.sub(r"\s+", " ", node.text_content or "")
    elif tag.startswith("-") or tag in _UNSHOWN or "material-icons" in (node.attributes.get("class") or ""):
        return
    elif tag == "pre":
        yield "\n\n" + (node.text() or "").strip("\n").replace("\n", _KEPT) + "\n\n"
    elif tag in ("img", "svg", "picture", "canvas", "object", "embed", "iframe", "video"):
        yield IMAGE
    elif tag in ("sub", "sup"):
        inside = "".join(_parts(node)).strip()
        sign = "_" if tag == "sub" else "^"
        if inside:
            yield f"{sign}{inside}" if len(inside) == 1 else f"{sign}{{{inside}}}"
    elif tag == "br":
        yield "\n"
    elif tag == "li":
        yield "\n- "
        yield from _parts(node)
    elif tag == "tr":
        yield "\n"
        yield from _parts(node)
    elif tag in ("td", "th"):
        yield from _parts(node)
        yield " | "
    else:
        edge = "\n\n" if tag in _BLOCKS else ""
        yield edge
        yield from _parts(node)
        yield edge
