"""Contest papers in TeX: problems as items of ``enumerate`` lists, ``problem`` environments or ``\\problem`` macros.

A solutions file repeats each problem and then solves it, or only solves it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from curation.errors import InputError
from curation.ingest.papers.answers import stated_answers, without_dollars
from curation.ingest.papers.items import Fault, Item
from curation.ingest.papers.known_macros import unknown_macro
from curation.ingest.papers.latex import ItemList, LatexDocument, LatexTextError

_INSTRUCTION = re.compile(
    r"\b(?:proctor|answer sheets?|answer forms?|(?:computational|calculating) (?:aids?|devices?)|calculators?|protests?"
    r"|scratch paper|team (?:name|ID)|short[- ]answer|do not (?:open|look|begin|turn)|minutes|(?:all|your) answers"
    r"|answers (?:must|should)|graded)\b",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"(?:\\par\s*|\{|\\(?:textbf|textit|textsc|emph|underline)\s*\{|\\(?:bf|it|sc|bfseries|large|Large|LARGE|huge|Huge)\b\s*)+"
    r"(?P<name>(?!Proposed|Solution\b|Answer\b(?! Key))[A-Z][\w .:,'’&()-]{0,60})[}\s]*"
)
"""The name of a round or set between two lists, in bold or large type."""
_WRAPPED = re.compile(
    r"\\begin\{(?P<kind>problem|prob|question|exercise)\}(?P<text>.*)\\end\{(?P=kind)\}\s*", re.DOTALL
)
_ANSWERS = re.compile(r"\b(?:answers|answer key)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"\$|\\\[|(?<![\\A-Za-z])[a-z]{2,},?\s+[a-z]{2,}")
_DRAWING = re.compile(r"\\includegraphics|\\begin\{(?:asy|tikzpicture|picture|pspicture)\}")
_STYLE = r"\\(?:textbf|textit|textsc|textsl|emph|underline)\s*\{\s*|\{\s*\\(?:bf|it|em|sc|bfseries|itshape)\s+"
_MARK = re.compile(
    rf"""(?:{_STYLE})(?:(?:official|alternative|alternate|first|second)\s+)?(?P<styled>solution|answer|proposed\ by)\b
       | ^[ \t]*(?P<plain>Solution|Answer|Proposed\ by)\b(?=[^\n]{{0,40}}?[.:])
       | \\begin\{{(?P<environment>solution|soln|sol|answer)\}}
       | \\(?P<macro>solution|soln|sol|proposed|answer|ans)(?![A-Za-z])""",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
_TAKEN_IN = re.compile(
    r"^(?!\s*%).*?\\(?:input|include|usepackage|RequirePackage|documentclass)(?:\[[^\]]*\])?\{(?P<names>[^}]*)\}",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class _Entry:
    key: tuple[int, str]
    section: str
    number: str
    text: str
    location: str
    answer: str | None = None
    doubt: str | None = None


def read_tex(
    path: Path, shown: str, place: int, *, states: bool, solved: bool, number: int | None = None
) -> list[Item | Fault]:
    """Return the items of one file in order.

    Args:
        path: the file.
        shown: its path in the archive, for locations.
        place: the file's place among those of its round, so that two of them do not share keys.
        states: whether an item that has no solution in it is a statement, and not a solution that repeats none.
        solved: whether the file may have solutions, so that each item is taken apart.
        number: the problem's number where the file holds one alone; its text then needs no list and no document.

    Raises:
        InputError: the file cannot be opened.
    """
    try:
        entries = _entries(path, shown, place, solved=solved, number=number)
    except LatexTextError as error:
        return [Fault(f"{shown}:{error.line}", "unreadable_tex", f"the file cannot be read as LaTeX: {error}")]
    if not entries:
        return [Fault(f"{shown}:1", "no_problem_list", "no list in the file holds problems")]
    return [_taken_apart(entry, states=states) if solved else _item(entry) for entry in entries]


def read_tex_key(path: Path, shown: str, place: int) -> list[Item | Fault]:
    """Return the answers of a TeX answer key, a list with one answer an item.

    Raises:
        InputError: the file cannot be opened.
    """
    items = read_tex(path, shown, place, states=True, solved=False)
    return [item if isinstance(item, Fault) else _key_line(item) for item in items]


def _key_line(item: Item) -> Item:
    return replace(item, statement="", answers=tuple(_key_answers(item.statement)))


def _key_answers(text: str) -> list[str]:
    return stated_answers(text) or [without_dollars(text.strip().rstrip(".").strip())]


def _entries(path: Path, shown: str, place: int, *, solved: bool, number: int | None) -> list[_Entry]:
    """Return the items of one file, each with what belongs to it outside its list."""
    # A byte that is no UTF-8 spoils its own problem, not the paper.
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror})") from None
    source = content.decode(errors="replace")
    document = LatexDocument(source, _local_definitions(path, source))
    if number is not None and document.is_fragment:
        text = document.body()
        return [_Entry((place * 1000, str(number)), "", str(number), text, f"{shown}:1")] if text else []
    lists = document.lists()
    if lists and _are_instructions(document, lists[0]):
        lists = lists[1:]
    entries: list[_Entry] = []
    section, heading, last, named = place * 1000, None, 0, ""
    for listed in lists:
        if _ANSWERS.search(listed.heading or named) and len(listed.items) == len(entries):
            answers = [_key_answers(document.text(item.nodes)) for item in listed.items]
            return [
                replace(entry, answer=values[0] if len(values) == 1 else None)
                for entry, values in zip(entries, answers, strict=True)
            ]
        for item in listed.items:
            counted = item.label is None
            if heading is not None and (listed.heading != heading or (counted and item.number <= last)):
                section, last = section + 1, 0
            heading, last = listed.heading, item.number if counted else last
            text = document.text(item.nodes)
            wrapped = _WRAPPED.fullmatch(text)
            text = (
                wrapped["text"].strip()
                if wrapped and wrapped["text"].count("\\begin{" + wrapped["kind"]) == 0
                else text
            )
            if item.label == "" and entries:
                entries[-1] = replace(entries[-1], text=f"{entries[-1].text}\n\n{text}")
                continue
            label = item.label or str(item.number)
            key = (section if counted else -1, label)
            entries.append(_Entry(key, heading, label, text, f"{shown}:{item.line}"))
        after = document.text(listed.after)
        name = _NAME.fullmatch(after)
        named = name["name"] if name else ""
        if entries and listed.items and after and not name:
            entries[-1] = _with_text_after(entries[-1], after, solved=solved)
    if number is not None and len(entries) == 1:
        return [replace(entries[0], key=(place * 1000, str(number)), number=str(number))]
    return entries


def _with_text_after(entry: _Entry, after: str, *, solved: bool) -> _Entry:
    """Return the last entry of a list with what stands behind the list, which may be a part of it."""
    if solved or _DRAWING.search(after):
        return replace(entry, text=f"{entry.text}\n\n{after}")
    if _SENTENCE.search(after) and not _INSTRUCTION.search(after):
        return replace(entry, doubt=f"merged: it may go on with {after[:60]!r} behind its list")
    return entry


def _are_instructions(document: LatexDocument, listed: ItemList) -> bool:
    """Tell a cover page's list of rules from a list of problems."""
    hits = sum(bool(_INSTRUCTION.search(document.text(item.nodes))) for item in listed.items)
    return 2 * hits >= len(listed.items)


def _item(entry: _Entry) -> Item:
    answers = () if entry.answer is None else (entry.answer,)
    damage = entry.doubt or _damage(entry.text)
    return Item(entry.key, entry.section, entry.number, entry.text, None, answers, entry.location, damage, "counted")


def _taken_apart(entry: _Entry, *, states: bool) -> Item:
    marks = list(_MARK.finditer(entry.text))
    if states and not marks:
        return _item(entry)
    statement, solution = "", entry.text
    if marks:
        start = next((mark.start() for mark in marks if "proposed" not in mark[0].lower()), marks[-1].start())
        statement, solution = entry.text[: marks[0].start()].strip(), entry.text[start:].strip()
    answers = tuple(stated_answers(solution, statement))
    damage = _damage(statement + "".join(answers))
    return Item(entry.key, entry.section, entry.number, statement, solution, answers, entry.location, damage, "counted")


def _damage(text: str) -> str | None:
    if "\ufffd" in text:
        return "encoding: it holds a byte that is no UTF-8"
    unknown = unknown_macro(text)
    return f"unresolved macro: {unknown} is defined nowhere" if unknown else None


def _local_definitions(path: Path, source: str) -> str:
    """Return the text of the files beside a paper that its preamble takes in; what is not there is a public package."""
    preamble, _, _ = source.partition("\\begin{document}")
    names = [name.strip() for found in _TAKEN_IN.finditer(preamble) for name in found["names"].split(",")]
    beside = [path.parent / f"{name}{suffix}" for name in names for suffix in ("", ".sty", ".tex", ".cls")]
    return "\n".join(file.read_bytes().decode(errors="replace") for file in beside if _is_inside(file, path.parent))


def _is_inside(file: Path, folder: Path) -> bool:
    return file.is_file() and file.resolve().parent == folder.resolve()
