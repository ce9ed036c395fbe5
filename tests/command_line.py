"""The command line inside the test's own process: what it prints and its exit code, without loading it each time."""

from __future__ import annotations

import contextlib
import io
import sys
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from curation.cli import main


@dataclass(frozen=True)
class Done:
    """What a finished command left: its exit code and what it printed."""

    returncode: int
    stdout: str
    stderr: str


def curation(*arguments: str | Path, directory: Path | None = None) -> Done:
    """Run a command, with ``directory`` as the working directory; what no user should see, an exception, is raised."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    code: object = 0
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        contextlib.chdir(directory or Path.cwd()),
        patch.object(sys, "argv", ["curation", *map(str, arguments)]),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code
    assert isinstance(code, int)
    return Done(code, *(stream.buffer.getvalue().decode() for stream in (out, err)))  # type: ignore[attr-defined]
