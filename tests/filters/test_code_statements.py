"""The rules for statements of code problems, each beside what is near to it and stays."""

from __future__ import annotations

import pytest

from curation.filters import catalog
from curation.filters.rule import CODE, Row
from curation.filters.screening import screen, select
from curation.recipe import FilterSection

RULES = select(FilterSection())
INPUT = "\n\nInput\n\nOne integer n, the number of hens in the yard.\n\nOutput\n\nThe number of eggs.\n\n"
EXAMPLE = "Example\n\nInput:\n3\nOutput:\n6"
LAST = "Now solve the problem and return the code."
PLACE = "```python\n# YOUR CODE HERE\n```\n"
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


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Solve the following coding problem using the programming language python:\n\n", ""),
        ("Please solve the programming task below in a Python code block.\n", ""),
        (
            "You are an expert Python programmer. You will be given a question and will generate a program for it.\n\n",
            "",
        ),
        ("Generate an executable Python function generated from the given prompt. ", ""),
        (
            "",
            "\n\nThe input will be stdin and you should print your solution to stdout\n\n\n" + LAST,
        ),
        (
            "QUESTION:\n",
            "\nRead the inputs from stdin solve the problem and write the answer to stdout.\n\n" + PLACE,
        ),
        ("", "\nUse Standard Input format\nANSWER:\n"),
    ],
)
def test_instructions_around_a_statement_go(before: str, after: str) -> None:
    statement = f"{TASK}{INPUT}{EXAMPLE}"
    screened = screen(Row(before + statement + after, None, domain="code"), RULES)
    assert (screened.statement, screened.hits) == (statement, ())


@pytest.mark.parametrize(
    "statement",
    [
        "Solve the equation for each test case.\n\nInput\n\nThe numbers a and b of it.",
        "Write a program that prints the sum of two integers.",
        f"{TASK}{INPUT}Example\n\nInput:\n3\nOutput:\nAnswer: 6",
        "You are a farmer with n hens. Count their eggs.",
        f"{TASK}\n\nPlease complete the following code:\n```python\nclass Solution:\n    def eggs(self, n):\n```",
    ],
)
def test_a_task_stays_whole(statement: str) -> None:
    screened = screen(Row(statement, None, domain="code"), RULES)
    assert (screened.statement, screened.hits) == (statement, ())
