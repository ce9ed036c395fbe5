"""Is this answer equal to that one? `compare` takes two answers, `grade` an answer and a whole response."""

from __future__ import annotations

import re
from dataclasses import replace

from curation.answers.answer_parser import WordsError, read_answer
from curation.answers.comparing import compare_nodes
from curation.answers.comparison import Comparison, different, equal, unknown
from curation.answers.dates import compare_dates
from curation.answers.extraction import Extraction, final_answer, last_number
from curation.answers.labels import (
    choice_letter,
    compare_letters,
    compare_word_with_formula,
    compare_words,
    means_all_reals,
    same_text,
    split_choice,
)
from curation.answers.math_verify_worker import verify
from curation.answers.numerals import read_numeral
from curation.answers.ordinals import compare_ordinals
from curation.answers.real_sets import is_real_line
from curation.answers.tokens import UnknownNotationError, UnreadableError
from curation.answers.tree import Node

_TRAILING_SPACE = re.compile(r"(?<!\\)\\$")
_AFTERWORD = re.compile(
    r"(?:\s|,|\\text\s*\{,?)\s*(?:as (?:desired|required|claimed|needed|requested|expected|wanted|asked|stated|promised"
    r"|was to be (?:shown|found|proved))|and we are done|q\.?e\.?d)\.?\s*\}?\s*(\$?)\.?\s*$",
    re.IGNORECASE,
)
"""What a writer adds after the answer and says nothing about it."""

_AFTERWORD_LENGTH = 60
_GROUPS = re.compile(r"\d,\d{3}(?!\d)")


def compare(gold: str, pred: str) -> Comparison:
    """Compare two answers by mathematical value; the verdict is the same with the sides swapped.

    A percent sign is a hundredth, a subscript is a base, a degree is pi/180; a unit may be left out on one side. An
    empty answer matches nothing.
    """
    gold, pred = (_without_open_space(_without_afterword(side.strip())) for side in (gold, pred))
    if not gold or not pred:
        return unknown("empty", "an empty answer matches nothing")
    if gold == pred:
        return equal("identical", "both answers are the same text")
    first, second = read_numeral(gold), read_numeral(pred)
    if first is not None and second is not None:
        if first.value == second.value:
            return equal("exact", "both numbers have the same exact value")
        if not (first.grouped and second.grouped):
            return different("exact", "the numbers have different exact values")
    choices = split_choice(gold), split_choice(pred)
    if choices[0] or choices[1]:
        return _with_letters(gold, pred, choices)
    return _read(gold, pred)


def _without_afterword(text: str) -> str:
    start = max(0, len(text) - _AFTERWORD_LENGTH)
    found = _AFTERWORD.search(text, start)
    return text if found is None else text[: found.start()].rstrip(" ,") + found[1]


def _without_open_space(text: str) -> str:
    r"""Return the text without the backslash that stripping leaves of ``\ `` at its end."""
    return _TRAILING_SPACE.sub("", text) if text.endswith("\\") else text


def _with_letters(gold: str, pred: str, choices: tuple[tuple[str, str] | None, tuple[str, str] | None]) -> Comparison:
    """Compare where a side is a choice letter with its value: ``(B) 3/4``."""
    letters = [choice[0] if choice else choice_letter(text) for choice, text in zip(choices, (gold, pred), strict=True)]
    if letters[0] and letters[1] and letters[0] != letters[1]:
        return different("choice", "different letters")
    if letters[0] and letters[1] and not (choices[0] and choices[1]):
        return equal("choice", "the same letter")
    values = [choice[1] if choice else text for choice, text in zip(choices, (gold, pred), strict=True)]
    return compare(values[0], values[1])


def _read(gold: str, pred: str) -> Comparison:
    special = compare_dates(gold, pred) or compare_letters(gold, pred) or compare_ordinals(gold, pred)
    if special is not None:
        return special
    first, second = _node_or_error(gold), _node_or_error(pred)
    if not isinstance(first, UnreadableError) and not isinstance(second, UnreadableError):
        return _grouped_or_listed(gold, pred, first, second)
    if same_text(gold, pred):
        return equal("text", "the same text but for spaces")
    if isinstance(first, WordsError) and isinstance(second, WordsError):
        return compare_words(gold, pred)
    if isinstance(first, WordsError):
        return _words_with_formula(gold, pred, second)
    if isinstance(second, WordsError):
        return _words_with_formula(pred, gold, first)
    errors = [side for side in (first, second) if isinstance(side, UnreadableError)]
    if all(isinstance(error, UnknownNotationError) for error in errors):
        asked = verify(gold, pred)
        # Math-Verify rejects much that is right, so that only what it accepts counts.
        return asked if asked.verdict == "equal" else unknown(asked.path, asked.why)
    return unknown("unreadable", str(errors[0]))


def _words_with_formula(words: str, text: str, node: Node | UnreadableError) -> Comparison:
    if not isinstance(node, UnreadableError) and means_all_reals(words) and is_real_line(node):
        return equal("text", "all real numbers")
    return compare_word_with_formula(words, text)


def _node_or_error(text: str) -> Node | UnreadableError:
    try:
        return read_answer(text)
    except UnreadableError as error:
        return error


def _grouped_or_listed(gold: str, pred: str, first: Node, second: Node) -> Comparison:
    """Compare, and keep open whether ``100,200`` is one number where the other side is a list."""
    result = compare_nodes(first, second)
    if result.verdict != "different" or not _GROUPS.search(gold + "\n" + pred):
        return result
    try:
        listed = compare_nodes(read_answer(gold, grouped=False), read_answer(pred, grouped=False))
    except UnreadableError:
        return result
    if listed.verdict == "equal":
        return unknown("list", "commas between digits: one number or several")
    return result


def grade(gold: str, response: str) -> Comparison:
    """Grade a whole response, or a bare answer, against the right answer.

    The verdict is unknown where the response holds no final answer. A response cut at its token limit is the caller's
    to recognise, by its finish reason.
    """
    found = final_answer(response)
    if found.answer is None:
        return Comparison("unknown", "no answer", found.why)
    result = _graded(gold, found)
    if found.path == "bare" and result.path == "text" and result.verdict != "equal" and read_numeral(gold) is not None:
        number = last_number(response)
        if number.answer is not None:
            found, result = number, compare(gold, number.answer)
    return replace(result, path=f"{found.path}; {result.path}", extracted=found.answer)


def _graded(gold: str, found: Extraction) -> Comparison:
    if found.letter is not None and choice_letter(gold):
        return compare(choice_letter(gold) or gold, found.letter)
    return compare(gold, found.answer or "")
