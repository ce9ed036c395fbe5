"""Which isolation is chosen, and what is said about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from curation.errors import OutsideError
from curation.judging import isolation
from curation.judging.levels import LEVELS, describe
from curation.judging.sandbox import RunLimits, Sandbox


def test_the_strongest_level_that_works_is_chosen() -> None:
    chosen = isolation.strongest()
    assert isolation.why_not(chosen) is None
    assert isolation.isolation_level() == chosen.level
    stronger = LEVELS[: LEVELS.index(chosen.level)]
    assert all(isolation.why_not(describe(level)) is not None for level in stronger)
    assert chosen.level != "none"


def test_without_bubblewrap_the_next_level_is_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for tool in ("python3", "g++"):
        found = Path("/usr/bin") / tool
        if found.exists():
            (tmp_path / tool).symlink_to(found)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "bubblewrap is not installed" in (isolation.why_not(describe("bubblewrap")) or "")
    expected = next(level for level in ("namespaces", "limits") if isolation.why_not(describe(level)) is None)
    assert isolation.strongest.__wrapped__().level == expected


def test_doing_without_isolation_has_to_be_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(isolation, "_TRIED", ())
    isolation.strongest.cache_clear()
    try:
        with pytest.raises(OutsideError, match="without_isolation"):
            isolation.choose(without_isolation=False)
        assert isolation.isolation_level() is None
        assert isolation.choose(without_isolation=True).level == "none"
    finally:
        isolation.strongest.cache_clear()
    monkeypatch.undo()
    assert isolation.choose(without_isolation=True) == isolation.strongest()


def test_a_sandbox_that_cannot_start_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "bwrap"
    broken.write_text("#!/bin/sh\necho 'bwrap: no permissions to create new namespace' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with (
        Sandbox(describe("bubblewrap")) as sandbox,
        pytest.raises(OutsideError, match="no permissions to create new namespace"),
    ):
        sandbox.run(["/bin/true"], RunLimits(1, 1, 64))


@pytest.mark.parametrize("level", LEVELS)
def test_each_level_has_a_sentence_for_the_reader(level: str) -> None:
    sentence = describe(level).sentence
    assert ("no network" in sentence) is (level in ("bubblewrap", "namespaces"))
    assert ("no isolation" in sentence) is (level == "none")
