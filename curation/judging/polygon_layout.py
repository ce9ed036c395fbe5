"""Packages of Codeforces' Polygon as the judge reads them: `curation.ingest.packages.polygon` describes their files."""

from __future__ import annotations

from pathlib import Path

from curation.errors import InputError
from curation.ingest.packages.polygon import PolygonPackage, polygon_package
from curation.ingest.packages.row import PackageError
from curation.judging.groups import Group, read_settings
from curation.judging.judge import Program, single_file
from curation.judging.layout import Package
from curation.records import TestCase

_KINDS = {
    "main": "accepted",
    "accepted": "accepted",
    "wrong-answer": "wrong_answer",
    "presentation-error": "wrong_answer",
    "time-limit-exceeded": "time_limit_exceeded",
    "memory-limit-exceeded": "memory_limit_exceeded",
    "failed": "rejected",
    "rejected": "rejected",
    "time-limit-exceeded-or-memory-limit-exceeded": "rejected",
}
_OTHER = "mixed"
"""The kind of a program that may be accepted or not."""

_OUTPUT_MB = 256


def read_polygon(path: Path) -> Package:
    """Read a full package of Polygon.

    Raises:
        InputError: it is damaged, lacks files, or is of a kind that cannot be judged.
    """
    read = _read(path)
    name = path.resolve().name
    tests = tuple(TestCase(name, test.name, "stdio", test.input, test.output) for test in read.tests)
    return Package(
        path=path,
        name=name,
        is_scoring=False,
        tests=tests,
        flags={test.name: () for test in tests},
        root=Group("data", read_settings({}, str(path), is_legacy=False), tuple(test.name for test in tests)),
        validators=(),
        lacks_validator=read.needs_checker,
        is_interactive=False,
        passes=None,
        cpu_s=read.time_limit_s,
        memory_mb=read.memory_limit_mb,
        output_mb=_OUTPUT_MB,
        multiplier=1.0,
        testlib=None if read.checker is None else read.checker.encode(),
    )


def polygon_programs(path: Path) -> list[tuple[str, Program]]:
    """Return a package's programs with their kinds, named as the directories of the ICPC layout.

    Raises:
        InputError: the package cannot be read.
    """
    return [
        (_KINDS.get(one.tag, _OTHER), single_file(str(path / one.path), one.language, one.code))
        for one in _read(path).solutions
    ]


def _read(path: Path) -> PolygonPackage:
    try:
        return polygon_package(path)
    except PackageError as error:
        raise InputError(f"{path}: {error}") from None
