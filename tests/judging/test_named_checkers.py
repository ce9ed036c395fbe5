"""Checkers by name: bundled, of the source in C++ and Python, of a package; what is no checker is the judge's error."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from curation.errors import InputError
from curation.judging import Limits, ResponseJudge, judge
from curation.judging.bench import Bench
from curation.judging.judge import judge_program, single_file
from curation.judging.named_checkers import NamedCheckers
from curation.judging.verdicts import Judgement
from curation.recipe import JudgeSection
from curation.records import CheckerSource, TestCase

TESTS = [TestCase("p", "t", "stdio", "6\n", "2 3\n")]
LIMITS = Limits(cpu_s=5, memory_mb=256)

FACTORS = CheckerSource.of(
    "testlib",
    """
#include "testlib.h"
int main(int argc, char* argv[]) {
    registerTestlibCmd(argc, argv);
    int product = inf.readInt();
    int one = ouf.readInt(), other = ouf.readInt();
    if (one == 6) quitf(_fail, "the checker does not know six");
    if (one * other != product) quitf(_wa, "%d * %d is not %d", one, other, product);
    quitf(_ok, "right");
}
""",
)
FACTORS_IN_PYTHON = CheckerSource.of(
    "python",
    """
import sys
product = int(open(sys.argv[1]).read())
assert open(sys.argv[2]).read() == "2 3\\n"
one, other = map(int, open(sys.argv[3]).read().split())
if one == 6:
    print("maybe")
else:
    print(1 if one * other == product else 0)
""",
)
VALIDATOR = CheckerSource.of(
    "validator",
    json.dumps(
        {
            "validate.py": "import sys, product\nout = list(map(int, sys.stdin.read().split()))\n"
            "sys.exit(42 if product.of(out) == int(open(sys.argv[1]).read()) and sys.argv[4] == 'strict' else 43)\n",
            "product.py": "def of(pair): return pair[0] * pair[1]\n",
        }
    ),
)
SOURCES = {source.sha256: source for source in (FACTORS, FACTORS_IN_PYTHON, VALIDATOR)}


@pytest.fixture(scope="module")
def bench(judge_store: Path) -> Iterator[Bench]:
    """One bench for the file."""
    with Bench(judge_store, workers=1) as made:
        yield made


@pytest.fixture(scope="module")
def named(bench: Bench) -> NamedCheckers:
    """The checkers of the table above."""
    return NamedCheckers(bench, SOURCES)


def judged(bench: Bench, named: NamedCheckers, checker: str | None, output: str) -> Judgement:
    program = single_file("s", "python3", f"print({output!r})")
    return next(
        bench.map(
            lambda one: judge_program(bench, one, TESTS, LIMITS, named.find(checker)),
            [program],
        )
    )


@pytest.mark.parametrize(
    ("checker", "output", "verdict"),
    [
        (None, "2 3", "AC"),
        (None, "3 2", "WA"),
        ("tokens float_tolerance 1e-3", "2.0 3.0001", "AC"),
        ("float_tolerance 1e-3", "2.0 3.1", "WA"),
        ("checkers:unordered_tokens", "3 2", "AC"),
        ("checkers:unordered_tokens", "3 3", "WA"),
        (f"testlib:{FACTORS.sha256}", "1 6", "AC"),
        (f"testlib:{FACTORS.sha256}", "2 2", "WA"),
        (f"testlib:{FACTORS.sha256}", "2 x", "PE"),
        (f"testlib:{FACTORS.sha256}", "6 1", "JE"),
        (f"python:{FACTORS_IN_PYTHON.sha256}", "1 6", "AC"),
        (f"python:{FACTORS_IN_PYTHON.sha256}", "2 2", "WA"),
        (f"python:{FACTORS_IN_PYTHON.sha256}", "6 1", "JE"),
        (f"python:{FACTORS_IN_PYTHON.sha256}", "six", "JE"),
        (f"validator:{VALIDATOR.sha256} strict", "1 6", "AC"),
        (f"validator:{VALIDATOR.sha256} lax", "1 6", "WA"),
    ],
)
def test_each_kind_decides(bench: Bench, named: NamedCheckers, checker: str | None, output: str, verdict: str) -> None:
    assert judged(bench, named, checker, output).verdict == verdict


@pytest.mark.parametrize(
    ("checker", "why"),
    [
        ("unknown", "no checker says which"),
        (f"testlib:{'0' * 64}", "not in the table"),
        (f"python:{FACTORS.sha256}", "not in the table"),
    ],
)
def test_a_checker_that_is_not_there_is_the_judges_error(
    bench: Bench, named: NamedCheckers, checker: str, why: str
) -> None:
    found = judged(bench, named, checker, "2 3")
    assert found.verdict == "JE"
    assert why in found.message


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (CheckerSource.of("testlib", "int main( {"), "cannot be used"),
        (CheckerSource.of("python", "print 1"), "Python 2"),
        (CheckerSource.of("validator", "[]"), "no JSON object"),
        (CheckerSource.of("validator", '{"../x.py": "1"}'), "outside"),
    ],
)
def test_a_checker_that_cannot_be_made_is_the_judges_error(bench: Bench, source: CheckerSource, why: str) -> None:
    named = NamedCheckers(bench, {source.sha256: source})
    found = judged(bench, named, f"{source.kind}:{source.sha256}", "2 3")
    assert found.verdict == "JE"
    assert why in found.message


@pytest.mark.parametrize(
    "name", ["testlib:/etc/passwd", "python:checker.py", "checkers:no_such", "isolate:x", "wcmp x"]
)
def test_a_row_names_no_file_and_no_checker_that_is_not_there(bench: Bench, named: NamedCheckers, name: str) -> None:
    with pytest.raises(InputError):
        judged(bench, named, name, "2 3")


def test_a_python_checker_runs_in_the_sandbox_only(bench: Bench, tmp_path: Path) -> None:
    target = tmp_path / "made"
    source = CheckerSource.of("python", f"open({str(target)!r}, 'w').write('x')\nprint(1)\n")
    named = NamedCheckers(bench, {source.sha256: source})
    assert judged(bench, named, f"python:{source.sha256}", "2 3").verdict == "JE"
    assert not target.exists()


def test_a_user_names_a_file(tmp_path: Path) -> None:
    path = tmp_path / "factors.cpp"
    path.write_text(FACTORS.source)
    assert judge(TESTS, "print(1, 6)", "python3", LIMITS, f"testlib:{path}").verdict == "AC"
    with pytest.raises(InputError, match="cannot be read"):
        judge(TESTS, "print(1, 6)", "python3", LIMITS, f"testlib:{path}x")


def test_responses_are_graded_by_the_checker_of_the_source() -> None:
    problem = {"checker": f"python:{FACTORS_IN_PYTHON.sha256}", "time_limit_s": None, "memory_limit_mb": None}
    with ResponseJudge(None, JudgeSection(), SOURCES) as judge_of_responses:
        assert judge_of_responses.grade(problem, TESTS, "```python\nprint(1, 6)\n```")[0] == "right"
        assert judge_of_responses.grade(problem, TESTS, "```python\nprint(1, 1)\n```")[0] == "wrong"
        assert judge_of_responses.grade(problem, TESTS, "```python\nprint('six')\n```")[0] == "unknown"
        missing = {**problem, "checker": "unknown"}
        assert judge_of_responses.grade(missing, TESTS, "```python\nprint(2, 3)\n```")[0] == "unknown"
