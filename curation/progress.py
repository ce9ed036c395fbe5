"""Progress of long work: a Rich bar with rate and time left on a terminal, plain lines where there is none."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn

Item = TypeVar("Item")

_SECONDS_BETWEEN_LINES = 10.0


class Task(Protocol):
    """One counted piece of work."""

    def advance(self, amount: int = 1) -> None:
        """Count ``amount`` more units as done."""


class Reporter(Protocol):
    """Where progress goes."""

    def note(self, message: str) -> None:
        """Show one line."""

    def task(self, description: str, total: int | None, unit: str) -> AbstractContextManager[Task]:
        """Open a counted piece of work, ``total`` units long where that is known."""


class Silent:
    """Shows nothing: for `--json` and for library use."""

    def note(self, message: str) -> None:
        """Drop the line."""

    @contextmanager
    def task(self, description: str, total: int | None, unit: str) -> Iterator[Task]:
        """Count nothing."""
        yield _SilentTask()


class _SilentTask:
    def advance(self, amount: int = 1) -> None:
        """Count nothing."""


class OnConsole:
    """Shows a bar where ``console`` is a terminal, otherwise a line every ten seconds and at the end."""

    def __init__(self, console: Console) -> None:
        self._console = console

    def note(self, message: str) -> None:
        """Show one line."""
        self._console.print(message, markup=False, highlight=False)

    @contextmanager
    def task(self, description: str, total: int | None, unit: str) -> Iterator[Task]:
        """Open a counted piece of work and show its rate and the time left."""
        if not self._console.is_terminal:
            lines = _Lines(self._console, description, total, unit)
            yield lines
            lines.finish()
            return
        columns = (
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[unit]}"),
            TimeRemainingColumn(),
        )
        with Progress(*columns, console=self._console, transient=True) as progress:
            yield _Bar(progress, description, total, unit)


class _Bar:
    def __init__(self, progress: Progress, description: str, total: int | None, unit: str) -> None:
        self._progress, self._unit = progress, unit
        self._id = progress.add_task(description, total=total, unit=unit)
        self._start = time.monotonic()
        self._done = 0

    def advance(self, amount: int = 1) -> None:
        """Count ``amount`` more units as done."""
        self._done += amount
        rate = self._done / max(1e-6, time.monotonic() - self._start)
        self._progress.update(self._id, advance=amount, unit=f"{self._unit}, {rate:,.1f}/s")


class _Lines:
    def __init__(self, console: Console, description: str, total: int | None, unit: str) -> None:
        self._console, self._description, self._total, self._unit = console, description, total, unit
        self._done = 0
        self._start = self._last = time.monotonic()

    def advance(self, amount: int = 1) -> None:
        """Count ``amount`` more units as done; print where the last line is ten seconds old."""
        self._done += amount
        now = time.monotonic()
        if now - self._last >= _SECONDS_BETWEEN_LINES:
            self._last = now
            self._print(now)

    def finish(self) -> None:
        """Print the final count."""
        self._print(time.monotonic())

    def _print(self, now: float) -> None:
        rate = self._done / max(1e-6, now - self._start)
        of = f" of {self._total:,}" if self._total else ""
        left = ""
        if self._total and rate and self._done < self._total:
            left = f", {(self._total - self._done) / rate:,.0f} s left"
        line = f"  {self._description}: {self._done:,}{of} {self._unit}, {rate:,.1f}/s{left}"
        self._console.print(line, markup=False, highlight=False)


def tracked(
    items: Iterable[Item], reporter: Reporter, description: str, total: int | None, unit: str
) -> Iterator[Item]:
    """Yield the items and count each as done when the next one is asked for."""
    with reporter.task(description, total, unit) as task:
        for item in items:
            yield item
            task.advance()
