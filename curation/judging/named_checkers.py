"""Which checker a problem means by the text in its column ``checker``.

``tokens FLAGS``             the built-in comparison, see `curation.judging.comparison`; also what an empty column means
``checkers:NAME``            a bundled checker, see ``checkers/README.md``
``testlib:SHA256``           a checker of the source, written against testlib
``python:SHA256``            one in Python, see `curation.judging.python_checker`
``validator:SHA256 FLAGS``   an output validator of the problem package format
``unknown``                  the problem needs a checker and there is none

A user, but never a row of a data set, may also name a file: ``testlib:PATH``, ``python:PATH``.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

from curation import bundled, storage
from curation.errors import InputError
from curation.json_reader import JsonTextError, loads
from curation.judging import comparison, languages
from curation.judging.bench import Bench
from curation.judging.compilation import Prepared, Refused, prepare
from curation.judging.python_checker import MAIN, PythonChecker
from curation.judging.sandbox import WorkFile
from curation.judging.testlib.checker import Checker as TestlibChecker
from curation.judging.testlib.compilation import Header, compile_program, locate_header
from curation.judging.trial import Checker
from curation.judging.validators import Validator
from curation.progress import Silent
from curation.records import CHECKER_SCHEMA, UNKNOWN_CHECKER, CheckerSource

NO_CHECKER = "several outputs may be right, and no checker says which"
"""Why nothing can be judged where a problem's checker is unknown."""

_SHA256 = re.compile(r"[0-9a-f]{64}")
_PROGRAMS = ("testlib", "python", "validator")
_MOST_FILES = 100
_HELD = 256
"""Compiled checkers kept in memory, a megabyte each; the store has the rest."""


@dataclass(frozen=True, slots=True)
class CheckerName:
    """The parsed text.

    Attributes:
        kind: ``tokens``, ``checkers``, ``testlib``, ``python``, ``validator`` or ``unknown``.
        which: which one of its kind; empty for ``tokens`` and ``unknown``.
        flags: what follows.
    """

    kind: str
    which: str
    flags: tuple[str, ...]


def parse_name(text: str | None) -> CheckerName:
    """Read the text that names a checker.

    Raises:
        InputError: no checker is named like that.
    """
    words = (text or "tokens").split()
    kind, mark, which = words[0].partition(":")
    if not mark:
        if words == [UNKNOWN_CHECKER]:
            return CheckerName(UNKNOWN_CHECKER, "", ())
        flags = words[1:] if kind == "tokens" else words
        comparison.parse_flags(flags, f"checker {text!r}")
        return CheckerName("tokens", "", tuple(flags))
    if kind == "checkers":
        bundled.find("checkers", PurePosixPath(which).name, ".cpp")
    elif kind not in _PROGRAMS:
        raise InputError(f"checker {text!r}: {kind} is no kind of checker: give tokens, checkers, testlib or python")
    if len(words) > 1 and kind != "validator":
        raise InputError(f"checker {text!r}: a checker of the kind {kind} takes no flags")
    return CheckerName(kind, which, tuple(words[1:]))


def bundled_content(name: str | None) -> str:
    """Return the hash of what a bundled checker is compiled from; nothing for other names, which say what they mean."""
    kind, mark, which = (name or "").partition(":")
    if not mark or kind != "checkers":
        return ""
    try:
        path = bundled.find("checkers", PurePosixPath(which).name, ".cpp")
    except InputError:
        return ""
    return storage.sha256_text("".join(storage.sha256_file(file) for file in _bundled_files(path)))


def read_checkers(table: Path | None) -> dict[str, CheckerSource]:
    """Return the checkers of a table of `records.CHECKER_SCHEMA`, by SHA-256; none without a table."""
    if table is None:
        return {}
    rows = storage.read_table(table, CHECKER_SCHEMA).iter_rows(named=True)
    return {row["sha256"]: CheckerSource(**row) for row in rows}


class NamedCheckers:
    """Turns names into checkers that can be run; each program is compiled once.

    Args:
        bench: the workers, on which it is called, and the store of compiled programs.
        sources: the checkers that came with the problems, by SHA-256.
        directory: where the relative paths of a user's own checkers start; None where names come from a data set, which
            may name no file.
    """

    def __init__(
        self, bench: Bench, sources: Mapping[str, CheckerSource] | None = None, directory: Path | None = None
    ) -> None:
        self._bench = bench
        self._sources = {} if sources is None else sources
        self._directory = directory
        self._found: dict[str, Checker] = {}
        self._guard = threading.Lock()
        self._compiling: dict[str, threading.Lock] = {}

    def find(self, name: str | None) -> Checker | str:
        """Return the checker of this name, or why there is none; call it on a worker of the bench.

        Raises:
            InputError: no checker is named like that.
            OutsideError: testlib cannot be fetched, or no sandbox can be started.
        """
        key = name or ""
        with self._guard:
            lock = self._compiling.setdefault(key, threading.Lock())
        with lock:
            found: Checker | str | None = self._found.get(key)
            if found is None:
                found = self._make(parse_name(name), f"checker {name!r}")
                # What is missing now may come with the next row; what does not compile is noted in the store.
                if not isinstance(found, str):
                    self._keep(key, found)
            return found

    def _keep(self, key: str, found: Checker) -> None:
        with self._guard:
            while len(self._found) >= _HELD:
                oldest = next(iter(self._found))
                del self._found[oldest]
                self._compiling.pop(oldest, None)
            self._found[key] = found

    def _make(self, name: CheckerName, where: str) -> Checker | str:
        if name.kind == "tokens":
            return comparison.parse_flags(name.flags, where)
        if name.kind == UNKNOWN_CHECKER:
            return NO_CHECKER
        if name.kind == "checkers":
            path = bundled.find("checkers", PurePosixPath(name.which).name, ".cpp")
            beside = [WorkFile(header.name, header.read_bytes()) for header in _bundled_files(path)[1:]]
            return self._testlib(path.read_bytes(), beside, where)
        source = self._sources.get(name.which)
        if source is None and not _SHA256.fullmatch(name.which):
            return self._of_file(name, where)
        if source is None or source.kind != name.kind:
            return f"{where}: its source is not in the table of checkers"
        if name.kind == "testlib":
            return self._testlib(source.source.encode(), [], where)
        if name.kind == "python":
            return self._python(source.source.encode(), where)
        return self._validator(source.source, name.flags, where)

    def _of_file(self, name: CheckerName, where: str) -> Checker | str:
        if self._directory is None or name.kind not in ("testlib", "python"):
            raise InputError(f"{where} names no checker of the table of checkers by its SHA-256")
        path = self._directory / name.which
        try:
            content = path.read_bytes()
        except OSError as error:
            raise InputError(f"{path} cannot be read ({error.strerror})") from None
        return self._testlib(content, [], where) if name.kind == "testlib" else self._python(content, where)

    def _testlib(self, source: bytes, beside: list[WorkFile], where: str) -> Checker | str:
        made = compile_program(self._bench.sandbox(), self._bench.store, self._header, source, beside)
        return TestlibChecker(made) if isinstance(made, Prepared) else _refused(made, where)

    def _python(self, source: bytes, where: str) -> Checker | str:
        made = prepare(self._bench.sandbox(), self._bench.store, "python3", [WorkFile(MAIN, source)])
        return PythonChecker(made) if isinstance(made, Prepared) else _refused(made, where)

    def _validator(self, source: str, flags: tuple[str, ...], where: str) -> Checker | str:
        try:
            files = loads(source)
        except JsonTextError:
            files = None
        if not isinstance(files, dict) or not 1 <= len(files) <= _MOST_FILES:
            return f"{where}: its source is no JSON object of files"
        sources = [WorkFile(path, str(content).encode()) for path, content in files.items()]
        if any(PurePosixPath(one.path).is_absolute() or ".." in PurePosixPath(one.path).parts for one in sources):
            return f"{where}: a file of it lies outside of its directory"
        language = languages.of_suffix(PurePosixPath(sources[0].path).suffix) or "unknown"
        made = prepare(self._bench.sandbox(), self._bench.store, language, sources)
        return Validator(made, flags) if isinstance(made, Prepared) else _refused(made, where)

    @cached_property
    def _header(self) -> Header:
        return locate_header("testlib.h", Path.cwd(), Silent())


def _bundled_files(checker: Path) -> list[Path]:
    return [checker, *sorted(checker.parent.glob("*.h"))]


def _refused(refused: Refused, where: str) -> str:
    return f"{where} cannot be used: {refused.message}"
