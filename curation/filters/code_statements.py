"""Dropping rules for statements of code problems: cut off, without their examples, or asking for what nobody can judge.

Limits and the number of tests are looked at before programs are run, in `curation.judging.step`.
"""

from __future__ import annotations

import re

from curation.filters import media
from curation.filters.rule import CODE, Row, at_word, drops
from curation.filters.triggers import words

_INTERACTIVE = at_word(
    r"this is an interactive (?:problem|task)\b|(?:interactive|communication) (?:problem|task)s?\b[^.\n]{0,80}\bflush",
    r"(?:the |an |our |judge's )?interactor\b",
    r"flush(?:ing)? (?:the |your )?(?:standard )?(?:output|stdout|buffer)\b",
)
_FILE = re.compile(
    r"\b(?:input|output)\.txt\b|\(file [\w-]+\.(?:in|out)\)"
    r"|\b(?:in|from|into|to) (?:the |a )?(?:input |output |text )?file [\"'`«]?[\w-]+\.(?:in|out|txt|dat)\b"
    r"|\b(?:input|output) file(?: name)?: ?[\w-]+\.\w{2,4}\b",
    re.IGNORECASE,
)
_EXAMPLES = re.compile(
    r"^[ \t*#\\{}-]*(?:sample|example)s?(?: tests?)?(?: (?:input|output)s?)?[ \t]*#?\d{0,2}[ \t#:*}.-]*$",
    re.IGNORECASE | re.MULTILINE,
)
_AFTER_RULES = re.compile(
    r"^[ \t*#\\{}-]*(?:notes?|explanations?|hints?)\b[ \t*#:}.-]*(?:$|:)"
    r"|sample (?:input|output|test)|example \d|\bexamples?:",
    re.IGNORECASE | re.MULTILINE,
)
"""Where a statement comes to its examples and remarks, for what a heading of its own does not tell."""

_FIGURE = at_word(
    r"(?:as |is |are )?(?:shown|depicted|illustrated|drawn|given|pictured) (?:in|on|by) (?:the|this) "
    r"(?:following |above |below |next )?(?:picture|figure|image|diagram|drawing)s?\b(?! below:?\s*\n)",
    r"(?:the|this) (?:following |above )?(?:picture|figure|image|diagram|drawing)s? (?:above|below)? ?"
    r"(?:shows?|defines?|describes?|depicts?)\b",
    r"(?:see|look at|refer to|according to) the (?:following |above )?(?:picture|figure|image|diagram|drawing)s?\b",
)
_EXAMPLE_OF = re.compile(r"\b(?:example|sample|instance|case|test|illustrat\w+|e\.g\.)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?\n]*\Z")
_UNFINISHED = re.compile(
    r"(?:\b(?:the|an?|of|and|or|with|in|from|that|which|whose|between|than|for|when|into|to|by|is|are|if)|[,(\[])\s*\Z",
    re.IGNORECASE,
)
_PROSE = re.compile(r"[A-Za-z]{2,}")
_FEWEST_WORDS = 8
"""In the last line, for it to be prose."""

_SHORTEST_TASK = 4
"""Words: ``Print n squared numbers.`` can be a whole task."""

_SHOWN = 80


@drops(
    "interactive",
    "Programs have to talk to an interactor, which the row does not bring.",
    domains=CODE,
    when=words("interactive interactor flush flushing"),
)
def interactive(row: Row) -> re.Match[str] | None:
    """``This is an interactive problem``, ``flush the output``."""
    return _INTERACTIVE.search(row.lower)


@drops(
    "file_input",
    "Programs have to use named files, and are judged through the standard streams.",
    domains=CODE,
    when=words("file files txt"),
)
def file_input(row: Row) -> re.Match[str] | None:
    """``input.txt``, ``(file hay.in)``, ``from the file hay.in``."""
    return _FILE.search(row.statement)


@drops(
    "no_sample",
    "It announces examples and shows none.",
    domains=CODE,
    when=words("sample samples example examples"),
)
def examples_lost(row: Row) -> str | None:
    """The first heading of examples stands at the end, with nothing below it."""
    heading = _EXAMPLES.search(row.statement)
    return heading.group().strip() if heading and not row.statement[heading.end() :].strip() else None


@drops(
    "image",
    "Its rules hold a picture.",
    domains=CODE,
    when=media.PICTURE,
)
def picture_in_rules(row: Row) -> re.Match[str] | None:
    """A picture's markup before the examples; a picture of an example, or one in the notes, only helps to read."""
    return media.PICTURE_MARKUP.search(row.statement, 0, _end_of_rules(row))


@drops(
    "image",
    "Its rules are in a picture that is not in the text.",
    domains=CODE,
    when=words("picture pictures figure figures image images diagram diagrams drawing drawings"),
)
def figure_needed(row: Row) -> re.Match[str] | None:
    """``as shown in the picture`` before the examples, and not of an example."""
    for found in _FIGURE.finditer(row.lower, 0, _end_of_rules(row)):
        sentence = _SENTENCE.search(row.statement, 0, found.start())
        if sentence is None or not _EXAMPLE_OF.search(sentence.group()):
            return found
    return None


@drops("truncated", "Its end is missing.", domains=CODE)
def code_stops_early(row: Row) -> str | None:
    """The last line is prose and stops within a sentence."""
    text = row.statement.rstrip()
    last = text[text.rfind("\n") + 1 :]
    if len(_PROSE.findall(last)) < _FEWEST_WORDS:
        return None
    is_cut = _UNFINISHED.search(last[-20:]) is not None or (last.endswith(("...", "…")) and last[-4:-3].isalpha())
    return last[-_SHOWN:] if is_cut else None


@drops("truncated", "It is too short to say what to compute.", domains=CODE)
def code_too_short(row: Row) -> str | None:
    """Fewer words than any task needs."""
    return row.statement if len(row.statement.split()) < _SHORTEST_TASK and row.statement.isascii() else None


def _end_of_rules(row: Row) -> int:
    """Return where the examples and remarks of a statement begin."""
    found = [pattern.search(row.statement) for pattern in (_EXAMPLES, _AFTER_RULES)]
    return min((place.start() for place in found if place is not None), default=len(row.statement))
