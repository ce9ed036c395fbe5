"""Scans batches of rows on all processors; hits come back in the order of the rows, however many there are."""

from __future__ import annotations

import gc
import multiprocessing
import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from contextvars import ContextVar

from curation.contamination.scan import Hit, RowTexts, Scanner, ScannerSettings
from curation.errors import OutsideError

_ROWS_WITHOUT_HELP = 4_000
"""So many rows are scanned here first: starting processes costs more than scanning them."""

_SCANNER: ContextVar[Scanner] = ContextVar("scanner")
"""The scanner of a worker process; set once, when the process starts."""


def scan_batches(
    batches: Iterable[list[RowTexts]], scanner: Scanner, workers: int | None = None
) -> Iterator[list[list[Hit]]]:
    """Scan each batch and give, for each of its rows, the hits.

    Args:
        batches: rows; a few batches are in flight at a time.
        scanner: what to scan with; other processes build one from its settings.
        workers: processes to use; None for one a processor, and none for few rows.

    Raises:
        OutsideError: a process died.
    """
    count = workers if workers is not None else os.cpu_count() or 1
    done = 0
    with ExitStack() as stack:
        pool: ProcessPoolExecutor | None = None
        waiting: deque[Future[list[list[Hit]]]] = deque()
        for batch in batches:
            if count <= 1 or (workers is None and done < _ROWS_WITHOUT_HELP):
                yield scanner.scan_all(batch)
                done += len(batch)
                continue
            if pool is None:
                context = multiprocessing.get_context("forkserver")
                pool = stack.enter_context(ProcessPoolExecutor(count, context, _prepare, (scanner.settings,)))
            waiting.append(pool.submit(_scan, batch))
            if len(waiting) > 2 * count:
                yield _result(waiting.popleft())
        while waiting:
            yield _result(waiting.popleft())


def _prepare(settings: ScannerSettings) -> None:
    _SCANNER.set(Scanner(settings))
    # The index stays until the process ends: the collector need not look at it again and again.
    gc.freeze()


def _scan(batch: list[RowTexts]) -> list[list[Hit]]:
    return _SCANNER.get().scan_all(batch)


def _result(future: Future[list[list[Hit]]]) -> list[list[Hit]]:
    try:
        return future.result()
    except BrokenProcessPool:
        raise OutsideError("a process that scans rows was ended from outside (out of memory?): run again") from None
