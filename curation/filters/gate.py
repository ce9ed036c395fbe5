"""The dropping rule that asks the answer comparison itself: can answers be checked against this one?"""

from __future__ import annotations

from functools import lru_cache

from curation.answers import checkable
from curation.filters.rule import Row, drops


@drops("non_checkable", "No comparison can tell its answer from a wrong one.", about_answer=True, costly=True)
def uncheckable_answer(row: Row) -> str | None:
    """The answer does not equal itself in another form, or equals one of its own mutations.

    It is no part of `curation.filters.catalog.DROPPING`: a recipe asks for it with ``check_answers``.
    """
    if row.answer is None and not row.answer_expected:
        return None
    return None if _is_checkable(row.target) else row.target


@lru_cache(maxsize=4096)
def _is_checkable(answer: str) -> bool:
    return checkable(answer).verdict == "equal"
