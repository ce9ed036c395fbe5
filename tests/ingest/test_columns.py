"""The path language: what finds what, what is missing and why, what is no expression."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.ingest.columns import ExpressionError, Extracted, parse
from curation.ingest.operations import MissingError, last_boxed
from curation.json_reader import JsonNumber, JsonValue, dumps

ROW: JsonValue = {
    "prompt": [{"role": "system", "content": "s"}, {"role": "user", "content": "What is $1+1$?"}],
    "reward_model": {"ground_truth": JsonNumber("12345678901234567890123456789012345678901234567890123456789")},
    "Short Answer": "12",
    "input_output": '{"inputs": ["1\\n"], "outputs": ["2\\n"], "big": 123456789012345678901234567890}',
    "tests": [{"input": "1", "output": "2"}, {"input": "3", "output": None}],
    "solution": r"First $\boxed{3}$, so $\boxed{\frac{1}{2}}$.",
    "answer": None,
    "prose": "It is 4.\n#### 42",
    "empty": "",
    "when": "AMC 2011-2012",
    "code": "Try\n```python\na\n```\nor\n```python\nprint(1)\n```\n",
}


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("prompt[-1].content", "What is $1+1$?"),
        ("prompt[0].role | lower", "system"),
        ("reward_model.ground_truth", "12345678901234567890123456789012345678901234567890123456789"),
        ("'Short Answer'", "12"),
        ('"Short Answer"', "12"),
        ("input_output | json | .inputs", ["1\n"]),
        ("input_output | json | .inputs[0] | strip", "1"),
        ("input_output | json | .big", "123456789012345678901234567890"),
        ("tests[*].input", ["1", "3"]),
        ("tests[*].output", ["2", None]),
        ("tests[*].input | join('-')", "1-3"),
        ("answer // solution | last_boxed", r"\frac{1}{2}"),
        ("nothing // 'Short Answer' // solution", "12"),
        ("prose | after('####')", "42"),
        ("prose | before('####')", "It is 4."),
        ("empty // prose", ""),
        ("when | year", "2011"),
        ("code | code_block", "print(1)\n"),
        ("prose | code_block", "It is 4.\n#### 42"),
        ("  prompt [ -1 ] . content  ", "What is $1+1$?"),
    ],
)
def test_finds(expression: str, value: JsonValue) -> None:
    assert parse(expression).extract(ROW) == Extracted(value)


def test_a_row_can_be_a_list() -> None:
    row: JsonValue = [{"from": "human", "value": "Q"}, {"ground_truth": {"value": JsonNumber("007")}}]
    assert parse("[0].value").extract(row).value == "Q"
    assert parse("[1].ground_truth.value").extract(row).value == "007"


def test_a_number_stays_a_number() -> None:
    found = parse("reward_model").extract(ROW).value
    assert dumps(found) == '{"ground_truth":12345678901234567890123456789012345678901234567890123456789}'


@pytest.mark.parametrize(
    ("expression", "state", "why"),
    [
        ("nothing", "absent", "the key 'nothing' is missing"),
        ("prompt[2].content", "absent", "no element [2]"),
        ("prompt[-3]", "absent", "no element [-3]"),
        ("prose.content", "absent", "no object that could have a key 'content'"),
        ("reward_model[0]", "absent", "no list that could have an element [0]"),
        ("prose[*]", "absent", "no list whose elements"),
        ("answer", "null", "it is null"),
        ("nothing // answer", "null", "'nothing' is missing, and it is null"),
        ("empty | json", "null", "the JSON text is empty"),
        ("prose | json", "unreadable", "the text is no JSON"),
        ("prose | last_boxed", "null", "no \\boxed"),
        ("prose | after('Answer:')", "null", "no 'Answer:'"),
        ("reward_model | strip", "unreadable", "an object stands where text is expected"),
        ("answer | strip", "null", "it is null"),
        ("prose | year", "null", "no year"),
    ],
)
def test_says_why_there_is_nothing(expression: str, state: str, why: str) -> None:
    found = parse(expression).extract(ROW)
    assert found.value is None
    assert found.state == state
    assert found.why.startswith(expression)
    assert why in found.why


@pytest.mark.parametrize(
    "expression",
    [
        "",
        " ",
        "a..b",
        ".a",
        "a |",
        "| json",
        "a | nothing",
        "a | after",
        "a | after(x)",
        "a | json('x')",
        "a | join('x'",
        "a[x]",
        "a[1",
        "a b",
        "a //",
        "// a",
        "'a",
        "a | strip // ",
        "a + b",
        "a[*]]",
        "a.b.",
        "a('x')",
    ],
)
def test_refuses_what_is_no_expression(expression: str) -> None:
    with pytest.raises(ExpressionError, match="cannot be read") as error:
        parse(expression)
    assert repr(expression) in str(error.value)


def test_knows_the_keys_it_needs() -> None:
    assert parse("a.b // c[0] | json | .d").keys() == {"a", "c"}
    assert parse(". | paragraphs('title, body') // a").keys() == {"title", "body", "a"}
    assert parse("a // [0].b").keys() is None


_WORDS = st.text(st.characters(codec="utf-8", exclude_characters="'"), min_size=1, max_size=8)
_STEPS = st.lists(_WORDS | st.integers(-3, 3), min_size=1, max_size=6)


@given(_STEPS, st.text())
def test_finds_what_was_put_anywhere(steps: list[str | int], leaf: str) -> None:
    row: JsonValue = leaf
    for step in reversed(steps):
        if isinstance(step, str):
            row = {"other": None, step: row}
        else:
            row = [None] * step + [row] if step >= 0 else [row] + [None] * (-step - 1)
    parts = [f"'{step}'" if isinstance(step, str) else f"[{step}]" for step in steps]
    expression = parts[0] + "".join(part if part.startswith("[") else f".{part}" for part in parts[1:])
    assert parse(expression).extract(row) == Extracted(leaf)
    longer = parse(f"{expression}.'no such key' // {expression} | strip")
    assert longer.extract(row) == Extracted(leaf.strip())


@given(st.text(alphabet="abz.[]*|/'\"()-0129 ,\\é", max_size=20))
def test_any_text_is_an_expression_or_an_expression_error(text: str) -> None:
    try:
        parsed = parse(text)
    except ExpressionError:
        return
    parsed.extract(ROW)


_BALANCED = st.recursive(
    st.text(alphabet=r"12x+ ^_\frac", min_size=1, max_size=5).filter(lambda text: not text.endswith("\\")),
    lambda inner: st.lists(inner.map(lambda text: "{" + text + "}") | st.just(r"\{1\}") | inner, max_size=3).map(
        "".join
    ),
    max_leaves=8,
).filter(lambda text: bool(text.strip()) and "boxed" not in text)
_PROSE = st.text(max_size=20).filter(lambda text: "box" not in text)


@given(_PROSE, _BALANCED, _BALANCED, _PROSE)
def test_last_boxed_gives_back_what_was_boxed_last(before: str, first: str, last: str, after: str) -> None:
    solution = f"{before} \\boxed{{{first}}} gives \\boxed{{{last}}}{after}"
    assert last_boxed(solution) == last.strip()


@pytest.mark.parametrize(
    ("solution", "value"),
    [
        (r"\boxed{\sqrt{\frac{a}{b}}}", r"\sqrt{\frac{a}{b}}"),
        (r"\boxed{\left\{1,2\right\}}", r"\left\{1,2\right\}"),
        (r"\boxed{\{1, \}}", r"\{1, \}"),
        (r"\fbox{12}", "12"),
        (r"\framebox{12}", "12"),
        (r"$\boxed 5$.", "5"),
        (r"\boxed 12, which", "12"),
        (r"$\boxed{2}$ and $\boxed{2}$", "2"),
        (r"First $\boxed{1}$, so the total is $\boxed{2}$", "2"),
        (r"\boxed{1, \boxed{2}", "2"),
        (r"\boxed{\boxed{2}}", r"2"),
        ("\\boxed\n{7}", "7"),
        (r"\boxed{1} then \boxedly{2}", "1"),
        (r"\boxed{007}", "007"),
        (r"\boxed{\text{甲}}", r"\text{甲}"),
        (r"\boxed{" + "9" * 5000 + "}", "9" * 5000),
    ],
)
def test_last_boxed(solution: str, value: str) -> None:
    assert last_boxed(solution) == value


@pytest.mark.parametrize(
    ("solution", "why"),
    [
        ("", "no \\boxed"),
        (r"\boxes{1}", "no \\boxed"),
        (r"\boxed{}", "empty"),
        (r"\boxed{ }", "empty"),
        (r"\boxed", "empty"),
        (r"\boxed{1} and \boxed{2", "not closed"),
        (r"$x=\boxed{1}$ or $x=\boxed{2}$", "one of several"),
        (r"\(a=\boxed{1},\ b_1=\boxed{7}\)", "one of several"),
        (r"$\boxed{3}\text{ and }\boxed{4}$", "one of several"),
        (r"(1) $\boxed{1}$; (2) $\boxed{2}$", "one of several"),
        ("答案为$\\boxed{1}$和$\\boxed{2}$", "one of several"),
        (r"\boxed{{2}", "not closed"),
    ],
)
def test_a_broken_last_box_is_never_replaced_by_an_earlier_one(solution: str, why: str) -> None:
    with pytest.raises(MissingError, match=why.replace("\\", "\\\\")):
        last_boxed(solution)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (". | paragraphs('title, Input: how, Examples: pairs, Note: note')", "Sum\n\nInput\n\nTwo.\n\nExamples\n\n"),
        ("limit | duration", "2.500000000 s"),
        ("bytes | unit('bytes')", "256 bytes"),
        ("repr | python | .a[1]", "2"),
        ("nothing | duration", None),
        ("nothing | unit('ms')", None),
        ("empty | python", None),
        ("empty | unpacked", None),
    ],
)
def test_what_code_sources_need(expression: str, expected: str | None) -> None:
    row: JsonValue = {
        "title": "Sum",
        "how": "Two.",
        "pairs": [{"input": "1 2\n", "output": "3"}, {"input": None, "output": "4"}],
        "note": " ",
        "limit": {"seconds": JsonNumber("2"), "nanos": JsonNumber("500000000")},
        "bytes": JsonNumber("256"),
        "repr": "{'a': (1, 2)}",
        "nothing": None,
        "empty": "",
    }
    if expected is not None and expected.endswith("\n\n"):
        expected += "Input:\n1 2\nOutput:\n3"
    found = parse(expression)
    assert found.extract(row).value == expected
    assert found.keys() in ({"title", "how", "pairs", "note"}, {expression.split()[0]})
