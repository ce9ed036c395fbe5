"""Running one program under limits, in the strongest isolation the machine offers.

A `Sandbox` holds one warden (see `curation.judging.warden`), which runs programs one at a time. Every run starts with
empty directories and no other processes, so nothing passes from one run to the next; where a warden cannot see to that,
a new one is started for each run.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Literal

from curation.judging import streams
from curation.judging.levels import Isolation
from curation.judging.streams import Descriptor, Drained
from curation.judging.turns import Place
from curation.judging.warden.orders import MOST_TIMES_THE_WALL, Order, text_of
from curation.judging.warden_process import WardenProcess

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
_KEPT_PROGRAMS = 4
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

    reads: Descriptor
    writes: Descriptor


@dataclass(frozen=True, slots=True)
class WorkFile:
    """A file put into the work directory before a run; a path that ends in a slash makes an empty directory."""

    path: str
    content: bytes
    executable: bool = False


class Sandbox:
    """One warden and the runs it is given. Use it from one thread, as a context manager.

    Args:
        isolation: what holds the programs.
        places: how many programs may run at a time in this and other sandboxes; None for no bound.

    Raises:
        OutsideError: the warden cannot be started at this level.
    """

    def __init__(self, isolation: Isolation, places: threading.Semaphore | None = None) -> None:
        self.isolation = isolation
        self._warden = WardenProcess(isolation)
        self._places = places
        self._last: tuple[Order, bytes] | None = None
        self._programs: dict[bytes, Descriptor] = {}

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def abort(self) -> None:
        """End whatever runs, from another thread; the sandbox takes no more runs."""
        self._warden.abort()

    def close(self) -> None:
        """End the warden and whatever it runs."""
        self._warden.close()
        while self._programs:
            self._programs.popitem()[1].close()

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
        order = self._text_of(_order(tuple(arguments), limits, files, wanted, environment or {}))
        opened: list[Descriptor] = []
        try:
            (output, output_there), (error, error_there) = streams.pipe(), streams.pipe()
            opened += (output, output_there, error, error_there)
            if connection is None:
                opened.append(reads := streams.sealed(standard_input))
                writes = output_there
            else:
                opened += (reads := connection.reads, writes := connection.writes)
            put = [self._file(file, opened) for file in files]
            brought = [streams.empty() for _ in wanted]
            opened += brought
            sent = [file.fileno() for file in (reads, writes, error_there, *put, *brought)]
            with Place(self._places) as place:
                try:
                    channel = self._warden.send(order, sent)
                    # Whoever reads sees the end of what this program writes only when nobody else could still write.
                    for end in (reads, writes, output_there, error_there):
                        end.close()
                    patience_s = MOST_TIMES_THE_WALL * limits.wall_s + _GRACE_S
                    most = limits.output_mb * MEBIBYTE
                    drained = streams.drain(channel, output, error, most, patience_s, place.leave)
                except (BrokenPipeError, ConnectionResetError):
                    drained = Drained(None, b"", b"", False)
            found = drained.outcome.collected if drained.outcome is not None else ()
            contents = {
                path: streams.content(file) for path, file, there in zip(wanted, brought, found, strict=False) if there
            }
        finally:
            for descriptor in opened:
                descriptor.close()
            while len(self._programs) > _KEPT_PROGRAMS:
                self._programs.pop(next(iter(self._programs))).close()
        return self._execution(drained, contents)

    def _text_of(self, order: Order) -> bytes:
        if self._last is None or self._last[0] != order:
            self._last = order, text_of(order)
        return self._last[1]

    def _file(self, file: WorkFile, opened: list[Descriptor]) -> Descriptor:
        """Return memory with a file's content, kept for further runs where it is a program, which nobody can change."""
        if not file.executable:
            made = streams.sealed(file.content)
            opened.append(made)
            return made
        kept = self._programs.pop(file.content, None) or streams.sealed(file.content)
        self._programs[file.content] = kept
        return kept

    def _execution(self, drained: Drained, contents: dict[str, bytes]) -> Execution:
        outcome = drained.outcome
        words = self._warden.last_words() if outcome is None else ""
        if outcome is None or not self.isolation.reusable:
            self._warden.stop()
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
