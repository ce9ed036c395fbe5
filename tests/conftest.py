"""Fixtures that several test packages use."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hub_server import HubServer
from hypothesis import HealthCheck, settings
from selenium import webdriver

# A busy machine is slow now and then, which says nothing about the code.
settings.register_profile("any_machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any_machine")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests that take minutes, then those of groups, or one process would end with them alone."""
    items.sort(
        key=lambda item: (
            item.get_closest_marker("takes_minutes") is None,
            item.get_closest_marker("xdist_group") is None,
        )
    )


@pytest.fixture(scope="module")
def judge_store(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """A judge's directory of the module's own, but for the compiled programs, which all modules and processes share."""
    base = tmp_path_factory.getbasetemp()
    shared = (base if worker_id == "master" else base.parent) / "programs"
    shared.mkdir(exist_ok=True)
    store = tmp_path_factory.mktemp("judge")
    (store / "programs").symlink_to(shared, target_is_directory=True)
    return store


@pytest.fixture
def hub() -> Iterator[HubServer]:
    """A stand-in of the Hub, stopped after the test."""
    with HubServer() as server:
        yield server


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[webdriver.Chrome]:
    """Headless Chromium with a profile of its own; the test is skipped where there is none."""
    chromium, driver_path = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver_path is None:
        pytest.skip("needs Chromium and its driver")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    flags = ("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
    for flag in (*flags, "--disable-component-update", "--disable-sync", f"--user-data-dir={tmp_path / 'profile'}"):
        options.add_argument(flag)
    driver = webdriver.Chrome(options, webdriver.ChromeService(driver_path))
    yield driver
    driver.quit()
