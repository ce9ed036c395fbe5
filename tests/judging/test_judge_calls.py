"""Functions that are called and assertions that are made: what they get, what they return, what cannot be cheated."""

from __future__ import annotations

from pathlib import Path

import pytest
from judge_cases import SUM_CPP, asserting, call, of, verdicts

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


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One store for the whole file, so that equal programs are compiled once."""
    return tmp_path_factory.mktemp("store")


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
