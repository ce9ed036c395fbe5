"""``curation fetch``: the papers of contest archives into folders."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from curation.progress import OnConsole, Silent


def fetch(
    sources: Annotated[
        list[str], typer.Argument(metavar="SOURCE...", help="Archives with [fetch], like aime or hmmt.")
    ],
    into: Annotated[Path, typer.Option(help="The papers of SOURCE go into the folder INTO/SOURCE.")],
    accept_terms: Annotated[
        list[str] | None,
        typer.Option(metavar="SOURCE", help="You have read this source's terms and keep to them; once for each."),
    ] = None,
    refresh: Annotated[bool, typer.Option("--refresh", help="Ask whether what is there has changed.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document instead of tables.")] = False,
) -> None:
    """Fetch the papers of contest archives, slowly and as their robots.txt allows; run again to go on."""
    from curation import terminal
    from curation.ingest.fetch.archive import fetch_archives

    reporter = Silent() if json else OnConsole(Console(stderr=True))
    results = fetch_archives(sources, into, accepted=accept_terms or (), refresh=refresh, reporter=reporter)
    terminal.show_fetched(results, json)
