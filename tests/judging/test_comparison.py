"""The default checker: what it accepts and what it does not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.errors import InputError
from curation.json_reader import JsonTextError
from curation.judging.comparison import Tokens, compare, compare_values, parse_flags

PLAIN = Tokens()
ABSOLUTE_OR_RELATIVE = Tokens(float_absolute_tolerance=1e-6, float_relative_tolerance=1e-6)


def accepts(answer: str | bytes, output: str | bytes, flags: str = "") -> bool:
    settings = parse_flags(flags.split(), "test")
    first, second = (text.encode() if isinstance(text, str) else text for text in (answer, output))
    return compare(first, second, settings) is None


@pytest.mark.parametrize(
    ("answer", "output"),
    [
        ("1 2\n3\n", "1 2\n3\n"),
        ("1 2\n3\n", "1\n2 3"),
        ("1 2", "  1\t2\r\n\v\f"),
        ("YES", "yes"),
        ("Case #1: Possible", "case #1: possible"),
        ("", "\n \n"),
        ("9" * 5000, "9" * 5000),
        ("007", "007"),
        (b"\xff\xfe", b"\xff\xfe\n"),
    ],
)
def test_tokens_are_compared_without_regard_to_space_and_case(answer: str, output: str) -> None:
    assert accepts(answer, output)


@pytest.mark.parametrize(
    ("answer", "output"),
    [
        ("YES", "NO"),
        ("xyz", "abc"),
        ("100000", "100001"),
        ("1000000000000000001", "1000000000000000000"),
        ("1000000000000000001", "1e18"),
        ("5", "5 5 5"),
        ("5 5 5", "5"),
        ("0", "0.000001"),
        ("1 2", "12"),
        ("1 2", "2 1"),
        ("10", "10.0"),
        ("7", "007"),
        ("5", "+5"),
        ("1", ""),
        ("", "1"),
        ("9" * 5000, "9" * 4999 + "8"),
        ("1 2\n3", "1 2 3 \x00"),
        ("Ä", "ä"),
    ],
)
def test_everything_else_is_a_difference(answer: str, output: str) -> None:
    """Among them the rows of the table of public graders that accept NO for YES."""
    assert not accepts(answer, output)


def test_case_and_space_count_where_the_flags_say_so() -> None:
    assert not accepts("YES", "yes", "case_sensitive")
    assert accepts("YES\n", "YES", "case_sensitive")
    assert not accepts("1 2\n", "1  2\n", "space_change_sensitive")
    assert not accepts("1 2\n", "1 2", "space_change_sensitive")
    assert accepts("A 2\n", "a 2\n", "space_change_sensitive")


@pytest.mark.parametrize(
    ("answer", "output", "accepted"),
    [
        ("0.5", "0.5000009", True),
        ("0.5", "0.5000021", False),
        ("1000000.0", "1000000.9", True),
        ("1000000.0", "1000003.0", False),
        ("1e6", "1000000.5", True),
        ("3.0", "3", True),
        ("3", "3.0", True),
        ("3", "2.9999999", True),
        ("100", "101", False),
        ("1000000000000000001", "1000000000000000000", False),
        ("-0.0", "0", True),
        ("0.000001", "0", True),
        ("0.5", "0,5", False),
        ("0.5", "half", False),
        ("0.5", "nan", False),
        ("nan", "NaN", True),
        ("inf", "1e999", False),
        ("0.5", "inf", False),
        ("0.5", "0x1p-1", False),
        ("0.5", "0.5 0.5", False),
        ("0.5", "1_0.5", False),
        ("1 0.5 yes", "1 .5 YES", True),
        ("1.0e-3", "0.00100000001", True),
        ("007", "7", True),
    ],
)
def test_a_tolerance_is_for_numbers_with_a_point(answer: str, output: str, accepted: bool) -> None:
    assert accepts(answer, output, "float_tolerance 1e-6") is accepted


def test_absolute_and_relative_tolerances_stand_alone() -> None:
    assert not accepts("1000000.0", "1000000.9", "float_absolute_tolerance 1e-6")
    assert accepts("1000000.0", "1000000.9", "float_relative_tolerance 1e-6")
    assert accepts("0.0", "0.0000009", "float_absolute_tolerance 1e-6")
    assert not accepts("0.0", "0.0000009", "float_relative_tolerance 1e-6")


def test_a_difference_of_exactly_the_tolerance_passes() -> None:
    assert accepts("0.3", "0.300001", "float_absolute_tolerance 1e-6")


def test_the_message_names_the_place() -> None:
    difference = compare(b"1 2 3", b"1 5 3", PLAIN)
    assert difference is not None
    assert difference.message == "token 2 is '5', not '2'"
    long = compare(b"1" * 1000, b"2" * 1000, PLAIN)
    assert long is not None
    assert len(long.message) < 200


@pytest.mark.parametrize("flags", ["float_tolerance", "float_tolerance x", "exact", "float_tolerance nan"])
def test_unknown_flags_are_refused(flags: str) -> None:
    with pytest.raises(InputError, match=r"t\.yaml"):
        parse_flags(flags.split(), "t.yaml")


@given(
    st.lists(
        st.binary(min_size=1).filter(lambda token: not token.isspace() and not set(token) & set(b" \t\n\v\f\r")),
        max_size=8,
    )
)
def test_an_answer_is_equal_to_itself_and_to_no_mutation(tokens: list[bytes]) -> None:
    text = b" ".join(tokens)
    assert compare(text, b"\n".join(tokens) + b"\n", PLAIN) is None
    assert compare(text, text + b" extra", PLAIN) is not None
    if tokens:
        assert compare(text, b" ".join(tokens[:-1]), PLAIN) is not None


@given(st.integers(), st.integers(min_value=1))
def test_integers_of_any_size_are_exact_under_a_tolerance(value: int, difference: int) -> None:
    first, second = str(value).encode(), str(value + difference).encode()
    assert compare(first, first, ABSOLUTE_OR_RELATIVE) is None
    assert compare(first, second, ABSOLUTE_OR_RELATIVE) is not None


@pytest.mark.parametrize(
    ("answer", "output", "same"),
    [
        ("[1,2,3]", "[1, 2, 3]", True),
        ("2", "2.0", True),
        ("0.1", "1e-1", True),
        ("100", "1e2", True),
        ("0", "-0.0", True),
        ("1" + "0" * 5000, "1" + "0" * 5000, True),
        ("1" + "0" * 5000, "1" + "0" * 4999 + "1", False),
        ('"a"', '"A"', False),
        ('"1"', "1", False),
        ("true", "1", False),
        ("true", "true", True),
        ("null", "[]", False),
        ("[1,2]", "[2,1]", False),
        ("[[]]", "[]", False),
        ('{"a": 1, "b": [2]}', '{"b": [2.0], "a": 1}', True),
        ('{"a": 1}', '{"b": 1}', False),
        ("0.3", "0.30000000000000004", False),
        ("1", "NaN", False),
        ("1", "", False),
        ("1", "1 1", False),
        ("1e999999999", "1e999999998", False),
    ],
)
def test_results_of_functions_are_compared_by_value(answer: str, output: str, same: bool) -> None:
    assert (compare_values(answer, output.encode(), PLAIN) is None) is same


def test_results_of_functions_get_a_tolerance_where_it_is_asked_for() -> None:
    assert compare_values("[0.3]", b"[0.30000000000000004]", ABSOLUTE_OR_RELATIVE) is None
    assert compare_values("[3]", b"[4]", ABSOLUTE_OR_RELATIVE) is not None


def test_an_answer_that_is_no_json_is_not_the_programs_fault() -> None:
    with pytest.raises(JsonTextError):
        compare_values("[1", b"[1]", PLAIN)


def test_a_result_that_is_nested_too_deeply_is_a_difference() -> None:
    assert compare_values("[1]", b"[" * 100_000 + b"]" * 100_000, PLAIN) is not None
