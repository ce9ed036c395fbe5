"""Recall and false hits of the audit on labelled cases, by kind, with and without answers.

The folder holds ``cases.jsonl`` (id, text, answer, contaminated, kind, benchmark, benchmark_idx), ``benchmarks.jsonl``
(benchmark, id, problem, answer). Where it holds ``resolve.py`` and ``bench.py`` instead, which fill in texts that the
cases only point at, those are asked.

    python benchmarks/contamination_cases.py FOLDER [--semantic MODEL]
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from curation.contamination.agreement import read_answer
from curation.contamination.index import Index
from curation.contamination.items import BenchmarkItem, Match
from curation.contamination.match import Matcher, MatchOptions
from curation.json_reader import loads

Case = Mapping[str, Any]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--semantic", metavar="MODEL")
    arguments = parser.parse_args()
    cases, items = _load(arguments.folder)
    matcher = Matcher(Index(items), MatchOptions(semantic=arguments.semantic))
    console = Console()
    for title, with_answers in (("with answers", True), ("without answers", False)):
        answers = [read_answer(case["answer"]) if with_answers else None for case in cases]
        hits = matcher.match_all([case["text"] for case in cases], answers)
        console.print(_table(title, cases, hits))


def _table(title: str, cases: Sequence[Case], hits: Sequence[Sequence[Match]]) -> Table:
    rows: dict[tuple[bool, str], Counter[str]] = defaultdict(Counter)
    for case, found in zip(cases, hits, strict=True):
        row = rows[bool(case["contaminated"]), case["kind"]]
        own = [match for match in found if not case["contaminated"] or _is_own(match, case)]
        row["cases"] += 1
        row["found"] += bool(own)
        row[own[0].kind if own else "nothing"] += 1
    table = Table("case", "should be found", "cases", "found", "as", title=title)
    for (contaminated, kind), row in sorted(rows.items(), reverse=True):
        kinds = ", ".join(f"{name} {count}" for name, count in row.most_common() if name not in {"cases", "found"})
        table.add_row(kind, "yes" if contaminated else "no", str(row["cases"]), str(row["found"]), kinds)
    return table


def _is_own(match: Match, case: Case) -> bool:
    return match.benchmark == case["benchmark"] and match.benchmark_id == str(case["benchmark_idx"])


def _load(folder: Path) -> tuple[Sequence[Case], list[BenchmarkItem]]:
    if not (folder / "resolve.py").is_file():
        cases = [_object(line) for line in (folder / "cases.jsonl").read_text(encoding="utf-8").splitlines()]
        rows = [_object(line) for line in (folder / "benchmarks.jsonl").read_text(encoding="utf-8").splitlines()]
        return cases, [BenchmarkItem(row["benchmark"], str(row["id"]), row["problem"], row["answer"]) for row in rows]
    sys.path.insert(0, str(folder))
    resolved = importlib.import_module("resolve").load(str(folder / "cases.jsonl"))
    benchmark = importlib.import_module("bench").benchmark
    names = sorted({case["benchmark"] for case in resolved if case["benchmark"]})
    return resolved, [
        BenchmarkItem(name, str(number), item["problem"], item["answer"])
        for name in names
        for number, item in benchmark(name).items()
    ]


def _object(line: str) -> dict[str, Any]:
    value = loads(line)
    if not isinstance(value, dict):
        raise SystemExit(f"no object: {line[:80]}")
    return value


if __name__ == "__main__":
    main()
