"""The one JSON reader: every number stays the text it was."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.json_reader import JsonNumber, JsonTextError, RepeatedKeyError, as_text, dumps, iterate_array, loads

HUGE = "9" * 5_000
SIXTY = "123456789012345678901234567890123456789012345678901234567890"


@pytest.mark.parametrize(
    "number", [HUGE, SIXTY, "1e5", "1E400", "-0", "0.1000", "1.0", "10000000000000000000000000001"]
)
def test_numbers_stay_text(number: str) -> None:
    value = loads(f'{{"answer": {number}}}')
    assert isinstance(value, dict)
    assert value["answer"] == number
    assert isinstance(value["answer"], JsonNumber)
    assert dumps(value) == f'{{"answer":{number}}}'
    assert as_text(value["answer"]) == number


def test_a_quoted_number_is_no_number() -> None:
    assert not isinstance(loads('"007"'), JsonNumber)
    assert dumps(loads('["007", 7]')) == '["007",7]'


@pytest.mark.parametrize(
    "text", ["", "{", "[1,", "nan", "NaN", "Infinity", '{"a" 1}', "[" * 100_000, '"\\ud800"', "1 2"]
)
def test_what_is_no_json_says_so(text: str) -> None:
    with pytest.raises(JsonTextError):
        loads(text)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**80), 10**80) | st.text(st.characters(codec="utf-8")),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(json_values)
def test_what_is_written_is_read_back(value: object) -> None:
    text = dumps(value)
    assert dumps(loads(text)) == text


@given(st.lists(json_values, max_size=6), st.integers(1, 9))
def test_an_array_is_read_alike_in_chunks_of_any_size(values: list[object], size: int) -> None:
    class Slow(io.StringIO):
        def read(self, _: int | None = -1) -> str:
            return super().read(size)

    text = " " + dumps(values) + "\n"
    assert [dumps(value) for value in iterate_array(Slow(text))] == [dumps(value) for value in values]


@pytest.mark.parametrize("text", ["", "{}", "[1", "[1,", '["a', "[1 2]", "[1,]", "[{]"])
def test_a_cut_or_broken_array_says_so(text: str) -> None:
    with pytest.raises(JsonTextError):
        list(iterate_array(io.StringIO(text)))


@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_what_is_read_can_be_written_however_deep_it_is_nested(opening: str) -> None:
    def nested(levels: int) -> str:
        return opening * levels + "1" + {"[": "]"}.get(opening, "}") * levels

    assert dumps(loads(nested(200))) == nested(200)
    for levels in (201, 450, 900):
        with pytest.raises(JsonTextError, match="nested too deeply"):
            loads(nested(levels))
        with pytest.raises(JsonTextError, match="nested too deeply"):
            list(iterate_array(io.StringIO(f"[{nested(levels)}]")))


def test_many_brackets_beside_each_other_are_not_deep() -> None:
    text = "[" + ",".join(["[{}]"] * 1_000) + "]"
    assert dumps(loads(text)) == text


def test_a_repeated_key_is_refused_and_named() -> None:
    for text in ('{"a": 1, "b": 2, "a": 3}', '[{"b": {"a": null, "a": null}}]', '{"a": 1, "\\u0061": 1}'):
        with pytest.raises(RepeatedKeyError, match="the key 'a' stands twice"):
            loads(text)
    assert loads('[{"a": 1}, {"a": 2}]') == [{"a": "1"}, {"a": "2"}]


def test_the_elements_after_one_with_a_repeated_key_are_read() -> None:
    found = list(iterate_array(io.StringIO('[{"a": 1}, {"a": "}", "b": [1], "a": 2}, {"a": 3}]')))
    assert [type(value) for value in found] == [dict, RepeatedKeyError, dict]
    assert found[2] == {"a": "3"}
