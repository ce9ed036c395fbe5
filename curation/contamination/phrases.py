"""What a rewording adds, leaves out or says with other words as a whole phrase: examples, and how things are asked."""

from __future__ import annotations

import re

_EXAMPLE = re.compile(
    r"(?:\b(?:for example|for instance|por ejemplo|par exemple|zum beispiel|например)\b|例如|例えば)"
    r"(?:[^.。\n]|[.](?=\S)){0,400}[.。]?",
    re.IGNORECASE,
)
_ASKED = (
    (re.compile(r"\bhow (?:small|few|short|low|little|near|close)\b", re.IGNORECASE), "minimum"),
    (re.compile(r"\bhow (?:large|big|great|high)\b", re.IGNORECASE), "maximum"),
    (re.compile(r"\bhow far\b", re.IGNORECASE), "distance"),
    (re.compile(r"\bhow likely\b", re.IGNORECASE), "probability"),
)
_HOW = re.compile(r"how [sflnhcb]")
_EXAMPLE_SIGNS = ("example", "instance", "ejemplo", "exemple", "beispiel", "пример", "例")


def plainly(text: str) -> str:
    """Return a text without its examples and with "how small" and the like as the word for it."""
    lowered = text.lower()
    # Patterns that ignore case look at each character; most texts need none.
    said = _EXAMPLE.sub(" ", text) if any(sign in lowered for sign in _EXAMPLE_SIGNS) else text
    for phrase, word in _ASKED if _HOW.search(lowered) else ():
        said = phrase.sub(word, said)
    return said
