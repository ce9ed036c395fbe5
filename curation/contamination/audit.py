"""`curation audit`: which rows of a data set match which benchmark items, shown and never changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import polars as pl

from curation import storage
from curation.cluster import Cluster
from curation.contamination import fields
from curation.contamination.audit_report import Gallery, write_report
from curation.contamination.audit_summary import AuditCounts, summarise
from curation.contamination.benchmarks import load
from curation.contamination.confirmation import Confirmer, with_confirmations
from curation.contamination.items import KINDS, MATCH_SCHEMA, match_row
from curation.contamination.match import MatchOptions
from curation.contamination.parallel import scan_batches
from curation.contamination.rows import dataset_rows, row_texts
from curation.contamination.scan import Hit, RowTexts, Scanner, ScannerSettings
from curation.contamination.selftest import OWN_ROWS, Planting
from curation.contamination.selftest import run as run_selftest
from curation.contamination.selftest_result import SelftestResult, write_selftest
from curation.errors import InputError, OutsideError
from curation.ingest.readers import BadRow, RawRow
from curation.json_reader import dumps
from curation.progress import Reporter, Silent, tracked

DEFAULT_AGAINST = ("matharena", "livecodebench")

_BATCH = 1_000
_WORST = 10


@dataclass(frozen=True)
class AuditResult:
    """What an audit found.

    Attributes:
        out: the directory with ``matches.parquet``, ``matches.jsonl``, ``summary.json`` and ``report.html``.
        summary: what ``summary.json`` says.
        worst: the hits that a reader should look at first: row, column, benchmark, item, kind, score.
        failed: a hit is of a kind that ``fail_on`` names.
        selftest: what a self-test found; None where none was asked for.
    """

    out: Path
    summary: Mapping[str, object]
    worst: tuple[Mapping[str, object], ...]
    failed: bool
    selftest: SelftestResult | None = None


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
    planting: Planting | None = None,
    cluster: Cluster | None = None,
    confirmer: Confirmer | None = None,
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
        planting: do a self-test too, in copies of the first rows, and put it into the report.
        cluster: look at the rows there instead of in the processes of this machine; the result is the same.
        confirmer: is asked about hits that are only proposed; each keeps its place, with what was said.

    Raises:
        InputError: the data set, a column, a kind or a benchmark file cannot be used.
        OutsideError: none of the benchmarks can be had.
    """
    progress = reporter or Silent()
    check_kinds(fail_on)
    if cluster is not None and options is not None and options.semantic is not None:
        raise InputError("--semantic works on this machine alone: leave out --ray, or --semantic")
    if not against:
        raise InputError("--against names no benchmark: give a group, a name or a file")
    given = dataset_rows(dataset)
    loaded = load(against, Path(), progress)
    if not loaded.found:
        reason = (*loaded.missing, *loaded.without_text)[0].reason
        raise OutsideError(
            f"none of the benchmarks can be had ({reason}): give files, as in --against path/to/benchmark.jsonl with "
            "columns problem and answer"
        )
    contests = list(dict.fromkeys([*loaded.contests(), *exclude_contests]))
    scanner = Scanner(ScannerSettings(tuple(loaded.items()), options or MatchOptions(), tuple(contests)))
    counts = AuditCounts()
    target = Path(out)
    gallery = Gallery()
    worst = pl.DataFrame(schema=MATCH_SCHEMA)
    lenders: list[RowTexts] = []
    hits = _hits(given, scanner, tuple(columns), counts, progress, lenders, cluster, confirmer)
    with (
        storage.atomic_file(target / "matches.jsonl") as path,
        path.open("w", encoding="utf-8", newline="") as lines,
        storage.open_table(target / "matches.parquet", MATCH_SCHEMA) as table,
    ):
        while batch := list(islice(hits, _BATCH)):
            rows = [match_row(hit.row_id, hit.column, hit.match) for hit in batch]
            lines.writelines(dumps(row) + "\n" for row in rows)
            matches = pl.DataFrame(rows, schema=MATCH_SCHEMA, orient="row")
            table.write(matches)
            worst = _worst(pl.concat([worst, matches]))
            for hit in batch:
                gallery.add(hit)
        _check_rows(dataset, columns, counts)
    tested = None
    if planting is not None:
        tested = run_selftest(scanner, loaded, dataset, lenders, planting, progress)
        write_selftest(target, tested)
    summary = summarise(
        dataset,
        loaded,
        counts,
        contests,
        scanner.matcher.coverage(),
        scanner.matcher.semantic_model,
        None if confirmer is None else confirmer.name,
    )
    storage.write_text(target / "summary.json", dumps(summary) + "\n")
    write_report(target / "report.html", summary, gallery, tested)
    wanted: Sequence[str] = KINDS if "any" in fail_on else fail_on
    failed = any(counts.kinds[kind] for kind in wanted)
    shown = worst.select("row_id", "column", "benchmark", "benchmark_id", "kind", "score").to_dicts()
    return AuditResult(target, summary, tuple(shown), failed, tested)


def check_kinds(fail_on: Sequence[str]) -> None:
    """Check what ``--fail-on`` names.

    Raises:
        InputError: it is no kind of match.
    """
    for kind in fail_on:
        if kind != "any" and kind not in KINDS:
            raise InputError(f"--fail-on: {kind!r} is no kind of match: choose any, or from {', '.join(KINDS)}")


def _check_rows(dataset: str, columns: Sequence[str], counts: AuditCounts) -> None:
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
    counts: AuditCounts,
    reporter: Reporter,
    lenders: list[RowTexts],
    cluster: Cluster | None,
    confirmer: Confirmer | None,
) -> Iterator[Hit]:
    """Yield the hits of all rows in their order; leave the first rows in ``lenders`` for a self-test."""
    seen = tracked(rows, reporter, "auditing", None, "rows")
    # An embedding model takes all processors itself and is not loaded once in each process.
    workers = cluster if scanner.matcher.semantic_model is None else 1
    for batch in scan_batches(_batches(seen, columns, counts, lenders), scanner, workers):
        for found in batch if confirmer is None else with_confirmations(batch, confirmer):
            counts.add_hits(found)
            yield from found


def _batches(
    rows: Iterable[RawRow | BadRow], columns: tuple[str, ...], counts: AuditCounts, lenders: list[RowTexts]
) -> Iterator[list[RowTexts]]:
    numbered = enumerate(rows, start=1)
    while batch := list(islice(numbered, _BATCH)):
        texts = [found for number, raw in batch if (found := _row_texts(number, raw, columns, counts)) is not None]
        lenders += texts[: OWN_ROWS - len(lenders)]
        yield texts


def _row_texts(number: int, raw: RawRow | BadRow, columns: tuple[str, ...], counts: AuditCounts) -> RowTexts | None:
    row = fields.as_row(raw.value) if isinstance(raw, RawRow) else None
    if row is None:
        counts.add_unreadable(f"{raw.location}: {raw.reason if isinstance(raw, BadRow) else 'no object'}")
        return None
    found = row_texts(number, row, columns)
    counts.add_row([column for column, _ in found.texts])
    return found


def _worst(matches: pl.DataFrame) -> pl.DataFrame:
    """Return the hits to look at first: one a row, the surest kinds and the highest scores."""
    surest = pl.col("kind").replace_strict({kind: place for place, kind in enumerate(KINDS)}, return_dtype=pl.Int32)
    ordered = matches.sort(surest, -pl.col("score"), "row_id", "benchmark", "benchmark_id", maintain_order=True)
    return ordered.unique("row_id", keep="first", maintain_order=True).head(_WORST)
