"""Measures how many answers a second `curation.answers.grade` decides, beside Math-Verify on the same pairs in one run.

    python benchmarks/grade_rate.py PAIRS.jsonl [--seconds S]

PAIRS holds ``gold`` and ``pred``, an answer or a whole response. Both run on one core, one after the other.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from curation import json_reader
from curation.answers import grade


def _pairs(path: Path) -> Iterator[tuple[str, str]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json_reader.loads(line)
        if isinstance(row, dict):
            yield str(row["gold"]), str(row["pred"])


def _math_verify(gold: str, pred: str) -> bool:
    from math_verify import parse, verify

    return bool(verify(parse(f"\\boxed{{{gold}}}"), parse(pred)))


def _rate(pairs: list[tuple[str, str]], check: Callable[[str, str], object], seconds: float) -> float:
    """Return pairs a second over one pass, cut off after ``seconds``: a second pass would find answers read before."""
    check("1", r"\boxed{2}")
    start = time.perf_counter()
    done = 0
    for gold, pred in pairs:
        check(gold, pred)
        done += 1
        if time.perf_counter() - start >= seconds:
            break
    return done / (time.perf_counter() - start)


def main() -> None:
    """Print both rates and their ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", type=Path)
    parser.add_argument("--seconds", type=float, default=10.0, help="time for each of the two")
    options = parser.parse_args()
    pairs = list(_pairs(options.pairs))
    ours = _rate(pairs, grade, options.seconds)
    theirs = _rate(pairs, _math_verify, options.seconds)
    print(f"{len(pairs):,} pairs: grade {ours:,.0f}/s, Math-Verify {theirs:,.1f}/s, ratio {ours / theirs:,.0f}")


if __name__ == "__main__":
    main()
