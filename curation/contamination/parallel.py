"""Scans batches of rows on all processors, here or of a cluster; hits come back in the order of the rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextvars import ContextVar

from curation.cluster import Cluster
from curation.contamination.scan import Hit, RowTexts, Scanner, ScannerSettings
from curation.parallel import Preparation, Workers

_ROWS_WITHOUT_HELP = 4_000
"""So many rows are scanned here first: starting processes costs more than scanning them."""

_SCANNER: ContextVar[Scanner] = ContextVar("scanner")
"""The scanner of a worker process; set once, when the process starts."""


def scan_batches(
    batches: Iterable[list[RowTexts]], scanner: Scanner, workers: int | Cluster | None = None
) -> Iterator[list[list[Hit]]]:
    """Scan each batch and give, for each of its rows, the hits.

    Args:
        batches: rows; a few batches are in flight at a time.
        scanner: what to scan with; other processes build one from its settings.
        workers: processes to use; None for one a processor, and none for few rows; a cluster for its processors.

    Raises:
        InputError: the cluster cannot be used.
        OutsideError: a process died, or there is no such cluster.
    """
    with Workers(
        "scans rows",
        workers,
        items_without_help=_ROWS_WITHOUT_HELP,
        preparation=Preparation(_prepare, (scanner.settings,)),
    ) as pool:
        for _, hits in pool.map(_scan, batches, here=lambda batch: [scanner.scan(row) for row in batch]):
            yield hits


def _prepare(settings: ScannerSettings) -> None:
    _SCANNER.set(Scanner(settings))


def _scan(batch: list[RowTexts]) -> list[list[Hit]]:
    return _SCANNER.get().scan_all(batch)
