"""TeX papers in the shapes that contest archives have, read with their solutions."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from curation.errors import InputError
from curation.ingest.catalog import find_source
from curation.ingest.papers.archive import read_archive
from curation.ingest.papers.items import Item
from curation.ingest.papers.layout import Papers
from curation.ingest.papers.tex import read_tex
from curation.ingest.readers import BadRow, RawRow
from curation.recipe import SourceUse

PREAMBLE = r"""\documentclass[10pt]{article}
\usepackage{amsmath, amssymb}
\newcommand{\N}{\mathbb{N}}
\newcommand{\abs}[1]{\left\lvert #1\right\rvert}
\newcommand{\pair}[2][x]{(#1,#2)}
\newcommand{\eps}{\varepsilon}
\newcommand{\atmost}[1]{#1\le}
\DeclareMathOperator{\lcm}{lcm}
\def\half{\tfrac12}
\newcommand{\comment}[1]{}
\newcommand{\proposed}[1]
{
\vspace{5pt}
\noindent\textit{Proposed by #1}
}
\newcommand{\solution}
{
\vspace{5pt}
\noindent\textit{Solution.}\qquad
}
"""


PAPERS = Papers.model_validate(
    {
        "contest": "cup",
        "names": [r"(?P<year>\d{4})_(?P<round>[a-z]+)(?:_\d)?(?:(?P<solutions>_s)|(?P<problems>))"],
        "left_out": [{"round": "power", "rule": "proof_round", "reason": "It asks for proofs."}],
    }
)


def paper(body: str, preamble: str = PREAMBLE) -> str:
    return f"{preamble}\\begin{{document}}\n{body}\n\\end{{document}}\n"


def listed(*items: str) -> str:
    return "\\begin{enumerate}\n" + "\n".join(items) + "\n\\end{enumerate}"


def read(folder: Path, **files: str) -> tuple[list[dict[str, object]], list[BadRow]]:
    """Read papers; problems that lack nothing but an answer come back as rows without one."""
    for name, text in files.items():
        (folder / f"{name[1:]}.tex").write_bytes(text.encode())
    results = list(read_archive(folder, PAPERS, {}))
    rows = [result.value for result in results if isinstance(result, RawRow)]
    return [row for row in rows if isinstance(row, dict)], [bad for bad in results if isinstance(bad, BadRow)]


def split(folder: Path, text: str) -> list[Item]:
    """Split one paper into its problems."""
    file = folder / "2019_Algebra.tex"
    file.write_bytes(text.encode())
    found = read_tex(file, file.name, 0, states=True, solved=False)
    return [item for item in found if isinstance(item, Item)]


def test_a_paper_and_its_solutions_become_rows(tmp_path: Path) -> None:
    rows, bad = read(
        tmp_path,
        _2019_Algebra=paper(
            listed("\\item What is $2+3$?", "\\item Let $x\\in\\mathbb R$ with\n\\[x^{2} = 9,\\quad x>0.\\] Find $x$.")
        ),
        _2019_Algebra_S=paper(
            listed(
                "\\item What is $2+3$?\n\n\\proposed{Ada}\n\n\\solution It is $\\boxed{5}$.",
                "\\item Let $x\\in\\mathbb R$ with \\[x^{2}=9, x>0.\\] Find $x$.\n\n\\proposed{Ben}\n\n\\solution "
                "We take a root, so \\fbox{$3$}.",
            )
        ),
    )
    assert not bad
    assert rows[0] == {
        "source_id": "2019-algebra-1",
        "contest": "cup",
        "year": "2019",
        "round": "algebra",
        "section": None,
        "number": "1",
        "problem": "What is $2+3$?",
        "solution": "\\textit{Solution.}\\qquad It is $\\boxed{5}$.",
        "answer": "5",
        "url": None,
    }
    assert rows[1]["problem"] == "Let $x\\in\\mathbb R$ with\n\\[x^{2} = 9,\\quad x>0.\\] Find $x$."
    assert rows[1]["answer"] == "3"


def test_the_cover_page_is_no_problem(tmp_path: Path) -> None:
    cover = listed(
        "\\large",
        "\\item Do not look at the test before the proctor starts the round.",
        "\\item This test has $1$ short-answer problem to be solved in $10$ minutes.",
        "\\item No computational aids other than pencil are permitted.",
        "\\item Have fun.",
    )
    title = "\\begin{center}\\includegraphics{head.png} \\huge\\textbf{Algebra}\\end{center}"
    problems = listed("\\item Find $1+1$.")
    problems = split(tmp_path, paper(f"{cover}\n\\newpage\n{title}\n{problems}"))
    assert [one.statement for one in problems] == ["Find $1+1$."]


def test_a_paper_without_a_cover_page_loses_nothing(tmp_path: Path) -> None:
    items = ("\\item A train needs $30$ minutes. How many seconds?", "\\item Find $1+1$.", "\\item Find $2+2$.")
    problems = split(tmp_path, paper(listed(*items)))
    assert [one.number for one in problems] == ["1", "2", "3"]


def test_comments_go_and_nothing_else(tmp_path: Path) -> None:
    body = listed(
        "%\\item An unused problem with an open { brace and $ sign.",
        "\\item A discount of $50\\%$ on 8 coins % proposer: Ada",
        "  is how many coins?",
        "",
        "Count % halves",
        "",
        "them all.%",
        "\\item\\comment{\nold wording} Of \\verb|a%b| and\n\\begin{verbatim}\n 20 % 5\n\\end{verbatim}\nhow many?",
        "\\iffalse",
        "\\item An abandoned problem with $ an open formula.",
        "\\fi",
        "\\begin{comment}",
        "\\item Another one }",
        "\\end{comment}",
        "\\item Last?",
    )
    problems = split(tmp_path, paper(body) + "\n\\begin{proof} left over \\item What? $ \\end{proof}\n")
    assert [one.statement for one in problems] == [
        "A discount of $50\\%$ on 8 coins is how many coins?\n\nCount \n\nthem all.",
        "Of \\verb|a%b| and\n\\begin{verbatim}\n 20 % 5\n\\end{verbatim}\nhow many?",
        "Last?",
    ]


def test_macros_of_the_preamble_are_expanded(tmp_path: Path) -> None:
    problems = split(
        tmp_path,
        paper(
            listed(
                "\\item Let $n\\in\\N x$, $\\abs{\\abs{x} - \\half}<\\eps n$, $\\lcm(2,3)=\\pair{y}+\\pair[a]{b}$.",
                "\\item Let $\\atmost{2}x$.",
                "\\item For $\\mathbf{N}\\Neq\\Nn$ and $\\frac{1}{2}\\le\\frac12$ nothing   changes.",
            )
        ),
    )
    assert problems[0].statement == (
        "Let $n\\in\\mathbb{N} x$, "
        "$\\left\\lvert \\left\\lvert x\\right\\rvert - \\tfrac12\\right\\rvert<\\varepsilon n$, "
        "$\\operatorname{lcm}(2,3)=(x,y)+(a,b)$."
    )
    assert problems[1].statement == "Let $2\\le x$."
    assert problems[2].statement == "For $\\mathbf{N}\\Neq\\Nn$ and $\\frac{1}{2}\\le\\frac12$ nothing   changes."


def test_a_macro_that_uses_itself_ends(tmp_path: Path) -> None:
    problems = split(
        tmp_path,
        paper(listed("\\item Is $\\again$ odd?"), "\\newcommand{\\again}{1+\\again}\n"),
    )
    assert problems[0].statement.startswith("Is $1+1+")
    assert problems[0].statement.endswith("\\again$ odd?")


def test_layout_goes_from_text_but_formulas_keep_theirs(tmp_path: Path) -> None:
    problems = split(
        tmp_path,
        paper(
            listed(
                "\\setlength{\\itemsep}{3pt}", "\\item Find $\\large x$.\n\n\\vspace*{2in}\n\\newpage", "\\item Next?"
            )
        ),
    )
    assert [one.statement for one in problems] == ["Find $\\large x$.", "Next?"]


def test_lists_inside_a_problem_stay_inside(tmp_path: Path) -> None:
    steps = "\\begin{itemize}\n\\item start at $1$;\n\\item add $2$.\n\\end{itemize}"
    cases = "\\begin{enumerate}[(a)]\n\\item even,\n\\item odd.\n\\end{enumerate}"
    problems = split(tmp_path, paper(listed(f"\\item We\n{steps}\nand\n{cases}\nEnd?", "\\item Next?")))
    assert [one.statement for one in problems] == [f"We\n{steps}\nand\n{cases}\nEnd?", "Next?"]


def test_labels_name_problems_and_join_sets_that_share_solutions(tmp_path: Path) -> None:
    rows, bad = read(
        tmp_path,
        _2018_Team_1=paper(listed("\\item[1-1.] How many edges has a cube?", "\\item[2-1.] Double $4$.")),
        _2018_Team_2=paper(listed("\\item[1-2.] How many corners has a cube?")),
        _2018_Team_S=paper(
            listed(
                "\\item[1-1.] How many edges has a cube? \\solution $\\boxed{12}$",
                "\\item[1-2.] How many corners has a cube? \\solution $\\boxed{8}$",
                "\\item[2-1.] Double $4$. \\solution $\\boxed 8$.",
            )
        ),
    )
    assert not bad
    assert [(row["source_id"], row["answer"]) for row in rows] == [
        ("2018-team-1-1", "12"),
        ("2018-team-2-1", "8"),
        ("2018-team-1-2", "8"),
    ]


def test_sections_of_one_file_count_anew(tmp_path: Path) -> None:
    def section(title: str, *items: str) -> str:
        return f"\\begin{{center}}\\huge\\textbf{{{title}}}\\end{{center}}\n{listed(*items)}\n"

    rows, bad = read(
        tmp_path,
        _2017_Finals=paper(
            section("Algebra Finals", "\\item Solve $x+1=2$.", "\\item Solve $x+1=3$ now.")
            + section("Geometry Finals", "\\item Name the sides of a square.")
        ),
        _2017_Finals_S=paper(
            section(
                "Algebra Solutions",
                "\\item Solve $x+1=2$. \\solution $\\boxed{1}$",
                "\\item Solve $x+1=3$ now. \\solution $\\boxed{2}$",
            )
            + section("Geometry Solutions", "\\item Name the sides of a square. \\solution $\\boxed{4}$")
        ),
    )
    assert not bad
    assert [(row["source_id"], row["answer"]) for row in rows] == [
        ("2017-finals-algebra-finals-1", "1"),
        ("2017-finals-algebra-finals-2", "2"),
        ("2017-finals-geometry-finals-1", "4"),
    ]


def test_a_list_that_goes_on_beside_a_picture_stays_one_list(tmp_path: Path) -> None:
    aside = (
        "\\hspace*{-\\parindent}%\n\\begin{minipage}{0.8\\textwidth}\n\\begin{enumerate}\n\\setcounter{enumi}{\\theenum}\n"
        "\\item How many dots are in the picture to the right?\n\\setcounter{enum}{\\theenumi}\n\\end{enumerate}\n"
        "\\end{minipage} \\hfill\n\\begin{minipage}{0.1\\textwidth}\n\\includegraphics{dots.png}\n\\end{minipage}\n"
    )
    first, keep = "\\item First?", "\\setcounter{enum}{\\theenumi}"
    one, two, three = (f" \\solution $\\boxed{{{answer}}}$" for answer in "123")
    going_on = "\\begin{enumerate}\n\\setcounter{enumi}{\\theenum}\n\\item And the last?{}\n\\end{enumerate}"
    rows, bad = read(
        tmp_path,
        _2016_Geometry=paper(f"{listed(first, keep)}\n{aside}\n{going_on}"),
        _2016_Geometry_S=paper(
            f"{listed(first + one)}\n{aside}\n\\begin{{minipage}}{{5cm}}{two}\\end{{minipage}}\n"
            + going_on.replace("{}", three)
        ),
    )
    assert [(row["number"], row["answer"]) for row in rows] == [("1", "1"), ("3", "3")]
    assert [(entry.rule, entry.evidence) for entry in bad] == [("figure", {"figure": "\\includegraphics"})]


def test_a_solution_is_joined_by_the_problem_it_repeats(tmp_path: Path) -> None:
    rows, bad = read(
        tmp_path,
        _2019_Algebra=paper(
            listed(
                "\\item How old is the elephant?", "\\item How tall is the giraffe?", "\\item How long is the snake?"
            )
        ),
        _2019_Algebra_S=paper(
            listed(
                "\\item How old is the elephant? \\solution $\\boxed{1}$",
                "\\item How many tickets did the zoo sell? \\solution $\\boxed{9}$",
                "\\item How tall is the giraffe? \\solution $\\boxed{2}$",
            )
        ),
    )
    assert [(row["number"], row["answer"]) for row in rows] == [("1", "1"), ("2", "2")]
    assert [(entry.rule, entry.location) for entry in bad] == [
        ("no_answer", "2019_Algebra.tex:" + str(PREAMBLE.count("\n") + 5)),
        ("solution_without_problem", "2019_Algebra_S.tex:" + str(PREAMBLE.count("\n") + 4)),
    ]


def test_solutions_that_repeat_nothing_are_joined_only_when_all_are_there(tmp_path: Path) -> None:
    problems = paper(listed("\\item How old?", "\\item How tall?"))
    both = paper(listed("\\item The answer is $\\boxed{1}$.", "\\item The answer is $\\boxed{2}$."))
    rows, bad = read(tmp_path, _2019_Algebra=problems, _2019_Algebra_S=both)
    assert [row["answer"] for row in rows] == ["1", "2"]
    assert not bad
    rows, bad = read(tmp_path, _2019_Algebra_S=paper(listed("\\item The answer is $\\boxed{2}$.")))
    assert not rows
    assert [entry.rule for entry in bad] == ["no_answer", "no_answer", "solution_without_problem"]


@pytest.mark.parametrize(
    ("solution", "answer"),
    [
        ("First $\\boxed{4}$, again: \\boxed{ 4 }.", "4"),
        ("So $\\boxed{2+\\frac12}$, or $\\boxed{2 + \\tfrac{1}{2}}$.", "2+\\frac12"),
        ("It is \\text{\\fbox{$\\frac{5}{28}$}}.", "\\frac{5}{28}"),
        ("So $\\boxed{\\{0, \\tfrac{1}{2}\\}}$.", "\\{0, \\tfrac{1}{2}\\}"),
        ("\\textbf{Answer:} $7$", "7"),
        ("\\textbf{Answer}: $\\frac12$.", "\\frac12"),
        ("We count. The result is \\textbf{12}.", "12"),
        ("Our answer is $8 + 12 = 20$.", "20"),
        ("\\textbf{Case 1.} Nothing.", None),
    ],
)
def test_the_answer_of_a_solution(tmp_path: Path, solution: str, answer: str | None) -> None:
    rows, bad = read(
        tmp_path,
        _2019_Algebra=paper(listed("\\item How old?")),
        _2019_Algebra_S=paper(listed(f"\\item How old? \\solution {solution}")),
    )
    assert [row["answer"] for row in rows] == ([answer] if answer else [])
    assert [entry.rule for entry in bad] == ([] if answer else ["no_answer"])


def test_problems_that_cannot_be_used_are_named_with_file_and_line(tmp_path: Path) -> None:
    problems = paper(listed("\\item Find one.", "\\item A digit @ seven.", "\\item Find two."))
    (tmp_path / "2019_Logic.tex").write_bytes(problems.encode().replace(b"@", b"\x93"))
    rows, bad = read(
        tmp_path,
        _2019_Logic_S=paper(
            listed(
                "\\item Find one. \\solution $\\boxed{1}$ or else $\\boxed{2}$",
                "\\item A digit 3 seven. \\solution $\\boxed{3}$",
                "\\item Find two. \\solution $\\boxed{2}$",
            )
        ),
    )
    first = PREAMBLE.count("\n") + 3
    assert [row["number"] for row in rows] == ["3"]
    assert [(entry.rule, entry.location) for entry in bad] == [
        ("several_boxes", f"2019_Logic.tex:{first}"),
        ("encoding", f"2019_Logic.tex:{first + 1}"),
    ]


@pytest.mark.parametrize(
    ("text", "rule", "line"),
    [
        ("just words\n", "no_problem_list", 1),
        ("\\begin{document}\n\\begin{enumerate}\n\\item $x\n\\end{enumerate}\n\\end{document}", "unreadable_tex", 3),
        ("\\begin{document}\n\\item \\textbf{a\n", "unreadable_tex", 3),
        ("\\begin{document}\nNothing.\n\\end{document}", "no_problem_list", 1),
        ("\\begin{document}" + "{" * 3000 + "}" * 3000 + "\\end{document}", "unreadable_tex", 1),
        ("", "no_problem_list", 1),
    ],
)
def test_a_file_that_holds_no_problems_is_named(tmp_path: Path, text: str, rule: str, line: int) -> None:
    read_too = paper(listed("\\item Still read? \\solution $\\boxed{1}$"))
    rows, bad = read(tmp_path, _2019_Algebra=text, _2020_Algebra=read_too)
    assert [row["problem"] for row in rows] == ["Still read?"]
    assert [entry.rule for entry in bad] == [rule]
    file, _, stopped = bad[0].location.partition(":")
    assert file == "2019_Algebra.tex"
    assert abs(int(stopped) - line) <= 1


def test_a_folder_without_papers_is_refused(tmp_path: Path) -> None:
    (tmp_path / "readme.txt").write_text("Papers to come.")
    with pytest.raises(InputError, match=r"holds no .*paper; readme.txt: its name fits no pattern"):
        list(read_archive(tmp_path, PAPERS, {}))


def test_windows_line_ends_are_read_like_any_other(tmp_path: Path) -> None:
    text = paper(listed("\\item Find", "$1+1$. % two", "\\item Next?")).replace("\n", "\r\n")
    problems = split(tmp_path, text)
    assert [one.statement for one in problems] == ["Find\n$1+1$.", "Next?"]


SHARED = Path(os.environ.get("CURATION_SHARED", Path(__file__).parents[4] / "shared")) / "data/cmimc_archive/tex"


@pytest.mark.skipif(not SHARED.is_dir(), reason="the archive is not on this machine")
def test_no_problem_of_a_real_archive_is_lost_or_merged() -> None:
    papers = find_source(SourceUse(use="cmimc"), Path()).source.papers
    assert papers is not None
    results = list(read_archive(SHARED, papers, {}))
    assert {entry.rule for entry in results if isinstance(entry, BadRow)} == {"proof_round", "figure", "no_answer"}
    tests = [one for one in results if not (isinstance(one, BadRow) and one.rule == "proof_round")]
    counts = Counter(one.location.lower().split(".")[0].removesuffix("_1").removesuffix("_2") for one in tests)
    assert len(counts) == 21
    assert {count for name, count in counts.items() if not name.endswith(("finals", "team"))} == {10}
    assert {name: counts[name] for name in counts if name.endswith(("finals", "team"))} == {
        "2016_finals": 15,
        "2017_finals": 15,
        "2018_finals": 15,
        "2016_team": 10,
        "2017_team": 10,
        "2018_team": 20,
    }
    # One solution of the archive breaks off before it gives a number, and eight problems have a drawing.
    assert Counter(one.rule for one in tests if isinstance(one, BadRow)) == {"figure": 8, "no_answer": 1}


def test_problems_with_a_markup_of_their_own(tmp_path: Path) -> None:
    body = (
        "\\begin{problem}\nHow many legs has a spider?\n\\end{problem}\n\\begin{solution}\nEight.\n\\answer{8}\n"
        "\\begin{enumerate}\\item Count.\\end{enumerate}\n\\end{solution}\n"
        "\\begin{problem}[5 points]\nDouble $21$.\n\\begin{enumerate}[(a)]\\item now\\end{enumerate}\n\\end{problem}\n"
        "\\begin{solution}\\begin{answer}42\\end{answer}\\end{solution}\n"
        "\\begin{prob}{7}\nWhat is $7+7$?\n\\end{prob}\n\\begin{solution}We add: $\\boxed{14}$.\\end{solution}"
    )
    rows, bad = read(tmp_path, _2019_Algebra=paper(body, ""))
    assert [(row["number"], row["answer"]) for row in rows] == [("1", "8"), ("2", "42"), ("7", "14")]
    assert rows[0]["problem"] == "How many legs has a spider?"
    assert "now" in str(rows[1]["problem"])
    assert [entry.location for entry in bad] == [f"2019_Algebra.tex:number {number}" for number in (3, 4, 5, 6)]


@pytest.mark.parametrize("preamble", ["", "\\newcommand{\\problem}[1]{\\textbf{Problem.} #1}\n"])
def test_problems_as_arguments_of_a_macro(tmp_path: Path, preamble: str) -> None:
    body = "\\problem{Find $x$ with $x+1=\\frac{4}{2}$.}\n\\problem{Find $\\{y\\}$.}\n"
    problems = split(tmp_path, paper(body, preamble))
    assert [(one.number, one.statement) for one in problems] == [
        ("1", "Find $x$ with $x+1=\\frac{4}{2}$."),
        ("2", "Find $\\{y\\}$."),
    ]


def test_macros_that_nobody_defines_are_damage(tmp_path: Path) -> None:
    (tmp_path / "contest.sty").write_text(
        "\\newcommand{\\floor}[1]{\\lfloor #1\\rfloor} % \\newcommand{\\ceil}[1]{#1}\n"
    )
    preamble = "\\usepackage{amsmath,contest}\n\\DeclarePairedDelimiter\\abs{\\lvert}{\\rvert}\n"
    items = ("\\item Find $\\floor{2.5}$.", "\\item Find $\\ceil{2.5}$.", "\\item Find $\\abs*{-2}+\\abs[\\big]{x}$.")
    first, second, third = split(tmp_path, paper(listed(*items), preamble))
    assert (first.statement, first.damage) == ("Find $\\lfloor 2.5\\rfloor$.", None)
    assert second.damage == "unresolved macro: \\ceil is defined nowhere"
    assert third.statement == "Find $\\left\\lvert -2\\right\\rvert+\\left\\lvert x\\right\\rvert$."


def test_a_paper_takes_in_no_file_from_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "secret.sty").write_text("\\newcommand{\\floor}[1]{found}\n")
    (tmp_path / "papers").mkdir()
    text = paper(listed("\\item Find $\\floor{2.5}$."), "\\usepackage{../secret}\n\\input{/etc/hostname}\n")
    assert split(tmp_path / "papers", text)[0].damage == "unresolved macro: \\floor is defined nowhere"


@pytest.mark.parametrize(
    ("statement", "solution", "answer"),
    [
        ("Compute $XY$.", "Then \\[\\frac{XY}{2}=\\frac15\\quad\\Rightarrow\\quad XY=\\frac25\\cdot 15=6.\\]", "6"),
        ("Compute $XY$.", "Then \\[ZX=\\frac25\\cdot 15=6.\\]", None),
        ("Compute $XY$.", "We have $XY=6$ and so we are done.", None),
        ("Let $N=4$. Find $n$.", "Thus, $N=4$.", None),
        ("How many?", "So the answer is \\[2+3=5.\\]", "5"),
        ("How many?", "So the answer is not $5$.", None),
    ],
)
def test_a_last_formula_is_an_answer_only_where_it_must_be(
    tmp_path: Path, statement: str, solution: str, answer: str | None
) -> None:
    rows, _ = read(
        tmp_path,
        _2019_Algebra=paper(listed(f"\\item {statement}")),
        _2019_Algebra_S=paper(listed(f"\\item {statement} \\solution {solution}")),
    )
    assert [row["answer"] for row in rows] == ([answer] if answer else [])


QUESTIONS = ("How old is the elephant?", "How tall is the giraffe?", "How long is the snake?")
KEY = "1,101\n2,102\n3,103\n"


def with_key(folder: Path, body: str, key: str | None = KEY) -> tuple[list[tuple[object, object]], list[str]]:
    """Return statement and answer of each row, and the rules against the others."""
    (folder / "2019_Algebra.tex").write_text(paper(body))
    papers = Papers.model_validate(
        {"contest": "cup", "names": [r"(?P<year>\d{4})_(?P<round>[a-z]+)(?:_(?P<answers>key)|(?P<problems>))"]}
    )
    if key is not None:
        (folder / "2019_Algebra_key.csv").write_text(key)
    results = list(read_archive(folder, papers, {}))
    rows = [row.value for row in results if isinstance(row, RawRow) and isinstance(row.value, dict)]
    bad = [result.rule for result in results if isinstance(result, BadRow)]
    return [(row["problem"], row["answer"]) for row in rows], bad


WHOLE = [(question, str(number)) for number, question in enumerate(QUESTIONS, 101)]


@pytest.mark.parametrize(
    "body",
    [
        listed(*(f"\\item[{n}.] {question}" for n, question in enumerate(QUESTIONS, 1))),
        listed(*(f"\\item \\begin{{problem}}{question}\\end{{problem}}" for question in QUESTIONS)),
        listed(*(f"\\item \\textbf{{[5]}} {question}" for question in QUESTIONS)),
        listed(*(f"\\item {{[}}\\textit{{5 points}}{{]}} {question}" for question in QUESTIONS)),
        listed(*(f"\\item (\\emph{{5 pts.}}) {question}" for question in QUESTIONS)),
        "\\begin{questions}\n"
        + "\n".join(f"\\question[5] {question}" for question in QUESTIONS)
        + "\n\\end{questions}",
        listed(*(f"\\item {question}" for question in QUESTIONS[:2]))
        + "\n\\begin{center}Round 2\\end{center}\n\\begin{enumerate}\n\\setcounter{enumi}{2}\n"
        + f"\\item {QUESTIONS[2]}\n\\end{{enumerate}}",
        "\\newcommand{\\beast}{snake}\n" + listed(*(f"\\item {q}".replace("snake", "\\beast") for q in QUESTIONS)),
    ],
    ids=[
        "labels",
        "environments",
        "bold points",
        "italic points",
        "short points",
        "questions",
        "second round",
        "macro",
    ],
)
def test_problems_of_every_writing_meet_the_key_by_their_numbers(tmp_path: Path, body: str) -> None:
    assert with_key(tmp_path, body) == (WHOLE, [])


@pytest.mark.parametrize(
    "heading", ["\\section*{Answers}", "\\newpage\n\\textbf{Answer Key}\n", "{\\large\\bf Algebra Answers}"]
)
def test_a_list_of_answers_behind_the_problems_is_their_key(tmp_path: Path, heading: str) -> None:
    problems = listed(*(f"\\item {question}" for question in QUESTIONS))
    answers = listed("\\item 101", "\\item $102$.", "\\item $\\boxed{103}$")
    assert with_key(tmp_path, f"{problems}\n{heading}\n{answers}", None) == (WHOLE, [])
    short = listed("\\item 101", "\\item 102")
    assert not with_key(tmp_path, f"{problems}\n{heading}\n{short}", None)[0]


@pytest.mark.parametrize(
    ("behind", "rules"),
    [
        ("Here a snake is any reptile without legs.", ["merged"]),
        ("\\[x^2=4\\]", ["merged"]),
        ("\\textbf{Round 2}", []),
        ("\\begin{center}\\rule{2cm}{1pt}\\end{center}", []),
        ("Write all answers on the answer sheet.", []),
    ],
)
def test_what_stands_behind_a_list_may_belong_to_its_last_problem(
    tmp_path: Path, behind: str, rules: list[str]
) -> None:
    problems = listed(*(f"\\item {question}" for question in QUESTIONS))
    rows, bad = with_key(tmp_path, f"{problems}\n{behind}\n")
    assert bad == rules
    assert rows == WHOLE[: 3 - len(rules)]


def test_a_solution_of_another_problem_is_no_one_s(tmp_path: Path) -> None:
    """It is the nearest to a problem whose own solution is missing."""
    rows, bad = read(
        tmp_path,
        _2019_Algebra=paper(
            listed("\\item Find the number of divisors of the integer $100$.", "\\item Name the sides of a square.")
        ),
        _2019_Algebra_S=paper(
            listed(
                "\\item Name the sides of a square. \\solution $\\boxed{4}$",
                "\\item Find the number of primes under $100$. \\solution $\\boxed{25}$",
            )
        ),
    )
    assert [(row["number"], row["answer"]) for row in rows] == [("2", "4")]
    assert [entry.rule for entry in bad] == ["no_answer", "solution_without_problem"]
