"""`curation audit`: which rows of a data set match which benchmark items, shown and never changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import polars as pl

from curation import storage
from curation.contamination import fields
from curation.contamination.audit_report import MOST_SHOWN, Shown, write_report
from curation.contamination.benchmarks import Loaded, load
from curation.contamination.items import KINDS, MATCH_SCHEMA, match_row
from curation.contamination.match import MATCH_VERSION, MatchOptions
from curation.contamination.parallel import scan_batches
from curation.contamination.rows import dataset_rows
from curation.contamination.scan import Hit, RowTexts, Scanner, ScannerSettings
from curation.errors import InputError, OutsideError
from curation.ingest.readers import BadRow, RawRow
from curation.json_reader import dumps
from curation.progress import Reporter, Silent, tracked
from curation.text import FOLD_VERSION

DEFAULT_AGAINST = ("matharena", "livecodebench")

_BATCH = 1_000
_UNREADABLE_SHOWN = 20
_WORST = 10


@dataclass(frozen=True)
class AuditResult:
    """What an audit found.

    Attributes:
        out: the directory with ``matches.parquet``, ``matches.jsonl``, ``summary.json`` and ``report.html``.
        summary: what ``summary.json`` says.
        worst: the hits that a reader should look at first: row, column, benchmark, item, kind, score.
        failed: a hit is of a kind that ``fail_on`` names.
    """

    out: Path
    summary: Mapping[str, object]
    worst: tuple[Mapping[str, object], ...]
    failed: bool


@dataclass
class _Counts:
    rows: int = 0
    texts: int = 0
    contaminated: int = 0
    unreadable: list[str] = field(default_factory=list)
    unreadable_total: int = 0
    columns: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    by_benchmark: Counter[tuple[str, str]] = field(default_factory=Counter)
    items_hit: set[tuple[str, str]] = field(default_factory=set)


def audit(
    dataset: str,
    out: str | Path,
    against: Sequence[str] = DEFAULT_AGAINST,
    columns: Sequence[str] = (),
    fail_on: Sequence[str] = (),
    reporter: Reporter | None = None,
    *,
    exclude_contests: Sequence[str] = (),
    options: MatchOptions | None = None,
) -> AuditResult:
    """Compare every text of a data set with every item of the benchmarks; change nothing.

    Args:
        dataset: a file, a folder or ``hub://owner/name``.
        out: the directory to write; what an earlier audit left there is replaced.
        against: benchmarks, groups, files or folders, as for `curation.contamination.benchmarks.load`.
        columns: the text columns to look at; found by their names where none is given.
        fail_on: kinds of match that make the result ``failed``; ``any`` is all of them.
        reporter: where progress goes; silent by default.
        exclude_contests: contests whose rows are hits by their name alone, beside those of the benchmarks.
        options: what the cascade leaves open.

    Raises:
        InputError: the data set, a column, a kind or a benchmark file cannot be used.
        OutsideError: none of the benchmarks can be had.
    """
    progress = reporter or Silent()
    _check_kinds(fail_on)
    if not against:
        raise InputError("--against names no benchmark: give a group, a name or a file")
    loaded = load(against, Path(), progress)
    if not loaded.found:
        raise OutsideError(
            f"none of the benchmarks can be had ({loaded.missing[0].reason}): give files, as in "
            "--against path/to/benchmark.jsonl with columns problem and answer"
        )
    contests = list(dict.fromkeys([*loaded.contests(), *exclude_contests]))
    scanner = Scanner(ScannerSettings(tuple(loaded.items()), options or MatchOptions(), tuple(contests)))
    counts = _Counts()
    target = Path(out)
    shown: list[Shown] = []
    frames: list[pl.DataFrame] = []
    hits = _hits(dataset_rows(dataset), scanner, tuple(columns), counts, progress)
    with storage.atomic_file(target / "matches.jsonl") as path, path.open("w", encoding="utf-8", newline="") as lines:
        while batch := list(islice(hits, _BATCH)):
            rows = [match_row(hit.row_id, hit.column, hit.match) for hit in batch]
            lines.writelines(dumps(row) + "\n" for row in rows)
            frames.append(pl.DataFrame(rows, schema=MATCH_SCHEMA, orient="row"))
            shown += [Shown.of(hit) for hit in batch[: MOST_SHOWN - len(shown)]]
        _check_rows(dataset, columns, counts)
    matches = pl.concat([pl.DataFrame(schema=MATCH_SCHEMA), *frames])
    storage.write_table(target / "matches.parquet", matches, MATCH_SCHEMA)
    summary = _summary(dataset, loaded, scanner, counts, contests)
    storage.write_text(target / "summary.json", dumps(summary) + "\n")
    write_report(target / "report.html", summary, shown, matches.height)
    wanted: Sequence[str] = KINDS if "any" in fail_on else fail_on
    return AuditResult(target, summary, _worst(matches), failed=any(counts.kinds[kind] for kind in wanted))


def _check_kinds(fail_on: Sequence[str]) -> None:
    for kind in fail_on:
        if kind != "any" and kind not in KINDS:
            raise InputError(f"--fail-on: {kind!r} is no kind of match: choose any, or from {', '.join(KINDS)}")


def _check_rows(dataset: str, columns: Sequence[str], counts: _Counts) -> None:
    if not counts.rows and not counts.unreadable_total:
        raise InputError(f"{dataset} holds no rows: give a data set with at least one")
    for column in columns:
        if counts.rows and not any(name == column or name.startswith(f"{column}[") for name in counts.columns):
            raise InputError(f"--column: no row has a text in a column {column!r}: check its name")
    if counts.rows and not counts.texts:
        raise InputError("no row has a text to look at: name a text column with --column")


def _hits(
    rows: Iterable[RawRow | BadRow],
    scanner: Scanner,
    columns: tuple[str, ...],
    counts: _Counts,
    reporter: Reporter,
) -> Iterator[Hit]:
    seen = tracked(rows, reporter, "auditing", None, "rows")
    for batch in scan_batches(_batches(seen, columns, counts), scanner):
        for found in batch:
            counts.contaminated += bool(found)
            for hit in found:
                counts.kinds[hit.match.kind] += 1
                counts.by_benchmark[hit.match.benchmark, hit.match.kind] += 1
                if hit.match.benchmark_id:
                    counts.items_hit.add((hit.match.benchmark, hit.match.benchmark_id))
            yield from found


def _batches(rows: Iterable[RawRow | BadRow], columns: tuple[str, ...], counts: _Counts) -> Iterator[list[RowTexts]]:
    numbered = enumerate(rows, start=1)
    while batch := list(islice(numbered, _BATCH)):
        yield [texts for number, raw in batch if (texts := _row_texts(number, raw, columns, counts)) is not None]


def _row_texts(number: int, raw: RawRow | BadRow, columns: tuple[str, ...], counts: _Counts) -> RowTexts | None:
    row = fields.as_row(raw.value) if isinstance(raw, RawRow) else None
    if row is None:
        counts.unreadable_total += 1
        if len(counts.unreadable) < _UNREADABLE_SHOWN:
            counts.unreadable.append(f"{raw.location}: {raw.reason if isinstance(raw, BadRow) else 'no object'}")
        return None
    texts = tuple((one.column, one.text) for one in fields.texts(row, columns or fields.text_columns(row)))
    counts.rows += 1
    counts.texts += len(texts)
    counts.columns.update(column for column, _ in texts)
    return RowTexts(
        row_id=fields.identifier(row) or str(number),
        texts=texts,
        answer=fields.answer(row),
        tags=tuple(fields.tags(row)),
    )


def _summary(
    dataset: str, loaded: Loaded, scanner: Scanner, counts: _Counts, contests: Sequence[str]
) -> dict[str, object]:
    return {
        "dataset": dataset,
        "rows": counts.rows,
        "rows_with_hits": counts.contaminated,
        "texts": counts.texts,
        "columns": dict(sorted(counts.columns.items())),
        "unreadable_rows": counts.unreadable_total,
        "unreadable": counts.unreadable,
        "hits_by_kind": {kind: counts.kinds[kind] for kind in KINDS if counts.kinds[kind]},
        "benchmarks": [
            {
                "name": one.name,
                "items": len(one.items),
                "items_hit": sum(1 for name, _ in counts.items_hit if name == one.name),
                "origin": one.origin,
                "revision": one.revision,
                "fingerprint": one.fingerprint,
                "licence": one.licence,
                "contest": one.contest,
                "unreadable_items": list(one.unreadable),
                "hits": {kind: number for kind in KINDS if (number := counts.by_benchmark[one.name, kind])},
            }
            for one in loaded.found
        ],
        "not_checked": [{"name": one.name, "reason": one.reason} for one in loaded.missing],
        "excluded_contests": list(contests),
        "contests_named": {key: number for key in contests if (number := counts.by_benchmark[key, "excluded_contest"])},
        "items_seen_by_method": scanner.matcher.coverage(),
        "fold_version": FOLD_VERSION,
        "match_version": MATCH_VERSION,
    }


def _worst(matches: pl.DataFrame) -> tuple[Mapping[str, object], ...]:
    """Return the hits to look at first: one a row, the surest kinds and the highest scores."""
    surest = pl.col("kind").replace_strict({kind: place for place, kind in enumerate(KINDS)}, return_dtype=pl.Int32)
    ordered = matches.sort(surest, -pl.col("score"), "row_id", "benchmark", "benchmark_id")
    worst = ordered.unique("row_id", keep="first", maintain_order=True).head(_WORST)
    return tuple(worst.select("row_id", "column", "benchmark", "benchmark_id", "kind", "score").to_dicts())
