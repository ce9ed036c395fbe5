"""Reworded and translated problems: signatures, evidence, answers."""

from __future__ import annotations

import pytest

from curation.contamination.agreement import answers_agree, may_be_rewritten, read_answer
from curation.contamination.concepts import concept_of, concepts_in
from curation.contamination.index import Index
from curation.contamination.items import BenchmarkItem
from curation.contamination.match import Matcher, MatchOptions
from curation.contamination.prepared import prepare
from curation.contamination.signature import Signature, sign, stem

TROUGH = (
    r"A trough is a prism whose cross-section is an isosceles trapezoid with parallel sides $38$ and $62$ "
    r"and height $23$. The trough is $145$ units long. Find the volume of the water when it is half full."
)
TRIANGLE = (
    r"In triangle $ABC$ with $AB = 29$, $BC = 52$, and $CA = 69$, the incircle touches $\overline{BC}$ at $D$. "
    r"Compute the distance from $D$ to the midpoint of $\overline{BC}$."
)
POLYNOMIAL = r"Let $P(x) = x^3 - 17x^2 + 83x - 91$ have roots $r, s, t$. Find $r^2 + s^2 + t^2$."
ITEMS = [
    BenchmarkItem("water", "1", TROUGH, r"\frac{146740}{2}"),
    BenchmarkItem("water", "2", TRIANGLE, "20"),
    BenchmarkItem("water", "3", POLYNOMIAL, "123"),
]

REWORDED = {
    "1": r"The cross-section of a prism-shaped trough of length $145$ is a trapezoid with two equal legs; its bases "
    r"measure $62$ and $38$, and they are $23$ apart. How much water is in it when the surface stands halfway up?",
    "3": r"Three numbers are the zeros of the cubic $x^3-17x^2+83x-91$. What is the total of their squares?",
}
TRANSLATED = {
    "1": "一个水槽是直棱柱，其横截面为等腰梯形，两条平行边长分别为 $38$ 和 $62$，高为 $23$，水槽长 $145$。"
    "当水深为高的一半时，求水的体积。",
    "2": r"Im Dreieck $ABC$ mit $AB = 29$, $BC = 52$ und $CA = 69$ berührt der Inkreis die Seite $BC$ im Punkt $D$. "
    r"Bestimme den Abstand von $D$ zum Mittelpunkt der Seite $BC$.",
    "3": r"设多项式 $P(x) = x^3 - 17x^2 + 83x - 91$ 的根为 $r, s, t$。求 $r^2 + s^2 + t^2$。",
}
OTHER = [
    ("The parallel sides of an isosceles trapezoid are 14 and 30 and its height is 15. Find its perimeter.", "78"),
    ("In triangle $ABC$ with $AB = 13$, $BC = 14$ and $CA = 15$, the incircle touches $BC$ at $D$. Find $AD$.", "20"),
    (r"Let $P(x) = x^3 - 5x^2 + 2x - 7$ have roots $r, s, t$. Find $\frac1r + \frac1s + \frac1t$.", "2/7"),
    ("一个等腰三角形的腰长为 $13$，底边长为 $10$，求面积。", "60"),
    ("Water runs into a tank at 23 litres a minute. How long does it take to fill 345 litres?", "15"),
]


def find(text: str, answer: str | None) -> list[tuple[str, str]]:
    return [
        (one.kind, one.benchmark_id) for one in Matcher(Index(ITEMS), MatchOptions()).match(text, read_answer(answer))
    ]


@pytest.mark.parametrize("number", REWORDED)
def test_the_same_mathematics_in_other_words_is_reworded(number: str) -> None:
    answer = {item.benchmark_id: item.answer for item in ITEMS}[number]
    [(kind, found)] = find(REWORDED[number], answer)
    assert found == number
    assert kind in {"reworded", "near"}


@pytest.mark.parametrize("number", TRANSLATED)
@pytest.mark.parametrize("with_answer", [True, False])
def test_the_same_mathematics_in_another_language_is_translated(number: str, with_answer: bool) -> None:
    answer = {item.benchmark_id: item.answer for item in ITEMS}[number] if with_answer else None
    [(kind, found)] = find(TRANSLATED[number], answer)
    assert found == number
    assert kind in {"translated", "near"}


@pytest.mark.parametrize(("text", "answer"), OTHER)
def test_a_problem_of_the_same_topic_is_no_match(text: str, answer: str) -> None:
    assert find(text, answer) == []
    assert find(text, None) == []


OTHER_QUESTION = (
    r"The cross-section of a prism-shaped trough of length $145$ is a trapezoid with two equal legs; its bases "
    r"measure $62$ and $38$, and they are $23$ apart. What is the perimeter of the cross-section?"
)


@pytest.mark.parametrize("answer", ["151.5", None])
def test_another_question_about_the_same_setting_is_partial(answer: str | None) -> None:
    assert find(OTHER_QUESTION, answer) == [("partial", "1")]


def test_the_shape_of_an_equation_is_no_setting() -> None:
    equation = (
        r"The roots of the quadratic equation $x^2 + px + q = 0$ are the cubes of the roots of the quadratic equation "
        r"$x^2 + rx + q = 0$. Express $p$ in $r$."
    )
    other = (
        r"How many quadratic equations $x^2 + cx + d = 0$ have a root $t$ whose square less $5$ is a root of the "
        "equation too?"
    )
    matcher = Matcher(Index([BenchmarkItem("own", "1", other, "16")]), MatchOptions())
    assert matcher.match(equation, read_answer("$r^3 - 3rq$")) == []


def test_another_answer_speaks_against_a_rewording() -> None:
    assert ("reworded", "1") not in find(REWORDED["1"], "8")


def test_a_rewording_inside_a_long_text_is_found() -> None:
    filler = "Here is a remark that has nothing to do with anything, and another one. " * 30
    answer = ITEMS[0].answer
    assert find(f"{filler}\n\n{REWORDED['1']}\n\n{filler}", answer) == [("reworded", "1")]


LANTERNS = (
    "Eleven lanterns of radius $37$ hang along the rope $PQ$ so that neighbouring lanterns touch each other. Every "
    "lantern but the first costs twice what the one before it costs, and the cheapest of all is sold for $13$ coins. A "
    "rich merchant of the old harbour town wishes to buy the most expensive lantern together with $529$ candles at $6$ "
    "coins apiece, and he pays with silver bars worth $250$ coins each. How many bars does he need?"
)
LAMPS = (
    "Someone owns bars of silver whose value is $250$ coins. The price of a candle is $6$ coins, and $529$ of them are "
    "wanted, with the dearest of some lamps, about which one knows: eleven lanterns of radius $37$ hang along the rope "
    "$PQ$ so that neighbouring lanterns touch each other; prices double from lamp to lamp, starting with $13$ coins. "
    "What is the least number of bars that will do for this purchase, if the seller gives change for whatever is paid?"
)


def test_a_rewording_that_kept_one_phrase_is_more_than_partial() -> None:
    matcher = Matcher(Index([BenchmarkItem("own", "1", LANTERNS, "66")]), MatchOptions())
    assert [match.kind for match in matcher.match(LAMPS)] == ["reworded"]
    assert [match.kind for match in matcher.match(LAMPS.split("price")[1])] == ["partial"]


def test_shared_numbers_are_marked_in_both_texts() -> None:
    [match] = Matcher(Index(ITEMS), MatchOptions()).match(TRANSLATED["1"], None)
    marked = {TRANSLATED["1"][start:end] for start, end in match.row_spans}
    assert any("145" in piece for piece in marked)
    assert any("梯形" in piece for piece in marked)
    assert any("145" in TROUGH[start:end] for start, end in match.item_spans)


def features(text: str) -> frozenset[str]:
    return signature(text).features


def signature(text: str) -> Signature:
    return sign(text, prepare(text))


def test_numbers_in_words_figures_and_chinese_are_one_feature() -> None:
    assert "n:25" in features("twenty-five apples")
    assert "n:25" in features("25 apples")
    assert "n:25" in features("二十五个苹果")
    assert "n:6" in features("a regular hexagon")


def test_powers_are_worked_out_beside_what_is_written() -> None:
    found = signature("all numbers up to $3^6$")
    assert "n:729" in found.worked_out
    assert {"n:3", "n:6"} <= found.features


def test_a_counted_list_is_a_range() -> None:
    assert {"n:2", "n:9"} <= features("the digits 2, 3, 4, 5, 6, 7, 8, 9")
    assert "n:5" not in features("the digits 2, 3, 4, 5, 6, 7, 8, 9")


def test_concepts_are_one_across_languages() -> None:
    assert concept_of("divisible") == concept_of("teilbar") == next(iter(concepts_in("整除")))
    assert concept_of("triangle") == concept_of("dreieck") == concept_of("треугольник")
    assert concept_of("flamingo") is None


def test_the_language_is_told_apart() -> None:
    assert signature("求所有正整数的和。").language == "han"
    assert signature("Find the sum of all positive integers with this property.").language == "en"
    assert signature("Bestimme die Summe aller positiven ganzen Zahlen mit dieser Eigenschaft.").language == "other"


def test_forms_of_a_word_have_one_stem() -> None:
    assert stem("painted") == stem("painting") == stem("paints")


@pytest.mark.parametrize(
    ("row", "item", "agree"),
    [
        ("025", "25", True),
        (r"\frac{1}{2}", "0.5", True),
        ("3", "4", False),
        (None, "4", None),
        ("", "4", None),
        (r"3\sqrt{2}/4", r"\frac{3}{4}\sqrt{2}", None),
        (r"9\sqrt{15}", r"\frac{59}{41}", False),
        ("So the total is #### 18", "18", True),
    ],
)
def test_answers_are_compared_by_value(row: str | None, item: str, agree: bool | None) -> None:
    one, other = read_answer(row), read_answer(item)
    assert answers_agree(one, other) is agree


def test_an_answer_that_was_made_an_integer_is_no_other_answer() -> None:
    assert may_be_rewritten(read_answer(r"\frac{49}{216}"), read_answer("265"))
    assert may_be_rewritten(read_answer("9"), read_answer(r"$4\sqrt{5}$"))
    assert not may_be_rewritten(read_answer(r"\frac{49}{216}"), read_answer("264"))
    assert not may_be_rewritten(read_answer("7"), read_answer("7"))
    longer = (
        "A die with 6 faces is cast 4 times. How likely is a running total of 3? Written as $m/n$, what is $m + n$?"
    )
    matcher = Matcher(Index([BenchmarkItem("own", "1", longer, "265")]), MatchOptions())
    row = "A die with 6 faces is cast 4 times. How likely is a running total of 3?"
    matches = [matcher.match(row, read_answer(answer))[0] for answer in (r"\frac{49}{216}", r"\frac{47}{216}")]
    assert [(match.kind, match.answers_agree) for match in matches] == [("near", None), ("partial", False)]
