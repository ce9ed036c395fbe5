"""Rows a second of datatrove's n-gram decontamination with query n-grams on; `audit_speed.py --datatrove` runs this.

    python benchmarks/datatrove_rate.py FOLDER ROWS PROCESSES

Wants ``pip install datatrove regex spacy 'xxhash<3.6'``, in an environment of its own, and FOLDER with ``rows.jsonl``
and ``benchmark.jsonl``. Each process filters its share of the rows; only `NGramsDecontFilter.filter` is timed, not the
start, the index or the reading. Prints one JSON object.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
import time
from itertools import islice
from pathlib import Path

from datatrove.data import Document
from datatrove.pipeline.decont.n_grams import NGramsDecontConfig, NGramsDecontFilter, NGramsDecontIndexer


def filter_share(folder: Path, rows: int, start: int, step: int) -> tuple[float, float, int]:
    """Filter every ``step``-th of the first rows; return wall seconds, CPU seconds and how many were dropped."""
    config = NGramsDecontConfig(find_query_ngrams=True)
    decontaminate = NGramsDecontFilter(index_folder=str(folder), config=config)
    # The indexer's run needs lighteval for its own tasks; its hashes do not.
    indexer = object.__new__(NGramsDecontIndexer)
    indexer.config, indexer.tokenizer, indexer.hash_func = config, decontaminate.tokenizer, decontaminate.hash_func
    with (folder / "benchmark.jsonl").open(encoding="utf-8") as file:
        items = [json.loads(line) for line in file]
    decontaminate._index_hashes = {
        gram: "own" for item in items for gram in indexer.compute_hashes(item["answer"], item["problem"])
    }
    with (folder / "rows.jsonl").open(encoding="utf-8") as file:
        texts = [json.loads(line)["problem"] for line in islice(file, start, rows, step)]
    wall, cpu = time.perf_counter(), time.process_time()
    kept = sum(decontaminate.filter(Document(text=text, id=str(place))) is True for place, text in enumerate(texts))
    return time.perf_counter() - wall, time.process_time() - cpu, len(texts) - kept


def main() -> None:
    """Filter with all processes at once and print what they took."""
    folder, rows, processes = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    with multiprocessing.Pool(processes) as pool:
        shares = pool.starmap(filter_share, [(folder, rows, start, processes) for start in range(processes)], 1)
    wall, cpu = max(share[0] for share in shares), sum(share[1] for share in shares)
    print(json.dumps({"rows": rows, "seconds": wall, "cpu_seconds": cpu, "dropped": sum(share[2] for share in shares)}))


if __name__ == "__main__":
    main()
