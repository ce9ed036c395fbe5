"""Peak memory of selection and export over the size of the response pool.

Writes synthetic pools of a quarter, half and all of SIZE gigabytes (24 responses of about 170 kB a problem, half of it
drawn at random so that it hardly compresses), then runs stage 1 and the export on each in a process of its own:

    python benchmarks/export_memory.py --gigabytes 3 --directory /tmp/benchmark
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import polars as pl

from curation import processes, records, storage
from curation.export.step import Export
from curation.llm.pool import open_pool
from curation.progress import Silent
from curation.recipe import Recipe
from curation.selection import StageOne
from curation.selection.messages import STAGE_SCHEMA
from curation.steps import StepContext

RESPONSES = 24
RESPONSE_BYTES = 170_000
RECIPE = Recipe.model_validate({"name": "benchmark", "sources": [{"use": "synthetic"}]})


def responses(problem_id: str) -> Iterator[records.Response]:
    """Yield the problem's responses, the right one first."""
    for index in range(RESPONSES):
        noise = random.Random(f"{problem_id}/{index}").randbytes(RESPONSE_BYTES // 4).hex()
        text = f"<think>short</think>{noise}{'so it goes on and on. ' * (RESPONSE_BYTES // 44)}"
        yield records.Response(
            response_id=storage.sha256_text(f"{problem_id}/{index}"),
            problem_id=problem_id,
            purpose="solve",
            prompt_sha256="0" * 64,
            model="synthetic",
            model_revision="",
            sampler="{}",
            sample_index=index,
            text=text,
            reasoning=None,
            finish_reason="stop",
            failure=None,
            prompt_tokens=1,
            completion_tokens=1,
            latency_s=0.0,
            engine="http",
        )


def write_run(directory: Path, problems: int) -> None:
    """Write a run as it stands before stage 1; the pool is filled in an order that is not the problems' own."""
    ids = [f"synthetic:{number}" for number in range(problems)]
    shuffled = random.Random(0).sample(ids, len(ids))
    with open_pool(directory / "pool") as pool:
        for problem_id in shuffled:
            for response in responses(problem_id):
                pool.add(response)
    rows = [
        records.Problem(
            problem_id,
            "math",
            "synthetic_math",
            "synthetic",
            problem_id.removeprefix("synthetic:"),
            f"What is {problem_id}?",
            "CC0-1.0",
            answer="7",
        )
        for problem_id in ids
    ]
    grades = [
        {
            "problem_id": problem_id,
            "response_id": storage.sha256_text(f"{problem_id}/{index}"),
            "sample_index": index,
            "grade": "right" if index == 0 else "wrong",
            "why": "",
            "grader": "synthetic",
        }
        for problem_id in ids
        for index in range(RESPONSES)
    ]
    accuracy = [
        {"problem_id": problem_id, "right": 1, "wrong": RESPONSES - 1, "unknown": 0, "accuracy": 1 / RESPONSES}
        for problem_id in ids
    ]
    for name, frame, schema in (
        ("problems", records.to_frame(rows, records.PROBLEM_SCHEMA), records.PROBLEM_SCHEMA),
        ("tests", records.to_frame([], records.TEST_SCHEMA), records.TEST_SCHEMA),
        ("pool_grades", pl.DataFrame(grades, schema=records.GRADE_SCHEMA), records.GRADE_SCHEMA),
        ("pool_accuracy", pl.DataFrame(accuracy, schema=records.ACCURACY_SCHEMA), records.ACCURACY_SCHEMA),
        ("stage2", pl.DataFrame(schema=STAGE_SCHEMA), STAGE_SCHEMA),
    ):
        storage.write_table(directory / f"{name}.parquet", frame, schema)


def run_step(directory: Path, name: str) -> None:
    """Run one step on the run."""
    step = {"stage1": StageOne(), "export": Export()}[name]
    output = directory / f"{name}-output"
    output.mkdir()
    tables = {path.stem: path for path in directory.glob("*.parquet")}
    step.execute(StepContext(RECIPE, tables, output, directory, None, Silent()))
    for path in output.glob(f"{name}.parquet"):
        path.replace(directory / path.name)


def measure(directory: Path, gigabytes: float) -> dict[str, float]:
    """Write a run of this size and return the peak memory of each step in MB."""
    problems = max(1, round(gigabytes * 1e9 / RESPONSES / RESPONSE_BYTES))
    write_run(directory, problems)
    peaks: dict[str, float] = {}
    for name in ("stage1", "export"):
        began = time.monotonic()
        done = processes.run(
            [sys.executable, __file__, "--step", name, "--directory", str(directory)], wall_limit_s=36_000
        )
        if done.exit_code:
            sys.exit(done.error.decode())
        peaks[name] = done.memory_bytes / 1e6
        print(
            f"  {gigabytes:.2f} GB, {problems} problems, {name}: {peaks[name]:.0f} MB, {time.monotonic() - began:.0f} s"
        )
    return peaks


def main() -> None:
    """Measure three sizes and print the slope between the smallest and the largest."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--gigabytes", type=float, default=3.0)
    arguments.add_argument("--directory", type=Path, default=Path(tempfile.gettempdir()) / "curation-export-memory")
    arguments.add_argument("--step", help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.step:
        run_step(given.directory, given.step)
        return
    peaks: dict[float, dict[str, float]] = {}
    for size in (given.gigabytes / 4, given.gigabytes / 2, given.gigabytes):
        try:
            peaks[size] = measure(given.directory, size)
        finally:
            shutil.rmtree(given.directory, ignore_errors=True)
    small, large = min(peaks), max(peaks)
    for name in peaks[small]:
        slope = (peaks[large][name] - peaks[small][name]) / (large - small)
        print(f"{name}: {slope:.0f} MB more for each GB of pool")


if __name__ == "__main__":
    main()
