"""`curation audit selftest`: what does an audit with these benchmarks find, and what does it find that is not there?

Canaries (`curation.contamination.canaries`) are planted in copies of the user's rows; the data set itself stays as it
is. Recall is the share of canaries whose item is among the hits. Clean texts are of two sorts. Benchmark items are
problems of one style, and two of them are two problems: an item that hits an item of another text is a false hit, or
two benchmarks hold variants of one problem, so that the rate is an upper bound. A user can add a data set known to be
clean, for example one older than the contests. The user's own rows are not taken for clean: whether they are is what an
audit asks.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from curation.contamination import fields
from curation.contamination.benchmarks import Loaded, load
from curation.contamination.canaries import CANARY_KINDS, NOT_PLANTED, CanaryKind, Material, named_contest
from curation.contamination.items import BenchmarkItem, Kind
from curation.contamination.match import MATCH_VERSION, MatchOptions
from curation.contamination.rows import dataset_rows, row_texts
from curation.contamination.scan import Hit, RowTexts, Scanner, ScannerSettings
from curation.contamination.selftest_result import CanaryResult, CleanResult, SelftestResult, write_selftest
from curation.errors import InputError, OutsideError
from curation.ingest.readers import RawRow
from curation.intervals import wilson
from curation.progress import Reporter, Silent, Task
from curation.text import FOLD_VERSION, fold

OWN_ROWS = 1_000
"""So many of the data set's first rows lend their texts."""

_CLEAN_ITEMS = 500
_CLEAN_ROWS = 2_000
_EXAMPLES = 5


@dataclass(frozen=True, slots=True)
class Planting:
    """How a self-test is done.

    Attributes:
        canaries: how many of each kind at most.
        seed: of every choice; the same seed gives the same bytes.
        clean: a data set known to hold none of the benchmarks.
    """

    canaries: int = 50
    seed: int = 0
    clean: str | None = None


def selftest(
    dataset: str,
    out: str | Path,
    against: Sequence[str],
    columns: Sequence[str] = (),
    reporter: Reporter | None = None,
    *,
    planting: Planting | None = None,
    options: MatchOptions | None = None,
) -> SelftestResult:
    """Plant canaries in copies of a data set's rows, look for them, and write ``selftest.json``.

    Args:
        dataset: a file, a folder or ``hub://owner/name``; its first `OWN_ROWS` rows are read.
        out: the directory to write.
        against: as for `curation.contamination.benchmarks.load`.
        columns: the text columns; found by their names where none is given.
        reporter: where progress goes; silent by default.
        planting: how many canaries, with which seed, beside which clean texts.
        options: what the cascade leaves open.

    Raises:
        InputError: the data set or a benchmark file cannot be used.
        OutsideError: none of the benchmarks can be had.
    """
    progress = reporter or Silent()
    loaded = load(against, Path(), progress)
    if not loaded.found:
        reason = (*loaded.missing, *loaded.without_text)[0].reason
        raise OutsideError(f"none of the benchmarks can be had ({reason}): give files with --against")
    settings = ScannerSettings(tuple(loaded.items()), options or MatchOptions(), tuple(loaded.contests()))
    rows = list(_rows(dataset, columns, OWN_ROWS))
    result = run(Scanner(settings), loaded, dataset, rows, planting or Planting(), progress)
    write_selftest(Path(out), result)
    return result


def run(
    scanner: Scanner,
    loaded: Loaded,
    dataset: str,
    rows: Sequence[RowTexts],
    planting: Planting,
    reporter: Reporter,
) -> SelftestResult:
    """Plant canaries and look for them with a scanner that there is already; write nothing.

    Args:
        scanner: made of the items and contests of ``loaded``.
        loaded: the benchmarks.
        dataset: its name, for the result.
        rows: rows that lend their texts.
        planting: how many canaries, with which seed, beside which clean texts.
        reporter: where progress goes.

    Raises:
        InputError: no row has a text.
    """
    bases = [row for row in rows if row.texts and row.texts[0][1].strip()]
    if not bases:
        raise InputError(f"{dataset}: no row has a text to plant in: name a text column with --column")
    garden = _Garden(scanner, bases, planting)
    with_answers = any(row.answer is not None for row in bases)
    with reporter.task("planting canaries", None, "texts") as task:
        results = [garden.plant(kind, loaded.items(), task) for kind in CANARY_KINDS]
        results.append(garden.plant_contests(loaded.contests(), task))
        found_clean = [_other_items(scanner, loaded.items(), planting.seed, with_answers, task)]
        if planting.clean is not None:
            found_clean.append(_clean_rows(scanner, planting.clean, task))
    benchmarks: Iterator[dict[str, object]] = (
        {"name": one.name, "items": len(one.items), "revision": one.revision, "fingerprint": one.fingerprint}
        for one in loaded.found
    )
    absent = (*loaded.missing, *loaded.without_text)
    return SelftestResult(
        dataset,
        planting.seed,
        tuple(benchmarks),
        tuple({"name": one.name, "reason": one.reason} for one in absent),
        tuple(results),
        tuple(found_clean),
        dict(NOT_PLANTED),
        FOLD_VERSION,
        MATCH_VERSION,
        None if scanner.matcher.semantic_model is None else scanner.matcher.semantic_model.name,
    )


class _Garden:
    """Plants canaries in copies of rows and looks for them."""

    def __init__(self, scanner: Scanner, bases: Sequence[RowTexts], planting: Planting) -> None:
        self._scanner, self._bases = scanner, bases
        self._seed, self._most = planting.seed, planting.canaries
        self._own = [row.texts[0][1] for row in bases]
        items = scanner.settings.items
        self._same: dict[str, set[tuple[str, str]]] = {}
        for item in items:
            self._same.setdefault(fold(item.text), set()).add((item.benchmark, item.benchmark_id))

    def plant(self, kind: CanaryKind, items: Sequence[BenchmarkItem], task: Task) -> CanaryResult:
        """Plant and look for canaries of one kind."""
        chance = random.Random(f"{self._seed}/{kind.name}")
        material = Material(chance, self._own)
        made = [(item, text) for item in items if (text := kind.make(item.text, material)) is not None]
        chosen = chance.sample(made, min(self._most, len(made)))
        found = named = 0
        missed: list[str] = []
        for item, text in chosen:
            base = chance.choice(self._bases)
            answer = item.answer if kind.same_problem and base.answer is not None else None
            same = self._same[fold(item.text)]
            kinds = {
                hit.match.kind
                for hit in self._scanner.scan(RowTexts("canary", ((base.texts[0][0], text),), answer))
                if (hit.match.benchmark, hit.match.benchmark_id) in same
            }
            task.advance()
            found += bool(kinds)
            named += not kind.expected.isdisjoint(kinds)
            if not kinds and len(missed) < _EXAMPLES:
                missed.append(f"{item.benchmark} {item.benchmark_id}")
        return _result(kind.name, kind.what, len(made), len(chosen), found, named, missed)

    def plant_contests(self, contests: Sequence[str], task: Task) -> CanaryResult:
        """Plant and look for rows that only say which contest they are from."""
        chance = random.Random(f"{self._seed}/contests")
        material = Material(chance, self._own)
        wanted: Kind = "excluded_contest"
        chosen = chance.sample(list(contests), min(self._most, len(contests)))
        found = 0
        missed: list[str] = []
        for contest in chosen:
            hits = self._scanner.scan(RowTexts("canary", (("text", named_contest(contest, material)),)))
            task.advance()
            if any(hit.match.kind == wanted and hit.match.benchmark == contest for hit in hits):
                found += 1
            elif len(missed) < _EXAMPLES:
                missed.append(contest)
        what = "a text of the user's rows that names the contest"
        return _result("contest named", what, len(contests), len(chosen), found, found, missed)


def _other_items(
    scanner: Scanner, items: Sequence[BenchmarkItem], seed: int, with_answers: bool, task: Task
) -> CleanResult:
    chance = random.Random(f"{seed}/clean")
    texts = {item: fold(item.text) for item in items}
    chosen = chance.sample(list(items), min(_CLEAN_ITEMS, len(items)))
    hit = 0
    examples: list[str] = []
    for item in chosen:
        row = RowTexts("clean", (("text", item.text),), item.answer if with_answers else None)
        hits = [hit.match for hit in scanner.scan(row)]
        found = [one for one in hits if one.item is not None and texts[one.item] != texts[item]]
        task.advance()
        hit += bool(found)
        if found and len(examples) < _EXAMPLES:
            first = found[0]
            examples.append(
                f"{item.benchmark} {item.benchmark_id}: {first.kind} of {first.benchmark} {first.benchmark_id}"
            )
    answers = "with" if with_answers else "without"
    what = (
        f"benchmark items {answers} their answers against all items of another text; some are variants of one problem, "
        "so that the rate is an upper bound"
    )
    return _clean("other items", what, len(chosen), hit, examples)


def _clean_rows(scanner: Scanner, dataset: str, task: Task) -> CleanResult:
    texts = hit = 0
    examples: list[str] = []
    for row in _rows(dataset, (), _CLEAN_ROWS):
        hits = scanner.scan(row)
        task.advance()
        by_column: dict[str, Hit] = {}
        for one in hits:
            by_column.setdefault(one.column, one)
        texts += len(row.texts)
        hit += len(by_column.keys() & dict(row.texts).keys())
        for one in list(by_column.values())[: _EXAMPLES - len(examples)]:
            match = one.match
            examples.append(f"row {one.row_id}: {match.kind} of {match.benchmark} {match.benchmark_id}".rstrip())
    return _clean(dataset, "a data set given as clean", texts, hit, examples)


def _rows(dataset: str, columns: Sequence[str], most: int) -> Iterator[RowTexts]:
    found: Iterable[RawRow] = (raw for raw in dataset_rows(dataset) if isinstance(raw, RawRow))
    for number, raw in enumerate(islice(found, most), start=1):
        row = fields.as_row(raw.value)
        if row is not None:
            yield row_texts(number, row, columns)


def _result(
    kind: str, what: str, items: int, planted: int, found: int, named: int, missed: Sequence[str]
) -> CanaryResult:
    share, low, high = _share(found, planted)
    return CanaryResult(kind, what, items, planted, found, named, share, low, high, tuple(missed))


def _clean(name: str, what: str, texts: int, hit: int, examples: Sequence[str]) -> CleanResult:
    share, low, high = _share(hit, texts)
    return CleanResult(name, what, texts, hit, share, low, high, tuple(examples))


def _share(part: int, whole: int) -> tuple[float | None, float | None, float | None]:
    if not whole:
        return None, None, None
    low, high = wilson(float(part), float(whole))
    return round(part / whole, 4), round(max(0.0, low), 4), round(min(1.0, high), 4)
