r"""Brings the notations of repeating decimals into one: ``0.1(6)``, ``0.1\dot{6}`` and ``0.1666...``."""

from __future__ import annotations

import re

_PARENTHESES = re.compile(r"(?<![\w.])(\d+\.\d*)\((\d+)\)(?![\d(^])")
_DOTTED = re.compile(r"(?<![\w.])(\d+\.\d*)\\dot\s*(?:\{(\d)\}|(\d))(\d*)\\dot\s*(?:\{(\d)\}|(\d))(?!\d|\\dot)")
_GOES_ON = re.compile(r"([-+]?\d+\.)(\d+?)(?:\.\.\.+|…|\\(?:ldots|dots|cdots)\b)\.?")
_BLOCK = re.compile(r"(\d*?)(\d{1,6}?)\2{2,}")
_LONGEST = 200


def with_overline(text: str) -> str:
    r"""Return the text with each repeating decimal as ``0.1\overline{6}``.

    A decimal that goes on by dots repeats the block that stands three times at its end; without one it stays as it is.
    """
    if len(text) > _LONGEST:
        return text
    if "(" in text:
        text = _PARENTHESES.sub(r"\1\\overline{\2}", text)
    if "\\dot" in text:
        text = _DOTTED.sub(
            lambda found: f"{found.group(1)}\\overline{{{''.join(part or '' for part in found.groups()[1:])}}}", text
        )
    if going_on := _GOES_ON.fullmatch(text.strip(" $")):
        block = _BLOCK.fullmatch(going_on.group(2))
        if block and block.group(2).strip("0"):
            return f"{going_on.group(1)}{block.group(1)}\\overline{{{block.group(2)}}}"
    return text
