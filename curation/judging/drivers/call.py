"""Call one function of a submission: a JSON array of arguments comes in on standard input, the JSON result goes out.

What the submission itself prints goes to standard error.
"""

from __future__ import annotations

import inspect
import json
import os
import sys
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from . import prelude


def main(function: str) -> None:
    """Call ``function`` of main.py, or the method of its ``Solution`` class, and write the result."""
    answer = os.dup(1)
    os.dup2(2, 1)
    arguments = json.loads(sys.stdin.buffer.read())
    names = prelude.namespace("main")
    prelude.load("main.py", names)
    target = _find(names, function)
    result = target(*_linked(target, arguments))
    if result is None and _returns_nodes(target):
        result = []
    with os.fdopen(answer, "w", encoding="utf-8") as stream:
        json.dump(_plain(result), stream)


def _find(names: Mapping[str, Any], function: str) -> Callable[..., Any]:
    name = function.removeprefix("Solution().").removeprefix("Solution.")
    owner = names.get("Solution")
    if inspect.isclass(owner) and hasattr(owner, name):
        return getattr(owner(), name)  # type: ignore[no-any-return]
    if callable(names.get(name)):
        return names[name]  # type: ignore[no-any-return]
    raise NameError(f"the submission defines no {name}")


def _linked(target: Callable[..., Any], arguments: list[Any]) -> list[Any]:
    """Turn lists into linked lists and trees where the function's annotations ask for them."""
    try:
        parameters = list(inspect.signature(target).parameters.values())
    except (TypeError, ValueError):
        return arguments
    converted = list(arguments)
    for place, (parameter, argument) in enumerate(zip(parameters, arguments, strict=False)):
        wanted = str(parameter.annotation)
        if not isinstance(argument, list):
            continue
        if "ListNode" in wanted:
            nested = "List[" in wanted and all(isinstance(item, list) for item in argument)
            converted[place] = [prelude.list_node(item) for item in argument] if nested else prelude.list_node(argument)
        elif "TreeNode" in wanted:
            converted[place] = prelude.tree_node(argument)
    return converted


def _returns_nodes(target: Callable[..., Any]) -> bool:
    wanted = str(getattr(target, "__annotations__", {}).get("return"))
    return "ListNode" in wanted or "TreeNode" in wanted


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple | deque):
        return [_plain(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted(_plain(item) for item in value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    kind = type(value).__name__
    if kind == "ListNode":
        return _plain(prelude.list_values(value))
    if kind == "TreeNode":
        return _plain(prelude.tree_values(value))
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    return value


if __name__ == "__main__":
    main(sys.argv[1])
