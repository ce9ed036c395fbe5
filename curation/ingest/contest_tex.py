"""One kind of contest archive: a folder of TeX papers, ``2016_Algebra.tex`` with solutions in ``2016_Algebra_S.tex``.

A paper's problems are the items of its ``enumerate`` lists; a solutions file repeats each problem and then solves it.
Problems and solutions are joined by label or place and the join is proved by the repeated statement, so that a problem
that was added, cut or moved in one of the two files never gets its neighbour's answer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from curation.errors import InputError
from curation.ingest.latex import ItemList, LatexDocument, LatexTextError
from curation.ingest.operations import MissingError, last_boxed
from curation.ingest.readers import BadRow, RawRow
from curation.text import fold

_NAME = re.compile(r"(?P<year>(?:19|20)\d\d)")
_SOLUTIONS = re.compile(r"(?:[_\-. ](?:s|sols?|solns?)|[_\-. ]?solutions?)\Z", re.IGNORECASE)
_PROBLEMS = re.compile(r"[_\-. ](?:tests?|problems?|questions?)\Z", re.IGNORECASE)
_PART = re.compile(r"[_\-](?:\d|set[_\-]?\d)\Z", re.IGNORECASE)
_INSTRUCTION = re.compile(
    r"\b(?:proctor|answer sheets?|answer forms?|(?:computational|calculating) (?:aids?|devices?)|calculators?|protests?"
    r"|scratch paper|team (?:name|ID)|short[- ]answer|do not (?:open|look|begin|turn)|minutes|(?:all|your) answers"
    r"|answers (?:must|should)|graded)\b",
    re.IGNORECASE,
)
_DRAWING = re.compile(r"\\includegraphics|\\begin\{(?:asy|tikzpicture|picture|pspicture)\}")
_STYLE = r"\\(?:textbf|textit|textsc|textsl|emph|underline)\s*\{\s*|\{\s*\\(?:bf|it|em|sc|bfseries|itshape)\s+"
_MARK = re.compile(
    rf"""(?:{_STYLE})(?:(?:official|alternative|alternate|first|second)\s+)?(?P<styled>solution|answer|proposed\ by)\b
       | ^[ \t]*(?P<plain>Solution|Answer|Proposed\ by)\b(?=[^\n]{{0,40}}?[.:])
       | \\begin\{{(?P<environment>solution|soln|sol)\}}
       | \\(?P<macro>solution|soln|sol|proposed)(?![A-Za-z])""",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
_BOX = re.compile(r"\\(?:boxed|fbox|framebox)(?![A-Za-z])")
_ANSWER_LINE = re.compile(r"\bAnswer\s*(?:[.:]\s*\}|\}\s*[.:]|[.:])\s*(?P<value>\S[^\n]*)", re.IGNORECASE)
_BOLD_VALUE = re.compile(r"\\textbf\{\s*(\$[^$]+\$|[-+]?\d[\d,./]*)\s*\}")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class _Entry:
    """One item of a paper or of a solutions file.

    Attributes:
        key: the section's place in the file, and the label or number in it; labels hold for the whole file.
        section: the heading over it.
        number: its label or number.
        text: what it says.
        location: file and line.
    """

    key: tuple[int, str]
    section: str
    number: str
    text: str
    location: str


@dataclass(frozen=True, slots=True)
class _Solution:
    """An item of a solutions file, taken apart.

    Attributes:
        repeated: the words of the problem as the solutions file repeats it; none where it does not.
        text: the solution.
    """

    entry: _Entry
    repeated: Counter[str]
    text: str


def read_contest(folder: Path) -> Iterator[RawRow | BadRow]:
    """Read every paper under ``folder``.

    Yields:
        rows with ``source_id``, ``year``, ``round``, ``section``, ``number``, ``problem``, ``solution`` and ``answer``,
        each text or None; bad rows for files that are no LaTeX or hold no problems, statements with damaged bytes,
        solutions that box several values, and solutions whose problem is missing.

    Raises:
        InputError: the folder holds no paper, or one cannot be opened.
    """
    rounds: dict[tuple[str, str], tuple[list[Path], list[Path]]] = {}
    for path in sorted(path for path in folder.rglob("*") if path.suffix.lower() == ".tex" and path.is_file()):
        year, name, is_solutions = paper_name(path.relative_to(folder))
        rounds.setdefault((year, name), ([], []))[is_solutions].append(path)
    if not rounds:
        raise InputError(f"{folder} holds no .tex file: give a folder of TeX papers")
    for (year, name), (papers, solutions) in sorted(rounds.items()):
        yield from _read_round(folder, year, name, papers, solutions)


def paper_name(path: Path) -> tuple[str, str, bool]:
    """Return the year, the round in lower case, and whether the file holds solutions, from a path in the archive.

    ``2018_Team_1.tex`` and ``2018_Team_2.tex`` are two sets of one round.
    """
    whole = "_".join(path.with_suffix("").parts)
    year = _NAME.search(whole)
    rest = whole.replace(year[0], "", 1) if year else whole
    name = _SOLUTIONS.sub("", rest)
    is_solutions = name != rest
    name = _PART.sub("", _PROBLEMS.sub("", name))
    return year[0] if year else "", _slug(name), is_solutions


def _read_round(
    folder: Path, year: str, name: str, papers: list[Path], solution_files: list[Path]
) -> Iterator[RawRow | BadRow]:
    problems: list[_Entry] = []
    solutions: list[_Solution] = []
    for paths, is_solutions in ((papers, False), (solution_files, True)):
        for path in paths:
            shown = path.relative_to(folder).as_posix()
            try:
                entries = _entries(path, shown, is_solutions)
            except LatexTextError as error:
                yield BadRow(f"{shown}:{error.line}", "unreadable_tex", f"the file cannot be read as LaTeX: {error}")
                continue
            if not entries:
                yield BadRow(f"{shown}:1", "no_problem_list", "no enumerate in the file holds problems")
            if is_solutions:
                solutions += [_solution(entry) for entry in entries]
            else:
                problems += entries
    joined = _join(problems, solutions)
    several_sections = len({problem.key[0] for problem in problems}) > 1
    for problem, solution in zip(problems, joined, strict=True):
        yield _row(year, name, problem, solution, several_sections)
    used = {solution.entry.location for solution in joined if solution}
    for solution in solutions:
        if solution.entry.location not in used:
            yield BadRow(
                solution.entry.location,
                "solution_without_problem",
                "no paper of this round states the problem that it solves",
            )


def _entries(path: Path, shown: str, is_solutions: bool) -> list[_Entry]:
    """Return the items of one file, each with what belongs to it outside its list."""
    # A byte that is no UTF-8 spoils its own problem, not the paper.
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror})") from None
    document = LatexDocument(content.decode(errors="replace"))
    lists = document.lists()
    if lists and _are_instructions(document, lists[0]):
        lists = lists[1:]
    entries: list[_Entry] = []
    section, heading, last = 0, None, 0
    for listed in lists:
        for item in listed.items:
            counted = item.label is None
            if heading is not None and (listed.heading != heading or (counted and item.number <= last)):
                section, last = section + 1, 0
            heading, last = listed.heading, item.number if counted else last
            text = document.text(item.nodes)
            if item.label == "" and entries:
                entries[-1] = replace(entries[-1], text=f"{entries[-1].text}\n\n{text}")
                continue
            number = item.label or str(item.number)
            key = (section if counted else -1, number)
            entries.append(_Entry(key, heading, number, text, f"{shown}:{item.line}"))
        after = document.text(listed.after)
        if entries and listed.items and after and (is_solutions or _DRAWING.search(after)):
            entries[-1] = replace(entries[-1], text=f"{entries[-1].text}\n\n{after}")
    return entries


def _are_instructions(document: LatexDocument, listed: ItemList) -> bool:
    """Tell a cover page's list of rules from a list of problems."""
    hits = sum(bool(_INSTRUCTION.search(document.text(item.nodes))) for item in listed.items)
    return 2 * hits >= len(listed.items)


def _solution(entry: _Entry) -> _Solution:
    marks = list(_MARK.finditer(entry.text))
    if not marks:
        return _Solution(entry, Counter(), entry.text)
    start = next((mark.start() for mark in marks if "proposed" not in mark[0].lower()), marks[-1].start())
    return _Solution(entry, _words(entry.text[: marks[0].start()]), entry.text[start:].strip())


def _join(problems: Sequence[_Entry], solutions: Sequence[_Solution]) -> list[_Solution | None]:
    """Give each problem its solution, or None where no solution is surely its own.

    Where solutions repeat their problems, a pair belongs together when each is the other's nearest; the place decides
    between equally near ones. A solution that repeats nothing is believed by its place when none is missing.
    """
    placed = {solution.entry.key: solution for solution in solutions}
    words = [_words(problem.text) for problem in problems]
    joined: list[_Solution | None] = []
    for problem, own in zip(problems, words, strict=True):
        here = placed.get(problem.key)
        if here is not None and not here.repeated:
            joined.append(here if len(problems) == len(solutions) else None)
            continue
        nearness, _, nearest = max(
            ((_nearness(own, solution.repeated), solution is here, solution) for solution in solutions),
            key=lambda candidate: candidate[:2],
            default=(0.0, False, None),
        )
        mutual = nearest is not None and nearness == max(_nearness(other, nearest.repeated) for other in words)
        joined.append(nearest if nearness and mutual else None)
    return joined


def _row(year: str, name: str, problem: _Entry, solution: _Solution | None, several_sections: bool) -> RawRow | BadRow:
    values = _answers(solution.text) if solution else []
    if "\ufffd" in problem.text + "".join(values):
        return BadRow(problem.location, "encoding", "the statement or the answer holds a byte that is no UTF-8")
    if len(values) > 1:
        return BadRow(problem.location, "several_boxes", f"the solution boxes different values: {', '.join(values)}")
    section = _slug(problem.section) if several_sections and problem.key[0] >= 0 else None
    parts = (year, name, section, _slug(problem.number))
    return RawRow(
        problem.location,
        {
            "source_id": "-".join(part for part in parts if part),
            "year": year or None,
            "round": name,
            "section": section,
            "number": problem.number,
            "problem": problem.text,
            "solution": solution.text if solution else None,
            "answer": values[0] if values else None,
        },
    )


def _answers(solution: str) -> list[str]:
    """Return the different values that a solution gives: its boxes, else its answer line, else its last bold value."""
    starts = [box.start() for box in _BOX.finditer(solution)]
    boxes: dict[str, str] = {}
    for start, end in pairwise([*starts, len(solution)]):
        try:
            box = _undollared(last_boxed(solution[start:end]))
        except MissingError:
            continue
        boxes.setdefault(fold(box), box)
    if boxes:
        return list(boxes.values())
    line = _ANSWER_LINE.search(solution)
    if line:
        return [_undollared(line["value"].strip().rstrip(".").strip())]
    bold = _BOLD_VALUE.findall(solution)
    return [_undollared(bold[-1])] if bold else []


def _undollared(value: str) -> str:
    inner = value[1:-1]
    return inner.strip() if len(value) > 2 and value[0] == value[-1] == "$" and "$" not in inner else value


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(text))


def _nearness(one: Counter[str], other: Counter[str]) -> float:
    """Dice's coefficient over words, 0 to 1."""
    total = one.total() + other.total()
    return 2 * (one & other).total() / total if total else 0.0


def _slug(text: str) -> str:
    return "-".join(re.findall(r"[^\W_]+", text.lower()))
