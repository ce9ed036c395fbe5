"""What the commands that evaluate a checkpoint print."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.console import Console

from curation.terminal import print_json, print_table

if TYPE_CHECKING:
    from curation.inference.evaluation import Evaluated, Inference
    from curation.inference.references import SynthesisSummary
    from curation.inference.worth import Worth


def show_inference(found: Inference, json: bool) -> None:
    """Print accuracy and tokens of each vector K, and what each round brought."""
    if json:
        print_json(found)
        return
    rows = [
        (
            _vector(one),
            _accuracy(one.worth),
            _accuracy(one.majority) if one.majority is not None else "–",
            one.worth.right,
            one.worth.wrong,
            one.worth.unknown,
            one.tokens_per_problem,
            one.prompt_tokens + one.completion_tokens,
        )
        for one in found.evaluated
    ]
    titles = ("K", "accuracy", "majority of round 1", "right", "wrong", "unknown", "tokens a problem", "tokens")
    print_table(f"{found.model} on {found.problems:,} problems, {found.samples} answers each", titles, rows)
    rounds = [
        (
            _vector(one),
            "answer" if part is one.rounds[-1] else part.round,
            part.responses,
            part.accuracy,
            part.unknown,
            part.truncated,
            part.failed,
            part.prompt_tokens,
            part.completion_tokens,
        )
        for one in found.evaluated
        for part in one.rounds
    ]
    columns = ("K", "round", "responses", "accuracy", "unknown", "truncated", "failed", "prompt tokens", "written")
    print_table("Rounds", columns, rounds)
    for one in found.evaluated:
        _show_unknown(f"Unknown answers, K = {_vector(one)}", one.unknown)
        if one.uncounted:
            _line(f"K = {_vector(one)}: the server did not count the tokens of {one.uncounted:,} responses")
    for location, reason in found.bad:
        _line(f"not asked about: {location}: {reason}")
    _line(f"Responses: {found.pool}")


def show_synthesis(found: SynthesisSummary, json: bool) -> None:
    """Print a checkpoint's synthesis accuracy."""
    if json:
        print_json(found)
        return
    worth = found.worth
    row = (_accuracy(worth), worth.never, worth.sometimes, worth.always, worth.right, worth.wrong, worth.unknown)
    titles = ("accuracy", "never right", "sometimes", "always", "right", "wrong", "unknown")
    print_table(f"{found.model} on {found.rows:,} rows, {found.samples} answers each", titles, [row])
    print_table("Rows by accuracy", ("accuracy", "rows"), found.histogram.items())
    _show_unknown("Unknown answers", found.unknown)
    for location, reason in found.bad:
        _line(f"not asked about: {location}: {reason}")
    _line(f"{found.prompt_tokens:,} tokens read, {found.completion_tokens:,} written; {found.stored:,} new responses")
    _line(f"Accuracies: {found.accuracy}")


def _vector(one: Evaluated) -> str:
    return f"[{', '.join(map(str, one.k))}]"


def _accuracy(worth: Worth) -> str:
    estimate = worth.accuracy
    if estimate.low is None or estimate.high is None:
        return "–"
    return f"{estimate.value:.3f} ({estimate.low:.3f} to {estimate.high:.3f})"


def _show_unknown(title: str, reasons: Mapping[str, int]) -> None:
    if reasons:
        print_table(title, ("why", "answers"), reasons.items())


def _line(text: str) -> None:
    Console(soft_wrap=True).print(text, markup=False, highlight=False)
