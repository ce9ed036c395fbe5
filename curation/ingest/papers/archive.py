"""A folder of contest papers, fetched or downloaded by hand, as rows: one for each problem, or the reason against it.

Names say which files make a round; its problems are split, joined with their solutions and answers, and checked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from curation.errors import InputError
from curation.ingest.papers.answers import accepted
from curation.ingest.papers.items import Fault, Item, figure
from curation.ingest.papers.joining import join_answers, join_solutions
from curation.ingest.papers.layout import Papers, slug
from curation.ingest.papers.pdf import require_reader
from curation.ingest.papers.rounds import Round, find_rounds
from curation.ingest.papers.sheets import read_role
from curation.ingest.readers import BadRow, RawRow
from curation.text import fold

_LEADING_ZEROS = re.compile(r"\A0+(?=\d)")
_STYLED = r"(?:\\(?:text(?:bf|it|sf|rm)|emph)\{|\{(?:\\(?:bf|it)\s+)?)?"
_WORTH = r"\d{1,2}\s*(?:points?|pts?)\.?"
_POINTS = re.compile(
    rf"\A{_STYLED}(?:(?:\[|\{{\[\}})\s*{_STYLED}(?:\d{{1,2}}|{_WORTH})\}}?\s*(?:\]|\{{\]\}})|\({_STYLED}{_WORTH}\}}?\))\}}?\s*"
)
"""What a problem is worth, at its beginning: ``[5]``, ``(5 points)``, in bold or italics or not."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A problem with what the round's other files say about it."""

    item: Item
    solution: str | None
    answers: tuple[str, ...]
    has_solution: bool
    damage: str | None


def read_archive(folder: Path, papers: Papers, addresses: Mapping[str, str]) -> Iterator[RawRow | BadRow]:
    """Read every paper under ``folder``.

    Args:
        folder: where the papers lie.
        papers: what their names mean and which problems are none of ours.
        addresses: where files came from, by path in the folder, as far as that is known.

    Yields:
        rows with ``source_id``, ``contest``, ``year``, ``round``, ``section``, ``number``, ``problem``, ``solution``,
        ``answer`` and ``url``, each text or None; bad rows for files whose name says nothing or that give no problems,
        for problems that are left out, damaged, in need of a figure or without an answer, and for numbers that are
        missing or given twice.

    Raises:
        InputError: the folder holds no paper, or one cannot be opened; or it holds a PDF and the extra ``papers`` is
            not installed.
    """
    rounds, strangers = find_rounds(folder, papers)
    if not rounds:
        named = f"; {strangers[0].location}: {strangers[0].reason}" if strangers else ""
        raise InputError(
            f"{folder} holds no TeX, wiki, HTML or PDF paper{named}: fetch the archive, or put its papers there"
        )
    pdf = next((file.path for found in rounds for file in found.files if file.kind == "pdf"), None)
    if pdf is not None:
        require_reader(pdf)
    for fault in strangers:
        yield _bad(fault)
    for found in rounds:
        yield from _read_round(found, papers, addresses)


def _read_round(found: Round, papers: Papers, addresses: Mapping[str, str]) -> Iterator[RawRow | BadRow]:
    alone = not found.solutions and not found.answers
    problems, faults = read_role(found.problems, "problems", solved=alone)
    solutions, more = read_role(found.solutions, "solutions", solved=True)
    keys, most = read_role(found.answers, "answers", solved=True)
    faults += more + most
    # Where only the solutions were published, they hold the problems that they repeat.
    from_solutions = not found.problems
    if from_solutions:
        problems = [solution for solution in solutions if solution.statement]
        faults += [_nothing_stated(solution) for solution in solutions if not solution.statement]
    for fault in faults:
        yield _bad(fault)
    joined = list(problems) if alone or from_solutions else join_solutions(problems, solutions)
    answered = join_answers(problems, keys)
    several = len({problem.key[0] for problem in problems}) > 1
    twice = _given_twice(problems)
    rows = [
        _row(
            found,
            papers,
            _whole(problem, solution, answer),
            addresses,
            several=several,
            twice=problem.location in twice,
        )
        for problem, solution, answer in zip(problems, joined, answered, strict=True)
    ]
    yield from _with_names_of_their_own(rows)
    used = {solution.location for solution in joined if solution}
    if not from_solutions:
        for solution in solutions:
            if solution.location not in used:
                yield _bad(_unused(solution))
    if problems:
        yield from _missing(found, papers, problems)


def _whole(problem: Item, solution: Item | None, key: Item | None) -> _Found:
    own = solution if solution is not None and (solution is not problem or solution.solution is not None) else None
    solved = solution.answers if solution else problem.answers
    keyed = key.answers if key else ()
    damage = problem.damage
    if damage is None and own is not None and "\ufffd" in "".join(solved):
        damage = own.damage
    if (
        damage is None
        and keyed
        and solved
        and not {_plain(answer) for answer in keyed} & {_plain(one) for one in solved}
    ):
        damage = f"answers differ: {', '.join(keyed)} in the key, {', '.join(solved)} in the solution"
    answers = tuple(dict.fromkeys(value for answer in keyed or solved for value in accepted(answer)))
    return _Found(problem, own.solution if own else None, answers, own is not None, damage)


def _plain(answer: str) -> str:
    return _LEADING_ZEROS.sub("", " or ".join(fold(value) for value in accepted(answer)))


def _row(
    found: Round, papers: Papers, whole: _Found, addresses: Mapping[str, str], *, several: bool, twice: bool
) -> RawRow | BadRow:
    item, name = whole.item, found.name
    statement = _POINTS.sub("", item.statement.strip())
    shown = {"problem": statement[:200]}
    left_out = papers.reason_against(name, item.number, statement)
    if left_out is not None:
        return BadRow(item.location, left_out.rule, left_out.reason, shown)
    if twice:
        return BadRow(item.location, "number_twice", f"the paper has number {item.number} twice", shown)
    if not statement:
        return BadRow(item.location, "no_statement", "the paper has this number but no text under it")
    drawn = figure(statement)
    if drawn is not None:
        return BadRow(item.location, "figure", "the problem needs a figure that text cannot hold", {"figure": drawn})
    if whole.damage is not None:
        rule, _, evidence = whole.damage.partition(":")
        reason = f"it cannot be trusted as it was read: {rule}"
        return BadRow(item.location, slug(rule).replace("-", "_"), reason, {"found": evidence.strip()})
    if len(whole.answers) > 1:
        shown_answers = ", ".join(whole.answers)
        return BadRow(item.location, "several_boxes", f"the solution gives different answers: {shown_answers}", shown)
    if not whole.answers or not whole.answers[0].strip():
        return BadRow(item.location, "no_answer", _no_answer(found, whole), shown)
    section = (slug(item.section) or None) if several and item.key[0] >= 0 else None
    parts = (name.year, name.tournament, name.round, section, slug(item.number))
    return RawRow(
        item.location,
        {
            "source_id": "-".join(part for part in parts if part),
            "contest": "-".join(part for part in (papers.contest, name.tournament) if part),
            "year": name.year or None,
            "round": name.round or None,
            "section": section,
            "number": item.number,
            "problem": statement,
            "solution": whole.solution,
            "answer": whole.answers[0],
            "url": addresses.get(found.file_of(item.location)),
        },
    )


def _no_answer(found: Round, whole: _Found) -> str:
    if whole.has_solution:
        return "its solution never states the answer"
    if found.solutions or found.answers:
        return "no solution or answer in the round's other files is surely its own"
    return "the round has no solutions and no answer key"


def _given_twice(problems: Sequence[Item]) -> set[str]:
    """Return the locations of problems whose number another one of their section has."""
    counts = Counter(problem.key for problem in problems)
    return {problem.location for problem in problems if counts[problem.key] > 1}


def _with_names_of_their_own(rows: Sequence[RawRow | BadRow]) -> Iterator[RawRow | BadRow]:
    """Leave out what two files of a round call by one number: nothing tells which of them is right."""
    named = Counter(_name_of(row) for row in rows)
    for row in rows:
        name = _name_of(row)
        if name is not None and named[name] > 1:
            yield BadRow(row.location, "number_twice", "two papers of the round have this number", {"id": name})
        else:
            yield row


def _name_of(row: RawRow | BadRow) -> str | None:
    return str(row.value["source_id"]) if isinstance(row, RawRow) and isinstance(row.value, dict) else None


def _missing(found: Round, papers: Papers, problems: Sequence[Item]) -> Iterator[BadRow]:
    """Name the numbers that a round should have and that nothing was read for."""
    sections: dict[int, list[int]] = {}
    for problem in problems:
        if problem.number.isdecimal() and problem.key[0] >= 0:
            sections.setdefault(problem.key[0], []).append(int(problem.number))
    length = papers.length(found.name) or 0
    before = 0
    for numbers in sections.values():
        # A section may go on with the count of the one before it.
        start = min(numbers) if min(numbers) == before + 1 else 1
        before = max(numbers)
        last = max(before, length) if len(sections) == 1 else before
        for number in sorted(set(range(start, last + 1)) - set(numbers)):
            if papers.reason_against(found.name, str(number), "") is None:
                place = found.file_of(problems[0].location)
                yield BadRow(f"{place}:number {number}", "missing_problem", f"nothing was read for number {number}")


def _nothing_stated(solution: Item) -> Fault:
    return Fault(
        solution.location, "no_statement", "the round has no problems file, and the solution repeats no problem"
    )


def _unused(solution: Item) -> Fault:
    return Fault(
        solution.location, "solution_without_problem", "no paper of this round states the problem that it solves"
    )


def _bad(fault: Fault) -> BadRow:
    return BadRow(fault.location, fault.rule, fault.reason)
