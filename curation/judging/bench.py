"""The judge's workers: threads with a sandbox each, a program running on each core, a way to run something alone."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import TypeVar

from curation.judging.isolation import strongest
from curation.judging.levels import Isolation
from curation.judging.sandbox import Sandbox
from curation.judging.store import Store
from curation.judging.turns import Gate

Item = TypeVar("Item")
Result = TypeVar("Result")

_SPARE_THREADS = 1


class Bench:
    """Workers, their sandboxes and the store of results. Use it as a context manager.

    Args:
        store: the directory of results; None for a temporary one.
        isolation: what holds programs; None for the strongest that the machine offers.
        workers: how many programs run at a time; None for one a core. There is one thread more, so that another program
            runs while it compares and keeps what one wrote.

    Raises:
        OutsideError: the machine isolates no program.
    """

    def __init__(
        self, store: Path | None = None, isolation: Isolation | None = None, workers: int | None = None
    ) -> None:
        self.isolation = isolation or strongest()
        self.store = Store(store)
        self.gate = Gate()
        self.workers = workers or len(os.sched_getaffinity(0))
        self._places = threading.Semaphore(self.workers)
        self._threads = ThreadPoolExecutor(self.workers + _SPARE_THREADS, thread_name_prefix="judge")
        self._own = threading.local()
        self._sandboxes: list[Sandbox] = []
        self._companions: list[ThreadPoolExecutor] = []

    def __enter__(self) -> Bench:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            for sandbox in list(self._sandboxes):
                sandbox.abort()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for companion in self._companions:
            companion.shutdown(wait=True)
        for sandbox in self._sandboxes:
            sandbox.close()
        self.store.close()

    def sandbox(self) -> Sandbox:
        """Return the calling worker's sandbox. A warden dies with the thread that started it, so none is shared."""
        sandbox: Sandbox | None = getattr(self._own, "sandbox", None)
        if sandbox is None:
            # Who talks to a program runs beside it, in the same place.
            places = None if getattr(self._own, "is_companion", False) else self._places
            sandbox = self._own.sandbox = Sandbox(self.isolation, places)
            self._sandboxes.append(sandbox)
        return sandbox

    def companion(self) -> ThreadPoolExecutor:
        """Return the calling worker's companion: one thread, with a sandbox of its own, for what runs beside it."""
        companion: ThreadPoolExecutor | None = getattr(self._own, "companion", None)
        if companion is None:
            companion = self._own.companion = ThreadPoolExecutor(
                1, thread_name_prefix="judge-companion", initializer=setattr, initargs=(self._own, "is_companion", True)
            )
            self._companions.append(companion)
        return companion

    def map(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Do the work on all items, side by side; yield the results in the items' order, holding few of them."""
        waiting: list[Future[Result]] = []
        try:
            for item in items:
                waiting.append(self._threads.submit(work, item))
                if len(waiting) >= 4 * self.workers:
                    yield waiting.pop(0).result()
            while waiting:
                yield waiting.pop(0).result()
        finally:
            for future in waiting:
                future.cancel()
