"""Peak memory and time of the CPU steps (ingest to arithmetic) on many synthetic problems.

    python benchmarks/cpu_steps_memory.py --rows 1000000 --benchmark-items 3000

Writes the problems as one JSONL file in a temporary directory, runs `curation rebuild --until arithmetic` in a child
process and prints the peak memory of that process with all its workers (proportional set size, sampled).
Needs psutil, which the extra `test` brings.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

WORDS = [
    "train", "river", "number", "circle", "apple", "teacher", "square", "length", "triangle", "remainder",
    "digit", "budget", "sequence", "polynomial", "average", "school", "integer", "product", "journey",
    "garden", "ticket", "fraction", "marble", "velocity", "perimeter", "divisor", "chess", "letter",
    "library", "price",
]  # fmt: skip

SOURCE = """
name = "synthetic"
title = "Synthetic problems for the memory benchmark"
domain = "math"
group = "opensource_math"
licence = "CC0-1.0"
attribution = "nobody"
url = "https://example.org"
[location]
format = "jsonl"
[columns]
source_id = "id"
statement = "problem"
answer = "answer"
"""

RECIPE = """
name = "memory"
[[sources]]
use = "synthetic.toml"
path = "problems.jsonl"
[decontaminate]
against = ["benchmark.jsonl"]
[arithmetic]
count = {arithmetic}
"""


def statement(source: random.Random) -> str:
    """Return a statement of about 100 words with numbers and a formula."""
    words = [source.choice(WORDS) for _ in range(90)]
    for _ in range(6):
        words[source.randrange(90)] = str(source.randrange(10_000))
    return f"Let $x_{{{source.randrange(100)}}}$ be a number. {' '.join(words)}. Find the value of $x$."


def peak_memory(command: list[str]) -> float:
    """Run a command and return the largest memory of its process tree in GiB, sampled twice a second.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    peak = 0
    with subprocess.Popen(command) as child:
        tree = psutil.Process(child.pid)
        while child.poll() is None:
            total = 0
            try:
                for process in [tree, *tree.children(recursive=True)]:
                    total += process.memory_full_info().pss
            except psutil.NoSuchProcess:
                continue
            peak = max(peak, total)
            time.sleep(0.5)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, command)
    return peak / 2**30


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--benchmark-items", type=int, default=3_000)
    parser.add_argument("--arithmetic", type=int, default=13_400)
    options = parser.parse_args()
    source = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "synthetic.toml").write_text(SOURCE)
        (home / "recipe.toml").write_text(RECIPE.format(arithmetic=options.arithmetic))
        with (home / "problems.jsonl").open("w") as file:
            for number in range(options.rows):
                # One row in fifty repeats an earlier statement, so that deduplication has something to do.
                seed = number if number % 50 else number // 2
                row = {"id": str(number), "problem": statement(random.Random(seed)), "answer": str(seed % 997)}
                file.write(json.dumps(row) + "\n")
        with (home / "benchmark.jsonl").open("w") as file:
            for number in range(options.benchmark_items):
                row = {"id": str(number), "problem": statement(source), "answer": "1"}
                file.write(json.dumps(row) + "\n")
        command = [sys.executable, "-m", "curation", "rebuild", str(home / "recipe.toml"), "--run", str(home / "run")]
        began = time.monotonic()
        peak = peak_memory([*command, "--until", "arithmetic"])
        wall = time.monotonic() - began
    print(f"rows {options.rows:,}  wall {wall:.0f} s  rows/s {options.rows / wall:,.0f}  peak memory {peak:.2f} GiB")


if __name__ == "__main__":
    main()
