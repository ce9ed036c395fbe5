"""Reads contest papers in PDF: `read_pdf_problems` for papers with or without solutions, `read_pdf_answers` for keys.

A PDF comes from anywhere, so a process of its own reads it, under limits of time and memory.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, Field

from curation.errors import InputError
from curation.ingest.papers.paper import PaperProblem
from curation.processes import run

_WALL_S = 120.0


class _Read(BaseModel):
    """One problem as the reading process writes it."""

    number: Annotated[int, Field(ge=0)]
    text: str
    answer: str | None
    damage: str | None
    page: Annotated[int, Field(ge=1)]
    series: str


class _ReadPaper(BaseModel):
    """One paper as the reading process writes it: no problems where it holds no text."""

    problems: list[_Read] | None
    sheet: dict[int, str] | None


def require_reader(path: Path) -> None:
    """Make sure that PDFs can be read here.

    Raises:
        InputError: pdfminer.six is not installed; names ``path`` as the file that needs it.
    """
    if importlib.util.find_spec("pdfminer") is None:
        raise InputError(f"{path} is a PDF, which needs pdfminer.six: pip install 'curation[papers]'")


def read_pdf_problems(path: Path, wall_limit_s: float = _WALL_S) -> list[PaperProblem]:
    """Return the numbered problems of a paper in reading order; damaged ones say why.

    A paper with solutions gives the statements and, where it states or boxes one, each one's answer.

    Raises:
        InputError: the file cannot be opened, is no PDF, is encrypted, holds no text, or takes too long to read; or
            pdfminer.six is not installed.
    """
    return [PaperProblem(**each.model_dump()) for each in _read(path, wall_limit_s).problems or ()]


def read_pdf_answers(path: Path) -> dict[int, str]:
    """Return the answers of an answer sheet or a solutions paper by problem number.

    A number that the paper gives twice, as papers of several rounds do, has no answer here.

    Raises:
        InputError: as `read_pdf_problems`.
    """
    read = _read(path, _WALL_S)
    if read.sheet is not None:
        return read.sheet
    found = read.problems or []
    numbers = [problem.number for problem in found]
    once = [problem for problem in found if numbers.count(problem.number) == 1]
    return {problem.number: problem.answer for problem in once if problem.answer is not None}


def _read(path: Path, wall_limit_s: float) -> _ReadPaper:
    require_reader(path)
    if not path.is_file():
        raise InputError(f"{path} cannot be read: there is no such file")
    finished = run([sys.executable, "-m", "curation.ingest.papers.pdf_worker", path], wall_limit_s=wall_limit_s)
    if finished.timed_out:
        raise InputError(
            f"{path} takes more than {wall_limit_s:g} s to read as a PDF: leave it out or give another format"
        )
    if finished.exit_code != 0:
        lines = finished.error.decode(errors="replace").strip().splitlines()
        why = lines[-1][:200] if lines else f"the reader ended with code {finished.exit_code}"
        raise InputError(f"{path} cannot be read as a PDF ({why}): leave it out or save it again")
    found = _ReadPaper.model_validate_json(finished.output)
    if found.problems is None:
        raise InputError(f"{path} holds no text, only pictures of it: give a PDF with text or another format")
    return found
