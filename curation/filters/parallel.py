"""Screens batches of rows on all processors; results come back in the order of the rows."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from functools import lru_cache
from pathlib import Path

from curation.errors import OutsideError
from curation.filters.own_rules import load
from curation.filters.rule import Row
from curation.filters.screening import Rules, Screened, screen, select
from curation.recipe import FilterSection
from curation.records import Domain

_Sent = tuple[str, str | None, str | None, Domain, bool]
"""A row as it travels to a worker: the fields of `Row` in their order."""

_MOST_WORKERS = 8
"""More would wait for the process that reads and writes, and each holds 150 MB."""

_ROWS_WITHOUT_HELP = 8_000
"""So many rows are screened here first: starting processes costs more than screening them."""


def screen_batches(
    batches: Iterable[list[Row]], section: FilterSection, directory: Path, workers: int | None = None
) -> Iterator[list[Screened]]:
    """Screen each batch; the results are the same whatever ``workers`` is.

    Args:
        batches: rows; a few batches are in flight at a time.
        section: the rules wanted.
        directory: where relative paths of own rules start.
        workers: processes to use; None for one a processor up to eight, and none for few rows.

    Raises:
        InputError: an own rule cannot be used.
        OutsideError: a process died.
    """
    count = workers if workers is not None else min(os.cpu_count() or 1, _MOST_WORKERS)
    rules = rules_of(section, directory)
    done = 0
    with ExitStack() as stack:
        pool: ProcessPoolExecutor | None = None
        waiting: deque[tuple[Future[list[Screened | None]], list[Row]]] = deque()
        for batch in batches:
            if pool is None and (count <= 1 or (workers is None and done < _ROWS_WITHOUT_HELP)):
                yield [screen(row, rules) for row in batch]
                done += len(batch)
                continue
            if pool is None:
                context = multiprocessing.get_context("forkserver")
                pool = stack.enter_context(ProcessPoolExecutor(count, mp_context=context))
            sent = [(row.statement, row.answer, row.solution, row.domain, row.answer_expected) for row in batch]
            waiting.append((pool.submit(_screen_batch, section.model_dump_json(), str(directory), sent), batch))
            if len(waiting) > 2 * count:
                yield _result(*waiting.popleft())
        while waiting:
            yield _result(*waiting.popleft())


@lru_cache(maxsize=4)
def rules_of(section: FilterSection, directory: Path) -> Rules:
    """Return a section's rules with its own ones.

    Raises:
        InputError: a rule to skip does not exist, or an own rule cannot be used.
    """
    return select(section, [load(directory / path) for path in section.own_rules])


def _screen_batch(section: str, directory: str, batch: list[_Sent]) -> list[Screened | None]:
    """Screen rows in a worker. A row that stays as it is comes back as None: its text need not travel again."""
    rules = rules_of(FilterSection.model_validate_json(section), Path(directory))
    results = (screen(Row(*row), rules) for row in batch)
    return [None if result.is_untouched else result for result in results]


def _result(future: Future[list[Screened | None]], batch: list[Row]) -> list[Screened]:
    try:
        results = future.result()
    except BrokenProcessPool:
        raise OutsideError("a process that filters rows was ended from outside (out of memory?): run again") from None
    return [Screened(row.statement) if result is None else result for row, result in zip(batch, results, strict=True)]
