"""What passes between the judge and a program: sealed inputs, and pipes that are read while it runs."""

from __future__ import annotations

import fcntl
import os
import select
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType

from curation.judging.warden.orders import STOP, Outcome, receive_outcome

ERROR_BYTES = 1 << 20
"""How much of standard error is kept."""

_PIPE_BYTES = 1 << 16
_WIDE_BYTES = 1 << 20
_LOOK_MS = 20
_SHORT_RUN_MS = 5
_SEALS = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL


@dataclass(frozen=True, slots=True)
class Drained:
    """What came out of a run.

    Attributes:
        outcome: the warden's report; None where the warden ended or fell silent first.
        output: standard output up to its limit.
        error: standard error up to its limit.
        overflowed: standard output passed its limit.
    """

    outcome: Outcome | None
    output: bytes
    error: bytes
    overflowed: bool


class Descriptor:
    """An open file, pipe end or memory, by its number; closing it a second time does nothing."""

    __slots__ = ("_number",)

    def __init__(self, number: int) -> None:
        self._number = number

    def __enter__(self) -> Descriptor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def fileno(self) -> int:
        """Return the number; -1 when it is closed."""
        return self._number

    def close(self) -> None:
        """Let go of what the number stands for."""
        number, self._number = self._number, -1
        if number >= 0:
            os.close(number)


def sealed(content: bytes) -> Descriptor:
    """Return memory that holds the content, read from its start, and that nobody can change."""
    file = empty()
    view, written = memoryview(content), 0
    while written < len(view):
        written += os.pwrite(file.fileno(), view[written:], written)
    fcntl.fcntl(file.fileno(), fcntl.F_ADD_SEALS, _SEALS)
    return file


def empty() -> Descriptor:
    """Return memory for a file that is to be brought back."""
    return Descriptor(os.memfd_create("run", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING))


def content(file: Descriptor) -> bytes:
    """Return everything that memory of `empty` holds."""
    return os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0)


def pipe() -> tuple[Descriptor, Descriptor]:
    """Return the two ends of a pipe: where to read, where to write."""
    here, there = os.pipe()
    return Descriptor(here), Descriptor(there)


def widen(end: Descriptor) -> None:
    """Let a pipe hold more, so that it is filled and emptied in fewer turns."""
    try:
        fcntl.fcntl(end.fileno(), fcntl.F_SETPIPE_SZ, _WIDE_BYTES)
    except PermissionError:
        # Past the user's share of pipe memory: the usual size does as well, more slowly.
        return


def second_reader(reader: Descriptor) -> Descriptor:
    """Return another reading end of a pipe: while it is open, nobody who writes finds the pipe broken."""
    return Descriptor(os.dup(reader.fileno()))


def discard(reader: Descriptor, until: Callable[[], bool]) -> None:
    """Read a pipe and forget what comes, to its end or until the given moment."""
    poll = select.poll()
    poll.register(reader.fileno(), select.POLLIN | select.POLLHUP)
    while not until():
        if poll.poll(_LOOK_MS) and not os.read(reader.fileno(), _WIDE_BYTES):
            return


def drain(
    channel: socket.socket,
    output: Descriptor,
    error: Descriptor,
    output_bytes: int,
    patience_s: float,
    over: Callable[[], None],
) -> Drained:
    """Read both pipes until the run is over; have it stopped when its output passes the limit.

    Args:
        channel: the warden's.
        output: the pipe that standard output comes through.
        error: the pipe that standard error comes through.
        output_bytes: how much standard output there may be.
        patience_s: seconds after which the warden counts as lost.
        over: called as soon as nothing runs any more, before the rest is read.
    """
    kept = {output.fileno(): bytearray(), error.fileno(): bytearray()}
    room = {output.fileno(): output_bytes, error.fileno(): ERROR_BYTES}
    sizes = dict.fromkeys(kept, _PIPE_BYTES)
    deadline = time.monotonic() + patience_s
    poll = select.poll()
    poll.register(channel.fileno(), select.POLLIN | select.POLLHUP)
    # A short run is over before its pipes are full, and what it wrote is read at one go.
    poll.poll(_SHORT_RUN_MS)
    for descriptor in kept:
        poll.register(descriptor, select.POLLIN | select.POLLHUP)
    waiting = {channel.fileno(), *kept}
    outcome: Outcome | None = None
    overflowed = False
    while waiting and (left := deadline - time.monotonic()) > 0:
        for descriptor, event in poll.poll(left * 1000):
            if descriptor == channel.fileno():
                outcome = receive_outcome(channel)
                over()
                is_over = True
                if outcome is None:
                    waiting.clear()
            else:
                chunk = os.read(descriptor, sizes[descriptor]) if event & select.POLLIN else b""
                is_over = not chunk
                there = kept[descriptor]
                there += chunk[: room[descriptor] - len(there)]
                if len(chunk) == _PIPE_BYTES:
                    widen(output if descriptor == output.fileno() else error)
                    sizes[descriptor] = _WIDE_BYTES
                if descriptor == output.fileno() and not overflowed and len(there) == room[descriptor]:
                    overflowed = True
                    if outcome is None:
                        channel.send(STOP)
            if is_over:
                poll.unregister(descriptor)
                waiting.discard(descriptor)
    whole = outcome if not waiting else None
    return Drained(whole, bytes(kept[output.fileno()]), bytes(kept[error.fileno()]), overflowed)
