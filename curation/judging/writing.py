"""Programs that somebody writes on request: validators, generators and checkers, which only the sandbox runs.

Who writes is not this package's to know: `curation.llm.writer` lets a model do it.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal, Protocol

from curation.judging import languages
from curation.judging.bench import Bench
from curation.judging.compilation import Prepared, Refused, prepare
from curation.judging.sandbox import RunLimits, WorkFile
from curation.judging.testlib.compilation import Header, compile_program, locate_header
from curation.progress import Reporter, Silent
from curation.recipe import Recipe

ProgramKind = Literal["validator", "generator", "attack", "checker"]
"""What is asked for. An attack is a generator against one program."""

LANGUAGES = ("testlib", "python")
"""The languages that are asked for, by turns, so that programs written for one end have less in common."""

_TESTLIB = re.compile(r"#\s*include\s*[<\"]testlib\.h[>\"]")
_MOST_CHARACTERS = 200_000
_SPACE = re.compile(r"\s+")
_SHOWN = 300


@dataclass(frozen=True, slots=True)
class Written:
    """What was written for one request.

    Attributes:
        text: the whole text.
        response_id: where it is kept.
    """

    text: str
    response_id: str


class Writer(Protocol):
    """Writes what it is asked for, within a budget."""

    def write(self, kind: ProgramKind, requests: Sequence[Mapping[str, object]]) -> list[Written | str]:
        """Return what was written for each request, in order, or why nothing was; call it from any thread.

        Args:
            kind: what is asked for.
            requests: the facts of each request; equal ones get answers of their own.

        Raises:
            OutsideError: whoever writes cannot be reached; what was written is stored.
        """

    def told(self) -> Mapping[str, object]:
        """Return who writes, and what has been spent so far, for reports."""


class Writers(Protocol):
    """Writers of many problems."""

    def of(self, problem_id: str) -> Writer:
        """Return the writer of one problem, whose budget is its own."""


class WriterService(Protocol):
    """Where a recipe's writers come from."""

    def fingerprint(self, recipe: Recipe) -> object:
        """Return everything that changes what they write, as JSON kinds; None where the recipe wants none."""

    def open(self, recipe: Recipe, pool: Path, reporter: Reporter) -> AbstractContextManager[Writers]:
        """Open them; what they write is kept in ``pool``.

        Raises:
            InputError: the recipe's section cannot be used.
        """


@dataclass(frozen=True, slots=True)
class Source:
    """A program as it was written.

    Attributes:
        language: ``testlib``, or a language's label.
        code: its text.
    """

    language: str
    code: str

    @property
    def sha256(self) -> str:
        """The hash of its text."""
        return hashlib.sha256(self.code.encode(errors="surrogatepass")).hexdigest()

    @property
    def label(self) -> str:
        """A short name for reports, by its content."""
        return f"{self.language} {self.sha256[:8]}"


def program_in(blocks: Sequence[tuple[str, str]]) -> Source | None:
    """Return the last of these code blocks that is a program; None where there is none."""
    for hint, code in reversed(blocks):
        if len(code) > _MOST_CHARACTERS:
            continue
        if _TESTLIB.search(code):
            return Source("testlib", code)
        known = languages.find(hint) if hint else None
        language = known.name if known is not None else None if hint else languages.looks_like(code)
        if language is not None:
            return Source(language, code)
    return None


class Workshop:
    """Compiles written programs on the workers of a bench, each once."""

    def __init__(self, bench: Bench, cpu_s: float = 10.0) -> None:
        """Make one whose programs may use so many CPU seconds on one input."""
        self.bench = bench
        self.limits = RunLimits(cpu_s=cpu_s, wall_s=3 * cpu_s + 10, memory_mb=1024, output_mb=64)
        self._guard = threading.Lock()

    def compile(self, source: Source) -> Prepared | Refused:
        """Compile a program; call it on a worker.

        Raises:
            OutsideError: testlib cannot be fetched, or no sandbox can be started.
        """
        content = source.code.encode(errors="surrogatepass")
        sandbox, store = self.bench.sandbox(), self.bench.store
        if source.language == "testlib":
            return compile_program(sandbox, store, self._testlib(), content)
        known = languages.find(source.language)
        suffix = known.suffixes[0] if known is not None else ".txt"
        return prepare(sandbox, store, source.language, [WorkFile(f"program{suffix}", content)])

    def _testlib(self) -> Header:
        with self._guard:
            return self._header

    @cached_property
    def _header(self) -> Header:
        return locate_header("testlib.h", Path.cwd(), Silent())


def quoted(text: str, most: int = _SHOWN) -> str:
    """Return what a program said as one line of bounded length: it is shown to readers and models as a quotation."""
    line = _SPACE.sub(" ", "".join(one if one.isprintable() else " " for one in text)).strip()
    return line if len(line) <= most else line[:most] + " ..."
