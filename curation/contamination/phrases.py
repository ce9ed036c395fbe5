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
_SIGNS = re.compile(r"\bhow [sflnhcbg]|example|instance|ejemplo|exemple|beispiel|пример|例", re.IGNORECASE)


def plainly(text: str) -> str:
    """Return a text without its examples and with "how small" and the like as the word for it."""
    if not _SIGNS.search(text):
        return text
    said = _EXAMPLE.sub(" ", text)
    for phrase, word in _ASKED:
        said = phrase.sub(word, said)
    return said
