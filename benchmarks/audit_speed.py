"""Rows a second of `curation audit`, its peak memory, and datatrove's n-gram decontamination on the same texts.

    python benchmarks/audit_speed.py --rows 1000000 --items 3000 [--words 100] [--datatrove]

Writes synthetic problems and a benchmark in a temporary directory, takes every thousandth row from the
benchmark, audits in a child process and prints rows a second, peak memory and how many of those rows were found.
With ``--datatrove`` (``pip install datatrove regex``) the same texts go through its `NGramsDecontFilter` with query
n-grams on, the first 20,000 rows, in this process on one core.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STOCK = [
    "the", "of", "a", "and", "is", "in", "to", "that", "find", "number", "with", "such", "are", "let", "for", "what",
    "by", "each", "on", "all", "be", "positive", "integer", "how", "many", "from", "has", "at", "two", "if", "sum",
]  # fmt: skip
FORMULAS = ["$x^2$", "$n+1$", "$\\frac{a}{b}$", "$AB$", "$\\angle ABC$", "$k \\leq 7$", "$\\sqrt{3}$", "$f(x)$"]
TERMS = [
    "circle", "triangle", "remainder", "digit", "sequence", "polynomial", "average", "product", "fraction", "perimeter",
    "divisor", "prime", "probability", "rectangle", "equation", "root", "angle", "radius", "square", "area",
]  # fmt: skip


def vocabulary(generator: random.Random) -> list[str]:
    """Return 8,000 made-up words; they are drawn with falling frequency, as words of a language are."""
    return ["".join(generator.choices("bcdfghlmnprstvaeiou", k=generator.randrange(4, 10))) for _ in range(8_000)]


def problem(generator: random.Random, names: list[str], words: int) -> str:
    """Return a problem-like text: half stock words, some terms, numbers and formulas, the rest made up."""
    parts = []
    for _ in range(words):
        draw = generator.random()
        if draw < 0.5:
            parts.append(generator.choice(STOCK))
        elif draw < 0.6:
            parts.append(generator.choice(TERMS))
        elif draw < 0.7:
            parts.append(f"${generator.randrange(1, 10 ** generator.randrange(1, 4))}$")
        elif draw < 0.75:
            parts.append(generator.choice(FORMULAS))
        else:
            parts.append(names[int(len(names) * generator.random() ** 3)])
    return " ".join(parts).capitalize() + "."


def write(folder: Path, rows: int, items: int, words: int) -> None:
    """Write ``benchmark.jsonl`` and ``rows.jsonl``."""
    generator = random.Random(0)
    names = vocabulary(generator)
    texts = [problem(generator, names, generator.randrange(25, 90)) for _ in range(items)]
    with (folder / "benchmark.jsonl").open("w") as file:
        for number, text in enumerate(texts):
            file.write(json.dumps({"id": str(number), "problem": text, "answer": str(number * 7)}) + "\n")
    with (folder / "rows.jsonl").open("w") as file:
        for number in range(rows):
            text = texts[number // 1000 % items] if number % 1000 == 0 else problem(generator, names, words)
            file.write(json.dumps({"id": str(number), "problem": text, "answer": str(number % 997)}) + "\n")


def audit(folder: Path) -> float:
    """Run the audit in a child process and print what it took; return the seconds."""
    program = (
        "import sys; from curation.contamination.audit import audit; "
        "result = audit(sys.argv[1], sys.argv[2], [sys.argv[3]]); print(result.summary['hits_by_kind'])"
    )
    command = [sys.executable, "-c", program, folder / "rows.jsonl", folder / "out", folder / "benchmark.jsonl"]
    start = time.perf_counter()
    subprocess.run(command, check=True)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024**2
    print(f"audit: {seconds:,.1f} s on {os.cpu_count()} processors, largest process {peak:.2f} GiB")
    return seconds


def datatrove(folder: Path, rows: int) -> float:
    """Run datatrove's filter over the first rows; return rows a second."""
    from datatrove.data import Document
    from datatrove.pipeline.decont.n_grams import NGramsDecontConfig, NGramsDecontFilter, NGramsDecontIndexer

    config = NGramsDecontConfig(find_query_ngrams=True)
    decontaminate = NGramsDecontFilter(index_folder=str(folder), config=config)
    # The indexer's run needs lighteval for its own tasks; its hashes do not.
    indexer = object.__new__(NGramsDecontIndexer)
    indexer.config, indexer.tokenizer, indexer.hash_func = config, decontaminate.tokenizer, decontaminate.hash_func
    decontaminate._index_hashes = {
        gram: "own"
        for item in map(json.loads, (folder / "benchmark.jsonl").read_text().splitlines())
        for gram in indexer.compute_hashes(item["answer"], item["problem"])
    }
    texts = []
    with (folder / "rows.jsonl").open() as file:
        for _, line in zip(range(rows), file, strict=False):
            texts.append(json.loads(line)["problem"])
    start = time.perf_counter()
    for number, text in enumerate(texts):
        decontaminate.filter(Document(text=text, id=str(number)))
    return len(texts) / (time.perf_counter() - start)


def main() -> None:
    """Parse the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--items", type=int, default=3_000)
    parser.add_argument("--words", type=int, default=100)
    parser.add_argument("--datatrove", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, options.rows, options.items, options.words)
        seconds = audit(folder)
        print(f"audit: {options.rows / seconds:,.0f} rows/s")
        if options.datatrove:
            print(f"datatrove, one core: {datatrove(folder, min(options.rows, 20_000)):,.0f} rows/s")


if __name__ == "__main__":
    main()
