"""The step ``dedup``: survivors, disagreeing answers, the ledger."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from curation import storage
from curation.dedup import CLUSTER_SCHEMA, PROVENANCE_SCHEMA, Deduplicate
from curation.dedup.agreement import agree, same_answer
from curation.dedup.decision import decide
from curation.dedup.licences import strictest_licence
from curation.ledger import reconcile
from curation.progress import Silent
from curation.recipe import Recipe
from curation.records import LEDGER_SCHEMA, PROBLEM_SCHEMA, Equality, Problem, to_frame
from curation.steps import StepContext


def problem(source: str, number: int, statement: str, answer: str | None, **more: str) -> Problem:
    return Problem(
        problem_id=f"{source}:{number}",
        domain="math",
        group="opensource_math",
        source=source,
        source_id=str(number),
        statement=statement,
        licence=more.get("licence", "mit"),
        answer=answer,
    )


def run(tmp_path: Path, problems: list[Problem], policy: str = "drop", order: tuple[str, ...] = ("b", "a")) -> Path:
    recipe = Recipe.model_validate(
        {"name": "t", "sources": [{"use": name} for name in order], "dedup": {"disagreement": policy}}
    )
    table, output = tmp_path / "problems.parquet", tmp_path / "out"
    output.mkdir()
    storage.write_table(table, to_frame(problems, PROBLEM_SCHEMA), PROBLEM_SCHEMA)
    step = Deduplicate()
    step.execute(StepContext(recipe, {"problems": table}, output, tmp_path, None, Silent()))
    reconcile("dedup", table, output / "problems.parquet", output / "ledger.parquet")
    return output


def kept(output: Path) -> list[str]:
    return storage.read_table(output / "problems.parquet", PROBLEM_SCHEMA)["problem_id"].to_list()


def rules(output: Path) -> dict[str, str]:
    frame = storage.read_table(output / "ledger.parquet", LEDGER_SCHEMA)
    return dict(zip(frame["problem_id"], frame["rule"], strict=True))


def test_one_row_of_each_cluster_survives_in_the_order_of_the_sources(tmp_path: Path) -> None:
    output = run(
        tmp_path,
        [
            problem("a", 1, r"Find $\dfrac{1}{2} + x^{2}$ for x = 3.", "9.5"),
            problem("a", 2, "Find $1/2 + x²$ for $x=3$", "9.5"),
            problem("b", 9, r"Find \(\frac12+x^2\) for \(x = 3\).", "9.5"),
            problem("b", 8, "Another one.", "1"),
        ],
    )
    assert kept(output) == ["b:9", "b:8"]
    assert rules(output) == {"a:1": "duplicate", "a:2": "duplicate"}
    ledger = storage.read_table(output / "ledger.parquet", LEDGER_SCHEMA)
    assert {json.loads(text)["survivor"] for text in ledger["evidence"]} == {"b:9"}


def test_a_code_problem_with_tests_survives_one_without(tmp_path: Path) -> None:
    statement = "Read two integers and print their sum, which may be large. Both fit into one line of the input."
    bare, tested = (
        replace(problem(source, 1, statement, None), domain="code", group="code", tests=tests)
        for source, tests in (("b", None), ("a", "a:1"))
    )
    assert kept(run(tmp_path, [bare, tested])) == ["a:1"]


def test_numeric_variants_and_other_domains_are_no_duplicates(tmp_path: Path) -> None:
    code = problem("a", 3, "Add 2 and 3.", None)
    problems = [
        problem("a", 1, "Add 2 and 3.", "5"),
        problem("a", 2, "Add 2 and 4.", "6"),
        Problem(**{**{name: getattr(code, name) for name in Problem.__slots__}, "domain": "code", "group": "code"}),
    ]
    assert kept(run(tmp_path, problems)) == ["a:1", "a:2", "a:3"]


def test_empty_and_short_statements_take_an_exact_path(tmp_path: Path) -> None:
    problems = [
        problem("a", 1, "", "1"),
        problem("a", 2, "$$", "1"),
        problem("a", 3, "", "1"),
        problem("a", 4, "x", "1"),
        problem("a", 5, "y", "1"),
    ]
    assert kept(run(tmp_path, problems)) == ["a:1", "a:2", "a:4", "a:5"]


def test_a_cluster_that_disagrees_is_dropped_whole_with_its_answers(tmp_path: Path) -> None:
    problems = [problem("a", 1, "What?", "1"), problem("b", 1, "What?", "2"), problem("a", 2, "Else?", None)]
    output = run(tmp_path, problems)
    assert kept(output) == ["a:2"]
    assert set(rules(output).values()) == {"disagreeing_answers"}
    ledger = storage.read_table(output / "ledger.parquet", LEDGER_SCHEMA)
    assert all(json.loads(text)["answers"] == ["2", "1"] for text in ledger["evidence"])


def test_the_majority_survives_where_the_recipe_lets_rows_vote(tmp_path: Path) -> None:
    problems = [problem("b", 1, "What?", "2"), problem("a", 1, "What?", "1"), problem("a", 2, "What ?", "1")]
    output = run(tmp_path, problems, policy="vote")
    assert kept(output) == ["a:1"]
    clusters = storage.read_table(output / "clusters.parquet", CLUSTER_SCHEMA)
    assert dict(zip(clusters["problem_id"], clusters["agrees"], strict=True)) == {
        "b:1": False,
        "a:1": True,
        "a:2": True,
    }


@pytest.mark.parametrize(("policy", "left"), [("drop", []), ("keep_majority", []), ("vote", ["b:1"])])
def test_a_tie_is_no_majority(tmp_path: Path, policy: str, left: list[str]) -> None:
    problems = [problem("a", 1, "What?", "1"), problem("b", 1, "What?", "2"), problem("b", 2, "What?", None)]
    assert kept(run(tmp_path, problems, policy)) == left


@pytest.mark.parametrize(("policy", "left"), [("drop", []), ("keep_majority", ["a:1"]), ("vote", ["a:1"])])
def test_more_than_half_are_a_majority(tmp_path: Path, policy: str, left: list[str]) -> None:
    answers = {"a:1": "1/2", "a:2": "0.5", "b:1": "2"}
    problems = [problem(name[0], int(name[2]), "What?", answer) for name, answer in answers.items()]
    output = run(tmp_path, problems, policy)
    assert kept(output) == left
    told = storage.read_table(output / "provenance.parquet", PROVENANCE_SCHEMA).to_dicts()[0]
    assert (told["problem_id"], told["majority_answer"], told["votes"]) == ("a:1", "1/2", 2)
    assert (told["disagreeing"], told["kept"]) == (True, bool(left))


def test_a_row_with_an_answer_is_preferred_to_one_without(tmp_path: Path) -> None:
    assert kept(run(tmp_path, [problem("b", 1, "What?", None), problem("a", 1, "What?", "1")])) == ["a:1"]


def test_the_strictest_licence_is_recorded(tmp_path: Path) -> None:
    problems = [
        problem("a", 1, "What?", "1", licence="apache-2.0"),
        problem("b", 1, "What?", "1", licence="cc-by-nc-2.0"),
    ]
    output = run(tmp_path, problems)
    clusters = storage.read_table(output / "clusters.parquet", CLUSTER_SCHEMA)
    assert set(clusters["strictest_licence"]) == {"cc-by-nc-2.0"}
    survivor = storage.read_table(output / "problems.parquet", PROBLEM_SCHEMA).to_dicts()[0]
    assert (survivor["problem_id"], survivor["licence"]) == ("b:1", "cc-by-nc-2.0")


@pytest.mark.parametrize(
    ("licences", "strictest"),
    [
        (["mit", "Apache-2.0"], "Apache-2.0"),
        (["CC0-1.0", "MIT"], "MIT"),
        (["MIT", "CC-BY-4.0"], "CC-BY-4.0"),
        (["CC-BY-4.0", "CC-BY-SA-4.0"], "CC-BY-SA-4.0"),
        (["CC-BY-SA-4.0", "GPL-3.0-only"], "GPL-3.0-only"),
        (["GPL-3.0", "CC-BY-NC-4.0"], "CC-BY-NC-4.0"),
        (["CC-BY-NC-SA-4.0", "CC-BY-NC-4.0"], "CC-BY-NC-SA-4.0"),
        (["CC-BY-NC-ND-4.0", "other"], "other"),
        (["mit", "the organisers keep all rights"], "the organisers keep all rights"),
        (["mit", ""], ""),
    ],
)
def test_an_unknown_licence_is_the_strictest(licences: list[str], strictest: str) -> None:
    assert strictest_licence(licences) == strictest_licence(licences[::-1])
    assert strictest_licence(licences).lower() == strictest.lower()


@pytest.mark.parametrize("count", [0, 1])
def test_tables_of_no_or_one_row(tmp_path: Path, count: int) -> None:
    assert len(kept(run(tmp_path, [problem("a", 1, "What?", "1")][:count]))) == count


def test_the_same_rows_in_another_order_keep_the_same_survivors(tmp_path: Path) -> None:
    problems = [problem("a", n, f"Statement {n % 7}", str(n % 7)) for n in range(40)]
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    one, two = run(tmp_path / "one", problems), run(tmp_path / "two", problems[::-1])
    assert sorted(kept(one)) == sorted(kept(two))
    assert (one / "clusters.parquet").read_bytes() == (two / "clusters.parquet").read_bytes()


def test_an_answer_that_cannot_be_compared_is_no_disagreement() -> None:
    def compare(one: str, other: str) -> Equality:
        return "unknown" if "?" in (one, other) else same_answer(one, other)

    assert agree(["1", "?", "1"], compare).values == 1
    found = pl.DataFrame(
        {
            "cluster": ["a", "a"],
            "node": ["a", "a"],
            "problem_id": ["a", "b"],
            "source": ["s", "s"],
            "source_id": ["a", "b"],
            "tests": [None, None],
            "licence": ["mit", "mit"],
            "answer": ["1", "?"],
        }
    )
    decided = decide(found, compare, "drop")
    assert decided["agrees"].to_list() == [True, None]
    assert not decided["disagreeing"].any()
