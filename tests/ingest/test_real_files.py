"""Real files in the shapes that the bundled source files describe, where a copy of them lies beside the project."""

from __future__ import annotations

import os
from pathlib import Path

import polars as pl
import pytest

from curation import run
from curation.ingest.step import Ingest
from curation.progress import Silent
from curation.recipe import Recipe

DATA = Path(os.environ.get("CURATION_SHARED", Path(__file__).resolve().parents[3] / "shared")) / "data"


@pytest.mark.skipif(not DATA.is_dir(), reason="no real files beside the project")
@pytest.mark.parametrize(
    ("use", "path", "read", "kept", "tests"),
    [
        ("harp", "harp/HARP.jsonl.zip", 4_780, 4_780, 0),
        ("aime-1983-2023", "rllm/train/math/aime.json", 975, 975, 0),
        ("gsm8k", "gsm8k/train.jsonl", 7_473, 7_473, 0),
        ("simplerl", "simplerl/simplelr_train_8523.parquet", 8_523, 8_523, 0),
        ("leetcode-rllm", "rllm/train/code/leetcode.json", 1_889, 1_889, 1_889),
        ("code-contests-rllm", "rllm/test/code/code_contests.json", 165, 165, 1_837),
        ("problem-packages", "google_codejam", 83, 83, 210),
        ("problem-packages", "icpc_bapctools", 6, 3, 11),
        ("cmimc", "cmimc_archive/tex", None, None, 0),
    ],
)
def test_real_files(tmp_path: Path, use: str, path: str, read: int | None, kept: int | None, tests: int) -> None:
    sources = [{"use": use, "path": str(DATA / path)}]
    recipe = Recipe.model_validate({"name": "real", "sources": sources, "directory": tmp_path})
    record = run.execute((Ingest(),), recipe, tmp_path / "run", Silent()).records[0]
    if read is not None:
        assert (record.rows_in, record.kept) == (read, kept)
    assert record.kept
    problems = pl.read_parquet(next(tmp_path.rglob("problems.parquet")))
    assert problems["statement"].str.strip_chars().str.len_chars().min()
    assert pl.read_parquet(next(tmp_path.rglob("tests.parquet"))).height == tests
    assert problems.filter((pl.col("domain") == "math") & pl.col("answer").is_null()).height < 10
