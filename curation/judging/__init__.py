"""Is this submission right? Programs are run on tests in a sandbox and get a verdict."""

from __future__ import annotations

from curation.judging.grading import ResponseJudge, grade_response
from curation.judging.judge_code import judge
from curation.judging.limits import Limits
from curation.judging.package import judge_package
from curation.judging.verdicts import Judgement, TestResult

__all__ = ["Judgement", "Limits", "ResponseJudge", "TestResult", "grade_response", "judge", "judge_package"]
