"""Which commits a run reads: what a branch or tag named at the first pass is read again at every later one.

An address has no commits to go back to, so the mark of what was read there is kept, to see when it changes.
"""

from __future__ import annotations

from pathlib import Path

from curation.errors import InputError
from curation.json_reader import JsonTextError, dumps, loads
from curation.storage import write_text

LOCK = "sources.lock.json"
"""The file of a run directory that holds them, by data set and named revision, and the marks by address."""


class RevisionLock:
    """The commits of one run."""

    def __init__(self, directory: Path) -> None:
        """Read what earlier passes of the run wrote.

        Raises:
            InputError: the file was changed by something else.
        """
        self._path = directory / LOCK
        self._commits = _read(self._path)

    def revision(self, hub: str, named: str) -> str:
        """Return the commit to read for a revision named in a recipe; the name itself where none is known yet."""
        return self._commits.get(f"{hub}@{named}", named)

    def keep(self, hub: str, named: str, commit: str) -> None:
        """Remember the commit that was found."""
        if commit != self._commits.get(f"{hub}@{named}", named):
            self._write(f"{hub}@{named}", commit)

    def mark(self, url: str) -> str | None:
        """Return the mark of what was last read at an address; None where nothing was."""
        return self._commits.get(url)

    def keep_mark(self, url: str, mark: str) -> None:
        """Remember the mark of what is read at an address."""
        if mark != self._commits.get(url):
            self._write(url, mark)

    def _write(self, key: str, value: str) -> None:
        self._commits[key] = value
        write_text(self._path, dumps(dict(sorted(self._commits.items()))) + "\n")


def _read(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    try:
        document = loads(path.read_bytes().decode())
    except (OSError, UnicodeDecodeError, JsonTextError) as error:
        raise InputError(f"{path} cannot be read ({error}): delete it to read the newest revisions") from None
    if not isinstance(document, dict):
        raise InputError(f"{path} is no list of revisions: delete it to read the newest ones")
    return {key: commit for key, commit in document.items() if isinstance(commit, str)}
