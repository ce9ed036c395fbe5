"""The labelled cases that lie beside the project, where they do."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from curation import json_reader
from curation.answers import grade

_SHARED = Path(os.environ.get("CURATION_SHARED", Path(__file__).parents[2] / ".." / "shared"))
_CASES = _SHARED / "cases" / "math_equal" / "cases.jsonl"
_WHOLE_OUTPUT = ("[extract]", "[choice]")


@pytest.mark.skipif(not _CASES.is_file(), reason="the labelled cases are not there")
def test_all_labelled_cases() -> None:
    failed = []
    for line in _CASES.read_text(encoding="utf-8").splitlines():
        case = json_reader.loads(line)
        assert isinstance(case, dict)
        gold, pred, why = str(case["gold"]), str(case["pred"]), str(case["why"])
        wanted = "equal" if case["equal"] is True else "different"
        verdicts = {grade(gold, pred).verdict}
        if not why.startswith(_WHOLE_OUTPUT):
            verdicts.add(grade(pred, gold).verdict)
        if verdicts != {wanted}:
            failed.append((why, gold[:60], pred[:60], verdicts))
    assert not failed
