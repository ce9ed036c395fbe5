"""Is this answer equal to that one? Exact, typed and three-valued."""

from __future__ import annotations

from curation.answers.checkability import checkable
from curation.answers.comparison import Comparison
from curation.answers.grading import compare, grade
from curation.answers.types import answer_type

__all__ = ["Comparison", "answer_type", "checkable", "compare", "grade"]
