"""Judging a submission: verdicts, languages and their labels, what programs read and how they fail."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from judge_cases import SUM_CPP, SUM_PYTHON, of, stdio, verdicts

from curation.judging import Limits, compilation
from curation.judging.isolation import isolation_level
from curation.judging.languages import canonical, find, looks_like

SUM_JAVA = (
    "import java.util.*;\nclass Helper { static long add(long a, long b) { return a + b; } }\n"
    "class Start { public static void main(String[] x) { Scanner s = new Scanner(System.in);\n"
    "System.out.println(Helper.add(s.nextLong(), s.nextLong())); } }\n"
)
MACROS = """
#define D1(x) x x x x x x x x x x x x x x x x
#define D2(x) D1(D1(D1(D1(D1(x)))))
int main() { D2(D1(int a;)) }
"""
DEEP = """
#include <cstdio>
long deep(long n) {
    volatile char room[64];
    room[0] = n;
    return n ? deep(n - 1) + room[0] * 0 + 1 : 0;
}
int main() { printf("%ld", deep(1000000)); }
"""
GLOBAL = """
import os, sys
global total
total = sum(map(int, sys.stdin.readlines()[0].split()))
os.write(1, str(total).encode())
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One store for the whole file, so that equal programs are compiled once."""
    return tmp_path_factory.mktemp("store")


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python3", SUM_PYTHON),
        ("cpp17", SUM_CPP),
        ("cpp20", SUM_CPP + "static_assert(__cplusplus > 201703L);"),
        ("java", SUM_JAVA),
    ],
)
def test_right_programs_are_accepted(store: Path, language: str, code: str) -> None:
    known = find(language)
    if known is None or (language != "python3" and shutil.which(known.program) is None):
        pytest.skip(f"no {language} here")
    judgement = of(store, code, language)
    assert (judgement.verdict, judgement.score) == ("AC", 1.0)
    assert [result.name for result in judgement.tests] == ["t0", "t1"]
    assert all(0 < result.cpu_s < 2 and 0 < result.memory_mb < 256 for result in judgement.tests)
    assert judgement.isolation == isolation_level()


@pytest.mark.parametrize(
    ("code", "verdict", "message"),
    [
        ("a, b = map(int, input().split())\nprint(3 if a == 1 else 0)", "WA", "token 1 is '0', not '11'"),
        ("while True: pass", "TLE", "more than 0.5 CPU seconds"),
        ("kept = []\nwhile True: kept.append(bytearray(1 << 20))", "MLE", "more than 128 MiB"),
        ("kept = [0] * 10**9", "MLE", "an allocation failed"),
        ("while True: print('x' * 100000)", "OLE", "more than 8 MiB of output"),
        ("raise ValueError('mine')", "RTE", "exit status 1: ValueError: mine"),
        ("print(3)\nraise SystemExit(4)", "RTE", "exit status 4"),
        ("import os; os.abort()", "RTE", "killed by SIGABRT"),
        ("print(sum(map(int, input().split()))", "CE", "line 1"),
    ],
    ids=["wrong", "endless", "memory", "allocation", "flood", "raises", "status", "abort", "syntax"],
)
def test_each_way_to_fail_has_its_verdict(store: Path, code: str, verdict: str, message: str) -> None:
    limits = Limits(cpu_s=0.5, memory_mb=128, output_mb=8)
    judgement = of(store, code, limits=limits, stop_at_failure=True)
    assert judgement.verdict == verdict
    assert message in (judgement.message or judgement.tests[-1].message)


@pytest.mark.parametrize(
    ("code", "verdict"),
    [
        ("int main() { int* p = nullptr; return *p; }", "RTE"),
        ("#include <cstdlib>\nint main() { return 1; }", "RTE"),
        ("#include <vector>\nint main() { std::vector<int> kept(1u << 29); return kept[5]; }", "MLE"),
        ("int main( {", "CE"),
        ('#include "/etc/shadow"\nint main() {}', "CE"),
    ],
    ids=["null", "status", "memory", "syntax", "outside"],
)
def test_cpp_programs_fail_by_their_own_fault_only(store: Path, code: str, verdict: str) -> None:
    assert of(store, code, "cpp17", stop_at_failure=True).verdict == verdict


@pytest.mark.parametrize(
    "code",
    [
        '#include "/dev/random"\nint main() {}',
        "template <int N> struct A { A<N + 1> inner; };\nint main() { A<0> all; }",
        MACROS,
    ],
    ids=["random", "recursion", "macros"],
)
def test_a_compiler_is_held_as_well(store: Path, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, "COMPILE_LIMITS", replace(compilation.COMPILE_LIMITS, cpu_s=2.0, memory_mb=512))
    judgement = of(store, code, "cpp17")
    assert (judgement.verdict, judgement.tests) == ("CE", ())
    assert judgement.message


def test_a_deep_recursion_in_cpp_may_use_all_memory(store: Path) -> None:
    assert of(store, DEEP, "cpp17", stdio(("", "1000000"))).verdict == "AC"


@pytest.mark.parametrize(
    ("label", "code", "message"),
    [
        ("python3", "print sum(map(int, raw_input().split()))", "Python 2"),
        ("python3", "print(sum(map(int, raw_input().split())))", "Python 2 (raw_input)"),
        ("py3", "for i in xrange(3): print(i)", "Python 2 (xrange)"),
        ("python3", "try:\n  pass\nexcept Exception, e:\n  pass", "Python 2"),
        ("python3", SUM_CPP, "looks like cpp17"),
        ("cpp", SUM_PYTHON + "def f(x):\n  return x\n", "looks like python3"),
        ("python2", SUM_PYTHON, "cannot be judged here"),
        ("python3", "import sklearn.tree\n" + SUM_PYTHON, "imports sklearn, which is not installed here"),
        ("brainfuck", "+", "cannot be judged here"),
    ],
)
def test_a_wrong_label_is_not_the_programs_fault(store: Path, label: str, code: str, message: str) -> None:
    judgement = of(store, code, label)
    assert (judgement.verdict, judgement.tests) == ("JE", ())
    assert message in judgement.message


def test_python_3_that_resembles_python_2_is_run(store: Path) -> None:
    code = (
        "try:\n    input = raw_input\nexcept NameError:\n    pass\n"
        "from functools import reduce\n"
        "def xrange(n): return range(n)\n"
        "print(reduce(lambda a, b: a + b, map(int, input().split())))\n"
    )
    assert of(store, code).verdict == "AC"
    assert of(store, "try:\n    import sklearn\nexcept ImportError:\n    pass\n" + SUM_PYTHON).verdict == "AC"
    assert of(store, "xrange = range\nprint (sum(map(int, input().split())))\n").verdict == "AC"


def test_labels_are_folded() -> None:
    names = {
        "Python 3": "python3",
        "PyPy 3-64": "pypy3",
        "py3": "python3",
        "python3.11": "python3",
        "C++17 (GCC 7-32)": "cpp17",
        "GNU C++20 (64)": "cpp20",
        "cpp": "cpp17",
        "Java": "java",
        "PYTHON3": "python3",
        "Python 2": "python2",
        "python2.7": "python2",
        "Haskell": "haskell",
    }
    assert {label: canonical(label) for label in names} == names
    assert find("python2") is None
    assert looks_like("no code at all") is None


def test_no_tests_are_an_error_of_the_judge(store: Path) -> None:
    judgement = of(store, SUM_PYTHON, tests=[])
    assert (judgement.verdict, judgement.score, judgement.message) == ("JE", 0.0, "there are no tests")


def test_the_first_failure_decides_and_the_share_of_passed_tests_is_the_score(store: Path) -> None:
    code = "a, b = map(int, input().split())\nif a == 5: raise KeyError\nprint(a + b if a != 9 else 0)"
    tests = stdio(("1 2", "3"), ("5 6", "11"), ("9 1", "10"), ("2 2", "4"))
    judgement = of(store, code, tests=tests)
    assert verdicts(judgement) == ["AC", "RTE", "WA", "AC"]
    assert (judgement.verdict, judgement.score) == ("RTE", 0.5)
    assert verdicts(of(store, code, tests=tests, stop_at_failure=True)) == ["AC", "RTE"]


def test_programs_read_their_input_in_every_way(store: Path) -> None:
    ways = [
        "import sys\nfor line in sys.stdin: print(sum(map(int, line.split())))",
        "import sys\nfor line in sys.stdin.buffer: print(sum(map(int, line.split())))",
        "import sys\nprint(sum(map(int, open(0).read().split())))",
        "import os\nprint(sum(map(int, os.read(0, 100).split())))",
        GLOBAL,
        "import sys\nprint(int('9' * 5000) - int('9' * 5000) + sum(map(int, sys.stdin.buffer.readline().split())))",
    ]
    assert [of(store, way).verdict for way in ways] == ["AC"] * len(ways)
