"""Running one program under limits, in the strongest isolation the machine offers.

A `Sandbox` holds one warden (see `curation.judging.warden`), which runs programs one at a time. Every run starts with
empty directories and no other processes, so nothing passes from one run to the next; where a warden cannot see to that,
a new one is started for each run.
"""

from __future__ import annotations

import socket
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from io import FileIO
from types import TracebackType
from typing import Literal

from curation import processes
from curation.errors import OutsideError
from curation.judging import streams
from curation.judging.levels import Isolation, command
from curation.judging.streams import Drained
from curation.judging.warden.orders import MESSAGE_BYTES, MOST_TIMES_THE_WALL, READY, Order, send

MEBIBYTE = 1 << 20

Stopped = Literal["cpu", "wall", "memory", "processes", "disk", "output"]

_STOPPED: dict[str, Stopped] = {
    "cpu": "cpu",
    "wall": "wall",
    "memory": "memory",
    "processes": "processes",
    "disk": "disk",
    "order": "output",
}
_SPARE_ADDRESS_SPACE = 1 << 30
_GRACE_S = 20.0
_START_S = 30.0
_ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    "PYTHONINTMAXSTRDIGITS": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
}


@dataclass(frozen=True, slots=True)
class RunLimits:
    """What one run may use.

    Attributes:
        cpu_s: CPU seconds of all its processes together.
        wall_s: seconds on the clock, without those it waits for a processor.
        memory_mb: MiB resident in all its processes together.
        processes: processes and threads at a time.
        output_mb: MiB on standard output.
        file_mb: MiB of one file.
        disk_mb: MiB of its work directory, temporary files and shared memory.
        bound_address_space: also bound what each process reserves; off for runtimes that reserve more than they use.
    """

    cpu_s: float
    wall_s: float
    memory_mb: int
    processes: int = 64
    output_mb: int = 256
    file_mb: int = 64
    disk_mb: int = 256
    bound_address_space: bool = True


@dataclass(frozen=True, slots=True)
class Execution:
    """How a run ended.

    Attributes:
        exit_code: the exit status, negative for a signal's number; None where it was stopped or could not run.
        stopped: the limit that ended it; None where none did.
        failure: why the sandbox could not run the program; None where it did. Never the program's fault.
        cpu_s: user plus system seconds of all its processes.
        wall_s: seconds on the clock.
        memory_mb: peak of resident MiB.
        output: standard output, up to the limit.
        error: standard error, up to 1 MiB.
        files: the files asked for that were there, by relative path.
        ended_at: when it was over, on the machine's monotonic clock; before anybody else sees its pipes close.
    """

    exit_code: int | None
    stopped: Stopped | None
    failure: str | None
    cpu_s: float
    wall_s: float
    memory_mb: float
    output: bytes = b""
    error: bytes = b""
    files: Mapping[str, bytes] = field(default_factory=dict)
    ended_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Connection:
    """Ends of two pipes that a run has for its standard streams in place of the judge's; the run closes both.

    Attributes:
        reads: what standard input comes from.
        writes: where standard output goes.
    """

    reads: FileIO
    writes: FileIO


@dataclass(frozen=True, slots=True)
class WorkFile:
    """A file put into the work directory before a run; a path that ends in a slash makes an empty directory."""

    path: str
    content: bytes
    executable: bool = False


class Sandbox:
    """One warden and the runs it is given. Use it from one thread, as a context manager.

    Raises:
        OutsideError: the warden cannot be started at this level.
    """

    def __init__(self, isolation: Isolation) -> None:
        self.isolation = isolation
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 -- `close` closes it
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: socket.socket | None = None
        self._is_open = True

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def abort(self) -> None:
        """End whatever runs, from another thread; the sandbox takes no more runs."""
        self._is_open = False
        channel = self._channel
        if channel is not None:
            try:
                channel.shutdown(socket.SHUT_RDWR)
            except OSError:
                # Its thread has closed it meanwhile.
                return

    def close(self) -> None:
        """End the warden and whatever it runs."""
        self._stop_warden()
        self._errors.close()

    def run(
        self,
        arguments: Sequence[str],
        limits: RunLimits,
        *,
        files: Sequence[WorkFile] = (),
        standard_input: bytes = b"",
        collect: Mapping[str, int] | None = None,
        environment: Mapping[str, str] | None = None,
        connection: Connection | None = None,
    ) -> Execution:
        """Run one program to its end or its limits.

        Args:
            arguments: the program and its arguments; relative paths start at the work directory.
            limits: what it may use.
            files: what the work directory holds at the start.
            standard_input: what it reads.
            collect: paths of files to bring back, with the greatest number of bytes of each.
            environment: variables beside the fixed ones.
            connection: another program to talk to; then there is no standard input or output to give or bring back.

        Raises:
            OutsideError: no warden can be started.
        """
        wanted = dict(collect or {})
        order = _order(tuple(arguments), limits, files, wanted, environment or {})
        with ExitStack() as stack:
            given = stack.enter_context(streams.sealed(standard_input))
            put = [stack.enter_context(streams.sealed(file.content)) for file in files]
            brought = [stack.enter_context(streams.empty()) for _ in wanted]
            (output, output_there), (error, error_there) = streams.pipe(), streams.pipe()
            for end in (output, output_there, error, error_there):
                stack.enter_context(end)
            reads, writes = given, output_there
            if connection is not None:
                reads, writes = stack.enter_context(connection.reads), stack.enter_context(connection.writes)
            sent = (reads, writes, error_there, *put, *brought)
            try:
                channel = self._ready_channel()
                send(channel, order, [file.fileno() for file in sent])
                if connection is not None:
                    # The other program sees the end of what this one writes only when nobody else could still write.
                    reads.close()
                    writes.close()
                output_there.close()
                error_there.close()
                patience_s = MOST_TIMES_THE_WALL * limits.wall_s + _GRACE_S
                drained = streams.drain(channel, output, error, limits.output_mb * MEBIBYTE, patience_s)
            except (BrokenPipeError, ConnectionResetError):
                drained = Drained(None, b"", b"", False)
            found = drained.outcome.collected if drained.outcome is not None else ()
            contents = {
                path: streams.content(file) for path, file, there in zip(wanted, brought, found, strict=False) if there
            }
        return self._execution(drained, contents)

    def _execution(self, drained: Drained, contents: dict[str, bytes]) -> Execution:
        outcome = drained.outcome
        words = self._last_words() if outcome is None else ""
        if outcome is None or not self.isolation.reusable:
            self._stop_warden()
        if outcome is None:
            failure = "the sandbox ended before the program did" + (f": {words}" if words else "")
            return Execution(None, None, failure, 0.0, 0.0, 0.0, drained.output, drained.error)
        stopped = _STOPPED.get(outcome.stopped or "")
        if stopped is None and drained.overflowed and outcome.failure is None:
            stopped = "output"
        return Execution(
            exit_code=None if stopped else outcome.exit_code,
            stopped=stopped,
            failure=outcome.failure,
            cpu_s=outcome.cpu_s,
            wall_s=outcome.wall_s,
            memory_mb=outcome.memory_bytes / MEBIBYTE,
            output=drained.output,
            error=drained.error,
            files=contents,
            ended_at=outcome.ended_at,
        )

    def _ready_channel(self) -> socket.socket:
        if self._channel is not None and self._process is not None and self._process.poll() is None:
            return self._channel
        self._stop_warden()
        if not self._is_open:
            raise OutsideError("judging was broken off: run the command again to go on")
        self._channel, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._errors.seek(0)
        self._errors.truncate()
        with there:
            self._process = processes.start(
                command(self.isolation), stdin=there.fileno(), stderr=self._errors, environment={}
            )
        answer = _first_message(self._channel)
        if answer == READY:
            return self._channel
        detail = answer.decode(errors="replace").strip() or self._last_words() or "it ended at once"
        self._stop_warden()
        raise OutsideError(
            f"the sandbox cannot be started at level {self.isolation.level} ({detail}): "
            "`curation doctor` says what this machine allows"
        )

    def _last_words(self) -> str:
        """Return the last line that bubblewrap or the warden wrote about itself."""
        self._errors.seek(0)
        lines = self._errors.read(streams.ERROR_BYTES).decode(errors="replace").strip().splitlines()
        return lines[-1].strip() if lines else ""

    def _stop_warden(self) -> None:
        if self._channel is not None:
            self._channel.close()
            self._channel = None
        if self._process is not None:
            if self.isolation.level in ("limits", "none"):
                self._wait_for_warden(self._process)
            processes.kill_group(self._process)
            self._process = None

    def _wait_for_warden(self, process: subprocess.Popen[bytes]) -> None:
        # Without a process namespace only the warden can end its programs, so it is given time to.
        try:
            process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            return


def _first_message(channel: socket.socket) -> bytes:
    channel.settimeout(_START_S)
    try:
        return channel.recv(MESSAGE_BYTES)
    except TimeoutError:
        return b"it does not answer"
    finally:
        channel.settimeout(None)


def _order(
    arguments: tuple[str, ...],
    limits: RunLimits,
    files: Sequence[WorkFile],
    wanted: Mapping[str, int],
    environment: Mapping[str, str],
) -> Order:
    space = 2 * limits.memory_mb * MEBIBYTE + _SPARE_ADDRESS_SPACE
    return Order(
        command=arguments,
        environment={**_ENVIRONMENT, **environment},
        files=tuple((file.path, 0o755 if file.executable else 0o644) for file in files),
        collect=tuple(wanted.items()),
        cpu_s=limits.cpu_s,
        wall_s=limits.wall_s,
        memory_bytes=limits.memory_mb * MEBIBYTE,
        address_space_bytes=space if limits.bound_address_space else None,
        processes=limits.processes,
        file_bytes=limits.file_mb * MEBIBYTE,
        disk_bytes=limits.disk_mb * MEBIBYTE,
    )
