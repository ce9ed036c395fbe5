"""The dropping rules for statements of code problems, each beside what is near to it and stays."""

from __future__ import annotations

import pytest

from curation.filters import catalog
from curation.filters.rule import CODE, Row
from curation.filters.screening import screen, select
from curation.recipe import FilterSection

RULES = select(FilterSection())
INPUT = "\n\nInput\n\nOne integer n, the number of hens in the yard.\n\nOutput\n\nThe number of eggs.\n\n"
EXAMPLE = "Example\n\nInput:\n3\nOutput:\n6"
TASK = "Every hen in the yard lays two eggs. Count the eggs of all hens."


def first(statement: str) -> tuple[str, str] | None:
    """Return the rule and the reason that drop a code problem with this statement."""
    hits = screen(Row(statement, None, domain="code"), RULES).hits
    return (hits[0].rule, hits[0].reason) if hits else None


CASES = (
    (f"This is an interactive problem.\n\n{TASK}{INPUT}{EXAMPLE}", ("interactive", "interactive")),
    (f"{TASK} Do not forget to flush the output after each query.{INPUT}", ("interactive", "interactive")),
    (f"{TASK} The hens never flush a toilet, and the game is interactive.{INPUT}{EXAMPLE}", None),
    (f"{TASK}{INPUT}Read n from input.txt.", ("file_input", "file_input")),
    (f"{TASK}\n\nINPUT FORMAT (file hens.in):\n\nOne integer.", ("file_input", "file_input")),
    (f"{TASK} Write the answer to the file eggs.out.{INPUT}", ("file_input", "file_input")),
    (f"{TASK} A file is a column of the yard; the file system has n files.{INPUT}{EXAMPLE}", None),
    (f"{TASK}{INPUT}Examples", ("examples_lost", "no_sample")),
    (f"{TASK}{INPUT}-----Sample Input-----\n\n", ("examples_lost", "no_sample")),
    (f"{TASK}{INPUT}Sample Input 1\n3\nSample Output 1\n6", None),
    (f"{TASK}{INPUT}Sample Input\n\n2 2\n\nSample Output\n\n##\n##", None),
    (f"{TASK} The yard is <image> wide.{INPUT}{EXAMPLE}", ("picture_in_rules", "image")),
    (f"{TASK}\n\n[Image]\n{INPUT}{EXAMPLE}", ("picture_in_rules", "image")),
    (f"{TASK}{INPUT}{EXAMPLE}\n\nNote\n\nThis is the yard:\n\n<image>", None),
    (f"{TASK} The yard is shown in the figure below.{INPUT}{EXAMPLE}", ("figure_needed", "image")),
    (f"{TASK} An example of a yard is shown in the picture below.{INPUT}{EXAMPLE}", None),
    (f"{TASK}{INPUT}{EXAMPLE}\n\nThe yard is shown in the figure below.", None),
    (
        "There are several hens in a large yard, and every one of them lays two eggs when the",
        ("code_stops_early", "truncated"),
    ),
    (
        "There are several hens in a large yard, and every one of them lays tw...",
        ("code_stops_early", "truncated"),
    ),
    (f"{TASK}{INPUT}{EXAMPLE} 4 5 6 7 8 9 10 11 12 13", None),
    ("Count the eggs.", ("code_too_short", "truncated")),
    ("Read one integer and print it doubled.", None),
    ("给定两个整数，求它们的和。", None),
)


@pytest.mark.parametrize(("statement", "expected"), CASES)
def test_what_speaks_against_a_statement(statement: str, expected: tuple[str, str] | None) -> None:
    assert first(statement) == expected


def test_the_rules_leave_math_alone() -> None:
    statement = "This is an interactive problem: find $1+1$ as input.txt says."
    hits = screen(Row(statement, "2"), RULES).hits
    assert not {hit.rule for hit in hits} & {"interactive", "file_input", "code_too_short"}


def test_every_rule_for_code_alone_drops_something() -> None:
    of_code = {rule.name for rule in catalog.DROPPING if rule.domains == CODE}
    assert of_code == {expected[0] for _, expected in CASES if expected is not None}
