"""The card of a pushed data set tells the result of a self-test that lies beside it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import polars as pl
import pytest

from curation import storage
from curation.contamination.selftest import Planting, selftest
from curation.contamination.selftest_result import SELFTEST_FILE
from curation.errors import InputError
from curation.export.folder import Manifest, ManifestFile, open_folder

BARS = r"A jeweller melts $35$ rings of $12$ grams and casts bars of $28$ grams. How many bars does the jeweller cast?"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    frame = pl.DataFrame({"problem": ["Name a bird that swims.", "Name a fish that flies."]})
    storage.write_table(tmp_path / "data" / "train.parquet", frame, frame.schema)
    (tmp_path / "own.jsonl").write_text(json.dumps({"id": "bars", "problem": BARS}) + "\n")
    return tmp_path / "data"


def test_the_card_holds_recall_and_rate_with_intervals(folder: Path, tmp_path: Path) -> None:
    without = open_folder(folder).card
    assert "self-test" not in without
    selftest(str(folder), folder, [str(tmp_path / "own.jsonl")], planting=Planting(seed=5))
    card = open_folder(folder).card
    assert card.startswith(without.rstrip())
    assert "## Contamination self-test" in card
    assert re.search(r"\| exact \| 1 \| 1 \| 100\.0 % \| 20\.\d % to 100\.0 % \|", card)
    assert "(seed 5)" in card
    assert BARS not in card
    assert SELFTEST_FILE not in {file.path for file in open_folder(folder).files}


def test_a_run_is_told_by_what_lies_in_its_audit_directory(folder: Path, tmp_path: Path) -> None:
    export = tmp_path / "run" / "export"
    export.parent.mkdir()
    folder.rename(export)
    table = export / "train.parquet"
    file = ManifestFile(path=table.name, bytes=table.stat().st_size, sha256=storage.sha256_file(table), rows=2)
    manifest = Manifest(name="own", seed=0, rows={"default": 2}, files=(file,))
    (export / "manifest.json").write_text(manifest.model_dump_json())
    assert "self-test" not in open_folder(export).card
    selftest(str(export / "train.parquet"), tmp_path / "run" / "audit", [str(tmp_path / "own.jsonl")])
    assert "## Contamination self-test" in open_folder(export).card


def test_a_damaged_result_is_refused(folder: Path) -> None:
    for content in ("{", '{"canaries": 3}'):
        (folder / SELFTEST_FILE).write_text(content)
        with pytest.raises(InputError, match=r"selftest\.json is no self-test"):
            open_folder(folder)
