"""What an audit counts, and the document that ``summary.json`` holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from curation.contamination.benchmarks import Benchmark, Loaded
from curation.contamination.items import KINDS
from curation.contamination.match import MATCH_VERSION
from curation.contamination.scan import Hit
from curation.contamination.semantic import ModelIdentity
from curation.text import FOLD_VERSION

_UNREADABLE_SHOWN = 20


@dataclass
class AuditCounts:
    """What an audit counts as rows stream past."""

    rows: int = 0
    texts: int = 0
    contaminated: int = 0
    unreadable: list[str] = field(default_factory=list)
    unreadable_total: int = 0
    columns: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    by_benchmark: Counter[tuple[str, str]] = field(default_factory=Counter)
    items_hit: set[tuple[str, str]] = field(default_factory=set)
    confirmations: Counter[str] = field(default_factory=Counter)

    def add_unreadable(self, where: str) -> None:
        """Count a row that cannot be read."""
        self.unreadable_total += 1
        if len(self.unreadable) < _UNREADABLE_SHOWN:
            self.unreadable.append(where)

    def add_row(self, columns: Sequence[str]) -> None:
        """Count a row with texts in these columns."""
        self.rows += 1
        self.texts += len(columns)
        self.columns.update(columns)

    def add_hits(self, hits: Sequence[Hit]) -> None:
        """Count the hits of one row."""
        self.contaminated += bool(hits)
        for hit in hits:
            self.kinds[hit.match.kind] += 1
            self.by_benchmark[hit.match.benchmark, hit.match.kind] += 1
            if hit.match.confirmation is not None:
                self.confirmations[hit.match.confirmation] += 1
            if hit.match.benchmark_id:
                self.items_hit.add((hit.match.benchmark, hit.match.benchmark_id))


def summarise(
    dataset: str,
    loaded: Loaded,
    counts: AuditCounts,
    contests: Sequence[str],
    seen: dict[str, int],
    model: ModelIdentity | None = None,
    confirmed_by: str | None = None,
) -> dict[str, object]:
    """Return what ``summary.json`` says.

    Args:
        dataset: as the user gave it.
        loaded: the benchmarks.
        counts: what was counted.
        contests: the contests whose rows are hits by their name.
        seen: how many items each method can see at all.
        model: the embedding model in use.
        confirmed_by: who was asked about hits that are only proposed.
    """
    return {
        "dataset": dataset,
        "rows": counts.rows,
        "rows_with_hits": counts.contaminated,
        "texts": counts.texts,
        "columns": dict(sorted(counts.columns.items())),
        "unreadable_rows": counts.unreadable_total,
        "unreadable": counts.unreadable,
        "hits_by_kind": {kind: counts.kinds[kind] for kind in KINDS if counts.kinds[kind]},
        "benchmarks": [_benchmark(one, counts) for one in loaded.found],
        "not_checked": [{"name": one.name, "reason": one.reason} for one in (*loaded.missing, *loaded.without_text)],
        "to_pull": [one.name for one in loaded.missing],
        "excluded_contests": list(contests),
        "contests_named": {key: number for key in contests if (number := counts.by_benchmark[key, "excluded_contest"])},
        "items": sum(len(one.items) for one in loaded.found),
        "items_seen_by_method": seen,
        "confirmed_by": confirmed_by,
        "confirmations": dict(sorted(counts.confirmations.items())),
        "semantic_model": None if model is None else asdict(model),
        "fold_version": FOLD_VERSION,
        "match_version": MATCH_VERSION,
    }


def _benchmark(one: Benchmark, counts: AuditCounts) -> dict[str, object]:
    return {
        "name": one.name,
        "items": len(one.items),
        "items_hit": sum(1 for name, _ in counts.items_hit if name == one.name),
        "origin": one.origin,
        "revision": one.revision,
        "fingerprint": one.fingerprint,
        "licence": one.licence,
        "contest": one.contest,
        "surprise": one.surprise,
        "unreadable_items": list(one.unreadable),
        "hits": {kind: number for kind in KINDS if (number := counts.by_benchmark[one.name, kind])},
    }
