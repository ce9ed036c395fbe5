"""Cleaning rules for single characters and the space between them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

import ftfy

from curation.filters.rule import Edit, cleans

_MOJIBAKE = re.compile(
    "[\u00c2-\u00f4][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]+"
)
_INVISIBLE = re.compile("\r\n|[\u00ad\u200b\u200e\u200f\u2060\ufeff]+|[\u00a0\u2000-\u200a\u202f\u205f]")
_ESCAPED_LINE_END = re.compile(r"(?<!\\)\\n(?![a-z])")
_SPACING = re.compile(r"\A\s+|\s+\Z|[ \t]+(?=\n)|\n{3,}")
_EMPTY_FORMULA = re.compile(
    r"\\\(\s*\\\)|\\\[\s*\\\]|(?<![\\$])\$\s+\$(?!\$)|\\begin\{center\}\s*\\end\{center\}"
    r"|\A\s*\$(?:\s|\\(?:quad|qquad|,|;|!|:))+\$(?!\$)\s*"
)
_EMPTY_SIGNS = ("\\( ", "\\()", "\\(\\)", "\\[ ", "\\[\n", "\\[\\]", "$ $", "$  $", "$\n$", "{center}")
_LAYOUT_BEFORE = re.compile(
    r"(?:\\(?:item|noindent|par|quad|qquad|hfill|medskip|bigskip|smallskip|newline|newpage|indent)(?![A-Za-z])\s*"
    r"|\\(?:hspace|vspace)\*?\{[^{}]*\}\s*)+"
)
_LAYOUT_AFTER = re.compile(
    r"(?:\s*\\\\|\s*\\(?:newpage|vfill|pagebreak|clearpage|hfill)(?![A-Za-z])|\s*\\vspace\*?\{[^{}]*\})+\s*\Z"
)


def mended(damaged: str) -> str | None:
    """Return what a run of characters was before UTF-8 was read as Windows-1252; None where that is not certain.

    ftfy proposes; it is certain only when the proposal, damaged the same way, gives the run back.
    """
    proposal = ftfy.fix_encoding(damaged)
    if len(proposal) >= len(damaged):
        return None
    for codec in ("sloppy-windows-1252", "latin-1"):
        try:
            if proposal.encode().decode(codec) == damaged:
                return proposal
        except UnicodeDecodeError:
            continue
    return None


def mojibake_runs(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and original of every run that was certainly UTF-8 read as Windows-1252."""
    if text.isascii():
        return
    for run in _MOJIBAKE.finditer(text):
        original = mended(run.group())
        if original is not None:
            yield run.start(), run.end(), original


def is_prose(characters: str) -> bool:
    """Tell letters of words, punctuation and blanks from characters that carry mathematics."""
    return all(
        unicodedata.category(character)[0] in "PZ"
        or (unicodedata.category(character)[0] in "LM" and not "\u0370" <= character <= "\u03ff")
        for character in characters
    )


@cleans("Letters and punctuation damaged by a wrong decoding are mended.", mends=True)
def mojibake(text: str) -> Iterator[Edit]:
    """Mend words and punctuation; a damaged operator or number stays and `broken_text` drops the row."""
    for start, end, original in mojibake_runs(text):
        if is_prose(original):
            yield Edit(start, end, original)


@cleans("Characters that nobody sees go, special blanks become plain ones.", mends=True)
def invisible(text: str) -> Iterator[Edit]:
    """Zero-width characters, soft hyphens, byte-order marks, no-break blanks, Windows line ends."""
    if text.isascii() and "\r" not in text:
        return
    for found in _INVISIBLE.finditer(text):
        first = found.group()[0]
        yield Edit(found.start(), found.end(), "\n" if first == "\r" else " " if first.isspace() else "")


@cleans("A line end written as \\n becomes one.")
def escaped_line_end(text: str) -> Iterator[Edit]:
    """A backslash and an ``n`` where no LaTeX command begins, as a string that was escaped once too often has them."""
    if "\\n" in text:
        for found in _ESCAPED_LINE_END.finditer(text):
            yield Edit(found.start(), found.end(), "\n")


@cleans("Blanks at the ends and empty lines go.")
def spacing(text: str) -> Iterator[Edit]:
    """Blanks around the text and before line ends; more than one empty line."""
    if not text or not (text[0].isspace() or text[-1].isspace() or " \n" in text or "\t\n" in text or "\n\n\n" in text):
        return
    for found in _SPACING.finditer(text):
        inside = 0 < found.start() and found.end() < len(text) and found.group().startswith("\n")
        yield Edit(found.start(), found.end(), "\n\n" if inside else "")


@cleans("Empty formulas go.")
def empty_formula(text: str) -> Iterator[Edit]:
    """``\\(\\)`` and the like: delimiters around nothing. Within the text ``$\\qquad$`` is a blank to fill in and stays."""
    if any(sign in text for sign in _EMPTY_SIGNS) or text.lstrip().startswith("$\\"):
        for found in _EMPTY_FORMULA.finditer(text):
            yield Edit(found.start(), found.end())


@cleans("Layout commands at the ends of the text go.")
def layout(text: str) -> Iterator[Edit]:
    """``\\item`` or ``\\noindent`` before the text, ``\\\\`` or ``\\newpage`` after it."""
    if text.startswith("\\") and (head := _LAYOUT_BEFORE.match(text)) is not None:
        yield Edit(0, head.end())
    elif "\\" in text[-30:] and (tail := _LAYOUT_AFTER.search(text, max(0, len(text) - 200))) is not None:
        yield Edit(tail.start(), tail.end())
