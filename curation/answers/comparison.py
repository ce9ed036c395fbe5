"""What a comparison of two answers says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # A reward function needs no tables: records would bring Polars with it.
    from curation.records import Equality


@dataclass(frozen=True, slots=True)
class Comparison:
    """The verdict on one pair of answers, with the path that led there.

    Attributes:
        verdict: ``equal`` only where exact arithmetic or identity proves it, ``different`` where it is refuted, else
            ``unknown``.
        path: which parts decided, joined by ``"; "`` (``boxed; exact``, ``last number; exact``).
        why: one sentence for a reader.
        extracted: the answer that was found in a whole response; None where none was found or none was looked for.
    """

    verdict: Equality
    path: str
    why: str
    extracted: str | None = None


def equal(path: str, why: str) -> Comparison:
    """Return the verdict that both answers have one value."""
    return Comparison("equal", path, why)


def different(path: str, why: str) -> Comparison:
    """Return the verdict that the answers have different values."""
    return Comparison("different", path, why)


def unknown(path: str, why: str) -> Comparison:
    """Return the verdict that nothing was proved either way."""
    return Comparison("unknown", path, why)
