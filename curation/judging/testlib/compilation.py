"""Compiling programs written against testlib: cached by content, the header compiled once before."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from curation import assets
from curation.errors import InputError, OutsideError
from curation.json_reader import dumps
from curation.judging import languages
from curation.judging.compilation import COMPILE_LIMITS, Prepared, Refused, prepare
from curation.judging.languages import Language
from curation.judging.sandbox import Sandbox, WorkFile
from curation.judging.store import JUDGE_VERSION, Store
from curation.progress import Reporter

# TESTSYS moves the exit codes of partial points from 0 to 50, where they cannot be taken for those of verdicts.
# A program against testlib is one translation unit, so the compiler may leave out what it does not call.
_OPTIONS = ("-O1", "-fwhole-program", "-pipe", "-DTESTSYS", "-std=gnu++17")

LANGUAGE = Language(
    name="testlib",
    family="c",
    suffixes=(".cpp", ".cc", ".cxx", ".c++"),
    program="g++",
    flags=(*_OPTIONS, "-x", "c++"),
)
"""How programs against testlib are compiled: most of the time goes into the header itself, so not at -O2."""

_PRECOMPILED = "testlib.h.gch"
_PRECOMPILED_BYTES = 256 << 20


@dataclass(frozen=True, slots=True)
class Header:
    """A ``testlib.h``: its content, and its SHA-256, which enters the key of every program compiled with it."""

    content: bytes
    sha256: str


def locate_header(reference: str, directory: Path, reporter: Reporter, sha256: str | None = None) -> Header:
    """Return the header that a reference means.

    Args:
        reference: ``testlib.h`` for the pinned one, a path, or ``hub://owner/repo/file@revision``.
        directory: where a relative path starts.
        reporter: told when something is downloaded.
        sha256: the hash that a path or Hub file must have; None to take what is there.

    Raises:
        InputError: there is no such file, its hash differs, or it is no testlib.
        OutsideError: the download failed.
    """
    path = assets.locate(reference, directory, reporter, sha256)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror})") from None
    if b"registerTestlibCmd" not in content:
        raise InputError(f"{path} is no testlib.h (it does not define registerTestlibCmd): give the right file")
    return Header(content, hashlib.sha256(content).hexdigest())


def compile_program(
    sandbox: Sandbox, store: Store, header: Header, source: bytes, beside: Sequence[WorkFile] = ()
) -> Prepared | Refused:
    """Compile a program written against testlib, unless the store holds it.

    Args:
        sandbox: where the compiler runs.
        store: where compiled programs are kept.
        header: the testlib to compile with.
        source: the program's text.
        beside: other files that it includes.

    Raises:
        OutsideError: no sandbox can be started.
    """
    sources = [WorkFile("program.cpp", source), WorkFile("testlib.h", header.content), *beside]
    derived = functools.partial(_precompiled, sandbox, store, header)
    return prepare(sandbox, store, LANGUAGE, sources, derived=derived)


def _precompiled(sandbox: Sandbox, store: Store, header: Header) -> list[WorkFile]:
    """Return the compiled header, for the compiler to find beside the header itself; nothing where it fails."""
    program = languages.executable(LANGUAGE, sandbox.isolation)
    if program is None:
        return []
    parts = ["header", JUDGE_VERSION, list(LANGUAGE.flags), languages.version(program), header.sha256]
    key = hashlib.sha256(dumps(parts).encode()).hexdigest()
    kept = store.program(key)
    if kept is None:
        # After another -x, the compiler would link the header as if it were a program.
        command = [program, *_OPTIONS, "-x", "c++-header", "testlib.h", "-o", _PRECOMPILED]
        files = [WorkFile("testlib.h", header.content)]
        execution = sandbox.run(command, COMPILE_LIMITS, files=files, collect={_PRECOMPILED: _PRECOMPILED_BYTES})
        if execution.failure is not None:
            raise OutsideError(f"testlib.h cannot be compiled here ({execution.failure}): run `curation doctor`")
        kept = execution.files.get(_PRECOMPILED, b"") if execution.exit_code == 0 else b""
        if not kept:
            # The program's own compilation tells what is wrong with the header, with the compiler's words.
            return []
        store.keep_program(key, kept)
    return [WorkFile(_PRECOMPILED, kept)]
