"""What `curation.ingest.papers.pdf` cannot read in a folder of contest papers: counts, and each lost problem.

    python benchmarks/paper_residue.py PAPERS [--text]

Reads every PDF under PAPERS and prints, for each paper, the problems found, the answers given, the damaged problems by
reason, the numbers that are missing, and one line for each damaged problem; then the sums. With ``--text`` it prints
all statements too: reading them beside the papers is the only measure of what was garbled and not noticed.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from curation.errors import InputError
from curation.ingest.papers.paper import PaperProblem
from curation.ingest.papers.pdf import read_pdf_problems


def missing(problems: list[PaperProblem]) -> list[int]:
    """Return the numbers from 1 to the highest that no problem has."""
    numbers = {problem.number for problem in problems}
    return sorted(set(range(1, max(numbers, default=0) + 1)) - numbers)


def report(name: str, problems: list[PaperProblem], *, with_text: bool) -> Counter[str]:
    """Print one paper's lines and return its damage by reason."""
    damaged = [problem for problem in problems if problem.damage]
    reasons = Counter(problem.damage.partition(":")[0] for problem in damaged if problem.damage)
    answers = sum(problem.answer is not None for problem in problems)
    print(f"{name}: {len(problems)} problems, {answers} answers, damaged {dict(reasons)}, missing {missing(problems)}")
    for problem in damaged:
        print(f"    {problem.number} (page {problem.page}): {problem.damage}")
    if with_text:
        for problem in problems:
            print(f"    {problem.number}. {problem.text}\n        answer: {problem.answer}")
    return reasons


def main() -> None:
    """Read the folder that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("papers", type=Path)
    parser.add_argument("--text", action="store_true")
    options = parser.parse_args()
    found, unread = 0, 0
    sums: Counter[str] = Counter()
    for path in sorted(options.papers.rglob("*.pdf")):
        try:
            problems = read_pdf_problems(path)
        except InputError as error:
            unread += 1
            print(f"{path.name}: {error}")
            continue
        found += len(problems)
        sums += report(path.name, problems, with_text=options.text)
    print(f"{found} problems, {sums.total()} damaged {dict(sums)}, {unread} papers unread")


if __name__ == "__main__":
    main()
