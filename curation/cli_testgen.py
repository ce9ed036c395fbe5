"""The command ``curation testgen``; `curation.cli` hangs it in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from curation.progress import OnConsole, Silent


def grow_tests(
    problem: Annotated[Path, typer.Argument(help="A problem package in the Kattis/ICPC layout.")],
    out: Annotated[Path, typer.Option(help="Where the package with more tests goes.")],
    seed: Annotated[int, typer.Option(help="Draws inputs, mutants and the split.")] = 0,
    inputs: Annotated[int, typer.Option(min=1, help="Inputs to make in the first round.")] = 80,
    rounds: Annotated[int, typer.Option(min=0, help="Rounds against wrong programs that survive.")] = 2,
    mutants: Annotated[int, typer.Option(min=0, help="Mutants of accepted programs, where wrong ones are few.")] = 40,
    held_out: Annotated[float, typer.Option(min=0, max=0.9, help="The share of programs that only measure.")] = 0.5,
    budget: Annotated[float | None, typer.Option(help="Seconds after which no further round begins.")] = None,
    store: Annotated[Path | None, typer.Option(help="A directory that keeps runs: nothing runs twice.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON document instead of tables.")] = False,
) -> None:
    """Grow a problem's tests without a model; report what they kill, and TPR and TNR on programs held out."""
    from curation import terminal_testgen
    from curation.testgen import Options, grow

    options = Options(seed, inputs, rounds, mutants, held_out, budget)
    reporter = Silent() if json else OnConsole(Console(stderr=True))
    terminal_testgen.show_grown(grow(problem, out, options, store=store, reporter=reporter), json)
