"""Problem packages: both versions of the layout, own validators, groups and points."""

from __future__ import annotations

from pathlib import Path

import pytest

from curation.errors import InputError
from curation.judging import judge_package
from curation.judging.package import read_package

SUM = "print(sum(map(int, input().split())))\n"
WRONG = "print(0)\n"
HALF = "a, b = map(int, input().split())\nprint(a + b if a < 10 else 0)\n"
CPP_VALIDATOR = """
#include "helper.h"
int main(int argc, char** argv) {
    std::ifstream in(argv[1]), ans(argv[2]);
    std::ofstream message(std::string(argv[3]) + "/judgemessage.txt");
    long long a, b, x, y;
    in >> a >> b;
    bool swap = argc > 4 && std::string(argv[4]) == "swapped";
    if (!(std::cin >> x >> y)) { message << "two integers are expected"; return rejected; }
    if (swap) std::swap(x, y);
    if (x + y != a + b || x > y) { message << "not a pair: " << x << " " << y; return rejected; }
    return accepted;
}
"""
HELPER = "#include <fstream>\n#include <iostream>\n#include <string>\nconst int accepted = 42, rejected = 43;\n"
PYTHON_VALIDATOR = """
import sys
given = open(sys.argv[1]).read().split()
assert open(sys.argv[2]).read()
tokens = sys.stdin.read().split()
try:
    right = len(tokens) == 2 and sum(map(int, tokens)) == sum(map(int, given))
except ValueError:
    right = False
sys.exit(42 if right else 43)
"""


class Draft:
    """A package that is being written."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, name: str, content: str | bytes) -> Path:
        place = self.path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content.encode() if isinstance(content, str) else content)
        return place

    def tests(self, **pairs: tuple[str, str]) -> Draft:
        for name, (given, answer) in pairs.items():
            self.write(f"data/{name.replace('__', '/')}.in", given)
            self.write(f"data/{name.replace('__', '/')}.ans", answer)
        return self


@pytest.fixture
def draft(tmp_path: Path) -> Draft:
    """A package for sums with one sample and three secret tests in nested groups."""
    made = Draft(tmp_path / "sums")
    made.write("problem.yaml", "name: Sums\nlimits:\n    time_limit: 2\n")
    return made.tests(
        sample__1=("1 2\n", "3\n"),
        secret__01=("5 6\n", "11\n"),
        secret__large__a=("10 20\n", "30\n"),
        secret__large__deep__b=("11 22\n", "33\n"),
    )


def verdicts(draft: Draft, *submissions: Path) -> list[tuple[str, float, list[tuple[str, str]]]]:
    judged = judge_package(draft.path, submissions, store=draft.path.parent / "store")
    return [(item.verdict, item.score, [(test.name, test.verdict) for test in item.tests]) for item in judged]


def test_samples_come_first_and_groups_nest(draft: Draft) -> None:
    names = ["sample/1", "secret/01", "secret/large/a", "secret/large/deep/b"]
    right, half = draft.write("submissions/accepted/sum.py", SUM), draft.write("submissions/wrong_answer/half.py", HALF)
    assert verdicts(draft, right) == [("AC", 1.0, [(name, "AC") for name in names])]
    assert verdicts(draft, half) == [("WA", 0.5, list(zip(names, ["AC", "AC", "WA", "WA"], strict=True)))]
    assert [item[0] for item in verdicts(draft)] == ["AC", "WA"]


def test_programs_of_several_files_are_one_submission(draft: Draft) -> None:
    draft.write("submissions/accepted/two/main.py", "from part import total\nprint(total(input()))\n")
    draft.write("submissions/accepted/two/part.py", "def total(line): return sum(map(int, line.split()))\n")
    draft.write("submissions/accepted/cpp/one.cpp", '#include "part.h"\nint main() { std::cout << total(); }\n')
    draft.write(
        "submissions/accepted/cpp/other.cpp",
        '#include "part.h"\nint total() { int a, b; std::cin >> a >> b; return a + b; }\n',
    )
    draft.write("submissions/accepted/cpp/part.h", "#include <iostream>\nint total();\n")
    assert [item[0] for item in verdicts(draft)] == ["AC", "AC"]


@pytest.mark.parametrize(
    ("directory", "flag"), [("output_validators/pair", "validator_flags: swapped"), ("output_validator", "")]
)
def test_a_validator_in_cpp_judges(draft: Draft, directory: str, flag: str) -> None:
    draft.write("problem.yaml", f"name: Sums\nvalidation: custom\nlimits:\n    time_limit: 2\n{flag}\n")
    draft.write(f"{directory}/validate.cpp", CPP_VALIDATOR)
    draft.write(f"{directory}/helper.h", HELPER)
    one = draft.write(
        "one.py",
        "a, b = map(int, input().split())\nprint(*((b + 1, a - 1) if SWAP else (a - 1, b + 1)))\n".replace(
            "SWAP", str(bool(flag))
        ),
    )
    other = draft.write("other.py", "print('no pair')\n")
    judged = judge_package(draft.path, [one, other])
    assert [item.verdict for item in judged] == ["AC", "WA"]
    assert judged[1].tests[0].message == "two integers are expected"


def test_a_validator_in_python_judges_with_the_flags_of_its_group(draft: Draft) -> None:
    draft.write("problem.yaml", "name: Sums\nlimits:\n    time_limit: 2\n")
    draft.write("output_validators/check.py", PYTHON_VALIDATOR + "\n")
    one = draft.write("one.py", "print(*input().split())\n")
    other = draft.write("other.py", "print('x')\n")
    assert [item[0] for item in verdicts(draft, one, other)] == ["AC", "WA"]
    draft.write("output_validators/check.py", "import sys\nsys.exit(42 if sys.argv[4:] == ['deep'] else 43)\n")
    draft.write("data/secret/large/deep/testdata.yaml", "output_validator_flags: deep\n")
    assert verdicts(draft, one)[0][2][1:] == [
        ("secret/01", "WA"),
        ("secret/large/a", "WA"),
        ("secret/large/deep/b", "AC"),
    ]


@pytest.mark.parametrize(
    ("validator", "message"),
    [
        ("raise SystemExit(0)", "ended with 0"),
        ("raise ValueError", "ended with 1"),
        ("import os; os.abort()", "ended with -6"),
        ("def broken(", "cannot be used"),
        ("while True: print('x' * 100000)", "output limit"),
    ],
    ids=["zero", "raises", "aborts", "syntax", "flood"],
)
def test_a_validator_that_fails_is_the_judges_error(draft: Draft, validator: str, message: str) -> None:
    draft.write("output_validators/check.py", validator + "\n")
    program = draft.write("sum.py", SUM)
    (judged,) = judge_package(draft.path, [program])
    assert judged.verdict == "JE"
    assert message in (judged.message or judged.tests[0].message)


def test_a_validator_cannot_be_tampered_with_by_the_submission(draft: Draft) -> None:
    draft.write("output_validators/check.py", PYTHON_VALIDATOR)
    code = """
import os
os.makedirs("feedback")
for name in ("test.in", "test.ans", "check.py", "feedback/judgemessage.txt"):
    with open(name, "w") as file:
        file.write("raise SystemExit(42)")
print("wrong")
"""
    assert verdicts(draft, draft.write("tamper.py", code))[0][0] == "WA"


def test_flags_of_the_default_validator_add_up_along_the_groups(draft: Draft) -> None:
    draft.tests(secret__01=("5 6\n", "11.0\n"))
    program = draft.write("sum.py", "print(sum(map(int, input().split())) + 0.0000001)\n")
    assert verdicts(draft, program)[0][2][1][1] == "WA"
    draft.write("data/test_group.yaml", 'output_validator_args: [float_tolerance, "1E-6"]\n')
    assert verdicts(draft, program)[0][0] == "AC"
    draft.write("data/test_group.yaml", "output_validator_args: [float_tolerance]\n")
    with pytest.raises(InputError, match="needs a number"):
        verdicts(draft, program)


def test_points_are_earned_by_groups(draft: Draft) -> None:
    draft.write("problem.yaml", "name: Sums: Part 2\ntype: scoring\nlimits: {time_limit: 2}\n")
    draft.write("data/testdata.yaml", "grader_flags: ignore_sample\nrange: 0 40\n")
    draft.write("data/secret/testdata.yaml", "accept_score: 10\n")
    draft.write("data/secret/large/testdata.yaml", "accept_score: 15\ngrader_flags: min\n")
    right, half, none = (draft.write(f"{code[6:9]}.py", code) for code in (SUM, HALF, WRONG))
    judged = verdicts(draft, right, half, none)
    assert [(verdict, score) for verdict, score, _ in judged] == [("AC", 1.0), ("PARTIAL", 0.4), ("WA", 0.0)]


def test_what_follows_a_rejection_counts_where_the_group_says_so(draft: Draft) -> None:
    draft.write("problem.yaml", "name: Sums\ntype: scoring\nlimits: {time_limit: 2}\n")
    draft.write("data/testdata.yaml", "on_reject: continue\ngrader_flags: ignore_sample\n")
    late = draft.write("late.py", "a, b = map(int, input().split())\nprint(a + b if a != 5 else 0)\n")
    assert verdicts(draft, late)[0][:2] == ("PARTIAL", pytest.approx(2 / 3))
    draft.write("data/secret/testdata.yaml", "on_reject: break\n")
    assert verdicts(draft, late)[0][:2] == ("WA", 0.0)


def test_a_language_that_cannot_be_run_is_the_judges_error(draft: Draft) -> None:
    draft.write("submissions/accepted/sum.go", "package main\n")
    draft.write("submissions/accepted/old.py", "#!/usr/bin/env python2\n" + SUM)
    draft.write("submissions/accepted/notes.md", "no program\n")
    judged = judge_package(draft.path)
    assert [(Path(item.submission).name, item.verdict) for item in judged] == [("old.py", "JE"), ("sum.go", "JE")]
    assert "python2 cannot be judged here" in judged[0].message
    assert "go cannot be judged here" in judged[1].message


def test_groups_of_the_new_version_are_worth_points_as_a_whole(draft: Draft) -> None:
    draft.write(
        "problem.yaml", "problem_format_version: 2025-09\nname: {en: Sums}\ntype: [scoring]\nlimits: {time_limit: 2}\n"
    )
    draft.write("data/sample/test_group.yaml", "scoring: {score: 0}\n")
    draft.write("data/secret/large/test_group.yaml", "scoring: {score: 60, aggregation: pass-fail}\n")
    part = "a, b = map(int, input().split())\nprint(a + b if a != 11 else 0)\n"
    judged = verdicts(draft, draft.write("part.py", part))
    assert judged[0][0] == "PARTIAL"
    assert judged[0][1] == pytest.approx(1 / 61)


def test_without_a_stated_limit_the_accepted_programs_set_it(draft: Draft) -> None:
    draft.write("problem.yaml", "name: Sums\n")
    draft.write("submissions/accepted/sum.py", SUM)
    slow = draft.write("slow.py", "line = input()\nwhile line == '1 2': pass\nprint(sum(map(int, line.split())))\n")
    assert verdicts(draft, slow)[0][2][0] == ("sample/1", "TLE")
    assert read_package(draft.path).cpu_s is None
    draft.write(".timelimit", "4\n")
    assert read_package(draft.path).cpu_s == 4


def test_outputs_that_are_no_text_are_judged(draft: Draft) -> None:
    draft.write("data/secret/raw.in", b"\xff\xfe\x00")
    draft.write("data/secret/raw.ans", b"\x00\xfe\xff")
    echo = draft.write("echo.py", "import sys\nsys.stdout.buffer.write(sys.stdin.buffer.read()[::-1])\n")
    assert ("secret/raw", "AC") in verdicts(draft, echo)[0][2]


@pytest.mark.parametrize(
    ("file", "content", "message"),
    [
        ("problem.yaml", "limits: {time_limit: soon}\n", "no number"),
        ("problem.yaml", "- a list\n", "mapping"),
        ("problem.yaml", "a: [\n", "YAML"),
        ("problem.yaml", b"\xff", "cannot be read"),
        ("data/secret/alone.in", "1 2\n", r"alone\.ans"),
        ("data/secret/testdata.yaml", "accept_score: much\n", "number of points"),
    ],
)
def test_what_cannot_be_judged_is_refused_in_one_sentence(draft: Draft, file: str, content: str, message: str) -> None:
    draft.write(file, content)
    with pytest.raises(InputError, match=message):
        verdicts(draft, draft.write("sum.py", SUM))


def test_missing_parts_are_named(draft: Draft, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no problem\.yaml"):
        judge_package(tmp_path)
    with pytest.raises(InputError, match="no submissions"):
        judge_package(draft.path)
    with pytest.raises(InputError, match="is not there"):
        judge_package(draft.path, [tmp_path / "absent.py"])
    with pytest.raises(InputError, match="no source file"):
        judge_package(draft.path, [draft.write("notes.txt", "")])


def test_a_validator_that_the_package_lacks_is_the_judges_error(draft: Draft) -> None:
    draft.write("problem.yaml", "name: Sums\nvalidation: custom\nlimits: {time_limit: 2}\n")
    (judged,) = judge_package(draft.path, [draft.write("sum.py", SUM)])
    assert judged.verdict == "JE"
    assert "holds none" in judged.message
