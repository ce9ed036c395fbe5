"""What passing tests is worth: the fraction passed, weighted by kill group, less what a trivial program earns.

A kill group holds the tests that kill the same wrong programs; a killed program's worth is shared by the groups that
kill it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from curation.errors import InputError
from curation.json_reader import JsonNumber, JsonValue

_FLOOR = 0.1
"""The worth of a group that kills nothing (samples among them), beside 1 for being the only one to kill a program."""


@dataclass(frozen=True, slots=True)
class RewardGroup:
    """Tests that kill the same programs.

    Attributes:
        name: its name.
        weight: its share of the whole; the weights of all groups add up to 1.
        tests: the names of its tests, which share the weight evenly.
        kills: how many programs it kills.
    """

    name: str
    weight: float
    tests: tuple[str, ...]
    kills: int


@dataclass(frozen=True, slots=True)
class Rewards:
    """The groups, and the greatest weighted fraction that a trivial program (echo, a constant, nothing) passes."""

    groups: tuple[RewardGroup, ...]
    trivial: float


def reward_groups(tests: Sequence[str], kills: Mapping[str, frozenset[str]]) -> tuple[RewardGroup, ...]:
    """Return the kill groups of a suite.

    Args:
        tests: the names of its tests.
        kills: the programs that each test kills; none for a test that is not there.
    """
    groups: dict[frozenset[str], list[str]] = {}
    for name in tests:
        groups.setdefault(kills.get(name, frozenset()), []).append(name)
    killers: dict[str, int] = {}
    for killed in groups:
        for program in killed:
            killers[program] = killers.get(program, 0) + 1
    worth = {killed: _FLOOR + sum(1 / killers[program] for program in sorted(killed)) for killed in groups}
    total = sum(worth.values())
    ordered = sorted(groups, key=lambda killed: (len(killed), groups[killed]))
    return tuple(
        RewardGroup(f"group-{place:02}", round(worth[killed] / total, 6), tuple(groups[killed]), len(killed))
        for place, killed in enumerate(ordered, start=1)
    )


def fraction(groups: Sequence[RewardGroup], passed: Mapping[str, bool]) -> float:
    """Return the weighted fraction of tests passed, 0 to 1; a test that was not run counts as failed."""
    total = sum(group.weight for group in groups)
    earned = sum(
        group.weight * sum(passed.get(name, False) for name in group.tests) / len(group.tests) for group in groups
    )
    return earned / total if total else 0.0


def reward(rewards: Rewards, passed: Mapping[str, bool]) -> tuple[float, bool]:
    """Return the reward of a submission, 0 for what a trivial program earns to 1, and whether it passes all tests.

    Args:
        rewards: of the problem's suite.
        passed: whether each test was passed, by name.
    """
    binary = all(passed.get(name, False) for group in rewards.groups for name in group.tests)
    if rewards.trivial >= 1:
        return float(binary), binary
    above = (fraction(rewards.groups, passed) - rewards.trivial) / (1 - rewards.trivial)
    return max(0.0, above), binary


def read_rewards(value: JsonValue, tests: Sequence[str]) -> Rewards:
    """Read what testgen writes into ``rewards.json``.

    Args:
        value: the document.
        tests: the names of all tests, each of which has to be in one group.

    Raises:
        InputError: it is no such document; the message says what is wrong.
    """
    groups = value.get("groups") if isinstance(value, dict) else None
    trivial = value.get("trivial") if isinstance(value, dict) else None
    if not isinstance(groups, list) or not isinstance(trivial, JsonNumber) or not 0 <= float(trivial) <= 1:
        raise InputError("the rewards are no object with a list of groups and trivial, a number from 0 to 1")
    read = tuple(_group(group, place) for place, group in enumerate(groups))
    if sorted(name for group in read for name in group.tests) != sorted(tests):
        raise InputError("the groups of the rewards do not hold each test once: take the rewards of these tests")
    if not any(group.weight for group in read):
        raise InputError("no group of the rewards has a weight above 0")
    return Rewards(read, float(trivial))


def _group(value: JsonValue, place: int) -> RewardGroup:
    found = value if isinstance(value, dict) else {}
    weight, tests, kills = found.get("weight"), found.get("tests"), found.get("kills")
    sound = isinstance(weight, JsonNumber) and float(weight) >= 0 and isinstance(kills, JsonNumber)
    if not sound or not isinstance(tests, list) or not tests:
        raise InputError(f"group {place} of the rewards has no weight from 0 on, no tests or no kills")
    name = str(found.get("name", place))
    return RewardGroup(name, float(str(weight)), tuple(str(test) for test in tests), int(float(str(kills))))
