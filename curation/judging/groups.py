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
        worth: the points of a ``pass-fail`` group.
        breaks: what follows a rejected test or group does not count.
        ignores_sample: leave the group called ``sample`` out.
        needs: how many of its tests and groups must be accepted for the group to be: ``all``, ``any`` or ``none``.
    """

    accept_score: float = 1.0
    reject_score: float = 0.0
    aggregation: Aggregation = "sum"
    worth: float = 1.0
    breaks: bool = False
    ignores_sample: bool = False
    needs: Literal["all", "any", "none"] = "all"


@dataclass(frozen=True, slots=True)
class Group:
    """A group: its name, and the names of its tests and the groups inside it, in order."""

    name: str
    settings: GroupSettings
    children: tuple[str | Group, ...]


def read_settings(fields: Mapping[str, object], where: str, *, is_legacy: bool) -> GroupSettings:
    """Read a group's settings from its testdata.yaml (legacy format) or test_group.yaml (2025 version).

    Args:
        fields: the file's fields, all scalars as text, with those it inherits.
        where: the file, for the message.
        is_legacy: the legacy format, where a group breaks off at a rejection unless it says otherwise.

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
        worth=worth,
        breaks=is_legacy and fields.get("on_reject", "break") == "break",
        ignores_sample="ignore_sample" in flags,
        needs="none" if "always_accept" in flags else "any" if "accept_if_any_accepted" in flags else "all",
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
    names = _tests(group)
    most, _ = _grade(group, dict.fromkeys(names, True))
    least, _ = _grade(group, dict.fromkeys(names, False))
    if most <= least:
        return float(all(accepted.get(name, False) for name in names))
    points, _ = _grade(group, accepted)
    return min(1.0, max(0.0, (points - least) / (most - least)))


def _tests(group: Group) -> list[str]:
    return [name for child in group.children for name in ([child] if isinstance(child, str) else _tests(child))]


def _grade(group: Group, accepted: Mapping[str, bool]) -> tuple[float, bool]:
    """Return the group's points and whether it is accepted."""
    settings = group.settings
    if settings.aggregation == "pass-fail":
        passes = all(accepted.get(name, False) for name in _tests(group))
        return settings.worth if passes else 0.0, passes
    points: list[float] = []
    passed: list[bool] = []
    for child in group.children:
        if isinstance(child, str):
            passes = accepted.get(child, False)
            worth = settings.accept_score if passes else settings.reject_score
        elif settings.ignores_sample and child.name == "sample":
            continue
        else:
            worth, passes = _grade(child, accepted)
        points.append(worth)
        passed.append(passes)
        if settings.breaks and not passes:
            break
    is_accepted = {"all": all(passed), "any": any(passed), "none": True}[settings.needs]
    return _added(points, settings.aggregation), is_accepted


def _added(points: list[float], aggregation: Aggregation) -> float:
    if not points:
        return 0.0
    if aggregation == "min":
        return min(points)
    if aggregation == "max":
        return max(points)
    return sum(points) / len(points) if aggregation == "avg" else sum(points)
