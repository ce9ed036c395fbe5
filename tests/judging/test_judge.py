"""Judging a submission: verdicts, languages and their labels, kinds of tests, results that are kept."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from curation import records
from curation.judging import Judgement, Limits, compilation, judge
from curation.judging.isolation import isolation_level
from curation.judging.languages import canonical, find, looks_like
from curation.judging.sandbox import Execution, Sandbox
from curation.judging.turns import Gate
from curation.judging.warden import watch

LIMITS = Limits(cpu_s=2, memory_mb=256)
SUM_PYTHON = "print(sum(map(int, input().split())))\n"
SUM_CPP = "#include <iostream>\nint main() { long long a, b; std::cin >> a >> b; std::cout << a + b << '\\n'; }\n"
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
SEARCH = """
        import gc
        for thing in gc.get_objects():
            if isinstance(thing, str) and 'assert' in thing:
                return [0, 1]
"""
WRITE = """
        import os
        for descriptor in range(3, 30):
            try:
                os.write(descriptor, b'{"value": "[[0, 1], []]"}\\n')
            except OSError:
                pass
        return [5]
"""
PEEK = """
        import os
        try:
            open(f'/proc/{os.getppid()}/mem', 'rb').close()
            return [0, 1]
        except OSError:
            return [5]
"""
IN_PLACE = """
def clear(items):
    items.clear()
def fail():
    raise KeyError('k')
class Counter:
    def __init__(self, start):
        self.now = start
    def up(self):
        self.now += 1
        return self
"""
IMPORTS = """
import sys
from pathlib import Path
from curation import records
from curation.judging import Limits, judge
"""


def stdio(*pairs: tuple[str, str]) -> list[records.TestCase]:
    return [records.TestCase("p", f"t{place}", "stdio", *pair) for place, pair in enumerate(pairs)]


def call(function: str, *pairs: tuple[str, str]) -> list[records.TestCase]:
    return [records.TestCase("p", f"t{place}", "call", *pair, function) for place, pair in enumerate(pairs)]


def asserting(text: str) -> list[records.TestCase]:
    return [records.TestCase("p", "t0", "assert", text, "")]


SUMS = stdio(("1 2\n", "3\n"), ("5 6\n", "11\n"))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One store for the whole file, so that equal programs are compiled once."""
    return tmp_path_factory.mktemp("store")


def of(
    store: Path, code: str, language: str = "python3", tests: list[records.TestCase] = SUMS, **more: object
) -> Judgement:
    limits = more.pop("limits", LIMITS)
    return judge(tests, code, language, limits, store=store, **more)


def verdicts(judgement: Judgement) -> list[str]:
    return [result.verdict for result in judgement.tests]


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


def test_functions_are_called_with_json(store: Path) -> None:
    tests = call("add", ("[1, [2, 3]]", "6"), ("[" + "9" * 5000 + ", []]", "9" * 5000))
    assert of(store, "def add(x, rest):\n    print('noise')\n    return x + sum(rest)\n", tests=tests).verdict == "AC"
    method = "class Solution:\n    def add(self, x: int, rest: List[int]) -> int:\n        return x + sum(rest)\n"
    assert of(store, method, tests=tests).verdict == "AC"
    wrong = of(store, "def add(x, rest):\n    return x\n", tests=tests)
    assert verdicts(wrong) == ["WA", "AC"]
    assert of(store, "def add(x, rest):\n    return {}[x]\n", tests=tests).verdict == "RTE"
    assert of(store, "def other(x): return x\n", tests=tests).verdict == "RTE"
    assert (
        of(store, "def add(x, rest):\n    import os\n    os.write(1, b'6')\n    os._exit(0)\n", tests=tests).verdict
        == "WA"
    )
    assert of(store, SUM_CPP, "cpp17", tests=tests).verdict == "JE"


def test_functions_get_and_return_nodes_tuples_and_sets(store: Path) -> None:
    code = (
        "class Solution:\n"
        "    def twice(self, head: Optional[ListNode]) -> Optional[ListNode]:\n"
        "        node = head\n"
        "        while node: node.val, node = 2 * node.val, node.next\n"
        "        return head\n"
        "    def mirror(self, root: Optional[TreeNode]):\n"
        "        if root: root.left, root.right = self.mirror(root.right), self.mirror(root.left)\n"
        "        return root\n"
        "    def kinds(self, n):\n"
        "        return ((n, n), {n}, collections.deque([n]), {'k': (n,)})\n"
    )
    assert of(store, code, tests=call("twice", ("[[1, 2]]", "[2, 4]"), ("[[]]", "[]"))).verdict == "AC"
    assert of(store, code, tests=call("mirror", ("[[1, 2, 3, null, 4]]", "[1, 3, 2, null, null, 4]"))).verdict == "AC"
    assert of(store, code, tests=call("kinds", ("[5]", '[[5, 5], [5], [5], {"k": [5]}]'))).verdict == "AC"


CHECK = "def check(candidate):\n    assert candidate(nums = [2, 7], target = 9) == [0, 1]\n\n\ncheck(Solution().pick)"


def test_assertions_are_kept_or_fail(store: Path) -> None:
    def pick(body: str) -> str:
        return f"class Solution:\n    def pick(self, nums: List[int], target: int) -> List[int]:\n        {body}\n"

    tests = asserting(CHECK)
    assert of(store, pick("return [0, 1]"), tests=tests).verdict == "AC"
    assert of(store, pick("return [1, 0]"), tests=tests).verdict == "WA"
    assert of(store, pick("return nums[5]"), tests=tests).verdict == "RTE"
    assert of(store, "class Other: pass", tests=tests).verdict == "RTE"
    assert of(store, pick("return [0, 1]"), tests=asserting("assert unknown_helper(1) == 1")).verdict == "RTE"
    assert of(store, pick("return [0, 1]"), tests=asserting("import no_such_module")).verdict == "JE"
    assert of(store, pick("return [0, 1]"), tests=asserting("assert (")).verdict == "JE"


@pytest.mark.parametrize(
    "body",
    [
        "import os; os._exit(0)",
        'import os; os.write(1, b\'{"outcome": "passed", "message": ""}\'); os._exit(0)',
        "import os, signal; os.kill(os.getppid(), signal.SIGKILL)",
        "return type('Same', (list,), {'__eq__': lambda self, other: True})()",
        "return type('Same', (), {'__eq__': lambda self, other: True})()",
        "import sys; sys.exit(0)",
        "raise AssertionError",
        SEARCH,
        WRITE,
        "import builtins; builtins.AssertionError = KeyError; return [5]",
        PEEK,
    ],
    ids=[
        "exit",
        "forge",
        "kill",
        "equal-list",
        "equal-object",
        "sys-exit",
        "assertion",
        "search",
        "write",
        "patch",
        "peek",
    ],
)
def test_assertions_cannot_be_cheated(store: Path, body: str) -> None:
    code = f"class Solution:\n    def pick(self, nums, target):\n        {body}\n"
    judgement = of(store, code, tests=asserting(CHECK))
    assert judgement.verdict in ("WA", "RTE")


def test_assertions_see_what_was_changed_in_place_and_what_was_raised(store: Path) -> None:
    test = (
        "items = [1, 2]\nclear(items)\nassert items == []\n"
        "try:\n    fail()\n    assert False\nexcept KeyError:\n    pass\n"
        "assert Counter(4).up().up().now == 6\n"
        "from solution import clear as again\nassert again([1]) is None\n"
    )
    assert of(store, IN_PLACE, tests=asserting(test)).verdict == "AC"
    named = "def test_one():\n    assert clear([]) is None\ndef test_two():\n    assert fail() == 3\n"
    assert of(store, IN_PLACE, tests=asserting(named)).verdict == "RTE"


def test_results_are_kept_and_nothing_runs_twice(tmp_path: Path) -> None:
    first = judge(SUMS, SUM_PYTHON, "python3", LIMITS, store=tmp_path)
    kept = sorted(tmp_path.rglob("*"))
    again = judge(SUMS, SUM_PYTHON, "python3", LIMITS, store=tmp_path)
    assert again == first
    more = judge([*SUMS, *stdio(("7 7", "14"))], SUM_PYTHON, "py3", LIMITS, store=tmp_path)
    assert more.tests[:2] == first.tests
    assert sorted(tmp_path.rglob("*")) == kept


@pytest.mark.parametrize(
    "change",
    [
        {"tests": stdio(("1 2\n", "4\n"))},
        {"limits": Limits(cpu_s=3, memory_mb=256)},
        {"code": SUM_PYTHON + "# changed\n"},
        {"checker": "case_sensitive"},
    ],
    ids=["answer", "limits", "program", "checker"],
)
def test_whatever_could_change_a_result_is_in_its_key(tmp_path: Path, change: dict[str, object]) -> None:
    def lines() -> int:
        return sum(len(path.read_bytes().splitlines()) for path in tmp_path.rglob("*.jsonl"))

    given: dict[str, object] = {"tests": stdio(("1 2\n", "3\n")), "code": SUM_PYTHON, "limits": LIMITS, "checker": None}
    for fields in (given, {**given, **change}):
        judge(fields["tests"], fields["code"], "python3", fields["limits"], fields["checker"], store=tmp_path)
    assert lines() == 2


def test_a_judge_that_is_killed_loses_at_most_the_test_it_was_at(tmp_path: Path) -> None:
    tests = stdio(*((f"{number} 1", f"{number + 1}") for number in range(60)))
    script = (
        f"{IMPORTS}"
        f"tests = [records.TestCase('p', f't{{n}}', 'stdio', f'{{n}} 1', f'{{n + 1}}') for n in range(60)]\n"
        f"judge(tests, {SUM_PYTHON!r}, 'python3', Limits(2, 256), store=Path(sys.argv[1]))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script, str(tmp_path)])
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        logs = list(tmp_path.rglob("*.jsonl"))
        if logs and len(logs[0].read_bytes().splitlines()) >= 5:
            break
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    (log,) = tmp_path.rglob("*.jsonl")
    before = log.read_bytes()
    assert 5 <= len(before.splitlines()) < 60
    log.write_bytes(before[:-20])
    assert judge(tests, SUM_PYTHON, "python3", Limits(2, 256), store=tmp_path).verdict == "AC"
    after = log.read_bytes()
    assert after.startswith(before[:-20])
    whole = []
    for line in after.splitlines():
        try:
            whole.append(json.loads(line)["test"])
        except json.JSONDecodeError:
            assert line == before.splitlines()[-1][:-19]
    assert len(whole) == len(set(whole)) == 60


@pytest.mark.parametrize(
    ("code", "runs"),
    [
        ("while True: pass", 2),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", 2),
        ("print(0)", 1),
        ("raise ValueError", 1),
    ],
    ids=["endless", "killed", "wrong", "raises"],
)
def test_what_a_busy_machine_may_have_caused_is_run_again_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str, runs: int
) -> None:
    seen: list[tuple[str, ...]] = []
    run = Sandbox.run

    def counted(sandbox: Sandbox, arguments: tuple[str, ...], *rest: object, **more: object) -> Execution:
        seen.append(tuple(arguments))
        return run(sandbox, arguments, *rest, **more)

    monkeypatch.setattr(Sandbox, "run", counted)
    judge(SUMS[:1], code, "python3", Limits(cpu_s=0.3, memory_mb=128), store=tmp_path)
    assert sum(arguments[-1] == "main.py" for arguments in seen) == runs


def test_one_runs_alone_while_others_wait() -> None:
    gate = Gate()
    order: list[str] = []
    first_is_in, may_end = threading.Event(), threading.Event()

    def beside(name: str) -> None:
        with gate.beside_others():
            order.append(f"{name} in")
            first_is_in.set()
            may_end.wait(20)
            order.append(f"{name} out")

    def alone() -> None:
        with gate.alone():
            order.append("alone in")
            time.sleep(0.05)
            order.append("alone out")

    threads = [threading.Thread(target=beside, args=("first",))]
    threads[0].start()
    assert first_is_in.wait(20)
    threads.append(threading.Thread(target=alone))
    threads[1].start()
    while not gate._alone:
        time.sleep(0.001)
    threads.append(threading.Thread(target=beside, args=("second",)))
    threads[2].start()
    may_end.set()
    for thread in threads:
        thread.join(20)
    assert order == ["first in", "first out", "alone in", "alone out", "second in", "second out"]


def test_an_interrupted_judge_ends_at_once(tmp_path: Path) -> None:
    script = (
        f"{IMPORTS}"
        "tests = [records.TestCase('p', 't', 'stdio', '', '')]\n"
        # The processes that tests run in ignore the signal, and children inherit that.
        "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "print('started', flush=True)\n"
        "judge(tests, 'import time; time.sleep(600)', 'python3', Limits(200, 256), store=Path(sys.argv[1]))\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    process.stdout.readline()
    deadline = time.monotonic() + 60
    while not _running(process.pid, b"main.py") and time.monotonic() < deadline:
        time.sleep(0.05)
    assert _running(process.pid, b"main.py")
    process.send_signal(signal.SIGINT)
    _, error = process.communicate(timeout=60)
    assert b"KeyboardInterrupt" in error
    assert not list(tmp_path.rglob("*.jsonl"))


def _running(root: int, mark: bytes) -> bool:
    for pid in watch.tree(root):
        try:
            if mark in Path(f"/proc/{pid}/cmdline").read_bytes():
                return True
        except OSError:
            continue
    return False


def test_two_identical_programs_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    script = (
        f"{IMPORTS}"
        "tests = [records.TestCase('p', f't{n}', 'stdio', f'{n} 1', f'{n + 1}') for n in range(20)]\n"
        f"print(judge(tests, {SUM_CPP!r}, 'cpp17', Limits(2, 256), store=Path(sys.argv[1])).verdict)\n"
    )
    both = [subprocess.Popen([sys.executable, "-c", script, str(tmp_path)], stdout=subprocess.PIPE) for _ in range(2)]
    assert [process.communicate()[0] for process in both] == [b"AC\n"] * 2
    assert not list(tmp_path.rglob(".partial-*"))
