"""What an annotator did, act by act: an append-only file that survives a killed process.

Every act is one JSON line that is on the disk before anybody is told that it is saved. Undoing is an act as well, so
that nothing is ever taken out of the file.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from curation.errors import InputError, OutsideError
from curation.json_reader import JsonTextError, dumps, loads
from curation.storage import on_this_machine

Kind = Literal["label", "skip", "undo"]
Label = Literal["valid", "invalid"]


@dataclass(frozen=True, slots=True)
class Act:
    """One act.

    Attributes:
        kind: ``label``, ``skip``, or ``undo`` of the act before.
        case: the case's identifier.
        digest: of the case's text as it was shown.
        at: when, UTC, in ISO 8601.
        label: for a label.
        failure_type: what is wrong, where that was said.
        note: the annotator's words.
    """

    kind: Kind
    case: str
    digest: str
    at: str
    label: Label | None = None
    failure_type: str | None = None
    note: str | None = None


_ACT = TypeAdapter(Act)


class Standing:
    """What acts add up to: the act that counts for each case, and how often each changed."""

    def __init__(self, acts: Iterable[Act] = ()) -> None:
        self._order: list[str] = []
        self._of_case: dict[str, list[Act]] = {}
        self._changes: dict[str, int] = {}
        self.acts = 0
        for act in acts:
            self.add(act)

    def add(self, act: Act) -> None:
        """Count an act."""
        self.acts += 1
        self._changes[act.case] = self._changes.get(act.case, 0) + 1
        if act.kind != "undo":
            self._order.append(act.case)
            self._of_case.setdefault(act.case, []).append(act)
        elif self._order:
            self._of_case[self._order.pop()].pop()

    def of(self, case: str) -> Act | None:
        """Return the act that counts for a case; None where there is none."""
        acts = self._of_case.get(case)
        return acts[-1] if acts else None

    def changes(self, case: str) -> int:
        """Return how often a case changed: a page that saw another number is out of date."""
        return self._changes.get(case, 0)

    @property
    def last(self) -> str | None:
        """The case that an undo would change; None where nothing is left to undo."""
        return self._order[-1] if self._order else None


class ActFile:
    """An annotator's acts on disk. One process holds the file at a time; `close` it."""

    def __init__(self, path: Path) -> None:
        """Open the file, or make it.

        Raises:
            InputError: another process holds it, or a line of it is no act.
        """
        self._path = on_this_machine(path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+b", buffering=0)
        except OSError as error:
            raise InputError(f"{path} cannot be written ({error.strerror}): choose another place") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.acts = self._read()
        except BlockingIOError:
            self._file.close()
            raise InputError(
                f"{path} is in use by another curation label: end it or name another --annotator"
            ) from None
        except InputError:
            self._file.close()
            raise
        _sync_directory(path.parent)

    def append(self, act: Act) -> None:
        """Add an act; it is on the disk when this returns.

        Raises:
            OutsideError: it cannot be written; the file is as it was.
        """
        line = dumps(asdict(act)).encode() + b"\n"
        size = os.fstat(self._file.fileno()).st_size
        try:
            view = memoryview(line)
            while view:
                view = view[self._file.write(view) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            os.ftruncate(self._file.fileno(), size)
            raise OutsideError(
                f"{self._path} cannot be written ({error.strerror}): make room, then label it again"
            ) from None

    def close(self) -> None:
        """Give the file up."""
        self._file.close()

    def _read(self) -> list[Act]:
        self._file.seek(0)
        content = self._file.read()
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content):
            # A killed process tore its last line, which nobody was told is saved.
            os.ftruncate(self._file.fileno(), len(whole))
        return [self._act(line, number) for number, line in enumerate(whole.splitlines(), start=1)]

    def _act(self, line: bytes, number: int) -> Act:
        try:
            return _ACT.validate_python(loads(line.decode()))
        except (UnicodeDecodeError, JsonTextError, ValidationError):
            raise InputError(
                f"{self._path}: line {number} is no act of an annotator: mend or delete the line"
            ) from None


def _sync_directory(directory: Path) -> None:
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
