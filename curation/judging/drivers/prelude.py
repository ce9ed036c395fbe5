"""The names that function-call submissions may use without importing them, as on LeetCode."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

IMPORTS = """
import bisect, collections, copy, datetime, functools, heapq, itertools
import math, operator, random, re, statistics, string, sys
from bisect import *
from collections import *
from copy import *
from functools import *
from heapq import *
from itertools import *
from math import *
from operator import *
from random import *
from string import *
from typing import *
from math import pow
inf = float("inf")
"""

RECURSION_LIMIT = 1_000_000
"""The stack is as large as memory, so depth is bounded by memory and not by this number."""


class ListNode:
    """A node of a singly linked list."""

    def __init__(self, val: Any = 0, next: ListNode | None = None) -> None:  # noqa: A002 -- LeetCode's name
        self.val = val
        self.next = next


class TreeNode:
    """A node of a binary tree."""

    def __init__(self, val: Any = 0, left: TreeNode | None = None, right: TreeNode | None = None) -> None:
        self.val = val
        self.left = left
        self.right = right


def list_node(values: Sequence[Any]) -> ListNode | None:
    """Build a linked list of the values."""
    head: ListNode | None = None
    for value in reversed(values):
        head = ListNode(value, head)
    return head


def list_values(head: ListNode | None) -> list[Any]:
    """Return the values of a linked list; stop where it runs into itself."""
    values, seen = [], set()
    while head is not None and id(head) not in seen:
        seen.add(id(head))
        values.append(head.val)
        head = head.next
    return values


def is_same_list(first: ListNode | None, second: ListNode | None) -> bool:
    """Compare two linked lists by their values."""
    return list_values(first) == list_values(second)


def tree_node(values: Sequence[Any]) -> TreeNode | None:
    """Build a binary tree of its values level by level, None for a missing child."""
    if not values or values[0] is None:
        return None
    root = TreeNode(values[0])
    level, place = [root], 1
    while level and place < len(values):
        below = []
        for node in level:
            for side in ("left", "right"):
                if place < len(values) and values[place] is not None:
                    child = TreeNode(values[place])
                    setattr(node, side, child)
                    below.append(child)
                place += 1
        level = below
    return root


def tree_values(root: TreeNode | None) -> list[Any]:
    """Return the values of a binary tree level by level, None for a missing child, without trailing ones."""
    values: list[Any] = []
    level = [root]
    seen: set[int] = set()
    while any(node is not None for node in level):
        below: list[TreeNode | None] = []
        for node in level:
            if node is None or id(node) in seen:
                values.append(None)
                continue
            seen.add(id(node))
            values.append(node.val)
            below += [node.left, node.right]
        level = below
    while values and values[-1] is None:
        values.pop()
    return values


def is_same_tree(first: TreeNode | None, second: TreeNode | None) -> bool:
    """Compare two binary trees by shape and values."""
    return tree_values(first) == tree_values(second)


HELPERS: dict[str, Any] = {
    item.__name__: item for item in (ListNode, TreeNode, list_node, is_same_list, tree_node, is_same_tree)
}


def namespace(name: str) -> dict[str, Any]:
    """Return the globals that a submission or a test starts with."""
    sys.setrecursionlimit(RECURSION_LIMIT)
    names: dict[str, Any] = {"__name__": name, "__builtins__": __builtins__, **HELPERS}
    exec(IMPORTS, names)  # noqa: S102 -- a constant of ours, inside the sandbox
    return names


def load(path: str, names: dict[str, Any]) -> None:
    """Run a submission's file in this process, with these globals."""
    code = compile(Path(path).read_bytes(), path, "exec", dont_inherit=True)
    exec(code, names)  # noqa: S102 -- this process exists to run it, inside the sandbox
