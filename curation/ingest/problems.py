"""A source's row becomes a Problem with its tests and submissions, or a bad row with its reason."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from curation.answers.types import answer_type
from curation.errors import InputError
from curation.ingest.catalog import Columns, Peel, Source
from curation.ingest.code_tests import CodeRowError, read_checker, read_submissions, read_tests
from curation.ingest.columns import Expression, Extracted
from curation.ingest.readers import BadRow, RawRow
from curation.ingest.sections import Column, Constant
from curation.json_reader import JsonValue, as_text
from curation.records import CheckerSource, Problem, Submission, TestCase

_YEAR = re.compile(r"\A\s*((?:19|20)\d\d)\s*\Z")
_QUANTITY = re.compile(r"\A\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)")
_SECONDS = {"": 1.0, "s": 1.0, "sec": 1.0, "secs": 1.0, "second": 1.0, "seconds": 1.0, "ms": 1e-3, "milliseconds": 1e-3}
_MEBIBYTES = (
    dict.fromkeys(("", "mb", "mib", "megabyte", "megabytes"), 1.0)
    | dict.fromkeys(("kb", "kib", "kilobyte", "kilobytes"), 1 / 1024)
    | dict.fromkeys(("gb", "gib", "gigabyte", "gigabytes"), 1024.0)
    | dict.fromkeys(("b", "byte", "bytes"), 1 / (1 << 20))
)
_SHOWN = 200
_SUSPECT = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")
_CONTROL = re.compile(
    r"""[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]
      | \t(?=(?:imes|heta|riangle|ilde|frac)(?![A-Za-z])|ext\s*\{)
      | \r(?=ight(?![A-Za-z]))""",
    re.VERBOSE,
)
_LATEX_ESCAPES = {
    "\x07": "a bell",
    "\x08": "a backspace",
    "\t": "a tab",
    "\x0b": "a vertical tab",
    "\x0c": "a form feed",
}
_LATEX_ESCAPES |= {"\r": "a carriage return"}


@dataclass(frozen=True, slots=True)
class MappedRow:
    """What a row became."""

    problem: Problem
    tests: list[TestCase]
    submissions: list[Submission]
    checker: CheckerSource | None = None

    def renamed(self, problem_id: str) -> MappedRow:
        """Return the same under another identifier."""
        submissions = [
            replace(one, problem_id=problem_id, submission_id=problem_id + one.submission_id[len(one.problem_id) :])
            for one in self.submissions
        ]
        return MappedRow(
            replace(self.problem, problem_id=problem_id, tests=problem_id if self.tests else None),
            [replace(test, problem_id=problem_id) for test in self.tests],
            submissions,
            self.checker,
        )


class RowMapper:
    """Turns the rows of one source into problems and counts what they lack.

    Attributes:
        notices: how often something was seen that is no reason to drop a row, by a phrase for it.
    """

    def __init__(self, source: Source) -> None:
        if source.columns is None:
            raise InputError(f"source {source.name!r} has no [columns]: add them to its file")
        self._source, self._columns = source, source.columns
        names = (name for name in Columns.model_fields if name not in ("statement", "answer"))
        self._optional: dict[str, Column | None] = {name: getattr(source.columns, name) for name in names}
        self._looked: Counter[str] = Counter()
        self._absent: Counter[str] = Counter()
        self._why: dict[str, str] = {}
        self.notices: Counter[str] = Counter()

    def map_row(self, row: RawRow, number: int) -> MappedRow | BadRow:
        """Turn one row into a problem; ``number`` is its identifier where the source gives none."""
        for condition in self._source.where:
            found = self._look("where", condition.column, row.value)
            if found.state == "unreadable":
                return BadRow(row.location, "unreadable_row", f"it cannot be told what the row is: {found.why}")
            value = as_text(found.value)
            if not condition.holds(value):
                return BadRow(row.location, condition.rule, condition.reason, {condition.column.text: value})
        statement = self._text("statement", self._columns.statement, row)
        if isinstance(statement, BadRow):
            return statement
        if statement is None or not statement.strip():
            return BadRow(row.location, "no_statement", self._why.get("statement") or "the statement is empty")
        answer = None if self._columns.answer is None else self._text("answer", self._columns.answer, row)
        if isinstance(answer, BadRow):
            return answer
        columns = {name: _column(column, row.value) for name, column in self._optional.items()}
        problem = self._problem(statement, answer, columns, str(number))
        try:
            submissions = list(read_submissions(self._source.submissions, row.value, problem.problem_id))
            tests = self._tests(row.value, problem.problem_id, submissions)
            name, checker = read_checker(self._source.checker, row.value, problem.checker)
        except CodeRowError as error:
            return BadRow(row.location, "unreadable_tests", str(error))
        problem = replace(problem, tests=problem.problem_id if tests else None, checker=name)
        return MappedRow(problem, tests, submissions, checker)

    def _problem(self, statement: str, answer: str | None, columns: Mapping[str, str | None], number: str) -> Problem:
        source = self._source
        source_id = columns["source_id"] or number
        contest = columns["contest"]
        return Problem(
            problem_id=f"{source.name}:{source_id}",
            domain=source.domain,
            group=source.group,
            source=source.name,
            source_id=source_id,
            statement=statement,
            licence=columns["licence"] or source.licence,
            url=columns["url"] or source.url,
            contest=None if contest is None else contest.lower(),
            year=self._year(columns["year"]),
            answer=answer,
            answer_type=None if answer is None else answer_type(answer),
            time_limit_s=self._quantity("time limit", columns["time_limit"], _SECONDS),
            memory_limit_mb=_whole(self._quantity("memory limit", columns["memory_limit"], _MEBIBYTES)),
            checker=columns["checker"],
            attribution=columns["attribution"] or source.attribution,
        )

    def check_columns(self, address: str) -> None:
        """Refuse a place whose rows all lack a column that the source file names.

        Raises:
            InputError: there is one; the message names the expression.
        """
        for name, looked in self._looked.items():
            if looked and self._absent[name] == looked:
                raise InputError(
                    f"{address}: not one of {looked} rows has what source {self._source.name!r} takes its {name} from"
                    f" ({self._why[name]}): give data of this source, or mend the source file"
                )

    def _look(self, name: str, expression: Expression, row: JsonValue) -> Extracted:
        found = expression.extract(row)
        name = f"where {expression.text!r}" if name == "where" else name
        self._looked[name] += 1
        self._absent[name] += found.state == "absent"
        self._why[name] = found.why
        return found

    def _text(self, name: str, column: Column, row: RawRow) -> str | BadRow | None:
        if isinstance(column, Constant):
            return column.value
        found = self._look(name, column.source, row.value)
        if name == "statement" and isinstance(found.value, list | dict):
            return BadRow(row.location, "no_statement", f"{column.source.text}: there is no text")
        text = as_text(found.value)
        if text is None:
            if name == "answer" and found.state == "unreadable":
                return BadRow(row.location, "unreadable_answer", f"it is no answer what stands there: {found.why}")
            if name == "answer":
                self.notices[f"no answer ({found.why})"] += 1
            return None
        text = column.map.get(text, text)
        peel = self._source.peel.get("answer" if name == "answer" else "statement")
        if peel is not None:
            peeled = _peel(text, peel)
            self.notices[f"{name} without the wrapper that the source file names"] += peeled == text
            text = peeled
        for unusable in self._source.unusable:
            if unusable.column == name and text.strip() in unusable.values:
                return BadRow(row.location, unusable.rule, unusable.reason, {name: text})
        control = _control_character(text)
        if control is None:
            return text
        return BadRow(row.location, "control_character", f"the {name} holds {control}", {name: text[:_SHOWN]})

    def _tests(self, row: JsonValue, problem_id: str, submissions: list[Submission]) -> list[TestCase]:
        described = self._source.tests
        if not described:
            return []
        programs = [one.code for one in submissions if one.expected == "correct" and one.language == "python3"]
        tests = read_tests(described, row, problem_id, programs, self._notice)
        self._looked["tests"] += 1
        if not tests:
            self.notices["no tests"] += 1
            sources = [part for tests in described for part in (tests.inputs, tests.asserts) if part is not None]
            parts = [part.extract(row) for part in sources]
            self._absent["tests"] += all(part.state == "absent" for part in parts)
            self._why["tests"] = parts[0].why
        return tests

    def _notice(self, phrase: str) -> None:
        self.notices[phrase] += 1

    def _year(self, text: str | None) -> int | None:
        found = None if text is None else _YEAR.match(text)
        self.notices["a year that is no year"] += text is not None and found is None
        return int(found.group(1)) if found else None

    def _quantity(self, name: str, text: str | None, units: Mapping[str, float]) -> float | None:
        if text is None:
            return None
        found = _QUANTITY.match(text)
        factor = units.get(found.group(2).lower()) if found else None
        if found is None or factor is None:
            self.notices[f"a {name} that cannot be read"] += 1
            return None
        return float(found.group(1)) * factor


def _column(column: Column | None, row: JsonValue) -> str | None:
    if column is None:
        return None
    if isinstance(column, Constant):
        return column.value
    text = as_text(column.source.extract(row).value)
    return None if text is None else column.map.get(text, text)


def _peel(text: str, peel: Peel) -> str:
    prefix = next((prefix for prefix in peel.prefixes if text.startswith(prefix)), "")
    rest = text[len(prefix) :]
    suffix = next((suffix for suffix in peel.suffixes if suffix and rest.endswith(suffix)), "")
    return rest[: len(rest) - len(suffix)]


def _control_character(text: str) -> str | None:
    # The first search is many times faster, and nearly all texts end there.
    found = _CONTROL.search(text) if _SUSPECT.search(text) else None
    if found is None:
        return None
    character = found.group()
    after = text[found.end() : found.end() + 4]
    if character in _LATEX_ESCAPES and after[:1].isalpha():
        return f"{_LATEX_ESCAPES[character]} before {after!r}: its LaTeX lost a backslash when it was written as JSON"
    return f"the control character U+{ord(character):04X}"


def _whole(value: float | None) -> int | None:
    return None if value is None else max(1, round(value))
