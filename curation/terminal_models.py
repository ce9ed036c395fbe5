"""What the commands that ask a model print, and those that choose from what one wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console

from curation.terminal import print_json, print_table

if TYPE_CHECKING:
    from curation.llm.sampling import SampleSummary
    from curation.pool_selection import Selection


def show_sampled(summary: SampleSummary, json: bool) -> None:
    """Print what was asked, stored, truncated and failed, and the grades."""
    if json:
        print_json(summary)
        return
    names = ("model", "problems", "samples", "full", "known", "stored", "truncated", "failed")
    titles = ("model", "problems", "responses", "without stopping", "known", "stored", "truncated", "failed")
    print_table("Responses", titles, [[getattr(summary, name) for name in names]])
    grades = [(summary.right, summary.wrong, summary.unknown, summary.inside, summary.completion_tokens)]
    print_table("Grades", ("right", "wrong", "unknown", "problems inside the band", "tokens written"), grades)
    if summary.failures:
        print_table("Failed", ("why", "requests"), summary.failures.items())
    _line(f"Pool: {summary.pool}")
    for location, reason in summary.bad:
        _line(f"not asked about: {location}: {reason}")


def show_selected(selection: Selection, json: bool) -> None:
    """Print how many problems each stage got, and why the others are not in it."""
    selected = selection.selected
    if json:
        print_json({"export": selection.export, **selected.__dict__})
        return
    rows = [("stage1", selected.responses, selected.stage1), ("stage2", selected.syntheses, selected.stage2)]
    print_table(f"Chosen of {selected.problems:,} problems", ("stage", "responses looked at", "problems"), rows)
    dropped = [(stage, rule, count) for stage, rules in selected.dropped.items() for rule, count in rules.items()]
    print_table("Not chosen", ("stage", "rule", "problems"), dropped)
    _line(f"Tables: {selected.directory}\nExport: {selection.export}")


def _line(text: str) -> None:
    Console(soft_wrap=True).print(text, markup=False, highlight=False)
