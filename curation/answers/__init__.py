"""Is this answer equal to that one? Exact, typed and three-valued."""

from __future__ import annotations

from curation.answers.comparison import Comparison
from curation.answers.grading import compare, grade

__all__ = ["Comparison", "compare", "grade"]
