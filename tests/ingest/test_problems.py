"""Rows in the shapes of real sources become problems, tests and submissions; what is unfit is a bad row."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256

import pytest

from curation.errors import InputError
from curation.ingest.catalog import Source
from curation.ingest.problems import MappedRow, RowMapper
from curation.ingest.readers import BadRow, RawRow
from curation.json_reader import JsonNumber, JsonValue, loads

BASE = {
    "name": "own",
    "title": "A source for tests",
    "domain": "math",
    "group": "opensource_math",
    "licence": "MIT",
    "attribution": "its authors",
    "url": "https://example.org",
}


def mapper(**sections: object) -> RowMapper:
    """Return the mapper of a source with these sections."""
    return RowMapper(Source.model_validate({**BASE, **sections}))


def mapped(row: JsonValue, **sections: object) -> MappedRow:
    """Return what one good row becomes."""
    found = mapper(**sections).map_row(RawRow("a.jsonl:7", row), 7)
    assert isinstance(found, MappedRow), found
    return found


def refused(row: JsonValue, **sections: object) -> BadRow:
    """Return why one row becomes nothing."""
    found = mapper(**sections).map_row(RawRow("a.jsonl:7", row), 7)
    assert isinstance(found, BadRow), found
    return found


PLAIN: Mapping[str, object] = {"columns": {"statement": "q", "answer": "a"}}


def test_dapo_s_nested_prompt() -> None:
    prefix = "Solve it step by step. The last line is Answer: $Answer.\n\n"
    suffix = '\n\nRemember to put your answer on its own line after "Answer:".'
    row: JsonValue = {
        "prompt": [{"role": "user", "content": f"{prefix}Find $1+1$.{suffix}"}],
        "reward_model": {"ground_truth": "34", "style": "rule"},
        "extra_info": {"index": "9a9b6eb4-a1cb-49d1-8c1e-62eaf2f74079"},
    }
    found = mapped(
        row,
        columns={
            "statement": "prompt[-1].content",
            "answer": "reward_model.ground_truth",
            "source_id": "extra_info.index",
        },
        peel={"statement": {"prefixes": ["Something else", prefix], "suffixes": [suffix]}},
    )
    assert found.problem.statement == "Find $1+1$."
    assert found.problem.answer == "34"
    assert found.problem.answer_type == "integer"
    assert found.problem.problem_id == "own:9a9b6eb4-a1cb-49d1-8c1e-62eaf2f74079"
    assert found.problem.licence == "MIT"
    assert found.problem.attribution == "its authors"
    assert found.problem.tests is None


def test_open_reasoner_zero_s_pairs() -> None:
    row: JsonValue = [
        {"from": "human", "value": "Find it."},
        {"from": "assistant", "ground_truth": {"value": "\\frac{1}{2}", "pass_at_n": JsonNumber("0.5")}},
    ]
    found = mapped(row, columns={"statement": "[0].value", "answer": "[1].ground_truth.value"}).problem
    assert (found.statement, found.answer, found.source_id) == ("Find it.", "\\frac{1}{2}", "7")


def test_constants_maps_and_years() -> None:
    columns = {
        "statement": "q",
        "answer": "a",
        "contest": {"from": "c", "map": {"AIME_I": "aime"}},
        "year": "y",
        "licence": {"value": "CC-BY-4.0"},
        "url": "u",
    }
    found = mapped({"q": "Q", "a": "A", "c": "AIME_I", "y": JsonNumber("2011"), "u": None}, columns=columns).problem
    assert (found.contest, found.year, found.licence, found.url) == ("aime", 2011, "CC-BY-4.0", "https://example.org")
    other = mapped({"q": "Q", "a": "A", "c": "HMMT", "y": "2021_Fall", "u": "https://a"}, columns=columns).problem
    assert (other.contest, other.year, other.url) == ("hmmt", None, "https://a")


@pytest.mark.parametrize(
    "answer",
    ["7" * 5_000, "007", "1e5", "2025-01-01", "", r"\frac{1}{2}", "a\u2028b", "答案是七", "-0", " 7 ", "1,000", "½"],
)
def test_answers_are_text_from_the_first_byte_to_the_last(answer: str) -> None:
    for row in (loads(json.dumps({"q": "Q", "a": answer})), {"q": "Q", "a": JsonNumber(answer)}):
        found = mapped(row, **PLAIN).problem
        assert found.answer == answer
        assert type(found.answer) is str


def test_a_big_integer_of_json_is_an_answer() -> None:
    number = "1234567890" * 6
    assert mapped(loads(f'{{"q": "Q", "a": {number}}}'), **PLAIN).problem.answer == number


@pytest.mark.parametrize(("value", "text"), [(True, "true"), (["1", JsonNumber("2")], '["1",2]'), (None, None)])
def test_other_values_as_answers(value: JsonValue, text: str | None) -> None:
    assert mapped({"q": "Q", "a": value}, **PLAIN).problem.answer == text


def test_a_row_without_an_answer_stays_and_is_noticed() -> None:
    mapping = mapper(columns={"statement": "q", "answer": "a | last_boxed"})
    for text in ("no box", "neither", r"\boxed{1}"):
        assert isinstance(mapping.map_row(RawRow("a:1", {"q": "Q", "a": text}), 1), MappedRow)
    assert +mapping.notices == {"no answer (a | last_boxed: the text has no \\boxed)": 2}


def test_a_row_whose_answer_is_damaged_goes_to_the_ledger_with_the_reason() -> None:
    columns = {"statement": "q", "answer": "a | last_boxed"}
    found = refused({"q": "Q", "a": r"So \boxed{\frac{1}{2}."}, columns=columns)
    assert (found.rule, found.location) == ("unreadable_answer", "a.jsonl:7")
    assert "the last \\boxed is not closed" in found.reason


@pytest.mark.parametrize("statement", [None, "", "  \n", {"a": "b"}, ["a"]])
def test_a_row_without_a_statement(statement: JsonValue) -> None:
    found = refused({"q": statement, "a": "1"}, **PLAIN)
    assert (found.rule, found.location) == ("no_statement", "a.jsonl:7")


def test_a_statement_that_is_only_wrapper() -> None:
    peel = {"statement": {"prefixes": ["Solve: "]}}
    assert refused({"q": "Solve:  ", "a": "1"}, **PLAIN, peel=peel).rule == "no_statement"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("\x0crac{1}{2}", "a form feed before 'rac{'"),
        ("\x08eta", "a backspace before 'eta"),
        ("2 \times 3".replace("\\t", "\t"), "a tab before 'imes"),
        ("\text{cm}", "a tab before 'ext{'"),
        ("\right)", "a carriage return before 'ight"),
        ("a\x00b", "U+0000"),
        ("a\x1b[0m", "U+001B"),
    ],
)
def test_lost_backslashes_and_control_characters(text: str, what: str) -> None:
    for row in ({"q": f"Find ${text}$.", "a": "1"}, {"q": "Find it.", "a": text}):
        found = refused(row, **PLAIN)
        assert found.rule == "control_character"
        assert what in found.reason


@pytest.mark.parametrize(
    "text", ["a\tb", "a\r\nb", "a\n\tfraction", "\u2028", "a\x85b", "\ttext", "\ttimes", "\rright"]
)
def test_white_space_is_no_control_character(text: str) -> None:
    assert mapped({"q": f"Q {text}", "a": "1"}, **PLAIN).problem.statement == f"Q {text}"


@pytest.mark.parametrize(
    ("condition", "kept"),
    [
        ({"equals": "math"}, {"math"}),
        ({"one_of": ["math", "code"]}, {"math", "code"}),
        ({"not_equals": "math"}, {"code", None}),
        ({"none_of": ["math", "code"]}, {None}),
        ({"missing": True}, {None}),
    ],
)
def test_rows_that_the_source_marks(condition: dict[str, object], kept: set[str | None]) -> None:
    where = [{"column": "domain", "rule": "other_subject", "reason": "It is no mathematics.", **condition}]
    for domain in ("math", "code", None):
        found = mapper(**PLAIN, where=where).map_row(RawRow("a:1", {"q": "Q", "a": "1", "domain": domain}), 1)
        assert isinstance(found, MappedRow) == (domain in kept)
        if isinstance(found, BadRow):
            assert (found.rule, found.evidence) == ("other_subject", {"domain": domain})


def test_words_for_no_answer() -> None:
    unusable = [{"column": "answer", "values": ["proof", "notfound"], "rule": "proof", "reason": "It is a proof."}]
    assert refused({"q": "Q", "a": " proof\n"}, **PLAIN, unusable=unusable).rule == "proof"
    assert mapped({"q": "Q", "a": "proofs"}, **PLAIN, unusable=unusable).problem.answer == "proofs"


def test_a_column_that_no_row_has_is_an_error_of_the_input() -> None:
    mapping = mapper(**PLAIN)
    for number in range(3):
        mapping.map_row(RawRow("a:1", {"q": "Q", "other": "1"}), number)
    with pytest.raises(InputError, match=r"f\.jsonl: not one of 3 rows has what source 'own' takes its answer from"):
        mapping.check_columns("f.jsonl")
    mapping.map_row(RawRow("a:1", {"q": "Q", "a": None}), 4)
    mapping.check_columns("f.jsonl")


CODE: Mapping[str, object] = {
    "domain": "code",
    "group": "code",
    "columns": {"statement": "question", "time_limit": "time_limit", "memory_limit": "memory_limit"},
    "tests": {
        "inputs": "input_output | json | .inputs",
        "outputs": "input_output | json | .outputs",
        "function": "input_output | json | .fn_name",
        "wrapped_results": True,
    },
    "submissions": [{"code": "solutions | json", "language": {"value": "python3"}, "expected": "correct"}],
}


def taco(tests: object, solutions: object = "[]", **columns: object) -> JsonValue:
    """Return a row in the shape of TACO: JSON in strings."""
    text = tests if isinstance(tests, str) else json.dumps(tests)
    return loads(
        json.dumps({"question": "Q", "input_output": text, "solutions": solutions, "time_limit": None, **columns})
    )


def test_taco_s_streams_and_limits() -> None:
    row = taco(
        {"inputs": ["1 2\n", ["3", "4"]], "outputs": ["3\n", ["7", ""]]},
        json.dumps(["print(1)", "print('\f')"]),
        time_limit="2.0 seconds",
        memory_limit="256.0 megabytes",
    )
    found = mapped(row, **CODE)
    assert [(test.name, test.kind, test.input, test.output, test.function) for test in found.tests] == [
        ("001", "stdio", "1 2\n", "3\n", None),
        ("002", "stdio", "3\n4", "7\n", None),
    ]
    assert found.problem.tests == found.problem.problem_id == "own:7"
    assert (found.problem.time_limit_s, found.problem.memory_limit_mb) == (2.0, 256)
    assert [(one.submission_id, one.language, one.code, one.expected) for one in found.submissions] == [
        ("own:7/0001", "python3", "print(1)", "correct"),
        ("own:7/0002", "python3", "print('\f')", "correct"),
    ]


@pytest.mark.parametrize("empty", ["", "{}", '{"inputs": [], "outputs": []}', "null"])
def test_a_problem_without_tests_stays(empty: str) -> None:
    mapping = mapper(**CODE)
    found = mapping.map_row(RawRow("a:1", taco(empty, "")), 1)
    assert isinstance(found, MappedRow)
    assert (found.tests, found.submissions, found.problem.tests) == ([], [], None)
    assert mapping.notices["no tests"] == 1


def test_calls_keep_their_numbers_and_unwrap_their_results() -> None:
    big = "9" * 5_000
    text = f'{{"fn_name": "f", "inputs": [[[1, {big}], "a"], [[], "b"]], "outputs": [[1.50], [[2]]]}}'
    found = mapped(taco(text, json.dumps(["def f(a, b) -> int:\n    return 1"])), **CODE)
    assert [(test.kind, test.input, test.output, test.function) for test in found.tests] == [
        ("call", f'[[1,{big}],"a"]', "1.50", "f"),
        ("call", '[[],"b"]', "[2]", "f"),
    ]


SOLUTION = "class Solution:\n    def f(self, x):\n        {}"


@pytest.mark.parametrize(
    ("starter", "programs", "outputs", "expected", "told"),
    [
        # A signature tells how deep a result is.
        ("class Solution:\n    def f(self, x: int) -> int:\n        ", [], [[1], [2]], ["1", "2"], True),
        ("class Solution:\n    def f(self, x: List[int]) -> List[int]:\n", [], [[1], [2]], ["[1]", "[2]"], True),
        ("class Solution:\n    def f(self, x: List[int]) -> List[int]:\n", [], [[[1]], [[2]]], ["[1]", "[2]"], True),
        ("def f(x) -> List[List[int]]:", [], [[[1]], [[2]]], ["[[1]]", "[[2]]"], True),
        ("def f(x) -> 'Optional[str]':", [], [["a"], ["b"]], ['"a"', '"b"'], True),
        # So does what a solution returns.
        ("", ["def f(x):\n    return [x]"], [[1], [2]], ["[1]", "[2]"], True),
        ("", ["def f(x):\n    return [x]"], [[[1]], [[2, 3]]], ["[1]", "[2,3]"], True),
        ("", ["def f(x):\n    if x:\n        return 3\n    return len(x)"], [[1], [2]], ["1", "2"], True),
        ("", [SOLUTION.format("return x == 3")], [[True], [False]], ["true", "false"], True),
        ("", ["def f(x):\n    def g():\n        return [1]\n    return sum(g())"], [[1], [2]], ["1", "2"], True),
        ("", ["print 'Python 2'", "def f(x):\n    return x - 1"], [[1], [2]], ["1", "2"], True),
        # Nothing tells, or two programs disagree: the results stay.
        ("", [], [[1], [2]], ["[1]", "[2]"], False),
        ("", ["def f(x):\n    return g(x)"], [[1], [2]], ["[1]", "[2]"], False),
        ("", ["def f(x):\n    return [1]", "def f(x):\n    return 1"], [[1], [2]], ["[1]", "[2]"], False),
        ("", ["def g(x):\n    return 1"], [[1], [2]], ["[1]", "[2]"], False),
        ("", ["def f(x):\n    return " + "(" * 5_000], [[1], [2]], ["[1]", "[2]"], False),
    ],
)
def test_a_list_of_one_around_a_result_goes_where_a_program_shows_that_it_is_none_of_the_result(
    starter: str, programs: list[str], outputs: list[object], expected: list[str], told: bool
) -> None:
    tests = {"fn_name": "f", "inputs": [[1], [2]], "outputs": outputs}
    sections = {**CODE, "tests": {**CODE["tests"], "starter_code": "starter_code"}}
    mapping = mapper(**sections)
    row = taco(tests, json.dumps(programs), starter_code=starter)
    found = mapping.map_row(RawRow("a:1", row), 1)
    assert isinstance(found, MappedRow)
    assert [test.output for test in found.tests] == expected
    said = "results that may stand in a list of one, kept as they are because no program tells"
    assert mapping.notices[said] == (not told)


def test_results_that_are_not_all_wrapped_stay_as_they_are() -> None:
    found = mapped(taco({"fn_name": "f", "inputs": [[1], [2]], "outputs": [[1], [1, 2]]}), **CODE)
    assert [test.output for test in found.tests] == ["[1]", "[1,2]"]


def test_calls_in_lines_of_json() -> None:
    cases = [{"input": '[1, 2]\n"x"', "output": "3", "fn_name": "f"}, {"input": "[]\nnull", "output": '"a b"'}]
    tests = {"inputs": "tests | json | [*].input", "outputs": "tests | json | [*].output"}
    tests["function"] = "tests | json | [0].fn_name"
    base = {**CODE, "columns": {"statement": "q"}, "tests": tests}
    found = mapped({"q": "Q", "tests": json.dumps(cases)}, **base)
    assert [(test.input, test.output) for test in found.tests] == [('[[1,2],"x"]', "3"), ("[[],null]", '"a b"')]


@pytest.mark.parametrize(
    ("tests", "why"),
    [
        ("{broken", "no JSON"),
        ({"inputs": ["1"], "outputs": []}, "1 inputs and 0 outputs"),
        ({"inputs": ["1"]}, "inputs without outputs"),
        ({"inputs": [{"a": 1}], "outputs": ["1"]}, "neither text nor a list of lines"),
        ({"inputs": [["1", ["2"]]], "outputs": ["1"]}, "neither text nor a list of lines"),
        ({"inputs": [None], "outputs": ["1"]}, "neither text nor a list of lines"),
        ({"fn_name": "f", "inputs": ["x y"], "outputs": ["1"]}, "no JSON"),
        ({"fn_name": "f", "inputs": [{"x": 1}], "outputs": ["1"]}, "neither a list nor lines of JSON"),
    ],
)
def test_tests_that_cannot_be_read(tests: object, why: str) -> None:
    found = refused(taco(tests), **CODE)
    assert found.rule == "unreadable_tests"
    assert why in found.reason


def test_asserts_as_text_and_as_a_list() -> None:
    described = {"asserts": "tests.functional"}
    base = {**CODE, "columns": {"statement": "q"}, "tests": described, "submissions": []}
    text = "def check(candidate):\n    assert candidate(1) == 2\n\ncheck(Solution().f)"
    found = mapped({"q": "Q", "tests": {"functional": text}}, **base)
    assert [(test.kind, test.input, test.output) for test in found.tests] == [("assert", text, "")]
    assert len(mapped({"q": "Q", "tests": {"functional": ["assert f(1)", "assert f(2)"]}}, **base).tests) == 2


def test_submissions_with_languages_and_labels() -> None:
    submissions = [
        {"code": f"{kind}[*].code", "language": f"{kind}[*].language", "languages": {"cpp": "cpp17"}, "expected": kind}
        for kind in ("correct", "incorrect")
    ]
    row: JsonValue = {
        "q": "Q",
        "correct": [{"code": "a", "language": "cpp"}, {"code": "b", "language": "java"}],
        "incorrect": [{"code": "c", "language": None}],
    }
    found = mapped(row, **{**CODE, "columns": {"statement": "q"}, "tests": None, "submissions": submissions})
    assert [(one.language, one.code, one.expected) for one in found.submissions] == [
        ("cpp17", "a", "correct"),
        ("java", "b", "correct"),
        ("unknown", "c", "incorrect"),
    ]


def test_lists_of_code_and_language_in_parallel() -> None:
    submissions = [{"code": "s.solution", "language": "s.language", "languages": {"2": "cpp17"}}]
    base = {**CODE, "columns": {"statement": "q"}, "tests": None, "submissions": submissions}
    good: JsonValue = {"q": "Q", "s": {"solution": ["a", "b"], "language": [JsonNumber("2"), JsonNumber("3")]}}
    assert [one.language for one in mapped(good, **base).submissions] == ["cpp17", "3"]
    bad: JsonValue = {"q": "Q", "s": {"solution": ["a", "b"], "language": [JsonNumber("2")]}}
    assert refused(bad, **base).rule == "unreadable_tests"


@pytest.mark.parametrize(
    ("time", "memory", "expected"),
    [
        ("2.0 seconds", "256.0 megabytes", (2.0, 256)),
        (JsonNumber("1.5"), JsonNumber("256"), (1.5, 256)),
        ("500 ms", "268435456 bytes", (0.5, 256)),
        ("1 second", "1 GB", (1.0, 1024)),
        ("two seconds", "much", (None, None)),
        (None, None, (None, None)),
    ],
)
def test_limits(time: JsonValue, memory: JsonValue, expected: tuple[float | None, int | None]) -> None:
    row = {"question": "Q", "input_output": "", "solutions": "", "time_limit": time, "memory_limit": memory}
    found = mapped(row, **CODE).problem
    assert (found.time_limit_s, found.memory_limit_mb) == expected


def test_a_renamed_row_takes_its_tests_and_submissions_along() -> None:
    found = mapped(taco({"inputs": ["1"], "outputs": ["1"]}, '["print(1)"]'), **CODE).renamed("own:7#2")
    assert found.problem.tests == found.problem.problem_id == found.tests[0].problem_id == "own:7#2"
    assert found.submissions[0].submission_id == "own:7#2/0001"
    assert found.problem.source_id == "7"


@pytest.mark.parametrize(
    ("row", "checker"),
    [
        ({}, None),
        ({"flags": "tokens case_sensitive"}, "tokens case_sensitive"),
        ({"special": True}, "unknown"),
        ({"special": "yes"}, "unknown"),
        ({"special": False}, None),
        ({"special": True, "flags": "tokens"}, "tokens"),
        ({"cpp": " ", "special": True}, "unknown"),
        ({"cpp": "int", "special": True, "flags": "tokens"}, "testlib:" + sha256(b"int").hexdigest()),
        ({"files": {"a.py": "1"}, "flags": "x y"}, "validator:" + sha256(b'{"a.py":"1"}').hexdigest() + " x y"),
        ({"cpp": "int", "py": "print"}, "testlib:" + sha256(b"int").hexdigest()),
    ],
)
def test_the_checker_of_a_row(row: dict[str, JsonValue], checker: str | None) -> None:
    sections = {
        "domain": "code",
        "group": "code",
        "columns": {"statement": "q", "checker": "flags"},
        "checker": {"testlib": "cpp", "python": "py", "validator": "files", "special": "special"},
    }
    found = mapped({"q": "Add them.", **row}, **sections)
    assert found.problem.checker == checker
    assert (found.checker is None) == (checker is None or ":" not in checker)


def test_a_checker_that_is_no_text_is_refused() -> None:
    sections = {"columns": {"statement": "q"}, "checker": {"python": "py"}}
    assert refused({"q": "Add.", "py": ["print"]}, **sections).rule == "unreadable_tests"


def test_two_tests_of_one_name_are_refused() -> None:
    tests = {"names": "names", "inputs": "i", "outputs": "o"}
    row: JsonValue = {"q": "Add.", "names": ["a", "a"], "i": ["1", "2"], "o": ["1", "2"]}
    assert refused(row, columns={"statement": "q"}, tests=tests).rule == "unreadable_tests"


@pytest.mark.parametrize("files", ["tests.parquet", "of_{contest", "of_{contest:4}", "of_{}.parquet"])
def test_files_beside_need_a_column_in_braces(files: str) -> None:
    beside = {"files": files, "key": "k", "of": "id", "into": "more"}
    with pytest.raises(ValueError, match="in braces"):
        mapper(columns={"statement": "q"}, location={"hub": "a/b", "beside": beside})
