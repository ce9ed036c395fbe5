"""Papers and answer keys as web pages."""

from __future__ import annotations

from pathlib import Path

import pytest

from curation.ingest.papers.html import read_html, read_html_key
from curation.ingest.papers.items import Fault, Item, figure

WIKI = """<!DOCTYPE html><html><head><title>2031</title></head><body><div id="siteSub">Problem 9</div>
<div id="mw-content-text"><div class="mw-parser-output"><p><b>2031 AIME I</b> (<a href="/k">Answer Key</a>)</p>
<ol><li>This is a 15-question examination.</li><li>No aids.</li></ol>
<div id="toc" class="toc"><ul><li><a href="#p">1 Problem 1</a></li></ul></div>
<h2><span class="mw-headline" id="Problem_1">Problem 1</span><span class="mw-editsection">[edit]</span></h2>
<p>Find <img src="//l/a.png" class="latex" alt="$x^2 &lt; 4$" width="3" /> so&nbsp;that
<img class="latexcenter" alt="\\[y=\\frac{1}{2}\\]" /> holds in 10<sup>9</sup>.
</p><p><a href="/wiki/Problem_1">Solution</a></p>
<div class="mw-heading mw-heading2"><h2 id="Problem_2">Problem 2</h2></div>
<p>In the picture, <img class="latexcenter" alt="[asy] draw(A--B); [/asy]" /> find it.</p>
<p><a href="x">Solution</a></p>
<h2>Problem 3</h2><p>A rule:</p><ul><li>one</li><li>two</li></ul><p>What <i>now</i>?</p><p><a href="x">Solution</a></p>
<h2>Problem 4</h2><p>See <img src="photo.jpg" alt="$5$" />.</p><p><a href="x">Solution</a></p>
<h2>See also</h2><table class="wikitable"><tr><td>1 &#8226; 2</td></tr></table></div></div></body></html>"""


def page(folder: Path, text: str, *, solved: bool = False, number: int | None = None) -> list[Item]:
    file = folder / "page.html"
    file.write_text(text)
    found = read_html(file, file.name, 0, solved=solved, number=number)
    return [item for item in found if isinstance(item, Item)]


def test_a_wiki_page_as_it_is_shown(tmp_path: Path) -> None:
    items = page(tmp_path, WIKI)
    assert [item.number for item in items] == ["1", "2", "3", "4"]
    assert items[0].statement == "Find $x^2 < 4$ so that \\[y=\\frac{1}{2}\\] holds in 10$^{9}$."
    assert [figure(item.statement) is not None for item in items] == [False, True, False, True]
    assert items[2].statement == "A rule:\n\none\n\ntwo\n\nWhat now?"


@pytest.mark.parametrize(
    "formula",
    [
        '<script type="math/tex">x^2</script>',
        '<span class="MathJax_Preview">x2</span><script type="math/tex">x^2</script>',
        '<b class="katex"><math><annotation encoding="application/x-tex">x^2</annotation></math><i>x2</i></b>',
        '<math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></semantics></math>',
        '<img class="mwe-math-fallback-image-inline" alt="x^2">',
        "$x^2$",
    ],
)
def test_formulas_come_as_tex(tmp_path: Path, formula: str) -> None:
    [item] = page(tmp_path, f"<ol><li>Find {formula} now.<script>track()</script></li></ol>")
    assert (item.statement, item.damage) == ("Find $x^2$ now.", None)


def test_a_formula_without_its_tex_is_damage(tmp_path: Path) -> None:
    [item] = page(tmp_path, "<ol><li>Find <math><msup><mi>x</mi><mn>2</mn></msup></math>.</li></ol>")
    assert item.damage is not None
    assert item.damage.startswith("encoding")


def test_a_numbered_list_is_a_paper(tmp_path: Path) -> None:
    text = (
        "<nav><ol><li>Home</li><li>Archive</li><li>About</li><li>More</li></ol></nav><h1>Team round</h1>"
        '<ol start="4"><li>First? <ol type="a"><li>so</li></ol></li><li value="7">Second?<p>Answer: 12</p></li></ol>'
    )
    first, second = page(tmp_path, text, solved=True)
    assert (first.number, first.statement, first.answers) == ("4", "First?\n\nso", ())
    assert (second.number, second.statement, second.answers) == ("7", "Second?", ("12",))


def test_numbered_paragraphs_are_a_paper(tmp_path: Path) -> None:
    text = "<p>Welcome.</p><p>1. First?</p><p>It goes on. 2. Not a number.</p><p>2. Second?</p><p>4. Still second.</p>"
    assert [(item.number, item.statement) for item in page(tmp_path, text)] == [
        ("1", "First?\n\nIt goes on. 2. Not a number."),
        ("2", "Second?\n\n4. Still second."),
    ]


@pytest.mark.parametrize(
    ("key", "numbering"),
    [
        ("<ol><li>070</li><li>007</li></ol>", "counted"),
        (
            "<table><tr><th>No</th></tr><tr><td>1.</td><td>070</td></tr><tr><td>2</td><td>007</td></tr></table>",
            "stated",
        ),
        ("<p>1. 070</p><p>2. 007</p>", "stated"),
    ],
)
def test_answer_keys(tmp_path: Path, key: str, numbering: str) -> None:
    file = tmp_path / "key.html"
    file.write_text(f"<body><h1>Answers</h1>{key}</body>")
    items = [item for item in read_html_key(file, file.name, 0) if isinstance(item, Item)]
    assert [(item.number, item.answers, item.numbering) for item in items] == [
        ("1", ("070",), numbering),
        ("2", ("007",), numbering),
    ]


@pytest.mark.parametrize("text", ["", "<p>Not found</p>", "<body><h2>Problem of the week</h2><p>What?</p></body>"])
def test_pages_that_hold_nothing_are_faults(tmp_path: Path, text: str) -> None:
    file = tmp_path / "page.html"
    file.write_text(text)
    assert [type(one) for one in read_html(file, "a", 0, solved=False, number=None)] == [Fault]


LISTED = "".join(f"<li>How many are {number} figs?</li>" for number in (1, 2))


def test_a_list_that_goes_on_under_a_heading_is_one_and_one_that_begins_anew_is_told(tmp_path: Path) -> None:
    body = f"<h2>Round 1</h2><ol>{LISTED}</ol><h2>Round 2</h2>"
    assert [item.number for item in page(tmp_path, f'{body}<ol start="3">{LISTED}</ol>')] == ["1", "2", "3", "4"]
    file = tmp_path / "page.html"
    file.write_text(f"{body}<ol>{LISTED}</ol>")
    found = read_html(file, file.name, 0, solved=False, number=None)
    assert [each.number if isinstance(each, Item) else each.rule for each in found] == ["1", "2", "other_list"]


def test_numbered_paragraphs_end_at_a_heading_and_at_a_second_list(tmp_path: Path) -> None:
    paragraphs = "<p>1. How many figs?</p><p>And dates?</p><p>2. How many plums?</p>"
    for behind in ("<h3>Round 2</h3><p>Six points each.</p>", "<p>1. 120</p><p>2. 7</p>"):
        statements = [item.statement for item in page(tmp_path, paragraphs + behind)]
        assert statements == ["How many figs?\n\nAnd dates?", "How many plums?"]


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ('Half of <span class="frac"><span class="num">1</span><span class="den">2</span></span>?', False),
        ('The root <span class="sqrt">2</span>?', False),
        ("It costs $3 or more?", False),
        ("It costs \\$3 or more?", True),
        ('Is <span class="note">it</span> 3?', True),
    ],
)
def test_formulas_of_style_sheets_and_open_ones_are_damage(tmp_path: Path, text: str, whole: bool) -> None:
    items = page(tmp_path, f"<ol><li>{text}</li><li>How many figs?</li></ol>")
    assert [item.damage is None for item in items] == [whole, True]
