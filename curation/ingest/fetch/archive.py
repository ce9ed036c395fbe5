"""``curation fetch``: an archive's papers into a folder that a person could have filled by hand."""

from __future__ import annotations

import fcntl
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import httpx

from curation import storage
from curation.errors import InputError, OutsideError
from curation.ingest.catalog import Source, find_source
from curation.ingest.fetch.client import Client, DisallowedError, OffHostError
from curation.ingest.fetch.download import download
from curation.ingest.fetch.manifest import Entry, Manifest
from curation.ingest.fetch.section import Fetch, Pages
from curation.ingest.web_page import NestedTooDeeplyError, parse_page
from curation.progress import Reporter
from curation.recipe import SourceUse

_LARGEST_PAGE = 8 << 20
_UNSAFE = re.compile(r"[\x00-\x1f\x7f\\:*?\"<>|]+")


@dataclass
class Fetched:
    """What one source's fetch did.

    Attributes:
        source: its name.
        folder: where the papers lie.
        outcomes: files by what came of them: the outcomes of the manifest, ``kept`` for what was there, ``yours`` for
            files that a person put or changed there.
        notes: sentences that a person should read.
    """

    source: str
    folder: Path
    outcomes: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)


def fetch_archives(
    names: Sequence[str],
    into: Path,
    *,
    accepted: Collection[str],
    refresh: bool = False,
    reporter: Reporter,
) -> list[Fetched]:
    """Fetch archives one after the other, each into the folder of its name under ``into``.

    Args:
        names: bundled source files by name, or others by path.
        into: where the folders go.
        accepted: the sources whose terms the user accepts.
        refresh: as `fetch_archive`.
        reporter: shows the progress.

    Raises:
        InputError: one of them has nothing to fetch, or its terms are not accepted; nothing was asked for then.
        OutsideError: as `fetch_archive`.
    """
    sources = [find_source(SourceUse(use=name), Path()).source for name in names]
    for source in sources:
        _permitted(source, into / source.name, accepted)
    return [
        fetch_archive(source, into / source.name, accepted=accepted, refresh=refresh, reporter=reporter)
        for source in sources
    ]


def fetch_archive(
    source: Source,
    folder: Path,
    *,
    accepted: Collection[str],
    refresh: bool = False,
    reporter: Reporter,
    client: Client | None = None,
) -> Fetched:
    """Fetch what a source's ``[fetch]`` section names; what is in place is not asked for again.

    Args:
        source: the source.
        folder: where its papers go; files that a person put there stay as they are.
        accepted: the sources whose terms the user accepts.
        refresh: ask whether the host has other content for files that are in place, and again for those that were
            absent.
        reporter: shows the progress.
        client: another connection than the usual one.

    Raises:
        InputError: the source has nothing to fetch, or its terms are not accepted.
        OutsideError: a host failed, forbids its index, or answers what it should not; run again to go on.
    """
    fetch = _permitted(source, folder, accepted)
    result = Fetched(source.name, folder)
    with _alone(folder), httpx.Client(follow_redirects=False) as http:
        used = client or Client(fetch, http)
        manifest = Manifest(folder)
        wanted = _wanted(fetch, used, result)
        with reporter.task(f"fetching {source.name}", len(wanted), "files") as task:
            for file, url in wanted.items():
                outcome = _fetch_file(used, manifest, folder, file, url, refresh=refresh)
                result.outcomes[outcome] += 1
                task.advance(1)
    result.notes += _notes(result, manifest)
    return result


def _permitted(source: Source, folder: Path, accepted: Collection[str]) -> Fetch:
    if source.fetch is None:
        raise InputError(
            f"source {source.name!r} has no addresses to fetch: download its papers from {source.url} by hand"
        )
    if source.name not in accepted:
        raise InputError(
            f"source {source.name!r} has terms of its own: read {source.fetch.terms}, then give --accept-terms"
            f" {source.name}, or download its papers by hand into {folder}"
        )
    return source.fetch


def _wanted(fetch: Fetch, client: Client, result: Fetched) -> dict[str, str]:
    """Return the address of every file, by its path in the folder."""
    wanted: dict[str, str] = {}
    for pages in fetch.pages:
        for url, file in pages.spelled_out():
            if file is not None:
                wanted.setdefault(file, url)
                continue
            found = [link for link in _links(client, url) if pages.links and re.fullmatch(pages.links, link)]
            strangers = sorted({urlsplit(link).netloc for link in found if not fetch.allows(link)})
            if strangers:
                result.notes.append(f"{url} links to papers on {', '.join(strangers)}, which is not followed")
            if not found:
                result.notes.append(f"{url} has no link to a paper: its layout may have changed")
            for link in found:
                if fetch.allows(link):
                    wanted.setdefault(_path_of(link, pages, wanted), link)
    return wanted


def _links(client: Client, url: str) -> list[str]:
    """Return the addresses that a page links to, in its order; none where there is no such page."""
    try:
        for attempt in client.trying():
            with attempt, client.ask(url, {}) as response:
                if response.status_code in client.fetch.absent:
                    return []
                if response.status_code != httpx.codes.OK:
                    raise OutsideError(f"{url} answers {response.status_code}: download the papers by hand")
                content = b""
                for chunk in response.iter_bytes():
                    content += chunk
                    if len(content) > _LARGEST_PAGE:
                        raise OutsideError(f"{url} is larger than a page should be: download the papers by hand")
    except DisallowedError:
        raise OutsideError(f"the robots.txt of {url} forbids it: download the papers by hand") from None
    except OffHostError as error:
        raise OutsideError(f"{url} redirects to {error}: download the papers by hand") from None
    try:
        found = parse_page(content.decode(errors="replace")).css("a[href]")
    except NestedTooDeeplyError:
        raise OutsideError(f"{url} is nested too deeply to be a page: download the papers by hand") from None
    links = (urldefrag(urljoin(url, (node.attributes.get("href") or "").strip())).url for node in found)
    return list(dict.fromkeys(links))


def _path_of(link: str, pages: Pages, taken: dict[str, str]) -> str:
    """Return a safe path for a linked file; one of its own where another address has the same."""
    text = (
        re.sub(pages.strip, "", unquote(urlsplit(link).path).lstrip("/"))
        if pages.strip
        else unquote(urlsplit(link).path)
    )
    parts = [_UNSAFE.sub("_", part).strip() for part in text.split("/")]
    path = PurePosixPath(*([part for part in parts if part.strip(".")] or ["index.html"]))
    if taken.get(path.as_posix(), link) != link:
        path = path.with_name(f"{path.stem}-{storage.sha256_text(link)[:8]}{path.suffix}")
    return path.as_posix()


def _fetch_file(client: Client, manifest: Manifest, folder: Path, file: str, url: str, *, refresh: bool) -> str:
    target, known = folder / file, manifest.entries.get(file)
    if target.exists():
        if known is None or known.sha256 != storage.sha256_file(target):
            return "yours"
        if not refresh:
            return "kept"
    elif known is not None and known.outcome != "fetched" and not refresh:
        return known.outcome
    entry = download(client, url, folder, file, known if target.exists() else None)
    if entry is known:
        return "kept"
    if target.exists() and entry.outcome != "fetched":
        # The host has withdrawn it; the file stays, and the manifest still says where it came from.
        return "kept"
    manifest.add(entry)
    return entry.outcome


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Keep a second fetch out of the folder."""
    lock = folder / ".partial" / "lock"
    with storage.writing(lock):
        lock.parent.mkdir(parents=True, exist_ok=True)
        file = lock.open("w")
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(f"{folder} is being filled by another fetch: wait for it to end") from None
        yield


def _notes(result: Fetched, manifest: Manifest) -> list[str]:
    shown = ("disallowed", "off_host", "too_large", "not_as_named")
    failed: dict[str, list[Entry]] = {}
    for entry in manifest.entries.values():
        if entry.outcome in shown:
            failed.setdefault(entry.outcome, []).append(entry)
    notes = [f"{len(entries):,} files: {entries[0].url}: {entries[0].why}" for entries in failed.values()]
    if result.outcomes["yours"]:
        notes.append(f"{result.outcomes['yours']:,} files were put or changed there by hand and stay as they are")
    return notes
