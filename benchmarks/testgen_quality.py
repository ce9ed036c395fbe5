"""How well grown tests separate right programs from wrong ones: TPR and TNR on programs that the search never saw.

    python benchmarks/testgen_quality.py [PROBLEM ...] [--inputs N] [--mutants N] [--seed S] [--store DIR]

Each problem of ``tests/testgen/problems`` (or those named) is grown from its samples alone, without a model. Half of
its programs steer; the rates are those of the other half. The last line adds all problems up.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from curation.testgen import Options, grow
from curation.testgen.rates import Rate, rate

PROBLEMS = Path(__file__).resolve().parents[1] / "tests" / "testgen" / "problems"


def main() -> None:
    """Grow the problems one after the other and print a line for each."""
    usual = Options()
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("problems", nargs="*", help="names of fixtures; all by default")
    parser.add_argument("--inputs", type=int, default=usual.inputs)
    parser.add_argument("--mutants", type=int, default=usual.mutants)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--store", type=Path, default=None, help="keeps runs, so that a second call is fast")
    arguments = parser.parse_args()
    options = Options(seed=arguments.seed, inputs=arguments.inputs, mutants=arguments.mutants)
    names = arguments.problems or sorted(place.name for place in PROBLEMS.iterdir())
    right, wrong = [0, 0], [0, 0]
    with tempfile.TemporaryDirectory() as out:
        for name in names:
            began = time.monotonic()
            grown = grow(PROBLEMS / name, Path(out) / name, options, store=arguments.store)
            held = grown.held_out
            for sums, found in ((right, held.tpr), (wrong, held.tnr)):
                sums[0] += found.count
                sums[1] += found.of
            took = time.monotonic() - began
            print(f"{name:16} TPR {_shown(held.tpr)}  TNR {_shown(held.tnr)}  {len(grown.tests)} tests, {took:.0f} s")
            for kind, programs in (("rejects", held.rejected_right), ("accepts", held.accepted_wrong)):
                for program in programs:
                    print(f"    {kind} {program}")
    print(f"{'all':16} TPR {_shown(rate(*right))}  TNR {_shown(rate(*wrong))}")


def _shown(found: Rate) -> str:
    if found.share is None or found.interval is None:
        return "no programs"
    low, high = found.interval
    return f"{found.count}/{found.of} = {found.share:.1%} ({low:.1%} to {high:.1%})"


if __name__ == "__main__":
    main()
