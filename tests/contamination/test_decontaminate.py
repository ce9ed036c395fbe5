"""The step ``decontaminate``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curation import storage
from curation.contamination.items import MATCH_SCHEMA
from curation.contamination.step import Decontaminate
from curation.errors import InputError, OutsideError
from curation.ledger import reconcile
from curation.progress import Silent
from curation.recipe import Recipe
from curation.records import LEDGER_SCHEMA, PROBLEM_SCHEMA, Problem, to_frame
from curation.steps import StepContext, StepReport

ITEM = "A cyclist rides 84 kilometres at 21 km an hour and walks back at 6 km an hour. How long is she out?"


def problem(number: int, statement: str, **more: object) -> Problem:
    values = {
        "problem_id": f"s:{number}",
        "domain": "math",
        "group": "opensource_math",
        "source": "s",
        "source_id": str(number),
        "statement": statement,
        "licence": "mit",
        "answer": "18",
    }
    return Problem(**{**values, **more})  # type: ignore[arg-type]


def run(tmp_path: Path, problems: list[Problem], **section: object) -> tuple[Path, StepReport]:
    (tmp_path / "own.jsonl").write_text(json.dumps({"id": "ride", "problem": ITEM, "answer": "18"}) + "\n")
    recipe = Recipe.model_validate(
        {
            "name": "t",
            "sources": [{"use": "s"}],
            "directory": tmp_path,
            "decontaminate": {"against": ["own.jsonl"], **section},
        }
    )
    table, output = tmp_path / "problems.parquet", tmp_path / "out"
    output.mkdir(exist_ok=True)
    storage.write_table(table, to_frame(problems, PROBLEM_SCHEMA), PROBLEM_SCHEMA)
    report = Decontaminate().execute(StepContext(recipe, {"problems": table}, output, tmp_path, None, Silent()))
    reconcile("decontaminate", table, output / "problems.parquet", output / "ledger.parquet")
    return output, report


PROBLEMS = [
    problem(1, ITEM),
    problem(2, ITEM.replace("84", "96").replace("21", "24")),
    problem(3, "Name a prime between 24 and 30."),
    problem(4, "Name a prime between 32 and 40.", contest="hmmt-feb", year=2025),
    problem(5, "Name a prime between 42 and 45.", url="https://example.org/2025_AIME_I_Problems/Problem_5"),
]


def test_each_dropped_row_has_its_rule_and_evidence(tmp_path: Path) -> None:
    output, report = run(tmp_path, PROBLEMS)
    kept = storage.read_table(output / "problems.parquet", PROBLEM_SCHEMA)
    assert kept["problem_id"].to_list() == ["s:3"]
    ledger = storage.read_table(output / "ledger.parquet", LEDGER_SCHEMA)
    assert dict(zip(ledger["problem_id"], ledger["rule"], strict=True)) == {
        "s:1": "exact",
        "s:2": "numbers_changed",
        "s:4": "excluded_contest",
        "s:5": "excluded_contest",
    }
    evidence = json.loads(ledger["evidence"][0])
    assert (evidence["benchmark"], evidence["item"], evidence["answers_agree"]) == ("own", "ride", True)
    assert evidence["spans"]
    matches = storage.read_table(output / "matches.parquet", MATCH_SCHEMA)
    assert matches["row_id"].to_list() == ["s:1", "s:2", "s:4", "s:5"]
    checked = report.findings["benchmarks checked"]
    assert isinstance(checked, dict)
    assert checked["own"]["items"] == 1


def test_only_the_kinds_of_the_recipe_drop(tmp_path: Path) -> None:
    output, _ = run(tmp_path, PROBLEMS, drop_kinds=["exact"], exclude_contests=[])
    kept = storage.read_table(output / "problems.parquet", PROBLEM_SCHEMA)
    assert kept["problem_id"].to_list() == ["s:2", "s:3", "s:4", "s:5"]
    matches = storage.read_table(output / "matches.parquet", MATCH_SCHEMA)
    assert matches["kind"].to_list() == ["exact", "numbers_changed"]


def test_a_missing_benchmark_stops_the_run_unless_the_recipe_lets_it_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CURATION_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hub"))
    with pytest.raises(OutsideError, match="brumo_2025"):
        run(tmp_path, PROBLEMS, against=["own.jsonl", "brumo_2025"])
    _, report = run(tmp_path, PROBLEMS, against=["own.jsonl", "brumo_2025"], missing_benchmarks="report")
    missing = report.findings["benchmarks not checked"]
    assert isinstance(missing, dict)
    assert list(missing) == ["brumo_2025"]


def test_a_benchmark_that_is_not_whole_stops_the_run_unless_the_recipe_lets_it_go_on(tmp_path: Path) -> None:
    (tmp_path / "torn.jsonl").write_text('{"problem": "Name a prime."}\n{"problem": \n')
    with pytest.raises(InputError, match=r"torn\.jsonl:2"):
        run(tmp_path, PROBLEMS, against=["torn.jsonl"])
    run(tmp_path, PROBLEMS, against=["torn.jsonl"], missing_benchmarks="report")


@pytest.mark.parametrize(
    "section", [{"drop_kinds": ["exakt"]}, {"exclude_contests": ["aime"]}, {"against": ["nothing.jsonl"]}]
)
def test_a_recipe_that_names_nothing_is_refused(tmp_path: Path, section: dict[str, object]) -> None:
    with pytest.raises(InputError):
        run(tmp_path, PROBLEMS, **section)


def test_no_rows_give_empty_tables(tmp_path: Path) -> None:
    output, _ = run(tmp_path, [])
    assert storage.read_table(output / "matches.parquet", MATCH_SCHEMA).is_empty()


def test_a_changed_benchmark_changes_the_configuration(tmp_path: Path) -> None:
    run(tmp_path, [])
    recipe = Recipe.model_validate(
        {"name": "t", "sources": [{"use": "s"}], "directory": tmp_path, "decontaminate": {"against": ["own.jsonl"]}}
    )
    before = Decontaminate().configuration(recipe)
    (tmp_path / "own.jsonl").write_text('{"problem": "another"}\n')
    assert Decontaminate().configuration(recipe) != before


def test_the_tables_are_the_same_however_the_rows_were_cut_into_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tables(rows: int) -> list[bytes]:
        monkeypatch.setattr("curation.contamination.step._BATCH", rows)
        output, _ = run(tmp_path, PROBLEMS)
        return [(output / f"{name}.parquet").read_bytes() for name in ("problems", "ledger", "matches")]

    assert tables(1) == tables(2) == tables(1_000)
