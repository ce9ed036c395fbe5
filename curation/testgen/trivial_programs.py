"""The rewards of a grown suite: its kill groups, and what programs that solve nothing earn."""

from __future__ import annotations

from collections.abc import Sequence

from curation.judging.judge import judge_side_by_side
from curation.judging.kill_groups import Rewards, fraction, reward_groups
from curation.judging.trivial_programs import trivial_programs
from curation.records import TestCase
from curation.testgen.search import Search


def measured_rewards(search: Search, suite: Sequence[TestCase]) -> Rewards:
    groups = reward_groups([test.name for test in suite], search.kills)
    programs = trivial_programs(suite)
    small = [test for test in suite if test.name not in search.large]
    earned = [
        fraction(groups, {result.name: result.verdict == "AC" for result in judged.tests})
        for judged in judge_side_by_side(search.bench, programs, small, search.limits, search.checker)
    ]
    return Rewards(groups, round(max(earned, default=0.0), 6))
