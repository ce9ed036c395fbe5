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
_COMMON = (
    (re.compile(r"\b(?:greatest|highest|largest) common (?:divisor|factor)s?\b", re.IGNORECASE), "gcd"),
    (re.compile(r"\b(?:least|lowest|smallest) common multiples?\b", re.IGNORECASE), "lcm"),
)
_ROUNDED = (
    (re.compile(r"\bround\w*\b[^.]{0,40}?\bdown\b", re.IGNORECASE), "floor"),
    (
        re.compile(
            r"\b(?:greatest|largest) integer (?:that is )?"
            r"(?:less than or equal to|not exceeding|not greater than|at most)",
            re.IGNORECASE,
        ),
        "floor",
    ),
)
_HOW = re.compile(r"how [sflnhcb]")
_EXAMPLE_SIGNS = ("example", "instance", "ejemplo", "exemple", "beispiel", "пример", "例")


def plainly(text: str) -> str:
    """Return a text without its examples, and one word for "how small", "rounded down" and the like."""
    lowered = text.lower()
    # Patterns that ignore case look at each character; most texts need none.
    said = _EXAMPLE.sub(" ", text) if any(sign in lowered for sign in _EXAMPLE_SIGNS) else text
    for phrase, word in _ASKED if _HOW.search(lowered) else ():
        said = phrase.sub(word, said)
    for phrase, word in _COMMON if " common " in lowered else ():
        said = phrase.sub(word, said)
    for phrase, word in _ROUNDED if "est integer" in lowered or "round" in lowered else ():
        said = phrase.sub(word, said)
    return said
