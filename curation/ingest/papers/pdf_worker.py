"""The process that reads one PDF within limits: ``python -m curation.ingest.papers.pdf_worker FILE``.

It writes one JSON document. A file that breaks the reader ends this process and nothing else.
"""

from __future__ import annotations

import json
import logging
import re
import resource
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

from curation.ingest.papers.answer_sheet import key_at_the_end, sheet_answers
from curation.ingest.papers.damage import item_damage
from curation.ingest.papers.numbered import ANSWERS_OVER, Item, answer_lines, items
from curation.ingest.papers.paper import PaperProblem
from curation.ingest.papers.pdf_glyphs import read_pages
from curation.ingest.papers.pdf_lines import Paper, join_lines, read_paper, words_of
from curation.text import fold

_MEMORY_BYTES = 2 << 30
_MOST_PAGES = 200
_LONGEST_ANSWER = 300
_FORMULA = re.compile(r"\$[^$]*\$")
_SENTENCE_AFTER = re.compile(r"[-+\d.,/ ]*\d\.?\s+[A-Z][a-z]*,?\s+\S*[a-z0]")
_ANNOUNCING_LINES = 3
_ANNOUNCED = re.compile(
    r"\banswer\s+is(?:\s+(?:just|then|thus|therefore|simply))?\s*:?\s*(?P<value>\$[^$]+\$|-?\d[\d,]*(?:/\d+)?)\s*\.?\s*\Z",
    re.IGNORECASE,
)
"""What the solution's last words may say."""


def problems(paper: Paper) -> list[PaperProblem]:
    """Return the paper's problems, each with its answer where the paper gives one and its damage where it has any."""
    paper, own, key = _without_key(paper)
    words = words_of(paper.lines)
    found = [_problem(paper, item, words, before) for before, item in zip([None, *own], own, strict=False)]
    return [problem if problem.answer else replace(problem, answer=key.get(problem.number)) for problem in found]


def _without_key(paper: Paper) -> tuple[Paper, list[Item], dict[int, str]]:
    """Return a paper without the list of answers at its end, its items, and the answers that are surely theirs."""
    key = key_at_the_end(paper.lines)
    if key is None:
        return paper, items(paper), {}
    place, length, answers = key
    head = replace(paper, lines=paper.lines[:place])
    own = items(head)
    numbers = [item.number for item in own]
    if numbers == list(range(1, length + 1)):
        solved = any(item.solution for item in own)
        return head, own, {} if solved else answers
    return paper, items(paper), {}


def _problem(paper: Paper, item: Item, words: frozenset[str], before: Item | None) -> PaperProblem:
    text = join_lines(item.statement, words)
    below = item.solution[0] if item.solution else item.after
    damage = item_damage(paper, item, text, below, before)
    return PaperProblem(item.number, text, _answer(paper, item, words), damage, item.statement[0].page, item.series)


def _answer(paper: Paper, item: Item, words: frozenset[str]) -> str | None:
    """Return the answer line, else the one thing that the solution boxes, else what its last words call the answer.

    None for a damaged one, for one that may be another problem's, and for a line that goes on with the solution.
    """
    if ANSWERS_OVER in item.damage:
        return None
    own = answer_lines(paper, item)
    if own:
        text = join_lines(own, words).rstrip(".")
        inside = boxed(text)
        if len(inside) == 1 and text.strip("$ .").startswith("\\boxed{"):
            text = inside[0]
        broken = any(line.damage for line in own) or len(text) > _LONGEST_ANSWER or _goes_on(text)
        return None if broken or not text else _undollared(text)
    boxes = {fold(value): (value, line) for line in item.solution for value in boxed(line.text)}
    if not boxes:
        return _announced(item, words)
    if len(boxes) > 1:
        return None
    value, line = next(iter(boxes.values()))
    return value if not line.damage else None


def _goes_on(text: str) -> bool:
    """Tell a value with the solution's first sentence behind it."""
    return _SENTENCE_AFTER.match(_FORMULA.sub("0", text)) is not None


def _announced(item: Item, words: frozenset[str]) -> str | None:
    last = item.solution[-_ANNOUNCING_LINES:]
    found = _ANNOUNCED.search(join_lines(last, words))
    return None if found is None or any(line.damage for line in last) else _undollared(found["value"])


def boxed(text: str) -> list[str]:
    """Return what stands in each ``\\boxed{}`` of a line, braces balanced."""
    found: list[str] = []
    for piece in text.split("\\boxed{")[1:]:
        depth = 1
        for place, letter in enumerate(piece):
            escaped = place > 0 and piece[place - 1] == "\\"
            depth += 0 if escaped else (letter == "{") - (letter == "}")
            if depth == 0:
                found.append(_undollared(piece[:place].strip()))
                break
    return found


def _undollared(text: str) -> str:
    inner = text[1:-1]
    return inner.strip() if len(text) > 2 and text[0] == text[-1] == "$" and "$" not in inner else text


def main(arguments: Sequence[str]) -> None:
    """Read the file named by the only argument; write its problems, and its answers if it is a sheet of them."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    logging.disable(logging.CRITICAL)
    paper = read_paper(read_pages(Path(arguments[0]), _MOST_PAGES))
    found = [asdict(problem) for problem in problems(paper)] if paper.lines else None
    sys.stdout.write(json.dumps({"problems": found, "sheet": sheet_answers(paper.lines)}))


if __name__ == "__main__":
    main(sys.argv[1:])
