"""USACO's problems in a folder: the collection of Princeton NLP, and problem pages that were saved from the site.

*_dict.json                    objects of problems by identifier, with statements, limits and solutions
tests/{problem}/{k}.in, .out   or I.{k} and O.{k}: the files of both, counted from 1
*.html                         one problem each; its tests are in a folder of the page's name, where there are any
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from curation.errors import InputError
from curation.ingest.readers import BadRow, RawRow, Rows
from curation.ingest.usaco.page import read_page
from curation.ingest.usaco.statement import named_file, through_standard_streams
from curation.ingest.web_page import NestedTooDeeplyError
from curation.json_reader import JsonTextError, JsonValue, as_text, loads

_IDENTIFIER = re.compile(r"[\w-]+(?:\.[\w-]+)*")
_TEST_FILE = re.compile(r"(?:(?P<before>\d+)\.(?P<ending>in|out)|(?P<letter>[IO])\.(?P<after>\d+))")
_PAGE_ADDRESS = re.compile(r"cpid=?_?(\d+)")


class _UnusableError(Exception):
    """A problem that cannot become a row; the message is one sentence."""

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule


def read_usaco(folder: Path) -> Rows:
    """Read every problem under ``folder``: collections first, the one with most problems before the others.

    Yields:
        rows with ``problem_id``, ``title``, ``contest``, ``level``, ``year``, ``statement``, ``tests`` and ``samples``
        (lists of objects with ``name``, ``input``, ``output``), ``time_limit``, ``memory_limit``, ``url``,
        ``solutions`` and ``file_solutions`` (those that open named files); bad rows for the others.

    Raises:
        InputError: the folder holds neither a collection nor a page, or a collection is no JSON.
    """
    collections = sorted(folder.rglob("*_dict.json"))
    pages = sorted([*folder.rglob("*.html"), *folder.rglob("*.htm")])
    if not collections and not pages:
        raise InputError(f"{folder} holds no *_dict.json and no saved problem page: put the collection or pages there")
    tests = {path.name: path for path in sorted(folder.rglob("*"), reverse=True) if path.is_dir()}
    loaded = sorted(((_collection(path), path) for path in collections), key=lambda one: (-len(one[0]), one[1]))
    seen: set[str] = set()
    for problems, path in loaded:
        for identifier, problem in problems.items():
            location = f"{path.relative_to(folder).as_posix()}:{identifier}"
            if identifier in seen:
                yield BadRow(location, "repeated_problem", "another collection in the folder has the problem too")
                continue
            seen.add(identifier)
            try:
                yield RawRow(location, _of_collection(identifier, problem, tests))
            except _UnusableError as error:
                yield BadRow(location, error.rule, str(error))
    for path in pages:
        location = path.relative_to(folder).as_posix()
        try:
            yield RawRow(location, _of_page(path, tests))
        except _UnusableError as error:
            yield BadRow(location, error.rule, str(error))


def _collection(path: Path) -> dict[str, JsonValue]:
    try:
        problems = loads(path.read_bytes().decode())
    except (OSError, UnicodeDecodeError, JsonTextError) as error:
        raise InputError(f"{path} cannot be read ({error}): fetch the collection again") from None
    if not isinstance(problems, dict):
        raise InputError(f"{path} is no object of problems: give the collection's own file")
    return problems


def _of_collection(identifier: str, problem: JsonValue, tests: dict[str, Path]) -> JsonValue:
    if not isinstance(problem, dict):
        raise _UnusableError("no_object", "the problem is no object")
    if not _IDENTIFIER.fullmatch(identifier):
        raise _UnusableError("unreadable_identifier", "its identifier cannot be the name of a folder of tests")
    if identifier not in tests:
        raise _UnusableError("no_tests", f"there is no folder {identifier} with its tests")
    found = list(_tests(tests[identifier]))
    stated = as_text(problem.get("num_tests"))
    if stated is not None and stated != str(len(found)):
        raise _UnusableError("incomplete_tests", f"{len(found)} tests are there, {stated} are stated")
    solution = problem.get("solution_python3")
    programs: list[JsonValue] = [solution] if isinstance(solution, str) and solution.strip() else []
    opens_files = any(named_file(str(program)) for program in programs)
    number = identifier.partition("_")[0]
    return {
        "problem_id": identifier,
        "title": problem.get("name"),
        "contest": None,
        "level": problem.get("problem_level"),
        "year": None,
        "statement": _statement(problem.get("description")),
        "tests": found,
        "samples": [],
        "time_limit": problem.get("runtime_limit"),
        "memory_limit": problem.get("memory_limit"),
        "url": _address(number) if number.isdecimal() else None,
        "solutions": [] if opens_files else programs,
        "file_solutions": programs if opens_files else [],
    }


def _of_page(path: Path, tests: dict[str, Path]) -> JsonValue:
    try:
        page = read_page(path.read_bytes().decode(errors="replace"))
    except OSError as error:
        raise _UnusableError("unreadable_page", f"the page cannot be read ({error.strerror})") from None
    except NestedTooDeeplyError:
        raise _UnusableError("unreadable_page", "its elements are nested too deeply") from None
    if page is None:
        raise _UnusableError("no_problem", "the page shows no problem with an input format")
    samples: list[JsonValue] = [
        {"name": f"sample-{number:03d}", "input": given, "output": wanted}
        for number, (given, wanted) in enumerate(page.samples, start=1)
    ]
    found = _PAGE_ADDRESS.search(path.stem)
    statement = _statement(page.statement)
    return {
        "problem_id": path.stem,
        "title": page.title,
        "contest": page.contest,
        "level": page.level,
        "year": page.year,
        "statement": f"{page.title}\n\n{statement}" if page.title and page.title not in statement else statement,
        "tests": list(_tests(tests[path.stem])) if path.stem in tests else [],
        "samples": samples,
        "time_limit": None,
        "memory_limit": None,
        "url": _address(found[1]) if found else None,
        "solutions": [],
        "file_solutions": [],
    }


def _address(number: str) -> str:
    return f"https://usaco.org/index.php?page=viewproblem2&cpid={number}"


def _statement(text: JsonValue) -> str:
    if not isinstance(text, str) or not text.strip():
        raise _UnusableError("no_statement", "it has no statement")
    stated = through_standard_streams(text)
    file = named_file(stated)
    if file is not None:
        raise _UnusableError("file_input", f"its statement speaks of the file {file} outside of its headings")
    return stated


def _tests(folder: Path) -> Iterator[JsonValue]:
    """Yield the tests of a folder in the order of their numbers."""
    files: dict[int, dict[str, Path]] = {}
    for path in folder.iterdir():
        name = _TEST_FILE.fullmatch(path.name)
        if name is not None:
            kind = name["ending"] or {"I": "in", "O": "out"}[name["letter"]]
            files.setdefault(int(name["before"] or name["after"]), {})[kind] = path
    for number, pair in sorted(files.items()):
        if len(pair) != 2:
            raise _UnusableError("incomplete_tests", f"the test {number} has only one of its two files")
        try:
            given, wanted = (pair[kind].read_bytes().decode() for kind in ("in", "out"))
        except (OSError, UnicodeDecodeError) as error:
            raise _UnusableError("not_utf8", f"the test {number} cannot be read as text ({error})") from None
        yield {"name": f"{number:03d}", "input": given, "output": wanted}
