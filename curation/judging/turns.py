"""Whose turn it is: a bounded number of programs run at a time, and one may ask to run alone."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType


class Gate:
    """Lets many runs through side by side, or one alone."""

    def __init__(self) -> None:
        self._state = threading.Condition()
        self._running = 0
        self._alone = False

    @contextmanager
    def beside_others(self) -> Iterator[None]:
        """Run beside others; wait while one runs alone."""
        with self._state:
            self._state.wait_for(lambda: not self._alone)
            self._running += 1
        try:
            yield
        finally:
            with self._state:
                self._running -= 1
                self._state.notify_all()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Run alone: keep others from starting and wait for those that run."""
        with self._state:
            self._state.wait_for(lambda: not self._alone)
            self._alone = True
            self._state.wait_for(lambda: self._running == 0)
        try:
            yield
        finally:
            with self._state:
                self._alone = False
                self._state.notify_all()


class Place:
    """A place among those that run, which is left once: at the end of the block, or before."""

    def __init__(self, places: threading.Semaphore | None) -> None:
        self._places = places

    def __enter__(self) -> Place:
        if self._places is not None:
            self._places.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()

    def leave(self) -> None:
        """Let another one run."""
        places, self._places = self._places, None
        if places is not None:
            places.release()
