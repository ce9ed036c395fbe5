"""One file: asked for, gone on with where it was cut off, checked, and put in place whole."""

from __future__ import annotations

import hashlib
import os
import re
from datetime import UTC, datetime
from pathlib import Path

import httpx

from curation import storage
from curation.errors import OutsideError
from curation.ingest.fetch.client import Client, DisallowedError, MayPassError, OffHostError
from curation.ingest.fetch.manifest import Entry, Outcome

_PARTIAL = ".partial"
_CONTENT_RANGE = re.compile(r"bytes (\d+)-\d+/(?:\d+|\*)")
_FIRST_BYTES = {".pdf": b"%PDF-"}
"""What files of a suffix hold in their first kilobyte; hosts send pages of apology under any name."""

_LOOKED_AT = 1024


class _TooLargeError(Exception):
    pass


def download(client: Client, url: str, folder: Path, file: str, known: Entry | None) -> Entry:
    """Ask for a file and store it in the folder.

    Args:
        client: the connection.
        url: the address.
        folder: the archive's folder.
        file: the file's path in it.
        known: what the manifest says of a file that is in place; the host then only sends another one.

    Returns:
        the manifest's new entry, which has no hash where no file came; ``known`` where the host has nothing newer.

    Raises:
        OutsideError: the host failed five times, or answers what no host should.
    """
    partial = _Partial(folder, file)
    try:
        for attempt in client.trying():
            with attempt:
                return _ask(client, url, folder, file, known, partial)
    except DisallowedError:
        return _without(url, file, "disallowed", "the host's robots.txt forbids it")
    except OffHostError as error:
        return _without(url, file, "off_host", f"it redirects to {error}, which is not one of the source's hosts")
    except _TooLargeError:
        partial.clear()
        return _without(url, file, "too_large", f"it has more than {client.fetch.largest_mb:g} MB")
    raise OutsideError(f"{url} was not asked for: run again")


def _ask(client: Client, url: str, folder: Path, file: str, known: Entry | None, partial: _Partial) -> Entry:
    with client.ask(url, partial.conditions() or _conditions(known)) as response:
        status = response.status_code
        if status == httpx.codes.NOT_MODIFIED and known is not None:
            return known
        if status in client.fetch.absent:
            return _without(url, file, "absent", f"the host answers {status}")
        if status == httpx.codes.REQUESTED_RANGE_NOT_SATISFIABLE:
            partial.clear()
            raise MayPassError(f"{url} has no such part any more")
        if status not in (httpx.codes.OK, httpx.codes.PARTIAL_CONTENT):
            raise OutsideError(f"{url} answers {status}: see whether the address still holds, or download it by hand")
        partial.write(response, int(client.fetch.largest_mb * (1 << 20)))
    return partial.put_in_place(url, folder, file, response)


class _Partial:
    """What has come of a file, with the mark of the content that it is a part of; both outlive a killed process."""

    def __init__(self, folder: Path, file: str) -> None:
        name = hashlib.sha256(file.encode()).hexdigest()[:24]
        self._content = folder / _PARTIAL / name
        self._mark = folder / _PARTIAL / f"{name}.mark"

    def conditions(self) -> dict[str, str]:
        """Return headers that ask for the rest of the same content, or all of another one."""
        if not self._mark.is_file() or not self._size():
            return {}
        return {"Range": f"bytes={self._size()}-", "If-Range": self._mark.read_text()}

    def write(self, response: httpx.Response, largest: int) -> None:
        """Add the answer's content.

        Raises:
            _TooLargeError: it is larger than allowed.
            MayPassError: the part that came is not the part that was asked for.
        """
        if response.status_code == httpx.codes.PARTIAL_CONTENT:
            came = _CONTENT_RANGE.match(response.headers.get("content-range", ""))
            if came is None or int(came[1]) != self._size():
                self.clear()
                raise MayPassError(f"{response.url} sends another part than it was asked for")
        else:
            self.clear()
            self._content.parent.mkdir(parents=True, exist_ok=True)
            mark = _strong_mark(response)
            if mark:
                storage.write_text(self._mark, mark)
        size = self._size()
        announced = response.headers.get("content-length", "")
        if announced.isdecimal() and size + int(announced) > largest:
            raise _TooLargeError
        # Unbuffered: what has come is in the file when the process is killed.
        with self._content.open("ab", buffering=0) as content:
            for chunk in response.iter_bytes():
                size += len(chunk)
                if size > largest:
                    raise _TooLargeError
                content.write(chunk)
            os.fsync(content.fileno())

    def put_in_place(self, url: str, folder: Path, file: str, response: httpx.Response) -> Entry:
        """Give the whole file its name, unless it is not what the name says."""
        expected = _FIRST_BYTES.get(Path(file).suffix.lower())
        with self._content.open("rb") as content:
            start = content.read(_LOOKED_AT)
        if expected is not None and expected not in start:
            self.clear()
            return _without(url, file, "not_as_named", f"what came is no {Path(file).suffix.lstrip('.').upper()} file")
        target = folder / file
        with storage.writing(target):
            target.parent.mkdir(parents=True, exist_ok=True)
        digest, size = storage.sha256_file(self._content), self._size()
        self._content.replace(target)
        self.clear()
        headers = response.headers
        return Entry(
            url,
            file,
            "fetched",
            digest,
            str(size),
            headers.get("etag", ""),
            headers.get("last-modified", ""),
            _now(),
        )

    def clear(self) -> None:
        """Forget what has come."""
        self._content.unlink(missing_ok=True)
        self._mark.unlink(missing_ok=True)

    def _size(self) -> int:
        return self._content.stat().st_size if self._content.is_file() else 0


def _strong_mark(response: httpx.Response) -> str:
    etag: str = response.headers.get("etag", "")
    return etag if etag and not etag.startswith("W/") else response.headers.get("last-modified", "")


def _conditions(known: Entry | None) -> dict[str, str]:
    if known is None:
        return {}
    given = {"If-None-Match": known.etag, "If-Modified-Since": known.modified}
    return {name: value for name, value in given.items() if value}


def _without(url: str, file: str, outcome: Outcome, why: str) -> Entry:
    return Entry(url, file, outcome, fetched=_now(), why=why)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
