"""Results and compiled programs on disk, by content: nothing runs twice, and a killed judge loses at most one test.

DIR/results/ab/KEY.jsonl    one line a finished test of one program under one checker and one set of limits
DIR/programs/ab/KEY         a compiled program
DIR/notes/ab/KEY.json       what a look at a program told: why it does not compile, or that its syntax is right
"""

from __future__ import annotations

import os
import tempfile
import threading
from dataclasses import dataclass, fields
from pathlib import Path
from typing import cast, get_args

from curation import storage
from curation.errors import OutsideError
from curation.json_reader import JsonTextError, JsonValue, dumps, loads
from curation.records import JudgeVerdict

JUDGE_VERSION = "2"
"""Part of every key; raised whenever the judge could come to another verdict."""


@dataclass(frozen=True, slots=True)
class StoredResult:
    """A finished test: its verdict, what it used, the isolation it ran under and its share of full marks (0 to 1)."""

    verdict: JudgeVerdict
    cpu_s: float
    memory_mb: float
    message: str
    isolation: str
    share: float


_RESULT_FIELDS = tuple(field.name for field in fields(StoredResult))


class Store:
    """The results and programs under one directory; without one, under a temporary directory of its own."""

    def __init__(self, directory: Path | None) -> None:
        self._temporary = tempfile.TemporaryDirectory(prefix="curation-judge-") if directory is None else None
        self._writing = threading.Lock()
        self._directory = Path(self._temporary.name) if self._temporary is not None else Path(directory or ".")

    def close(self) -> None:
        """Delete the temporary directory, where there is one."""
        if self._temporary is not None:
            self._temporary.cleanup()

    def results(self, key: str) -> ResultLog:
        """Return the results under a key."""
        return ResultLog(self._place("results", key).with_suffix(".jsonl"))

    def program(self, key: str) -> bytes | None:
        """Return a compiled program, or None where it is not kept."""
        try:
            return self._place("programs", key).read_bytes()
        except FileNotFoundError:
            return None

    def keep_program(self, key: str, content: bytes) -> None:
        """Keep a compiled program."""
        place = self._place("programs", key)
        # Two workers may have compiled the same program, and the writer's temporary names are one a process.
        with self._writing:
            if not place.exists():
                with storage.atomic_file(place) as temporary:
                    temporary.write_bytes(content)

    def note(self, key: str) -> dict[str, str] | None:
        """Return what was noted about a program, or None."""
        path = self._place("notes", key).with_suffix(".json")
        try:
            value = loads(path.read_bytes().decode())
        except FileNotFoundError:
            return None
        except (UnicodeDecodeError, JsonTextError):
            return None
        return {key: str(item) for key, item in value.items()} if isinstance(value, dict) else None

    def keep_note(self, key: str, note: dict[str, str]) -> None:
        """Note something about a program."""
        with self._writing:
            storage.write_text(self._place("notes", key).with_suffix(".json"), dumps(note) + "\n")

    def _place(self, kind: str, key: str) -> Path:
        return self._directory / kind / key[:2] / key


class ResultLog:
    """The finished tests of one program under one checker and one set of limits."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writing = threading.Lock()
        self._whole = True
        self.known: dict[str, StoredResult] = {}
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return
        self._whole = not data or data.endswith(b"\n")
        for line in data.split(b"\n"):
            entry = _read_line(line)
            if entry is not None:
                self.known[entry[0]] = entry[1]

    def add(self, test_key: str, result: StoredResult) -> None:
        """Append a finished test; one write, so a killed process leaves at most a torn last line, which is skipped.

        Raises:
            OutsideError: the disk refuses.
        """
        told = {name: getattr(result, name) for name in _RESULT_FIELDS}
        line = dumps({"test": test_key, **told}).encode() + b"\n"
        # Tests finish on several threads: the one that ends a torn line must have written before the next may.
        with self._writing:
            self._append(line if self._whole else b"\n" + line)
            self._whole = True
            self.known[test_key] = result

    def _append(self, data: bytes) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
        try:
            try:
                descriptor = os.open(self._path, flags, 0o644)
            except FileNotFoundError:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                descriptor = os.open(self._path, flags, 0o644)
            try:
                os.write(descriptor, data)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise OutsideError(f"{self._path} cannot be written ({error.strerror}): free some space") from None


def _read_line(line: bytes) -> tuple[str, StoredResult] | None:
    try:
        value: JsonValue = loads(line.decode())
    except (UnicodeDecodeError, JsonTextError):
        return None
    if not isinstance(value, dict) or value.get("verdict") not in get_args(JudgeVerdict):
        return None
    try:
        return str(value["test"]), StoredResult(
            verdict=cast(JudgeVerdict, value["verdict"]),
            cpu_s=float(str(value["cpu_s"])),
            memory_mb=float(str(value["memory_mb"])),
            message=str(value["message"]),
            isolation=str(value["isolation"]),
            share=float(str(value["share"])),
        )
    except (KeyError, ValueError):
        return None
