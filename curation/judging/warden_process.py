"""The process of a sandbox's warden: started when there is something to run, replaced when it is gone."""

from __future__ import annotations

import socket
import subprocess
import tempfile

from curation import processes
from curation.errors import OutsideError
from curation.judging.levels import Isolation, command
from curation.judging.streams import ERROR_BYTES
from curation.judging.warden.orders import MESSAGE_BYTES, READY, send

_GRACE_S = 20.0
_START_S = 30.0


class WardenProcess:
    """One warden at a time. Use it from one thread."""

    def __init__(self, isolation: Isolation) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self._isolation = isolation
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 -- `close` closes it
        self._channel: socket.socket | None = None
        self._is_open = True

    def abort(self) -> None:
        """End whatever runs, from another thread; no warden is started any more."""
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
        self.stop()
        self._errors.close()

    def send(self, order: bytes, descriptors: list[int]) -> socket.socket:
        """Give the warden an order and return the channel that its outcome comes through.

        Raises:
            OutsideError: no warden can be started.
            OSError: the warden ended before it had the order.
        """
        if self._channel is not None and self.process is not None and self.process.poll() is None:
            try:
                send(self._channel, order, descriptors)
            except (BrokenPipeError, ConnectionResetError):
                # It is about to end, and is replaced like one that has ended.
                pass
            else:
                return self._channel
        self.stop()
        channel = self._start()
        send(channel, order, descriptors)
        return channel

    def last_words(self) -> str:
        """Return the last line that bubblewrap or the warden wrote about itself."""
        self._errors.seek(0)
        lines = self._errors.read(ERROR_BYTES).decode(errors="replace").strip().splitlines()
        return lines[-1].strip() if lines else ""

    def stop(self) -> None:
        """End the warden; the next order starts another."""
        if self._channel is not None:
            self._channel.close()
            self._channel = None
        if self.process is not None:
            if self._isolation.level in ("limits", "none"):
                _wait_for(self.process)
            processes.kill_group(self.process)
            self.process = None

    def _start(self) -> socket.socket:
        if not self._is_open:
            raise OutsideError("judging was broken off: run the command again to go on")
        self._channel, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._errors.seek(0)
        self._errors.truncate()
        with there:
            self.process = processes.start(
                command(self._isolation), stdin=there.fileno(), stderr=self._errors, environment={}
            )
        answer = _first_message(self._channel)
        if answer == READY:
            return self._channel
        detail = answer.decode(errors="replace").strip() or self.last_words() or "it ended at once"
        self.stop()
        raise OutsideError(
            f"the sandbox cannot be started at level {self._isolation.level} ({detail}): "
            "`curation doctor` says what this machine allows"
        )


def _wait_for(process: subprocess.Popen[bytes]) -> None:
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
