"""Dropping rules for text that was damaged on its way."""

from __future__ import annotations

import re

from curation.filters.characters import MOJIBAKE, mojibake_runs
from curation.filters.rule import BOTH, Row, drops, one_of
from curation.filters.triggers import either, signs, words

_CONTROLS = "[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f\\x80-\\x84\\x86-\\x9f]"
_CONTROL = re.compile(_CONTROLS)
_LOST_CHARACTERS = "[\ufffd\ue000-\uf8ff\ufffe\uffff]"
_LOST = re.compile(_LOST_CHARACTERS)
_EATEN_ESCAPE = one_of(
    r"\t(?:ext(?:bf|it|rm)?\b|imes\b|heta\b|riangle|frac\b|an\b|anh\b|au\b|o\b|op\b|ilde|binom)",
    r"\r(?:ight|angle|ho\b|floor|ceil|vert|m\b)",
    r"(?<![\\;}])\n(?:eq\b|abla\b|otin\b|ot\\|eg\\|subseteq\b)(?=[^a-z]|$)",
)
_BEHEADED = re.compile(r"\\(?:rac|qrt|imes|ext|heta|ight|eft|inom|verline|egin)(?![A-Za-z])")
_COMMANDS = (
    "frac{",
    "sqrt{",
    "begin{array}",
    "begin{cases}",
    "begin{aligned}",
    "mathbb{",
    "overline{",
    "text{",
    "textbf{",
)
_QUOTING = ("\\", '"', "'", "`", "“", "‘")
"""Before the name of a command: the backslash that it needs, or a mark that shows how to type it."""
_STRUCTURE = re.compile(r"\\(?:[\\{}]|begin|end|left|right)")
"""Without one of these only the braces can be out of balance."""
_BEGIN_END = re.compile(r"\\(begin|end)\s*\{([A-Za-z*]+)\}")
_LEFT_RIGHT = re.compile(r"\\(left|right)(?![A-Za-z])")


@drops("broken_text", "It holds control characters.", domains=BOTH, when=_CONTROLS, when_answer=_CONTROLS)
def control_characters(row: Row) -> re.Match[str] | None:
    """What ``\\f`` of ``\\frac`` or ``\\a`` of ``\\alpha`` becomes when a string is unescaped twice."""
    return _CONTROL.search(row.statement) or _CONTROL.search(row.answer or "")


@drops(
    "broken_text",
    "A LaTeX command lost its backslash or its first letter.",
    when=either(
        r"\t(?:ext|imes|heta|riangle|frac|an|au|o|ilde|binom)|\r(?:ight|angle|ho|floor|ceil|vert|m)",
        r"\n(?:eq|abla|ot|eg\\|subseteq)|\\(?:rac|qrt|imes|ext|heta|ight|eft|inom|verline|egin)|(?:^|[^\\A-Za-z\"'`“‘])(?:"
        + signs(*_COMMANDS)
        + ")",
    ),
    when_answer=r"[\t\r\n]",
)
def lost_backslash(row: Row) -> str | None:
    r"""A tab and ``imes``, a line end and ``eq``, ``frac{1}{2}``, ``\rac{1}{2}``."""
    text = row.statement
    if "\\" in text and (beheaded := _BEHEADED.search(text)):
        return beheaded.group()
    if "\t" in text or "\r" in text or "\n" in text:
        found = _EATEN_ESCAPE.search(text)
        if found is not None:
            return found.group()
    if "{" in text:
        for command in _COMMANDS:
            bare = _without_backslash(text, command)
            if bare is not None:
                return bare
    found = _EATEN_ESCAPE.search(row.answer) if row.answer and not row.answer.isprintable() else None
    return None if found is None else found.group()


@drops("broken_text", "Characters of it are lost.", domains=BOTH, when=_LOST_CHARACTERS, when_answer=_LOST_CHARACTERS)
def replacement_characters(row: Row) -> re.Match[str] | None:
    """U+FFFD, and private-use glyphs of a PDF's fonts."""
    return _LOST.search(row.statement) or _LOST.search(row.answer or "")


@drops("broken_text", "Its mathematics was decoded wrongly.", domains=BOTH, when=MOJIBAKE, when_answer=MOJIBAKE)
def mathematical_mojibake(row: Row) -> str | None:
    """``â‰¤`` for ``≤``: mojibake that cleaning leaves, because it carries mathematics."""
    for text in (row.statement, row.answer or ""):
        for start, end, _ in mojibake_runs(text):
            return text[start:end]
    return None


@drops("broken_text", "Its LaTeX does not close.", when=either(words("left right begin end"), signs("{", "}")))
def unbalanced(row: Row) -> str | None:
    """More braces opened than closed or the reverse; an environment or ``\\left`` without its end."""
    is_plain = _STRUCTURE.search(row.statement) is None
    text = row.statement if is_plain else row.statement.replace("\\\\", "")
    plain = text.replace("\\{", "").replace("\\}", "") if not is_plain else text
    if plain.count("{") != plain.count("}"):
        return _odd_brace(plain)
    if is_plain:
        return None
    open_names: list[str] = []
    for kind, name in _BEGIN_END.findall(text) if "\\begin" in text or "\\end" in text else ():
        if kind == "begin":
            open_names.append(name)
        elif not open_names or open_names.pop() != name:
            return f"\\end{{{name}}}"
    if open_names:
        return f"\\begin{{{open_names[-1]}}}"
    sides = _LEFT_RIGHT.findall(text) if "\\left" in text or "\\right" in text else []
    surplus = sides.count("left") - sides.count("right")
    return None if not surplus else "\\left" if surplus > 0 else "\\right"


def _without_backslash(text: str, command: str) -> str | None:
    place = text.find(command)
    while place >= 0:
        before = text[place - 1 : place]
        if before not in _QUOTING and not before.isalpha():
            return text[place : place + 30]
        place = text.find(command, place + 1)
    return None


def _odd_brace(text: str) -> str:
    depth, opened = 0, 0
    for index, character in enumerate(text):
        if character == "{":
            opened = index if depth == 0 else opened
            depth += 1
        elif character == "}":
            depth -= 1
            if depth < 0:
                return text[max(0, index - 40) : index + 20]
    return text[opened : opened + 60]
