"""Fixtures that several test packages use."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hub_server import HubServer
from hypothesis import HealthCheck, settings

# A busy machine is slow now and then, which says nothing about the code.
settings.register_profile("any_machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any_machine")


@pytest.fixture
def hub() -> Iterator[HubServer]:
    """A stand-in of the Hub, stopped after the test."""
    with HubServer() as server:
        yield server
