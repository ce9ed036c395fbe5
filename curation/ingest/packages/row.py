"""What every kind of problem package becomes: one row with the same keys, for the source file ``problem-packages``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from curation.ingest.packages.statement import with_samples
from curation.json_reader import JsonValue

Expected = Literal["correct", "incorrect"]


class PackageError(Exception):
    """The package is none that can become a row; the message is one sentence.

    Attributes:
        rule: the ledger's name for why.
    """

    def __init__(self, rule: str, message: str) -> None:
        super().__init__(message)
        self.rule = rule


@dataclass(frozen=True, slots=True)
class PackageTest:
    """One test of a package; ``is_sample`` where the statement shows it."""

    name: str
    input: str
    output: str
    is_sample: bool


@dataclass(frozen=True, slots=True)
class PackageProgram:
    """A program of a package in one file; ``expected`` is None where its verdict may be either."""

    language: str
    code: str
    expected: Expected | None


@dataclass(frozen=True, slots=True)
class PackageRow:
    """A package's problem.

    Attributes:
        identifier: the package's directory, as seen from the folder.
        title: its name.
        statement: without samples that it does not show itself; those are added.
        time_limit_s: as stated; None where nothing is.
        memory_limit_mb: as stated or the format's default.
        flags: of the comparison, or of the validator; None for the default comparison.
        testlib: a checker in C++ with testlib.
        validator: the files of an output validator of the ICPC format.
        needs_checker: it has a checker of its own that cannot be taken along.
        licence: as the package names it; None where it says nothing of use.
        authors: whom it names.
        url: the problem's address.
        contest: the contest it names.
    """

    identifier: str
    title: str
    statement: str
    tests: Sequence[PackageTest]
    programs: Sequence[PackageProgram]
    time_limit_s: float | None
    memory_limit_mb: int | None
    flags: str | None = None
    testlib: str | None = None
    validator: dict[str, str] | None = None
    needs_checker: bool = False
    licence: str | None = None
    authors: str | None = None
    url: str | None = None
    contest: str | None = None

    def value(self) -> JsonValue:
        """Return the row as a reader of files would give it."""
        samples = [(test.input, test.output) for test in self.tests if test.is_sample]
        stated = with_samples(self.statement, samples)
        titled = self.title and not self.statement.startswith(self.title)
        programs: dict[str, JsonValue] = {
            name: [
                {"code": program.code, "language": program.language}
                for program in self.programs
                if program.expected == expected
            ]
            for name, expected in (("correct", "correct"), ("incorrect", "incorrect"), ("undecided", None))
        }
        return {
            "identifier": self.identifier,
            "title": self.title,
            "statement": f"{self.title}\n\n{stated}" if titled else stated,
            "tests": [{"name": test.name, "input": test.input, "output": test.output} for test in self.tests],
            **programs,
            "time_limit": None if self.time_limit_s is None else f"{self.time_limit_s} s",
            "memory_limit": None if self.memory_limit_mb is None else f"{self.memory_limit_mb} MiB",
            "flags": self.flags,
            "testlib": self.testlib,
            "validator": None if self.validator is None else dict(self.validator),
            "needs_checker": self.needs_checker,
            "licence": self.licence,
            "authors": self.authors,
            "url": self.url,
            "contest": self.contest,
        }
