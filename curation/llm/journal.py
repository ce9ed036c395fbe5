"""One writer's journal: every finished response is one JSON line, in the kernel's hands as soon as it is appended.

A writer holds a lock on its journal as long as it lives, so whoever can take the lock knows that the writer is dead.
A killed writer can tear its last line only; a line that cannot be read is no response, and is asked for again.
"""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from curation.json_reader import JsonTextError, dumps, loads
from curation.records import Response

_SUFFIX = ".jsonl"
_RESPONSE = TypeAdapter(Response)


class Journal:
    """An open journal. Create it, and look for dead ones, only under the pool's lock."""

    def __init__(self, directory: Path) -> None:
        """Create a journal of a new name in ``directory``."""
        directory.mkdir(parents=True, exist_ok=True)
        self.path = directory / f"{os.getpid()}-{secrets.token_hex(4)}{_SUFFIX}"
        self.size = 0
        # Without a buffer, a line is with the kernel when `append` returns, and outlives this process.
        self._file = self.path.open("xb", buffering=0)
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def append(self, response: Response) -> None:
        """Add one response."""
        line = dumps(asdict(response)).encode() + b"\n"
        view = memoryview(line)
        while view:
            view = view[self._file.write(view) :]
        self.size += len(line)

    def close(self) -> None:
        """Give up the lock; the file stays."""
        self._file.close()


@dataclass(frozen=True, slots=True)
class Lines:
    """What a journal's lines are: responses, whole lines that are none, and whether the last one is torn."""

    responses: int
    unreadable: int
    torn: bool


def read(path: Path) -> Iterator[Response]:
    """Yield the responses of a journal that can be read."""
    with path.open("rb") as file:
        for line in file:
            response = _response(line)
            if response is not None:
                yield response


def count(path: Path) -> Lines:
    """Count a journal's lines."""
    responses = unreadable = 0
    torn = False
    with path.open("rb") as file:
        for line in file:
            torn = not line.endswith(b"\n")
            whole = _response(line) is not None
            responses += whole
            unreadable += not whole and not torn
    return Lines(responses, unreadable, torn)


def _response(line: bytes) -> Response | None:
    if not line.endswith(b"\n"):
        return None
    try:
        return _RESPONSE.validate_python(loads(line.decode()))
    except (UnicodeDecodeError, JsonTextError, ValidationError):
        return None


def dead(directory: Path) -> list[Path]:
    """Return the journals whose writers live no more, by name."""
    return [path for path in sorted(directory.glob(f"*{_SUFFIX}")) if not _has_writer(path)]


def _has_writer(path: Path) -> bool:
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
        return False
