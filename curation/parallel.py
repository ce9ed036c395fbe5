"""Work on batches by several processes, here or of a Ray cluster; results come back in the order of the batches."""

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
from functools import partial
from types import TracebackType
from typing import Any, TypeVar

from loky import ProcessPoolExecutor

from curation.cluster import Cluster, ClusterPool
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
    killed. With a cluster all batches go there, to processes that Ray starts and ends.
    """

    def __init__(
        self,
        work: str,
        count: int | Cluster | None = None,
        *,
        items_without_help: int = 8_000,
        preparation: Preparation | None = None,
    ) -> None:
        """Say what is worked on.

        Args:
            work: what a process does, for the error when one dies: ``filters rows``.
            count: the number of processes; None for one a processor up to eight, and none for few items; a cluster for
                its processors.
            items_without_help: with no count, so many items are worked on here first: starting costs more than that.
            preparation: what each process does first.
        """
        self._work = work
        self._cluster = count if isinstance(count, Cluster) else None
        self._count = count if isinstance(count, int) else min(os.cpu_count() or 1, _MOST_WORKERS)
        self._alone = items_without_help if count is None else 0
        self._preparation = preparation
        self._done = 0
        self._pool: _Processes | ClusterPool | None = None

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(self._pool, ClusterPool):
            self._pool.close()
        elif self._pool is not None:
            self._pool.close(kill=error is not None)

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
            InputError: Ray is not installed, or the cluster's address is none.
            OutsideError: a process died, or there is no such cluster. What ``function`` raises is raised here as well.
        """
        waiting: deque[tuple[list[Item], Future[Any]]] = deque()
        for batch in batches:
            if self._cluster is None and (self._count <= 1 or self._done < self._alone):
                self._done += len(batch)
                yield batch, (here or function)(batch)
                continue
            pool = self._started()
            waiting.append((batch, pool.submit(function, batch)))
            if len(waiting) > pool.room:
                first, future = waiting.popleft()
                yield first, pool.result(future)
        while waiting:
            first, future = waiting.popleft()
            yield first, self._started().result(future)

    def _started(self) -> _Processes | ClusterPool:
        if self._pool is None:
            begin = partial(_prepare, self._preparation)
            if self._cluster is None:
                self._pool = _Processes(self._work, self._count, begin)
            else:
                self._pool = ClusterPool(self._work, self._cluster, begin)
        return self._pool


class _Processes:
    """The worker processes of this machine."""

    def __init__(self, work: str, count: int, begin: Callable[[], None]) -> None:
        self._work = work
        # The standard library's pool has its processes run the caller's own script again, unless that is guarded.
        self._pool = ProcessPoolExecutor(count, initializer=_begin, initargs=(os.getpid(), begin))
        self.room = 2 * count

    def submit(self, function: Callable[[list[Item]], Result], batch: list[Item]) -> Future[Any]:
        future: Future[Any] = self._pool.submit(function, batch)
        return future

    def result(self, future: Future[Any]) -> Any:
        try:
            return future.result()
        except BrokenProcessPool:
            raise OutsideError(
                f"a process that {self._work} was ended from outside (out of memory?): run again"
            ) from None

    def close(self, *, kill: bool) -> None:
        self._pool.shutdown(kill_workers=kill)


def _prepare(preparation: Preparation | None) -> None:
    if preparation is not None:
        preparation.function(*preparation.arguments)
    # Rows hold no cycles, and looking for some among all that was prepared takes a tenth of the time.
    gc.freeze()
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)


def _begin(parent: int, begin: Callable[[], None]) -> None:
    # Ctrl-C reaches every process of the terminal; the one that reads and writes ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    begin()


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_SECONDS_BETWEEN_LOOKS)
    os.kill(os.getpid(), signal.SIGKILL)
