"""Run a test written as Python text against a submission that lives in a process of its own.

The test, with the answers it holds, is read only after the submission's process was forked off, and that process can
neither read this one's memory nor send it anything but plain values: a submission cannot look the answers up, stop
the test early, or return an object that claims to equal everything.
"""

from __future__ import annotations

import builtins
import ctypes
import json
import os
import socket
import sys
import types
from typing import Any, NoReturn

from . import prelude, remote, wire

_PR_SET_DUMPABLE = 4
_BROKEN_TEST = (NameError, SyntaxError, ImportError)


class SubmissionError(Exception):
    """The submission raised something, or its process is gone."""


class MissingNameError(NameError):
    """Neither the test nor the submission defines a name."""


class _Names(dict[str, Any]):
    """The test's globals: what it defines itself, built-in names, our helpers, the submission's names, the prelude.

    A submission that calls its function ``add`` or its class ``Counter`` means its own, not the prelude's.
    """

    def __init__(self, own: dict[str, Any], there: _Submission) -> None:
        super().__init__({name: own[name] for name in ("__name__", "__builtins__", *prelude.HELPERS)})
        self._prelude = own
        self._there = there

    def __missing__(self, name: str) -> Any:
        if hasattr(builtins, name):
            return getattr(builtins, name)
        try:
            return self._there.name(name)
        except MissingNameError:
            if name in self._prelude:
                return self._prelude[name]
            raise


class _Far:
    """A function, class or object of the submission's, as the test sees it."""

    def __init__(self, there: _Submission, handle: int) -> None:
        object.__setattr__(self, "_there", there)
        object.__setattr__(self, "_handle", handle)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self._there.call(self._handle, arguments, named)

    def __getattr__(self, name: str) -> Any:
        return self._there.attribute(self._handle, name)


class _Submission:
    """The submission's process, seen from the test; ``is_known`` once it has defined a name that was asked for."""

    def __init__(self, channel: socket.socket) -> None:
        self._stream = channel.makefile("rwb")
        self.is_known = False
        self.classes: dict[str, type] = {"ListNode": prelude.ListNode, "TreeNode": prelude.TreeNode}

    def name(self, name: str) -> Any:
        value = self._value(self._ask({"do": "name", "name": name}))
        self.is_known = True
        return value

    def member(self, name: str) -> Any:
        """Return what a test imports; the import system's own questions are not for the submission."""
        if name.startswith("__"):
            raise AttributeError(name)
        return self.name(name)

    def attribute(self, handle: int, name: str) -> Any:
        return self._value(self._ask({"do": "attribute", "handle": handle, "name": name}))

    def call(self, handle: int, arguments: tuple[Any, ...], named: dict[str, Any]) -> Any:
        given = [*arguments, *named.values()]
        answer = self._ask(
            {"do": "call", "handle": handle, "names": list(named), "given": wire.dump(given), "count": len(arguments)}
        )
        if "given" in answer:
            _follow(given, self._plain(answer["given"]))
        return self._value(answer)

    def _ask(self, question: dict[str, Any]) -> dict[str, Any]:
        self._stream.write(json.dumps(question).encode() + b"\n")
        self._stream.flush()
        line = self._stream.readline()
        try:
            answer = json.loads(line)
            raised = answer.get("raised")
        except (ValueError, AttributeError, RecursionError):
            raise SubmissionError("the submission's process ended") from None
        if raised is not None:
            _raise(raised)
        return answer  # type: ignore[no-any-return]

    def _value(self, answer: dict[str, Any]) -> Any:
        if "handle" in answer:
            return _Far(self, answer["handle"])
        return self._plain(answer.get("value"))

    def _plain(self, text: Any) -> Any:
        try:
            return wire.load(text, self.classes)
        except (ValueError, KeyError, TypeError, IndexError, RecursionError):
            raise SubmissionError("the submission returned no plain value") from None


def _follow(given: list[Any], returned: Any) -> None:
    """Make lists that the submission changed in place the same here."""
    for before, after in zip(given, returned if isinstance(returned, list) else [], strict=False):
        if isinstance(before, list) and isinstance(after, list):
            before[:] = after


def _raise(raised: list[str]) -> NoReturn:
    names, text = raised[:-1], raised[-1]
    if names[0] == "NameError" and text.startswith(remote.NO_SUCH_NAME):
        raise MissingNameError(text)
    for name in names:
        kind = getattr(builtins, name, None)
        if isinstance(kind, type) and issubclass(kind, Exception):
            # A test may expect the exception; where it does not, the type still tells whose error it was.
            raise type(name, (kind, SubmissionError), {})(text)
    raise SubmissionError(text)


def _outcome(text: str, there: _Submission) -> tuple[str, str]:
    own = prelude.namespace("test")
    # Through a plain class the interpreter would look globals up without asking `_Names`.
    names = _Names(own, there)
    module = types.ModuleType("solution")
    module.__getattr__ = there.member  # type: ignore[method-assign]
    sys.modules["solution"] = sys.modules["main"] = module
    try:
        exec(compile(text, "test", "exec", dont_inherit=True), names)  # noqa: S102 -- inside the sandbox
        for name, item in list(names.items()):
            if name.startswith("test_") and callable(item):
                item()
    except SubmissionError as error:
        return "raised", f"{type(error).__name__}: {error}"
    except MissingNameError as error:
        # The first name asked for is what the test is about; a later one is the test's own omission.
        return ("broken" if there.is_known else "raised"), str(error)
    except AssertionError as error:
        return "failed", f"an assertion failed {error}".strip()
    except _BROKEN_TEST as error:
        return "broken", f"{type(error).__name__}: {error}"
    except BaseException as error:  # noqa: BLE001 -- whatever the test raises about a value is a verdict on the value
        return "failed", f"{type(error).__name__}: {error}"
    return "passed", ""


def main() -> None:
    """Read the test from standard input, run it, write the outcome as JSON."""
    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    here, there = socket.socketpair()
    if os.fork() == 0:
        here.close()
        remote.serve(there)
        os._exit(0)
    there.close()
    text = sys.stdin.buffer.read().decode()
    outcome, message = _outcome(text, _Submission(here))
    sys.stdout.write(json.dumps({"outcome": outcome, "message": message[:500]}) + "\n")
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
