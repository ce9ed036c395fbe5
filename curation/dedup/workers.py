"""Processes that the passes over many rows share; results come back in the order of the batches."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import TypeVar

from curation.errors import OutsideError

Item = TypeVar("Item")
Result = TypeVar("Result")

_MOST_WORKERS = 8
"""More would wait for the process that reads and writes, and each holds 150 MB."""

_ITEMS_WITHOUT_HELP = 8_000
"""So many items are worked on here first: starting processes costs more than the work."""


class Workers:
    """A pool that starts when there is enough work for it."""

    def __init__(self, count: int | None = None) -> None:
        """Take the number of processes; None for one a processor up to eight, and none for few items."""
        self._count = count if count is not None else min(os.cpu_count() or 1, _MOST_WORKERS)
        self._patient = count is None
        self._done = 0
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def map(
        self, function: Callable[[Sequence[Item]], Result], batches: Iterable[Sequence[Item]]
    ) -> Iterator[tuple[Sequence[Item], Result]]:
        """Yield each batch with what ``function``, a module's own, returns for it; a few are in flight at a time.

        Raises:
            OutsideError: a process died.
        """
        waiting: deque[tuple[Sequence[Item], Future[Result]]] = deque()
        for batch in batches:
            if self._count <= 1 or (self._patient and self._done < _ITEMS_WITHOUT_HELP):
                self._done += len(batch)
                yield batch, function(batch)
                continue
            if self._pool is None:
                context = multiprocessing.get_context("forkserver")
                self._pool = ProcessPoolExecutor(self._count, mp_context=context)
            waiting.append((batch, self._pool.submit(function, batch)))
            if len(waiting) > 2 * self._count:
                yield _finished(*waiting.popleft())
        while waiting:
            yield _finished(*waiting.popleft())


def _finished(batch: Sequence[Item], future: Future[Result]) -> tuple[Sequence[Item], Result]:
    try:
        return batch, future.result()
    except BrokenProcessPool:
        raise OutsideError("a process that compares rows was ended from outside (out of memory?): run again") from None
