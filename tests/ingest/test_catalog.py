"""Source files: all bundled ones are valid, mistakes are named, a recipe's changes count."""

from __future__ import annotations

from pathlib import Path

import pytest

from curation import bundled
from curation.errors import InputError
from curation.ingest.catalog import Constant, find_source, load_source
from curation.recipe import SourceUse

TEXT = """
name = "own"
title = "A source"
domain = "math"
group = "opensource_math"
licence = "MIT"
attribution = "its authors"
url = "https://example.org"
expected_rows = 10
[location]
hub = "owner/name"
files = ["data/*.parquet"]
[columns]
statement = "q"
answer = "a"
licence = "l"
"""


def write(directory: Path, text: str = TEXT) -> str:
    """Write a source file and return its path as a recipe would."""
    (directory / "own.toml").write_text(text)
    return "own.toml"


@pytest.mark.parametrize("name", sorted(path.stem for path in bundled.folder("sources").glob("*.toml")))
def test_bundled_sources_are_valid_and_called_like_their_files(name: str) -> None:
    source = load_source(SourceUse(use=name), Path())
    assert source.name == name
    assert source.address


def test_a_source_of_one_s_own(tmp_path: Path) -> None:
    found = find_source(SourceUse(use=write(tmp_path)), tmp_path)
    assert found.file == tmp_path / "own.toml"
    assert found.path is None
    assert found.source.address == "hub://owner/name"
    assert found.source.location.revision == "main"
    assert found.source.keys() == {"q", "a", "l"}


def test_a_recipe_changes_name_licence_and_revision(tmp_path: Path) -> None:
    use = SourceUse(use=write(tmp_path), name="other", licence="CC0-1.0", revision="v1")
    source = load_source(use, tmp_path)
    assert (source.name, source.licence, source.location.revision) == ("other", "CC0-1.0", "v1")
    assert source.columns is not None
    assert source.columns.licence is None


def test_a_recipe_s_path_starts_at_the_recipe(tmp_path: Path) -> None:
    found = find_source(SourceUse(use=write(tmp_path), path="data/a.jsonl"), tmp_path)
    assert found.path == tmp_path / "data/a.jsonl"
    assert found.source.address == "data/a.jsonl"
    assert found.source.location.hub is None
    assert found.source.expected_rows == 10
    renamed = load_source(SourceUse(use="own.toml", path="data/a.jsonl", name="small"), tmp_path)
    assert renamed.expected_rows is None


def test_a_path_can_start_at_the_bundled_sources(tmp_path: Path) -> None:
    found = find_source(SourceUse(use=write(tmp_path), path="sources:demo/a.jsonl"), tmp_path)
    assert found.path == bundled.folder("sources") / "demo/a.jsonl"


def test_a_source_s_own_path_starts_at_its_file(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    text = TEXT.replace('hub = "owner/name"', 'path = "a.jsonl"')
    write(tmp_path / "below", text)
    found = find_source(SourceUse(use="below/own.toml"), tmp_path)
    assert found.path == tmp_path / "below" / "a.jsonl"


def test_a_source_without_a_reader_can_be_read_from_a_path(tmp_path: Path) -> None:
    write(tmp_path, TEXT.replace("[location]", 'reader_missing = "Later."\n[location]'))
    assert load_source(SourceUse(use="own.toml"), tmp_path).reader_missing == "Later."
    assert load_source(SourceUse(use="own.toml", path="a.jsonl"), tmp_path).reader_missing is None


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('domain = "math"', 'domain = "physics"', "domain"),
        ('statement = "q"', 'statement = "q["', "the expression 'q[' cannot be read"),
        ('statement = "q"', "", "columns.statement"),
        ('answer = "a"', 'anwser = "a"', "columns.anwser"),
        ('answer = "a"', 'answer = {from = "a"}', "columns.answer"),
        ('hub = "owner/name"', 'hub = "name"', "location.hub"),
        ('hub = "owner/name"', 'hub = "owner/name"\nurl = "https://a"', "give one of hub, url and path"),
        ('name = "own"', 'name = "Own: a"', "name"),
        ("[columns]", "[[where]]\ncolumn = 'x'\nrule = 'a'\nreason = 'b'\n[columns]", "exactly one of equals"),
        ("[columns]", "[tests]\ninputs = 'x'\n[columns]", "inputs and outputs belong together"),
        ("[columns]", "[columns", "is no TOML"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    write(tmp_path, TEXT.replace(old, new, 1))
    with pytest.raises(InputError) as error:
        load_source(SourceUse(use="own.toml"), tmp_path)
    assert message in str(error.value)
    assert "own.toml" in str(error.value)


def test_a_source_needs_columns_or_a_reason(tmp_path: Path) -> None:
    write(tmp_path, TEXT[: TEXT.index("[columns]")])
    with pytest.raises(InputError, match=r"\[columns\] is missing"):
        load_source(SourceUse(use="own.toml"), tmp_path)


def test_what_a_recipe_cannot_say(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nothing-like-it"):
        load_source(SourceUse(use="nothing-like-it"), tmp_path)
    with pytest.raises(InputError, match="source name 'A b'"):
        load_source(SourceUse(use=write(tmp_path), name="A b"), tmp_path)
    write(tmp_path, TEXT.replace('hub = "owner/name"', 'url = "https://a/b.json"'))
    with pytest.raises(InputError, match="has no revisions"):
        load_source(SourceUse(use="own.toml", revision="v1"), tmp_path)


def test_constants(tmp_path: Path) -> None:
    write(tmp_path, TEXT + 'contest = {value = "aime"}\n')
    source = load_source(SourceUse(use="own.toml"), tmp_path)
    assert source.columns is not None
    assert source.columns.contest == Constant(value="aime")
