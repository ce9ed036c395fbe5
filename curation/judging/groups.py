"""Test groups and what they are worth, after the default grader of the problem package format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from curation.errors import InputError

Aggregation = Literal["sum", "min", "max", "avg", "pass-fail"]
_AGGREGATIONS: tuple[Aggregation, ...] = ("sum", "min", "max", "avg")


@dataclass(frozen=True, slots=True)
class GroupSettings:
    """How the tests and groups of one group add up.

    Attributes:
        accept_score: points of an accepted test.
        reject_score: points of a rejected one.
        aggregation: how points become the group's; ``pass-fail`` gives ``worth`` where all tests are accepted.
        ignore_sample: leave the group called ``sample`` out.
        worth: the points of a ``pass-fail`` group.
    """

    accept_score: float = 1.0
    reject_score: float = 0.0
    aggregation: Aggregation = "sum"
    ignore_sample: bool = False
    worth: float = 1.0


@dataclass(frozen=True, slots=True)
class Group:
    """A group: the names of its own tests, and the groups inside it."""

    name: str
    settings: GroupSettings
    tests: tuple[str, ...]
    groups: tuple[Group, ...]


def read_settings(fields: Mapping[str, object], where: str) -> GroupSettings:
    """Read a group's settings from its testdata.yaml (legacy format) or test_group.yaml (2025 version).

    Args:
        fields: the file's fields, all scalars as text, with those it inherits.
        where: the file, for the message.

    Raises:
        InputError: a number is no number.
    """
    flags = str(fields.get("grader_flags", "")).split()
    aggregation: Aggregation = next((name for name in _AGGREGATIONS if name in flags), "sum")
    worth = 1.0
    scoring = fields.get("scoring")
    if isinstance(scoring, dict):
        wanted = scoring.get("aggregation", "pass-fail" if "score" in scoring else "sum")
        aggregation = "pass-fail" if wanted == "pass-fail" else "min" if wanted == "min" else "sum"
        worth = _number(scoring.get("score", "1"), where)
    return GroupSettings(
        accept_score=_number(fields.get("accept_score", "1"), where),
        reject_score=_number(fields.get("reject_score", "0"), where),
        aggregation=aggregation,
        ignore_sample="ignore_sample" in flags,
        worth=worth,
    )


def _number(value: object, where: str) -> float:
    try:
        return float(str(value))
    except ValueError:
        raise InputError(f"{where}: {value!r} is no number of points: correct the file") from None


def share(group: Group, accepted: Mapping[str, bool]) -> float:
    """Return the share of all points that the accepted tests earn, 0 to 1.

    Args:
        group: the root group.
        accepted: whether each test was accepted, by name; one that was not run counts as rejected.
    """
    most = _points(group, dict.fromkeys(_all_tests(group), True))
    least = _points(group, dict.fromkeys(_all_tests(group), False))
    if most <= least:
        return float(all(accepted.get(name, False) for name in _all_tests(group)))
    return min(1.0, max(0.0, (_points(group, accepted) - least) / (most - least)))


def _all_tests(group: Group) -> list[str]:
    return [*group.tests, *(name for inner in group.groups for name in _all_tests(inner))]


def _points(group: Group, accepted: Mapping[str, bool]) -> float:
    settings = group.settings
    if settings.aggregation == "pass-fail":
        return settings.worth if all(accepted.get(name, False) for name in _all_tests(group)) else 0.0
    parts = [settings.accept_score if accepted.get(name, False) else settings.reject_score for name in group.tests]
    parts += [
        _points(inner, accepted)
        for inner in group.groups
        if not (settings.ignore_sample and inner.name.rsplit("/", 1)[-1] == "sample")
    ]
    if not parts:
        return 0.0
    if settings.aggregation == "avg":
        return sum(parts) / len(parts)
    if settings.aggregation == "min":
        return min(parts)
    return max(parts) if settings.aggregation == "max" else sum(parts)
