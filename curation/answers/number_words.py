"""Numbers in words, English and Chinese, as digits: ``twenty-one``, ``two thirds``, ``百分之五十``."""

from __future__ import annotations

import re

from curation.answers.vocabulary import NUMBER_WORDS

_TENS = {
    word: 10 * value
    for value, word in enumerate(
        ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2
    )
}
_SMALL = {**{word: int(digits) for word, digits in NUMBER_WORDS.items()}, **_TENS}
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_PARTS = {
    word + ending: value
    for value, word in [
        (2, "half"), (3, "third"), (4, "quarter"), (4, "fourth"), (5, "fifth"), (6, "sixth"), (7, "seventh"),
        (8, "eighth"), (9, "ninth"), (10, "tenth"), (12, "twelfth"), (20, "twentieth"), (100, "hundredth"),
        (1000, "thousandth"),
    ]
    for ending in ("", "s")
} | {"halves": 2}  # fmt: skip
_SIGNS = frozenset({"negative", "minus"})
_WORD = re.compile(r"[A-Za-z]+")
_BLANK = re.compile(r"[ -]?")
_NEXT_MEMBER = re.compile(r"(?:,? (?:and|or)|,) ")

_LONGEST = 200

_CHINESE_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_CHINESE_PLACES = {"十": 10, "百": 100, "千": 1000}
_CHINESE = "[零〇一二两三四五六七八九十百千万亿]+"
_CHINESE_SHARE = re.compile(rf"(负?)({_CHINESE}|\d+)分之({_CHINESE}|[\d.]+)")
_CHINESE_NUMBER = re.compile(rf"(负?)({_CHINESE})")

FIRST_WORDS = frozenset(_SMALL) | _SIGNS | {"a", "half"}
"""Words that a number in words can start with."""


def in_digits(text: str) -> str:
    """Return the text with the number in words that it starts with as digits; other texts come back as they are.

    ``three apples`` becomes ``3 apples``, ``two thirds`` becomes ``2/3`` and ``one and a half hours`` ``1 1/2 hours``.
    """
    if len(text) > _LONGEST:
        return text
    reader = _Reader(text.strip())
    written = reader.number()
    if written is None:
        return text
    rest = reader.rest()
    following = _NEXT_MEMBER.match(rest)
    return written + (following.group() + in_digits(rest[following.end() :]) if following else rest)


def chinese_in_digits(text: str) -> str:
    """Return the text with the Chinese number that it starts with as digits: ``十二`` becomes ``12``."""
    text = text.strip()
    if len(text) > _LONGEST:
        return text
    if share := _CHINESE_SHARE.match(text):
        bottom, top = (_chinese(part) for part in share.group(2, 3))
        sign = "-" if share.group(1) else ""
        return f"{sign}{top}/{bottom}" + text[share.end() :] if bottom and top is not None else text
    if number := _CHINESE_NUMBER.match(text):
        value = _chinese(number.group(2))
        if value is not None:
            return ("-" if number.group(1) else "") + str(value) + text[number.end() :]
    return text


class _Reader:
    """Reads number words one after the other."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def number(self) -> str | None:
        sign = "-" if self._peek() in _SIGNS else ""
        if sign:
            self._take()
        if self._peek() in ("a", "half"):
            return self._lone_part(sign)
        whole = self._whole()
        if whole is None:
            return None
        bottom = _PARTS.get(self._peek())
        if bottom is not None:
            self._take()
            return f"{sign}{whole}/{bottom}"
        start = self._at
        if self._peek() == "and":
            self._take()
            part = self._part()
            if part is not None:
                return f"{sign}{whole} {part}"
        self._at = start
        return f"{sign}{whole}"

    def rest(self) -> str:
        """Return what stands after the number, a blank before it if it is a word."""
        rest = self._text[self._at :]
        return f" {rest.lstrip(' -')}" if rest[:1] in (" ", "-") else rest

    def _lone_part(self, sign: str) -> str | None:
        part = self._part()
        return sign + part if part is not None and not self._text[self._at :].strip(" .") else None

    def _part(self) -> str | None:
        """Read ``a half``, ``half`` or ``two thirds``."""
        top: int | None = 1
        if self._peek() == "a":
            self._take()
        elif self._peek() != "half":
            top = self._whole()
        bottom = _PARTS.get(self._peek())
        if bottom is None or top is None:
            return None
        self._take()
        return f"{top}/{bottom}"

    def _whole(self) -> int | None:
        total, group, seen = 0, 0, False
        last = 10**15
        while (word := self._peek()) and (word in _SMALL or (seen and (word in _SCALES or word in ("hundred", "and")))):
            if word == "and" and not self._goes_on():
                break
            if word in _SMALL:
                if seen and not _follows(_SMALL[word], group):
                    return None
                group += _SMALL[word]
            elif word == "hundred":
                if not 0 < group < 10:
                    return None
                group *= 100
            elif word in _SCALES:
                if not group or _SCALES[word] >= last:
                    return None
                last = _SCALES[word]
                total, group = total + group * last, 0
            self._take()
            seen = True
        return total + group if seen else None

    def _goes_on(self) -> bool:
        start = self._at
        self._take()
        following = self._peek()
        self._take()
        after = self._peek()
        self._at = start
        return following in _SMALL and after not in _PARTS and "hundred" in self._text[:start].lower()

    def _peek(self) -> str:
        match = _WORD.match(self._text, self._next())
        return match.group().lower() if match else ""

    def _take(self) -> None:
        match = _WORD.match(self._text, self._next())
        if match:
            self._at = match.end()

    def _next(self) -> int:
        blank = _BLANK.match(self._text, self._at) if self._at else None
        return blank.end() if blank else self._at


def _follows(value: int, group: int) -> bool:
    """Tell whether a word can go on with the hundreds, tens and ones before it: ``five`` after ``twenty``."""
    if value == 0:
        return False
    if group % 100 == 0:
        return True
    return group % 10 == 0 and group % 100 >= 20 and value < 10


def _chinese(text: str) -> int | None:
    """Return the number that Chinese characters write, None where they write none."""
    if text.replace(".", "").isdigit() and text.isascii():
        return int(text) if "." not in text else None
    if not any(character in "十百千万亿" for character in text):
        digits = "".join(str(_CHINESE_DIGITS[character]) for character in text)
        return int(digits)
    for sign, size in (("亿", 10**8), ("万", 10**4)):
        if sign in text:
            high, _, low = text.rpartition(sign)
            above, below = _chinese(high) if high else None, _chinese(low) if low else 0
            return None if above is None or below is None else above * size + below
    total, digit = 0, None
    for character in text:
        if character in _CHINESE_PLACES:
            place = _CHINESE_PLACES[character]
            total += (1 if digit is None and not total else digit or 0) * place
            digit = None
        elif digit is None or digit == 0:
            digit = _CHINESE_DIGITS[character]
        else:
            return None
    return total + (digit or 0)
