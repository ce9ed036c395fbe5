"""The rules against labelled rows, where a checkout has them beside it; they are no part of the project."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from curation.filters.rule import Row
from curation.filters.screening import screen, select
from curation.recipe import FilterSection

SHARED = Path(os.environ.get("CURATION_SHARED", Path(__file__).resolve().parents[3] / "shared"))
CASES = SHARED / "cases" / "rules" / "cases.jsonl"

pytestmark = pytest.mark.skipif(not CASES.is_file(), reason="no labelled cases beside the checkout")


def _rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_rates_hold(tmp_path: Path) -> None:
    resolved = tmp_path / "rows.jsonl"
    script = SHARED / "cases" / "resolve_rows.py"
    command = [sys.executable, str(script), "--data", str(SHARED / "data"), str(CASES), "-o", str(resolved)]
    subprocess.run(command, check=True, capture_output=True)
    texts = {str(row["id"]): row for row in _rows(resolved)}
    rules = select(FilterSection())
    kept = wanted_kept = dropped = wanted_dropped = right = 0
    for case in _rows(CASES):
        row = texts[str(case["id"])]
        answer = row["answer"]
        result = screen(Row(str(row["problem"] or ""), None if answer is None else str(answer)), rules)
        if case["label"] == "clean":
            gone, stays = case.get("clean_remove", []), case.get("clean_keep", [])
            assert isinstance(gone, list)
            assert isinstance(stays, list)
            assert not result.hits, case["id"]
            assert not [text for text in gone if text in result.statement], case["id"]
            assert not [text for text in stays if text not in result.statement], case["id"]
        elif case.get("borderline"):
            continue
        elif case["label"] == "keep":
            wanted_kept += 1
            kept += not result.hits
        else:
            wanted_dropped += 1
            dropped += bool(result.hits)
            also = case.get("also", [])
            assert isinstance(also, list)
            right += bool(result.hits) and result.hits[0].reason in [case["reason"], *also]
    assert kept / wanted_kept >= 0.97
    assert dropped / wanted_dropped >= 0.92
    assert right / dropped >= 0.9
