from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from requests_for_tests import recipe

from curation import storage
from curation.errors import InputError
from curation.llm.pilot import find_accuracy, predict
from curation.llm.stopping import Band, Sampling
from curation.plan import make_plan
from curation.records import ACCURACY_SCHEMA

BAND = Band(0.0, 1.0)


def table(home: Path, counts: list[tuple[int, int, int]]) -> Path:
    place = home / "steps" / "08-propose"
    place.mkdir(parents=True, exist_ok=True)
    rows = [
        {"problem_id": str(number), "right": right, "wrong": wrong, "unknown": unknown}
        for number, (right, wrong, unknown) in enumerate(counts)
    ]
    storage.write_table(
        place / "proposer_accuracy.parquet", pl.DataFrame(rows, schema=ACCURACY_SCHEMA), ACCURACY_SCHEMA
    )
    return home


def test_settled_problems_are_predicted_to_stop_and_the_others_not(tmp_path: Path) -> None:
    sampling = Sampling(24, 0, 1, "decided")
    never = predict(find_accuracy(table(tmp_path, [(0, 24, 0), (24, 0, 0)])), sampling, BAND)
    assert (never.problems, never.asked, never.kept) == (2, 1.0, 0.0)
    half = predict(find_accuracy(table(tmp_path, [(12, 12, 0)])), sampling, BAND)
    # The first right one after a wrong one, or the other way round, comes with the third sample on the average.
    assert half.asked == pytest.approx(3 / 24, abs=0.02)
    assert half.kept == 1.0
    assert predict(find_accuracy(tmp_path), Sampling(24), BAND).asked == 1.0


def test_the_plan_counts_with_the_pilot(tmp_path: Path) -> None:
    table(tmp_path / "run", [(12, 12, 0), (0, 24, 0)])
    models = {"m": {"engine": "http", "model": "m", "url": "http://127.0.0.1:9/v1", "response_tokens": 100}}
    source = {"use": "limo"}
    proposer = {"model": "m", "samples": 24, "wave": 1}
    requests = {}
    for pilot in (None, "run"):
        asked = recipe(
            tmp_path, models, sources=[source], proposer={**proposer, "pilot": pilot}, arithmetic={"count": 0}
        )
        plan = make_plan(asked)
        (work,) = plan.model_work
        requests[pilot] = work.requests
        assert any("pilot of 2 problems" in note for note in plan.notes) == (pilot is not None)
    assert requests["run"] == pytest.approx(requests[None] * (1 + 3 / 24) / 2, rel=0.03)
    with pytest.raises(InputError, match="holds no proposer_accuracy"):
        make_plan(recipe(tmp_path, models, sources=[source], proposer={**proposer, "pilot": "nowhere"}))
