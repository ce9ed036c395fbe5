"""How well matching tells which problems need more than a comparison of tokens: against TACO's own flags.

    python benchmarks/special_judges.py FLAGS STATEMENTS [--show N]

FLAGS has a JSON object a line with ``idx``, ``special_judge`` and ``case`` (1: several right outputs, 2: letters in any
case, 3: a tolerance); STATEMENTS is a JSON list of objects with ``task_id`` and ``prompt``. The samples in each prompt
are its tests: no other data, and no submission, so that several right outputs can only be known by what the statement
promises.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from curation.intervals import wilson
from curation.json_reader import loads
from curation.judging.bench import Bench
from curation.judging.matching import Match, match_checker
from curation.judging.named_checkers import NamedCheckers
from curation.records import TestCase

KINDS = ("exact", "several outputs", "any case", "tolerance")
_HEADING = r"^(?:{0}:?|[-= ]*(?:sample|example) {0}[ \d]*[-=:]*) *\n"
_SAMPLES_BEGIN = re.compile(r"^[-= ]*(?:examples?|samples?)\b", re.MULTILINE | re.IGNORECASE)
_SAMPLE = re.compile(
    _HEADING.format("input")
    + r"(.*?)\n\s*"
    + _HEADING.format("output")
    + r"(.*?)(?=\n\s*"
    + _HEADING.format("input")
    + r"|\n-----|\n *(?:explanation|note)\b|\nUse Standard|\Z)",
    re.DOTALL | re.MULTILINE | re.IGNORECASE,
)


def main() -> None:
    """Match every problem and print the table of flags against matches, and precision and recall of each kind."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("flags", type=Path)
    parser.add_argument("statements", type=Path)
    parser.add_argument("--show", type=int, default=0, help="so many problems of each wrong cell")
    arguments = parser.parse_args()
    flags = {}
    for line in arguments.flags.read_text().splitlines():
        row = loads(line)
        flags[int(str(row["idx"]))] = int(str(row["case"])) if row["special_judge"] else 0  # type: ignore[index,call-overload]
    rows = [(int(str(row["task_id"])), str(row["prompt"])) for row in loads(arguments.statements.read_text())]  # type: ignore[union-attr,call-overload,index]
    with Bench() as bench:
        named = NamedCheckers(bench)
        found = list(bench.map(partial(matched, bench, named), [prompt for _, prompt in rows]))
    cells: Counter[tuple[int, str]] = Counter()
    shown: Counter[tuple[int, str]] = Counter()
    for (task, prompt), match in zip(rows, found, strict=True):
        cell = flags.get(task, 0), kind_of(match)
        cells[cell] += 1
        if KINDS[cell[0]] != cell[1] and shown[cell] < arguments.show:
            shown[cell] += 1
            print(f"{task}: flagged {KINDS[cell[0]]}, matched {cell[1]} ({match.checker}): {match.reason}")
            print(f"    {' '.join(prompt.split())[-300:]}")
    report(cells)


def matched(bench: Bench, named: NamedCheckers, prompt: str) -> Match:
    """Match one problem by its statement and samples."""
    begins = _SAMPLES_BEGIN.search(prompt)
    samples = _SAMPLE.findall(prompt, begins.start()) if begins else []
    tests = [
        TestCase("", str(place), "stdio", f"{given}\n", f"{output.strip()}\n")
        for place, (given, output) in enumerate(samples)
    ]
    return match_checker(bench, named, tests, prompt)


def kind_of(match: Match) -> str:
    """Return what a match says of outputs."""
    if match.outcome == "special judge":
        return "several outputs"
    name = match.checker or ""
    if match.outcome == "unknown":
        return "unknown"
    if "tolerance" in name:
        return "tolerance"
    if name in ("tokens", "checkers:yes_no", "checkers:case_labels"):
        return "any case"
    return "several outputs" if name.startswith(("checkers:unordered", "checkers:integer_multiset")) else "exact"


def report(cells: Counter[tuple[int, str]]) -> None:
    """Print the counts, and precision and recall with their intervals."""
    columns = [*KINDS, "unknown"]
    print(f"{'flag':16}" + "".join(f"{name:>17}" for name in columns))
    for flag, name in enumerate(KINDS):
        print(f"{name:16}" + "".join(f"{cells[flag, column]:17}" for column in columns))
    for flag, name in enumerate(KINDS):
        hits = cells[flag, name]
        print(
            f"{name:16} precision {shown_share(hits, sum(cells[one, name] for one in range(len(KINDS))))}"
            f"  recall {shown_share(hits, sum(cells[flag, column] for column in columns))}"
        )
    flagged = [sum(cells[one, column] for one in (1, 2, 3) for column in names) for names in (KINDS[1:], columns)]
    wrong: Sequence[int] = [sum(cells[0, column] for column in KINDS[1:])]
    print(
        f"{'any of them':16} precision {shown_share(flagged[0], flagged[0] + wrong[0])}"
        f"  recall {shown_share(flagged[0], flagged[1])}"
    )


def shown_share(part: int, whole: int) -> str:
    """Return a share with its 95 % interval."""
    if not whole:
        return "of none"
    low, high = wilson(float(part), float(whole))
    return f"{part}/{whole} = {part / whole:.1%} ({low:.1%} to {high:.1%})"


if __name__ == "__main__":
    main()
