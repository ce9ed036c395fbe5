"""How well a model votes: its votes on labelled cases against the labels, for one prompt or several.

A search goes through prompts, given ones and such as the model itself proposes, on one half of the cases until F1 gains
no more, and reports the best on the other half.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from curation.ingest.user_rows import Field
from curation.llm.labelled_votes import Case, LabelledVotes
from curation.llm.prompt_proposals import Proposals, Proposer
from curation.llm.prompt_results import PromptResult, evaluate
from curation.progress import Reporter, Silent
from curation.recipe import Recipe


@dataclass(frozen=True)
class Calibration:
    """What `calibrate` found.

    Attributes:
        model: who votes.
        cases: labelled cases that were voted on.
        valid: how many of them are valid by their label.
        prompts: one result a prompt; of a search those on the half that it searched on.
        chosen: the prompt with the highest F1.
        held_out: the chosen prompt on the other half, for a search; None otherwise.
        stopped: why a search ended.
        bad: location and reason of each row that is no case.
        refused: number and reason of each proposed prompt that could not be used.
    """

    model: str
    cases: int
    valid: int
    prompts: tuple[PromptResult, ...]
    chosen: str
    held_out: PromptResult | None
    stopped: str
    bad: tuple[tuple[str, str], ...]
    refused: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True)
class Search:
    """When to stop going through prompts.

    Attributes:
        patience: stop after so many prompts in a row without a gain.
        gain: the F1 by which a prompt must beat the best so far.
        seed: of the halves.
        proposals: after the given prompts the model proposes others, from mistakes on the half that is searched; None
            for none.
    """

    patience: int = 2
    gain: float = 0.01
    seed: int = 0
    proposals: Proposals | None = None


def calibrate(
    source: str,
    pool: Path,
    recipe: Recipe,
    prompts: Sequence[str],
    *,
    search: Search | None = None,
    label: str = "label",
    columns: Mapping[Field, str] | None = None,
    reporter: Reporter | None = None,
) -> Calibration:
    """Measure votes against labels.

    Args:
        source: labelled cases: a statement, ``answer``, ``label`` (``valid`` or ``invalid``) and, for invalid ones,
            ``failure_type``.
        pool: where votes are kept; what it holds is not asked for again.
        recipe: holds the section and its model.
        prompts: templates by name or path, in the order in which they are tried.
        search: go through the prompts on one half of the cases until F1 gains no more, and measure the best on the
            other; None to measure every prompt on all cases.
        label: the column of the label.
        columns: what stands in other columns than the usual ones.
        reporter: where progress goes; silent by default.

    Raises:
        InputError: the cases or a prompt cannot be used, or there are no cases of one label.
        OutsideError: the server or the network failed; what was answered is stored.
    """
    told = reporter or Silent()
    asked = LabelledVotes(source, pool, recipe, label, columns, told)
    proposer = None
    if search is not None and search.proposals is not None:
        proposer = Proposer(recipe, asked.section, pool, search.proposals, told)
    tried = _Tried()
    best, stale, stopped = -1.0, 0, ""
    for place, prompt in enumerate(tried.candidates(prompts, proposer)):
        if place == len(prompts):
            # What the model proposes gets a patience of its own.
            stale = 0
        cases = asked.cases(prompt, f"calibrate {prompt}", None if search is None else (search.seed, 0))
        result = evaluate(prompt, cases, asked.required)
        tried.add(result, cases)
        gained = result.own.agreement.f1.value > best + (search.gain if search else 0.0)
        best, stale = (result.own.agreement.f1.value, 0) if gained else (best, stale + 1)
        all_given = proposer is None or place >= len(prompts)
        if search is not None and stale >= search.patience and all_given:
            stopped = f"the last {stale} prompts gained less than {search.gain:g} in F1"
            break
    chosen = tried.best[0].prompt
    held_out = None
    if search is not None:
        stopped = stopped or "every prompt was tried"
        held_out = evaluate(chosen, asked.cases(chosen, "calibrate, other half", (search.seed, 1)), asked.required)
    return Calibration(
        asked.model,
        asked.count,
        asked.valid,
        tuple(result for result, _ in tried.results),
        chosen,
        held_out,
        stopped,
        tuple(asked.bad),
        tuple(tried.refused),
    )


class _Tried:
    """The prompts that were tried, with the cases that each was measured on."""

    def __init__(self) -> None:
        self.results: list[tuple[PromptResult, list[Case]]] = []
        self.refused: list[tuple[int, str]] = []

    @property
    def best(self) -> tuple[PromptResult, list[Case]]:
        """The result with the highest F1; of equal ones the first."""
        return max(self.results, key=lambda tried: tried[0].own.agreement.f1.value)

    def add(self, result: PromptResult, cases: list[Case]) -> None:
        """Take a prompt's result."""
        self.results.append((result, cases))

    def candidates(self, prompts: Sequence[str], proposer: Proposer | None) -> Iterator[str]:
        """Yield the given prompts, then those that the model proposes after it saw what the best one got wrong."""
        yield from prompts
        for number in range(proposer.count if proposer is not None else 0):
            proposed = proposer.propose(number, *self.best) if proposer is not None else None
            if proposed is not None and proposed.path is not None:
                yield str(proposed.path)
            elif proposed is not None:
                self.refused.append((number + 1, proposed.why))
