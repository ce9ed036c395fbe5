"""Matching checkers: what each kind of answers and outputs proves, and what no checker may be chosen for."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from curation.judging.bench import Bench
from curation.judging.judge import single_file
from curation.judging.limits import Limits
from curation.judging.matching import KnownOutput, Match, check_own, match_checker, outputs_of
from curation.judging.matching.answers import shape_of
from curation.judging.matching.claims import claims_of
from curation.judging.matching.mutations import MUST_REJECT, mutations_of
from curation.judging.named_checkers import NamedCheckers
from curation.records import CheckerSource, TestCase


@pytest.fixture(scope="module")
def bench(judge_store: Path) -> Iterator[Bench]:
    """One bench for the file."""
    with Bench(judge_store, workers=1) as made:
        yield made


@pytest.fixture(scope="module")
def named(bench: Bench) -> NamedCheckers:
    """One table of checkers for the file, so that each is compiled once."""
    return NamedCheckers(bench)


def cases(*answers: str) -> list[TestCase]:
    return [TestCase("p", f"t{number}", "stdio", f"{number}\n", answer) for number, answer in enumerate(answers)]


def outputs(*programs: tuple[str, ...]) -> list[KnownOutput]:
    return [
        KnownOutput(f"s{number}", f"t{place}", text.encode())
        for number, program in enumerate(programs)
        for place, text in enumerate(program)
    ]


class Matcher:
    """Matches on a worker, as the judge does."""

    def __init__(self, bench: Bench, named: NamedCheckers) -> None:
        self._bench, self._named = bench, named

    def __call__(
        self, tests: list[TestCase], known: list[KnownOutput] | None = None, statement: str = "", **more: bool
    ) -> Match:
        def work(given: list[TestCase]) -> Match:
            return match_checker(self._bench, self._named, given, statement, known or [], **more)

        return next(self._bench.map(work, [tests]))


@pytest.fixture
def match(bench: Bench, named: NamedCheckers) -> Matcher:
    """The function under test."""
    return Matcher(bench, named)


BIG = "9" * 6000


@pytest.mark.parametrize(
    ("answers", "programs", "statement", "checker"),
    [
        # The answers alone: letter by letter, but a tolerance for decimals, and yes and no in any case.
        (("3\n", "14\n"), (), "", "tokens case_sensitive"),
        ((f"{BIG}\n", "7\n"), (), "", "tokens case_sensitive"),
        (("abc\n", "Abd\n"), (), "", "tokens case_sensitive"),
        (("YES\n", "NO\n"), (), "", "tokens"),
        (("0.5\n", "1.25\n"), (), "", "tokens case_sensitive float_tolerance 1e-06"),
        (("0.5\n", "IMPOSSIBLE\n"), (), "", "tokens case_sensitive float_tolerance 1e-06"),
        (("Case #1: 0.5\n", "Case #1: 2.75\n"), (), "", "tokens case_sensitive float_tolerance 1e-06"),
        # What the statement promises.
        (
            ("0.5\n", "1.25\n"),
            (),
            "The absolute or relative error must not exceed $10^{-4}$.",
            "tokens case_sensitive float_tolerance 0.0001",
        ),
        (
            ("0.5\n", "1.25\n"),
            (),
            "An absolute error of 1e-5 is fine.",
            "tokens case_sensitive float_absolute_tolerance 1e-05",
        ),
        (("Alice\n", "Bob\n"), (), "You may print each letter in any case.", "tokens"),
        # Looseness that the outputs of accepted submissions prove.
        (("Alice\n", "Bob\n"), (("ALICE", "bob"),), "", "tokens"),
        (("5\n", "7\n"), (("5.0", "7.0"),), "", "tokens case_sensitive float_tolerance 1e-09"),
        (("5\n", "7\n"), (("05", "7"),), "", "checkers:integers"),
        (("3 1 2\n", "5 4\n"), (("1 2 3", "4 5"),), "", "checkers:unordered_in_lines"),
        (("a b\nc d\n", "e f\ng h\n"), (("c d\na b\n", "e f\ng h\n"),), "", "checkers:unordered_lines"),
        (("Case #1: x\n", "Case #1: y\n"), (("Case 1: x", "Case 1: y"),), "", "checkers:case_labels"),
        (("a\n\nb\n", "c\n\nd\n"), (("a\nb\n", "c d\n"),), "", "tokens case_sensitive"),
    ],
)
def test_the_strictest_that_nothing_speaks_against(
    match: Matcher, answers: tuple[str, ...], programs: tuple[tuple[str, ...], ...], statement: str, checker: str
) -> None:
    found = match(cases(*answers), outputs(*programs), statement)
    assert (found.outcome, found.checker) == ("matched", checker), found.reason
    survivor = found.evidence[-1]
    assert survivor.survives
    assert survivor.tests_accepted == survivor.tests == 2
    assert survivor.outputs_accepted == survivor.outputs == 2 * len(programs)
    assert not set(survivor.accepted) & MUST_REJECT
    assert all(one.reason and not one.survives for one in found.evidence[:-1])


def test_a_matched_checker_says_what_it_cannot_see(match: Matcher) -> None:
    found = match(cases("a b\nc\n", "d\n"), outputs(("A B\nC", "d")))
    assert found.checker == "tokens"
    assert set(found.evidence[-1].accepted) == {"changed case", "moved line break"}
    assert {"empty", "extra token", "dropped last token", "answer of another test"} <= set(found.evidence[-1].rejected)


@pytest.mark.parametrize(
    ("programs", "why"),
    [
        ((("1 4", "2 3"),), "no checker here accepts"),
        ((("2 3", "2 3"), ("1 4", "2 3")), "no checker here accepts"),
        ((("2 3", "2 3"), ("1 4", "2 3"), ("2 3", "2 3"), ("1 4", "1 4")), "no checker here accepts"),
    ],
)
def test_accepted_submissions_that_disagree_mean_a_special_judge(
    match: Matcher, programs: tuple[tuple[str, ...], ...], why: str
) -> None:
    found = match(cases("2 3\n", "2 3\n"), outputs(*programs))
    assert (found.outcome, found.checker) == ("special judge", None)
    assert why in found.reason


def test_a_minority_that_differs_is_taken_for_wrong_unless_it_is_certainly_right(match: Matcher) -> None:
    tests = cases("2 3\n", "4 5\n")
    known = outputs(("2 3", "4 5"), ("1 4", "4 5"), ("2 3", "4 5"))
    found = match(tests, known)
    assert (found.outcome, found.checker) == ("matched", "tokens case_sensitive")
    assert "1 of 3 differ" in found.reason
    assert match(tests, known, are_sure=True).outcome == "special judge"
    assert match(tests, known, "If there are several solutions, print any.").outcome == "special judge"


@pytest.mark.parametrize(
    "statement",
    [
        "If there are several solutions, print any of them.",
        "If there are multiple possible answers, you may output any.",
        "Any valid answer will be accepted.",
        "You may print the numbers in any order.",
    ],
)
def test_a_statement_that_promises_any_answer_needs_proof(match: Matcher, statement: str) -> None:
    tests = cases("2 3\n", "4 5\n")
    assert match(tests, statement=statement).outcome == "special judge"
    assert match(tests, outputs(("2 3", "4 5"), ("2 3", "4 5")), statement).outcome == "special judge"
    three = match(tests, outputs(*[("2 3", "4 5")] * 3), statement)
    assert (three.outcome, three.checker) == ("matched", "tokens case_sensitive")


def test_another_permutation_is_another_answer_whatever_the_statement_promises(match: Matcher) -> None:
    tests, known = cases("2 1 3\n", "1 2\n"), outputs(("1 3 2", "2 1"), ("3 1 2", "1 2"), ("2 1 3", "1 2"))
    for statement in ("Print any such arrangement.", "Print the numbers in any order."):
        found = match(tests, known, statement)
        assert (found.outcome, found.checker) == ("special judge", None)
    assert match(cases("4\n2 0 1\n", "5\n0 1\n"), outputs(("4\n0 1 2", "5\n0 1"))).outcome == "special judge"
    assert match(cases("4 1 3\n", "1 2\n"), outputs(("1 3 4", "2 1"))).checker == "checkers:unordered_in_lines"


def test_a_promised_order_is_proved_by_two_that_differ_in_it(match: Matcher) -> None:
    tests, promise = cases("a b\nc d\n", "x y\nz w\n"), "Print the pairs in any order."
    turned, same = ("c d\na b", "x y\nz w"), ("a b\nc d", "x y\nz w")
    assert match(tests, outputs(turned, same), promise).checker == "checkers:unordered_lines"
    assert match(tests, outputs(turned), promise).outcome == "special judge"
    assert match(tests, outputs(same, same), promise).outcome == "special judge"


def test_a_source_that_says_special_judge_is_believed_until_submissions_agree(match: Matcher) -> None:
    tests = cases("2 3\n", "4 5\n")
    assert match(tests, is_special=True).outcome == "special judge"
    assert match(tests, outputs(*[("3 2", "5 4")] * 3), is_special=True).checker == "checkers:unordered_in_lines"


def test_outputs_far_outside_of_the_promised_tolerance_prove_no_tolerance(match: Matcher) -> None:
    tests, known = cases("0.5\n", "1.25\n"), outputs(("0.50005", "1.25"))
    found = match(tests, known, "The absolute or relative error must not exceed 1e-9.")
    assert (found.outcome, found.checker) == ("special judge", None)
    loose = next(one for one in found.evidence if one.candidate.endswith("float_tolerance 0.0001"))
    assert loose.outputs_accepted == loose.outputs == 2
    assert loose.reason == "it accepts what must be wrong: outside of the tolerance"
    assert match(tests, known, "An error of 1e-4 is fine.").checker == loose.candidate


def test_nothing_to_test_is_unknown(match: Matcher) -> None:
    assert match([]).outcome == "unknown"
    assert match([TestCase("p", "t", "call", "[1]", "2", "f")]).outcome == "unknown"


def test_single_value_checkers_are_for_single_values(match: Matcher) -> None:
    found = match(cases("YES YES\n", "NO\n"), outputs(("nope", "NO")))
    assert "checkers:yes_no" not in {one.candidate for one in found.evidence}
    assert found.outcome == "special judge"


def test_outputs_come_from_running_the_programs(bench: Bench) -> None:
    tests = cases("0\n", "1\n", "2\n")
    limits = Limits(cpu_s=2, memory_mb=256)

    def work(code: str) -> list[KnownOutput]:
        return outputs_of(bench, single_file("s", "python3", code), tests, limits)

    echo, failing, broken = bench.map(work, ["print(input())", "n = int(input())\nprint(n, 1 // n)", "print("])
    assert [one.output for one in echo] == [b"0\n", b"1\n", b"2\n"]
    assert [(one.test, one.output) for one in failing] == [("t1", b"1 1\n"), ("t2", b"2 0\n")]
    assert broken == []


@pytest.mark.parametrize(
    ("code", "survives", "why"),
    [
        ("print(1 if open(sys.argv[3]).read().split() == open(sys.argv[2]).read().split() else 0)", True, ""),
        ("print(1)", False, "empty output"),
        ("print(0)", False, "for itself"),
        ("print(int(open(sys.argv[2]).read()) // 0)", False, "for itself"),
    ],
)
def test_the_checker_that_a_problem_brings_is_tested(bench: Bench, code: str, survives: bool, why: str) -> None:
    source = CheckerSource.of("python", f"import sys\n{code}\n")
    name = f"python:{source.sha256}"
    named = NamedCheckers(bench, {source.sha256: source})

    def work(tests: list[TestCase]) -> object:
        checker = named.find(name)
        assert not isinstance(checker, str)
        return check_own(bench, name, checker, tests)

    found = next(bench.map(work, [cases("1\n", "2\n")]))
    assert (found.survives, why in found.reason) == (survives, True)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("statement", "tolerance", "measure"),
    [
        ("The absolute or relative error should be at most 10<sup>-6</sup>.", None, None),
        ("The absolute or relative error should be at most 10^-6.", 1e-6, "either"),
        ("with an absolute or relative error of at most $10^{-9}$.", 1e-9, "either"),
        ("Answers within 1e-4 of the right one in relative error are accepted.", 1e-4, "relative"),
        ("The absolute error must not exceed 0.00001.", 1e-5, "absolute"),
        ("accepted if the error is less than \\(10^{-5}\\)", 1e-5, "either"),
        ("precision of 10⁻⁶", 1e-6, "either"),
        ("The numbers have at most 10^6 digits and differ.", None, None),
        ("Find x with 1 ≤ x ≤ 10^9, modulo 10^9+7. The error is ours.", None, None),
    ],
)
def test_tolerances_in_statements(statement: str, tolerance: float | None, measure: str | None) -> None:
    found = next((claim for claim in claims_of(statement) if claim.kind == "tolerance"), None)
    assert (found.tolerance if found else None, found.measure if found else None) == (tolerance, measure)


@pytest.mark.parametrize(
    ("statement", "kinds"),
    [
        ("Print YES or NO (in any case).", {"any_case"}),
        ("You can output each letter in any register.", {"any_case"}),
        ("Print the edges in any order.", {"any_order"}),
        ("If multiple answers exist, print any.", {"any_answer"}),
        ("Output any one of the optimal solutions.", {"any_answer"}),
        ("You can find any such array.", {"any_answer"}),
        ("Can you find any arrangement of the tiles?", {"any_answer"}),
        ("Find any walk of at most 500 steps such that its cells add up to n.", {"any_answer"}),
        ("This is only one of several valid outputs.", {"any_answer"}),
        ("The thief did not find any door that was open.", set()),
        ("Ann cannot find any shop which sells it.", set()),
        ("This is one of the many cases in the archive.", set()),
        ("The farmer picks any of them and there is no need to feed any of the others.", set()),
        ("Each guest will choose any one of the possible seats.", set()),
        ("There is no way to print anything; in any case, stop.", set()),
        ("In either case, the answer is 2.", set()),
        ("She did not give you any hint of the third example.", set()),
        ("A permutation of length n is an array of n distinct integers in arbitrary order.", set()),
        ("For any valid x, count the pairs.", set()),
    ],
)
def test_promises_in_statements(statement: str, kinds: set[str]) -> None:
    assert {claim.kind for claim in claims_of(statement)} == kinds


def test_mutations_change_what_they_say() -> None:
    made = {one.name: one.text for one in mutations_of("Case #1: 199 x\nCase #2: 5\n", ["Case #1: 7\n"], None)}
    assert made["empty"] == ""
    assert made["integer plus one"] == "Case #1: 199 x\nCase #2: 6\n"
    assert made["integer minus one"] == "Case #1: 199 x\nCase #2: 4\n"
    assert made["dropped last token"].split() == ["Case", "#1:", "199", "x", "Case", "#2:"]
    assert made["changed case"].startswith("cASE")
    assert made["swapped tokens"] == "Case #1: x 199\nCase #2: 5\n"
    assert made["swapped lines"] == "Case #2: 5\nCase #1: 199 x\n"
    assert made["answer of another test"] == "Case #1: 7\n"


@pytest.mark.parametrize(
    ("text", "more", "less"),
    [
        ("0", "1", "-1"),
        ("-1", "0", "-2"),
        ("999", "1000", "998"),
        ("-1000", "-999", "-1001"),
        ("1000", "1001", "999"),
        (BIG, "1" + "0" * 6000, BIG[:-1] + "8"),
    ],
)
def test_integers_of_any_size_are_moved_by_one(text: str, more: str, less: str) -> None:
    made = {one.name: one.text for one in mutations_of(text, [], None)}
    assert (made["integer plus one"], made["integer minus one"]) == (more, less)


def test_shapes_look_at_all_answers() -> None:
    shape = shape_of(["1\n", "2.5\n", "x 3\n"])
    assert (shape.has_integers, shape.has_decimals, shape.has_words, shape.single_token) == (True, True, True, False)
    assert shape_of(["Case #1: YES\n", "Case #1: no\nCase #2: Yes\n"]).only_yes_no
    assert not shape_of(["YES\n", "maybe\n"]).only_yes_no
    assert shape_of(["1\n\n2\n"]).several_lines
    assert not shape_of(["\n1 2\n\n"]).several_lines
