"""The JSON document in an exported code row's column ``ground_truth``: tests, checker, limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast, get_args

from curation.errors import InputError
from curation.json_reader import JsonNumber, JsonTextError, JsonValue, loads
from curation.judging.kill_groups import Rewards, read_rewards
from curation.judging.limits import not_sane
from curation.judging.named_checkers import parse_name
from curation.records import CheckerKind, CheckerSource, TestCase

_KINDS = ("stdio", "call", "assert")


@dataclass(frozen=True, slots=True)
class GroundTruth:
    """What a program is checked against.

    Attributes:
        tests: the tests, maybe none.
        checker: the checker's name, see `curation.judging.named_checkers`; None for the default.
        source: the checker's source, where its name means one of a table.
        time_limit_s: CPU seconds; None where none is stated.
        memory_limit_mb: MiB; None where none is stated.
        rewards: the kill groups of the tests; None where nobody knows them.
    """

    tests: tuple[TestCase, ...]
    checker: str | None
    source: CheckerSource | None
    time_limit_s: float | None
    memory_limit_mb: int | None
    rewards: Rewards | None = None


def read_ground_truth(text: str) -> GroundTruth:
    """Read the document that `curation.export.rows.ground_truth` writes, or `curation.judging.package_truth`.

    Raises:
        InputError: it is none; the message says what is wrong.
    """
    try:
        value = loads(text)
    except JsonTextError as error:
        raise InputError(f"the ground truth is no JSON document ({error})") from None
    if not isinstance(value, dict) or not isinstance(value.get("tests"), list):
        raise InputError("the ground truth is no object with a list of tests")
    tests = cast("list[JsonValue]", value["tests"])
    checker = _text(value, "checker")
    parse_name(checker)
    seconds, megabytes = _number(value, "time_limit_s"), _number(value, "memory_limit_mb")
    wrong = not_sane(seconds, None if megabytes is None else int(megabytes))
    if wrong is not None:
        raise InputError(wrong)
    read = tuple(_test(test, number) for number, test in enumerate(tests))
    rewards = value.get("rewards")
    return GroundTruth(
        tests=read,
        checker=checker,
        source=_source(value.get("checker_source"), checker),
        time_limit_s=seconds,
        memory_limit_mb=None if megabytes is None else int(megabytes),
        rewards=None if rewards is None else read_rewards(rewards, [test.name for test in read]),
    )


def _test(value: JsonValue, number: int) -> TestCase:
    if not isinstance(value, dict) or value.get("kind") not in _KINDS:
        raise InputError(f"test {number} of the ground truth is no object of the kind {', '.join(_KINDS)}")
    given, output, function = _text(value, "input"), _text(value, "output"), _text(value, "function")
    kind = value["kind"]
    if given is None or (output is None and kind != "assert"):
        raise InputError(f"test {number} of the ground truth has no input or no output")
    name = _text(value, "name") or str(number)
    return TestCase("", name, kind, given, output or "", function)  # type: ignore[arg-type]


def _source(value: JsonValue, checker: str | None) -> CheckerSource | None:
    if value is None:
        return None
    kind = value.get("kind") if isinstance(value, dict) else None
    source = value.get("source") if isinstance(value, dict) else None
    if kind not in get_args(CheckerKind) or not isinstance(source, str):
        raise InputError("the checker_source of the ground truth has no kind that is known, or no source")
    made = CheckerSource.of(cast(CheckerKind, kind), source)
    if parse_name(checker).which != made.sha256:
        raise InputError("the checker_source of the ground truth is not the checker that it names")
    return made


def _text(value: Mapping[str, JsonValue], key: str) -> str | None:
    found = value.get(key)
    if found is None:
        return None
    if not isinstance(found, str) or isinstance(found, JsonNumber):
        raise InputError(f"{key} of the ground truth is no text: test data are JSON strings")
    return found


def _number(value: Mapping[str, JsonValue], key: str) -> float | None:
    found = value.get(key)
    if found is None:
        return None
    if not isinstance(found, JsonNumber):
        raise InputError(f"{key} of the ground truth is no number")
    return float(found)
