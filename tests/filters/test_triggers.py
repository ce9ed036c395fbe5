"""Triggers: what they find in one scan, and that no rule has anything against a row that its triggers leave out."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
import test_cleaning
import test_code_statements
import test_dropping
import test_kinds_of_defects
import test_near_misses

from curation.filters import catalog, choices, media, requests
from curation.filters.cleaning import Cleaner
from curation.filters.rule import BOTH, Edit, Row, cleans, drops
from curation.filters.screening import Rules, screen, screen_all, select
from curation.filters.triggers import ANYTHING, Triggers, either, in_prose, signs, words
from curation.recipe import FilterSection

RULES = select(FilterSection())
WITHOUT_TRIGGERS = Rules(
    tuple(replace(rule, when=None) for rule in RULES.cleaning),
    tuple(
        replace(rule, when=None, when_prose=None, when_answer=None, unless=None, about_answer=False)
        for rule in RULES.dropping
    ),
)
LABELLED = [
    *test_dropping.DROPPED,
    *(("", *case) for case in test_dropping.KEPT),
    *test_kinds_of_defects.DROPPED,
    *(("", *case) for case in test_near_misses.KEPT),
    *(("", text, "5") for text in (*test_cleaning.CLEANED, *test_near_misses.CLEANED, *test_cleaning.UNTOUCHED)),
]
MARKS = (
    " ",
    "\n",
    "\n\n",
    "",
    "$",
    "\\",
    "(a) ",
    "(b) ",
    "B. ",
    "2. ",
    ": ",
    "İ",
    "ſ",
    "é",
    "　",
    "。",
    "\x1c",
    "**",
    "\\[",
    "\\]",
)


def _made(count: int, seed: int) -> Iterator[Row]:
    """Yield rows put together from pieces of the labelled ones, in several ways of writing."""
    chooser = random.Random(seed)
    statements = [statement for _, statement, _ in LABELLED] + [
        statement for statement, _ in test_code_statements.CASES
    ]
    answers = [answer for _, _, answer in LABELLED]
    for _ in range(count):
        pieces = [chooser.choice(statements) for _ in range(chooser.randint(1, 3))]
        pieces = [piece[chooser.randint(0, len(piece) // 2) :] if chooser.random() < 0.3 else piece for piece in pieces]
        text = chooser.choice(MARKS).join(pieces)
        for _ in range(chooser.randint(0, 3)):
            place = chooser.randint(0, len(text))
            text = text[:place] + chooser.choice(MARKS) + text[place:]
        shaped = chooser.choice((str, str, str, str.upper, str.title, str.swapcase))(text)
        answer = chooser.choice(answers)
        if answer and chooser.random() < 0.3:
            answer = chooser.choice(
                ("${}$", " {}", "{}\n", "\\boxed{{{}}}", "**{}**", "\\text{{{}}}", "{}.", "\x1c{}")
            ).format(answer)
        yield Row(shaped, answer, domain="code" if chooser.random() < 0.1 else "math")


def test_one_scan_finds_every_trigger_that_the_text_holds() -> None:
    triggers = Triggers({0: words("prove proof"), 2: either(signs("证", "!["), r"\d$"), 70: ANYTHING})
    assert triggers.found("") == 0
    assert triggers.found("Prove it.") == 1 | 1 << 70
    assert triggers.found("Disprove, waterproof") == 1 << 70
    assert triggers.found("proof2") == 1 | 1 << 2 | 1 << 70
    assert triggers.found("![x") == triggers.found("证\n") == 1 << 2 | 1 << 70
    assert triggers.found("\ud800 is a lone surrogate") == 1 << 70


def test_words_end_where_letters_end() -> None:
    triggers = Triggers({0: words("fig map")})
    assert [triggers.found(text) for text in ("FIG.2", "(map)", "a_map_1", "figs", "bitmap", "éfig")] == [
        1,
        1,
        1,
        0,
        0,
        1,
    ]


@pytest.mark.parametrize("case", LABELLED, ids=lambda case: case[1][:40])
def test_labelled_rows_are_decided_alike_without_triggers(case: tuple[str, str, str | None]) -> None:
    _, statement, answer = case
    assert screen(Row(statement, answer), RULES) == screen(Row(statement, answer), WITHOUT_TRIGGERS)


@pytest.mark.parametrize("seed", range(8))
def test_made_rows_are_decided_alike_without_triggers(seed: int) -> None:
    for row in _made(250, seed):
        assert screen(row, RULES) == screen(row, WITHOUT_TRIGGERS), row


def test_a_cleaning_rule_sees_what_an_earlier_one_brought_forth() -> None:
    assert Cleaner(catalog.CLEANING).clean("&lt;p&gt;Find $x$.&lt;/p&gt;").text == "Find $x$."


def test_prose_matches_only_where_its_statement_holds_the_trigger() -> None:
    for expression in (media._PICTURE_REFERENCE, media._SHOWN, requests._PROOF, choices._WHICH):
        triggers, left_out = Triggers({0: in_prose(expression)}), 0
        for row in _made(1_000, 11):
            if row.statement.isascii() and not triggers.found(row.statement):
                left_out += 1
                assert expression.search(row.prose) is None
                assert expression.search(row.prose_lower) is None
        assert left_out > 300


def test_a_trigger_for_prose_forgets_what_is_forbidden_and_lets_formulas_stand() -> None:
    expression = re.compile("(?<![a-z,] )the map\\b(?! (?:of|from)\\b)|chart [^.?!]{1,9} is\\b|[.\ufffc] end\\Z")
    triggers = Triggers({0: in_prose(expression)})
    texts = ("see The\nmap of", "a mapping", "chart $x.y$ is", "chart A. It is", "$x$ end", "$x$ ends")
    assert [triggers.found(text) for text in texts] == [1, 0, 1, 1, 1, 0]


def test_a_batch_is_screened_as_its_rows_are_one_by_one() -> None:
    rows = list(_made(200, 12))
    assert {row.domain for row in rows} == {"math", "code"}
    assert screen_all(rows, RULES) == [screen(row, RULES) for row in rows]
    triggers = Triggers({0: words("find"), 1: "[?](?s:.*)[?]", 9: r"\$$"})
    texts = [row.statement for row in rows]
    assert triggers.found_in_each(texts) == [triggers.found(text) for text in texts]


def test_rules_without_triggers_see_every_row() -> None:
    @drops("short", "It is short.", domains=BOTH)
    def short(row: Row) -> str | None:
        return row.statement if len(row.words) < 3 else None

    @cleans("Stars go.")
    def stars(text: str) -> list[Edit]:
        return [Edit(place.start(), place.end()) for place in re.finditer(r"\*", text)]

    rules = Rules((*RULES.cleaning, stars), (*RULES.dropping, short))
    rows = [Row("*Find* it.", "3"), Row("Find the *sum* of $2$ and $3$.", "5"), Row("Print it.", None, domain="code")]
    results = screen_all(rows, rules)
    assert [result.statement for result in results] == ["Find it.", "Find the sum of $2$ and $3$.", "Print it."]
    assert ["short" in [hit.rule for hit in result.hits] for result in results] == [True, False, True]
