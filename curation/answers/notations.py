r"""Notations of one school or country in the one that the parsers read: systems, intervals, combinations, commas."""

from __future__ import annotations

import re

_SYSTEM = re.compile(
    r"\\left\s*\\(?:\{|lbrace)\s*\\begin\s*\{(array|aligned|matrix|gathered|split)\}\s*(?:\{[^{}]{0,9}\})?"
)
_EMPTY_SIDE = re.compile(r"\\(?:left|right|[bB]igg?[lr]?)\s*\.")
_COMBINATIONS = re.compile(
    r"(?<![\w)}\]])(?:\{\s*\})?(?:\^|_)\s*(?:\{(\w{1,4})\}|(\w))\s*(?:C|\\(?:mathrm|text)\s*\{C\})\s*_\s*(?:\{(\w{1,4})\}|(\w))"
)
_UNIT_FRACTION = re.compile(
    r"\\[dt]?frac\s*\{\s*\\(?:text|mathrm)\s*\{\s*([A-Za-z]+)\s*\}\s*\}\s*"
    r"\{\s*\\(?:text|mathrm)\s*\{\s*([A-Za-z]+)\s*\}\s*(\^\s*\{?\d\}?)?\s*\}"
)
_OUTWARD = re.compile(r"([\[\]])([^\[\](){}]{1,60}[,;][^\[\](){}]{1,60})([\[\]])")
_DECIMAL_COMMA = re.compile(r"(?<=\d)\{,\}(?!\d{3}(?!\d))(?=\d)")
_NUMBER_SET = re.compile(
    r"(\\in(?![a-z])|∈)\s*(?:\\math(?:bb|bf|rm)\s*(?:\{\s*([ZNRQ])\s*\}|([ZNRQ]))|([ZNRQ]))"
    r"\s*([\^_]\s*\{?\s*(?:\*|\+|\\ast)\s*\}?)?(?![A-Za-z^_])"
)
_MINUS_MONEY = re.compile(r"([-−])\s*(\\?[$€£¥₹])\s*(?=\d)")
_RUPEES = re.compile(r"\bRs\b\.?\s*(?=\d)")


def in_common_notation(text: str) -> str:
    r"""Return an answer with notations of one school or country in the common one; others come back as they are.

    ``\left\{\begin{array}{l} x=1 \\ y=2 \end{array}\right.`` becomes a ``cases`` environment, ``]1, 2]`` becomes
    ``(1, 2]``, ``k \in Z`` becomes ``k \in \mathbb{Z}``, ``{}_5C_2`` becomes a binomial coefficient, ``3{,}14`` becomes
    ``3.14``, ``-\$5`` becomes ``\$-5``.
    """
    if "\\" in text:
        if "." in text and ("\\right" in text or "\\left" in text):
            text = _EMPTY_SIDE.sub(" ", _systems(text))
        if "C" in text and ("^" in text or "_" in text):
            text = _COMBINATIONS.sub(_binomial, text)
        if "frac" in text and ("\\text" in text or "\\mathrm" in text):
            text = _UNIT_FRACTION.sub(r"\\text{ \1/\2\3}", text)
    elif "C" in text and text[:1] in "{^_":
        text = _COMBINATIONS.sub(_binomial, text)
    if "\\in" in text or "∈" in text:
        text = _NUMBER_SET.sub(_named_set, text)
    if "{,}" in text and "(" not in text and len(_DECIMAL_COMMA.findall(text)) == 1:
        text = _DECIMAL_COMMA.sub(".", text)
    if "$" in text or not text.isascii():
        text = _MINUS_MONEY.sub(r"\2\1", text)
    if "Rs" in text:
        text = _RUPEES.sub("₹", text)
    return _inward(text) if text[:1] == "]" or text[-1:] == "[" else text


def _systems(text: str) -> str:
    parts: list[str] = []
    at = 0
    while found := _SYSTEM.search(text, at):
        closing = f"\\end{{{found[1]}}}"
        end = text.find(closing, found.end())
        if end < 0:
            break
        lines = text[found.end() : end]
        if found[1] in ("aligned", "split"):
            # There the sign marks where lines are set under each other; elsewhere it separates columns.
            lines = lines.replace("&", "")
        parts += [text[at : found.start()], "\\begin{cases}", lines, "\\end{cases}"]
        at = end + len(closing)
    return "".join([*parts, text[at:]])


def _binomial(found: re.Match[str]) -> str:
    return f"\\binom{{{found[1] or found[2]}}}{{{found[3] or found[4]}}}"


def _named_set(found: re.Match[str]) -> str:
    letter = found[2] or found[3] or found[4]
    return f"\\in \\mathbb{{{letter}}}" + ("_+" if found[5] else "")


def _inward(text: str) -> str:
    def turned(found: re.Match[str]) -> str:
        opening, inside, closing = found.groups()
        return ("(" if opening == "]" else "[") + inside + (")" if closing == "[" else "]")

    return _OUTWARD.sub(turned, text)
