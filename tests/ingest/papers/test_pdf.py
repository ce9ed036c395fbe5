"""Papers in PDF against the TeX they were made from. The fixtures' fonts keep their encodings, not their outlines."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import pytest

from curation.errors import InputError
from curation.ingest.papers.paper import PaperProblem
from curation.ingest.papers.pdf import read_pdf_answers, read_pdf_problems
from curation.text import fold, tokens

FIXTURES = Path(__file__).parent / "fixtures"


def items(name: str) -> list[str]:
    """The items of a fixture's last list, as TeX."""
    body = (FIXTURES / f"{name}.tex").read_text().rsplit("\\begin{enumerate}", 1)[1].split("\\end{enumerate}")[0]
    return body.split("\\item")[1:]


def read(name: str) -> list[PaperProblem]:
    return read_pdf_problems(FIXTURES / f"{name}.pdf")


def words(tex: str) -> list[str]:
    """Tokens, with accents composed as a page shows them."""
    composed = tex.replace('\\"i', "ï").replace("\\'e", "é").replace("\\,", " ")
    return tokens(fold(composed))


@pytest.fixture(scope="module")
def statements() -> list[PaperProblem]:
    return read("statements")


def test_every_statement_says_what_its_tex_says(statements: list[PaperProblem]) -> None:
    assert [problem.number for problem in statements] == list(range(1, 11))
    assert [problem.damage for problem in statements] == [None] * 10
    for problem, tex in zip(statements, items("statements"), strict=True):
        assert words(problem.text) == words(tex)


@pytest.mark.parametrize(
    ("number", "formula"),
    [
        (1, r"$\binom{12}{5}+\binom{7}{2}$"),
        (1, r"$\left(\frac{3}{4}\right)^{k+1}$"),
        (2, r"\begin{pmatrix} 2 & -1 \\ 0 & 7 \end{pmatrix}"),
        (2, r"\begin{pmatrix} 1 \\ 2 \end{pmatrix}"),
        (3, r"\lim_{x\to 0^+} \frac{\sin 3x}{\sqrt[3]{x^3+\sqrt{x}}}"),
        (3, r"\int_0^{\pi/2} \cos^2\theta"),
        (4, r"\overrightarrow{AB}\cdot\vec{v}=|\widehat{ABC}|"),
        (4, r"x_{n_k}^{2^m}"),
        (5, r"\lfloor\frac{n}{3}\rfloor=\lceil\frac{n-2}{4}\rceil"),
        (6, r"\frac{\frac{1}{2}+\frac{1}{3}}{1-\frac{1}{1+\frac{1}{x}}}"),
        (6, r"e^{-\frac{x^2}{2}}"),
        (6, r"2^{2^n}"),
        (8, r"f''(2)=g'(3)^2"),
        (9, r"\sqrt{\frac{\sqrt{n}+\sqrt[3]{n}}{1+\overline{n}}}"),
        (9, r"\log_{\frac{1}{2}} n"),
    ],
)
def test_formulas_keep_their_structure(statements: list[PaperProblem], number: int, formula: str) -> None:
    assert fold(formula) in fold(statements[number - 1].text)


def test_formulas_stand_between_dollars_and_words_outside(statements: list[PaperProblem]) -> None:
    text = statements[6].text
    assert text.startswith(r"A set $\mathcal{S}\subseteq")
    assert re.sub(r"\$[^$]*\$", "", text).split()[:6] == ["A", "set", "is", "meek", "if", "and"]


def test_cover_instructions_running_heads_and_page_numbers_are_no_problems(statements: list[PaperProblem]) -> None:
    everything = " ".join(problem.text for problem in statements)
    assert "proctor" not in everything
    assert "Meadow" not in everything
    assert "Page" not in everything
    assert statements[0].page == 2


def test_damaged_problems_say_why_and_their_neighbours_are_whole() -> None:
    reasons = {problem.number: problem.damage for problem in read("damaged")}
    assert {number: reason and reason.partition(":")[0] for number, reason in reasons.items()} == {
        1: None,
        2: "figure",
        3: "figure",
        4: "lost_structure",
        5: "missing_glyph",
        6: "figure",
        7: "lost_structure",
        8: "lost_structure",
        9: "figure",
        10: None,
    }


def test_a_solutions_paper_gives_statements_without_solutions_and_one_answer_each() -> None:
    problems = read("solutions")
    assert [problem.answer for problem in problems] == [
        "4",
        r"\frac{5}{6}",
        "-3",
        r"\frac{5 + \sqrt{13}}{2}",
        None,
        None,
    ]
    assert [fold(problem.text) for problem in problems] == [
        fold(tex.partition("{]}")[2].partition("\n\n")[0]) for tex in items("solutions")
    ]
    assert [problem.damage for problem in problems[:5]] == [None] * 5
    assert problems[5].damage is not None
    assert problems[5].damage.startswith("merged")


def test_answers_by_number() -> None:
    assert read_pdf_answers(FIXTURES / "solutions.pdf") == {
        1: "4",
        2: r"\frac{5}{6}",
        3: "-3",
        4: r"\frac{5 + \sqrt{13}}{2}",
    }
    sheet = read_pdf_answers(FIXTURES / "answers.pdf")
    assert {number: fold(answer) for number, answer in sheet.items()} == {
        number: fold(tex) for number, tex in enumerate(items("answers"), 1)
    }


def test_two_columns_read_down_and_divided_words_are_whole() -> None:
    problems = read("columns")
    assert [problem.number for problem in problems] == [1, 2, 3, 4, 5]
    assert [problem.damage for problem in problems] == [None] * 5
    assert "nonnegative integers get hyphenated somewhere." in problems[0].text
    assert problems[1].text.endswith("2. were red.")
    assert problems[4].text.startswith("Find ")


def document(content: bytes) -> bytes:
    """A one-page PDF whose content stream holds these compressed bytes."""
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>",
        b"<</Length %d/Filter/FlateDecode>>stream\n%s\nendstream" % (len(content), content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    body, table = b"%PDF-1.4\n", b"xref\n0 6\n0000000000 65535 f \n"
    for number, each in enumerate(objects, 1):
        table += b"%010d 00000 n \n" % len(body)
        body += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    return body + table + b"trailer\n<</Root 1 0 R/Size 6>>\nstartxref\n%d\n%%%%EOF\n" % len(body)


PLAIN = zlib.compress(b"BT /F1 10 Tf 72 700 Td (1. How many pages is this?) Tj 0 -20 Td (2. And words?) Tj ET")


def test_a_plain_document_reads(tmp_path: Path) -> None:
    path = tmp_path / "plain.pdf"
    path.write_bytes(document(PLAIN))
    assert read_pdf_problems(path) == [
        PaperProblem(1, "How many pages is this?", None, None, 1),
        PaperProblem(2, "And words?", None, None, 1),
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"this is no PDF", "cannot be read as a PDF"),
        (b"", "cannot be read as a PDF"),
        ((FIXTURES / "statements.pdf").read_bytes()[:4000], "cannot be read as a PDF"),
        (document(zlib.compress(b"72 600 100 80 re f")), "holds no text"),
        (document(PLAIN[:-30]), "cannot be read as a PDF"),
    ],
    ids=["other", "empty", "cut", "pictures", "lost content"],
)
def test_a_file_that_is_no_paper_has_one_clear_reason(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "paper.pdf"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as raised:
        read_pdf_problems(path)
    assert str(path) in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_pdf_problems(tmp_path / "none.pdf")


def test_reading_ends_at_its_time_limit() -> None:
    with pytest.raises(InputError, match="takes more than"):
        read_pdf_problems(FIXTURES / "statements.pdf", wall_limit_s=0.01)


def test_headings_between_problems_belong_to_none_and_lists_inside_them_are_theirs() -> None:
    problems = read("guts")
    assert [(problem.number, problem.damage) for problem in problems] == [(number, None) for number in range(1, 7)]
    assert problems[0].text == r"Find $x$ 9 times in the line $\overleftrightarrow{AB}$."
    assert problems[1].text.endswith("think about it.")
    assert "prism-shaped" in problems[1].text
    assert problems[2].text.endswith("1. a box; 2. a bag.")
    assert problems[5].text == r"Find $\binom{4}{2}$ figs."


def test_a_bitmap_font_whose_codes_may_show_anything_is_damage() -> None:
    problems = read("bitmap")
    assert [problem.number for problem in problems] == [1, 2]
    assert all(problem.damage and problem.damage.startswith("missing_glyph") for problem in problems)
