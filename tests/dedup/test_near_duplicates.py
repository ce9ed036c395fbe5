"""Near duplicates through the step: clusters without chains, survivors, evidence, provenance, and the same bytes."""

from __future__ import annotations

import json
import random
from pathlib import Path

import polars as pl
import pytest

from curation import storage
from curation.dedup import CLUSTER_SCHEMA, PROVENANCE_SCHEMA, Deduplicate, clusters
from curation.dedup.clusters import FOUND_SCHEMA
from curation.ledger import reconcile
from curation.parallel import Workers
from curation.progress import Silent
from curation.recipe import Recipe
from curation.records import LEDGER_SCHEMA, PROBLEM_SCHEMA, Problem, to_frame
from curation.steps import StepContext

BASE = (
    "Amina has 12 baskets with 7 pears in each. She gives 9 pears to the old miller, bakes 3 cakes with 5 pears each, "
    "and carries the baskets home from the market. How many pears does Amina have left?"
)
CODE = (
    "There are n lamps in a row, some of them on. In one move you may flip a lamp together with the next.\n"
    "Print the smallest number of moves after which all lamps are off, or -1 if no moves do that. The first line holds "
    "n, the second line holds n digits, 1 for a lamp that is on and 0 for one that is off.\n"
)


def problem(name: str, statement: str, answer: str | None = "60", **more: str) -> Problem:
    source, number = name.split(":")
    return Problem(
        problem_id=name,
        domain="code" if answer is None else "math",
        group="code" if answer is None else "opensource_math",
        source=source,
        source_id=number,
        statement=statement,
        licence=more.get("licence", "MIT"),
        answer=answer,
        tests=more.get("tests"),
    )


def run(directory: Path, problems: list[Problem], **section: object) -> Path:
    sources = [{"use": name} for name in "abcdef"]
    recipe = Recipe.model_validate({"name": "t", "sources": sources, "dedup": section})
    directory.mkdir(parents=True, exist_ok=True)
    table, output = directory / "problems.parquet", directory / "out"
    output.mkdir()
    storage.write_table(table, to_frame(problems, PROBLEM_SCHEMA), PROBLEM_SCHEMA)
    Deduplicate().execute(StepContext(recipe, {"problems": table}, output, directory, None, Silent()))
    reconcile("dedup", table, output / "problems.parquet", output / "ledger.parquet")
    return output


def kept(output: Path) -> list[str]:
    return storage.read_table(output / "problems.parquet", PROBLEM_SCHEMA)["problem_id"].to_list()


def ledger(output: Path) -> dict[str, tuple[str, dict[str, object]]]:
    frame = storage.read_table(output / "ledger.parquet", LEDGER_SCHEMA)
    return {row["problem_id"]: (row["rule"], json.loads(row["evidence"])) for row in frame.iter_rows(named=True)}


def test_a_near_duplicate_goes_with_its_survivor_and_the_evidence(tmp_path: Path) -> None:
    other = BASE.replace("miller", "millner").replace("How many pears does", "Find how many pears")
    output = run(tmp_path, [problem("a:1", BASE), problem("b:1", other), problem("c:1", "What is $2+2$?", "4")])
    assert kept(output) == ["a:1", "c:1"]
    rule, evidence = ledger(output)["b:1"]
    assert rule == "near_duplicate"
    assert evidence["survivor"] == "a:1"
    assert evidence["differences"] == [["millner", "miller"]]
    assert isinstance(evidence["similarity"], float)
    assert 0.9 <= evidence["similarity"] < 1
    start, end = evidence["span"]  # type: ignore[misc]
    assert other[:start] == BASE[:start]
    assert "millner" in other[start - 10 : end]


def test_near_duplicates_can_be_left_alone(tmp_path: Path) -> None:
    problems = [problem("a:1", BASE), problem("b:1", BASE.replace("miller", "millner"))]
    assert kept(run(tmp_path, problems, near=False)) == ["a:1", "b:1"]


def test_a_chain_does_not_swallow_what_its_ends_are_not(tmp_path: Path) -> None:
    words = ["miller", "market", "baskets", "pears", "home", "old", "carries", "cakes"]
    new = ["farmer", "harbour", "crates", "plums", "uphill", "tall", "pushes", "pies"]
    links = [BASE]
    for one, other in zip(words, new, strict=True):
        links.append(links[-1].replace(one, other))
    problems = [problem(f"a:{place}", text) for place, text in enumerate(links)]
    output = run(tmp_path, problems)
    survivors = kept(output)
    assert survivors[0] == "a:0"
    assert 1 < len(survivors) < len(links)
    members = storage.read_table(output / "clusters.parquet", CLUSTER_SCHEMA)
    texts = {row.problem_id: row.statement for row in problems}
    for survivor, member in members.select("survivor_id", "problem_id").iter_rows():
        changed = set(texts[survivor].split()) ^ set(texts[member].split())
        assert len(changed) < 12, (survivor, member)


def test_numeric_and_logical_variants_stay(tmp_path: Path) -> None:
    variants = [
        BASE,
        BASE.replace("12", "14"),
        BASE.replace("9 pears", "5 pears").replace("5 pears each", "9 pears each"),
        BASE.replace("to the old", "from the old"),
        BASE.replace("with 5 pears each", "without 5 pears each"),
        "Find the maximum of $x^2-4x$ for real $x$ between $0$ and $3$.",
        "Find the minimum of $x^2-4x$ for real $x$ between $0$ and $3$.",
        "Find the maximum of $x^3-4x$ for real $x$ between $0$ and $3$.",
        "Find the maximum of $x^2+4x$ for real $x$ between $0$ and $3$.",
        "How many odd numbers divide $90$?",
        "How many even numbers divide $90$?",
    ]
    problems = [problem(f"a:{place}", text) for place, text in enumerate(variants)]
    assert kept(run(tmp_path, problems)) == [row.problem_id for row in problems]


def test_short_statements_are_duplicates_only_in_one_wording(tmp_path: Path) -> None:
    texts = [
        "What is $7\\cdot 8$?",
        "Compute $7 \\times 8$.",
        "Find $7\\cdot 9$.",
        "Yes?",
        "No?",
        "$x$",
        "$y$",
        "Find it.",
    ]
    problems = [problem(f"a:{place}", text) for place, text in enumerate(texts)]
    assert kept(run(tmp_path, problems)) == [f"a:{place}" for place in (0, 2, 3, 4, 5, 6, 7)]


def test_different_answers_of_one_wording_are_a_finding(tmp_path: Path) -> None:
    problems = [
        problem("a:1", BASE, "60"),
        problem("b:1", BASE.replace("How many pears does", "Find the number of pears that"), "61"),
        problem("c:1", BASE + " Give your answer as an integer.", "60.0"),
    ]
    assert kept(run(tmp_path / "drop", problems)) == []
    output = run(tmp_path / "majority", problems, disagreement="keep_majority")
    assert kept(output) == ["a:1"]
    told = storage.read_table(output / "provenance.parquet", PROVENANCE_SCHEMA).to_dicts()[0]
    assert told["members"] == ["a:1", "b:1", "c:1"]
    assert (told["majority_answer"], told["votes"], told["answers"]) == ("60", 2, ["60", "61", "60.0"])
    assert ledger(output)["b:1"][1]["agrees"] is False


def test_every_row_is_verified_against_the_survivor_that_the_majority_chose(tmp_path: Path) -> None:
    # The first row survives as long as it has the answer of most; the second wording has two rows.
    second = BASE.replace("miller", "millner")
    problems = [problem("a:1", BASE, "59"), problem("b:1", second, "60"), problem("c:1", second, "60")]
    output = run(tmp_path, problems, disagreement="vote")
    assert kept(output) == ["b:1"]
    rules = ledger(output)
    assert (rules["a:1"][0], rules["c:1"][0]) == ("near_duplicate", "duplicate")
    assert rules["a:1"][1]["differences"] == [["miller", "millner"]]


def test_what_the_cluster_knows_is_kept(tmp_path: Path) -> None:
    dressed = f"B. Lamps\ntime limit per test: 1 second\n{CODE}\n-----Examples-----\nInput\n3\n101\nOutput\n-1\n"
    problems = [
        problem("a:1", CODE, None, licence="MIT", tests="a:1"),
        problem("b:1", dressed, None, licence="CC-BY-SA-4.0", tests="b:1"),
        problem("c:1", dressed.replace("101", "110"), None, licence="Apache-2.0", tests="c:1"),
    ]
    output = run(tmp_path, problems)
    assert kept(output) == ["a:1"]
    told = storage.read_table(output / "provenance.parquet", PROVENANCE_SCHEMA).to_dicts()
    assert told == [
        {
            "problem_id": "a:1",
            "members": ["a:1", "b:1", "c:1"],
            "sources": ["a", "b", "c"],
            "licences": ["MIT", "CC-BY-SA-4.0", "Apache-2.0"],
            "strictest_licence": "CC-BY-SA-4.0",
            "majority_answer": None,
            "votes": 0,
            "answers": [],
            "disagreeing": False,
            "kept": True,
            "other_tests": ["b:1", "c:1"],
        }
    ]
    row = storage.read_table(output / "problems.parquet", PROBLEM_SCHEMA).to_dicts()[0]
    assert (row["licence"], row["tests"]) == ("CC-BY-SA-4.0", "a:1")


def many() -> list[Problem]:
    """Return rows of a few templates with near copies, in the order of their identifiers."""
    chooser = random.Random(5)
    names, places = ["Amina", "Tomas", "Kofi", "Lena", "Omar"], ["market", "harbour", "village", "orchard"]
    asked = ["How many pears does Amina have left?", "Find how many pears Amina has left.", "How many pears are left?"]
    rows = []
    for place in range(600):
        text = BASE.replace("Amina", chooser.choice(names)).replace("market", chooser.choice(places))
        text = text.replace("12", str(chooser.choice([12, 13, 14]))).rsplit(".", 1)[0] + ". " + chooser.choice(asked)
        if chooser.random() < 0.2:
            text = text.replace("baskets", "baskts", 1)
        rows.append(problem(f"{chooser.choice('abc')}:{place:04}", text, chooser.choice(["60", "60", "60", "61"])))
    return rows


def test_the_order_of_the_rows_changes_no_byte_of_the_clusters(tmp_path: Path) -> None:
    rows = many()
    shuffled = random.Random(1).sample(rows, len(rows))
    one, two = run(tmp_path / "one", rows), run(tmp_path / "two", shuffled)
    for table in ("clusters", "provenance", "ledger"):
        assert (one / f"{table}.parquet").read_bytes() == (two / f"{table}.parquet").read_bytes()
    assert sorted(kept(one)) == sorted(kept(two))


def test_every_cluster_keeps_a_survivor_unless_it_disagrees(tmp_path: Path) -> None:
    output = run(tmp_path, many(), disagreement="vote")
    members = storage.read_table(output / "clusters.parquet", CLUSTER_SCHEMA)
    assert members["survivor_id"].n_unique() > 5
    assert set(members["survivor_id"]) <= set(kept(output))
    assert members.filter(pl.col("kind") == "near").height > 20


@pytest.mark.parametrize("processes", [1, 2])
def test_the_number_of_processes_changes_nothing(tmp_path: Path, processes: int) -> None:
    table = tmp_path / "problems.parquet"
    rows = [
        problem(f"{row.source}:{row.source_id}-{copy}", f"{row.statement} Sack {copy}.", row.answer)
        for copy in range(6)
        for row in many()
    ]
    storage.write_table(table, to_frame(rows, PROBLEM_SCHEMA), PROBLEM_SCHEMA)
    with Workers("compares rows", processes) as workers:
        found = clusters.find(table, ["a", "b"], 0.9, Silent(), workers)
    assert found.schema == FOUND_SCHEMA
    with Workers("compares rows") as here:
        assert found.equals(clusters.find(table, ["a", "b"], 0.9, Silent(), here))
