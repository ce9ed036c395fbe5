"""Programs that solve nothing: what they earn is the baseline of the rewards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from curation.judging.judge import Program, single_file
from curation.records import TestCase

_CONSTANTS = 2


def trivial_programs(tests: Sequence[TestCase]) -> list[Program]:
    """Return programs that print one of the most frequent answers, their input, and nothing."""
    answers = Counter(test.output for test in tests).most_common(_CONSTANTS)
    programs = [
        single_file(f"constant {place}", "python3", f"print({answer!r}, end='')\n")
        for place, (answer, _) in enumerate(answers)
    ]
    programs.append(single_file("echo", "python3", "import sys\nsys.stdout.write(sys.stdin.read())\n"))
    programs.append(single_file("nothing", "python3", "pass\n"))
    return programs
