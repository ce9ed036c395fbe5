"""What the commands about labels print."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from curation.terminal import print_json, print_table

if TYPE_CHECKING:
    from curation.labelling.annotators import Annotators
    from curation.llm.agreement import Estimate


def show_serving(url: str, cases: int, table: Path) -> None:
    """Print where the pages are."""
    _line(f"{cases:,} cases: open {url}\nLabels: {table}\nCtrl-C ends; the same command goes on where you stopped.")


def show_annotators(found: Annotators, json: bool) -> None:
    """Print how well annotators agree."""
    if json:
        print_json(found)
        return
    rows = [(pair.first, pair.second, pair.cases, _told(pair.same), _told(pair.kappa)) for pair in found.pairs]
    print_table("Pairs", ("annotator", "annotator", "cases of both", "same label", "Cohen's kappa"), rows)
    if found.fleiss is not None:
        _line(f"Fleiss' kappa on the {found.common:,} cases that all labelled: {_told(found.fleiss)}")
    types = [(pair.first, pair.second, pair.both_invalid, pair.same_type) for pair in found.pairs]
    print_table("Both say invalid", ("annotator", "annotator", "cases", "same failure type"), types)
    disputed = [
        (case.id, ", ".join(f"{name}: {label}" for name, label in case.labels.items())) for case in found.disputed
    ]
    if disputed:
        print_table("They differ on", ("case", "labels"), disputed)
    if found.consensus is not None:
        _line(f"{found.settled:,} cases with a majority: {found.consensus}")


def _told(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return "–"
    return f"{estimate.value:.2f} ({estimate.low:.2f} to {estimate.high:.2f})"


def _line(text: str) -> None:
    # Flushed at once: who starts the server from a script waits for the address.
    console = Console(soft_wrap=True)
    console.print(text, markup=False, highlight=False)
    console.file.flush()
