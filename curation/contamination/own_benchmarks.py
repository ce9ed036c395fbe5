"""`curation benchmarks add`: a registry file for a benchmark of the user's own, from a file, a folder or the Hub."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from curation import storage
from curation.contamination.item_rows import ItemRows, contest_folder_items, fingerprint
from curation.contamination.items import BenchmarkItem
from curation.contamination.registry import ItemColumns, groups, own_registry, registry
from curation.contamination.rows import hub_rows, local_rows
from curation.errors import InputError
from curation.json_reader import dumps

_HUB = "hub://"
_NAME = re.compile(r"[A-Za-z0-9][\w.-]*")


@dataclass(frozen=True, slots=True)
class Added:
    """A benchmark that has a registry file now.

    Attributes:
        file: the registry file.
        unreadable: rows that are no items: where and why.
        by_name: an audit finds it by its name; else it is given as the path of its file.
    """

    name: str
    file: Path
    items: int
    fingerprint: str
    revision: str | None
    unreadable: tuple[str, ...]
    by_name: bool


def add(
    source: str,
    name: str,
    columns: ItemColumns | None = None,
    *,
    licence: str | None = None,
    contest: str | None = None,
    into: Path | None = None,
    replace: bool = False,
) -> Added:
    """Write a registry file for a benchmark, with the number of its items and their fingerprint.

    Args:
        source: a file, a folder, or ``hub://owner/name[@revision]``.
        name: what it is called; letters, digits, ``_``, ``.`` and ``-``.
        columns: what its columns are called; found by their names where it is not given.
        licence: as far as the user knows it.
        contest: contest and year, as in ``hmmt-feb-2025``: rows that name it are hits whatever their text.
        into: the directory of the registry file; the user's own registry by default.
        replace: take the place of a benchmark of the user's that has the name.

    Raises:
        InputError: the name cannot be used or is taken, or the source holds no problems.
        OutsideError: the Hub cannot be reached.
    """
    folder = into or own_registry()
    file = folder / f"{name}.toml"
    _check_name(name, file, replace, by_name=into is None)
    items, unreadable, place, revision = _items(source, name, columns)
    if not items:
        why = f" ({unreadable[0]})" if unreadable else ""
        raise InputError(f"{source} holds no problems{why}: name the column with --problem")
    found = fingerprint(items)
    keys: list[tuple[str, object]] = [
        ("title", name),
        place,
        ("revision", revision),
        ("licence", licence),
        ("contest", contest),
        ("items", len(items) + len(unreadable)),
        ("fingerprint", found),
    ]
    lines = [f"{key} = {dumps(value)}" for key, value in keys if value is not None]
    if columns is not None:
        lines += ["", "[columns]"]
        lines += [f"{key} = {dumps(value)}" for key, value in columns.model_dump(exclude_none=True).items()]
    storage.write_text(file, "\n".join(lines) + "\n")
    return Added(name, file, len(items), found, revision, tuple(unreadable), by_name=into is None)


def _check_name(name: str, file: Path, replace: bool, *, by_name: bool) -> None:
    if _NAME.fullmatch(name) is None or name.endswith(".toml"):
        raise InputError(f"--name {name!r}: use letters, digits, _, . and -, beginning with a letter or digit")
    known = registry()
    if by_name and name in groups(known):
        raise InputError(f"--name {name}: a group of benchmarks is called that: choose another name")
    if by_name and name in known and not file.is_file():
        raise InputError(f"--name {name}: a bundled benchmark is called that: choose another name")
    if file.is_file() and not replace:
        raise InputError(f"{file} is there already: choose another --name, or give --replace")


def _items(
    source: str, name: str, columns: ItemColumns | None
) -> tuple[Sequence[BenchmarkItem], Sequence[str], tuple[str, str], str | None]:
    if source.startswith(_HUB):
        hub, _, wanted = source.removeprefix(_HUB).partition("@")
        rows, revision = hub_rows(hub, wanted or "main", ())
        read = ItemRows(name, columns, rows)
        return read.items, read.unreadable, ("hub", hub), revision
    path = Path(source).expanduser()
    place = ("path", str(path.resolve()))
    if (path / "problems").is_dir():
        return tuple(contest_folder_items(path, name)), (), place, None
    read = ItemRows(name, columns, local_rows(path))
    return read.items, read.unreadable, place, None
