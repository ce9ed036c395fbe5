"""Papers and answer keys in wiki text."""

from __future__ import annotations

from pathlib import Path

from curation.ingest.papers.items import Fault, Item, figure
from curation.ingest.papers.wiki import read_wiki, read_wiki_key

PAPER = """{{AIME Problems|year=2031|n=I}}

'''Instructions''' # Not a problem

==Problem 1==
Let <math>x^2 < 4</math> &amp; [[integer|integers]]&nbsp;''n'' with <imath>n\\ge 2</imath>. <!-- [[File:old.png]] -->
<cmath>\\sum_{k=1}^{n} a_{{k}} | [[b]]</cmath>
is '''what''' in base 10<sub>ten</sub>?

[[2031 AIME I Problems/Problem 1|Solution]]

== Problem 2 ==
Look at <center><asy> draw((0,0)--(1,1)); </asy></center> and count.

[[2031 AIME I Problems/Problem 2 | Solution]]

==Problem 3==
[asy] pair A; [/asy] Count the dots.

[[2031 AIME I Problems/Problem 3|Solution]]

==Problem 4==
{{:2031 AIME I Problems/Problem 4}}

[[2031 AIME I Problems/Problem 4|Solution]]

==Problem 5==

[[2031 AIME I Problems/Problem 5|Solution]]

==Problem 6==
Two rules hold:
* <math>a<b</math>, and
:<math>b<c</math>.
What is <math>c-c</math>?

[[2031 AIME I Problems/Problem 6|Solution]]
[[Category:Problems]] Text behind the link.

== See also ==
{{AIME box|year=2031|n=I|before=[[2030 AIME II]]|after=[[2031 AIME II]]}}
{{MAA Notice}}
"""


def page(folder: Path, text: str, *, solved: bool = False, number: int | None = None) -> list[Item]:
    file = folder / "page.wiki"
    file.write_text(text)
    found = read_wiki(file, file.name, 0, solved=solved, number=number)
    return [item for item in found if isinstance(item, Item)]


def test_the_problems_of_a_paper(tmp_path: Path) -> None:
    items = page(tmp_path, PAPER)
    assert [item.number for item in items] == ["1", "2", "3", "4", "5", "6"]
    assert items[0].statement == (
        "Let $x^2 < 4$ & integers n with $n\\ge 2$.\n\\[\\sum_{k=1}^{n} a_{{k}} | [[b]]\\]\nis what in base 10$_{ten}$?"
    )
    assert [figure(item.statement) is not None for item in items] == [False, True, True, False, False, False]
    assert items[3].damage == "transcluded: the text of {{:2031 AIME I Problems/Problem 4}} stands on another page"
    assert items[4].statement == ""
    assert items[5].statement == "Two rules hold:\n* $a<b$, and\n$b<c$.\nWhat is $c-c$?"


def test_an_image_is_a_figure_and_a_table_too(tmp_path: Path) -> None:
    text = "==Problem 1==\nSee [[File:a.png|thumb|A]].\n==Problem 2==\nRead\n{|\n| 1 || 2\n|}\n==Problem 3==\nNo.\n"
    assert [figure(item.statement) is not None for item in page(tmp_path, text)] == [True, True, False]


def test_a_page_of_one_problem_has_its_solutions(tmp_path: Path) -> None:
    text = (
        "== Problem ==\nWhat is <math>35+35</math>?\n__TOC__\n== Solution 1 ==\nAdd: <math>\\boxed{070}</math>.\n"
        "=== Remark ===\nEasy.\n== Video Solution ==\nIt says <math>\\boxed{71}</math>.\n== Solution 2 ==\n"
        "<math>\\fbox{070}</math>\n== See also ==\nNot <math>\\boxed{9}</math>.\n"
    )
    [item] = page(tmp_path, text, solved=True, number=7)
    assert (item.number, item.answers) == ("7", ("070",))
    assert item.statement == "What is $35+35$?"
    assert item.solution is not None
    assert "Easy." in item.solution
    [bare] = page(
        tmp_path, "What is <math>35+35</math>?\n== Solution ==\n<math>\\boxed{070}</math>", solved=True, number=7
    )
    assert (bare.statement, bare.answers) == ("What is $35+35$?", ("070",))


def test_an_answer_key_is_a_numbered_list(tmp_path: Path) -> None:
    key = tmp_path / "key.wiki"
    key.write_text("This is the key.\n\n# 070\n# '''007'''\n# <math>\\frac{1}{2}</math>\n#* not this\n\n[[See also]]\n")
    items = [item for item in read_wiki_key(key, key.name, 0) if isinstance(item, Item)]
    assert [(item.number, item.answers, item.numbering) for item in items] == [
        ("1", ("070",), "counted"),
        ("2", ("007",), "counted"),
        ("3", ("$\\frac{1}{2}$",), "counted"),
    ]


def test_pages_that_hold_nothing_are_faults(tmp_path: Path) -> None:
    file = tmp_path / "page.wiki"
    file.write_text("There is currently no text in this page.")
    assert [fault.rule for fault in read_wiki(file, "a", 0, solved=False, number=None) if isinstance(fault, Fault)] == [
        "no_problem_list"
    ]
    assert [fault.rule for fault in read_wiki_key(file, "a", 0) if isinstance(fault, Fault)] == ["no_answer_list"]


def test_a_byte_that_is_no_text_spoils_its_own_problem(tmp_path: Path) -> None:
    file = tmp_path / "page.wiki"
    file.write_bytes(b"==Problem 1==\nFind \xff.\n==Problem 2==\nFind 2.\n")
    found = [item for item in read_wiki(file, "a", 0, solved=False, number=None) if isinstance(item, Item)]
    assert [item.damage is None for item in found] == [False, True]


def test_marks_of_our_own_in_a_page_are_damage(tmp_path: Path) -> None:
    [item] = page(tmp_path, "==Problem 1==\nFind \ue0000\ue001 now.\n")
    assert item.damage is not None
    assert item.damage.startswith("encoding")


def test_a_formula_that_is_not_closed_spoils_its_own_problem_alone(tmp_path: Path) -> None:
    file = tmp_path / "page.wiki"
    for opened in ("<math>5", "<cmath>5", "5</math>", "$5"):
        file.write_text(f"==Problem 1==\nHow many {opened} figs?\n==Problem 2==\nHow many <math>x</math> dates?\n")
        items = [item for item in read_wiki(file, file.name, 0, solved=False, number=None) if isinstance(item, Item)]
        assert [(item.number, (item.damage or "")[:14]) for item in items] == [("1", "lost_structure"), ("2", "")]
        assert items[1].statement == "How many $x$ dates?"
