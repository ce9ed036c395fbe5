"""Tokens a second of `curation sample` beside those of a plain client, on one llama.cpp server with the same slots.

The plain client is a loop over the same requests with as many in flight as the server has slots, and does nothing with
the answers. Both take turns ROUNDS times on the same running server, each time with samples of their own, so that the
machine's other work and the server's cache meet both alike:

    python benchmarks/sample_rate.py --slots 4 --problems 24 --samples 4 --tokens 64 --rounds 3
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import aiohttp

from curation import assets
from curation.llm import solving
from curation.llm.engine import Request
from curation.llm.llama_server import serve
from curation.llm.sampling import sample
from curation.llm.standalone import Options, one_section
from curation.progress import Silent
from curation.recipe import ModelSection, Recipe
from curation.records import Problem

MODEL = "smollm2-135m-instruct"


def rows(problems: int) -> list[dict[str, str]]:
    """Return problems that ask for much to be written."""
    return [
        {"id": str(n), "problem": f"List the first {n + 20} multiples of {n + 7} and add them up.", "answer": "0"}
        for n in range(problems)
    ]


def recipe(address: str, given: argparse.Namespace, seed: int) -> Recipe:
    """Return a recipe that asks the server."""
    model = {"url": f"{address}/v1", "model": MODEL, "concurrency": given.slots}
    sampler = {"max_tokens": given.tokens, "seed": seed}
    return one_section(Options(model=model, sampler=sampler, section={"samples": given.samples}), "pool")


def requests(wanted: Recipe, problems: list[dict[str, str]]) -> Iterator[Request]:
    """Yield the requests that `sample` makes."""
    if wanted.pool is None:
        return
    math, code = solving.load_prompts(wanted, wanted.pool)
    asking = solving.Solving(math, code, wanted.pool.sampler, wanted.pool.sampler, {})
    for row in problems:
        problem = Problem(row["id"], "math", "opensource_math", "rows", row["id"], row["problem"], "unstated")
        yield from asking.requests(
            {"problem_id": problem.problem_id, "domain": "math", "statement": problem.statement},
            range(wanted.pool.samples),
        )


async def plain(address: str, slots: int, wanted: list[Request]) -> int:
    """Ask everything with ``slots`` requests in flight; return the tokens that were written."""
    waiting, tokens = iter(wanted), 0

    async def work(session: aiohttp.ClientSession) -> None:
        nonlocal tokens
        for request in waiting:
            payload = {
                "model": MODEL,
                "messages": [{"role": one.role, "content": one.content} for one in request.messages],
                "max_tokens": request.sampler.max_tokens,
                "temperature": request.sampler.temperature,
                "top_p": request.sampler.top_p,
                "seed": request.seed,
            }
            async with session.post(f"{address}/v1/chat/completions", json=payload) as answer:
                tokens += int((await answer.json())["usage"]["completion_tokens"])

    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=None)) as session:
        await asyncio.gather(*[work(session) for _ in range(slots)])
    return tokens


def main() -> None:
    """Let both take turns and print their rates."""
    arguments = argparse.ArgumentParser(description=__doc__)
    for name, default in (
        ("slots", 4),
        ("problems", 24),
        ("samples", 4),
        ("tokens", 64),
        ("rounds", 3),
        ("threads", 0),
    ):
        arguments.add_argument(f"--{name}", type=int, default=default)
    given = arguments.parse_args()
    section = ModelSection(
        engine="llama.cpp",
        model=MODEL,
        concurrency=given.slots,
        context_tokens=1024,
        threads=given.threads or None,
    )
    problems = rows(given.problems)
    rates: dict[str, list[float]] = {"plain client": [], "curation sample": []}
    with (
        tempfile.TemporaryDirectory() as place,
        serve(section, assets.locate(MODEL, Path(), Silent())) as address,
    ):
        table = Path(place) / "rows.jsonl"
        table.write_text("".join(json.dumps(row) + "\n" for row in problems))
        asyncio.run(plain(address, given.slots, list(requests(recipe(address, given, 10_000), problems[:1]))))
        for number in range(given.rounds):
            wanted = list(requests(recipe(address, given, 2 * number), problems))
            began = time.monotonic()
            tokens = asyncio.run(plain(address, given.slots, wanted))
            rates["plain client"].append(tokens / (time.monotonic() - began))
            began = time.monotonic()
            done = sample(str(table), Path(place) / "pool", recipe(address, given, 2 * number + 1))
            rates["curation sample"].append(done.completion_tokens / (time.monotonic() - began))
            if done.stored != len(wanted):
                sys.exit(f"{done.failed} requests failed: {dict(done.failures)}")
            print(", ".join(f"{name} {rate[-1]:.1f} tokens/s" for name, rate in rates.items()), flush=True)
    ratios = [ours / theirs for theirs, ours in zip(*rates.values(), strict=True)]
    print(f"median ratio {statistics.median(ratios):.3f} of {given.rounds} rounds with {given.slots} slots")


if __name__ == "__main__":
    main()
