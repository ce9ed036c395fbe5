"""Work on batches by several processes; results come back in the order of the batches, however many there are."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from types import TracebackType
from typing import TypeVar

from loky import ProcessPoolExecutor

from curation.errors import OutsideError

Item = TypeVar("Item")
Result = TypeVar("Result")

_MOST_WORKERS = 8
"""More would wait for the process that reads and writes, and each holds 150 MB."""


_SECONDS_BETWEEN_LOOKS = 0.5
_OBJECTS_BETWEEN_COLLECTIONS = 100_000


@dataclass(frozen=True)
class Preparation:
    """What a process does once before its first batch: a function of a module, and what it is called with."""

    function: Callable[..., None]
    arguments: tuple[object, ...] = ()


class Workers:
    """Processes that start when there is enough work for them, and end with the ``with`` block or with us.

    They end with the batches in hand when the block is left early, as by Ctrl-C, and at once when this process is
    killed.
    """

    def __init__(
        self,
        work: str,
        count: int | None = None,
        *,
        items_without_help: int = 8_000,
        preparation: Preparation | None = None,
    ) -> None:
        """Say what is worked on.

        Args:
            work: what a process does, for the error when one dies: ``filters rows``.
            count: the number of processes; None for one a processor up to eight, and none for few items.
            items_without_help: with no count, so many items are worked on here first: starting costs more than that.
            preparation: what each process does first.
        """
        self._work = work
        self._count = count if count is not None else min(os.cpu_count() or 1, _MOST_WORKERS)
        self._alone = items_without_help if count is None else 0
        self._preparation = preparation
        self._done = 0
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown(kill_workers=error is not None)

    def map(
        self,
        function: Callable[[list[Item]], Result],
        batches: Iterable[list[Item]],
        here: Callable[[list[Item]], Result] | None = None,
    ) -> Iterator[tuple[list[Item], Result]]:
        """Yield each batch with what ``function`` returns for it; a few are in flight at a time.

        Args:
            function: a function of a module, or a partial of one.
            batches: what to work on.
            here: does the same in this process, where no process has been prepared; ``function`` by default.

        Raises:
            OutsideError: a process died. What ``function`` raises is raised here as well.
        """
        waiting: deque[tuple[list[Item], Future[Result]]] = deque()
        for batch in batches:
            if self._count <= 1 or self._done < self._alone:
                self._done += len(batch)
                yield batch, (here or function)(batch)
                continue
            waiting.append((batch, self._started().submit(function, batch)))
            if len(waiting) > 2 * self._count:
                yield self._finished(*waiting.popleft())
        while waiting:
            yield self._finished(*waiting.popleft())

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # The standard library's pool has its processes run the caller's own script again, unless that is guarded.
            self._pool = ProcessPoolExecutor(self._count, initializer=_begin, initargs=(os.getpid(), self._preparation))
        return self._pool

    def _finished(self, batch: list[Item], future: Future[Result]) -> tuple[list[Item], Result]:
        try:
            return batch, future.result()
        except BrokenProcessPool:
            raise OutsideError(
                f"a process that {self._work} was ended from outside (out of memory?): run again"
            ) from None


def _begin(parent: int, preparation: Preparation | None) -> None:
    # Ctrl-C reaches every process of the terminal; the one that reads and writes ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    if preparation is not None:
        preparation.function(*preparation.arguments)
    # Rows hold no cycles, and looking for some among all that was prepared takes a tenth of the time.
    gc.freeze()
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    os.kill(os.getpid(), signal.SIGKILL)
