"""Fixtures that several test packages use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hub_server import HubServer


@pytest.fixture
def hub() -> Iterator[HubServer]:
    """A stand-in of the Hub, stopped after the test."""
    with HubServer() as server:
        yield server
