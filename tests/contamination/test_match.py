"""The cascade: which kind of match a text is, and what is none."""

from __future__ import annotations

import pytest

from curation.contamination.alignment import spans
from curation.contamination.index import Index
from curation.contamination.items import BenchmarkItem, Match
from curation.contamination.match import Matcher, MatchOptions
from curation.text import locate

LANTERNS = (
    r"Mira hangs $14$ paper lanterns on a wire so that exactly $5$ of them are green and no two green lanterns hang "
    r"next to each other. Let $W$ be the number of ways in which she can arrange the colours. Find the remainder when "
    r"$W$ is divided by $1000$."
)
QUADRILATERAL = (
    r"Convex quadrilateral $PQRS$ has $PQ = 37$, $QR = 52$, $RS = 41$ and a right angle at $Q$. The bisector of "
    r"$\angle PSR$ meets $\overline{PR}$ at $T$. Find $\dfrac{PT}{TR}$ given that $SP \leq 60$ and $SP^{2} = 3481$."
)
SHORT = r"Find the largest prime factor of $38^{4}+1$."
ITEMS = [
    BenchmarkItem("lamps", "1", LANTERNS, "2"),
    BenchmarkItem("lamps", "2", QUADRILATERAL, r"\frac{59}{41}"),
    BenchmarkItem("lamps", "3", SHORT, "97"),
    BenchmarkItem("lamps", "4", "Find $x$.", "1"),
]


def matches(text: str, options: MatchOptions | None = None) -> list[Match]:
    return Matcher(Index(ITEMS), options or MatchOptions()).match(text)


def kind(text: str, options: MatchOptions | None = None) -> tuple[str, str] | None:
    found = matches(text, options)
    return (found[0].kind, found[0].benchmark_id) if found else None


def test_the_same_text_is_exact() -> None:
    assert kind(f"\n{LANTERNS} ") == ("exact", "1")


@pytest.mark.parametrize(
    "text",
    [
        QUADRILATERAL.replace("$", "").replace(r"\leq", "≤").replace(r"\dfrac{PT}{TR}", "PT/TR"),
        QUADRILATERAL.replace(r"\overline{PR}", "PR").replace("SP^{2}", "SP²").replace("\\angle ", "∠"),
        QUADRILATERAL.replace(" = ", "=").replace(" ", "\u00a0").replace("PQRS", "P Q R S"),
    ],
)
def test_another_typing_is_folded(text: str) -> None:
    assert text != QUADRILATERAL
    assert kind(text) == ("folded", "2")


def test_an_item_in_a_longer_text_is_embedded() -> None:
    wrapped = f"Solve the task and box the result.\n\n{SHORT}\n\nHint: look at squares modulo small primes."
    assert kind(wrapped) == ("embedded", "3")
    long = "It was a rainy day and nothing happened at all. " * 400
    assert kind(long + LANTERNS + long) == ("embedded", "1")


def test_other_numbers_are_numbers_changed_and_named() -> None:
    found = matches(LANTERNS.replace("14", "15").replace("$5$", "$6$"))
    assert [(one.kind, one.benchmark_id, one.detail) for one in found] == [("numbers_changed", "1", "14 -> 15, 5 -> 6")]
    assert kind(SHORT.replace("38", "46")) == ("numbers_changed", "3")


def test_numbers_in_words_are_numbers() -> None:
    assert kind(LANTERNS.replace("$14$", "fourteen").replace("$5$", "five")) == ("folded", "1")


def test_an_edited_text_is_near() -> None:
    edited = LANTERNS.replace("Mira hangs", "Suppose Mira has hung").replace("in which she can arrange", "to arrange")
    assert kind(edited) == ("near", "1")


def test_an_item_without_its_last_sentence_is_near() -> None:
    assert kind(LANTERNS.rpartition("Find the")[0]) == ("near", "1")


def test_a_drawing_in_one_of_the_typings_does_not_matter() -> None:
    drawn = QUADRILATERAL + "\n[asy] draw((0,0)--(13,29)--(71,12)--cycle); label('P', (0,0)); [/asy]"
    assert kind(drawn) == ("folded", "2")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "$$",
        "Find $y$.",
        "In the end we must find $x$. That is hard when the line is long.",
        r"The probability is $\frac{m}{n}$, where $m$ and $n$ are relatively prime positive integers. Find $m+n$.",
        "Let $W$ be the number of ways in which 9 people can sit. Find the remainder when $W$ is divided by $1000$.",
        r"Find the largest prime factor of $15^3 + 10^4 - 5^5$.",
        r"Convex quadrilateral $ABCD$ has perimeter $88$. Find the largest possible area of $ABCD$.",
    ],
)
def test_stock_phrases_and_short_texts_are_no_match(text: str) -> None:
    assert kind(text) is None


def test_a_short_item_is_seen_where_it_is_the_whole_text() -> None:
    assert kind("Find $x$") == ("folded", "4")


@pytest.mark.parametrize("unit", ["token", "word"])
def test_a_shared_run_of_the_given_length_is_at_least_partial(unit: str) -> None:
    piece = LANTERNS[: LANTERNS.index(" Let")]
    text = f"{piece} How many lanterns in all 27 streets hang beside a green lantern at most, and where do they lead?"
    options = MatchOptions(ngram=12, ngram_unit="token" if unit == "token" else "word")
    assert kind(text, options) in {("partial", "1"), ("near", "1")}
    assert kind(text, MatchOptions(ngram=64)) != ("partial", "1")


def test_spans_show_the_shared_pieces() -> None:
    item_spans, row_spans = spans(locate(SHORT), locate(f"Warm up first. {SHORT} Then rest."))
    text = f"Warm up first. {SHORT} Then rest."
    assert SHORT[item_spans[0][0] : item_spans[-1][1]].startswith("Find the largest")
    assert text[row_spans[0][0] : row_spans[-1][1]].startswith("Find the largest prime factor")


def test_the_same_text_gives_the_same_matches() -> None:
    text = LANTERNS + " " + QUADRILATERAL
    assert matches(text) == matches(text)
    assert {one.benchmark_id for one in matches(text)} == {"1", "2"}


def test_a_text_of_one_repeated_token_ends() -> None:
    assert kind("9 " * 20_000) is None


def test_a_text_that_an_item_goes_on_after_is_near_whatever_numbers_come_then() -> None:
    shared = "Calculate the largest area of an isosceles trapezoid with two legs of length 11 and a base of length 37."
    longer = f"{shared} The final answer can be written as $\\frac{{m}}{{n}}$. Find $41m^2 + 73n^2 + 59$."
    matcher = Matcher(Index([BenchmarkItem("own", "1", longer)]), MatchOptions())
    assert [match.kind for match in matcher.match(shared)] == ["near"]
