"""What a self-test finds, as ``selftest.json`` holds it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from curation import storage
from curation.json_reader import dumps

SELFTEST_FILE = "selftest.json"
"""The result, beside the files of an audit."""


@dataclass(frozen=True, slots=True)
class CanaryResult:
    """What became of the canaries of one kind.

    Attributes:
        kind: the way in which items were changed.
        items: how many items can be changed in this way.
        planted: canaries.
        found: those whose item is among the hits, whatever the kind of the hit.
        named: those of them whose hit also calls the change by its name.
        recall: found / planted; None where nothing was planted.
        low: the lower end of its 95 % interval (Wilson).
        high: the upper end.
        missed: the first items that were not found.
    """

    kind: str
    what: str
    items: int
    planted: int
    found: int
    named: int
    recall: float | None
    low: float | None
    high: float | None
    missed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CleanResult:
    """What was found in texts that hold no item.

    Attributes:
        texts: how many were looked at.
        hit: how many have a hit.
        rate: hit / texts; None where there is no text.
        low: the lower end of its 95 % interval (Wilson).
        high: the upper end.
        examples: the first hits: text, item, kind.
    """

    name: str
    what: str
    texts: int
    hit: int
    rate: float | None
    low: float | None
    high: float | None
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SelftestResult:
    """What ``selftest.json`` says.

    Attributes:
        not_planted: ways of leaking that no canary stands for, and why.
        semantic_model: the embedding model in use, as the user gave it; None for none.
    """

    dataset: str
    seed: int
    benchmarks: tuple[dict[str, object], ...]
    not_checked: tuple[dict[str, object], ...]
    canaries: tuple[CanaryResult, ...]
    clean: tuple[CleanResult, ...]
    not_planted: dict[str, str]
    fold_version: int
    match_version: int
    semantic_model: str | None = None


def write_selftest(out: Path, result: SelftestResult) -> None:
    """Write ``selftest.json`` into a directory."""
    storage.write_text(out / SELFTEST_FILE, dumps(asdict(result)) + "\n")
