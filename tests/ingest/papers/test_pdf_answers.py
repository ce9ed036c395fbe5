"""Answers in PDF: sheets of every layout, and what solutions say."""

from __future__ import annotations

from pathlib import Path

import pytest
from plain_pdf import plain_pdf

from curation.ingest.papers.answers import accepted
from curation.ingest.papers.pdf import read_pdf_answers, read_pdf_problems

GAP = " " * 8
WHOLE = {1: "101", 2: "2/3", 3: "no such n"}


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["Answers", "1. 101", "2. 2/3", "3. no such n"], WHOLE),
        ([f"1. 101{GAP}3. no such n", "2) 2/3"], WHOLE),
        ([f"Problem{GAP}Answer", f"1{GAP}101", f"2{GAP}2/3", f"3{GAP}no such n"], WHOLE),
        ([f"1{GAP}101{GAP}2{GAP}2/3", f"3.{GAP}no such n"], WHOLE),
        ([f"1{GAP}2{GAP}3", f"101{GAP}2/3{GAP}no such n"], WHOLE),
        ([f"1{GAP}2{GAP}3", f"101{GAP}2/3"], {}),
        (["1. 101", "3. 103"], {}),
        (["1. 101", "2. 102", "2. 103"], {}),
        (["1. 101", "2. all n such that", "n is odd", "3. 103"], {}),
        (["1. How many " + "figs " * 15 + "are there?", "2. And how many dates?"], {}),
    ],
)
def test_a_sheet_is_believed_where_its_numbers_run_without_gap(
    tmp_path: Path, lines: list[str], expected: dict[int, str]
) -> None:
    path = tmp_path / "answers.pdf"
    path.write_bytes(plain_pdf(lines))
    assert read_pdf_answers(path) == expected


@pytest.mark.parametrize(
    ("solution", "answer"),
    [
        (["Answer: 12"], "12"),
        (["Answer: 12", "Check that it is so, as all of the figs are in one of the boxes."], "12"),
        (["Answer: 12 Since every box has two figs, there are"], None),
        (["Answer: 12 km/h"], "12 km/h"),
        (["Answer:", "12"], "12"),
        (["Answer: all of the odd numbers n that are not a power of three and are less", "than 12"], "long"),
        (["Solution: We count them.", "So the answer is 12."], "12"),
        (["Solution: The answer is 12 if we count twice."], None),
        (["Solution: The answer is 12.", "But why? We do not know it."], None),
    ],
)
def test_an_answer_is_told_from_the_solution(tmp_path: Path, solution: list[str], answer: str | None) -> None:
    question = "How many figs and dates and plums are in all of the boxes of Ann and of Ben?"
    path = tmp_path / "solutions.pdf"
    path.write_bytes(plain_pdf([f"1. {question}", *solution, "", f"2. {question}", "Answer: 7"]))
    found = [problem.answer for problem in read_pdf_problems(path)]
    long = "all of the odd numbers n that are not a power of three and are less than 12"
    assert found == [long if answer == "long" else answer, "7"]


@pytest.mark.parametrize(
    ("answer", "values"),
    [
        (r"$\frac12$ or equivalent", [r"\frac12"]),
        ("12 (or equivalent form)", ["12"]),
        ("$4$ (also accept $4.0$)", ["4"]),
        (r"$\boxed{12}$ or $\boxed{13}$", ["12", "13"]),
        (r"$\boxed{\frac{1}{2}}$ or $\boxed{ \frac{1}{2} }$", [r"\frac{1}{2}"]),
        ("2 or 3", ["2 or 3"]),
        ("(1, 2)", ["(1, 2)"]),
        ("12 (mod 13)", ["12 (mod 13)"]),
        ("30 km/h", ["30 km/h"]),
        ("", [""]),
    ],
)
def test_remarks_on_what_else_counts_are_no_part_of_an_answer(answer: str, values: list[str]) -> None:
    assert accepted(answer) == values
