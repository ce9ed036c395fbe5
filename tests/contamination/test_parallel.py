"""Scanning on several processes."""

from __future__ import annotations

from copy import deepcopy
from typing import NoReturn

import pytest

from curation.contamination.items import BenchmarkItem
from curation.contamination.parallel import scan_batches
from curation.contamination.scan import RowTexts, Scanner, ScannerSettings

ITEM = BenchmarkItem(
    "own", "1", "A kite has diagonals of length 24 and 35. Find the area of the kite in square units.", "420"
)
ROWS = [
    RowTexts(str(number), (("problem", ITEM.text if number % 5 == 0 else f"Name the number after {number}."),), "420")
    for number in range(40)
]


def test_hits_are_the_same_and_in_order_on_one_and_on_two_processes() -> None:
    scanner = Scanner(ScannerSettings((ITEM,), exclude_contests=("aime-2025",)))
    batches = [ROWS[:7], ROWS[7:23], [], ROWS[23:]]
    alone = list(scan_batches(batches, scanner, workers=1))
    together = list(scan_batches(batches, scanner, workers=2))
    assert alone == together
    assert [len(batch) for batch in alone] == [7, 16, 0, 17]
    assert [hit.row_id for batch in alone for row in batch for hit in row] == [
        str(number) for number in range(0, 40, 5)
    ]


def test_another_process_gets_the_index_and_does_not_build_it(monkeypatch: pytest.MonkeyPatch) -> None:
    scanner = Scanner(ScannerSettings((ITEM,)))
    hits = scanner.scan_all(ROWS)
    sent = deepcopy(scanner.settings)

    def build(items: object) -> NoReturn:
        raise AssertionError("built again")

    monkeypatch.setattr("curation.contamination.scan.Index", build)
    assert Scanner(sent).scan_all(ROWS) == hits
