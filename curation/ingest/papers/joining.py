"""Which solution belongs to which problem, proved by the statement that it repeats and not by its place alone."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from curation.ingest.papers.items import Item
from curation.text import fold

_WORD = re.compile(r"\w+")
_ANY_LIKENESS = 0.2
"""Of a solution under the problem's own number: the two papers may word a problem in different ways."""
_LIKENESS = 0.75
"""Of a solution under another number: nothing but the words says that it is this problem's."""


def join_solutions(problems: Sequence[Item], solutions: Sequence[Item]) -> list[Item | None]:
    """Give each problem its solution, or None where no solution is surely its own.

    Where solutions repeat their problems, a pair belongs together when each is the other's nearest; the place decides
    between equally near ones. A solution under another number must repeat the problem nearly word for word, and two
    editions with different answers count for none. One that repeats nothing is believed by its place when none is
    missing.
    """
    placed = {solution.key: solution for solution in solutions}
    words = [_words(problem.statement) for problem in problems]
    repeated = [_words(solution.statement) for solution in solutions]
    joined: list[Item | None] = []
    for problem, own in zip(problems, words, strict=True):
        here = placed.get(problem.key)
        if here is not None and not here.statement:
            joined.append(here if len(problems) == len(solutions) else None)
            continue
        nearness, _, index = max(
            (
                (_nearness(own, theirs), solution is here, -place)
                for place, (solution, theirs) in enumerate(zip(solutions, repeated, strict=True))
            ),
            default=(0.0, False, 0),
        )
        nearest = -index
        least = _ANY_LIKENESS if solutions and solutions[nearest].number == problem.number else _LIKENESS
        mutual = nearness >= least and nearness == max(_nearness(other, repeated[nearest]) for other in words)
        same = (other for other, theirs in zip(solutions, repeated, strict=True) if _nearness(own, theirs) == nearness)
        contradicted = any(_contradict(solutions[nearest], other) for other in same) if mutual else False
        joined.append(solutions[nearest] if mutual and not contradicted else None)
    return joined


def join_answers(problems: Sequence[Item], answers: Sequence[Item]) -> list[Item | None]:
    """Give each problem the answer under its number in an answer key.

    A key that only counts its lines is believed when it has as many as the paper has problems. Sections count where a
    number stands in several of them.
    """
    counted = any(answer.numbering == "counted" for answer in answers)
    if counted and len(answers) != len(problems):
        return [None] * len(problems)
    numbered = all(max(Counter(item.number for item in items).values(), default=0) < 2 for items in (problems, answers))
    found = Counter(answer.key for answer in answers)
    placed = {answer.key: answer for answer in answers if found[answer.key] == 1}
    by_number = {answer.number: answer for answer in answers} if numbered else {}
    return [placed.get(problem.key) or by_number.get(problem.number) for problem in problems]


def _contradict(one: Item, other: Item) -> bool:
    """Tell two editions of one solution, in two files, that give different answers."""
    answers = [{fold(answer) for answer in item.answers} for item in (one, other)]
    return one.number == other.number and one.key != other.key and all(answers) and answers[0] != answers[1]


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text))


def _nearness(one: Counter[str], other: Counter[str]) -> float:
    """Dice's coefficient over words, 0 to 1."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0
