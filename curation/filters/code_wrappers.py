"""Cleaning rules for instructions to a model that stand around the statement of a code problem.

Sets that were taken from one another wrap the same statement in different ones, and only without them it is the same.
What says how a function is called, or holds the head of one, is part of the task and stays.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from curation.filters.rule import CODE, Edit, cleans, one_of

_PROGRAM = r"(?:python ?3?|c\+\+|java|programming|coding|executable)"

_HEAD = one_of(
    rf"\A\s*(?:please )?solve the (?:following |given )?{_PROGRAM} (?:problem|task|question)[^\n.]{{0,90}}[:.]?[ \t]*\n"
    r"\s*(?=\S)",
    r"\A\s*you are an? [^\n.]{0,60}(?:programmer|coder|coding expert)[^\n.]{0,60}\.\s*(?=\S)",
    r"\A\s*you will be given a (?:question|problem)[^\n.]{0,60} and (?:will|should|need to) [^\n.]{0,20}"
    r"(?:generate|write)[^\n.]{0,120}\.\s*(?=\S)",
    rf"\A\s*(?:please )?(?:write|generate|provide) (?:an? )?{_PROGRAM}[^\n.]{{0,40}}(?:generated from|that solves|for) "
    r"the (?:given |following )?(?:prompt|problem|task)[^\n.]{0,60}[.:]\s*(?=\S)",
    r"\A\s*the function should take stdin as input and print the output\.[^\n]{0,100}(?:\n|\.)\s*(?=\S)",
    r"\A\s*question:[ \t]*\n\s*(?=\S)",
    flags=re.IGNORECASE,
)
_TAIL = one_of(
    r"\n\s*the input will be stdin and you should print your solution to stdout[^\n]{0,100}\s*\Z",
    r"\n\s*now solve the problem and return the code\.?\s*\Z",
    r"\n\s*read the inputs? from stdin,? solve the problem,? and write the answers? to stdout[^\n]{0,200}\s*\Z",
    r"\n\s*(?:use|using) standard input format\s*\Z",
    r"\n\s*(?:#+\s*)?answer:?(?: \(use [^\n]{0,60}\))?\s*\Z",
    r"\n\s*```(?:python|cpp)?\n# your code here\n```\s*\Z",
    flags=re.IGNORECASE,
)
_LONGEST_TAIL = 600


@cleans("Instructions to the model before a code problem go.", domains=CODE)
def leading_code_instruction(text: str) -> Sequence[Edit]:
    """``Solve the following coding problem using the programming language python:``"""
    found = _HEAD.match(text)
    return (Edit(0, found.end()),) if found is not None and found.end() < len(text) else ()


@cleans("Instructions to the model after a code problem go.", domains=CODE)
def trailing_code_instruction(text: str) -> Sequence[Edit]:
    """``The input will be stdin and you should print your solution to stdout``, ``Now solve the problem ...``"""
    found = _TAIL.search(text, max(0, len(text) - _LONGEST_TAIL))
    return (Edit(found.start(), found.end()),) if found is not None and found.start() > 0 else ()
