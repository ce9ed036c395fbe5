"""The kill groups of a suite and their weights; `curation.judging.kill_groups` says what passing them is worth."""

from __future__ import annotations

from collections.abc import Sequence

from curation.judging.kill_groups import RewardGroup
from curation.records import TestCase
from curation.testgen.kills import Kills, groups_of

_FLOOR = 0.1
"""The worth of a group that kills nothing (samples among them), beside 1 for being the only one to kill a program."""


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
