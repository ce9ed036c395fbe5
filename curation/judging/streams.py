"""What passes between the judge and a program: sealed inputs, and pipes that are read while it runs."""

from __future__ import annotations

import fcntl
import os
import select
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from io import FileIO

from curation.judging.warden.orders import STOP, Outcome, receive_outcome

ERROR_BYTES = 1 << 20
"""How much of standard error is kept."""

_PIPE_BYTES = 1 << 20
_READ_BYTES = 1 << 20
_LOOK_MS = 20
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


def sealed(content: bytes) -> FileIO:
    """Return memory that holds the content, read from its start, and that nobody can change."""
    file = empty()
    view = memoryview(content)
    while view:
        view = view[os.write(file.fileno(), view) :]
    file.seek(0)
    fcntl.fcntl(file, fcntl.F_ADD_SEALS, _SEALS)
    return file


def empty() -> FileIO:
    """Return memory for a file that is to be brought back."""
    return FileIO(os.memfd_create("run", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING), "rb+")


def content(file: FileIO) -> bytes:
    """Return everything that memory of `empty` holds."""
    return os.pread(file.fileno(), os.fstat(file.fileno()).st_size, 0)


def pipe() -> tuple[FileIO, FileIO]:
    """Return the two ends of a pipe: where to read, where to write."""
    here, there = os.pipe()
    try:
        fcntl.fcntl(here, fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
    except PermissionError:
        # Past the user's share of pipe memory: the usual size does as well, more slowly.
        return FileIO(here, "rb"), FileIO(there, "wb")
    return FileIO(here, "rb"), FileIO(there, "wb")


def second_reader(reader: FileIO) -> FileIO:
    """Return another reading end of a pipe: while it is open, nobody who writes finds the pipe broken."""
    return FileIO(os.dup(reader.fileno()), "rb")


def discard(reader: FileIO, until: Callable[[], bool]) -> None:
    """Read a pipe and forget what comes, to its end or until the given moment."""
    poll = select.poll()
    poll.register(reader.fileno(), select.POLLIN | select.POLLHUP)
    while not until():
        if poll.poll(_LOOK_MS) and not reader.read(_READ_BYTES):
            return


def drain(channel: socket.socket, output: FileIO, error: FileIO, output_bytes: int, patience_s: float) -> Drained:
    """Read both pipes until the run is over; have it stopped when its output passes the limit.

    Args:
        channel: the warden's.
        output: the pipe that standard output comes through.
        error: the pipe that standard error comes through.
        output_bytes: how much standard output there may be.
        patience_s: seconds after which the warden counts as lost.
    """
    kept = {output.fileno(): bytearray(), error.fileno(): bytearray()}
    room = {output.fileno(): output_bytes, error.fileno(): ERROR_BYTES}
    waiting = {channel.fileno(), *kept}
    poll = select.poll()
    for descriptor in waiting:
        poll.register(descriptor, select.POLLIN | select.POLLHUP)
    deadline = time.monotonic() + patience_s
    outcome: Outcome | None = None
    overflowed = False
    while waiting and (left := deadline - time.monotonic()) > 0:
        for descriptor, _ in poll.poll(left * 1000):
            if descriptor == channel.fileno():
                outcome = receive_outcome(channel)
                over = True
                if outcome is None:
                    waiting.clear()
            else:
                chunk = os.read(descriptor, _READ_BYTES)
                over = not chunk
                there = kept[descriptor]
                there += chunk[: room[descriptor] - len(there)]
                if descriptor == output.fileno() and not overflowed and len(there) == room[descriptor]:
                    overflowed = True
                    if outcome is None:
                        channel.send(STOP)
            if over:
                poll.unregister(descriptor)
                waiting.discard(descriptor)
    whole = outcome if not waiting else None
    return Drained(whole, bytes(kept[output.fileno()]), bytes(kept[error.fileno()]), overflowed)
