"""Messages and how many of them a problem gets.

A message is a response compacted to its conclusion (PaCoRe, arXiv 2601.05593, section 2): what follows its last
``</think>``. The draw depends on nothing but its seed and the responses' identifiers, and uses SHA-256 alone, so that
it is the same with every version of Python and every order of the pool.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import polars as pl

STAGE_SCHEMA = pl.Schema(
    {
        "problem_id": pl.String(),
        "seed": pl.Int64(),
        "accuracy": pl.Float64(),
        "messages": pl.List(pl.String()),
    }
)
"""A stage's table: ``seed`` of the draw, ``accuracy`` that the stage's rule saw, ``response_id`` of each message."""

_SEED_BITS = 63


def message(text: str, marker: str) -> str:
    """Return exactly what follows the last ``marker``; all of ``text`` where there is none."""
    return text.rpartition(marker)[2]


def seed_of(recipe_seed: int, problem_id: str) -> int:
    """Return the seed of a problem's draw, a non-negative 63-bit integer."""
    return _number(f"messages:{recipe_seed}:{problem_id}") >> (64 - _SEED_BITS)


def draw(seed: int, response_ids: Sequence[str], low: int, high: int) -> list[str] | None:
    """Draw a message set: its size uniform from ``low`` to ``high``, its members without replacement.

    Args:
        seed: from `seed_of`.
        response_ids: the stored responses, in any order.
        low: smallest size.
        high: largest size.

    Returns:
        the drawn identifiers in the order drawn; all of them where fewer than the drawn size are stored; None where
        even ``low`` are not.
    """
    if len(response_ids) < low:
        return None
    size = low + _number(f"{seed}:size") % (high - low + 1)
    return sorted(response_ids, key=lambda response_id: _number(f"{seed}:{response_id}"))[:size]


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
