"""Benchmarks with their items: from a pulled copy, from the Hub, or from a file or folder of the user's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from curation import bundled, storage
from curation.contamination.item_rows import ItemRows, contest_folder_items, fingerprint
from curation.contamination.items import BenchmarkItem
from curation.contamination.pulled import ITEMS_FILE, read_copy, surprise
from curation.contamination.registry import RegisteredBenchmark, groups, home, read_entry, registry
from curation.contamination.rows import hub_rows, local_rows
from curation.errors import InputError, OutsideError
from curation.progress import Reporter


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A benchmark at hand.

    Attributes:
        name: its name in the registry, or the file's stem.
        origin: ``pulled copy``, ``hub`` or the path as the user gave it.
        revision: the Hub commit; None for a file.
        fingerprint: SHA-256 over identifiers, texts and answers.
        contest: contest and year where the whole benchmark is from one.
        unreadable: rows that are no items, which nothing can be checked against: where and why.
        surprise: in which way it is not what the registry says.
    """

    name: str
    items: tuple[BenchmarkItem, ...]
    origin: str
    revision: str | None
    fingerprint: str
    licence: str | None = None
    contest: str | None = None
    unreadable: tuple[str, ...] = ()
    surprise: str | None = None


@dataclass(frozen=True, slots=True)
class Missing:
    """A benchmark that was asked for and cannot be had, or cannot be compared as text."""

    name: str
    reason: str
    contest: str | None = None


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was asked for, in the order of asking.

    Attributes:
        found: what rows can be compared with.
        missing: what cannot be had here and now.
        without_text: what no text can be compared with, wherever it is.
    """

    found: tuple[Benchmark, ...]
    missing: tuple[Missing, ...]
    without_text: tuple[Missing, ...] = ()

    def items(self) -> list[BenchmarkItem]:
        """Return all items."""
        return [item for benchmark in self.found for item in benchmark.items]

    def contests(self) -> list[str]:
        """Return the contests of all benchmarks, had or not: rows say by themselves which they are from."""
        absent = (*self.missing, *self.without_text)
        named = [*(one.contest for one in self.found), *(one.contest for one in absent)]
        return list(dict.fromkeys(contest for contest in named if contest))


def load(against: Sequence[str], directory: Path, reporter: Reporter) -> Loaded:
    """Load benchmarks.

    Args:
        against: names and groups of the registry, ``hub://owner/name``, paths of files, folders and registry files
            (``.toml``), or ``sources:`` paths of bundled files.
        directory: where relative paths start.
        reporter: where progress goes.

    Raises:
        InputError: an entry names nothing, or a file of the user's cannot be used.
    """
    known = registry()
    found: list[Benchmark] = []
    missing: list[Missing] = []
    without_text: list[Missing] = []
    for name in _expand(against, groups(known)):
        entry = known.get(name)
        if entry is None and name.endswith(".toml"):
            path = _path(name, directory, known)
            entry, name = read_entry(path), path.stem
        if entry is None:
            found.append(_given(name, directory, known))
        elif entry.not_text is not None:
            without_text.append(Missing(name, entry.not_text, entry.contest))
        elif isinstance(one := _registered(name, entry, reporter), Benchmark):
            found.append(one)
        else:
            missing.append(one)
    return Loaded(tuple(found), tuple(missing), tuple(without_text))


def sources_of(against: Sequence[str], directory: Path) -> dict[str, str]:
    """Return what identifies each benchmark's content without the Hub: a hash for files and pulled copies.

    A registered benchmark that is not pulled is given as its Hub id and revision.

    Raises:
        InputError: an entry names nothing.
    """
    known = registry()
    identified = {}
    for name in _expand(against, groups(known)):
        entry = known.get(name)
        copy = home() / name / ITEMS_FILE
        if entry is not None and entry.hub is not None:
            identified[name] = storage.sha256_file(copy) if copy.is_file() else f"{entry.hub}@{entry.revision}"
        elif name.startswith("hub://"):
            identified[name] = name
        else:
            path = Path(entry.path) if entry is not None and entry.path else _path(name, directory, known)
            files = sorted(path.rglob("*")) if path.is_dir() else [path]
            hashes = [storage.sha256_file(file) for file in files if file.is_file()]
            identified[name] = storage.sha256_text("\n".join(hashes))
    return identified


def _expand(against: Sequence[str], by_group: Mapping[str, tuple[str, ...]]) -> list[str]:
    return list(dict.fromkeys(name for entry in against for name in by_group.get(entry, (entry,))))


def _registered(name: str, entry: RegisteredBenchmark, reporter: Reporter) -> Benchmark | Missing:
    if entry.hub is None:
        benchmark = _own_file(name, entry)
    else:
        try:
            copy = read_copy(name)
            if copy is not None:
                benchmark = Benchmark(
                    name, copy.items, "pulled copy", copy.revision, copy.fingerprint, unreadable=copy.unreadable
                )
            else:
                rows, revision = hub_rows(entry.hub, entry.revision, entry.files)
                benchmark = _benchmark(name, ItemRows(name, entry.columns, rows), "hub", revision)
                reporter.note(f"{name}: {len(benchmark.items)} items from the Hub")
        except (InputError, OutsideError) as error:
            return Missing(name, str(error), entry.contest)
    differs = surprise(entry, len(benchmark.items), len(benchmark.unreadable), benchmark.fingerprint)
    return replace(benchmark, licence=entry.licence, contest=entry.contest, surprise=differs)


def _own_file(name: str, entry: RegisteredBenchmark) -> Benchmark:
    path = Path(entry.path or "")
    if not path.exists():
        raise InputError(f"benchmark {name}: {path} is gone: bring it back, or delete {name}.toml")
    if (path / "problems").is_dir():
        items = tuple(contest_folder_items(path, name))
        return Benchmark(name, items, str(path), None, fingerprint(items))
    return _benchmark(name, ItemRows(name, entry.columns, local_rows(path)), str(path), None)


def _benchmark(name: str, read: ItemRows, origin: str, revision: str | None) -> Benchmark:
    items = tuple(read.items)
    return Benchmark(name, items, origin, revision, fingerprint(items), unreadable=tuple(read.unreadable))


def _given(name: str, directory: Path, known: Iterable[str]) -> Benchmark:
    if name.startswith("hub://"):
        rows, revision = hub_rows(name.removeprefix("hub://"), "main", ())
        stem = name.rpartition("/")[2]
        benchmark = _benchmark(stem, ItemRows(stem, None, rows), name, revision)
    else:
        path = _path(name, directory, known)
        if (path / "problems").is_dir():
            items = tuple(contest_folder_items(path, path.name))
            benchmark = Benchmark(path.name, items, name, None, fingerprint(items))
        else:
            benchmark = _benchmark(path.stem, ItemRows(path.stem, None, local_rows(path)), name, None)
    if not benchmark.items:
        why = f" ({benchmark.unreadable[0]})" if benchmark.unreadable else ""
        raise InputError(
            f"{name} holds no problems{why}: give a file with a column problem, statement, question or prompt"
        )
    return benchmark


def _path(name: str, directory: Path, known: Iterable[str]) -> Path:
    path = bundled.resolve(name, directory)
    if not path.exists():
        raise InputError(
            f"against: {name!r} is no file, no benchmark and no group: give a path, a group (matharena, evaluation, "
            f"livecodebench, all) or one of {', '.join(known)}"
        )
    return path
