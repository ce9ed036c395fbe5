"""The isolation levels that this machine offers, for tests that hold at each of them."""

from __future__ import annotations

import functools

import pytest

from curation.judging.isolation import why_not
from curation.judging.levels import Isolation, describe

HELD = (
    pytest.param(describe("bubblewrap"), id="bubblewrap"),
    pytest.param(describe("namespaces"), id="namespaces"),
    pytest.param(describe("bubblewrap", reusable=False), id="bubblewrap-once"),
    pytest.param(describe("limits"), id="limits"),
)
CLOSED = HELD[:3]
"""Those with namespaces."""


@functools.cache
def _reason(isolation: Isolation) -> str | None:
    return why_not(isolation)


def need(isolation: Isolation) -> Isolation:
    """Return the isolation, or skip the test where the machine does not give it."""
    reason = _reason(isolation)
    if reason is not None:
        pytest.skip(f"{isolation.level}: {reason}")
    return isolation
