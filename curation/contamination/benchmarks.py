"""Benchmarks with their items: from a pulled copy, from the Hub, or from a file or folder of the user's."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from curation import bundled, storage
from curation.contamination import fields
from curation.contamination.items import BenchmarkItem
from curation.contamination.registry import RegisteredBenchmark, groups, home, registry
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
    """

    name: str
    items: tuple[BenchmarkItem, ...]
    origin: str
    revision: str | None
    fingerprint: str
    licence: str | None = None
    contest: str | None = None


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
    items = list(_registered_items(name, benchmark, rows))
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
        items = tuple(_registered_items(name, benchmark, rows))
    except (InputError, OutsideError) as error:
        return Missing(name, str(error), benchmark.contest)
    reporter.note(f"{name}: {len(items)} items from the Hub")
    return Benchmark(name, items, "hub", revision, fingerprint(items), benchmark.licence, benchmark.contest)


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


def _registered_items(
    name: str, benchmark: RegisteredBenchmark, rows: Iterable[RawRow | BadRow]
) -> Iterator[BenchmarkItem]:
    columns = benchmark.columns
    for number, row in enumerate(_good(rows), start=1):
        text = as_text(row.get(columns.problem))
        if text is None or not text.strip():
            continue
        identifier = as_text(row.get(columns.id)) if columns.id else None
        answer = as_text(row.get(columns.answer)) if columns.answer else None
        yield BenchmarkItem(name, identifier or str(number), text, answer)


def _good(rows: Iterable[RawRow | BadRow]) -> Iterator[fields.Row]:
    for raw in rows:
        if isinstance(raw, BadRow):
            raise InputError(f"{raw.location}: {raw.reason}: a benchmark must be whole, mend the row")
        row = fields.as_row(raw.value)
        if row is None:
            raise InputError(f"{raw.location} is no object: a benchmark's row must have named columns")
        yield row


def _given(name: str, directory: Path, known: Iterable[str]) -> Benchmark:
    if name.startswith("hub://"):
        rows, revision = hub_rows(name.removeprefix("hub://"), "main", ())
        items = tuple(_detected_items(name.rpartition("/")[2], rows))
        origin = name
    else:
        path = _path(name, directory, known)
        revision, origin = None, name
        if (path / "problems").is_dir():
            items = tuple(_folder_items(path))
        else:
            items = tuple(_detected_items(path.stem, local_rows(path)))
    if not items:
        raise InputError(f"{name} holds no problems: give a file with a column problem, statement, question or prompt")
    return Benchmark(items[0].benchmark, items, origin, revision, fingerprint(items))


def _path(name: str, directory: Path, known: Iterable[str]) -> Path:
    path = bundled.resolve(name, directory)
    if not path.exists():
        raise InputError(
            f"against: {name!r} is no file, no benchmark and no group: give a path, a group (matharena, evaluation, "
            f"livecodebench, all) or one of {', '.join(known)}"
        )
    return path


def _detected_items(name: str, rows: Iterable[RawRow | BadRow]) -> Iterator[BenchmarkItem]:
    for number, row in enumerate(_good(rows), start=1):
        text = fields.problem_text(row)
        if text is not None and text.strip():
            yield BenchmarkItem(name, fields.identifier(row) or str(number), text, fields.answer(row))


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
