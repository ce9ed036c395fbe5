"""What of a PDF's page is no part of its problems: running heads, page numbers, logos; and what only looks like it."""

from __future__ import annotations

from pathlib import Path

import pytest
from plain_pdf import plain_pdf

from curation.ingest.papers.atoms import Drawing, PageContent
from curation.ingest.papers.pdf import read_pdf_problems
from curation.ingest.papers.pdf_lines import read_paper

QUESTION = "How many figs are in a box that Ann and Ben have filled"


def solved(number: int) -> list[str]:
    return [f"{number}. {QUESTION} {number} times?", f"Answer: {number + 100}", "Solution: Count them."]


def pages_with(top: str, bottom: str = "") -> list[list[str]]:
    """Four pages of three problems each, `{page}` in their first and last lines replaced by the page's number."""
    pages = []
    for page in range(1, 5):
        body = [line for number in range(3 * page - 2, 3 * page + 1) for line in solved(number)]
        lines = [top.format(page=page), *body, *([""] * 28), bottom.format(page=page)]
        pages.append([line for line in lines if line != "." * 3])
    return pages


@pytest.mark.parametrize(
    ("top", "bottom"),
    [
        ("An Own Tournament, May 2019", ""),
        ("An Own Tournament {page}", ""),
        ("May 11, 2019 - Page {page} of 4 - Algebra", ""),
        ("{page}", "{page}"),
        ("An Own Tournament", "Page {page}"),
        ("Algebra", "{page}/4"),
    ],
)
def test_running_heads_and_page_numbers_are_left_out(tmp_path: Path, top: str, bottom: str) -> None:
    path = tmp_path / "paper.pdf"
    path.write_bytes(plain_pdf(*pages_with(top, bottom)))
    problems = read_pdf_problems(path)
    assert [problem.text for problem in problems] == [f"{QUESTION} {number} times?" for number in range(1, 13)]
    assert [problem.answer for problem in problems] == [str(number + 100) for number in range(1, 13)]


def going_over(page_breaks_before: str) -> list[list[str]]:
    """A page a problem, whose label, answer or solution is the first line of the next page."""
    pages: list[list[str]] = [["An Own Tournament"]]
    for number in range(1, 5):
        lines = [
            f"{number}. {QUESTION}",
            f"in {number * number} days?",
            f"Answer: {number % 2 + 100}",
            "Solution: Count them.",
        ]
        place = next(place for place, line in enumerate(lines) if line.startswith(page_breaks_before))
        pages[-1] += lines[:place]
        pages.append(lines[place:])
    return pages


@pytest.mark.parametrize("first", ["Answer", "Solution", "in "])
def test_what_stands_first_on_several_pages_is_no_running_head(tmp_path: Path, first: str) -> None:
    path = tmp_path / "paper.pdf"
    path.write_bytes(plain_pdf(*going_over(first)))
    problems = read_pdf_problems(path)
    assert [(problem.text, problem.answer) for problem in problems] == [
        (f"{QUESTION} in {number * number} days?", str(number % 2 + 100)) for number in range(1, 5)
    ]


AT_THE_END = [[*([""] * 38), f"{n}. {QUESTION} in {n} weeks of", "days?"] for n in range(1, 5)]
AT_THE_START = [[*(["days?"] if n > 1 else []), f"{n}. {QUESTION} in {n} weeks of"] for n in range(1, 5)] + [["days?"]]


OVER_A_NUMBER = [[*page, "", "", str(n)] for n, page in enumerate(AT_THE_END, 1)]


@pytest.mark.parametrize("pages", [AT_THE_END, AT_THE_START, OVER_A_NUMBER], ids=["end", "start", "over a number"])
def test_the_same_end_of_a_question_on_every_page_stays(tmp_path: Path, pages: list[list[str]]) -> None:
    path = tmp_path / "paper.pdf"
    path.write_bytes(plain_pdf(*pages))
    texts = [problem.text for problem in read_pdf_problems(path)]
    assert texts == [f"{QUESTION} in {n} weeks of days?" for n in range(1, 5)]


MARGIN, BODY = Drawing("image", 72, 90, 760, 740), Drawing("image", 200, 300, 420, 380)


@pytest.mark.parametrize(
    ("drawn", "left"),
    [
        ([[MARGIN], [MARGIN], [], []], 0),
        ([[MARGIN], [], [], []], 1),
        ([[BODY], [BODY], [], []], 2),
        ([[BODY], [BODY]], 2),
        ([[BODY], [BODY], [BODY], [BODY]], 0),
    ],
    ids=["logo", "once in the margin", "two figures", "a figure on both pages", "watermark"],
)
def test_logos_are_no_figures(drawn: list[list[Drawing]], left: int) -> None:
    pages = [PageContent(number, 612, 792, [], own) for number, own in enumerate(drawn, 1)]
    assert sum(map(len, read_paper(pages).drawings.values())) == left
