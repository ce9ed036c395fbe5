"""`curation label` as a process of its own, as a user starts it."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

HOSTILE = "<script>document.title = 'run'</script><img src=x onerror=\"document.title = 'run'\">"
CASES = [
    {
        "id": "quad",
        "problem": r"Let $f(x)=3x^{2}$. Compute \(\frac{f(4)}{2}\).",
        "answer": r"\frac{48}{2}",
        "solution": "$f(4)=48$, so it is\n$$24.$$\nThat is all.",
    },
    {"id": HOSTILE, "problem": f"What is {HOSTILE}?", "answer": f"13{HOSTILE}", "solution": f"</main>{HOSTILE}"},
    {"id": "big", "problem": "A number?", "answer": "1234567890" * 50, "value": 10**40},
]


def write_cases(directory: Path, cases: Sequence[dict[str, object]] = tuple(CASES)) -> Path:
    """Write the cases and return their file."""
    path = directory / "cases.jsonl"
    path.write_text("".join(json.dumps(case) + "\n" for case in cases))
    return path


@contextmanager
def labelling(directory: Path, *options: str, end: int = signal.SIGTERM) -> Iterator[str]:
    """Run `curation label` on the directory's cases and give the address; send it a signal on leaving."""
    command = [sys.executable, "-m", "curation", "label", "cases.jsonl", "--out", "labels", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=directory) as process:
        assert process.stdout is not None
        try:
            yield re.findall(r"http://\S+", process.stdout.readline())[0]
        finally:
            process.send_signal(end)


def labels(directory: Path, annotator: str = "annotator") -> list[dict[str, object]]:
    """Return the rows of an annotator's table."""
    text = (directory / "labels" / f"{annotator}.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]
