"""How often matching a checker agrees with what problem packages ask for themselves.

    python benchmarks/checker_agreement.py FOLDER [FOLDER ...]

FOLDER holds problem packages at any depth. A package agrees where it asks for a validator of its own and matching
says special judge, or where it asks for the default validator and matching finds a checker with the same tolerance,
as far as its answers have decimals.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from curation.errors import InputError
from curation.judging import comparison
from curation.judging.package_matching import PackageMatch, match_packages


def main(folders: list[str]) -> None:
    """Print one line a package that does not agree, and the counts."""
    counts: Counter[tuple[str, str, str]] = Counter()
    for folder in folders:
        for path in sorted(file.parent for file in Path(folder).rglob("problem.yaml")):
            try:
                (found,) = match_packages([path])
            except InputError as error:
                print(f"{path}: {error}")
                continue
            agrees = _agrees(found)
            counts[found.asks_for, found.match.checker or found.match.outcome, "agrees" if agrees else "differs"] += 1
            if not agrees:
                print(f"{path}: asks for {found.asks_for}, {found.match.outcome}: {found.match.reason}")
    for (asks_for, matched, how), count in sorted(counts.items()):
        print(f"{count:4}  {asks_for:30}  {matched:55}  {how}")


def _agrees(found: PackageMatch) -> bool:
    if not found.asks_for.startswith("tokens"):
        return found.match.outcome == "special judge"
    checker = found.match.checker
    if checker is None or not checker.startswith("tokens"):
        return False
    asked = comparison.parse_flags(found.asks_for.split()[1:], found.package)
    matched = comparison.parse_flags(checker.split()[1:], found.package)
    # Without decimals in the answers a tolerance decides nothing, and matching proves none.
    return not matched.has_tolerance or (
        matched.float_absolute_tolerance == asked.float_absolute_tolerance
        and matched.float_relative_tolerance == asked.float_relative_tolerance
    )


if __name__ == "__main__":
    main(sys.argv[1:])
