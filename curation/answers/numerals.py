"""Reads answers that are nothing but one number, of any size and without floats: integers, decimals, fractions.

Everything is matched as text first. Digits become integers in pieces, because Python refuses more than 4,300 at once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

DIGIT_LIMIT = 200_000
"""Digits of the longest number that is read."""

_PIECE = 4_000

_SIMPLE = re.compile(r"([+-]?)(\d+)(?:\.(\d*))?")
_GROUPED = re.compile(r"([+-]?)(\d{1,3}(?:,\d{3})+)(?:\.(\d*))?")
_GROUPED_BY_POINTS = re.compile(r"([+-]?)(\d{1,3}(?:\.\d{3}){2,}|\d{1,3}(?:'\d{3})+)")
_PREFIXED = re.compile(r"0x([0-9A-Fa-f]+)|0b([01]+)|0o([0-7]+)")
_FRACTION = re.compile(
    r"([+-]?)\\[dtc]?frac\s*(?:\{\s*([+-]?)\s*(\d+)\s*\}|(?<=c)\s*(?![a-z{])(\d))\s*(?:\{\s*(\d+)\s*\}|(\d))(?!\s*\d)"
)
_SLASH = re.compile(r"([+-]?)(\d+)\s*/\s*(\d+)")
_UNICODE_MINUS = str.maketrans("−–", "--")


@dataclass(frozen=True, slots=True)
class Numeral:
    """One number.

    Attributes:
        value: its exact value.
        kind: ``integer``, ``rational`` or ``decimal``, as it is written.
        grouped: commas stand between groups of three digits, so that it may be a list as well.
    """

    value: Fraction
    kind: str
    grouped: bool = False


def read_numeral(text: str) -> Numeral | None:
    """Return the number that the text is, None where it is anything else.

    Read are ``-7``, ``007``, ``+2``, ``3.50``, ``.5``, ``1,300``, ``1.300.000``, ``1'300``, ``0xFF``, ``3/4`` and
    ``\\frac{3}{4}``, with dollar signs around and a full stop after.
    """
    text = text.strip()
    if not text or len(text) > DIGIT_LIMIT:
        return None
    if text[0] == "$" and text[-1] == "$" and len(text) > 2:
        text = text[1:-1].strip()
    if not text.isascii():
        text = text.translate(_UNICODE_MINUS)
        if not text.isascii():
            return None
    if text.endswith(".") and len(text) > 1:
        text = text[:-1]
    if text.startswith("."):
        text = "0" + text
    elif text.startswith("-."):
        text = "-0" + text[1:]
    if match := _SIMPLE.fullmatch(text):
        sign, whole, decimals = match.groups()
        return _number(sign, whole, decimals or "", grouped=False)
    if text[0] == "0" and (match := _PREFIXED.fullmatch(text)) and len(text) < _PIECE:
        return Numeral(Fraction(int(text, 0)), "base-n numeral")
    if ("." in text or "'" in text) and (match := _GROUPED_BY_POINTS.fullmatch(text)):
        return _number(match.group(1), re.sub(r"[.']", "", match.group(2)), "", grouped=False)
    if "\\" in text:
        if match := _FRACTION.fullmatch(text):
            sign, inner, top, short_top, bottom, short_bottom = match.groups()
            return _rational((sign == "-") != (inner == "-"), top or short_top, bottom or short_bottom)
        return None
    if "/" in text and (match := _SLASH.fullmatch(text)):
        return _rational(match.group(1) == "-", match.group(2), match.group(3))
    if "," in text and (match := _GROUPED.fullmatch(text)):
        sign, whole, decimals = match.groups()
        return _number(sign, whole.replace(",", ""), decimals or "", grouped=True)
    return None


def integer_of(digits: str) -> int:
    """Return the integer that a string of decimal digits writes, however long."""
    if len(digits) <= _PIECE:
        return int(digits)
    middle = len(digits) // 2
    high, low = integer_of(digits[:-middle]), integer_of(digits[-middle:])
    return high * int(10**middle) + low


def _number(sign: str, whole: str, decimals: str, *, grouped: bool) -> Numeral:
    top = integer_of(whole + decimals)
    top = -top if sign == "-" else top
    if decimals:
        return Numeral(Fraction(top, 10 ** len(decimals)), "decimal", grouped)
    return Numeral(Fraction(top), "integer", grouped)


def _rational(negative: bool, top: str, bottom: str) -> Numeral | None:
    below = integer_of(bottom)
    if below == 0:
        return None
    above = integer_of(top)
    return Numeral(Fraction(-above if negative else above, below), "rational")
