"""Where the mathematics of a statement stands, and the statement with it blanked out.

A dollar sign opens a formula or is money: ``$5 bills and $2 bills`` holds no formula. The test is Pandoc's, loosened
for the ``$ x $`` that many sets contain.
"""

from __future__ import annotations

import re

BLANK = "\ufffc"
"""What every character of a formula becomes in `blank`: the object replacement character, a non-word character."""

_DELIMITED = re.compile(
    r"\\\[.*?\\\]|\\\(.*?\\\)|\\begin\{(?P<name>[a-zA-Z]+\*?)\}.*?\\end\{(?P=name)\}|(?<!\\)\$\$.+?\$\$|(?<!\\)\$",
    re.DOTALL,
)
_OTHER_DELIMITER = re.compile(r"\\(?:[(\[]|begin\{)")
_CLOSING = re.compile(r"(?<!\\)\$")
_PROSE_ENVIRONMENTS = frozenset(["itemize", "enumerate", "center", "quote", "description", "document", "flushleft"])
_FORMULA_SIGN = re.compile(r"[\\^_{}=<>+*/]|(?<=\w)-(?=\w)")
_TOO_SHORT_FOR_WORDS = 11
_WORDS = re.compile(r"[A-Za-z]{3,}")


def segments(text: str) -> list[tuple[int, int]]:
    """Return the start and end of every formula, delimiters included, in reading order."""
    if "$" not in text and "\\" not in text:
        return []
    pieces = _cut_at_dollars(text)
    return _marked(text) if pieces is None else _between_dollars(pieces)


def blank(text: str) -> str:
    """Return the text with every character of a formula replaced by `BLANK`: same length, same places."""
    pieces = _cut_at_dollars(text)
    if pieces is not None:
        pieces[1::2] = [BLANK * (len(formula) + 2) for formula in pieces[1::2]]
        return "".join(pieces)
    parts, position = [], 0
    for start, end in _marked(text):
        parts += [text[position:start], BLANK * (end - start)]
        position = end
    return "".join([*parts, text[position:]])


def _cut_at_dollars(text: str) -> list[str] | None:
    """Return the text cut at its dollar signs where they all pair and nothing else delimits; prose comes first.

    Most statements are of this kind, and cutting is many times faster than the search for delimiters.
    """
    if "$$" in text or "\\$" in text:
        return None
    pieces = text.split("$")
    if len(pieces) % 2 == 0:
        return None
    certain = "\n\n" not in text
    for content, following in zip(pieces[1::2], pieces[2::2], strict=True):
        if not (certain and "\\" in content) and not _is_formula(content, following):
            return None
    if "\\" in text:
        for piece in pieces[::2]:
            if "\\" in piece and _OTHER_DELIMITER.search(piece):
                return None
    return pieces


def _between_dollars(pieces: list[str]) -> list[tuple[int, int]]:
    found, position = [], 0
    for place, piece in enumerate(pieces):
        if place % 2:
            found.append((position - 1, position + len(piece) + 1))
        position += len(piece) + 1
    return found


def _marked(text: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    position = 0
    while (opening := _DELIMITED.search(text, position)) is not None:
        start, end = opening.span()
        if opening.group() == "$":
            closing = _closing_dollar(text, end)
            if closing is None:
                position = end
                continue
            end = closing
        elif opening["name"] in _PROSE_ENVIRONMENTS:
            position = opening.end("name") + 1
            continue
        found.append((start, end))
        position = end
    return found


def _closing_dollar(text: str, inside: int) -> int | None:
    closing = _CLOSING.search(text, inside)
    if closing is None:
        return None
    content = text[inside : closing.start()]
    return closing.end() if _is_formula(content, text[closing.end() : closing.end() + 1]) else None


def _is_formula(content: str, following: str) -> bool:
    """Tell a formula from the text between two amounts of money, by what stands between and after the signs."""
    if "\\" in content:
        return "\n\n" not in content
    if not content or content.isspace() or "\n\n" in content:
        return False
    if content[0].isdigit() and (following[:1].isdigit() or content[-1].isspace()):
        return False
    return (
        len(content) < _TOO_SHORT_FOR_WORDS or bool(_FORMULA_SIGN.search(content)) or len(_WORDS.findall(content)) < 3
    )
