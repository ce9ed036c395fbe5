"""What programs that solve nothing earn: the baseline of the rewards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from curation.judging.judge import judge_side_by_side, single_file
from curation.judging.kill_groups import Rewards, fraction
from curation.records import TestCase
from curation.testgen.reward import reward_groups
from curation.testgen.search import Search


def measured_rewards(search: Search, suite: Sequence[TestCase]) -> Rewards:
    groups = reward_groups(suite, search.kills)
    answers = Counter(test.output for test in suite).most_common(2)
    programs = [
        single_file(f"constant {place}", "python3", f"print({answer!r}, end='')\n")
        for place, (answer, _) in enumerate(answers)
    ]
    programs.append(single_file("echo", "python3", "import sys\nsys.stdout.write(sys.stdin.read())\n"))
    programs.append(single_file("nothing", "python3", "pass\n"))
    small = [test for test in suite if test.name not in search.large]
    earned = [
        fraction(groups, {result.name: result.verdict == "AC" for result in judged.tests})
        for judged in judge_side_by_side(search.bench, programs, small, search.limits, search.checker)
    ]
    return Rewards(groups, round(max(earned, default=0.0), 6))
