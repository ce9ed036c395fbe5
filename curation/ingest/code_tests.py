"""Tests and submissions of a code problem out of the shapes in which sources write them."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from curation.ingest.code_section import RowChecker, Submissions, Tests
from curation.ingest.columns import Expression
from curation.ingest.result_shapes import are_wrapped, result_shape
from curation.ingest.sections import Constant
from curation.json_reader import JsonNumber, JsonTextError, JsonValue, as_text, dumps, loads
from curation.records import UNKNOWN_CHECKER, CheckerKind, CheckerSource, Submission, TestCase

_YES = frozenset({"true", "1", "yes", "special judge"})


class CodeRowError(Exception):
    """The row's tests or submissions are of no shape that its source file describes; the message says why."""


@dataclass(frozen=True, slots=True)
class _Pair:
    kind: Literal["stdio", "call", "assert"]
    input: str
    output: str


def read_tests(
    groups: Sequence[Tests], row: JsonValue, problem_id: str, programs: Sequence[str], notice: Callable[[str], None]
) -> list[TestCase]:
    """Return a row's tests; none where the row has none.

    Args:
        groups: how they are written, for each place where they stand.
        row: the row.
        problem_id: the problem's identifier.
        programs: right programs that come with the row, in Python; they tell of what kind a function's result is.
        notice: gets a phrase for what could not be told.

    Raises:
        CodeRowError: what stands there cannot be read as tests.
    """
    tests: list[TestCase] = []
    seen: set[tuple[str, str]] = set()
    for group in groups:
        found = list(_group(group, row, programs, notice))
        for number, (name, pair, function) in enumerate(found, start=1):
            prefix = "" if group.group is None else f"{group.group}-"
            # What a source shows as examples is mostly among its other tests again.
            if (pair.input.strip(), pair.output.strip()) not in seen:
                name = name or f"{prefix}{number:03d}"
                tests.append(TestCase(problem_id, name, pair.kind, pair.input, pair.output, function))
        seen.update((pair.input.strip(), pair.output.strip()) for _, pair, _ in found)
    names = [test.name for test in tests]
    if len(set(names)) != len(names):
        raise CodeRowError("two tests have one name")
    return tests


def _group(
    tests: Tests, row: JsonValue, programs: Sequence[str], notice: Callable[[str], None]
) -> Iterator[tuple[str | None, _Pair, str | None]]:
    """Yield the name, the data and the function of each test of one section."""
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
        names = [as_text(name) for name in _list(tests.names, row) or [None] * len(pairs)]
        if len(names) != len(pairs):
            raise CodeRowError(f"there are {len(pairs)} tests and {len(names)} names")
        for name, pair in zip(names, pairs, strict=True):
            if _is_cut(pair, tests.cut):
                notice("a test that the source cut off, which is left out")
            else:
                yield name, pair, function
        return
    if (inputs is None) != (outputs is None):
        raise CodeRowError(f"there are inputs without outputs, or outputs without inputs: {_one_missing(tests, row)}")
    for text in _list(tests.asserts, row) or []:
        for assertion in _assertions(_stream(text)):
            yield None, _Pair("assert", assertion, ""), None


def _assertions(text: str) -> list[str]:
    """Return a text that holds an assertion a line as one test for each, and any other text as it is."""
    lines = [line for line in text.split("\n") if line.strip()]
    alone = all(line.startswith("assert ") and _is_statement(line) for line in lines)
    return lines if len(lines) > 1 and alone else [text]


def _is_statement(line: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return len(ast.parse(line).body) == 1
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _is_cut(pair: _Pair, mark: str | None) -> bool:
    return mark is not None and any(text.rstrip().endswith(mark) for text in (pair.input, pair.output))


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


def read_checker(described: RowChecker, row: JsonValue, flags: str | None) -> tuple[str | None, CheckerSource | None]:
    """Return what a row's column ``checker`` says, and the program where the row has one.

    Args:
        described: where it stands.
        row: the row.
        flags: the name and flags of a checker that comes with the program, or the flags of the row's own validator.

    Raises:
        CodeRowError: what stands there is no program.
    """
    programs: tuple[tuple[CheckerKind, Expression | None], ...] = (
        ("testlib", described.testlib),
        ("python", described.python),
        ("validator", described.validator),
    )
    for kind, expression in programs:
        source = None if expression is None else _program(expression, row, kind)
        if source is not None:
            checker = CheckerSource.of(kind, source)
            arguments = (flags or "").split() if kind == "validator" else ()
            return " ".join([f"{kind}:{checker.sha256}", *arguments]), checker
    if flags is None and described.special is not None:
        said = as_text(described.special.extract(row).value)
        return (UNKNOWN_CHECKER if said is not None and said.strip().lower() in _YES else None), None
    return flags, None


def _program(expression: Expression, row: JsonValue, kind: str) -> str | None:
    found = expression.extract(row)
    if found.state == "unreadable":
        raise CodeRowError(found.why)
    if kind == "validator" and isinstance(found.value, dict) and found.value:
        return dumps(found.value)
    if found.value is None or (isinstance(found.value, str) and not found.value.strip()):
        return None
    if kind == "validator" or not isinstance(found.value, str):
        raise CodeRowError(f"{expression.text}: a checker is no text")
    return str(found.value)


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
