from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from curation.answers.files import grade_file
from curation.errors import InputError
from curation.json_reader import loads


def _rows(path: Path) -> list[dict[str, object]]:
    return [dict(row) for line in path.read_text().splitlines() if isinstance(row := loads(line), dict)]


def test_every_row_comes_back_with_its_verdict(tmp_path: Path) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text(
        '{"gold": "1/2", "pred": "0.5", "id": "a"}\n'
        '{"gold": 12345678901234567890123456789012, "pred": 12345678901234567890123456789013}\n'
        '{"gold": "3", "pred": "So \\\\boxed{3}", "verdict": "mine"}\n'
        '{"gold": "3"}\n'
        "not json\n"
        '{"gold": "3", "pred": null}\n'
    )
    out = tmp_path / "out.jsonl"
    summary = grade_file(str(cases), out)
    rows = _rows(out)
    assert [row["verdict"] for row in rows] == ["equal", "different", "equal", "unknown", "unknown", "unknown"]
    assert [row["id"] for row in rows] == ["a", "2", "3", "4", "5", "6"]
    assert rows[2]["input_verdict"] == "mine"
    assert rows[2]["extracted"] == "3"
    assert all(row["path"] and row["why"] for row in rows)
    assert summary.rows == 6
    assert summary.verdicts == {"equal": 2, "different": 1, "unknown": 3}
    assert [location.rpartition(":")[2] for location, _ in summary.bad] == ["4", "5", "6"]
    assert "cases.jsonl:4" in str(rows[3]["why"])


def test_other_columns_and_formats(tmp_path: Path) -> None:
    cases = tmp_path / "cases.csv"
    cases.write_text("Ground_Truth,Response\n007,7\n")
    out = tmp_path / "out.parquet"
    assert grade_file(str(cases), out).verdicts == {"equal": 1}
    assert pl.read_parquet(out)["verdict"].to_list() == ["equal"]


def test_a_file_without_the_columns_is_an_error(tmp_path: Path) -> None:
    cases = tmp_path / "cases.jsonl"
    cases.write_text('{"question": "?"}\n')
    with pytest.raises(InputError, match=r"cases\.jsonl:1.*gold"):
        grade_file(str(cases), tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize(("name", "text"), [("head.csv", "gold,pred\n"), ("blank.jsonl", "\n\n"), ("empty.json", "[]")])
def test_a_file_without_rows_is_an_error(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match="holds no rows"):
        grade_file(str(tmp_path / name), tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()


def test_the_cases_are_never_written_over(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_text('{"gold": "1", "pred": "1"}\n')
    with pytest.raises(InputError, match=r"cases\.jsonl is what the rows are read from"):
        grade_file(str(path), path)
    assert path.read_text() == '{"gold": "1", "pred": "1"}\n'
