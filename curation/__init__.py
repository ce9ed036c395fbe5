"""Builds and audits data sets of math and code problems with verifiable answers.

from curation import rebuild, audit, grade, judge
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from curation.answers import grade
    from curation.contamination.audit import audit
    from curation.judging.judge_code import judge
    from curation.pipeline import rebuild

__all__ = ["audit", "grade", "judge", "rebuild"]

_HOMES = {
    "audit": "curation.contamination.audit",
    "grade": "curation.answers",
    "judge": "curation.judging.judge_code",
    "rebuild": "curation.pipeline",
}


def __getattr__(name: str) -> object:
    # Importing everything takes seconds, so each job is imported when it is first asked for.
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'curation' has no attribute {name!r}")
