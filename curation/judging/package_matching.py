"""Matching the checkers of problem packages, beside what the packages themselves ask for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from curation.errors import InputError
from curation.ingest.packages.polygon import polygon_statement
from curation.judging.bench import Bench
from curation.judging.checker_choice import Writing
from curation.judging.layout import Package, is_polygon, own_programs, read_package
from curation.judging.levels import Isolation
from curation.judging.limits import Limits
from curation.judging.matching import KnownOutput, Match, match_checker, outputs_of
from curation.judging.matching.written import Case, WrittenChecker, write_checker
from curation.judging.named_checkers import NamedCheckers
from curation.judging.writing import Workshop, Writers
from curation.recipe import WriterSection

_FOLDERS = ("problem_statement", "statement")
_GENEROUS_S = 60.0
"""An output is right however long it took."""

_RAISED = re.compile(r"<su([pb])\b[^>]*>\s*(.*?)\s*</su\1>", re.IGNORECASE | re.DOTALL)
_COMMENT = re.compile(r"(?<!\\)%.*")


@dataclass(frozen=True, slots=True)
class PackageMatch:
    """The match of a package.

    Attributes:
        package: its directory.
        asks_for: what it asks for: a validator of its own, or the default one with flags.
        match: the match.
        written: the checker that was written where the package needs one of its own; None where nobody was asked.
    """

    package: str
    asks_for: str
    match: Match
    written: WrittenChecker | None = None


def match_packages(
    paths: Sequence[Path],
    *,
    writers: Writers | None = None,
    section: WriterSection | None = None,
    store: Path | None = None,
    isolation: Isolation | None = None,
) -> list[PackageMatch]:
    """Match packages, side by side, in order.

    Args:
        paths: their directories.
        writers: who writes a checker for a package that needs one of its own; None for nobody.
        section: how many are written, and what they may use; needed beside ``writers``.
        store: a directory that keeps compiled programs.
        isolation: what holds programs; None for the strongest that the machine offers.

    Raises:
        InputError: a package cannot be read.
        OutsideError: the machine isolates no program, testlib cannot be fetched, or the writer cannot be reached.
    """
    packages = [read_package(path) for path in paths]
    with Bench(store, isolation) as bench:
        named = NamedCheckers(bench)
        writing = None
        if writers is not None and section is not None:
            writing = Writing(Workshop(bench, section.cpu_s), writers.of, section.checkers, section.repairs)
        return list(bench.map(partial(_match, bench, named, writing), packages))


def statement_of(path: Path) -> str:
    """Return the text of a package's statement, the English one where there are several; empty where there is none."""
    if is_polygon(path):
        return polygon_statement(path)
    files = [file for folder in _FOLDERS for file in sorted((path / folder).glob("*")) if file.is_file()]
    wanted = [file for file in files if file.stem.startswith("problem") and file.suffix in (".html", ".tex", ".md")]
    chosen = next((file for file in wanted if ".en" in file.suffixes), wanted[0] if wanted else None)
    if chosen is None:
        return ""
    try:
        text = chosen.read_bytes().decode(errors="replace")
    except OSError as error:
        raise InputError(f"{chosen} cannot be read ({error.strerror})") from None
    if chosen.suffix == ".html":
        raised = _RAISED.sub(lambda hit: f"^{hit[2]}" if hit[1].lower() == "p" else f"_{hit[2]}", text)
        body = LexborHTMLParser(raised).body
        return "" if body is None else body.text(separator=" ")
    return _COMMENT.sub("", text)


def _match(bench: Bench, named: NamedCheckers, writing: Writing | None, package: Package) -> PackageMatch:
    limits = Limits(_GENEROUS_S, package.memory_mb, package.output_mb)
    if package.is_interactive or package.passes is not None:
        talks = Match("special judge", None, "submissions talk to the validator of the package")
        return PackageMatch(str(package.path), _asks_for(package), talks)

    def outputs_in(folder: str) -> dict[str, list[KnownOutput]]:
        programs = [program for kind, program in own_programs(package.path) if kind == folder]
        return {program.name: outputs_of(bench, program, package.tests, limits) for program in programs}

    outputs = [output for written in outputs_in("accepted").values() for output in written]
    statement = statement_of(package.path)
    found = match_checker(bench, named, package.tests, statement, outputs, are_sure=True)
    if found.outcome != "special judge" or writing is None:
        return PackageMatch(str(package.path), _asks_for(package), found)
    case = Case(package.name, statement, package.tests, outputs, outputs_in("wrong_answer"))
    writer = writing.writer_of(package.name)
    _, made = write_checker(writing.workshop, writer, case, writing.checkers, writing.repairs)
    return PackageMatch(str(package.path), _asks_for(package), found, made)


def _asks_for(package: Package) -> str:
    if package.validators or package.lacks_validator or package.testlib is not None:
        return "a validator of its own"
    flags = sorted({" ".join(found) for found in package.flags.values()})
    return f"tokens {' | '.join(flags)}".strip()
