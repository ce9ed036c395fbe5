"""Packages of Codeforces' Polygon: problem.xml, tests, statements, solutions with tags, and a checker with testlib.

problem.xml                                 names, limits, patterns of the tests' files, checker, validators, solutions
statements/english/problem-properties.json  the parts of the statement, in TeX; problem.tex holds the same as one text
tests/01, tests/01.a, ...                   only in a full package, or after its doall script
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as Xml

from curation.errors import InputError
from curation.ingest.packages.row import Expected, PackageError, PackageProgram, PackageRow, PackageTest
from curation.ingest.packages.statement import tex_text
from curation.json_reader import JsonTextError, JsonValue, loads
from curation.judging import languages

MARK = "problem.xml"
"""The file that tells such a package."""

_EXPECTED: dict[str, Expected] = {
    "main": "correct",
    "accepted": "correct",
    **dict.fromkeys(
        (
            *("wrong-answer", "presentation-error", "time-limit-exceeded", "memory-limit-exceeded", "rejected"),
            *("failed", "time-limit-exceeded-or-memory-limit-exceeded"),
        ),
        "incorrect",
    ),
}
_PATTERN = re.compile(r"[^%]*%0?\d*d[^%]*")
_MOST_TESTS = 10_000
_LANGUAGES = {"c": "c", "python": "python3", "java": "java"}
_PARTS = (("", "legend"), ("Input", "input"), ("Output", "output"), ("Scoring", "scoring"), ("Note", "notes"))


@dataclass(frozen=True, slots=True)
class Solution:
    """A program of a package: where it lies in it, Polygon's tag, our name of its language, and its text."""

    path: str
    tag: str
    language: str
    code: str


@dataclass(frozen=True, slots=True)
class PolygonPackage:
    """What a judge needs of a package.

    Attributes:
        tests: its tests, in order.
        solutions: its programs.
        time_limit_s: seconds.
        memory_limit_mb: MiB.
        checker: in C++ with testlib; None where it has none of that kind.
        needs_checker: it has a checker of another kind.
    """

    tests: tuple[PackageTest, ...]
    solutions: tuple[Solution, ...]
    time_limit_s: float
    memory_limit_mb: int
    checker: str | None
    needs_checker: bool


def polygon_row(path: Path, identifier: str) -> PackageRow:
    """Read a package.

    Raises:
        InputError: problem.xml is damaged or lacks what every package has.
        PackageError: it cannot become a row of stream tests, or lacks its tests or its statement.
    """
    root = read_root(path / MARK)
    language, title = _name(root)
    read = polygon_package(path)
    return PackageRow(
        identifier=identifier,
        title=title,
        statement=_statement(path, language),
        tests=list(read.tests),
        programs=[PackageProgram(one.language, one.code, _EXPECTED.get(one.tag)) for one in read.solutions],
        time_limit_s=read.time_limit_s,
        memory_limit_mb=read.memory_limit_mb,
        testlib=read.checker,
        needs_checker=read.needs_checker,
        url=root.get("url"),
    )


def polygon_package(path: Path) -> PolygonPackage:
    """Read a package without its statement.

    Raises:
        InputError: problem.xml is damaged or lacks what every package has.
        PackageError: its programs do not read and write streams, or files are missing.
    """
    root = read_root(path / MARK)
    judging = _need(root, "judging", path)
    if root.find("assets/interactor") is not None:
        raise PackageError("interactive", "submissions talk to an interactor, which a row of a data set cannot hold")
    files = [name for name in ("input-file", "output-file") if judging.get(name)]
    if files:
        raise PackageError("file_input", f"programs of this problem use named files ({judging.get(files[0])})")
    testset = _testset(judging, path)
    checker = root.find("assets/checker")
    return PolygonPackage(
        tests=tuple(_tests(path, testset)),
        solutions=tuple(_solutions(path, root)),
        time_limit_s=_whole(testset, "time-limit", path) / 1000,
        memory_limit_mb=_whole(testset, "memory-limit", path) >> 20,
        checker=_checker(path, checker),
        needs_checker=checker is not None and checker.get("type") != "testlib",
    )


def polygon_statement(path: Path) -> str:
    """Return a package's statement as text, in English where there is one; empty where there is none in TeX.

    Raises:
        InputError: problem.xml is damaged.
    """
    try:
        return _statement(path, _name(read_root(path / MARK))[0])
    except PackageError:
        return ""


def add_tests(path: Path, tests: Sequence[tuple[str, str]]) -> list[str]:
    """Add tests, inputs with answers, after those that a package has; return the names under which they are read.

    Raises:
        InputError: problem.xml is damaged.
    """
    root = read_root(path / MARK)
    testset = _testset(_need(root, "judging", path), path)
    patterns = [_pattern(_need(testset, name, path), path) for name in ("input-path-pattern", "answer-path-pattern")]
    first = _whole(testset, "test-count", path) + 1
    listed = testset.find("tests")
    listed = Xml.SubElement(testset, "tests") if listed is None else listed
    names = []
    for number, texts in enumerate(tests, start=first):
        for pattern, text in zip(patterns, texts, strict=True):
            file = path / (pattern % number)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text.encode(errors="surrogateescape"))
        Xml.SubElement(listed, "test", {"method": "manual"})
        names.append(_test_name(number, is_sample=False))
    _need(testset, "test-count", path).text = str(first - 1 + len(tests))
    (path / MARK).write_bytes(Xml.tostring(root, encoding="utf-8", xml_declaration=True))
    return names


def _test_name(number: int, *, is_sample: bool) -> str:
    return f"{'sample' if is_sample else 'secret'}/{number:03d}"


def read_root(file: Path) -> Xml.Element:
    """Return the root of a package's ``problem.xml``.

    Raises:
        InputError: it cannot be read, or declares a document type.
    """
    try:
        content = file.read_bytes()
        # Entities could grow without end, and no package has any.
        if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
            raise InputError(f"{file} declares a document type, as no package does: take another copy")
        return Xml.fromstring(content)  # noqa: S314 -- without a document type there are no entities
    except (OSError, Xml.ParseError) as error:
        raise InputError(f"{file} cannot be read ({error}): take another copy of the package") from None


def _need(element: Xml.Element, name: str, path: Path) -> Xml.Element:
    found = element.find(name)
    if found is None:
        raise InputError(f"{path / MARK} has no <{name}>: take another copy of the package")
    return found


def _whole(element: Xml.Element, name: str, path: Path) -> int:
    text = (_need(element, name, path).text or "").strip()
    if not text.isdecimal() or len(text) > 18:
        raise InputError(f"{path / MARK}: <{name}> is no whole number: take another copy of the package")
    return int(text)


def _testset(judging: Xml.Element, path: Path) -> Xml.Element:
    sets = judging.findall("testset")
    if not sets:
        raise InputError(f"{path / MARK} has no <testset>: take another copy of the package")
    return next((one for one in sets if one.get("name") == "tests"), sets[0])


def _name(root: Xml.Element) -> tuple[str, str]:
    """Return the language to read the statement in, English where there is any, and the problem's name in it."""
    names = [(one.get("language") or "", one.get("value") or "") for one in root.iterfind("names/name")]
    return next((pair for pair in names if pair[0] == "english"), names[0] if names else ("english", ""))


def _statement(path: Path, language: str) -> str:
    folder = path / "statements" / Path(language).name
    properties, whole = folder / "problem-properties.json", folder / "problem.tex"
    try:
        if properties.is_file():
            return _of_parts(loads(properties.read_bytes().decode()))
        if whole.is_file():
            inside = re.sub(r"\\(?:begin|end)\{problem\}(?:\{[^{}]*\})*", "", whole.read_bytes().decode())
            return tex_text(re.sub(r"\\exmp\{.*?\}\{.*?\}%?|\\(?:begin|end)\{example\}", "", inside, flags=re.DOTALL))
    except (OSError, UnicodeDecodeError, JsonTextError) as error:
        raise PackageError("no_statement", f"the statement cannot be read ({error})") from None
    raise PackageError("no_statement", f"it has no statement in TeX for {language}")


def _of_parts(properties: JsonValue) -> str:
    parts = properties if isinstance(properties, dict) else {}
    texts = [(heading, parts.get(key)) for heading, key in _PARTS]
    stated = [(heading, tex_text(text)) for heading, text in texts if isinstance(text, str) and text.strip()]
    return "\n\n".join(f"{heading}\n\n{text}" if heading else text for heading, text in stated)


def _tests(path: Path, testset: Xml.Element) -> Iterator[PackageTest]:
    given, wanted = (
        _pattern(_need(testset, name, path), path) for name in ("input-path-pattern", "answer-path-pattern")
    )
    count = _whole(testset, "test-count", path)
    if count > _MOST_TESTS:
        raise InputError(f"{path / MARK} names {count} tests: take another copy of the package")
    samples = [test.get("sample") == "true" for test in testset.iterfind("tests/test")]
    for number in range(1, count + 1):
        texts = [_inside(path, pattern % number, "a test") for pattern in (given, wanted)]
        is_sample = number <= len(samples) and samples[number - 1]
        yield PackageTest(_test_name(number, is_sample=is_sample), texts[0], texts[1], is_sample)


def _pattern(element: Xml.Element, path: Path) -> str:
    text = (element.text or "").strip()
    if not _PATTERN.fullmatch(text):
        raise InputError(f"{path / MARK}: <{element.tag}> holds no %d for the test's number: take another copy")
    return text


def _inside(path: Path, name: str, what: str) -> str:
    """Return the text of a file inside the package."""
    file = path / name
    if ".." in Path(name).parts or Path(name).is_absolute():
        raise PackageError("unreadable_package", f"{name} lies outside of the package")
    try:
        return file.read_bytes().decode()
    except FileNotFoundError:
        raise PackageError(
            "missing_file", f"{what} is not there ({name}): take the full package, or run its doall script"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise PackageError("not_utf8", f"{name} cannot be read as text ({error})") from None


def _checker(path: Path, checker: Xml.Element | None) -> str | None:
    source = None if checker is None or checker.get("type") != "testlib" else checker.find("source")
    return None if source is None else _inside(path, source.get("path") or "", "the checker")


def _solutions(path: Path, root: Xml.Element) -> Iterator[Solution]:
    for solution in root.iterfind("assets/solutions/solution"):
        source = solution.find("source")
        if source is not None:
            place = source.get("path") or ""
            yield Solution(place, solution.get("tag") or "", _language(source), _inside(path, place, "a solution"))


def _language(source: Xml.Element) -> str:
    """Return our name of a source's type: ``cpp.g++17``, ``python.3``, ``java.21``, ..."""
    family, _, version = (source.get("type") or "").partition(".")
    if family == "cpp":
        year = re.search(r"(11|14|17|20|23)", version)
        return "cpp17" if year is None else f"cpp{min(int(year[1]), 20)}"
    if family == "python":
        known = {"2": "python2", "3": "python3", "pypy2": "python2", "pypy3": "pypy3"}
        return known.get(version.split("-")[0], version)
    return _LANGUAGES.get(family) or languages.of_suffix(Path(source.get("path") or "").suffix) or "unknown"
