"""Days of the year: ``March 15``, ``15th of March``, ``March 15, 2021``."""

from __future__ import annotations

import re

from curation.answers.comparison import Comparison, different, equal, unknown
from curation.text import fold

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = r"(\d{1,2})\s*(?:st|nd|rd|th)?"
_YEAR = r"(?:\s*,?\s*(\d{4}))?"
_MONTH_FIRST = re.compile(rf"{_MONTH}\s*(?:the\s+)?{_DAY}{_YEAR}")
_DAY_FIRST = re.compile(rf"(?:the\s+)?{_DAY}\s*(?:of\s+)?{_MONTH}{_YEAR}")
_MAY_BE_DATE = re.compile(r"(?i)(?<![a-z])(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)")
_LONGEST = 40


def read_date(text: str) -> tuple[int, int, int | None] | None:
    """Return month, day and year (None where it is not said); None where the text is no day of the year."""
    if len(text) > _LONGEST:
        return None
    words = fold(text).strip(" .")
    if match := _MONTH_FIRST.fullmatch(words):
        month, day, year = match.groups()
    elif match := _DAY_FIRST.fullmatch(words):
        day, month, year = match.groups()
    else:
        return None
    return _MONTHS.index(month[:3]) + 1, int(day), int(year) if year else None


def compare_dates(first: str, second: str) -> Comparison | None:
    """Compare two days of the year; None where a text is none."""
    if "\\" in first or "\\" in second or max(len(first), len(second)) > _LONGEST:
        return None
    if not (_MAY_BE_DATE.search(first) and _MAY_BE_DATE.search(second)):
        return None
    one, other = read_date(first), read_date(second)
    if one is None or other is None:
        return None
    if one[:2] != other[:2] or (one[2] and other[2] and one[2] != other[2]):
        return different("date", "different days")
    if one[2] != other[2]:
        return unknown("date", "the year is left out on one side")
    return equal("date", "the same day")
