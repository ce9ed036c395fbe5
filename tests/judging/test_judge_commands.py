"""The commands about judging as a user calls them: rows of a data set, calibration, matching, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from command_line import curation

SUM = "print(sum(map(int, input().split())))\n"
PRODUCT = "a, b = map(int, input().split())\nprint(a * b)\n"
SLOW = "import time\nwhile time.process_time() < 1.2: pass\n" + SUM


def package(directory: Path, **files: str) -> Path:
    """Write a package that adds two numbers, its limit half a second, with a slow accepted program."""
    contents = {
        "problem.yaml": "problem_format_version: 2025-09\nname: Sum\nlimits:\n  time_limit: 0.5\n",
        "data/secret/1.in": "1 2\n",
        "data/secret/1.ans": "3\n",
        "data/secret/2.in": "4 5\n",
        "data/secret/2.ans": "9\n",
        "submissions/accepted/slow.py": SLOW,
        **files,
    }
    for name, text in contents.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return directory


@pytest.fixture
def programs(tmp_path: Path) -> tuple[Path, Path]:
    """A right and a wrong program."""
    right, wrong = tmp_path / "right.py", tmp_path / "wrong.py"
    right.write_text(SUM)
    wrong.write_text(PRODUCT)
    return right, wrong


def test_a_row_of_a_data_set_is_a_problem(tmp_path: Path, programs: tuple[Path, Path]) -> None:
    right, wrong = programs
    tests = [{"input": "1 2\n", "output": "3\n"}, {"input": "3 4\n", "output": "7\n"}]
    rows = [{"id": "other"}, {"id": "sum", "tests": tests, "checker": "tokens case_sensitive"}]
    data = tmp_path / "data.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    judged = curation("judge", f"{data}#sum", right, wrong, "--json")
    assert judged.returncode == 1, judged.stderr
    assert [(item["verdict"], item["score"]) for item in json.loads(judged.stdout)] == [("AC", 1.0), ("WA", 0.0)]

    document = json.dumps({"tests": [{"kind": "stdio", **test} for test in tests], "checker": None})
    export = tmp_path / "export.parquet"
    pl.DataFrame({"ground_truth": ["5", document]}).write_parquet(export)
    assert curation("judge", f"{export}#2", right).returncode == 0


@pytest.mark.parametrize(
    ("row", "identifier", "sentence"),
    [
        ({"id": "a"}, "b", "has no row 'b'"),
        ({"id": "a"}, "a", "neither a column ground_truth nor a list of tests"),
        ({"id": "a", "tests": [{"input": "1"}]}, "a", "no output"),
        ({"id": "a", "ground_truth": "7"}, "a", "no object"),
        ({"id": "a", "tests": [], "checker": "testlib:/etc/passwd"}, "a", "names no checker"),
    ],
)
def test_a_row_that_is_no_problem_is_told_in_a_sentence(
    tmp_path: Path, programs: tuple[Path, Path], row: dict[str, object], identifier: str, sentence: str
) -> None:
    data = tmp_path / "data.jsonl"
    data.write_text(json.dumps(row) + "\n")
    refused = curation("judge", f"{data}#{identifier}", programs[0])
    assert (refused.returncode, sentence in refused.stderr) == (2, True), refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_limit_for_another_machine_is_calibrated_when_asked(tmp_path: Path) -> None:
    place = package(tmp_path / "sum")
    stated = curation("judge", place, "--json")
    assert [item["verdict"] for item in json.loads(stated.stdout)] == ["TLE"]
    calibrated = curation("judge", place, "--calibrate", "--json")
    assert [item["verdict"] for item in json.loads(calibrated.stdout)] == ["AC"], calibrated.stderr
    assert "factor" in calibrated.stderr
    assert "stated are 0.5 s" in calibrated.stderr


def test_a_limit_that_holds_is_not_made_smaller(tmp_path: Path) -> None:
    files = {"submissions/accepted/slow.py": SUM}
    found = curation("judge", package(tmp_path / "sum", **files), "--calibrate", "--json")
    assert found.returncode == 0, found.stderr
    assert "factor 1, limit 0.5 s" in found.stderr


def test_checkers_are_matched_with_evidence(tmp_path: Path) -> None:
    place = package(tmp_path / "sum")
    found = curation("checkers", "match", place, "--json")
    assert found.returncode == 0, found.stderr
    (one,) = json.loads(found.stdout)
    assert (one["asks_for"], one["match"]["outcome"]) == ("tokens", "matched")
    assert one["match"]["checker"] == "tokens case_sensitive"
    assert one["match"]["evidence"][0]["programs_accepted"] == 1
    shown = curation("checkers", "match", place)
    assert "tokens case_sensitive" in shown.stdout

    statement = "<p>If there are several solutions, <b>print any</b> of them.</p>"
    several = package(tmp_path / "several", **{"problem_statement/problem.html": statement})
    refused = curation("checkers", "match", several, "--json")
    assert refused.returncode == 1, refused.stdout
    assert json.loads(refused.stdout)[0]["match"]["outcome"] == "special judge"


def test_the_doctor_says_what_holds_programs() -> None:
    checks = {check["name"]: check for check in json.loads(curation("doctor", "--json").stdout)}
    assert ":" in checks["sandbox"]["detail"]
