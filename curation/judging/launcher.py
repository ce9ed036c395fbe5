"""The compiled part of the warden that starts programs quickly, made by the C++ compiler that the judge has anyway."""

from __future__ import annotations

import functools
import hashlib
import os
import shutil
import tempfile
from pathlib import Path

from curation import assets, processes, storage
from curation.errors import OutsideError

_SOURCE = Path(__file__).resolve().parent / "warden" / "launch.c"
_FLAGS = ("-x", "c", "-std=gnu11", "-O2", "-fPIC", "-shared")
_PATIENCE_S = 60


@functools.cache
def compiled_launcher() -> str:
    """Return the path of the compiled ``warden/launch.c``; empty where it cannot be made: the warden does without.

    It lies in the program's cache (see `curation.assets.home`) under the hash of its source and the machine's
    architecture.
    """
    compiler = shutil.which("g++")
    if compiler is None:
        return ""
    made_from = [_SOURCE.read_bytes(), *(flag.encode() for flag in _FLAGS), os.uname().machine.encode()]
    name = hashlib.sha256(b"\0".join(made_from)).hexdigest()
    place = assets.home() / "launchers" / name / "launch.so"
    try:
        if not place.is_file():
            place.parent.mkdir(parents=True, exist_ok=True)
            _compile(compiler, place)
    except (OSError, OutsideError):
        return ""
    return str(place) if place.is_file() else ""


def _compile(compiler: str, place: Path) -> None:
    # Another process or thread may be at the same: each in a directory of its own, and the last one's file stays.
    with tempfile.TemporaryDirectory(prefix=storage.TEMPORARY_MARK, dir=place.parent) as temporary:
        made = Path(temporary) / place.name
        finished = processes.run([compiler, *_FLAGS, "-o", made, _SOURCE], wall_limit_s=_PATIENCE_S)
        if finished.exit_code == 0:
            made.replace(place)
