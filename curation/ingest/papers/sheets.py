"""Reads the files of a round that have one role, in the most faithful writing that they come in."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from curation.errors import InputError
from curation.ingest.papers.answer_table import read_csv_key
from curation.ingest.papers.html import read_html, read_html_key
from curation.ingest.papers.items import Fault, Item
from curation.ingest.papers.layout import Role
from curation.ingest.papers.paper import PaperProblem
from curation.ingest.papers.pdf import read_pdf_answers, read_pdf_problems
from curation.ingest.papers.rounds import PaperFile
from curation.ingest.papers.tex import read_tex, read_tex_key
from curation.ingest.papers.wiki import read_wiki, read_wiki_key
from curation.ingest.web_page import NestedTooDeeplyError

_PREFERRED = ("csv", "tex", "wiki", "html", "pdf")
"""A table has answers apart; TeX and wiki text have every formula as it was written; a page may show one as an image,
and a PDF has glyphs."""

_CORRECTED = re.compile(r"[-_ .(]+(?:corrected|corrections?|revised|revision|updated|fixed|errata)\b\)?", re.IGNORECASE)
"""What the name of a paper's later edition says more than the first one's."""

Read = list[Item | Fault]


def read_role(files: Sequence[PaperFile], role: Role, *, solved: bool) -> tuple[list[Item], list[Fault]]:
    """Read the files of one role; where a round comes in several writings, the best one that gives anything.

    Args:
        files: the files.
        role: what they hold.
        solved: whether problems stand with their solutions.

    Raises:
        InputError: a TeX, wiki or HTML file cannot be opened.
    """
    files, faults = _newest_editions(files)
    for kind in _PREFERRED:
        chosen = [file for file in files if file.kind == kind]
        results: Read = []
        for place, file in enumerate(chosen):
            # Files of one problem each share the numbering of their round; papers do not.
            results += _read_safely(file, role, place if file.name.number is None else 0, solved=solved)
        faults += [result for result in results if isinstance(result, Fault)]
        items = [result for result in results if isinstance(result, Item)]
        if items:
            used = {file.shown for file in chosen}
            reason = f"the round was read from {chosen[0].shown}"
            left = [file for file in files if file.shown not in used and _PREFERRED.index(file.kind) > _rank(kind)]
            faults += [Fault(file.shown, "other_edition", reason) for file in left]
            return items, faults
    return [], faults


def _newest_editions(files: Sequence[PaperFile]) -> tuple[list[PaperFile], list[Fault]]:
    """Leave out papers that another one of their name corrects."""
    corrected = {
        _CORRECTED.sub("", file.shown).lower(): file.shown for file in files if _CORRECTED.search(Path(file.shown).stem)
    }
    newest: list[PaperFile] = []
    faults: list[Fault] = []
    for file in files:
        by = corrected.get(file.shown.lower(), file.shown)
        if by == file.shown:
            newest.append(file)
        else:
            faults.append(Fault(file.shown, "other_edition", f"{by} corrects it"))
    return newest, faults


def _rank(kind: str) -> int:
    return _PREFERRED.index(kind)


def _read_safely(file: PaperFile, role: Role, place: int, *, solved: bool) -> Read:
    try:
        return _read(file, role, place, solved=solved)
    except (RecursionError, NestedTooDeeplyError):
        return [Fault(file.shown, f"unreadable_{file.kind}", "the file is nested too deeply")]


def _read(file: PaperFile, role: Role, place: int, *, solved: bool) -> Read:
    if file.kind == "pdf":
        return _read_pdf(file, role, place)
    if file.kind == "tex":
        if role == "answers":
            return read_tex_key(file.path, file.shown, place)
        states = role == "problems"
        return read_tex(file.path, file.shown, place, states=states, solved=solved, number=file.name.number)
    if file.kind == "csv":
        if role == "answers":
            return read_csv_key(file.path, file.shown, place)
        return [Fault(file.shown, "unreadable_csv", "a table can hold the answers of a round alone")]
    page, key = _MARKED_UP[file.kind]
    if role == "answers":
        return key(file, place)
    return page(file, place, solved)


_MARKED_UP: dict[str, tuple[Callable[[PaperFile, int, bool], Read], Callable[[PaperFile, int], Read]]] = {
    "wiki": (
        lambda file, place, solved: read_wiki(file.path, file.shown, place, solved=solved, number=file.name.number),
        lambda file, place: read_wiki_key(file.path, file.shown, place),
    ),
    "html": (
        lambda file, place, solved: read_html(file.path, file.shown, place, solved=solved, number=file.name.number),
        lambda file, place: read_html_key(file.path, file.shown, place),
    ),
}


def _read_pdf(file: PaperFile, role: Role, place: int) -> Read:
    try:
        if role == "answers":
            found = read_pdf_answers(file.path)
            if not found:
                return [Fault(file.shown, "no_answer_list", "the paper holds no list of answers numbered without gaps")]
            return [_pdf_item(file, place, number, "", answer) for number, answer in sorted(found.items())]
        problems = read_pdf_problems(file.path)
    except InputError as error:
        # One paper that cannot be read does not stop the archive; the ledger names it.
        return [Fault(file.shown, "unreadable_pdf", str(error))]
    items: Read = []
    section, last, series = place * 1000, 0, ""
    several = len({problem.series for problem in problems}) > 1
    for problem in problems:
        if last and (problem.number <= last or problem.series != series):
            section += 1
        last, series = problem.number, problem.series
        item = _pdf_item(file, section, problem.number, problem.text, problem.answer)
        if several:
            item = replace(item, key=(section, _label(problem)), number=_label(problem))
        items.append(
            replace(item, location=f"{file.shown}:page {problem.page}, number {problem.number}", damage=problem.damage)
        )
    if not items:
        items.append(Fault(file.shown, "no_problem_list", "the paper holds no numbered problems"))
    return items


def _label(problem: PaperProblem) -> str:
    between = "-" if problem.series[-1:].isdecimal() else ""
    return f"{problem.series}{between}{problem.number}"


def _pdf_item(file: PaperFile, section: int, number: int, text: str, answer: str | None) -> Item:
    answers = () if answer is None else (answer,)
    return Item((section, str(number)), "", str(number), text, None, answers, f"{file.shown}:number {number}")
