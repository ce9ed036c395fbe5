"""What the commands that ask a model print, and those that choose from what one wrote."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from curation.terminal import print_json, print_table

if TYPE_CHECKING:
    from curation.llm.agreement import Estimate
    from curation.llm.calibration import Calibration
    from curation.llm.prompt_results import PromptResult
    from curation.llm.sampling import SampleSummary
    from curation.llm.vote_files import VoteSummary
    from curation.pool_selection import Selection


_DECISIONS = ("valid", "invalid", "undecided")


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


def show_voted(summary: VoteSummary, out: Path, json: bool) -> None:
    """Print how many rows are valid, and what speaks against the others."""
    if json:
        print_json({"out": out, **summary.__dict__})
        return
    rows = [(summary.model, summary.rows, summary.valid, summary.invalid, summary.undecided, summary.tokens)]
    print_table("Rows", ("model", "rows", "valid", "invalid", "undecided", "tokens"), rows)
    votes = [summary.votes.get(name, 0) for name in ("valid", "invalid", "abstain")]
    print_table("Votes", ("valid", "invalid", "abstaining", "asked again"), [(*votes, summary.asked_again)])
    for title, counts in (("Failure types", summary.failure_types), ("Why votes abstained", summary.abstentions)):
        if counts:
            print_table(title, ("what", "votes"), counts.items())
    for location, reason in summary.bad:
        _line(f"not voted on: {location}: {reason}")
    _line(f"Rows: {out}\nVotes are kept in {summary.pool}")


def show_calibration(found: Calibration, written: Path | None, json: bool) -> None:
    """Print how well each prompt's votes agree with the labels."""
    if json:
        print_json({"report": written, **found.__dict__})
        return
    for result in found.prompts:
        _show_prompt(f"{result.prompt}: {found.valid} of {found.cases} cases are valid", result)
    if found.held_out is not None:
        _line(f"Search: {found.stopped}; the best is {found.chosen}")
        _show_prompt(f"{found.chosen} on the other half", found.held_out)
    elif len(found.prompts) > 1:
        _line(f"Best F1: {found.chosen}")
    for location, reason in found.bad:
        _line(f"no case: {location}: {reason}")
    for number, reason in found.refused:
        _line(f"proposal {number} could not be used: {reason}")
    if written is not None:
        _line(f"Report: {written}")


def _show_prompt(title: str, result: PromptResult) -> None:
    rows = [
        (
            f"{count.required} of {count.votes}",
            _told(count.agreement.precision),
            _told(count.agreement.recall),
            _told(count.agreement.f1),
            _told(count.agreement.kappa),
            count.undecided,
            count.tokens,
        )
        for count in result.counts
    ]
    print_table(title, ("valid votes", "precision", "recall", "F1", "kappa", "undecided", "tokens"), rows)
    kinds = [(kind, *(counts.get(name, 0) for name in _DECISIONS)) for kind, counts in result.confusion.items()]
    print_table("By label", ("label", *_DECISIONS), kinds)
    _line(f"Correlation of votes {_share(result.vote_correlation)}, of their errors {_share(result.error_correlation)}")


def _told(estimate: Estimate) -> str:
    if estimate.low is None or estimate.high is None:
        return "–"
    return f"{estimate.value:.2f} ({estimate.low:.2f} to {estimate.high:.2f})"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _line(text: str) -> None:
    Console(soft_wrap=True).print(text, markup=False, highlight=False)
