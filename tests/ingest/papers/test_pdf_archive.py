"""A real archive's PDFs against its TeX, where the archive is here."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from curation.ingest.papers.items import Item
from curation.ingest.papers.pdf import read_pdf_problems
from curation.ingest.papers.tex import read_tex
from curation.text import fold

SHARED = Path(os.environ.get("CURATION_SHARED", Path(__file__).resolve().parents[4] / "shared"))
ARCHIVE = SHARED / "data" / "cmimc_archive"
pytestmark = pytest.mark.skipif(not ARCHIVE.is_dir(), reason="the archive is not here")


def tex_items(name: str) -> list[Item]:
    path = ARCHIVE / "tex" / f"{name}.tex"
    return [item for item in read_tex(path, path.name, 0, states=True, solved=True) if isinstance(item, Item)]


@pytest.mark.parametrize("name", ["2017_Geometry", "2018_Algebra", "2017_Geometry_S", "2018_Algebra_S"])
def test_a_paper_says_the_same_in_pdf_as_in_tex(name: str) -> None:
    expected, found = tex_items(name), read_pdf_problems(ARCHIVE / "pdf" / f"{name}.pdf")
    assert [str(problem.number) for problem in found] == [item.number for item in expected]
    assert [problem.damage for problem in found] == [None] * len(found)
    for item, problem in zip(expected, found, strict=True):
        assert fold(problem.text) == fold(item.statement)
        assert [fold(answer) for answer in (problem.answer,) if answer] == [fold(answer) for answer in item.answers]


def test_every_paper_has_all_its_numbers() -> None:
    for path in sorted((ARCHIVE / "pdf").glob("*.pdf")):
        numbers = [problem.number for problem in read_pdf_problems(path)]
        assert numbers == list(range(1, len(numbers) + 1)), path.name
        assert len(numbers) in (8, 10, 15), path.name
