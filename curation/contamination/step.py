"""The step ``decontaminate``: drops rows that match a benchmark in a way the recipe names, reports other matches."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass

import polars as pl

from curation import ledger, storage
from curation.contamination.benchmarks import Loaded, load, sources_of
from curation.contamination.contests import parse
from curation.contamination.items import KINDS, MATCH_SCHEMA, Kind, match_row
from curation.contamination.match import MATCH_VERSION, MatchOptions
from curation.contamination.parallel import scan_batches
from curation.contamination.scan import Hit, RowTexts, Scanner, ScannerSettings
from curation.contamination.semantic import weights_of
from curation.errors import InputError, OutsideError
from curation.ledger import Drop
from curation.recipe import DecontaminateSection, Recipe
from curation.records import LEDGER_SCHEMA, PROBLEM_SCHEMA
from curation.steps import DROPPED, KEPT, StepContext, StepReport
from curation.text import FOLD_VERSION

_SURENESS = {kind: place for place, kind in enumerate(KINDS)}
_SPANS_IN_LEDGER = 4
_BATCH = 1_000

_REASONS: Mapping[Kind, str] = {
    "excluded_contest": "It is from a contest that is left out whole.",
    "exact": "It is a benchmark item, character for character.",
    "folded": "It is a benchmark item in another notation.",
    "embedded": "It holds a benchmark item.",
    "near": "It is a benchmark item with small changes.",
    "reworded": "It is a benchmark item in other words.",
    "translated": "It is a benchmark item in another language.",
    "numbers_changed": "It is a benchmark item with other numbers.",
    "partial": "It shares a large part with a benchmark item.",
}


class Decontaminate:
    """Drops rows that a benchmark holds."""

    name = "decontaminate"
    logic_version = 2
    keeps = KEPT
    needs = {KEPT: frozenset(PROBLEM_SCHEMA.names())}
    writes = {KEPT: frozenset(PROBLEM_SCHEMA.names()), "matches": frozenset(MATCH_SCHEMA.names())}

    def configuration(self, recipe: Recipe) -> object:
        """Return the section, the versions of fold and cascade, and what identifies each benchmark's content."""
        section = recipe.decontaminate
        return {
            **section.model_dump(mode="json"),
            "benchmarks": sources_of(section.against, recipe.directory),
            "semantic_weights": weights_of(section.semantic) if section.semantic else None,
            "fold": FOLD_VERSION,
            "match": MATCH_VERSION,
        }

    def execute(self, context: StepContext) -> StepReport:
        """Write the rows that stay, the ledger, and all matches.

        Raises:
            InputError: the recipe names a kind, contest or benchmark that there is not.
            OutsideError: a benchmark cannot be had and the recipe does not say ``missing_benchmarks = "report"``.
        """
        section = context.recipe.decontaminate
        _check(section)
        loaded = load(section.against, context.recipe.directory, context.reporter)
        if loaded.missing and section.missing_benchmarks == "fail":
            raise OutsideError(_missing_message(loaded))
        for benchmark in loaded.found if section.missing_benchmarks == "fail" else ():
            if benchmark.unreadable:
                raise InputError(
                    f"benchmark {benchmark.name}: {benchmark.unreadable[0]}: mend the row, or set "
                    '[decontaminate] missing_benchmarks = "report" to go on without it'
                )
        options = MatchOptions(section.ngram, section.ngram_unit, section.semantic)
        scanner = Scanner(ScannerSettings(tuple(loaded.items()), options, section.exclude_contests))
        kinds: Counter[str] = Counter()
        with (
            storage.open_table(context.output / f"{KEPT}.parquet", PROBLEM_SCHEMA) as kept,
            storage.open_table(context.output / f"{DROPPED}.parquet", LEDGER_SCHEMA) as dropped,
            storage.open_table(context.output / "matches.parquet", MATCH_SCHEMA) as matches,
        ):
            for batch in _scanned(context, scanner, frozenset(section.drop_kinds)):
                kept.write(batch.kept)
                dropped.write(batch.dropped)
                matches.write(batch.matches)
                kinds.update(batch.matches["kind"].to_list())
        return StepReport(findings=_findings(loaded, scanner, kinds))


@dataclass(frozen=True, slots=True)
class _Scanned:
    """A batch of rows after the scan: those that stay, the ledger of the others, and all matches."""

    kept: pl.DataFrame
    dropped: pl.DataFrame
    matches: pl.DataFrame


def _check(section: DecontaminateSection) -> None:
    for kind in section.drop_kinds:
        if kind not in KINDS:
            raise InputError(
                f"[decontaminate] drop_kinds: {kind!r} is no kind of match: choose from {', '.join(KINDS)}"
            )
    for contest in section.exclude_contests:
        parse(contest)


def _missing_message(loaded: Loaded) -> str:
    names = ", ".join(one.name for one in loaded.missing)
    return (
        f"{len(loaded.missing)} benchmarks cannot be had ({names}): pull them where the Hub can be reached, give files "
        'in [decontaminate] against, or set missing_benchmarks = "report"'
    )


def _scanned(context: StepContext, scanner: Scanner, drop_kinds: frozenset[str]) -> Iterator[_Scanned]:
    frames: deque[pl.DataFrame] = deque()
    # An embedding model takes all processors itself and is not loaded once in each process.
    workers = context.cluster if scanner.matcher.semantic_model is None else 1
    with context.reporter.task("decontaminating", None, "problems") as task:
        for scanned in scan_batches(_batches(context, frames), scanner, workers):
            frame = frames.popleft()
            rows = frame.select("problem_id", "source").to_dicts()
            found = [match_row(hit.row_id, hit.column, hit.match) for hits in scanned for hit in hits]
            deciding = [[hit for hit in hits if hit.match.kind in drop_kinds] for hits in scanned]
            gone = [
                _drop(row, min(hits, key=lambda hit: _SURENESS[hit.match.kind]))
                for row, hits in zip(rows, deciding, strict=True)
                if hits
            ]
            task.advance(frame.height)
            yield _Scanned(
                frame.filter(pl.Series([not hits for hits in deciding], dtype=pl.Boolean)),
                ledger.to_frame(gone),
                pl.DataFrame(found, schema=MATCH_SCHEMA, orient="row"),
            )


def _batches(context: StepContext, frames: deque[pl.DataFrame]) -> Iterator[list[RowTexts]]:
    """Yield rows to scan; leave each batch's frame in ``frames`` for when its hits come back, in the same order."""
    for frame in storage.iterate_table(context.tables[KEPT], PROBLEM_SCHEMA, _BATCH):
        frames.append(frame)
        yield [_row_texts(row) for row in frame.iter_rows(named=True)]


def _row_texts(row: dict[str, object]) -> RowTexts:
    def text(name: str) -> str | None:
        value = row[name]
        return value if isinstance(value, str) else None

    year = row["year"]
    return RowTexts(
        row_id=str(row["problem_id"]),
        texts=(("statement", str(row["statement"])),),
        answer=text("answer"),
        contest=text("contest"),
        year=year if isinstance(year, int) else None,
        tags=tuple(tag for name in ("url", "source", "source_id", "contest") if (tag := text(name))),
    )


def _drop(row: dict[str, object], hit: Hit) -> Drop:
    match = hit.match
    evidence: dict[str, object] = {
        "benchmark": match.benchmark,
        "item": match.benchmark_id or None,
        "kind": match.kind,
        "score": round(match.score, 4),
        "spans": [list(span) for span in match.row_spans[:_SPANS_IN_LEDGER]],
        "item_spans": [list(span) for span in match.item_spans[:_SPANS_IN_LEDGER]],
        "answers_agree": match.answers_agree,
        "detail": match.detail,
    }
    name, source = str(row["problem_id"]), str(row["source"])
    return Drop(name, source, Decontaminate.name, match.kind, _REASONS[match.kind], evidence)


def _findings(loaded: Loaded, scanner: Scanner, kinds: Mapping[str, int]) -> dict[str, object]:
    model = scanner.matcher.semantic_model
    return {
        "benchmarks checked": {
            one.name: {
                "items": len(one.items),
                "revision": one.revision,
                "fingerprint": one.fingerprint,
                "origin": one.origin,
                "unreadable_items": list(one.unreadable),
            }
            for one in loaded.found
        },
        "benchmarks not checked": {one.name: one.reason for one in (*loaded.missing, *loaded.without_text)},
        "matches by kind": {kind: kinds[kind] for kind in KINDS if kinds.get(kind)},
        "items each method can see": scanner.matcher.coverage(),
        **({} if model is None else {"embedding model": asdict(model)}),
    }
