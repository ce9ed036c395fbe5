"""What passing tests is worth: the fraction passed, weighted by kill group, less what a trivial program earns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from curation.records import TestCase
from curation.testgen.kills import Kills, groups_of

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


def reward_groups(tests: Sequence[TestCase], kills: Kills) -> tuple[RewardGroup, ...]:
    """Return the kill groups of a suite: a killed program's worth is shared by the groups that kill it."""
    groups = groups_of(tests, kills)
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
