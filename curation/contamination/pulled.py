"""Pulled copies of benchmarks: fetched once from the Hub, checked whenever they are read, and enough without a network.

A copy is one directory: ``items.jsonl`` with the items and ``benchmark.json``, which locks the commit that they are
from and their fingerprint. Both appear together or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from curation import storage
from curation.contamination import fields
from curation.contamination.item_rows import ItemRows, fingerprint
from curation.contamination.items import BenchmarkItem
from curation.contamination.registry import RegisteredBenchmark, groups, home, registry
from curation.contamination.rows import hub_rows
from curation.errors import CurationError, InputError
from curation.json_reader import JsonTextError, as_text, dumps, loads
from curation.progress import Reporter

ITEMS_FILE = "items.jsonl"
_MANIFEST_FILE = "benchmark.json"
_COMMIT = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True, slots=True)
class PulledCopy:
    """A copy as it lies on this machine.

    Attributes:
        items: its items.
        revision: the commit that they are from.
        fingerprint: of the items as they are read now; the same as in the lock.
        unreadable: rows of the data set that are no items.
    """

    items: tuple[BenchmarkItem, ...]
    revision: str | None
    fingerprint: str
    unreadable: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pull:
    """What became of one benchmark that was to be pulled.

    Attributes:
        state: ``new``, ``unchanged`` (the same items as before), ``changed`` or ``failed``.
        detail: why it failed, or what differs from the registry or from the copy before.
    """

    name: str
    state: Literal["new", "unchanged", "changed", "failed"]
    items: int | None = None
    revision: str | None = None
    fingerprint: str | None = None
    folder: Path | None = None
    detail: str | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """One benchmark as ``curation benchmarks list`` shows it.

    Attributes:
        items: of the copy where there is one, else what the registry says.
        copy: ``pulled``, ``-``, ``file`` for one of the user's own, or ``no text`` where there is nothing to pull.
        fingerprint: ``ok``, ``damaged``, ``other revision`` (of the copy and the registry), or ``-``.
    """

    name: str
    items: int | None
    date: str | None
    licence: str | None
    address: str
    revision: str | None
    copy: str
    fingerprint: str
    title: str
    contest: str | None
    note: str | None


def pull(names: list[str], reporter: Reporter) -> list[Pull]:
    """Fetch registered benchmarks from the Hub, one after the other; what fails does not stop the rest.

    Args:
        names: names and groups of the registry.
        reporter: where progress goes.

    Raises:
        InputError: the registry has no such benchmark or group.
    """
    known = registry()
    by_group = groups(known)
    wanted = list(dict.fromkeys(name for given in names for name in by_group.get(given, (given,))))
    for name in wanted:
        if name not in known:
            raise InputError(f"no benchmark is called {name!r}: choose from {', '.join((*by_group, *known))}")
    pulls = []
    with reporter.task("pulling", len(wanted), "benchmarks") as task:
        for name in wanted:
            try:
                pulls.append(_pull(name, known[name]))
            except CurationError as error:
                pulls.append(Pull(name, "failed", detail=str(error)))
            reporter.note(_told(pulls[-1]))
            task.advance()
    return pulls


def pullable() -> list[str]:
    """Return the names of all benchmarks that are on the Hub as text."""
    return [name for name, entry in registry().items() if entry.hub is not None and entry.not_text is None]


def read_copy(name: str) -> PulledCopy | None:
    """Return the pulled copy of a benchmark; None where there is none.

    Raises:
        InputError: it is not what was pulled.
    """
    folder = home() / name
    if not (folder / ITEMS_FILE).is_file():
        return None
    items = tuple(
        BenchmarkItem(name, str(row["id"]), str(row["problem"]), as_text(row.get("answer")))
        for row in _json_lines(folder / ITEMS_FILE)
    )
    lock = next(_json_lines(folder / _MANIFEST_FILE), {})
    found = fingerprint(items)
    if lock.get("fingerprint") != found:
        raise InputError(f"{folder} is not what was pulled (another fingerprint): pull it again")
    unreadable = lock.get("unreadable")
    lines = tuple(str(line) for line in unreadable) if isinstance(unreadable, list) else ()
    return PulledCopy(items, as_text(lock.get("revision")), found, lines)


def listed() -> list[Listed]:
    """Return every registered benchmark with the state of its copy."""
    return [_listed(name, entry) for name, entry in registry().items()]


def surprise(entry: RegisteredBenchmark, items: int, unreadable: int, found: str) -> str | None:
    """Return in which way a benchmark's items are not what the registry says; None where they are."""
    if entry.fingerprint is not None and entry.fingerprint != found:
        return f"the fingerprint is {found[:12]}, the registry says {entry.fingerprint[:12]}"
    if entry.items is not None and entry.items != items + unreadable:
        return f"{items + unreadable} items, the registry says {entry.items}"
    return None


def _pull(name: str, entry: RegisteredBenchmark) -> Pull:
    if entry.hub is None:
        raise InputError(f"{name} is the file {entry.path}: there is nothing to pull")
    if entry.not_text is not None:
        raise InputError(f"{name}: {entry.not_text}")
    rows, revision = hub_rows(entry.hub, entry.revision, entry.files)
    read = ItemRows(name, entry.columns, rows)
    if not read.items:
        column = entry.columns.problem if entry.columns else "problem"
        why = read.unreadable[0] if read.unreadable else "it has no rows"
        raise InputError(f"hub://{entry.hub} has no rows with a column {column!r} ({why}): mend {name}.toml")
    found = fingerprint(read.items)
    differs = surprise(entry, len(read.items), len(read.unreadable), found)
    if differs is not None and entry.fingerprint not in (None, found):
        raise InputError(f"hub://{entry.hub}@{revision} is not what the registry names: {differs}; nothing was kept")
    before = _lock(home() / name)
    state: Literal["new", "unchanged", "changed"] = "new" if before is None else "unchanged"
    if before is not None and before.get("fingerprint") != found:
        state = "changed"
        differs = f"before: revision {before.get('revision')}, {before.get('items')} items"
    with storage.atomic_directory(home() / name) as folder:
        lines = "".join(
            dumps({"id": item.benchmark_id, "problem": item.text, "answer": item.answer}) + "\n" for item in read.items
        )
        storage.write_text(folder / ITEMS_FILE, lines)
        lock = {
            "hub": entry.hub,
            "revision": revision,
            "items": len(read.items),
            "fingerprint": found,
            "licence": entry.licence,
            "unreadable": read.unreadable,
        }
        storage.write_text(folder / _MANIFEST_FILE, dumps(lock) + "\n")
    return Pull(name, state, len(read.items), revision, found, home() / name, differs)


def _told(pull: Pull) -> str:
    if pull.state == "failed":
        return f"{pull.name}: not pulled: {pull.detail}"
    detail = f" ({pull.detail})" if pull.detail else ""
    return f"{pull.name}: {pull.items} items at revision {pull.revision}, {pull.state}{detail}"


def _listed(name: str, entry: RegisteredBenchmark) -> Listed:
    items, revision, copy, state = entry.items, entry.revision if entry.hub else None, "-", "-"
    if entry.path is not None:
        copy = "file"
    elif entry.not_text is not None:
        copy = "no text"
    else:
        try:
            pulled = read_copy(name)
        except InputError:
            copy, state = "pulled", "damaged"
        else:
            if pulled is not None:
                items, revision, copy, state = len(pulled.items), pulled.revision, "pulled", "ok"
                pinned = _COMMIT.fullmatch(entry.revision) is not None
                if pinned and entry.revision != revision:
                    state = "other revision"
    date = entry.date.isoformat() if entry.date else None
    return Listed(
        name, items, date, entry.licence, entry.address, revision, copy, state, entry.title, entry.contest, entry.note
    )


def _lock(folder: Path) -> fields.Row | None:
    try:
        return next(_json_lines(folder / _MANIFEST_FILE), None)
    except InputError:
        return None


def _json_lines(path: Path) -> Iterator[fields.Row]:
    try:
        for line in path.read_text(encoding="utf-8").split("\n"):
            if line:
                row = loads(line)
                if not isinstance(row, dict):
                    raise JsonTextError("a line is no object")
                yield row
    except (OSError, UnicodeDecodeError, JsonTextError) as error:
        raise InputError(f"{path} is damaged ({error}): pull the benchmark again") from None
