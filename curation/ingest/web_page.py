"""Parses web pages: selectolax builds the tree as a browser does, and is spared pages that would stall it."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser

_DEEPEST = 500
"""How deep elements may be nested: the parser's time grows with its square, and the tree is walked by calls."""

_ENDS_ITSELF = (
    "area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr|p|li|dt|dd|option|thead|tbody|tr|td|th"
)
_TAG = re.compile(rf"<(?P<end>/?)(?!(?:{_ENDS_ITSELF})\b)[a-z][^<>]*(?<!/)>?", re.IGNORECASE)


class NestedTooDeeplyError(ValueError):
    """A page's elements are nested deeper than any reader nests them."""


def parse_page(text: str) -> LexborHTMLParser:
    """Return the tree of a page.

    Raises:
        NestedTooDeeplyError: its elements are nested too deeply.
    """
    depth = 0
    for tag in _TAG.finditer(text):
        depth = max(0, depth - 1) if tag["end"] else depth + 1
        if depth > _DEEPEST:
            raise NestedTooDeeplyError
    return LexborHTMLParser(text)
