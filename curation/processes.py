"""The one place that starts processes: every child has its own group, dies with us, and is reaped."""

from __future__ import annotations

import ctypes
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from curation import end_guard
from curation.errors import OutsideError

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
_READ_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Finished:
    """How a process ended.

    Attributes:
        exit_code: the exit status; negative for a signal's number.
        output: standard output, at most as long as the limit.
        error: standard error, at most as long as the limit.
        wall_s: seconds from start to end.
        timed_out: it was killed at the wall limit.
        overflowed: it was killed because its output passed the limit.
        cpu_s: user plus system seconds of the process and its reaped children.
        memory_bytes: peak resident size of the largest process.
    """

    exit_code: int
    output: bytes
    error: bytes
    wall_s: float
    timed_out: bool
    overflowed: bool
    cpu_s: float
    memory_bytes: int


def _die_with_parent() -> None:
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def start(
    command: Sequence[str | os.PathLike[str]],
    *,
    environment: Mapping[str, str] | None = None,
    directory: Path | None = None,
    stdin: int | IO[bytes] | None = subprocess.DEVNULL,
    stdout: int | IO[bytes] | None = subprocess.DEVNULL,
    stderr: int | IO[bytes] | None = subprocess.DEVNULL,
) -> subprocess.Popen[bytes]:
    """Start a child in a process group of its own that the kernel kills when the thread that started it ends.

    Call it from a thread that outlives the child. End it with `kill_group`.

    Raises:
        OutsideError: the program is not there or cannot be started.
    """
    try:
        return subprocess.Popen(
            [os.fspath(part) for part in command],
            env=None if environment is None else dict(environment),
            cwd=directory,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
            preexec_fn=_die_with_parent,
        )
    except OSError as error:
        raise OutsideError(f"{command[0]} cannot be started ({error.strerror}): install it or put it on PATH") from None


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a child started by `start` with all of its group, and reap it."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            try:
                pipe.close()
            except BrokenPipeError:
                continue


@contextmanager
def writers_end_with_us(file: IO[bytes]) -> Iterator[None]:
    """Within the block, see that processes whose standard error goes into a file end with it, or with this process.

    Args:
        file: a file of its own without a name, as `tempfile.TemporaryFile` gives one.

    Raises:
        OutsideError: no process can be started.
    """
    read_end, write_end = os.pipe()
    with os.fdopen(write_end, "wb"):
        with os.fdopen(read_end, "rb") as alive:
            command = [sys.executable, "-m", "curation.end_guard"]
            guard = start(command, stdin=alive, stdout=subprocess.PIPE, stderr=file)
        try:
            # Until it says so it would end with us, as every child does.
            if guard.stdout is not None:
                guard.stdout.readline()
            yield
        finally:
            kill_group(guard)
            end_guard.kill_writers(file.fileno())


def run(
    command: Sequence[str | os.PathLike[str]],
    *,
    input_bytes: bytes = b"",
    environment: Mapping[str, str] | None = None,
    directory: Path | None = None,
    wall_limit_s: float,
    output_limit_bytes: int = 64 << 20,
) -> Finished:
    """Run a command to its end, draining its pipes while it runs; kill its group at a limit.

    Raises:
        OutsideError: the program is not there or cannot be started.
    """
    began = time.monotonic()
    process = start(
        command,
        environment=environment,
        directory=directory,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        feeder = threading.Thread(target=_feed, args=(process, input_bytes), daemon=True)
        feeder.start()
        output, error, stopped = _drain(process, began + wall_limit_s, output_limit_bytes)
        if stopped is not None:
            _signal_group(process)
        else:
            stopped = _wait_until(process, began + wall_limit_s)
        _, status, usage = os.wait4(process.pid, 0) if process.returncode is None else (0, 0, None)
        if usage is not None:
            process.returncode = os.waitstatus_to_exitcode(status)
        return Finished(
            exit_code=process.returncode,
            output=output,
            error=error,
            wall_s=time.monotonic() - began,
            timed_out=stopped == "time",
            overflowed=stopped == "output",
            cpu_s=usage.ru_utime + usage.ru_stime if usage else 0.0,
            memory_bytes=usage.ru_maxrss * 1024 if usage else 0,
        )
    finally:
        _signal_group(process)
        kill_group(process)


def _signal_group(process: subprocess.Popen[bytes]) -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _feed(process: subprocess.Popen[bytes], data: bytes) -> None:
    if process.stdin is None:
        return
    try:
        process.stdin.write(data)
        process.stdin.close()
    except (BrokenPipeError, ValueError, OSError):
        return


def _drain(process: subprocess.Popen[bytes], deadline: float, limit: int) -> tuple[bytes, bytes, str | None]:
    if process.stdout is None or process.stderr is None:
        return b"", b"", None
    kept: dict[int, list[bytes]] = {process.stdout.fileno(): [], process.stderr.fileno(): []}
    sizes = dict.fromkeys(kept, 0)
    waiting = set(kept)
    stopped: str | None = None
    while waiting and stopped is None:
        left = deadline - time.monotonic()
        if left <= 0:
            stopped = "time"
            break
        ready, _, _ = select.select(list(waiting), [], [], min(left, 1.0))
        for descriptor in ready:
            chunk = os.read(descriptor, _READ_BYTES)
            if not chunk:
                waiting.discard(descriptor)
                continue
            room = limit - sizes[descriptor]
            kept[descriptor].append(chunk[: max(0, room)])
            sizes[descriptor] += len(chunk)
            if sizes[descriptor] > limit:
                stopped = "output"
    first, second = (b"".join(parts) for parts in kept.values())
    return first, second, stopped


def _wait_until(process: subprocess.Popen[bytes], deadline: float) -> str | None:
    while True:
        # WNOWAIT leaves the child for wait4, which alone tells its CPU time and memory.
        if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
            return None
        if time.monotonic() >= deadline:
            _signal_group(process)
            return "time"
        time.sleep(0.001)
