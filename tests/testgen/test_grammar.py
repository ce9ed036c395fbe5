"""Grammars inferred from samples and statements, and what counts as valid."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from curation.testgen.document import parts
from curation.testgen.generate import generate
from curation.testgen.grammar import parse, render
from curation.testgen.inference import infer, tidy
from curation.testgen.mutate import mutate
from curation.testgen.near_misses import near_misses
from curation.testgen.numbers import special
from curation.testgen.profiles import plan
from curation.testgen.rules import Rules, make_rules
from curation.testgen.statement import read_statement
from curation.testgen.validity import fault, hits
from curation.testgen.words import grid_row

QUERIES = r"""
\section*{Input}
The first line contains two integers $n$ and $q$ ($1 \leq n, q \leq 50$).
The second line contains $n$ distinct integers $x_1 < x_2 < \dots < x_n$, each at most $10^{3}$ and at least one:
$1 \le x_i \le 1\,000$.
Each of the next $q$ lines contains two integers $l$ and $r$ ($1 \le l \le r \le n$).
"""
CASES = """
## Input

The first line contains the number of test cases t (1 <= t <= 20).
Each test case starts with a line with an integer n (2 <= n <= 30). Then follows a permutation
p_1, ..., p_n of the numbers from 1 to n: n integers (1 <= p_i <= n).
It is guaranteed that the sum of n over all test cases does not exceed 60.
"""
GRAPH = r"""
\section*{Input}
The first line contains integers $n$ and $m$ ($2 \le n \le 20$, $1 \le m \le 40$).
Then $m$ lines follow, each with two integers $a$ and $b$ ($1 \le a, b \le n$, $a \ne b$): the graph is connected and
has no multiple edges.
"""
WORDS = r"""
\section*{Input}
One line with an integer $k$ ($1 \le k \le 9$), then $k$ lines, each a word $w$ of lower case letters, at
most 12 letters.
"""
SAMPLES = {
    "queries": (QUERIES, ["4 2\n1 3 6 900\n1 4\n2 2\n", "1 1\n5\n1 1\n"]),
    "cases": (CASES, ["2\n3\n2 3 1\n2\n1 2\n"]),
    "graph": (GRAPH, ["3 2\n1 2\n3 2\n", "4 5\n1 2\n2 3\n4 3\n1 4\n1 3\n"]),
    "words": (WORDS, ["3\nab\nzebra\nab\n"]),
}


@pytest.fixture(params=sorted(SAMPLES))
def problem(request: pytest.FixtureRequest) -> tuple[str, Rules, list[str]]:
    """The name, the rules and the samples of each problem."""
    statement, samples = SAMPLES[request.param]
    return request.param, rules_of(statement, samples), samples


def rules_of(text: str, samples: list[str]) -> Rules:
    statement = read_statement(text)
    shape = infer(samples, statement)
    assert shape is not None
    return make_rules(shape, statement, samples)


def made(rules: Rules, count: int = 60) -> list[str]:
    source = random.Random(5)
    values = [generate(rules, profile, source) for profile in islice(plan(count), count)]
    return [render(one) for one in values if one is not None]


def test_samples_are_valid_and_near_misses_are_not(problem: tuple[str, Rules, list[str]]) -> None:
    _, rules, samples = problem
    for sample in samples:
        assert fault(rules, sample) is None
        misses = list(near_misses(rules, sample))
        assert len(misses) > 15
        assert [miss.kind for miss in misses if fault(rules, miss.text) is None] == []


def test_made_inputs_are_valid_and_hit_every_stated_bound(problem: tuple[str, Rules, list[str]]) -> None:
    name, rules, _ = problem
    inputs = made(rules)
    assert len(set(inputs)) > 20
    valid = [text for text in inputs if fault(rules, text) is None]
    assert len(valid) > 0.8 * len(inputs)
    reached = {
        (one.variable, end)
        for text in valid
        for one in hits(rules, text)
        for end in ("least", "greatest")
        if getattr(one, end)
    }
    wanted = {
        "queries": {
            ("n", "least"),
            ("n", "greatest"),
            ("q", "greatest"),
            ("x", "least"),
            ("x", "greatest"),
            ("l", "least"),
            ("r", "greatest"),
        },
        "cases": {("t", "least"), ("t", "greatest"), ("n", "least"), ("n", "greatest")},
        "graph": {("n", "least"), ("n", "greatest"), ("m", "greatest"), ("a", "least"), ("b", "greatest")},
        "words": {("k", "least"), ("k", "greatest")},
    }[name]
    assert wanted <= reached


def test_names_come_from_the_statement() -> None:
    assert rules_of(*SAMPLES["queries"]).shape.names == ("n", "q", "x", "l", "r")
    assert rules_of(*SAMPLES["cases"]).shape.names == ("t", "n", "p")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("queries", "2 1\n4 4\n1 1\n"),
        ("queries", "2 1\n6 4\n1 1\n"),
        ("queries", "2 1\n4 6\n2 1\n"),
        ("queries", "2 1\n4 6\n1 3\n"),
        ("cases", "1\n3\n1 2 2\n"),
        ("cases", "3\n" + 3 * ("21\n" + " ".join(map(str, range(1, 22))) + "\n")),
        ("graph", "3 2\n1 2\n2 1\n"),
        ("graph", "4 2\n1 2\n3 4\n"),
        ("graph", "2 1\n1 1\n"),
        ("words", "1\nabcdefghijklm\n"),
        ("words", "1\naB\n"),
    ],
)
def test_rules_are_kept(name: str, text: str) -> None:
    assert fault(rules_of(*SAMPLES[name]), text) is not None


def test_a_rule_that_a_sample_breaks_is_dropped_and_named() -> None:
    rules = rules_of(QUERIES.replace("1 \\leq n, q \\leq 50", "1 \\leq n \\leq 3"), SAMPLES["queries"][1])
    assert fault(rules, SAMPLES["queries"][1][0]) is None
    assert len(rules.dropped) == 1


def test_without_a_statement_values_stay_in_the_range_of_the_samples() -> None:
    rules = rules_of("", ["3\n4 9 2\n", "2\n7 7\n"])
    assert fault(rules, "3\n2 9 9\n") is None
    assert fault(rules, "3\n2 9 10\n") is not None
    assert fault(rules, "4\n2 9 9 9\n") is not None
    for text in made(rules, 30):
        values = parse(rules.shape.nodes, text)
        assert values is not None
        numbers = [
            int(token)
            for part in parts(rules.shape.nodes, values, rules.shape.names)
            for row in part.rows
            for token in row
        ]
        assert all(2 <= number <= 9 for number in numbers)


def test_mutation_keeps_counts_right(problem: tuple[str, Rules, list[str]]) -> None:
    _, rules, samples = problem
    source = random.Random(1)
    known = parse(rules.shape.nodes, tidy(samples[0]))
    assert known is not None
    before = render(known)
    changed = [render(one) for _ in range(80) if (one := mutate(rules, known, source)) is not None]
    assert all(parse(rules.shape.nodes, text) is not None for text in changed)
    assert sum(fault(rules, text) is None and text != before for text in changed) >= 5
    assert render(known) == before


def test_large_inputs_reach_the_limit_on_their_size() -> None:
    text = "## Input\n\n`n` numbers follow the line with `n` (`1 <= n <= 5000`), each `x` with `0 <= x <= 7`.\n"
    inputs = made(rules_of(text, ["2\n1 2\n", "3\n0 7 7\n"]), 20)
    assert max(len(one.split()) for one in inputs) == 5001


def test_samples_without_one_shape_give_none() -> None:
    assert infer(["1 2\n3\n", "x y z\n"], read_statement("")) is None


def test_grids_are_full_empty_and_wind() -> None:
    text = (
        "## Input\n\nThe first line has `r` and `c` (`1 <= r, c <= 40`). Then `r` lines follow, each a string `g` of "
    )
    rules = rules_of(text + "`c` characters, each `#` or `.`.\n", ["2 3\n#.#\n...\n", "1 2\n##\n"])
    grids = [one.split()[2:] for one in made(rules) if one.startswith("40 40\n")]
    assert ["#" * 40] * 40 in grids
    assert ["." * 40] * 40 in grids
    assert any(grid[:4] == ["." * 40, "#" * 39 + ".", "." * 40, "." + "#" * 39] for grid in grids)


REALS = """
## Input

One line with two numbers `p` and `x` (`0 <= p <= 1`, `-50 <= x <= 50`).
"""


def test_numbers_with_decimals_reach_their_bounds_and_keep_their_places() -> None:
    rules = rules_of(REALS, ["0.125 -3.5\n", "0.5 12.25\n"])
    texts = made(rules, 120)
    assert all(fault(rules, text) is None for text in texts)
    pairs = [text.split() for text in texts]
    assert {"0.000", "1.000"} <= {first for first, _ in pairs}
    assert {"-50.00", "50.00"} <= {second for _, second in pairs}
    unstated = rules_of("", ["0.52\n", "0.97\n"])
    assert fault(unstated, "0.97\n") is None
    assert len(set(made(unstated))) > 10


def test_words_of_one_input_are_related() -> None:
    rules = rules_of(
        "## Input\n\nTwo lines: words `s` and `t` of lower case letters, at most 12 letters.\n", ["ab\nqxyz\n"]
    )
    pairs = [text.split("\n")[:2] for text in made(rules, 120)]
    assert any(one == two for one, two in pairs)
    assert any(one == two[::-1] != two for one, two in pairs)
    assert any(one != two and one and one in two for one, two in pairs)


def test_a_way_winds_from_corner_to_corner_of_a_grid() -> None:
    for count in (6, 7):
        rows = [grid_row("palindrome", "#.", 5, index, count, random.Random(0)) for index in range(count)]
        free = {(x, y) for x, row in enumerate(rows) for y, letter in enumerate(row) if letter == "."}
        far = {(0, 0): 0}
        for x, y in (waiting := [(0, 0)]):
            for to in {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & free - set(far):
                far[to] = far[x, y] + 1
                waiting.append(to)
        assert far[count - 1, 4] >= 3 * (count - 1)


def test_numbers_near_which_programs_go_wrong() -> None:
    source = random.Random(1)
    found = {special(-50, 10**18, source) for _ in range(1000)}
    assert {10**18 - 1, 10**18, 2**20} <= found
    assert min(found) >= -50
    assert max(found) <= 10**18
    assert any(number % 5040 == 0 < number for number in found)
    assert {special(7, 7, source)} == {7}


def test_large_graphs_are_long_light_paths_and_dense() -> None:
    statement = """
## Input

The first line holds integers `n` and `m` (`1 <= n <= 5000`, `0 <= m <= 9000`). Then `m` lines follow, each with three
integers `u`, `v` and `w` (`1 <= u, v <= n`, `1 <= w <= 1000`).
"""
    rules = rules_of(statement, ["3 1\n1 2 5\n", "4 2\n1 3 3\n2 4 9\n"])
    wanted = [one for one in islice(plan(40, has_networks=True), 14) if one.size == "large"]
    large = {one.network + one.values: generate(rules, one, random.Random(3)) for one in wanted}
    sizes = {key: render(values).split("\n", 1)[0] for key, values in large.items() if values is not None}
    n, m = map(int, sizes["reversed pathequal low"].split())
    assert n == 5000
    assert n - 1 <= m <= n + 1
    n, m = map(int, sizes["denserandom"].split())
    assert m == 9000
    assert n < 500
    edges = [line.split() for line in render(large["pathstep"] or []).split("\n")[1:-1]]
    light = {(int(u), int(v)) for u, v, w in edges if w == "1"}
    assert light >= {(vertex, vertex + 1) for vertex in range(1, 4000)}
    assert {w for _, _, w in edges} == {"1", "1000"}
