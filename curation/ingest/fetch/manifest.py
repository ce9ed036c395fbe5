"""What came from where: ``fetched.jsonl`` in the folder of an archive, one line a file; a file's last one counts."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter, ValidationError

from curation.errors import InputError
from curation.json_reader import JsonTextError, as_text, dumps, loads

MANIFEST = "fetched.jsonl"

Outcome = Literal["fetched", "absent", "disallowed", "off_host", "too_large", "not_as_named"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One address that was asked for.

    Attributes:
        url: the address.
        file: the path in the folder.
        outcome: what came of it.
        sha256: of the file's bytes; empty where there is none.
        size: of the file in bytes.
        etag: the server's mark of this content; empty where it gave none.
        modified: when the server says that it changed; empty where it does not say.
        fetched: when we asked, in UTC.
        why: one sentence where no file came.
    """

    url: str
    file: str
    outcome: Outcome
    sha256: str = ""
    size: str = "0"
    etag: str = ""
    modified: str = ""
    fetched: str = ""
    why: str = ""


_ENTRY = TypeAdapter(Entry)


class Manifest:
    """The manifest of one folder, opened for reading and adding."""

    def __init__(self, folder: Path) -> None:
        """Read what is there; a line that a killed process tore off is taken away.

        Raises:
            InputError: a line is none of ours.
        """
        self._path = folder / MANIFEST
        self.entries: dict[str, Entry] = {}
        if not self._path.is_file():
            return
        content = self._path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if len(whole) < len(content):
            os.truncate(self._path, len(whole))
        for number, line in enumerate(whole.splitlines(), start=1):
            entry = self._entry(line, number)
            self.entries[entry.file] = entry

    def add(self, entry: Entry) -> None:
        """Add an entry; it is on the disk when this returns."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("ab") as file:
            file.write(dumps(asdict(entry)).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        self.entries[entry.file] = entry

    def _entry(self, line: bytes, number: int) -> Entry:
        try:
            value = loads(line.decode())
            if not isinstance(value, dict):
                raise InputError(f"{self._path}:{number}: it is no entry of a manifest: move the file away")
            return _ENTRY.validate_python({key: as_text(field) or "" for key, field in value.items()})
        except (UnicodeDecodeError, JsonTextError, ValidationError) as error:
            raise InputError(f"{self._path}:{number}: it is no entry of a manifest ({error}): move it away") from None


def addresses(folder: Path) -> dict[str, str]:
    """Return where the files of a folder came from; nothing for a folder that a person filled.

    Raises:
        InputError: the manifest cannot be read.
    """
    return {entry.file: entry.url for entry in Manifest(folder).entries.values() if entry.outcome == "fetched"}
