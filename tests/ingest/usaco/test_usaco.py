"""USACO's problems out of a folder in the shape of Princeton's collection, and out of saved pages."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from curation import run
from curation.errors import InputError
from curation.ingest.readers import BadRow
from curation.ingest.step import Ingest
from curation.ingest.usaco.reader import read_usaco
from curation.progress import Silent
from curation.recipe import Recipe

STATEMENT = (
    "Count the hens.\n\nINPUT FORMAT (file hens.in):\nOne integer.\n\nOUTPUT FORMAT (file hens.out):\nOne integer.\n\n"
    "SAMPLE INPUT:\n2\n\nSAMPLE OUTPUT:\n4\n"
)
PROBLEM = {
    "name": "Hens",
    "problem_id": "12_bronze_hens",
    "problem_level": "bronze",
    "description": STATEMENT,
    "num_tests": 2,
    "runtime_limit": 2,
    "memory_limit": 256,
    "solution_english": "Double it.",
    "solution_python3": "print(int(input()) * 2)\n",
}
CONTEST_PAGE = """<html><head><title>USACO</title></head><body>
<table><tr><td><a href="https://www.usaco.org/index.php">Overview</a></td></tr></table>
<div class="panel"><h2>USACO 2019 December Contest, Gold</h2><h2>Problem 1. Hay</h2></div>
<div id="probtext-text" class="problem-text"><p>There are $N$ bales.</p>
<div class='prob-in-spec'><h4>INPUT FORMAT (file hay.in):</h4>One integer $N &lt; 10$.</div>
<div class='prob-out-spec'><h4>OUTPUT FORMAT (file hay.out):</h4>Its double.</div>
<h4>SAMPLE INPUT:</h4><pre class='in'>
3
</pre><h4>SAMPLE OUTPUT:</h4><pre class='out'>
6
</pre></div></body></html>"""
TRAINING_PAGE = """<html><head><title>USACO Training Gateway</title></head><body>
<table><tr><td><a href="/usacogate?a=x">Back</a></td></tr></table>
<center><h2>The Gate</h2></center><p>Cows pass a gate.</p>
<h3>PROGRAM NAME: gate</h3><h3>INPUT FORMAT</h3><pre>
Line 1: N
</pre><h3>SAMPLE INPUT (file gate.in)</h3><pre>
1
</pre><h3>OUTPUT FORMAT</h3><p>N again.</p><h3>SAMPLE OUTPUT (file gate.out)</h3><pre>
1
</pre></body></html>"""


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    """Write files into a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def collection(folder: Path, problems: dict[str, object], tests: dict[str, str | bytes]) -> Path:
    """Write a collection and its tests, whose names start at the folder of tests."""
    files: dict[str, str | bytes] = {"datasets/usaco_v2_dict.json": json.dumps(problems)}
    return write(folder, files | {f"datasets/usaco_v3/tests/{name}": content for name, content in tests.items()})


NEW = {"12_bronze_hens/1.in": "2\n", "12_bronze_hens/1.out": "4\n"}
NEW |= {"12_bronze_hens/2.in": "3\n", "12_bronze_hens/2.out": "6\n"}
OLD = {"13_gold_cows/I.1": "1\n", "13_gold_cows/O.1": "1\n", "13_gold_cows/I.10": "5\n", "13_gold_cows/O.10": "5\n"}


def test_the_collection_with_both_forms_of_test_files(tmp_path: Path) -> None:
    files = 'with open("cows.in") as f:\n    print(f.read())\n'
    old = {**PROBLEM, "problem_id": "13_gold_cows", "solution_python3": files}
    collection(tmp_path / "usaco", {"12_bronze_hens": PROBLEM, "13_gold_cows": old}, {**NEW, **OLD})
    recipe = Recipe.model_validate({"name": "r", "sources": [{"use": "usaco", "path": "usaco"}], "directory": tmp_path})
    done = run.execute((Ingest(),), recipe, tmp_path / "run", Silent())
    problems = pl.read_parquet(done.newest("problems"))
    assert problems.select("problem_id", "time_limit_s", "memory_limit_mb", "contest", "url").rows() == [
        ("usaco:12_bronze_hens", 2.0, 256, "usaco", "https://usaco.org/index.php?page=viewproblem2&cpid=12"),
        ("usaco:13_gold_cows", 2.0, 256, "usaco", "https://usaco.org/index.php?page=viewproblem2&cpid=13"),
    ]
    assert problems["statement"].str.contains(r"INPUT FORMAT \(standard input\):\nOne integer").all()
    assert not problems["statement"].str.contains(r"hens\.(in|out)").any()
    tests = pl.read_parquet(done.newest("tests"))
    assert tests.select("name", "input", "output").rows() == [
        ("001", "2\n", "4\n"),
        ("002", "3\n", "6\n"),
        ("001", "1\n", "1\n"),
        ("010", "5\n", "5\n"),
    ]
    programs = pl.read_parquet(done.newest("submissions"))
    assert programs.select("problem_id", "expected").rows() == [
        ("usaco:12_bronze_hens", "correct"),
        ("usaco:13_gold_cows", None),
    ]


@pytest.mark.parametrize(
    ("change", "tests", "rule"),
    [
        ({"num_tests": 3}, NEW, "incomplete_tests"),
        ({"num_tests": 1}, {"12_bronze_hens/1.in": "2\n"}, "incomplete_tests"),
        ({}, {}, "no_tests"),
        ({"description": ""}, NEW, "no_statement"),
        ({"description": None}, NEW, "no_statement"),
        ({"description": STATEMENT + "Read from hens.in."}, NEW, "file_input"),
        ({}, {**NEW, "12_bronze_hens/2.out": b"\xff"}, "not_utf8"),
    ],
)
def test_problems_that_cannot_be_rows(
    tmp_path: Path, change: dict[str, object], tests: dict[str, str | bytes], rule: str
) -> None:
    (found,) = read_usaco(collection(tmp_path, {"12_bronze_hens": {**PROBLEM, **change}}, tests))
    assert isinstance(found, BadRow)
    assert (found.location, found.rule) == ("datasets/usaco_v2_dict.json:12_bronze_hens", rule)


def test_an_identifier_is_no_way_out_of_the_folder(tmp_path: Path) -> None:
    (found,) = read_usaco(collection(tmp_path, {"../12": PROBLEM}, NEW))
    assert isinstance(found, BadRow)
    assert found.rule == "unreadable_identifier"


def test_a_problem_of_two_collections_is_taken_once(tmp_path: Path) -> None:
    collection(tmp_path, {"12_bronze_hens": PROBLEM, "14_gold_no": "?"}, dict(NEW))
    write(tmp_path, {"datasets/usaco_subset307_dict.json": json.dumps({"12_bronze_hens": PROBLEM})})
    found = list(read_usaco(tmp_path))
    assert [row.rule if isinstance(row, BadRow) else row.location for row in found] == [
        "datasets/usaco_v2_dict.json:12_bronze_hens",
        "no_object",
        "repeated_problem",
    ]


def test_saved_pages_with_their_samples_and_tests(tmp_path: Path) -> None:
    pages = {
        "pages/cpid_970.html": CONTEST_PAGE,
        "pages/gate.html": TRAINING_PAGE,
        "pages/gate/1.in": "1\n",
        "pages/gate/1.out": "1\n",
        "pages/gate/2.in": "7\n",
        "pages/gate/2.out": "7\n",
        "pages/news.html": "<html><body><p>News.</p></body></html>",
    }
    write(tmp_path, pages)
    use = {"use": "usaco-training", "path": "pages"}
    recipe = Recipe.model_validate({"name": "r", "sources": [use], "directory": tmp_path})
    done = run.execute((Ingest(),), recipe, tmp_path / "run", Silent())
    problems = pl.read_parquet(done.newest("problems"))
    hay, gate = problems["statement"].to_list()
    assert hay == (
        "Hay\n\nThere are $N$ bales.\n\nINPUT FORMAT (standard input):\n\nOne integer $N < 10$.\n\n"
        "OUTPUT FORMAT (standard output):\n\nIts double.\n\nSAMPLE INPUT:\n\n3\n\nSAMPLE OUTPUT:\n\n6"
    )
    assert gate == (
        "The Gate\n\nCows pass a gate.\n\nINPUT FORMAT\n\nLine 1: N\n\nSAMPLE INPUT (standard input)\n\n1\n\n"
        "OUTPUT FORMAT\n\nN again.\n\nSAMPLE OUTPUT (standard output)\n\n1"
    )
    assert problems["year"].to_list() == [2019, None]
    assert problems["url"][0] == "https://usaco.org/index.php?page=viewproblem2&cpid=970"
    tests = pl.read_parquet(done.newest("tests"))
    assert tests.select("problem_id", "name", "input", "output").rows() == [
        ("usaco-training:cpid_970", "sample-001", "3\n", "6\n"),
        ("usaco-training:gate", "sample-001", "1\n", "1\n"),
        ("usaco-training:gate", "002", "7\n", "7\n"),
    ]
    ledger = pl.read_parquet(done.newest("ledger"))
    assert ledger.select("location", "rule").rows() == [("news.html", "no_problem")]


def test_a_folder_with_neither(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no \*_dict"):
        list(read_usaco(tmp_path))
