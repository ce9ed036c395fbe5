"""Tests and submissions of a code problem out of the shapes in which sources write them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from curation.ingest.catalog import Constant, Submissions, Tests
from curation.ingest.columns import Expression
from curation.ingest.result_shapes import are_wrapped, result_shape
from curation.json_reader import JsonNumber, JsonTextError, JsonValue, as_text, dumps, loads
from curation.records import Submission, TestCase


class CodeRowError(Exception):
    """The row's tests or submissions are of no shape that its source file describes; the message says why."""


@dataclass(frozen=True, slots=True)
class _Pair:
    kind: Literal["stdio", "call"]
    input: str
    output: str


def read_tests(
    tests: Tests, row: JsonValue, problem_id: str, programs: Sequence[str], notice: Callable[[str], None]
) -> list[TestCase]:
    """Return a row's tests; none where the row has none.

    Args:
        tests: how they are written.
        row: the row.
        problem_id: the problem's identifier.
        programs: right programs that come with the row, in Python; they tell of what kind a function's result is.
        notice: gets a phrase for what could not be told.

    Raises:
        CodeRowError: what stands there cannot be read as tests.
    """
    inputs, outputs = _list(tests.inputs, row), _list(tests.outputs, row)
    if inputs is not None and outputs is not None:
        if len(inputs) != len(outputs):
            raise CodeRowError(f"there are {len(inputs)} inputs and {len(outputs)} outputs")
        function = _name(tests.function, row)
        if function is None:
            pairs = _streams(inputs, outputs)
        else:
            starter = _list(tests.starter_code, row) or []
            texts = [str(text) for text in (*starter, *programs) if isinstance(text, str)]
            unwrap = tests.wrapped_results and _is_wrapped(outputs, function, texts, notice)
            pairs = [_call(given, wanted, unwrap) for given, wanted in zip(inputs, outputs, strict=True)]
        return [
            TestCase(problem_id, f"{number:03d}", pair.kind, pair.input, pair.output, function)
            for number, pair in enumerate(pairs, start=1)
        ]
    if (inputs is None) != (outputs is None):
        raise CodeRowError(f"there are inputs without outputs, or outputs without inputs: {_one_missing(tests, row)}")
    asserts = _list(tests.asserts, row) or []
    return [
        TestCase(problem_id, f"{number:03d}", "assert", _stream(text), "")
        for number, text in enumerate(asserts, start=1)
    ]


def read_submissions(groups: tuple[Submissions, ...], row: JsonValue, problem_id: str) -> Iterator[Submission]:
    """Yield the programs that come with a row.

    Raises:
        CodeRowError: what stands there cannot be read as programs, or there are more programs than languages.
    """
    number = 0
    for group in groups:
        programs = _list(group.code, row) or []
        for code, language in zip(programs, _languages(group, row, len(programs)), strict=True):
            if not isinstance(code, str):
                raise CodeRowError(f"{group.code.text}: a program is no text")
            number += 1
            yield Submission(problem_id, f"{problem_id}/{number:04d}", language, code, group.expected)


def _languages(group: Submissions, row: JsonValue, count: int) -> list[str]:
    if isinstance(group.language, Constant):
        return [group.language.value] * count
    found = group.language.source.extract(row).value
    given = found if isinstance(found, list) else [found] * count
    if len(given) != count:
        raise CodeRowError(f"there are {count} programs and {len(given)} languages")
    labels = [as_text(label) or "unknown" for label in given]
    return [group.languages.get(label, group.language.map.get(label, label)) for label in labels]


def _list(expression: Expression | None, row: JsonValue) -> list[JsonValue] | None:
    if expression is None:
        return None
    found = expression.extract(row)
    if found.state == "unreadable":
        raise CodeRowError(found.why)
    if found.value is None or isinstance(found.value, list):
        return found.value
    return [found.value]


def _name(expression: Expression | None, row: JsonValue) -> str | None:
    return None if expression is None else (as_text(expression.extract(row).value) or None)


def _one_missing(tests: Tests, row: JsonValue) -> str:
    reasons = (part.extract(row).why for part in (tests.inputs, tests.outputs) if part is not None)
    return next((reason for reason in reasons if reason), "")


def _streams(inputs: list[JsonValue], outputs: list[JsonValue]) -> list[_Pair]:
    return [_Pair("stdio", _stream(given), _stream(wanted)) for given, wanted in zip(inputs, outputs, strict=True)]


def _stream(value: JsonValue) -> str:
    if isinstance(value, str):
        return str(value)
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return "\n".join(str(line) for line in value)
    raise CodeRowError(f"a test's text is neither text nor a list of lines but {_shortened(value)}")


def _is_wrapped(outputs: list[JsonValue], function: str, texts: list[str], notice: Callable[[str], None]) -> bool:
    """Tell whether the lists of one, where all results are such, only stand around the results."""
    if not outputs or not all(isinstance(result, list) and len(result) == 1 for result in outputs):
        return False
    wrapped = are_wrapped(outputs, result_shape(function, texts))
    if wrapped is None:
        notice("results that may stand in a list of one, kept as they are because no program tells")
    return bool(wrapped)


def _call(given: JsonValue, wanted: JsonValue, unwrap: bool) -> _Pair:
    if isinstance(given, list):
        result = wanted[0] if unwrap and isinstance(wanted, list) else wanted
        return _Pair("call", dumps(given), dumps(result))
    if isinstance(given, str) and not isinstance(given, JsonNumber) and isinstance(wanted, str):
        # LiveCodeBench's form: one JSON value a line, and a JSON value as the result.
        try:
            arguments = [loads(line) for line in given.split("\n") if line.strip()]
            return _Pair("call", dumps(arguments), dumps(loads(wanted)))
        except JsonTextError as error:
            raise CodeRowError(f"a call's arguments or result are no JSON: {error}") from None
    raise CodeRowError(f"a call's arguments are neither a list nor lines of JSON but {_shortened(given)}")


def _shortened(value: JsonValue) -> str:
    text = dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
