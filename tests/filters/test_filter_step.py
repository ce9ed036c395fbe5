"""The step: tables, ledger, evidence, fingerprint, and the same bytes however many processes work."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest
from run_parts import problem, recipe

from curation import json_reader, ledger, records, storage
from curation.errors import InputError
from curation.filters import parallel
from curation.filters.rule import Row
from curation.filters.step import CLEANED_SCHEMA, Filter
from curation.progress import Silent
from curation.recipe import FilterSection, Recipe
from curation.records import LEDGER_SCHEMA, PROBLEM_SCHEMA, Problem
from curation.steps import StepContext, StepReport

KEPT = problem("kept", "4", statement="What is $2+2$?", year=2001)
CLEANED = problem("cleaned", "4", statement="3. [5 points] What is $2+2$?")
DROPPED = problem("dropped", None, statement="As shown in the diagram, prove that $AB=CD$.")
CODE = problem(
    "code", None, domain="code", statement="Prove that you can sort: read n, print n lines. (a) Sort.\n\n1. x"
)


def _run(directory: Path, problems: Sequence[Problem], wanted: Recipe) -> tuple[Path, StepReport]:
    table = directory / "in.parquet"
    storage.write_table(table, records.to_frame(list(problems), PROBLEM_SCHEMA), PROBLEM_SCHEMA)
    output = directory / "out"
    output.mkdir()
    return output, Filter().execute(StepContext(wanted, {"problems": table}, output, directory, None, Silent()))


def test_rows_are_kept_cleaned_or_dropped_and_the_sums_reconcile(tmp_path: Path) -> None:
    output, report = _run(tmp_path, [KEPT, CLEANED, DROPPED, CODE], recipe())
    kept = storage.read_table(output / "problems.parquet", PROBLEM_SCHEMA)
    assert kept["problem_id"].to_list() == ["own:kept", "own:cleaned", "own:code"]
    assert kept["statement"].to_list() == ["What is $2+2$?", "What is $2+2$?", CODE.statement]
    assert kept.row(0, named=True)["year"] == 2001
    assert ledger.reconcile(
        "filter", tmp_path / "in.parquet", output / "problems.parquet", output / "ledger.parquet", report.added
    ) == (4, 3, 1)
    assert report.findings["rows dropped, by rule"] == {"proof_wanted": 1}
    assert report.findings["rows cleaned, by rule"] == {"points": 1, "problem_number": 1}


def test_the_first_reason_decides_and_the_others_are_evidence(tmp_path: Path) -> None:
    output, _ = _run(tmp_path, [DROPPED], recipe())
    entry = storage.read_table(output / "ledger.parquet", LEDGER_SCHEMA).row(0, named=True)
    assert (entry["step"], entry["rule"], entry["source"]) == ("filter", "proof", "own")
    assert entry["reason"] == "It asks for a proof."
    evidence = json_reader.loads(entry["evidence"])
    assert isinstance(evidence, dict)
    assert evidence["rule"] == "proof_wanted"
    assert str(evidence["span"]).endswith("prove that")
    also = evidence["also"]
    assert isinstance(also, list)
    reasons = [hit["reason"] for hit in also if isinstance(hit, dict)]
    assert reasons == ["image", "image", "empty"]


def test_the_cleaned_table_tells_what_went(tmp_path: Path) -> None:
    output, _ = _run(tmp_path, [KEPT, CLEANED], recipe())
    assert storage.read_table(output / "cleaned.parquet", CLEANED_SCHEMA).rows() == [
        ("own:cleaned", "problem_number", "3. ", ""),
        ("own:cleaned", "points", "[5 points] ", ""),
    ]


def test_rules_can_be_skipped_by_name_and_by_reason(tmp_path: Path) -> None:
    for number, (skipped, expected) in enumerate(
        [
            ((), "proof"),
            (("proof_wanted",), "image"),
            (("proof", "image"), "empty"),
            (("proof", "image", "empty"), None),
        ]
    ):
        place = tmp_path / str(number)
        place.mkdir()
        output, _ = _run(place, [DROPPED], recipe(filter={"skip_rules": skipped}))
        assert storage.read_table(output / "ledger.parquet", LEDGER_SCHEMA)["rule"].to_list() == (
            [expected] if expected else []
        )


def test_a_cleaning_rule_can_be_skipped(tmp_path: Path) -> None:
    output, _ = _run(tmp_path, [CLEANED], recipe(filter={"skip_rules": ["problem_number", "points"]}))
    assert storage.read_table(output / "problems.parquet", PROBLEM_SCHEMA)["statement"].to_list() == [CLEANED.statement]


def test_a_rule_that_does_not_exist_is_named() -> None:
    with pytest.raises(InputError, match="no rule is called 'imagge'"):
        Filter().configuration(recipe(filter={"skip_rules": ["imagge"]}))


def test_the_wanted_languages_are_an_option(tmp_path: Path) -> None:
    french = problem("fr", "5", statement="Quelle est la somme des deux nombres $2$ et $3$ dans cette liste ?")
    for number, (languages, rows) in enumerate([(("en", "zh"), 0), (("fr",), 1), (("en", "fr"), 1)]):
        place = tmp_path / str(number)
        place.mkdir()
        output, _ = _run(place, [french], recipe(filter={"languages": languages}))
        assert storage.read_table(output / "problems.parquet", PROBLEM_SCHEMA).height == rows


def test_answers_are_put_to_the_comparison_where_the_recipe_wants_it(tmp_path: Path) -> None:
    twice = problem("twice", "(-\\frac12, -0.5)", statement="Which interval is it?")
    fine = problem("fine", "(1, 2)", statement="Which interval is it?")
    proof = problem("proof", "(-\\frac12, -0.5)", statement="Prove that it is this interval.")
    for wanted, expected in ((False, ["proof"]), (True, ["non_checkable", "proof"])):
        place = tmp_path / str(wanted)
        place.mkdir()
        output, _ = _run(place, [twice, fine, proof], recipe(filter={"check_answers": wanted}))
        entries = storage.read_table(output / "ledger.parquet", LEDGER_SCHEMA)
        assert entries["rule"].to_list() == expected
        assert "uncheckable_answer" not in entries["evidence"].to_list()[-1]


def test_own_rules_run_after_ours_and_their_content_is_in_the_fingerprint(tmp_path: Path) -> None:
    path = tmp_path / "no_twos.py"
    path.write_text('def no_twos(row):\n    """It has a two."""\n    return "2" if "2" in row.statement else None\n')
    wanted = recipe(filter={"own_rules": ["no_twos.py"]}, directory=tmp_path)
    output, _ = _run(tmp_path, [KEPT], wanted)
    entry = storage.read_table(output / "ledger.parquet", LEDGER_SCHEMA).row(0, named=True)
    assert (entry["rule"], entry["reason"]) == ("no_twos", "It has a two.")
    before = Filter().configuration(wanted)
    path.write_text("def no_twos(row):\n    return None\n")
    parallel.rules_of.cache_clear()
    assert Filter().configuration(wanted) != before


def test_code_rows_meet_only_the_rules_made_for_them(tmp_path: Path) -> None:
    def code(name: str, statement: str) -> Problem:
        return problem(name, None, domain="code", statement=statement)

    rows = [
        code(
            "fine",
            "Prove that... (a) Print n. (b) Print m.\n\nAnswer: one line. Which of the following? A) x B) y C) z",
        ),
        code("blank", " \n "),
        code("picture", "The map ![](map.png) shows the cells. Print n."),
        code("damaged", "Print n\ufffd lines."),
        code("russian", "Выведите сумму всех чисел массива, по одному на строке."),
    ]
    output, _ = _run(tmp_path, rows, recipe())
    assert storage.read_table(output / "problems.parquet", PROBLEM_SCHEMA)["statement"].to_list() == [rows[0].statement]
    dropped = storage.read_table(output / "ledger.parquet", LEDGER_SCHEMA)
    assert dropped["rule"].to_list() == ["empty", "image", "broken_text", "language"]


def test_processes_change_nothing(tmp_path: Path) -> None:
    rows = [Row(f"{number}. What is ${number}+1$? (a) x", str(number + 1)) for number in range(40)]
    rows += [Row(f"Prove that ${number}>0$.", None) for number in range(40)]
    batches = [rows[start : start + 7] for start in range(0, len(rows), 7)]
    alone = list(parallel.screen_batches(batches, FilterSection(), tmp_path, workers=1))
    assert list(parallel.screen_batches(batches, FilterSection(), tmp_path, workers=2)) == alone
    assert [len(batch) for batch in alone] == [len(batch) for batch in batches]


def test_an_empty_table_gives_empty_tables(tmp_path: Path) -> None:
    output, _ = _run(tmp_path, [], recipe())
    assert pl.read_parquet(output / "problems.parquet").height == 0
    assert pl.read_parquet(output / "ledger.parquet").height == 0
