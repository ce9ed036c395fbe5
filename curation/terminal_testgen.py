"""What ``curation testgen`` prints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console

from curation.terminal import print_json, print_table

if TYPE_CHECKING:
    from curation.testgen import Grown
    from curation.testgen.grown import WithWriter
    from curation.testgen.rates import Measured, Rate


def show_grown(grown: Grown, json: bool) -> None:
    """Print the new tests, what became of the other inputs, and the rates."""
    if json:
        print_json(grown)
        return
    rows = [(test.name, test.origin, test.bytes, len(test.kills), ", ".join(test.bounds_hit)) for test in grown.tests]
    print_table("New tests", ("test", "made", "bytes", "kills", "bounds hit"), rows)
    print_table("Inputs that became no test", ("rule", "inputs"), list(grown.rejected.items()))
    if grown.with_writer is not None:
        _show_written(grown.with_writer)
    rates = [_rates("steering", grown.steering), _rates("held out", grown.held_out)]
    print_table("Right programs accepted, wrong programs rejected", ("programs", "TPR", "TNR"), rates)
    console = Console(soft_wrap=True)
    for line in _notes(grown):
        console.print(line, markup=False, highlight=False)


def _show_written(written: WithWriter) -> None:
    trials = [
        (
            one.name,
            one.outcome,
            f"{one.known_accepted} of {one.known}",
            f"{one.misses_rejected} of {one.misses}",
            f"{one.agreed} of {one.compared}",
            one.reason,
        )
        for one in written.validators
    ]
    columns = ("validator", "outcome", "known accepted", "near misses rejected", "agrees", "why")
    print_table("Written validators", columns, trials)
    records = [(one.name, one.language, one.aimed_at or "–", one.inputs, one.reason) for one in written.generators]
    print_table("Written generators", ("generator", "language", "aimed at", "inputs", "why not more"), records)


def _rates(name: str, measured: Measured) -> tuple[str, str, str]:
    return name, _rate(measured.tpr), _rate(measured.tnr)


def _rate(rate: Rate) -> str:
    if rate.share is None or rate.interval is None:
        return "no programs"
    low, high = rate.interval
    return f"{rate.count} of {rate.of}: {rate.share:.1%} ({low:.1%} to {high:.1%})"


def _notes(grown: Grown) -> list[str]:
    misses = grown.near_misses
    notes = [f"Set aside: {one}. It may be wrong, or the tests are." for one in grown.set_aside]
    notes += [f"Valid by {' and '.join(grown.validators)}: near misses rejected {misses.rejected} of {misses.tried}."]
    if misses.accepted:
        notes.append(f"It accepts near misses: {', '.join(misses.accepted)}.")
    unstated = [name for name, stated in grown.grammar.items() if not stated]
    if unstated:
        notes.append(f"The statement does not bound {', '.join(unstated)}: values stay within the known ones.")
    if grown.dropped_rules:
        notes.append(f"The known inputs break what the statement says: {'; '.join(grown.dropped_rules)}.")
    if grown.bounds_missed:
        notes.append(f"No test hits: {', '.join(grown.bounds_missed)}.")
    if grown.survivors:
        notes.append(f"Wrong programs that pass every test: {', '.join(grown.survivors)}.")
    if grown.special_judge_suspected:
        notes.append("Accepted programs disagree often: the problem seems to need an output validator.")
    notes.append(f"A trivial program earns {grown.trivial:.1%} of the weighted tests.")
    if grown.with_writer is not None:
        spent = ", ".join(f"{name} {value}" for name, value in grown.with_writer.spent.items())
        notes.append(f"Written: {spent}.")
    notes.append(f"Package: {grown.out}")
    return notes
