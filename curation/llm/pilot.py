"""What stopping early will save, predicted from the accuracies of a pilot: some problems that a run tried before."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from curation import storage
from curation.errors import InputError
from curation.llm.stopping import Band, Sampling
from curation.records import ACCURACY_SCHEMA

_DRAWS = 50
_TABLE = "proposer_accuracy.parquet"


@dataclass(frozen=True)
class Prediction:
    """What the pilot predicts.

    Attributes:
        problems: how many problems the pilot has.
        asked: the share of samples that will be asked for.
        kept: the share of problems that will be kept.
    """

    problems: int
    asked: float
    kept: float


def find_accuracy(pilot: Path) -> Path:
    """Return the table of proposer accuracies of a run, or the table itself where it is given.

    Raises:
        InputError: there is none.
    """
    found = [pilot] if pilot.is_file() else sorted(pilot.glob(f"steps/*/{_TABLE}"))
    if not found:
        raise InputError(f"{pilot} holds no {_TABLE}: give a run whose step propose is done")
    return found[-1]


def predict(accuracy: Path, sampling: Sampling, band: Band) -> Prediction:
    """Predict from a table of `records.ACCURACY_SCHEMA`.

    Each problem of the pilot is sampled anew from its own shares of right, wrong and unknown responses. Shares of a
    pilot that itself stopped early are rough; one with ``stop = "never"`` is better.

    Raises:
        InputError: the table cannot be used or holds no response.
    """
    counts = storage.read_table(accuracy, ACCURACY_SCHEMA).select("right", "wrong", "unknown")
    rows = counts.filter(pl.sum_horizontal(pl.all()) > 0).rows()
    if not rows:
        raise InputError(f"{accuracy} holds no responses: give a pilot that asked for some")
    generator = random.Random(0)
    asked = kept = 0
    for right, wrong, unknown in rows:
        for _ in range(_DRAWS):
            grades = generator.choices("rwu", (right, wrong, unknown), k=sampling.most)
            given = 0
            while more := sampling.wanted(grades[:given].count("r"), grades[:given].count("w"), given, band):
                given += more
            seen = grades[:given]
            asked += given
            kept += band.holds(seen.count("r"), seen.count("r") + seen.count("w"))
    tried = len(rows) * _DRAWS
    return Prediction(len(rows), asked / (tried * sampling.samples), kept / tried)
