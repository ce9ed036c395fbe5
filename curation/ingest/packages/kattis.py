"""Packages in the ICPC problem package format, legacy or 2025: `curation.judging.layout` reads them for the judge."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from curation.ingest.packages.row import Expected, PackageError, PackageProgram, PackageRow, PackageTest
from curation.ingest.packages.statement import find_statement, read_statement
from curation.judging import languages
from curation.judging.layout import Package, own_submissions, problem_fields, read_package

MARK = "problem.yaml"
"""The file that tells such a package."""

_EXPECTED: dict[str, Expected] = {
    "accepted": "correct",
    "wrong_answer": "incorrect",
    "time_limit_exceeded": "incorrect",
    "run_time_error": "incorrect",
    "memory_limit_exceeded": "incorrect",
    "output_limit_exceeded": "incorrect",
    "rejected": "incorrect",
}
_NO_LICENCE = frozenset({"unknown", "permission", ""})


def kattis_row(path: Path, identifier: str) -> PackageRow:
    """Read a package.

    Raises:
        InputError: it is damaged, or of a kind that cannot be judged.
        PackageError: it cannot become a row of stream tests, or has no statement as text.
    """
    package = read_package(path)
    if package.is_interactive:
        raise PackageError("interactive", "submissions talk to an interactor, which a row of a data set cannot hold")
    if package.passes is not None:
        raise PackageError("multi_pass", "submissions run several times on a test, which no row can say")
    file = find_statement(path)
    if file is None:
        raise PackageError("no_statement", "it has no statement in TeX, Markdown or HTML")
    try:
        statement = read_statement(file)
    except (OSError, ValueError) as error:
        raise PackageError("no_statement", f"{file.relative_to(path)} cannot be read ({error})") from None
    fields = problem_fields(path)
    flags = set(package.flags.values())
    same = flags.pop() if len(flags) == 1 else None
    validator = _validator(package)
    needs_checker = package.lacks_validator or (bool(package.validators) and validator is None) or same is None
    return PackageRow(
        identifier=identifier,
        title=_title(fields.get("name")),
        statement=statement,
        tests=list(_tests(package)),
        programs=list(_programs(path)),
        time_limit_s=package.cpu_s,
        memory_limit_mb=package.memory_mb,
        flags=" ".join(same if validator else ("tokens", *same)) if same and not needs_checker else None,
        validator=validator,
        needs_checker=needs_checker,
        licence=_known(fields.get("license")),
        authors=_authors(fields),
        url=_known(fields.get("source_url")),
        contest=_known(fields.get("source")),
    )


def _tests(package: Package) -> Iterator[PackageTest]:
    for test in package.tests:
        try:
            (test.input + test.output).encode()
        except UnicodeEncodeError:
            raise PackageError("not_utf8", f"the test {test.name} holds bytes that are no text") from None
        yield PackageTest(test.name, test.input, test.output, test.name.startswith("sample/"))


def _validator(package: Package) -> dict[str, str] | None:
    if len(package.validators) != 1:
        return None
    try:
        return {file.path: file.content.decode() for file in package.validators[0]}
    except UnicodeDecodeError:
        return None


def _programs(path: Path) -> Iterator[PackageProgram]:
    """Yield the programs of one file; those of several have no place in a row."""
    for place in own_submissions(path):
        language = languages.of_suffix(place.suffix) if place.is_file() else None
        try:
            code = place.read_bytes().decode() if language is not None else None
        except (OSError, UnicodeDecodeError):
            continue
        if code is not None and language is not None:
            yield PackageProgram(language, code, _EXPECTED.get(place.parent.name))


def _title(name: object) -> str:
    if isinstance(name, dict):
        name = name.get("en") or next(iter(name.values()), "")
    return str(name or "").strip()


def _known(value: object) -> str | None:
    text = value.strip() if isinstance(value, str) else ""
    return None if text.lower() in _NO_LICENCE else text


def _authors(fields: dict[str, object]) -> str | None:
    credited = fields.get("credits")
    named = credited.get("authors") if isinstance(credited, dict) else fields.get("author")
    holders = [fields.get("rights_owner"), *(named if isinstance(named, list) else [named])]
    names = [one.get("name") if isinstance(one, dict) else one for one in holders]
    return ", ".join(dict.fromkeys(str(name).strip() for name in names if name)) or None
