"""The commands about labels by people; `curation.cli` hangs them in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def label(
    cases: Annotated[str, typer.Argument(help="Rows with a problem, an answer and, where there is one, a solution.")],
    out: Annotated[Path, typer.Option(help="The directory of the labels; NAME.jsonl in it is for vote calibrate.")],
    annotator: Annotated[str, typer.Option(help="Who labels: the name of the file.")] = "annotator",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port on this machine; 0 for a free one.")] = 0,
    column: Annotated[
        list[str] | None, typer.Option(help="statement=NAME, answer=NAME or id=NAME; may be given several times.")
    ] = None,
    solution: Annotated[str | None, typer.Option(help="The column of the solution; solution by default.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Read at most so many rows.")] = None,
) -> None:
    """Show cases on a local page and keep what an annotator says of each; `label agreement` compares annotators."""
    from curation import terminal_labels
    from curation.labelling.book import LabelBook
    from curation.labelling.cases import read_cases
    from curation.labelling.server import serve
    from curation.llm.standalone import named_columns

    found = read_cases(cases, columns=named_columns(column or []), solution=solution, limit=limit)
    with LabelBook(found, out, annotator) as book:
        serve(book, port, lambda url: terminal_labels.show_serving(url, len(found), book.table))


def label_agreement(
    labels: Annotated[list[Path], typer.Argument(metavar="LABELS...", help="A file an annotator, or their directory.")],
    out: Annotated[
        Path | None, typer.Option(help="The cases with a majority: .jsonl, .parquet or .csv, for vote calibrate.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document instead of tables.")] = False,
) -> None:
    """Compare annotators: Cohen's and Fleiss' kappa with intervals, failure types, and the cases they differ on."""
    from curation import terminal_labels
    from curation.labelling.annotators import compare_annotators

    terminal_labels.show_annotators(compare_annotators(labels, out), json)
