"""Grades of model responses to code problems."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from curation import records
from curation.judging import ResponseJudge, grade_response
from curation.judging.grading import last_code_block
from curation.recipe import JudgeSection

PROBLEM: dict[str, object] = {
    "problem_id": "p",
    "domain": "code",
    "time_limit_s": None,
    "memory_limit_mb": None,
    "checker": None,
}
TESTS = [records.TestCase("p", "t0", "stdio", "1 2\n", "3\n"), records.TestCase("p", "t1", "stdio", "5 6\n", "11\n")]
SUM = "print(sum(map(int, input().split())))"
SUM_CPP = "#include <iostream>\nint main() { int a, b; std::cin >> a >> b; std::cout << a + b; }"


@pytest.fixture(scope="module")
def judge() -> Iterator[ResponseJudge]:
    """One judge for the file."""
    with ResponseJudge(None, JudgeSection(time_limit_s=1)) as made:
        yield made


def fenced(code: str, hint: str = "python") -> str:
    return f"Some thoughts.\n\n```{hint}\n{code}\n```\n\nDone."


@pytest.mark.parametrize(
    ("text", "grade", "why"),
    [
        (fenced(SUM), "right", "AC"),
        (fenced(SUM, ""), "right", "AC"),
        (fenced(SUM_CPP, "cpp"), "right", "AC"),
        (fenced(SUM_CPP, ""), "right", "AC"),
        (fenced("print(0)") + fenced(SUM), "right", "AC"),
        (fenced(SUM) + fenced("print(0)"), "wrong", "WA: test t0: token 1 is '0', not '3'"),
        (fenced("import nothing_like_it"), "wrong", "RTE"),
        (fenced("print("), "wrong", "CE"),
        (fenced("while True: pass"), "wrong", "TLE"),
        ("The answer is 42.", "wrong", "no code block"),
        ("```python\n```", "wrong", "no code block"),
        ("", "wrong", "no code block"),
        (fenced("fn main() {}", "rust"), "unknown", "JE"),
        (fenced("print raw_input()"), "unknown", "JE: the code is Python 2"),
    ],
)
def test_the_last_code_block_decides(judge: ResponseJudge, text: str, grade: str, why: str) -> None:
    found = judge.grade(PROBLEM, TESTS, text)
    assert found[0] == grade
    assert why in found[1]


def test_what_the_judge_cannot_know_is_unknown(judge: ResponseJudge) -> None:
    assert judge.grade(PROBLEM, [], fenced(SUM)) == ("unknown", "JE: there are no tests")
    assert judge.grade({**PROBLEM, "checker": "int main() {}"}, TESTS, fenced(SUM))[0] == "unknown"
    broken = [records.TestCase("p", "t0", "call", "[1]", "no json", "f")]
    assert judge.grade(PROBLEM, broken, fenced("def f(x): return x"))[0] == "unknown"


def test_the_problems_own_limits_and_checker_hold(judge: ResponseJudge) -> None:
    slow = fenced("import time\nwhile time.process_time() < 0.8: pass\n" + SUM)
    assert judge.grade({**PROBLEM, "time_limit_s": 2.0}, TESTS, slow)[0] == "right"
    assert judge.grade({**PROBLEM, "time_limit_s": 0.1}, TESTS, slow)[0] == "wrong"
    close = fenced("print(sum(map(int, input().split())) + 1e-8)")
    assert judge.grade({**PROBLEM, "checker": "float_tolerance 1e-6"}, TESTS, close)[0] == "right"
    assert judge.grade(PROBLEM, TESTS, close)[0] == "wrong"


def test_many_are_graded_in_order(judge: ResponseJudge) -> None:
    texts = [fenced(SUM if number % 3 else "print(0)") for number in range(12)]
    grades = [grade for grade, _ in judge.grade_each((PROBLEM, TESTS, text) for text in texts)]
    assert grades == ["right" if number % 3 else "wrong" for number in range(12)]


def test_a_frame_of_tests_does_as_well_and_results_are_kept(tmp_path: Path) -> None:
    frame = records.to_frame(TESTS, records.TEST_SCHEMA)
    assert grade_response(PROBLEM, frame, fenced(SUM), tmp_path, JudgeSection()) == ("right", "AC")
    assert list(tmp_path.rglob("*.jsonl"))


@pytest.mark.parametrize(
    ("text", "block"),
    [
        ("```py\na\n```", ("py", "a\n")),
        ("~~~\na\n~~~", ("", "a\n")),
        ("````python\n```\na\n```\n````", ("python", "```\na\n```\n")),
        ("  ```python\n  a\n  ```", ("python", "  a\n")),
        ("```python\na\n```\n```\nb\n```", ("", "b\n")),
        ("```python\na", ("python", "a")),
        ("```python\na\n```\ntext ``` inline", ("python", "a\n")),
        ("```cpp title=x\na\n```", ("cpp", "a\n")),
        ("```python\r\na\r\n```\r\n", ("python", "a\r\n")),
        ("no code", None),
        ("`a`", None),
    ],
)
def test_code_blocks_are_found(text: str, block: tuple[str, str] | None) -> None:
    assert last_code_block(text) == block
