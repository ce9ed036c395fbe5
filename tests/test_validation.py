"""A fault in a recipe, a source or a benchmark is told by its key, in words that say what to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from curation import recipe
from curation.contamination.registry import read_entry
from curation.errors import InputError
from curation.ingest.catalog import load_source
from curation.recipe import SourceUse


def _source(path: str) -> object:
    return load_source(SourceUse(use=path), Path())


def _benchmark(path: str) -> object:
    return read_entry(Path(path))


@pytest.mark.parametrize(
    ("read", "text", "told"),
    [
        (recipe.load, 'extends = "demo"\n[filterr]\nx = 1', r"a\.toml: filterr: there is no such key here"),
        (recipe.load, 'name = "a"', r"a\.toml: sources: this key is missing: add it"),
        (_source, 'name = "a"\nlicense = "MIT"', r"a\.toml: \w+: this key is missing: add it"),
        (_benchmark, 'titel = "A"', r"a\.toml: \w+: this key is missing: add it"),
    ],
)
def test_a_fault_names_its_key(tmp_path: Path, read: Callable[[str], object], text: str, told: str) -> None:
    path = tmp_path / "a.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=told):
        read(str(path))
