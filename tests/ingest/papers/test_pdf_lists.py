"""How a PDF's problems are told apart: labels, lists that begin anew, headings, columns, answers at the end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from plain_pdf import Placed, Rule, column, placed_pdf

from curation.ingest.papers.archive import read_archive
from curation.ingest.papers.atoms import Drawing
from curation.ingest.papers.layout import Papers
from curation.ingest.papers.pdf_glyphs import read_pages
from curation.ingest.papers.pdf_lines import read_paper
from curation.ingest.papers.pdf_worker import problems
from curation.ingest.readers import RawRow

QUESTIONS = (
    "How many ways are there to seat Ann and Ben at a table of five?",
    "Find the least prime that divides one thousand and one.",
    "What is the area of a square whose diagonal has length eight?",
    "Compute the sum of all the divisors of the number twenty eight.",
)
Told = list[tuple[str, str, str | None, str]]
"""Label, statement, answer, and the reason against it of each problem."""


def told(tmp_path: Path, content: bytes) -> Told:
    path = tmp_path / "paper.pdf"
    path.write_bytes(content)
    return [
        (f"{each.series}|{each.number}", each.text, each.answer, (each.damage or "").partition(":")[0])
        for each in problems(read_paper(read_pages(path, 9)))
    ]


def spread(*lines: str, top: float = 660) -> list[Placed]:
    """Lines with an empty one after each."""
    return column([part for line in lines for part in (line, "")], top=top)


def whole(*labels: str, answers: Sequence[str | None] = (None,) * 4) -> Told:
    return [(label, text, answer, "") for label, text, answer in zip(labels, QUESTIONS, answers, strict=False)]


@pytest.mark.parametrize(
    ("labels", "read"),
    [
        (("1.", "2.", "3.", "4."), ("|1", "|2", "|3", "|4")),
        (("#1.", "#2.", "#3.", "#4."), ("|1", "|2", "|3", "|4")),
        (("Problem 1", "Problem 2", "Problem 3", "Problem 4"), ("|1", "|2", "|3", "|4")),
        (("PROBLEM 1:", "PROBLEM 2:", "PROBLEM 3:", "PROBLEM 4:"), ("|1", "|2", "|3", "|4")),
        (("Problem #1.", "Problem #2.", "Problem #3.", "Problem #4."), ("|1", "|2", "|3", "|4")),
        (("T1.", "T2.", "T3.", "T4."), ("T|1", "T|2", "T|3", "T|4")),
        (("G-1:", "G-2:", "G-3:", "G-4:"), ("G|1", "G|2", "G|3", "G|4")),
        (("R1.", "R2.", "T1.", "T2."), ("R|1", "R|2", "T|1", "T|2")),
        (("1-1.", "1-2.", "2-1.", "2-2."), ("1|1", "1|2", "2|1", "2|2")),
        (("1.1.", "1.2.", "2.1.", "2.2."), ("1|1", "1|2", "2|1", "2|2")),
        (("1.", "2.", "1.", "2."), ("|1", "|2", "|1", "|2")),
        (("1. [5]", "2. [5]", "3. [6]", "4. [6]"), ("|1", "|2", "|3", "|4")),
        (("[5] 1.", "[5] 2.", "[6] 3.", "[6] 4."), ("|1", "|2", "|3", "|4")),
        (("1. (5 pts)", "2. (5 pts)", "3. (6 pts)", "4. (6 pts)"), ("|1", "|2", "|3", "|4")),
    ],
    ids=lambda labels: labels[-1],
)
def test_labels_of_every_form(tmp_path: Path, labels: tuple[str, ...], read: tuple[str, ...]) -> None:
    lines = [f"{label} {question}" for label, question in zip(labels, QUESTIONS, strict=True)]
    assert told(tmp_path, placed_pdf(spread("An Own Tournament", *lines))) == whole(*read)


@pytest.mark.parametrize(
    "between",
    [
        ("Round 2",),
        ("Guts Round",),
        ("Set Two [6 points each]",),
        ("." * 120, "An Own Tournament, May 2019, Guts Round", "Organization ______ Team ______"),
        (". " * 60,),
        ("_" * 80, "Individual Round", "Each of these is worth six points."),
    ],
    ids=lambda between: between[0][:9],
)
@pytest.mark.parametrize("numbers", [(1, 2, 3, 4), (1, 2, 1, 2)], ids=["going on", "anew"])
def test_what_stands_between_two_sets_belongs_to_no_problem(
    tmp_path: Path, between: tuple[str, ...], numbers: tuple[int, ...]
) -> None:
    lines = [f"{number}. [5] {question}" for number, question in zip(numbers, QUESTIONS, strict=True)]
    content = placed_pdf(spread("Round 1", *lines[:2], *between, *lines[2:]))
    assert told(tmp_path, content) == whole(*(f"|{number}" for number in numbers))


def test_lists_of_one_problem_each_stand_under_headings(tmp_path: Path) -> None:
    lines = [part for question in QUESTIONS[:3] for part in ("Own Tiebreaker", f"1. {question}")]
    assert told(tmp_path, placed_pdf(spread(*lines))) == whole("|1", "|1", "|1")


@pytest.mark.parametrize(
    ("lines", "damaged"),
    [
        (
            ["1. Ann has", "1. figs and", "2. dates. How many?", "", f"2. {QUESTIONS[1]}", "", f"3. {QUESTIONS[2]}"],
            "|1",
        ),
        ([f"1. {QUESTIONS[0]}", "", "2. Ann writes", "1. a fig;", "2. a date.", "3. a plum."], "|2"),
        ([f"1. {QUESTIONS[0]}", "", f"2. {QUESTIONS[1]}", "", "Meadow School Of Figs", "", "3. What is it?"], "|2"),
    ],
    ids=["inside", "at the end", "a heading?"],
)
def test_what_may_be_another_list_or_a_heading_is_damage(tmp_path: Path, lines: list[str], damaged: str) -> None:
    found = told(tmp_path, placed_pdf(column(lines)))
    assert [(label, reason) for label, _, _, reason in found if reason][:1] == [(damaged, "merged")]


LEFT = [
    "1. How many ways are there to",
    "seat Ann and Ben at a table?",
    "",
    "2. Find the least prime that",
    "divides 1001.",
]
RIGHT = [
    "3. What is the area of such a",
    "square of length eight?",
    "",
    "4. Compute the sum of all of",
    "the divisors.",
]


def test_columns_are_read_down_and_those_drawn_across_are_damage(tmp_path: Path) -> None:
    left, right = column(LEFT, x=60), column(RIGHT, x=330)
    assert [label for label, _, _, reason in told(tmp_path, placed_pdf(left + right)) if not reason] == [
        *("|1", "|2", "|3", "|4")
    ]
    across = [each for pair in zip(left, right, strict=True) for each in pair]
    found = told(tmp_path, placed_pdf(across))
    assert found
    assert {reason for _, _, _, reason in found} == {"merged"}


def test_a_table_without_lines_is_damage(tmp_path: Path) -> None:
    rows = [*column(["x", "f(x)"], top=560), *column(["1", "5"], x=150, top=560), *column(["2", "7"], x=230, top=560)]
    lines = spread(f"1. {QUESTIONS[0]}", "2. Here are values of f.")
    found = told(tmp_path, placed_pdf([*lines, *rows, *spread("What is f(1)?", f"3. {QUESTIONS[2]}", top=500)]))
    assert [reason for _, _, _, reason in found] == ["", "lost_structure", ""]


PROBLEMS = spread("Algebra", *(f"{number}. {question}" for number, question in enumerate(QUESTIONS, 1)))
KEY = ("120", "7", "32", "56")


@pytest.mark.parametrize(
    ("pages", "answers"),
    [
        ([PROBLEMS, column(["Answer Key", "1. 120", "2. 7", "3. 32", "4. 56"])], KEY),
        ([PROBLEMS + spread("Algebra Answers", top=400) + column(["1. 120", "2. 7", "3. 32", "4. 56"], top=360)], KEY),
        ([PROBLEMS + column(["ANSWERS:", "1) 120", "2) 7"], top=400) + column(["3) 32", "4) 56"], 300, 386)], KEY),
        (
            [
                PROBLEMS
                + [(72 + 60 * n, y, text) for y, row in ((400, "1234"), (380, KEY)) for n, text in enumerate(row)]
            ],
            KEY,
        ),
        ([PROBLEMS, column(["Answers", "1. 120", "2. 7", "3. 32"])], (None,) * 4),
        ([PROBLEMS, column(["Answers: 1. 120 2. 7 3. 32 4. 56"])], (None,) * 4),
    ],
    ids=["page", "below", "columns", "table", "one missing", "one line"],
)
def test_answers_behind_the_problems_are_their_own_and_no_statement_s(
    tmp_path: Path, pages: list[list[Placed]], answers: tuple[str | None, ...]
) -> None:
    found = told(tmp_path, placed_pdf(*pages))
    assert found[:4] == whole("|1", "|2", "|3", "|4", answers=answers)
    assert all(reason == "empty" for _, _, _, reason in found[4:])


def test_a_fraction_in_a_key_is_one_and_a_damaged_answer_is_none(tmp_path: Path) -> None:
    key: list[Placed | Rule] = [(72, 400, "Answers"), (72, 380, "1. 120"), (72, 360, "2.")]
    key += [
        (89, 366, "3", 8),
        (88, 94, 362.5),
        (89, 354, "4", 8),
        (72, 340, "3. 32"),
        (72, 320, "4. 5"),
        (92, 326, "6"),
    ]
    found = told(tmp_path, placed_pdf([*PROBLEMS, *key]))
    assert [answer for _, _, answer, _ in found] == ["120", "$\\frac{3}{4}$", "32", None]


@pytest.mark.parametrize(
    "parts",
    [
        ("{number}. {question} Answer: {answer}",),
        ("Answer: {answer}", "{number}. {question}"),
        ("{number}. {question}", "Solution: We do two things.", "1. Count.", "2. Add one.", "Answer: {answer}"),
    ],
    ids=["in the line", "over the problem", "steps"],
)
def test_no_answer_stays_in_a_statement_or_goes_to_another_problem(tmp_path: Path, parts: tuple[str, ...]) -> None:
    lines = [
        part.format(number=number, question=question, answer=number + 100)
        for number, question in enumerate(QUESTIONS, 1)
        for part in (*parts, "")
    ]
    found = told(tmp_path, placed_pdf(column(["Algebra", "", *lines])))
    right = dict(zip(QUESTIONS, ("101", "102", "103", "104"), strict=True))
    assert found
    assert all(answer in (right[text], None) if text in right else reason for _, text, answer, reason in found)


def test_an_answer_may_be_called_ans(tmp_path: Path) -> None:
    lines = [
        part for number, question in enumerate(QUESTIONS, 1) for part in (f"{number}. {question}", f"Ans. {number}")
    ]
    assert told(tmp_path, placed_pdf(spread(*lines))) == whole("|1", "|2", "|3", "|4", answers=("1", "2", "3", "4"))


@pytest.mark.parametrize(("lower", "reason"), [(652, "lost_structure"), (646, "")])
def test_a_line_that_stands_too_close_to_its_neighbour_is_a_part_of_a_formula(
    tmp_path: Path, lower: float, reason: str
) -> None:
    lines: list[Placed] = [(72, 660, f"1. {QUESTIONS[0]}"), (72, lower, "n is odd"), (72, 620, f"2. {QUESTIONS[1]}")]
    assert [found for _, _, _, found in told(tmp_path, placed_pdf(lines))] == [reason, ""]


FIGURE = "1. The figure to the right shows two squares. What is their area?"


@pytest.mark.parametrize(
    ("first", "second", "x", "top", "reasons"),
    [
        (FIGURE, QUESTIONS[1], 450, 670, ["figure", ""]),
        (FIGURE, QUESTIONS[1], 450, 630, ["figure", "figure"]),
        (FIGURE, "How large is the shaded part?", 450, 670, ["figure", "figure"]),
        (f"1. {QUESTIONS[0]}", QUESTIONS[1], 450, 670, ["figure", "figure"]),
        (FIGURE, QUESTIONS[1], 100, 670, ["figure", "figure"]),
    ],
    ids=["beside", "lower", "both", "unnamed", "across"],
)
def test_a_figure_that_hangs_down_beside_the_next_problem_is_not_its_own(
    tmp_path: Path, first: str, second: str, x: float, top: float, reasons: list[str]
) -> None:
    path = tmp_path / "paper.pdf"
    path.write_bytes(placed_pdf([(72, 660, first), (72, 630, f"2. {second}"), (72, 560, f"3. {QUESTIONS[2]}")]))
    pages = list(read_pages(path, 9))
    pages[0].drawings.append(Drawing("image", x, x + 80, top, 600))
    found = [problem.damage or "" for problem in problems(read_paper(pages))]
    assert [damage.partition(":")[0] for damage in found] == [*reasons, ""]


OWN = Papers.model_validate({"contest": "cup", "names": [r"cup(?P<year>\d{4})(?:(?P<solutions>s)|(?P<problems>))"]})


def test_problems_of_several_sets_keep_apart_in_the_archive(tmp_path: Path) -> None:
    """A numbered set of each sheet, with its solutions in a paper of their own."""
    labels = ("1-1.", "1-2.", "2-1.", "2-2.")
    lines = [f"{label} {question}" for label, question in zip(labels, QUESTIONS, strict=True)]
    solved = [
        part for number, line in enumerate(lines, 101) for part in (line, f"Answer: {number}", "Solution: Count them.")
    ]
    (tmp_path / "cup2019.pdf").write_bytes(placed_pdf(spread(*lines)))
    (tmp_path / "cup2019s.pdf").write_bytes(placed_pdf(spread(*solved)))
    rows = [row.value for row in read_archive(tmp_path, OWN, {}) if isinstance(row, RawRow)]
    assert [(row["source_id"], row["answer"]) for row in rows if isinstance(row, dict)] == [
        ("2019-1-1", "101"),
        ("2019-1-2", "102"),
        ("2019-2-1", "103"),
        ("2019-2-2", "104"),
    ]
