"""The submission's side of an assertion test: answers questions about its names and calls its functions."""

from __future__ import annotations

import inspect
import json
import os
import socket
from typing import Any

from . import prelude, wire

NO_SUCH_NAME = "the submission defines no "


def serve(channel: socket.socket) -> None:
    """Load main.py and answer questions until the test closes the channel."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    stream = channel.makefile("rwb")
    handles: list[Any] = []
    own: dict[str, Any] | None = None
    for line in stream:
        question = json.loads(line)
        try:
            if own is None:
                own = _load()
            answer = _answer(question, own, handles)
        except BaseException as error:  # noqa: BLE001 -- whatever a submission raises is passed on to the test
            answer = {"raised": [*(kind.__name__ for kind in type(error).__mro__), str(error)[:500]]}
        stream.write(json.dumps(answer).encode() + b"\n")
        stream.flush()


def _load() -> dict[str, Any]:
    """Run the submission and return the names that it defined itself."""
    given = prelude.namespace("main")
    names = dict(given)
    prelude.load("main.py", names)
    return {name: item for name, item in names.items() if name not in given or given[name] is not item}


def _answer(question: dict[str, Any], names: dict[str, Any], handles: list[Any]) -> dict[str, Any]:
    if question["do"] == "name":
        if question["name"] not in names:
            raise NameError(NO_SUCH_NAME + question["name"])
        return _tell(names[question["name"]], handles)
    target = handles[question["handle"]]
    if question["do"] == "attribute":
        return _tell(getattr(target, question["name"]), handles)
    classes = {name: names.get(name, item) for name, item in prelude.HELPERS.items() if inspect.isclass(item)}
    given = wire.load(question["given"], classes)
    count = question["count"]
    result = target(*given[:count], **dict(zip(question["names"], given[count:], strict=True)))
    answer = _tell(result, handles)
    try:
        answer["given"] = wire.dump(given)
    except TypeError:
        return answer
    return answer


def _tell(value: Any, handles: list[Any]) -> dict[str, Any]:
    try:
        return {"value": wire.dump(value)}
    except TypeError:
        handles.append(value)
        return {"handle": len(handles) - 1}
