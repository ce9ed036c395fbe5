"""What travels between the judge and the warden: one JSON message each way, descriptors beside it."""

from __future__ import annotations

import json
import socket
from dataclasses import dataclass

MESSAGE_BYTES = 1 << 18
DESCRIPTORS = 250
"""The kernel passes at most 253 descriptors with one message."""

MOST_TIMES_THE_WALL = 10
"""On a busy machine the time a program waits for a processor does not count, up to so many times its seconds."""

READY = b"ready"
"""The warden's first message, once it is set up; anything else is the reason why it is not."""

STOP = b"stop"
"""What the judge sends while a program runs to have it killed."""


@dataclass(frozen=True)
class Order:
    """One program to run. Descriptors come in this order: input, output, error, files, collected.

    Attributes:
        command: the program and its arguments; a name without a slash is looked up in /usr/bin and /bin.
        environment: its whole environment, without HOME and TMPDIR, which name its own directories.
        files: relative path and permissions of each file put into the work directory.
        collect: relative path and greatest size in bytes of each file brought back afterwards.
        cpu_s: CPU seconds of the whole tree.
        wall_s: seconds on the clock, without those it waits for a processor.
        memory_bytes: resident bytes of the whole tree.
        address_space_bytes: of each process; None where the runtime reserves more than it uses.
        processes: processes and threads at a time.
        file_bytes: size of one file.
        disk_bytes: size of the work directory, temporary files and shared memory together.
    """

    command: tuple[str, ...]
    environment: dict[str, str]
    files: tuple[tuple[str, int], ...]
    collect: tuple[tuple[str, int], ...]
    cpu_s: float
    wall_s: float
    memory_bytes: int
    address_space_bytes: int | None
    processes: int
    file_bytes: int
    disk_bytes: int


@dataclass(frozen=True)
class Outcome:
    """How a run ended.

    Attributes:
        exit_code: the exit status, negative for a signal; None where the program was stopped or never started.
        stopped: which limit ended it: ``cpu``, ``wall``, ``memory``, ``processes``, ``disk``, ``order`` (the judge's
            word), or None.
        failure: why the program could not be run at all; None where it ran.
        cpu_s: user plus system seconds of the whole tree.
        wall_s: seconds from its start to its end.
        memory_bytes: peak resident bytes.
        collected: whether each file to collect was there.
        ended_at: when it was over, on the machine's monotonic clock; before anybody else sees its pipes close.
    """

    exit_code: int | None
    stopped: str | None
    failure: str | None
    cpu_s: float
    wall_s: float
    memory_bytes: int
    collected: tuple[bool, ...] = ()
    ended_at: float = 0.0


def text_of(message: Order | Outcome) -> bytes:
    """Return a message as it travels."""
    return json.dumps(vars(message)).encode()


def send(channel: socket.socket, text: bytes, descriptors: list[int]) -> None:
    """Send one message with its descriptors."""
    socket.send_fds(channel, [text], descriptors)


class Orders:
    """The orders that come through a channel. The tests of one submission have one order, which is read once."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._last = b""
        self._order: Order | None = None

    def receive(self) -> tuple[Order, list[int]] | None:
        """Wait for an order; None when the judge has gone."""
        while True:
            flags = socket.MSG_CMSG_CLOEXEC
            data, descriptors, _, _ = socket.recv_fds(self._channel, MESSAGE_BYTES, DESCRIPTORS, flags)
            if not data:
                return None
            if data == STOP:
                # It crossed the outcome of the run it was meant for.
                continue
            if self._order is None or data != self._last:
                self._order, self._last = _read_order(data), data
            return self._order, descriptors


def _read_order(data: bytes) -> Order:
    fields = json.loads(data)
    fields["command"] = tuple(fields["command"])
    fields["files"] = tuple((path, mode) for path, mode in fields["files"])
    fields["collect"] = tuple((path, size) for path, size in fields["collect"])
    return Order(**fields)


def receive_outcome(channel: socket.socket) -> Outcome | None:
    """Wait for an outcome; None when the warden has gone."""
    data = channel.recv(MESSAGE_BYTES)
    if not data:
        return None
    fields = json.loads(data)
    fields["collected"] = tuple(fields["collected"])
    return Outcome(**fields)
