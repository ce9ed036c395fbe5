"""What this machine has of what the program can use, and what to do where something is missing."""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Status = Literal["ok", "weaker", "missing"]


@dataclass(frozen=True)
class Check:
    """One thing that was looked at.

    Attributes:
        name: what it is.
        status: ``ok``; ``weaker``: works with less; ``missing``: what needs it stops with a sentence.
        detail: what was found.
        needed_for: which commands or steps use it.
        remedy: what to do; empty where nothing is to be done.
    """

    name: str
    status: Status
    detail: str
    needed_for: str
    remedy: str = ""


_EXTRAS = {
    "xllamacpp": ("demo", "the embedded model server"),
    "vllm": ("vllm", "the vLLM engine"),
    "ray": ("ray", "work over a cluster"),
    "sentence_transformers": ("semantic", "the audit's embedding layer"),
}


def examine(directory: Path = Path()) -> list[Check]:
    """Look at the machine; start nothing but short-lived probes.

    Args:
        directory: where runs will be written, for the free disk space.
    """
    return [*_machine(directory), *_tools(), *_extras(), _hub()]


def _machine(directory: Path) -> Iterator[Check]:
    version = platform.python_version()
    enough = tuple(int(part) for part in platform.python_version_tuple()[:2]) >= (3, 11)
    yield Check("Python", "ok" if enough else "missing", version, "everything", "" if enough else "install Python 3.11")
    yield Check("processors", "ok", str(os.cpu_count() or 1), "judging, filtering")
    pages, page_bytes = os.sysconf("SC_PHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    memory = pages * page_bytes / 2**30
    small = memory < 4
    remedy = "the CPU steps on a million problems want 3 GB" if small else ""
    yield Check("memory", "weaker" if small else "ok", f"{memory:.1f} GiB", "everything", remedy)
    place = next(parent for parent in (directory.absolute(), *directory.absolute().parents) if parent.exists())
    free = shutil.disk_usage(place).free / 2**30
    full = free < 2
    yield Check(
        "free disk", "weaker" if full else "ok", f"{free:.1f} GiB at {place}", "runs", "make room" if full else ""
    )


def _tools() -> Iterator[Check]:
    from curation.errors import OutsideError
    from curation.judging.isolation import strongest

    compiler = shutil.which("g++") or shutil.which("c++")
    yield Check(
        "C++ compiler",
        "ok" if compiler else "missing",
        compiler or "none on PATH",
        "judging C++ submissions, testlib checkers",
        "" if compiler else "install g++",
    )
    status: Status = "missing"
    try:
        isolation = strongest()
        status, sentence = ("ok" if isolation.level == "bubblewrap" else "weaker"), isolation.sentence
    except OutsideError as error:
        sentence = str(error)
    remedy = "" if status == "ok" else "install bubblewrap for the strongest isolation"
    yield Check("sandbox", status, sentence, "running submissions", remedy)
    for name, what in (("pypy3", "PyPy submissions"), ("java", "Java submissions")):
        path = shutil.which(name)
        yield Check(name, "ok" if path else "missing", path or "not on PATH", what, "" if path else f"install {name}")
    graphics = shutil.which("nvidia-smi")
    yield Check(
        "GPU",
        "ok" if graphics else "missing",
        graphics or "no nvidia-smi on PATH",
        "the vLLM engine",
        "" if graphics else "give a recipe a server's url, or use the embedded model",
    )


def _extras() -> Iterator[Check]:
    for module, (extra, what) in _EXTRAS.items():
        found = importlib.util.find_spec(module) is not None
        remedy = "" if found else f"pip install 'curation[{extra}]'"
        yield Check(f"extra {extra}", "ok" if found else "missing", module, what, remedy)


def _hub() -> Check:
    if os.environ.get("HF_HUB_OFFLINE", "").lower() in {"1", "true", "yes", "on"}:
        return Check(
            "Hugging Face Hub", "weaker", "HF_HUB_OFFLINE is set", "Hub sources, push", "local copies are read"
        )
    from huggingface_hub import get_token

    # The token itself is never shown.
    token = get_token() is not None
    detail = "a token is set" if token else "no token"
    remedy = "" if token else "set HF_TOKEN to push or to read gated data sets"
    return Check("Hugging Face Hub", "ok" if token else "weaker", detail, "push, gated sources", remedy)
