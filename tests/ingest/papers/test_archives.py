"""The eleven archives as folders: each in its own naming and writing, with what goes wrong in it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import polars as pl
import pytest
from plain_pdf import plain_pdf

from curation import run
from curation.errors import InputError
from curation.ingest.catalog import find_source
from curation.ingest.papers.archive import read_archive
from curation.ingest.papers.layout import Papers
from curation.ingest.readers import BadRow, RawRow
from curation.ingest.step import Ingest
from curation.progress import Silent
from curation.recipe import Recipe, SourceUse
from curation.steps import DROPPED


def question(number: int) -> str:
    """A problem whose answer is its number plus one hundred."""
    things = ("apples", "bricks", "clocks", "doors", "eggs", "forks", "gloves", "hats", "islands", "jars")
    return f"Ann has {number} {things[number % 10]} and Ben has 100. How many {things[number % 10]} have both?"


def paper_pdf(numbers: Iterable[int], *, solved: bool = False) -> bytes:
    """A paper with twelve problems a page."""
    texts = []
    for number in numbers:
        answer = [f"Answer: {number + 100}", f"Solution: Add {question(number)[8:20]} to the others."]
        texts.append([f"{number}. {question(number)}", *(answer if solved else [])])
    pages = [texts[start : start + 12] for start in range(0, len(texts), 12)]
    return plain_pdf(*(["An Own Tournament", "Algebra", *(line for text in page for line in text)] for page in pages))


def tex(items: Iterable[str]) -> bytes:
    listed = "\n".join(f"\\item {item}" for item in items)
    return f"\\begin{{document}}\n\\begin{{enumerate}}\n{listed}\n\\end{{enumerate}}\n\\end{{document}}\n".encode()


def wiki_page(numbers: Iterable[int]) -> str:
    return "".join(f"<h2>Problem {n}</h2><p>{question(n)}</p><p><a href='x'>Solution</a></p>" for n in numbers)


def fill(folder: Path, files: dict[str, bytes | str]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)


ARCHIVES: dict[str, dict[str, bytes | str]] = {
    "aime": {
        "2021_AIME_II_Problems.html": wiki_page(range(1, 15))
        + '<h2>Problem 15</h2><p>Count: <img class="latexcenter" alt="[asy] draw(A); [/asy]"></p>',
        "2021_AIME_II_Answer_Key.html": "<ol>" + "".join(f"<li>{n + 100}</li>" for n in range(1, 16)) + "</ol>",
        "1990_AIME_Problems.wiki": "".join(f"==Problem {n}==\n{question(n)}\n" for n in range(1, 16)),
        "1990_AIME_Answer_Key.wiki": "".join(f"# {n + 100}\n" for n in range(1, 15)),
    },
    "hmmt": {
        "2019/feb/guts/problems.pdf": paper_pdf(range(1, 37)),
        "2019/feb/guts/solutions.pdf": paper_pdf(range(1, 37), solved=True),
        "2019/feb/team/problems.pdf": plain_pdf(
            ["Team Round", "1. [30] Prove that it rains.", "2. [30] Show it again."]
        ),
        "HMMT_November_2012_theme_solutions.pdf": paper_pdf(range(1, 11), solved=True),
    },
    "smt": {
        "smt2013/general-exam.pdf": paper_pdf(range(1, 4)),
        "smt2013/general-solutions.pdf": paper_pdf(range(1, 3), solved=True),
        "smt2013/power-problems.pdf": paper_pdf(range(1, 3)),
        "smt2013/schedule.pdf": plain_pdf(["9:00 Algebra"]),
    },
    "cmimc": {
        "2016_Geometry.tex": tex([*map(question, range(1, 10)), "See \\includegraphics{a.png}. How long is it?"]),
        "2016_Geometry_S.tex": tex(
            [
                *(f"{question(n)} \\solution $\\boxed{{{n + 100}}}$" for n in range(1, 10)),
                "See. \\solution $\\boxed{1}$",
            ]
        ),
        "2016_Results.txt": "1. Somebody",
    },
    "bmt": {"bmt-2019/discrete-solutions.pdf": paper_pdf(range(1, 4), solved=True)},
    "brumo": {
        "BrUMO 2023 Individual Problems.pdf": paper_pdf(range(1, 4)),
        "2023 Individual answers.tex": tex(["$101$", "\\textbf{102}", "103."]),
    },
    "chmmc": {
        "CHMMC 2016 Team.tex": tex(map(question, range(1, 4))),
        "CHMMC 2016 Team Solutions.pdf": paper_pdf(range(1, 4), solved=True),
    },
    "dmm": {
        "2012/Individual.pdf": paper_pdf(range(1, 3)),
        "2012/Individual (1).pdf": paper_pdf(range(1, 3)),
        "2012/Individual_Solutions.pdf": paper_pdf(range(1, 3), solved=True),
        "2012/Relay_Solutions.pdf": paper_pdf(range(1, 3), solved=True),
    },
    "mnymo": {
        "girls/2023/general/problems.html": "<ol><li>Is <math>x</math> it?</li><li>How many are 3 sixes?</li></ol>",
        "girls/2023/general/answers.html": "<ol><li>1</li><li>18</li></ol>",
        "2023/estimathon/problems.pdf": paper_pdf(range(1, 3)),
    },
    "pumac": {
        "PUMaC2014_CombinatoricsA.pdf": paper_pdf([1, 2, 3, 4, 6, 7, 8]),
        "PUMaC2014_CombinatoricsASol.pdf": paper_pdf(range(1, 9), solved=True),
        "Power2014.pdf": plain_pdf(["Power Round", "1. Prove it."]),
    },
    "math-prize-for-girls": {
        "mathprize2012problems.pdf": paper_pdf(range(1, 20)),
        "mathprize2012solutions.pdf": paper_pdf(range(1, 20), solved=True),
    },
}

EXPECTED: dict[str, tuple[str, int, int, dict[str, int]]] = {
    "aime": ("aime", 2021, 14, {"figure": 1, "no_answer": 15}),
    "hmmt": ("hmmt-nov", 2012, 43, {"estimation": 3, "proof_round": 2}),
    "smt": ("smt", 2013, 2, {"no_answer": 1, "proof_round": 2, "unknown_paper": 1}),
    "cmimc": ("cmimc", 2016, 9, {"figure": 1}),
    "bmt": ("bmt", 2019, 3, {}),
    "brumo": ("brumo", 2023, 3, {}),
    "chmmc": ("chmmc", 2016, 3, {}),
    "dmm": ("dmm", 2012, 2, {"same_paper": 1, "relay": 2}),
    "mnymo": ("mnymo-girls", 2023, 1, {"encoding": 1, "estimation": 2}),
    # What stands between number 4 and number 6 may be both 4 and 5.
    "pumac": (
        "pumac",
        2014,
        6,
        {"missing_problem": 1, "solution_without_problem": 1, "proof_round": 1, "merged": 1},
    ),
    "math-prize-for-girls": ("math-prize-for-girls", 2012, 19, {"missing_problem": 1}),
}


@pytest.mark.parametrize("name", ARCHIVES)
def test_an_archive_becomes_problems_or_reasons(tmp_path: Path, name: str) -> None:
    fill(tmp_path / "archives" / name, ARCHIVES[name])
    recipe = Recipe.model_validate(
        {"name": "own", "sources": [{"use": name}], "directory": tmp_path, "archives": "archives"}
    )
    record = run.execute((Ingest(),), recipe, tmp_path / "run", Silent()).records[0]
    contest, year, kept, dropped = EXPECTED[name]
    problems = pl.read_parquet(next(tmp_path.rglob("problems.parquet")))
    reasons = pl.read_parquet(next(tmp_path.rglob(f"{DROPPED}.parquet")))
    assert Counter(reasons["rule"].to_list()) == dropped
    assert (record.kept, record.rows_in) == (kept, kept + sum(dropped.values()))
    assert (problems["contest"][0], problems["year"][0]) == (contest, year)
    assert problems["problem_id"].is_unique().all()
    assert name != "hmmt" or set(problems["contest"]) == {"hmmt-feb", "hmmt-nov"}
    for statement, answer in problems.select("statement", "answer").iter_rows():
        if statement.startswith("Ann has "):
            assert int(answer) == int(statement.split()[2]) + 100


def test_rows_say_where_their_paper_came_from(tmp_path: Path) -> None:
    fill(tmp_path, ARCHIVES["bmt"])
    source = find_source(SourceUse(use="bmt"), Path()).source
    assert source.papers is not None
    url = "https://berkeley.mt/resources/archives/bmt-2019/discrete-solutions.pdf"
    rows = list(read_archive(tmp_path, source.papers, {"bmt-2019/discrete-solutions.pdf": url}))
    assert {row.value["url"] for row in rows if isinstance(row, RawRow) and isinstance(row.value, dict)} == {url}


OWN = Papers.model_validate(
    {
        "contest": "cup",
        "names": [
            r"(?P<year>\d{4})_(?P<round>[a-z]+)_Problem_(?P<number>\d+)(?P<solutions>)",
            r"(?P<year>\d{4})_(?P<round>[a-z]+)(?:_(?P<solutions>s)|_(?P<answers>key)|(?P<problems>))",
        ],
    }
)


def read(folder: Path, **files: str) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Return the answers by number and the rules by location."""
    fill(folder, {name[1:].replace("__", "."): text for name, text in files.items()})
    results = list(read_archive(folder, OWN, {}))
    rows = [row.value for row in results if isinstance(row, RawRow)]
    answers = {str(row["number"]): str(row["answer"]) for row in rows if isinstance(row, dict)}
    return answers, [(bad.rule, bad.location) for bad in results if isinstance(bad, BadRow)]


def problem_wiki(*numbers: int) -> str:
    return "".join(f"==Problem {number}==\n{question(number)}\n" for number in numbers)


def test_numbers_given_twice_or_left_out_are_told(tmp_path: Path) -> None:
    key = "<table>" + "".join(f"<tr><td>{n}</td><td>{n + 100}</td></tr>" for n in range(1, 6)) + "</table>"
    answers, bad = read(tmp_path, _2020_team__wiki=problem_wiki(1, 2, 2, 5), _2020_team_key__html=key)
    assert answers == {"1": "101", "5": "105"}
    assert bad == [
        ("number_twice", "2020_team.wiki:number 2"),
        ("number_twice", "2020_team.wiki:number 2"),
        ("missing_problem", "2020_team.wiki:number 3"),
        ("missing_problem", "2020_team.wiki:number 4"),
    ]


def test_a_key_that_only_counts_must_have_as_many_answers_as_problems(tmp_path: Path) -> None:
    answers, bad = read(tmp_path, _2020_team__wiki=problem_wiki(1, 2, 3), _2020_team_key__wiki="# 101\n# 103\n")
    assert not answers
    assert [rule for rule, _ in bad] == ["no_answer"] * 3


def wiki_solutions(*answers: str) -> str:
    return "".join(
        f"==Problem {n}==\n{question(n)}\n===Solution===\n<math>\\boxed{{{answer}}}</math>\n"
        for n, answer in enumerate(answers, 1)
    )


@pytest.mark.parametrize(
    ("first", "second", "expected", "rules"),
    [
        ("2020_cup", "2020_cup_corrected", {"1": "7"}, {"other_edition"}),
        ("2020_cup", "2020_cup (Revised)", {"1": "7"}, {"other_edition"}),
        ("2020_cup_a", "2020_cup_b", {}, {"number_twice"}),
        ("2020_cup", "2020_cup (1)", {}, {"number_twice"}),
        ("2020_cup", "2021_cup_corrected", {"1": "7"}, set[str]()),
    ],
)
def test_two_editions_of_a_paper_are_never_mixed(
    tmp_path: Path, first: str, second: str, expected: dict[str, str], rules: set[str]
) -> None:
    papers = Papers.model_validate({"contest": "cup", "names": [r"(?P<year>\d{4})_cup.*(?P<solutions>)"]})
    fill(tmp_path, {f"{first}.wiki": wiki_solutions("6"), f"{second}.wiki": wiki_solutions("7")})
    results = list(read_archive(tmp_path, papers, {}))
    rows = [row.value for row in results if isinstance(row, RawRow) and isinstance(row.value, dict)]
    assert {row["number"]: row["answer"] for row in rows} == expected
    assert {bad.rule for bad in results if isinstance(bad, BadRow)} == rules


@pytest.mark.parametrize(("other", "expected"), [("8", {}), ("7", {"1": "7"})])
def test_two_editions_of_solutions_must_agree(tmp_path: Path, other: str, expected: dict[str, str]) -> None:
    papers = Papers.model_validate(
        {"contest": "cup", "names": [r"cup_(?P<year>\d+)(?:_sol.*(?P<solutions>)|(?P<problems>))"]}
    )
    fill(tmp_path, {"cup_2020.wiki": problem_wiki(1), "cup_2020_sol.wiki": wiki_solutions("7")})
    fill(tmp_path, {"cup_2020_sol (1).wiki": wiki_solutions(other) + "\n"})
    rows = [row.value for row in read_archive(tmp_path, papers, {}) if isinstance(row, RawRow)]
    assert {row["number"]: row["answer"] for row in rows if isinstance(row, dict)} == expected


ONE_EACH = Papers.model_validate(
    {"contest": "cup", "names": [r"(?P<year>\d{4})/(?:problems/(?P<number>\d+)(?P<problems>)|(?P<answers>answers))"]}
)


@pytest.mark.parametrize(
    ("suffix", "text", "kept"),
    [
        ("tex", "{question}\n", True),
        ("tex", "% a note\n\\vspace{{3pt}}{question}", True),
        ("tex", "\\begin{{document}}\\begin{{enumerate}}\\item {question}\\end{{enumerate}}\\end{{document}}", True),
        ("tex", "{question} See \\includegraphics{{a}}.", False),
        ("tex", "{question} \\owncommand", False),
        ("tex", "{question} {{", False),
        ("tex", "% nothing\n", False),
        ("wiki", "{question}", True),
        ("html", "<p>{question}</p>", True),
    ],
)
def test_files_of_one_problem_each_meet_their_key(tmp_path: Path, suffix: str, text: str, kept: bool) -> None:
    problems = {f"2020/problems/{n}.{suffix}": text.format(question=question(n)) for n in (1, 2, 10)}
    fill(tmp_path, {**problems, "2020/answers.csv": 'id,answer\r\n10,110\r\n2,102\r\n1,"101"\r\n'})
    results = list(read_archive(tmp_path, ONE_EACH, {}))
    rows = [row.value for row in results if isinstance(row, RawRow) and isinstance(row.value, dict)]
    expected = [(question(n), str(n), str(n + 100), f"2020-{n}") for n in (1, 10, 2)] if kept else []
    assert [(row["problem"], row["number"], row["answer"], row["source_id"]) for row in rows] == expected


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("1,101\n2,102\n", {"1": "101", "2": "102"}),
        ("\ufeffanswer,author,Problem\n101,O'Neil,1\n102,,2\n", {"1": "101", "2": "102"}),
        ('No,Answer\n1.,"\\(1,\n2\\)"\n2,$\\frac12$\n', {"1": "\\(1,\n2\\)", "2": "\\frac12"}),
        ("No,Answer\n1,101\n1,103\n2,102\n", {"2": "102"}),
        ("No,Answer\n1,\n2,102\n", {"2": "102"}),
        ("", {}),
        ("a,b\nc,d\n", {}),
    ],
)
def test_a_table_of_answers_is_read_by_its_numbers(tmp_path: Path, table: str, expected: dict[str, str]) -> None:
    answers, _ = read(tmp_path, _2020_team__wiki=problem_wiki(1, 2), _2020_team_key__csv=table)
    assert answers == expected


def test_pdfs_without_their_reader_stop_before_anything_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pdfminer", None)
    fill(tmp_path, {"2020_team.wiki": problem_wiki(1), "2020_team_key.wiki": "# 101\n"})
    assert [type(row) for row in read_archive(tmp_path, OWN, {})] == [RawRow]
    fill(tmp_path, {"2021_team.pdf": paper_pdf([1]), "2022_team.pdf": paper_pdf([1])})
    with pytest.raises(InputError, match=r"2021_team.pdf .* pip install 'curation\[papers\]'"):
        next(iter(read_archive(tmp_path, OWN, {})))


def test_pages_of_single_problems_are_solutions_of_the_paper(tmp_path: Path) -> None:
    def solution(number: int, answer: str) -> str:
        return f"== Problem ==\n{question(number)}\n== Solution ==\n<math>\\boxed{{{answer}}}</math>\n"

    answers, bad = read(
        tmp_path,
        _2020_team__wiki=problem_wiki(1, 2, 3),
        _2020_team_Problem_1__wiki=solution(1, "101"),
        _2020_team_Problem_2__wiki=solution(2, "0102"),
        _2020_team_Problem_3__wiki=solution(3, "99"),
        _2020_team_key__wiki="# 101\n# 102\n# 103\n",
    )
    assert answers == {"1": "101", "2": "102"}
    assert bad == [("answers_differ", "2020_team.wiki:number 3")]
    alone, bad = read(tmp_path / "alone", _2020_team_Problem_2__wiki=solution(2, "102"))
    assert alone == {"2": "102"}
    assert bad == [("missing_problem", "2020_team_Problem_2.wiki:number 1")]


def test_the_most_faithful_writing_of_a_round_is_read(tmp_path: Path) -> None:
    answers, bad = read(
        tmp_path,
        _2020_team__wiki=problem_wiki(1, 2),
        _2020_team__html="<ol><li>Something else?</li></ol>",
        _2020_team_key__wiki="# 101\n# 102\n",
    )
    assert answers == {"1": "101", "2": "102"}
    assert bad == [("other_edition", "2020_team.html")]


def test_a_writing_that_cannot_be_read_leaves_the_round_to_the_next_one(tmp_path: Path) -> None:
    answers, bad = read(
        tmp_path,
        _2020_team__tex="\\begin{document}{",
        _2020_team__wiki=problem_wiki(1),
        _2020_team_key__wiki="# 101\n",
    )
    assert answers == {"1": "101"}
    assert bad == [("unreadable_tex", "2020_team.tex:1")]


@pytest.mark.parametrize(
    ("suffix", "text", "rule"),
    [
        ("html", "<div>" * 50_000, "unreadable_html"),
        ("wiki", "==Problem 1==\n" + "{{" * 50_000, "no_answer"),
        ("wiki", "==Problem 1==\n" + "<b>" * 20_000 + "</b>" * 20_000, "no_answer"),
        ("tex", "\\begin{document}" + "{" * 50_000, "unreadable_tex"),
    ],
)
def test_a_hostile_paper_stops_no_archive(tmp_path: Path, suffix: str, text: str, rule: str) -> None:
    fill(tmp_path, {f"2019_team.{suffix}": text})
    answers, bad = read(tmp_path, _2020_team__wiki=problem_wiki(1), _2020_team_key__wiki="# 101\n")
    assert answers == {"1": "101"}
    assert [found for found, _ in bad] == [rule]


def test_names_and_links_of_any_kind_stay_in_their_folder(tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    fill(tmp_path, {"2019_team.wiki": problem_wiki(1)})
    odd = 'it\'s \n "2020"_team.wiki'
    fill(folder, {odd: "x", "2021_team.wiki": problem_wiki(1), "2021_team_key.wiki": "# 101\n"})
    (folder / "2019_team.wiki").symlink_to(tmp_path / "2019_team.wiki")
    (folder / "2022_team.wiki").symlink_to(folder / "2021_team.wiki")
    (folder / "2023_team.wiki").symlink_to("nowhere")
    (folder / "loop").symlink_to(folder)
    answers, bad = read(folder)
    assert answers == {"1": "101"}
    assert bad == [
        ("outside_folder", "2019_team.wiki"),
        ("unknown_paper", odd),
        ("no_answer", "2022_team.wiki:number 1"),
    ]


def test_a_broken_pdf_stops_no_archive(tmp_path: Path) -> None:
    answers, bad = read(
        tmp_path, _2019_team__pdf="%PDF-1.7 broken", _2020_team__wiki=problem_wiki(1), _2020_team_key__wiki="# 101\n"
    )
    assert answers == {"1": "101"}
    assert bad == [("unreadable_pdf", "2019_team.pdf")]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("(?P<year>\\d+)", "needs one of problems"),
        ("(?P<problems>)(?P<colour>x)", "only"),
        ("(", "no regular expression"),
    ],
)
def test_patterns_that_cannot_be_meant_are_refused(name: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        Papers.model_validate({"contest": "cup", "names": [name]})


def test_a_source_without_its_folder_says_what_to_do(tmp_path: Path) -> None:
    recipe = Recipe.model_validate(
        {"name": "own", "sources": [{"use": "hmmt"}], "directory": tmp_path, "archives": "x"}
    )
    with pytest.raises(InputError, match=r"needs a folder of papers: run curation fetch hmmt .* --accept-terms hmmt"):
        run.execute((Ingest(),), recipe, tmp_path / "run", Silent())
