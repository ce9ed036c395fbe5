"""Is this answer equal to that one? `compare` takes two answers, `grade` an answer and a whole response."""

from __future__ import annotations

import re
from dataclasses import replace

from curation.answers.comparison import Comparison, different, equal, unknown
from curation.answers.extraction import final_answer
from curation.answers.numerals import read_numeral
from curation.text import fold


def compare(gold: str, pred: str) -> Comparison:
    """Compare two answers by mathematical value; the verdict is the same with the sides swapped.

    A percent sign is a hundredth, a subscript is a base, a degree is pi/180; a unit may be left out on one side. Two
    empty answers are no match.
    """
    gold, pred = gold.strip(), pred.strip()
    if not gold or not pred:
        return unknown("empty", "an empty answer matches nothing")
    if gold == pred:
        return equal("identical", "both answers are the same text")
    first, second = read_numeral(gold), read_numeral(pred)
    if first is not None and second is not None:
        if first.value == second.value:
            return equal("exact", "both numbers have the same exact value")
        return different("exact", "the numbers have different exact values")
    if re.search(r"[A-Za-z]{3}", gold) and fold(gold) == fold(pred):
        return equal("text", "both answers fold to the same text")
    return unknown("none", "no comparison covers these answers")


def grade(gold: str, response: str) -> Comparison:
    """Grade a whole response, or a bare answer, against the right answer.

    The verdict is unknown where the response holds no final answer. A response cut at its token limit is the caller's
    to recognise, by its finish reason.
    """
    found = final_answer(response)
    if found.answer is None:
        return Comparison("unknown", "no answer", found.why)
    result = compare(gold, found.answer)
    return replace(result, path=f"{found.path}; {result.path}", extracted=found.answer)
