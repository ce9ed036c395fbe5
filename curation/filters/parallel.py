"""Screens batches of rows on all processors; results come back in the order of the rows."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from functools import lru_cache, partial
from pathlib import Path

from curation.cluster import Cluster
from curation.filters.own_rules import load
from curation.filters.rule import Row
from curation.filters.screening import Rules, Screened, screen_all, select
from curation.parallel import Workers
from curation.recipe import FilterSection
from curation.records import Domain

_Sent = tuple[str, str | None, str | None, Domain, bool]
"""A row as it travels to a worker: the fields of `Row` in their order."""


def screen_batches(
    batches: Iterable[list[Row]], section: FilterSection, directory: Path, workers: int | Cluster | None = None
) -> Iterator[list[Screened]]:
    """Screen each batch; the results are the same whatever ``workers`` is.

    Args:
        batches: rows; a few batches are in flight at a time.
        section: the rules wanted.
        directory: where relative paths of own rules start.
        workers: processes to use; None for one a processor up to eight, and none for few rows; a cluster for its
            processors, whose nodes read own rules under the same paths.

    Raises:
        InputError: an own rule or the cluster cannot be used.
        OutsideError: a process died, or there is no such cluster.
    """
    rules = rules_of(section, directory)
    screen_sent = partial(_screen_batch, section.model_dump_json(), str(directory))
    waiting: deque[list[Row]] = deque()
    with Workers("filters rows", workers) as pool:
        for _, results in pool.map(screen_sent, _sent(batches, waiting), here=lambda batch: _screened(batch, rules)):
            rows = waiting.popleft()
            yield [
                Screened(row.statement) if result is None else result for row, result in zip(rows, results, strict=True)
            ]


def _sent(batches: Iterable[list[Row]], waiting: deque[list[Row]]) -> Iterator[list[_Sent]]:
    """Yield the rows of each batch as they travel, and leave the batch in the queue for when its results come back."""
    for batch in batches:
        waiting.append(batch)
        yield [(row.statement, row.answer, row.solution, row.domain, row.answer_expected) for row in batch]


@lru_cache(maxsize=4)
def rules_of(section: FilterSection, directory: Path) -> Rules:
    """Return a section's rules with its own ones.

    Raises:
        InputError: a rule to skip does not exist, or an own rule cannot be used.
    """
    return select(section, [load(directory / path) for path in section.own_rules])


def _screen_batch(section: str, directory: str, batch: list[_Sent]) -> list[Screened | None]:
    """Screen rows in a worker. A row that stays as it is comes back as None: its text need not travel again."""
    return _screened(batch, rules_of(FilterSection.model_validate_json(section), Path(directory)))


def _screened(batch: list[_Sent], rules: Rules) -> list[Screened | None]:
    results = screen_all([Row(*row) for row in batch], rules)
    return [None if result.is_untouched else result for result in results]
