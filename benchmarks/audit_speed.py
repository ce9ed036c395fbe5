"""Rows a second of `curation audit`, CPU and memory of all its processes, and datatrove's rate on the same texts.

    python benchmarks/audit_speed.py --rows 1000000 --items 3000 [--words 100] [--datatrove PYTHON]

Writes word problems and a benchmark of the same grammar in a temporary directory. Of every thousand rows one is a
benchmark item and one an item with other numbers. Audits them in a child process and prints rows a second, CPU
microseconds a row, the most memory that its processes held together, and what share of rows reaches each stage. With
``--datatrove``, the Python of an environment that has it (`datatrove_rate.py` says what it needs), the first rows go
through datatrove's filter with query n-grams on, on as many processes, in the same run. Wants psutil.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import psutil
from word_problems import WordProblems

from curation.contamination.index import Index
from curation.contamination.items import BenchmarkItem
from curation.contamination.likeness import SignatureIndex
from curation.contamination.prepared import prepare
from curation.contamination.signature import sign

_EVERY = 0.2
_STAGES_OF = 2_000
_DATATROVE_ROWS = 20_000
_SHARE_TO_ALIGN = 0.12
_SHARE_IS_ENOUGH = 0.25
_RUNS_TO_ALIGN = 9
_EVIDENCE = 4.0


@dataclass
class Cost:
    """What a child process and its own children took."""

    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_bytes: int = 0


def write(folder: Path, rows: int, items: int, words: int) -> None:
    """Write ``benchmark.jsonl`` and ``rows.jsonl``."""
    problems = WordProblems(0)
    texts = [problems.problem(30 + number % 60) for number in range(items)]
    with (folder / "benchmark.jsonl").open("w", encoding="utf-8") as file:
        for number, text in enumerate(texts):
            file.write(json.dumps({"id": str(number), "problem": text, "answer": problems.answer()}) + "\n")
    with (folder / "rows.jsonl").open("w", encoding="utf-8") as file:
        for number in range(rows):
            text = problems.problem(words)
            if number % 1_000 == 0:
                text = texts[number // 1_000 % items]
            elif number % 1_000 == 500:
                text = re.sub(r"\d+", lambda found: str(int(found.group()) + 1), texts[number // 1_000 % items])
            file.write(json.dumps({"id": str(number), "problem": text, "answer": problems.answer()}) + "\n")


def audit(folder: Path) -> Cost:
    """Run the audit in a child process; return what it and its processes took."""
    program = (
        "import sys; from curation.contamination.audit import audit; "
        "result = audit(sys.argv[1], sys.argv[2], [sys.argv[3]]); print(result.summary['hits_by_kind'])"
    )
    command = [sys.executable, "-c", program, folder / "rows.jsonl", folder / "out", folder / "benchmark.jsonl"]
    cost, start, cpu = Cost(), time.perf_counter(), dict[int, float]()
    with subprocess.Popen(command) as child:
        process = psutil.Process(child.pid)
        while child.poll() is None:
            held = 0
            for one in [process, *_children(process)]:
                try:
                    times, memory = one.cpu_times(), one.memory_full_info()
                except psutil.Error:
                    continue
                cpu[one.pid] = times.user + times.system
                # Pages that processes share count once.
                held += memory.pss
            cost.peak_bytes = max(cost.peak_bytes, held)
            time.sleep(_EVERY)
    if child.returncode:
        sys.exit(child.returncode)
    cost.seconds, cost.cpu_seconds = time.perf_counter() - start, sum(cpu.values())
    return cost


def _children(process: psutil.Process) -> list[psutil.Process]:
    try:
        found: list[psutil.Process] = process.children(recursive=True)
    except psutil.Error:
        return []
    return found


def stages(folder: Path) -> dict[str, float]:
    """Return what share of the first rows reaches the stages that cost most."""
    with (folder / "benchmark.jsonl").open(encoding="utf-8") as file:
        items = [BenchmarkItem("own", row["id"], row["problem"], row["answer"]) for row in map(json.loads, file)]
    index = Index(items)
    signatures = SignatureIndex([sign(item.text, one) for item, one in zip(items, index.prepared, strict=True)])
    with (folder / "rows.jsonl").open(encoding="utf-8") as file:
        texts = [json.loads(line)["problem"] for line in islice(file, _STAGES_OF)]
    prepared = [prepare(text) for text in texts]
    aligned = index.candidates(prepared, _SHARE_TO_ALIGN, _SHARE_IS_ENOUGH, _RUNS_TO_ALIGN)
    signed = [sign(text, one) for text, one in zip(texts, prepared, strict=True)]
    like = signatures.candidates(signed, _EVIDENCE, [{}] * len(texts))
    counted = {"share much of an item": map(bool, aligned), "are like one": map(bool, like)}
    return {what: sum(found) / len(texts) for what, found in counted.items()}


def main() -> None:
    """Parse the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--items", type=int, default=3_000)
    parser.add_argument("--words", type=int, default=100)
    parser.add_argument("--datatrove", metavar="PYTHON")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, options.rows, options.items, options.words)
        print(", ".join(f"{share:.1%} of rows {what}" for what, share in stages(folder).items()))
        cost = audit(folder)
        rate, cpu = options.rows / cost.seconds, cost.cpu_seconds / options.rows
        print(
            f"audit: {cost.seconds:,.1f} s on {os.cpu_count()} processors, {rate:,.0f} rows/s, "
            f"{cpu * 1e6:,.0f} us CPU a row, {cost.peak_bytes / 1024**3:.2f} GiB in all processes"
        )
        if options.datatrove:
            script = Path(__file__).with_name("datatrove_rate.py")
            rows = min(options.rows, _DATATROVE_ROWS)
            command = [options.datatrove, script, folder, str(rows), str(os.cpu_count())]
            done = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.splitlines()[-1])
            other, other_cpu = rows / done["seconds"], done["cpu_seconds"] / rows
            print(f"datatrove: {other:,.0f} rows/s, {other_cpu * 1e6:,.0f} us CPU a row on as many processors")
            print(f"ratio: {rate / other:.1f} by rows a second, {other_cpu / cpu:.1f} by CPU a row")


if __name__ == "__main__":
    main()
