"""Problem packages: directories in the layout of the ICPC problem package format, in its legacy and its 2025 version.

problem.yaml                    name, type, limits, validator flags
data/sample, data/secret        *.in with *.ans beside them, in nested groups with testdata.yaml or test_group.yaml
output_validators/              or output_validator/: a program that judges outputs
submissions/accepted, ...       programs with known verdicts
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from curation.errors import InputError
from curation.json_reader import dumps
from curation.judging import languages
from curation.judging.groups import Group, read_settings
from curation.judging.judge import Program
from curation.judging.sandbox import WorkFile
from curation.records import TestCase

_TESTS_YAML = ("testdata.yaml", "test_group.yaml")
_UNSUPPORTED = ("submit-answer",)
_MOST_FILES = 200
"""Each file of a program is a descriptor in one message to the sandbox."""

_DEFAULT_MEMORY_MB = 2048
_DEFAULT_OUTPUT_MB = 256
_DEFAULT_PASSES = 2
_MOST_PASSES = 1000
_LEGACY_MULTIPLIER = 5.0
_MULTIPLIER = 2.0
_UNQUOTED = re.compile(r"^(\w+):[ \t]+(?![\"'\[{|>&*!#])(.*:.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Package:
    """A problem package that can be judged.

    Attributes:
        path: its directory.
        name: the directory's name.
        is_scoring: submissions earn points by test group.
        tests: its tests, samples first.
        flags: the output validator's flags of each test, by test name.
        root: its test groups.
        validators: its own output validators, each a list of source files; empty for the default validator.
        lacks_validator: it asks for a validator of its own and holds none.
        is_interactive: submissions talk to the validator instead of reading an input.
        passes: how often a submission may run on one test, where the validator decides; None for once.
        cpu_s: its time limit; None where it states none.
        memory_mb: its memory limit.
        output_mb: its output limit.
        multiplier: the time limit over the slowest accepted submission, where none is stated.
        testlib: its checker in C++ with testlib, where it is a package of Polygon.
    """

    path: Path
    name: str
    is_scoring: bool
    tests: tuple[TestCase, ...]
    flags: Mapping[str, tuple[str, ...]]
    root: Group
    validators: tuple[tuple[WorkFile, ...], ...]
    lacks_validator: bool
    is_interactive: bool
    passes: int | None
    cpu_s: float | None
    memory_mb: int
    output_mb: int
    multiplier: float
    testlib: bytes | None = None


def is_polygon(path: Path) -> bool:
    """Whether a directory is a package of Polygon and none in this layout: see `curation.judging.polygon_layout`."""
    return (path / "problem.xml").is_file() and not (path / "problem.yaml").is_file()


def read_package(path: Path) -> Package:
    """Read a problem package in this layout, or one of Polygon.

    Raises:
        InputError: it is no package, lacks a file, or is of a kind that cannot be judged.
    """
    if is_polygon(path):
        from curation.judging.polygon_layout import read_polygon

        return read_polygon(path)
    fields = problem_fields(path)
    kinds = _words(fields.get("type", "pass-fail")) + _words(fields.get("validation", ""))
    unsupported = next((kind for kind in _UNSUPPORTED if kind in kinds), None)
    if unsupported is not None:
        raise InputError(f"{path / 'problem.yaml'}: {unsupported} problems cannot be judged")
    if "interactive" in kinds and "multi-pass" in kinds:
        raise InputError(f"{path / 'problem.yaml'}: interactive problems of several passes cannot be judged")
    limits = fields.get("limits")
    limits = limits if isinstance(limits, dict) else {}
    legacy = str(fields.get("problem_format_version", "legacy")).startswith("legacy")
    multipliers = limits.get("time_multipliers")
    stated = multipliers.get("ac_to_time_limit", _MULTIPLIER) if isinstance(multipliers, dict) else _MULTIPLIER
    multiplier = limits.get("time_multiplier", _LEGACY_MULTIPLIER) if legacy else stated
    where = str(path / "problem.yaml")
    common = (*_flags(fields, "validator_flags"), *_flags(fields, "output_validator_flags"))
    reading = _Reading(path.resolve().name, legacy, [], {})
    root = _read_group(reading, path / "data", "", {}, common)
    validators = _validators(path)
    return Package(
        path=path,
        name=path.resolve().name,
        is_scoring="scoring" in kinds or "score" in kinds,
        tests=tuple(reading.tests),
        flags=reading.flags,
        root=root,
        validators=validators,
        lacks_validator=not validators and bool({"custom", "interactive", "multi-pass"} & set(kinds)),
        is_interactive="interactive" in kinds,
        passes=_passes(limits, where) if "multi-pass" in kinds else None,
        cpu_s=_time_limit(path, limits, where),
        memory_mb=int(_number(limits.get("memory", _DEFAULT_MEMORY_MB), where)),
        output_mb=int(_number(limits.get("output", _DEFAULT_OUTPUT_MB), where)),
        multiplier=_number(multiplier, where),
    )


def problem_fields(path: Path) -> dict[str, object]:
    """Return what a package's ``problem.yaml`` says, every scalar as the text that stands there.

    Raises:
        InputError: there is none, or it is no YAML mapping.
    """
    return _read_yaml(path / "problem.yaml", f"{path} is no problem package")


def _time_limit(path: Path, limits: Mapping[str, object], where: str) -> float | None:
    if "time_limit" in limits:
        return _number(limits["time_limit"], where)
    try:
        return _number((path / ".timelimit").read_text().strip(), str(path / ".timelimit"))
    except FileNotFoundError:
        return None


def _passes(limits: Mapping[str, object], where: str) -> int:
    stated = _number(limits.get("validation_passes", _DEFAULT_PASSES), where)
    if not 1 <= stated <= _MOST_PASSES or stated != int(stated):
        raise InputError(f"{where}: validation_passes is a number from 1 to {_MOST_PASSES}: correct the file")
    return int(stated)


def _number(value: object, where: str) -> float:
    try:
        return float(str(value))
    except ValueError:
        raise InputError(f"{where}: {value!r} is no number: correct the file") from None


def _words(value: object) -> list[str]:
    if isinstance(value, list):
        return [str(item) for item in value]
    return str(value).split()


def _flags(fields: Mapping[str, object], key: str) -> tuple[str, ...]:
    return tuple(_words(fields.get(key, "")))


def _read_yaml(path: Path, missing: str) -> dict[str, object]:
    """Read a mapping, every scalar as the text that stands there."""
    try:
        text = path.read_bytes().decode()
    except FileNotFoundError:
        raise InputError(f"{missing}: there is no {path.name}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read ({error})") from None
    for attempt in (text, _UNQUOTED.sub(lambda found: f"{found[1]}: {dumps(found[2].strip())}", text)):
        try:
            value = yaml.load(attempt, Loader=yaml.BaseLoader)  # noqa: S506 -- it makes nothing but text, lists, mappings
        except yaml.YAMLError as error:
            reason = str(error).splitlines()[0]
            continue
        if value is None or value == "":
            return {}
        if isinstance(value, dict):
            return {str(key): item for key, item in value.items()}
        reason = "it holds no mapping"
        break
    raise InputError(f"{path} is no YAML mapping ({reason}): correct the file")


@dataclass
class _Reading:
    """What is gathered while the groups of a package are read."""

    problem_id: str
    is_legacy: bool
    tests: list[TestCase]
    flags: dict[str, tuple[str, ...]]


def _read_group(
    reading: _Reading, directory: Path, prefix: str, inherited: Mapping[str, object], common: tuple[str, ...]
) -> Group:
    """Read a directory of tests and those inside it, in the order of their names."""
    if not directory.is_dir():
        raise InputError(f"{directory} is no directory: a problem package keeps its tests there")
    fields = dict(inherited)
    for file in _TESTS_YAML:
        if (directory / file).is_file():
            fields.update(_read_yaml(directory / file, str(directory)))
    flags = (*common, *_flags(fields, "output_validator_flags"), *_flags(fields, "output_validator_args"))
    children: list[str | Group] = []
    for place in sorted(directory.iterdir()):
        if place.is_dir() and (prefix or place.name in ("sample", "secret")):
            children.append(_read_group(reading, place, f"{prefix}{place.name}/", fields, common))
        elif place.suffix == ".in":
            test = _read_test(reading.problem_id, f"{prefix}{place.stem}", place)
            reading.tests.append(test)
            reading.flags[test.name] = flags
            children.append(test.name)
    settings = read_settings(fields, str(directory), is_legacy=reading.is_legacy)
    return Group(directory.name, settings, tuple(children))


def _read_test(problem_id: str, name: str, given: Path) -> TestCase:
    try:
        contents = (given.read_bytes(), given.with_suffix(".ans").read_bytes())
    except OSError as error:
        raise InputError(f"{error.filename} cannot be read ({error.strerror}): each .in needs its .ans") from None
    # Bytes that are no text pass through as lone surrogates and come out as they were.
    return TestCase(problem_id, name, "stdio", *(content.decode(errors="surrogateescape") for content in contents))


def _validators(path: Path) -> tuple[tuple[WorkFile, ...], ...]:
    new = path / "output_validator"
    if new.is_dir():
        return (_sources(new),)
    old = path / "output_validators"
    if not old.is_dir():
        return ()
    places = [place for place in sorted(old.iterdir()) if place.is_dir() or languages.of_suffix(place.suffix)]
    return tuple(_sources(place) for place in places)


def own_submissions(path: Path) -> list[Path]:
    """Return the submissions that a package brings along, in order."""
    return [
        place
        for verdict in sorted((path / "submissions").glob("*/"))
        for place in sorted(verdict.iterdir())
        if place.is_dir() or languages.of_suffix(place.suffix)
    ]


def own_programs(path: Path) -> list[tuple[str, Program]]:
    """Return the programs that a package of either kind brings along, each with its kind: ``accepted``, ...

    Raises:
        InputError: one cannot be read.
    """
    if is_polygon(path):
        from curation.judging.polygon_layout import polygon_programs

        return polygon_programs(path)
    return [(place.parent.name, read_submission(place)) for place in own_submissions(path)]


def read_submission(place: Path) -> Program:
    """Read a program: one source file, or a directory of them.

    Raises:
        InputError: there is no source file.
    """
    sources = _sources(place)
    language = languages.of_suffix(Path(sources[0].path).suffix) or "unknown"
    first_line = sources[0].content.split(b"\n", 1)[0]
    if language == "python3" and first_line.startswith(b"#!") and b"python2" in first_line:
        language = "python2"
    return Program(str(place), language, sources)


def _sources(place: Path) -> tuple[WorkFile, ...]:
    """Return a program's files, the one that an interpreter starts with first."""
    if not place.exists():
        raise InputError(f"{place} is not there: name a source file, or a directory with those of one program")
    files = [place] if place.is_file() else sorted(inner for inner in place.rglob("*") if inner.is_file())
    base = place.parent if place.is_file() else place
    try:
        sources = [WorkFile(file.relative_to(base).as_posix(), file.read_bytes()) for file in files]
    except OSError as error:
        raise InputError(f"{error.filename} cannot be read ({error.strerror})") from None
    if len(sources) > _MOST_FILES:
        raise InputError(f"{place} holds {len(sources)} files: a program may have {_MOST_FILES}")
    if not any(languages.of_suffix(Path(source.path).suffix) for source in sources):
        raise InputError(f"{place} holds no source file in a language that is known here")

    def rank(source: WorkFile) -> tuple[bool, bool, str]:
        path = Path(source.path)
        return languages.of_suffix(path.suffix) is None, path.stem not in ("main", "__main__"), source.path

    return tuple(sorted(sources, key=rank))
