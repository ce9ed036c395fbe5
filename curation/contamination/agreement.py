"""Do a row and a benchmark item have the same answer, and what does that say?"""

from __future__ import annotations

import math

from curation.answers import grade
from curation.contamination.chances import chance_of_answer

_SAME_PROBLEM_SAME_ANSWER = 0.95
_OTHER_ANSWER = -4.0
_LONGEST_ANSWER = 4_000


def answers_agree(row: str | None, item: str | None) -> bool | None:
    """Compare a row's answer, or the solution that ends in it, with an item's by value.

    Returns:
        None where one of the two is not given or exact arithmetic cannot tell.
    """
    if row is None or item is None or not row.strip() or not item.strip():
        return None
    if len(item) > _LONGEST_ANSWER:
        return row.strip() == item.strip()
    verdict = grade(item, row[-_LONGEST_ANSWER:]).verdict
    return None if verdict == "unknown" else verdict == "equal"


def answer_evidence(agree: bool | None, item: str | None) -> float:
    """Return what the answers say about two texts stating one problem, in nats as in `likeness`."""
    if agree is None or item is None:
        return 0.0
    return math.log(_SAME_PROBLEM_SAME_ANSWER / chance_of_answer(item)) if agree else _OTHER_ANSWER
