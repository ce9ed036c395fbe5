"""Problem packages of the Kattis/ICPC and the Polygon format become rows, or say why they cannot."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import polars as pl
import pytest

from curation import run
from curation.errors import InputError
from curation.ingest.packages.reader import read_packages
from curation.ingest.packages.statement import tex_text, with_samples
from curation.ingest.readers import BadRow
from curation.ingest.step import Ingest
from curation.progress import Silent
from curation.recipe import Recipe

Files = Mapping[str, str | bytes | None]

YAML = """problem_format_version: legacy
name: Sheep in a Row
author: Ada Example
license: cc by-sa
source: Meadow Cup 2021
limits:
  memory: 512
  time_limit: 3
"""
TEX = r"""\problemname{Sheep in a Row}
\illustration{0.3}{sheep.jpg}{A sheep by \href{x}{me}}
% a remark nobody sees
There are $n$~sheep. Each is \textbf{either} black or ``white''.
\section*{Input}
One integer $n$ ($1 \le n \le 10^5$).
\begin{itemize}
\item 90\% of the tests have $n \le 100$.
\end{itemize}
\section*{Output}
The number of colourings, modulo $7$.
"""
CHECKER = '#include "testlib.h"\nint main(int n, char** v) { registerTestlibCmd(n, v); quitf(_ok, "fine"); }\n'
XML = """<?xml version="1.0" encoding="utf-8"?>
<problem revision="3" short-name="hens" url="https://example.org/hens">
  <names><name language="russian" value="Kury"/><name language="english" value="Hens"/></names>
  <judging cpu-name="any" input-file="" output-file="" run-count="1">
    <testset name="tests">
      <time-limit>1500</time-limit><memory-limit>268435456</memory-limit><test-count>2</test-count>
      <input-path-pattern>tests/%02d</input-path-pattern><answer-path-pattern>tests/%02d.a</answer-path-pattern>
      <tests><test method="manual" sample="true"/><test cmd="gen 5" method="generated"/></tests>
    </testset>
  </judging>
  <assets>
    <checker name="std::wcmp.cpp" type="testlib"><source path="files/check.cpp" type="cpp.g++17"/></checker>
    <validators><validator><source path="files/validate.cpp" type="cpp.g++17"/></validator></validators>
    <solutions>
      <solution tag="main"><source path="solutions/good.cpp" type="cpp.g++20"/></solution>
      <solution tag="wrong-answer"><source path="solutions/bad.py" type="python.3"/></solution>
      <solution tag="time-limit-exceeded-or-accepted"><source path="solutions/slow.py" type="python.2"/></solution>
    </solutions>
  </assets>
</problem>
"""
PROPERTIES = {
    "name": "Hens",
    "legend": "Count the hens in \\textit{both} yards.",
    "input": "Two integers.",
    "output": "Their sum.",
    "notes": "",
    "sampleTests": [{"input": "1 2\n", "output": "3\n"}],
}


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    """Write files into a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def kattis(folder: Path, changes: Files = MappingProxyType({})) -> Path:
    """Write a package in the Kattis format; a change of None leaves a file out."""
    files: dict[str, str | bytes | None] = {
        "problem.yaml": YAML,
        "problem_statement/problem.sv.tex": "Far.",
        "problem_statement/problem.en.tex": TEX,
        "data/sample/1.in": "2\n",
        "data/sample/1.ans": "4\n",
        "data/secret/a/01.in": "3\n",
        "data/secret/a/01.ans": "1\n",
        "submissions/accepted/good.py": "print(pow(2, int(input()), 7))\n",
        "submissions/wrong_answer/bad.cpp": "int main() {}\n",
        "submissions/mixed/perhaps.py": "print(1)\n",
        **{name.replace("__", "/").replace(".", "."): content for name, content in changes.items()},
    }
    return write(folder, {name: content for name, content in files.items() if content is not None})


def polygon(folder: Path, changes: Files = MappingProxyType({})) -> Path:
    """Write a full package of Polygon; a change of None leaves a file out."""
    files: dict[str, str | bytes | None] = {
        "problem.xml": XML,
        "statements/english/problem-properties.json": json.dumps(PROPERTIES),
        "files/check.cpp": CHECKER,
        "tests/01": "1 2\n",
        "tests/01.a": "3\n",
        "tests/02": "5 5\n",
        "tests/02.a": "10\n",
        "solutions/good.cpp": "int main() { }\n",
        "solutions/bad.py": "print(3)\n",
        "solutions/slow.py": "print 3\n",
        **{name.replace("__", "/").replace(".", "."): content for name, content in changes.items()},
    }
    return write(folder, {name: content for name, content in files.items() if content is not None})


def ingest(tmp_path: Path) -> run.Run:
    """Ingest the folder ``packages`` as a recipe names it."""
    use = {"use": "problem-packages", "name": "meadow", "path": "packages", "licence": "CC0-1.0"}
    recipe = Recipe.model_validate({"name": "r", "sources": [use], "directory": tmp_path})
    return run.execute((Ingest(),), recipe, tmp_path / "run", Silent())


def refused(folder: Path) -> BadRow:
    """Return why the one package of a folder becomes nothing."""
    (found,) = read_packages(folder)
    assert isinstance(found, BadRow), found
    return found


def test_both_formats_become_problems_with_tests_programs_and_checkers(tmp_path: Path) -> None:
    kattis(tmp_path / "packages/2021/sheep")
    polygon(tmp_path / "packages/hens")
    done = ingest(tmp_path)
    problems = pl.read_parquet(done.newest("problems")).sort("problem_id")
    sha = pl.read_parquet(done.newest("checkers"))
    assert sha.select("kind", "source").rows() == [("testlib", CHECKER)]
    columns = ("problem_id", "time_limit_s", "memory_limit_mb", "checker", "year", "url")
    assert problems.select(columns).rows() == [
        ("meadow:2021/sheep", 3.0, 512, None, 2021, "https://icpc.io/problem-package-format/"),
        ("meadow:hens", 1.5, 256, f"testlib:{sha['sha256'][0]}", None, "https://example.org/hens"),
    ]
    assert problems["licence"].to_list() == ["CC0-1.0", "CC0-1.0"]
    assert problems["attribution"].to_list() == ["Ada Example", "the packages' authors"]
    tests = pl.read_parquet(done.newest("tests")).sort("problem_id", "name")
    assert tests.select("name", "input", "output", "kind").rows() == [
        ("sample/1", "2\n", "4\n", "stdio"),
        ("secret/a/01", "3\n", "1\n", "stdio"),
        ("sample/001", "1 2\n", "3\n", "stdio"),
        ("secret/002", "5 5\n", "10\n", "stdio"),
    ]
    programs = pl.read_parquet(done.newest("submissions")).sort("problem_id", "submission_id")
    assert programs.select("language", "expected").rows() == [
        ("python3", "correct"),
        ("cpp17", "incorrect"),
        ("python3", None),
        ("cpp20", "correct"),
        ("python3", "incorrect"),
        ("python2", None),
    ]


def test_the_licence_of_a_package_counts_where_the_recipe_gives_none(tmp_path: Path) -> None:
    kattis(tmp_path / "packages/sheep")
    use = {"use": "problem-packages", "path": "packages"}
    recipe = Recipe.model_validate({"name": "r", "sources": [use], "directory": tmp_path})
    done = run.execute((Ingest(),), recipe, tmp_path / "run", Silent())
    assert pl.read_parquet(done.newest("problems"))["licence"].to_list() == ["cc by-sa"]


def test_statements_keep_headings_formulas_and_samples() -> None:
    text = tex_text(TEX)
    assert text == (
        'There are $n$ sheep. Each is either black or "white".\n\nInput\n\nOne integer $n$ ($1 \\le n \\le 10^5$).\n'
        "\n- 90% of the tests have $n \\le 100$.\n\nOutput\n\nThe number of colourings, modulo $7$."
    )
    assert with_samples(text, [("2\n", "4\n")]).endswith("modulo $7$.\n\nSample Input 1\n\n2\n\nSample Output 1\n\n4")
    assert with_samples("Given 1 2 write 3.", [("1 2\n", "3."), ("x" * 5_000, "y")]) == "Given 1 2 write 3."


def test_the_english_statement_is_read_and_html_as_it_is_shown(tmp_path: Path) -> None:
    page = "<html><head><style>p{}</style></head><body><p>Count&nbsp;10<sup>5</sup></p><pre>1\n 2</pre></body></html>"
    names = {"problem_statement/problem.en.tex": None, "problem_statement/problem.html": page}
    (row,) = read_packages(kattis(tmp_path / "sheep", names))
    assert not isinstance(row, BadRow)
    assert isinstance(row.value, dict)
    assert str(row.value["statement"]).startswith("Sheep in a Row\n\nCount 10^5\n\n1\n 2\n\nSample Input 1")


def test_validators_flags_and_missing_checkers(tmp_path: Path) -> None:
    flags = YAML + "validator_flags: float_tolerance 1e-6\n"
    validator = "import sys\nsys.exit(42)\n"
    kattis(tmp_path / "packages/flags", {"problem.yaml": flags})
    kattis(
        tmp_path / "packages/own",
        {"problem.yaml": flags + "validation: custom\n", "output_validators/check.py": validator},
    )
    kattis(tmp_path / "packages/lacking", {"problem.yaml": YAML + "validation: custom\n"})
    kattis(tmp_path / "packages/mixed", {"data/secret/a/testdata.yaml": "output_validator_flags: case_sensitive\n"})
    done = ingest(tmp_path)
    checkers = pl.read_parquet(done.newest("checkers"))
    assert checkers["source"].to_list() == [json.dumps({"check.py": validator}, separators=(",", ":"))]
    assert pl.read_parquet(done.newest("problems")).sort("problem_id")["checker"].to_list() == [
        "tokens float_tolerance 1e-6",
        "unknown",
        "unknown",
        f"validator:{checkers['sha256'][0]} float_tolerance 1e-6",
    ]


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({"problem.yaml": YAML + "validation: custom interactive\n"}, "interactive"),
        ({"problem.yaml": "name: [x\n"}, "unreadable_package"),
        ({"problem.yaml": YAML + "type: submit-answer\n"}, "unreadable_package"),
        ({"data/sample/1.ans": None}, "unreadable_package"),
        ({"data/secret/a/01.in": b"\xff\n"}, "not_utf8"),
        (
            {
                "problem_statement/problem.en.tex": None,
                "problem_statement/problem.sv.tex": None,
                "problem_statement/problem.en.pdf": b"%PDF",
            },
            "no_statement",
        ),
        ({"problem_statement/problem.en.tex": b"\xff"}, "no_statement"),
    ],
)
def test_kattis_packages_that_cannot_be_rows(tmp_path: Path, changes: Files, rule: str) -> None:
    found = refused(kattis(tmp_path / "sheep", changes))
    assert (found.location, found.rule) == ("sheep", rule)
    assert str(tmp_path / "sheep/") not in found.reason


@pytest.mark.parametrize(
    ("before", "after", "rule"),
    [
        ("<checker ", "<interactor/><checker ", "interactive"),
        ('input-file=""', 'input-file="hens.in"', "file_input"),
        ("<test-count>2", "<test-count>3", "missing_file"),
        ("<test-count>2", "<test-count>many", "unreadable_package"),
        ("tests/%02d<", "tests/%s<", "unreadable_package"),
        ("tests/%02d<", "../%02d<", "unreadable_package"),
        ("</problem>", "", "unreadable_package"),
        ("<problem ", '<!DOCTYPE p [<!ENTITY a "aaaa">]><problem ', "unreadable_package"),
        ("files/check.cpp", "files/other.cpp", "missing_file"),
    ],
)
def test_polygon_packages_that_cannot_be_rows(tmp_path: Path, before: str, after: str, rule: str) -> None:
    assert before in XML
    found = refused(polygon(tmp_path / "hens", {"problem.xml": XML.replace(before, after)}))
    assert (found.location, found.rule) == ("hens", rule)


def test_a_polygon_statement_in_one_file(tmp_path: Path) -> None:
    tex = "\\begin{problem}{Hens}{stdin}{stdout}{1 s}{256 MB}\nCount them.\n\n\\InputFile\nTwo.\n\n\\Examples\n"
    tex += "\\begin{example}\n\\exmp{1 2\n}{3\n}%\n\\end{example}\n\\end{problem}\n"
    names = {"statements/english/problem-properties.json": None, "statements/english/problem.tex": tex}
    (row,) = read_packages(polygon(tmp_path / "hens", names))
    assert not isinstance(row, BadRow)
    assert isinstance(row.value, dict)
    assert str(row.value["statement"]).startswith("Hens\n\nCount them.\n\nInput\n\nTwo.")


def test_a_folder_without_packages(tmp_path: Path) -> None:
    write(tmp_path, {"notes.txt": "none"})
    with pytest.raises(InputError, match=r"problem\.yaml"):
        list(read_packages(tmp_path))
