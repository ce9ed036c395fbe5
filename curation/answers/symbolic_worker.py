"""A persistent process for the work that may hang, eat memory or crash: SymPy and Math-Verify.

Requests and replies are JSON lines over pipes. The limits are kept from outside: a request that passes its wall limit
ends the process, and the next request starts a new one. One thread owns the process, because the kernel ends a child
with the thread that started it; callers may be threads, event loops or Ray workers.
"""

from __future__ import annotations

import functools
import os
import queue
import select
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass

from curation import processes
from curation.errors import OutsideError
from curation.json_reader import JsonTextError, dumps, loads

WALL_LIMIT_S = 10.0
"""Seconds that one request may take before its process is ended."""

MEMORY_LIMIT_BYTES = 2 << 30
"""Address space of the process."""

_START_LIMIT_S = 60.0
_REPLY_LIMIT_BYTES = 1 << 20
_READ_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Reply:
    """What the process said.

    Attributes:
        outcome: the task's own word (``true``, ``false``, ``undecided``), or ``failed``.
        why: one sentence: what decided, or how it failed.
    """

    outcome: str
    why: str


class SymbolicWorker:
    """One process and the thread that owns it; both start with the first request and end with ours.

    Args:
        wall_limit_s: seconds that one request may take.
        memory_limit_bytes: address space of the process.
    """

    def __init__(self, wall_limit_s: float = WALL_LIMIT_S, memory_limit_bytes: int = MEMORY_LIMIT_BYTES) -> None:
        self._wall_limit_s = wall_limit_s
        self._memory_limit_bytes = memory_limit_bytes
        self._requests: queue.SimpleQueue[tuple[str, Future[Reply]] | None] = queue.SimpleQueue()
        self._owner: threading.Thread | None = None
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def process_id(self) -> int | None:
        """The process that is running now; None before the first request and after a failure."""
        process = self._process
        return None if process is None else process.pid

    def submit(self, task: str, arguments: list[str]) -> Future[Reply]:
        """Queue one request; the future never raises for what the task did, it holds a `Reply` that says so.

        Args:
            task: a name in `symbolic_process.TASKS`.
            arguments: the task's arguments, all text.
        """
        future: Future[Reply] = Future()
        with self._lock:
            if self._owner is None:
                self._owner = threading.Thread(target=self._serve, name="symbolic-worker", daemon=True)
                self._owner.start()
        self._requests.put((dumps([task, *arguments]), future))
        return future

    def ask(self, task: str, arguments: list[str]) -> Reply:
        """Send one request and wait for its reply."""
        return self.submit(task, arguments).result()

    def close(self) -> None:
        """End the process and its thread, after what is queued."""
        with self._lock:
            owner, self._owner = self._owner, None
        if owner is not None:
            self._requests.put(None)
            owner.join()

    def _serve(self) -> None:
        while (item := self._requests.get()) is not None:
            line, future = item
            if future.set_running_or_notify_cancel():
                future.set_result(self._answer(line))
        self._end()

    def _answer(self, line: str) -> Reply:
        try:
            process = self._running()
        except OutsideError as error:
            return Reply("failed", str(error))
        try:
            written = _exchange(process, line.encode() + b"\n", time.monotonic() + self._wall_limit_s)
        except TimeoutError:
            self._end()
            return Reply("failed", f"no result within {self._wall_limit_s:g} s")
        except (OSError, EOFError):
            self._end()
            return Reply("failed", "the process ended (memory limit or crash)")
        try:
            value = loads(written)
        except JsonTextError:
            value = None
        if isinstance(value, list) and len(value) == 2 and isinstance(value[0], str) and isinstance(value[1], str):
            return Reply(value[0], value[1])
        self._end()
        return Reply("failed", "the process sent no reply")

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            process = processes.start(
                [sys.executable, "-m", "curation.answers.symbolic_process", str(self._memory_limit_bytes)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
            try:
                # Imports are no part of a request's time.
                _exchange(process, b"", time.monotonic() + _START_LIMIT_S)
            except (OSError, EOFError, TimeoutError):
                processes.kill_group(process)
                raise OutsideError("the process for SymPy and Math-Verify did not start") from None
            self._process = process
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            processes.kill_group(process)


def _exchange(process: subprocess.Popen[bytes], request: bytes, deadline: float) -> str:
    """Write the request and read one line, whichever the pipes take first.

    Raises:
        TimeoutError: the deadline passed.
        EOFError: the process closed its output, or wrote too much.
    """
    if process.stdin is None or process.stdout is None:
        raise EOFError
    into, out = process.stdin.fileno(), process.stdout.fileno()
    reply = b""
    os.set_blocking(into, False)
    while not reply.endswith(b"\n"):
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        readable, writable, _ = select.select([out], [into] if request else [], [], left)
        if writable:
            request = request[os.write(into, request[:_READ_BYTES]) :]
        if readable:
            chunk = os.read(out, _READ_BYTES)
            if not chunk or len(reply) > _REPLY_LIMIT_BYTES:
                raise EOFError
            reply += chunk
    return reply.decode(errors="replace")


@functools.cache
def _worker_of(process_id: int) -> SymbolicWorker:
    return SymbolicWorker()


def shared_worker() -> SymbolicWorker:
    """Return this process's worker; a forked child gets its own."""
    return _worker_of(os.getpid())
