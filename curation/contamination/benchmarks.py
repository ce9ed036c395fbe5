"""Benchmarks with their items: from a pulled copy, from the Hub, or from a file or folder of the user's."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from curation import bundled, storage
from curation.contamination import fields
from curation.contamination.items import BenchmarkItem
from curation.contamination.registry import ItemColumns, RegisteredBenchmark, groups, home, registry
from curation.contamination.rows import hub_rows, local_rows
from curation.errors import InputError, OutsideError
from curation.ingest.readers import BadRow, RawRow
from curation.json_reader import JsonTextError, as_text, dumps, loads
from curation.progress import Reporter

_ITEMS_FILE = "items.jsonl"
_MANIFEST_FILE = "benchmark.json"


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
    """

    name: str
    items: tuple[BenchmarkItem, ...]
    origin: str
    revision: str | None
    fingerprint: str
    licence: str | None = None
    contest: str | None = None
    unreadable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Missing:
    """A benchmark that was asked for and cannot be had."""

    name: str
    reason: str
    contest: str | None = None


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was asked for, in the order of asking."""

    found: tuple[Benchmark, ...]
    missing: tuple[Missing, ...]

    def items(self) -> list[BenchmarkItem]:
        """Return all items."""
        return [item for benchmark in self.found for item in benchmark.items]

    def contests(self) -> list[str]:
        """Return the contests of the benchmarks, missing ones too: rows say by themselves which they are from."""
        named = [*(one.contest for one in self.found), *(one.contest for one in self.missing)]
        return list(dict.fromkeys(contest for contest in named if contest))


def load(against: Sequence[str], directory: Path, reporter: Reporter) -> Loaded:
    """Load benchmarks.

    Args:
        against: names and groups of the registry, ``hub://owner/name``, paths, or ``sources:`` paths of bundled files.
        directory: where relative paths start.
        reporter: where progress goes.

    Raises:
        InputError: an entry names nothing, or a file of the user's cannot be used.
    """
    known = registry()
    found: list[Benchmark] = []
    missing: list[Missing] = []
    for name in _expand(against, groups(known)):
        if name in known:
            one = _registered(name, known[name], reporter)
            if isinstance(one, Benchmark):
                found.append(one)
            else:
                missing.append(one)
        else:
            found.append(_given(name, directory, known))
    return Loaded(tuple(found), tuple(missing))


def sources_of(against: Sequence[str], directory: Path) -> dict[str, str]:
    """Return what identifies each benchmark's content without the Hub: a hash for files and pulled copies.

    A registered benchmark that is not pulled is given as its Hub id and revision.

    Raises:
        InputError: an entry names nothing.
    """
    known = registry()
    identified = {}
    for name in _expand(against, groups(known)):
        if name in known:
            copy = home() / name / _ITEMS_FILE
            identified[name] = (
                storage.sha256_file(copy) if copy.is_file() else f"{known[name].hub}@{known[name].revision}"
            )
        elif name.startswith("hub://"):
            identified[name] = name
        else:
            path = _path(name, directory, known)
            files = sorted(path.rglob("*")) if path.is_dir() else [path]
            hashes = [storage.sha256_file(file) for file in files if file.is_file()]
            identified[name] = storage.sha256_text("\n".join(hashes))
    return identified


def pull(name: str, reporter: Reporter) -> Path:
    """Fetch a registered benchmark from the Hub into the user's data directory; return its folder.

    Raises:
        InputError: the registry has no such benchmark, or its rows are not as the registry says.
        OutsideError: the Hub cannot be reached.
    """
    known = registry()
    if name not in known:
        raise InputError(f"no benchmark is called {name!r}: choose one of {', '.join(known)}")
    benchmark = known[name]
    rows, revision = hub_rows(benchmark.hub, benchmark.revision, benchmark.files)
    items = _Items(name, benchmark.columns, rows).items
    if not items:
        raise InputError(f"{benchmark.hub} has no rows with a column {benchmark.columns.problem!r}: mend {name}.toml")
    folder = home() / name
    lines = "".join(
        dumps({"id": item.benchmark_id, "problem": item.text, "answer": item.answer}) + "\n" for item in items
    )
    storage.write_text(folder / _ITEMS_FILE, lines)
    manifest = {"hub": benchmark.hub, "revision": revision, "items": len(items), "fingerprint": fingerprint(items)}
    storage.write_text(folder / _MANIFEST_FILE, dumps(manifest) + "\n")
    reporter.note(f"{name}: {len(items)} items at revision {revision}, in {folder}")
    return folder


def fingerprint(items: Iterable[BenchmarkItem]) -> str:
    """Return the SHA-256 over identifiers, texts and answers, in order."""
    digest = hashlib.sha256()
    for item in items:
        digest.update(dumps([item.benchmark_id, item.text, item.answer]).encode() + b"\n")
    return digest.hexdigest()


def _expand(against: Sequence[str], by_group: Mapping[str, tuple[str, ...]]) -> list[str]:
    return list(dict.fromkeys(name for entry in against for name in by_group.get(entry, (entry,))))


def _registered(name: str, benchmark: RegisteredBenchmark, reporter: Reporter) -> Benchmark | Missing:
    folder = home() / name
    if (folder / _ITEMS_FILE).is_file():
        return _pulled(name, benchmark, folder)
    try:
        rows, revision = hub_rows(benchmark.hub, benchmark.revision, benchmark.files)
        read = _Items(name, benchmark.columns, rows)
    except (InputError, OutsideError) as error:
        return Missing(name, str(error), benchmark.contest)
    reporter.note(f"{name}: {len(read.items)} items from the Hub")
    return replace(read.benchmark("hub", revision), licence=benchmark.licence, contest=benchmark.contest)


def _pulled(name: str, benchmark: RegisteredBenchmark, folder: Path) -> Benchmark:
    items = tuple(
        BenchmarkItem(name, str(row["id"]), str(row["problem"]), as_text(row.get("answer")))
        for row in _json_lines(folder / _ITEMS_FILE)
    )
    manifest = next(iter(_json_lines(folder / _MANIFEST_FILE)), {})
    revision = as_text(manifest.get("revision"))
    return Benchmark(name, items, "pulled copy", revision, fingerprint(items), benchmark.licence, benchmark.contest)


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


class _Items:
    """The items of a benchmark's rows, and which rows are none.

    Args:
        name: the benchmark's.
        columns: what its columns are called; found by their names where that is not given.
        rows: its rows.
    """

    def __init__(self, name: str, columns: ItemColumns | None, rows: Iterable[RawRow | BadRow]) -> None:
        self.name = name
        self.items: list[BenchmarkItem] = []
        self.unreadable: list[str] = []
        for number, raw in enumerate(rows, start=1):
            row = fields.as_row(raw.value) if isinstance(raw, RawRow) else None
            if row is None:
                self.unreadable.append(f"{raw.location}: {raw.reason if isinstance(raw, BadRow) else 'no object'}")
                continue
            problem, identifier, answer = self._read(row, columns)
            if problem is None or not problem.strip():
                self.unreadable.append(f"{raw.location}: no problem in it")
                continue
            self.items.append(BenchmarkItem(name, identifier or str(number), problem, answer))

    @staticmethod
    def _read(row: fields.Row, columns: ItemColumns | None) -> tuple[str | None, str | None, str | None]:
        if columns is None:
            return fields.problem_text(row), fields.identifier(row), fields.answer(row)
        return (
            as_text(row.get(columns.problem)),
            as_text(row.get(columns.id)) if columns.id else None,
            as_text(row.get(columns.answer)) if columns.answer else None,
        )

    def benchmark(self, origin: str, revision: str | None) -> Benchmark:
        """Return the benchmark; its licence and contest are the caller's to add."""
        items = tuple(self.items)
        return Benchmark(self.name, items, origin, revision, fingerprint(items), unreadable=tuple(self.unreadable))


def _given(name: str, directory: Path, known: Iterable[str]) -> Benchmark:
    if name.startswith("hub://"):
        rows, revision = hub_rows(name.removeprefix("hub://"), "main", ())
        benchmark = _Items(name.rpartition("/")[2], None, rows).benchmark(name, revision)
    else:
        path = _path(name, directory, known)
        if (path / "problems").is_dir():
            items = tuple(_folder_items(path))
            benchmark = Benchmark(path.name, items, name, None, fingerprint(items))
        else:
            benchmark = _Items(path.stem, None, local_rows(path)).benchmark(name, None)
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


def _folder_items(folder: Path) -> Iterator[BenchmarkItem]:
    answers = _answers(folder / "answers.csv")
    files = [path for path in (folder / "problems").iterdir() if path.suffix == ".tex"]
    for path in sorted(files, key=lambda file: (len(file.stem), file.stem)):
        try:
            text = path.read_text(encoding="utf-8").strip()
        except UnicodeDecodeError:
            raise InputError(f"{path} is not UTF-8: convert it") from None
        yield BenchmarkItem(folder.name, path.stem, text, answers.get(path.stem))


def _answers(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, skipinitialspace=True))
    if rows and not {"id", "answer"} <= set(rows[0]):
        raise InputError(f"{path} has no columns id and answer: add its header line")
    return {row["id"].strip(): row["answer"].strip() for row in rows if row["answer"] is not None}
