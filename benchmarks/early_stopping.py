"""Measures what stopping early saves, and that it keeps the same problems, on a graded pool and on simulated models.

    python benchmarks/early_stopping.py [POOL] [--problems N]

POOL is a response pool whose problems have answers, or that holds the verdicts of imported logs. Its responses are
drawn in several orders, because those of different models come one after the other. A simulated problem has an accuracy
from the named distribution; one response in twenty is truncated, and wrong ones are half as long again as right ones.

At the end of a line stands what ``--plan`` would predict of the samples saved, from a pilot that fully sampled some of
the problems, beside what the other problems saved.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl

from curation.llm.pilot import predict
from curation.llm.stopping import Band, Sampling
from curation.recipe import Stop
from curation.records import ACCURACY_SCHEMA
from curation.selection.from_pool import Wanted, select_from_pool

_SAMPLES, _EXTRA = 24, 0
_ORDERS = 20
_BANDS = {"0 to 1": Band(0.0, 1.0), "0 to 9/24": Band(0.0, 9 / 24), "0 to 15/24": Band(0.0, 15 / 24)}
_RULES: tuple[tuple[Stop, int], ...] = (("outside", 4), ("decided", 8), ("decided", 4), ("decided", 1))
_RIGHT, _WRONG, _UNKNOWN = "rwu"


@dataclass(frozen=True)
class Samples:
    """What a model's first responses to one problem are, in order: a letter and a length each."""

    grades: str
    lengths: tuple[int, ...]


def _sampled(problem: Samples, sampling: Sampling, band: Band) -> int:
    asked = 0
    while True:
        seen = problem.grades[:asked]
        more = sampling.wanted(seen.count(_RIGHT), seen.count(_WRONG), asked, band)
        if not more:
            return asked
        asked += more


def _kept(problem: Samples, asked: int, band: Band) -> bool:
    right, wrong = problem.grades[:asked].count(_RIGHT), problem.grades[:asked].count(_WRONG)
    return band.holds(right, right + wrong)


def _predicted(pilot: list[Samples], sampling: Sampling, band: Band) -> float:
    """Return the share of samples that the plan says will be saved."""
    counts = [
        (sample.grades.count(_RIGHT), sample.grades.count(_WRONG), sample.grades.count(_UNKNOWN)) for sample in pilot
    ]
    empty = pl.DataFrame(schema=ACCURACY_SCHEMA)
    rows = pl.DataFrame(
        counts, schema={name: ACCURACY_SCHEMA[name] for name in ("right", "wrong", "unknown")}, orient="row"
    )
    with TemporaryDirectory() as place:
        table = Path(place) / "proposer_accuracy.parquet"
        pl.concat([empty, rows], how="diagonal").select(ACCURACY_SCHEMA.names()).write_parquet(table)
        return 1 - predict(table, sampling, band).asked


def _report(name: str, problems: Iterable[Samples], one_in: int, orders: int = 1) -> None:
    """Print the lines of a distribution.

    Args:
        name: of the distribution.
        problems: its problems, each as often as it has orders.
        one_in: the pilot has one problem in so many, in its first order.
        orders: how many each has.
    """
    given = list(problems)
    pilot = given[:: one_in * orders]
    others = [place for place in range(len(given)) if place // orders % one_in]
    for band_name, band in _BANDS.items():
        full = [_kept(problem, _SAMPLES, band) for problem in given]
        all_tokens = sum(sum(problem.lengths[:_SAMPLES]) for problem in given)
        for stop, wave in _RULES:
            sampling = Sampling(_SAMPLES, _EXTRA, wave, stop)
            asked = [_sampled(problem, sampling, band) for problem in given]
            part = [_kept(problem, count, band) for problem, count in zip(given, asked, strict=True)]
            tokens = sum(sum(problem.lengths[:count]) for problem, count in zip(given, asked, strict=True))
            same = "same" if part == full else "DIFFERENT"
            kept = f"{same} {sum(full):,} of {len(given):,} kept"
            saved = (
                f"{1 - sum(asked) / (_SAMPLES * len(given)):6.1%} of samples, {1 - tokens / all_tokens:6.1%} of tokens"
            )
            actual = 1 - sum(asked[place] for place in others) / (_SAMPLES * len(others))
            plan = f"{_predicted(pilot, sampling, band):.1%} by {len(pilot)} pilots, {actual:.1%} of the others"
            print(f"{name:28} {band_name:10} {stop:8} wave {wave}: {kept}, saved {saved}; plan {plan}", flush=True)


def _simulated(accuracies: np.ndarray, generator: np.random.Generator) -> Iterator[Samples]:
    for accuracy in accuracies:
        right = generator.random(_SAMPLES) < accuracy
        truncated = generator.random(_SAMPLES) < 0.05
        lengths = generator.lognormal(8.5, 0.6, _SAMPLES) * np.where(right, 1.0, 1.5)
        letters = np.where(truncated, _UNKNOWN, np.where(right, _RIGHT, _WRONG))
        yield Samples("".join(letters), tuple(int(length) for length in lengths))


def _distributions(count: int, generator: np.random.Generator) -> Iterator[tuple[str, np.ndarray]]:
    yield "uniform", generator.random(count)
    yield "mostly easy, Beta(4, 1)", generator.beta(4, 1, count)
    yield "mostly hard, Beta(0.3, 2)", generator.beta(0.3, 2, count)
    ends = generator.choice([0.0, 1.0], count, p=[0.4, 0.6])
    yield "half 0 or 1, half uniform", np.where(generator.random(count) < 0.5, ends, generator.random(count))


def _of_pool(pool: Path) -> Iterator[Samples]:
    with TemporaryDirectory() as place:
        select_from_pool(pool, Path(place), Wanted(mixed=True))
        grades = pl.read_parquet(Path(place) / "grades.parquet")
    lengths = pl.scan_parquet(pool / "responses" / "*.parquet").select(
        "response_id", pl.col("completion_tokens").fill_null(pl.col("text").str.len_chars() // 4).alias("length")
    )
    rows = grades.join(lengths.collect(), on="response_id")
    order = random.Random(0)
    for group in rows.partition_by("problem_id", maintain_order=True):
        letters = [grade[0] for grade in group["grade"]]
        responses = list(zip(letters, group["length"], strict=True))
        for _ in range(_ORDERS):
            drawn = order.sample(responses, min(_SAMPLES, len(responses)))
            yield Samples("".join(letter for letter, _ in drawn), tuple(length for _, length in drawn))


def main() -> None:
    """Print one line for each distribution, band and rule."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pool", type=Path, nargs="?")
    parser.add_argument("--problems", type=int, default=5_000)
    options = parser.parse_args()
    if options.pool is not None:
        _report(f"{options.pool.name}, {_ORDERS} orders", _of_pool(options.pool), 2, _ORDERS)
    generator = np.random.default_rng(0)
    for name, accuracies in _distributions(options.problems, generator):
        _report(name, _simulated(accuracies, generator), 10)


if __name__ == "__main__":
    main()
