"""Cleaning rules for single characters and the space between them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from curation.filters.rule import BOTH, Edit, cleans, has_any, one_of
from curation.filters.triggers import SPACE, either

MOJIBAKE = (
    "[\u00c2-\u00f4]"
    "[\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]+"
)
"""What UTF-8 looks like that was read as Windows-1252; the trigger of the rules about it."""
_MOJIBAKE = re.compile(MOJIBAKE)
_UNSEEN = "\r\n|[\u00ad\u200b\u200e\u200f\u2060\ufeff]+|[\u00a0\u2000-\u200a\u202f\u205f]"
_INVISIBLE = re.compile(_UNSEEN)
_ESCAPED_LINE_END = re.compile(r"(?<!\\)\\n(?![a-z])")
_SPACING = re.compile(r"\A\s+|\s+\Z|[ \t]+(?=\n)|\n{3,}")
_EMPTY_FORMULA = one_of(
    r"\\\(\s*\\\)",
    r"\\\[\s*\\\]",
    r"(?<![\\$])\$\s+\$(?!\$)",
    r"\\begin\{center\}\s*\\end\{center\}",
    r"\A\s*\$(?:\s|\\(?:quad|qquad|,|;|!|:))+\$(?!\$)\s*",
)
_EMPTY_SIGNS = ("\\( ", "\\()", "\\(\\)", "\\[ ", "\\[\\]", "$ $", "{center}")
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
    # It takes a while to load, and few sets have such text.
    import ftfy

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


@cleans("Letters and punctuation damaged by a wrong decoding are mended.", when=MOJIBAKE, mends=True, domains=BOTH)
def mojibake(text: str) -> Sequence[Edit]:
    """Mend words and punctuation; a damaged operator or number stays and `broken_text` drops the row."""
    if text.isascii():
        return ()
    return [Edit(start, end, original) for start, end, original in mojibake_runs(text) if is_prose(original)]


@cleans("Characters that nobody sees go, special blanks become plain ones.", when=_UNSEEN, mends=True)
def invisible(text: str) -> Sequence[Edit]:
    """Zero-width characters, soft hyphens, byte-order marks, no-break blanks, Windows line ends."""
    return [
        Edit(found.start(), found.end(), "\n" if found[0] == "\r\n" else " " if found[0].isspace() else "")
        for found in _INVISIBLE.finditer(text)
    ]


@cleans("A line end written as \\n becomes one.", when=r"\\n(?:[^a-z]|$)")
def escaped_line_end(text: str) -> Sequence[Edit]:
    """A backslash and an ``n`` where no LaTeX command begins, as a string that was escaped once too often has them."""
    return [Edit(found.start(), found.end(), "\n") for found in _ESCAPED_LINE_END.finditer(text)]


@cleans("Blanks at the ends and empty lines go.", when=rf"^{SPACE}|{SPACE}$|[ \t]\n|\n\n\n")
def spacing(text: str) -> Sequence[Edit]:
    """Blanks around the text and before line ends; more than one empty line."""
    return [
        Edit(found.start(), found.end(), "\n\n" if _is_inside(found) and found[0].startswith("\n") else "")
        for found in _SPACING.finditer(text)
    ]


@cleans(
    "Empty formulas go.",
    when=either(
        rf"\\\({SPACE}*\\\)|\\\[{SPACE}*\\\]|\${SPACE}+\$",
        rf"\\begin\{{center\}}{SPACE}*\\end\{{center\}}",
        rf"^{SPACE}*\$(?:{SPACE}|\\(?:q?quad|[,;!:]))+\$",
    ),
)
def empty_formula(text: str) -> Sequence[Edit]:
    """``\\(\\)`` and the like: delimiters around nothing. Within the text ``$\\qquad$`` is a blank and stays."""
    if ("$" not in text and "\\" not in text) or (
        not has_any(text, _EMPTY_SIGNS) and not text.lstrip().startswith("$\\")
    ):
        return ()
    return [Edit(found.start(), found.end()) for found in _EMPTY_FORMULA.finditer(text)]


@cleans(
    "Layout commands at the ends of the text go.",
    when=either(
        r"^\\(?:item|noindent|par|q?quad|hfill|(?:med|big|small)skip|newline|newpage|indent|[hv]space)",
        rf"(?:\\\\|\\(?:newpage|vfill|pagebreak|clearpage|hfill)|\\vspace\*?\{{[^{{}}]*\}}){SPACE}*$",
    ),
)
def layout(text: str) -> Sequence[Edit]:
    """``\\item`` or ``\\noindent`` before the text, ``\\\\`` or ``\\newpage`` after it."""
    if text.startswith("\\") and (head := _LAYOUT_BEFORE.match(text)) is not None:
        return (Edit(0, head.end()),)
    if "\\" in text[-30:] and (tail := _LAYOUT_AFTER.search(text, max(0, len(text) - 200))) is not None:
        return (Edit(tail.start(), tail.end()),)
    return ()


def _is_inside(found: re.Match[str]) -> bool:
    return found.start() > 0 and found.end() < len(found.string)
