"""The text of an answer without its wrapping, and its components."""

from __future__ import annotations

import re
from functools import lru_cache

_BRACED = r"(?P<inner>(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)"
_WRAPPERS = (
    ("$$", re.compile(r"\$\$(?P<inner>.*)\$\$\Z", re.DOTALL)),
    ("$", re.compile(r"\$(?P<inner>[^$]*)\$\Z", re.DOTALL)),
    ("\\(", re.compile(r"\\\((?P<inner>.*)\\\)\Z", re.DOTALL)),
    ("\\[", re.compile(r"\\\[(?P<inner>.*)\\\]\Z", re.DOTALL)),
    (
        "\\",
        re.compile(
            r"\\(?:boxed|fbox|mathbf|boldsymbol|displaystyle|text(?:bf|rm|it|normal)?|mbox|mathrm)\s*"
            rf"\{{{_BRACED}\}}\Z",
            re.DOTALL,
        ),
    ),
    ("**", re.compile(r"\*\*(?P<inner>[^*]*)\*\*\Z")),
)
"""What each begins with, and its expression."""
_TEXT = re.compile(
    r"\\(?:text(?:bf|rm|it|normal|sf|tt)?|mbox|hbox|mathrm|mathbf|operatorname\*?|textsc)\s*\{([^{}]*)\}"
)
_OPEN, _CLOSE = "([{（【", ")]}）】"
_JOINT = re.compile(
    r"\s*(?:;|；|、|\band\b|(?:\\text\s*\{\s*and\s*\})|\\quad|\\qquad|和|\n)\s*|,(?!\d{3}(?!\d))\s*|，\s*|,\s+"
)
_THIN_SPACE = re.compile(r"\\[,;:>]")
_SPACED_THOUSANDS = re.compile(r"(?<![\d,])\d{1,3}(?:, \d{3}){2,}(?![\d,])")
_WRAPPED = ("$", "\\", "*", ".", "。")


@lru_cache(maxsize=512)
def bare(answer: str) -> str:
    """Return the answer without dollar signs, boxes, bold, surrounding text commands and a final full stop."""
    current = answer.strip()
    while current.startswith(_WRAPPED) or current.endswith(_WRAPPED):
        inner = current
        if inner.endswith((".", "。")) and not inner.endswith(".."):
            inner = inner[:-1].rstrip()
        for beginning, wrapper in _WRAPPERS:
            if inner.startswith(beginning) and (found := wrapper.match(inner)) is not None:
                inner = found["inner"].strip()
        if inner == current:
            break
        current = inner
    return current


@lru_cache(maxsize=512)
def unwrapped_text(answer: str) -> str:
    """Return the bare answer with the contents of its text commands in the open."""
    current = bare(answer)
    while "\\" in current and (opened := _TEXT.sub(r" \1 ", current)) != current:
        current = opened
    return current.replace("$", " ").strip()


@lru_cache(maxsize=512)
def components(answer: str) -> tuple[str, ...]:
    """Return the pieces of a bare list: cut at commas, semicolons and ``and`` outside all brackets.

    A tuple, set or interval is one piece; so is a number with thousands separators.
    """
    text = bare(answer).replace("\\{", "{").replace("\\}", "}").replace("\\!", "").replace("{,}", "")
    text = _THIN_SPACE.sub(" ", text)
    text = _SPACED_THOUSANDS.sub(lambda number: number.group().replace(" ", ""), text)
    depth, levels = 0, []
    for character in text:
        depth += (character in _OPEN) - (character in _CLOSE)
        levels.append(depth)
    pieces, start = [], 0
    for joint in _JOINT.finditer(text):
        if joint.end() > joint.start() and levels[joint.start()] <= 0 and levels[joint.end() - 1] <= 0:
            pieces.append(text[start : joint.start()])
            start = joint.end()
    pieces.append(text[start:])
    return tuple(piece.strip(" $") for piece in pieces if piece.strip(" $"))


def squeezed(text: str) -> str:
    """Return the text without blanks, dollar signs and sizing commands: to ask whether two texts show one formula."""
    return _SQUEEZED.sub("", text)


_SQUEEZED = re.compile(r"[\s$]|\\left(?![a-z])|\\right(?![a-z])|\\[,;!]|\\displaystyle")
