"""What USACO's statements say of files: their problems are judged through standard input and output here.

Until 2020 every problem named an input and an output file. A heading that does so names the standard streams instead;
a statement that speaks of the files elsewhere too stays as it is and is refused.
"""

from __future__ import annotations

import re

_INPUT = re.compile(r"\(file \w+\.in\)")
_OUTPUT = re.compile(r"\(file \w+\.out\)")
_PROGRAM_NAME = re.compile(r"^[ \t]*PROGRAM NAME:[ \t]*\w+[ \t]*\n+", re.MULTILINE | re.IGNORECASE)
_NAMED_FILE = re.compile(r"(?<![\w.])[a-z][\w-]*\.(?:in|out)\b")


def through_standard_streams(text: str) -> str:
    """Return a statement whose headings name the standard streams."""
    text = _OUTPUT.sub("(standard output)", _INPUT.sub("(standard input)", text))
    return _PROGRAM_NAME.sub("", text)


def named_file(text: str) -> str | None:
    """Return the first input or output file that a statement or a program names; None where it names none."""
    found = _NAMED_FILE.search(text)
    return None if found is None else found.group()
