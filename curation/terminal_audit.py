"""What the commands about contamination print: audits, their comparison, self-tests and benchmarks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.console import Console

from curation.terminal import print_json, print_table

if TYPE_CHECKING:
    from curation.contamination.audit import AuditResult
    from curation.contamination.diff import AuditDiff
    from curation.contamination.own_benchmarks import Added
    from curation.contamination.pulled import Listed, Pull
    from curation.contamination.selftest_result import CanaryResult, CleanResult, SelftestResult

_SHOWN_HITS = 20


def show_audit(result: AuditResult, json: bool) -> None:
    """Print what an audit found: items and hits of each benchmark, the worst rows, what was not checked."""
    summary = result.summary
    if json:
        print_json({"out": result.out, "failed": result.failed, **summary, "selftest": result.selftest})
        return
    benchmarks = _objects(summary["benchmarks"])
    kinds = list(dict.fromkeys(kind for row in benchmarks for kind in _object(row["hits"])))
    rows = [
        (row["name"], row["items"], row["items_hit"], *(_object(row["hits"]).get(kind, 0) for kind in kinds))
        for row in benchmarks
    ]
    contests = _object(summary["contests_named"])
    print_table("Benchmarks", ("benchmark", "items", "items hit", *kinds), rows)
    if contests:
        print_table("Rows of excluded contests", ("contest", "rows"), contests.items())
    if result.worst:
        print_table("Look at these first", list(result.worst[0]), [list(row.values()) for row in result.worst])
    if result.selftest is not None:
        _print_selftest(result.selftest)
    missing = _objects(summary["not_checked"])
    if missing:
        print_table("Not checked", ("benchmark", "why"), [(row["name"], row["reason"]) for row in missing])
    for row in benchmarks:
        if row.get("surprise"):
            _say(f"{row['name']} is not what the registry says: {row['surprise']}")
    if summary["to_pull"]:
        names = summary["to_pull"]
        joined = " ".join(map(str, names)) if isinstance(names, list | tuple) else ""
        _say(f"Where the Hub can be reached: curation benchmarks pull {joined}")
    if summary["confirmed_by"] is not None:
        said = ", ".join(f"{answer} {count}" for answer, count in _object(summary["confirmations"]).items())
        _say(f"one problem, asked of {summary['confirmed_by']}: {said or 'nothing to ask about'}")
    seen = f"{summary['rows_with_hits']:,} of {summary['rows']:,} rows have hits"
    unreadable = f"; {summary['unreadable_rows']:,} rows could not be read" if summary["unreadable_rows"] else ""
    _say(f"{seen}{unreadable}. Report: {result.out / 'report.html'}")


def show_selftest(result: SelftestResult, file: str, json: bool) -> None:
    """Print recall by kind of canary and the false-hit rate, with intervals."""
    if json:
        print_json(result)
        return
    _print_selftest(result)
    for row in result.not_checked:
        _say(f"not checked: {row['name']}: {row['reason']}")
    _say(f"Result: {file}")


def _print_selftest(result: SelftestResult) -> None:
    print_table(
        f"Self-test: canaries (seed {result.seed})",
        ("kind", "items it fits", "planted", "found", "called by name", "recall", "95 % interval"),
        [_canary_row(one) for one in result.canaries],
    )
    print_table(
        "Self-test: clean texts", ("texts", "looked at", "with a hit", "rate", "95 % interval"),
        [_clean_row(one) for one in result.clean],
    )  # fmt: skip
    for name, reason in result.not_planted.items():
        _say(f"not planted: {name}: {reason}")
    if result.semantic_model is not None:
        _say(f"embedding model: {result.semantic_model}")


def _canary_row(one: CanaryResult) -> tuple[object, ...]:
    return one.kind, one.items, one.planted, one.found, one.named, _percent(one.recall), _interval(one.low, one.high)


def _clean_row(one: CleanResult) -> tuple[object, ...]:
    return one.name, one.texts, one.hit, _percent(one.rate), _interval(one.low, one.high)


def show_diff(diff: AuditDiff, json: bool) -> None:
    """Print what appeared, vanished and changed between two audits, by benchmark."""
    if json:
        print_json(diff)
        return
    rows = [(one.name, one.before, one.after, one.appeared, one.vanished, one.changed) for one in diff.benchmarks]
    columns = ("benchmark", "hits before", "hits after", "appeared", "vanished", "changed kind")
    print_table("Hits, by benchmark", columns, rows)
    hits = [
        (one.change, one.row_id, one.column, one.benchmark, one.benchmark_id, one.kind_before, one.kind_after)
        for one in diff.hits[:_SHOWN_HITS]
    ]
    if hits:
        print_table("Hits", ("change", "row", "column", "benchmark", "item", "before", "after"), hits)
    if len(diff.hits) > _SHOWN_HITS:
        _say(f"and {len(diff.hits) - _SHOWN_HITS:,} more: --json lists all")
    if diff.not_compared:
        left_out = [(one.name, one.reason) for one in diff.not_compared]
        print_table("Not compared", ("benchmark", "why"), left_out)
    for note in diff.notes:
        _say(f"Note: {note}")


def show_benchmarks(listed: Sequence[Listed], json: bool) -> None:
    """Print the registry and what of it is pulled."""
    if json:
        print_json(listed)
        return
    rows = [
        (one.name, one.items, one.date, one.licence, (one.revision or "")[:12], one.copy, one.fingerprint)
        for one in listed
    ]
    print_table("Benchmarks", ("name", "items", "date", "licence", "revision", "copy", "fingerprint"), rows)
    pulled = sum(one.copy == "pulled" for one in listed)
    _say(f"{len(listed)} benchmarks, {pulled} pulled. `curation benchmarks pull NAME` or `--all` fetches the texts.")


def show_pulls(pulls: Sequence[Pull], json: bool) -> None:
    """Print what became of benchmarks that were to be pulled."""
    if json:
        print_json(pulls)
        return
    rows = [(one.name, one.state, one.items, (one.revision or "")[:12], one.detail or "") for one in pulls]
    print_table("Benchmarks", ("name", "state", "items", "revision", "detail"), rows)


def show_added(added: Added, json: bool) -> None:
    """Print where a new registry file is and how an audit uses it."""
    if json:
        print_json(added)
        return
    for line in added.unreadable:
        _say(f"not an item: {line}")
    given = added.name if added.by_name else added.file
    _say(f"{added.name}: {added.items:,} items in {added.file}. Use it: curation audit DATASET --against {given}")


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def _interval(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"{100 * low:.1f} to {100 * high:.1f} %"


def _object(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _objects(value: object) -> list[Mapping[str, object]]:
    return [_object(item) for item in value] if isinstance(value, list | tuple) else []


def _say(line: str) -> None:
    Console(soft_wrap=True).print(line, markup=False, highlight=False)
