"""Matching the checkers of problem packages, beside what the packages themselves ask for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from curation.errors import InputError
from curation.judging.bench import Bench
from curation.judging.layout import Package, own_submissions, read_package, read_submission
from curation.judging.levels import Isolation
from curation.judging.limits import Limits
from curation.judging.matching import Match, match_checker, outputs_of
from curation.judging.named_checkers import NamedCheckers

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
    """

    package: str
    asks_for: str
    match: Match


def match_packages(
    paths: Sequence[Path], *, store: Path | None = None, isolation: Isolation | None = None
) -> list[PackageMatch]:
    """Match packages, side by side, in order.

    Args:
        paths: their directories.
        store: a directory that keeps compiled programs.
        isolation: what holds programs; None for the strongest that the machine offers.

    Raises:
        InputError: a package cannot be read.
        OutsideError: the machine isolates no program, or testlib cannot be fetched.
    """
    packages = [read_package(path) for path in paths]
    with Bench(store, isolation) as bench:
        named = NamedCheckers(bench)
        return list(bench.map(partial(_match, bench, named), packages))


def statement_of(path: Path) -> str:
    """Return the text of a package's statement, the English one where there are several; empty where there is none."""
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


def _match(bench: Bench, named: NamedCheckers, package: Package) -> PackageMatch:
    places = [place for place in own_submissions(package.path) if place.parent.name == "accepted"]
    limits = Limits(_GENEROUS_S, package.memory_mb, package.output_mb)
    if package.is_interactive or package.passes is not None:
        talks = Match("special judge", None, "submissions talk to the validator of the package")
        return PackageMatch(str(package.path), _asks_for(package), talks)
    outputs = [
        output for place in places for output in outputs_of(bench, read_submission(place), package.tests, limits)
    ]
    statement = statement_of(package.path)
    found = match_checker(bench, named, package.tests, statement, outputs, are_sure=True)
    return PackageMatch(str(package.path), _asks_for(package), found)


def _asks_for(package: Package) -> str:
    if package.validators or package.lacks_validator:
        return "a validator of its own"
    flags = sorted({" ".join(found) for found in package.flags.values()})
    return f"tokens {' | '.join(flags)}".strip()
