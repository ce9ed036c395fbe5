"""Prompts of votes that a model proposes, from the best prompt so far and what it got wrong.

What a model writes is no template that may be run: it is taken only where its one statement and one answer are all that
it holds of Jinja's syntax, so that filling it in does nothing but put two texts into a third.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from curation import storage
from curation.json_reader import JsonValue
from curation.llm import engines, prompts
from curation.llm.asking import ask
from curation.llm.engine import COMPLETE, Message, Request
from curation.llm.labelled_votes import LABELS, Case
from curation.llm.pool import open_pool
from curation.llm.prompt_results import PromptResult
from curation.llm.voting import decide
from curation.progress import Reporter
from curation.recipe import Recipe, Sampler, VoteSection

PURPOSE = "prompt"
_OPEN, _CLOSE = "<<<PROMPT", "PROMPT>>>"
_MARKED = re.compile(rf"^{_OPEN}[ \t]*\n(.*)\n[ \t]*{_CLOSE}[ \t]*$", re.DOTALL | re.MULTILINE)
_PLACES = re.compile(r"\{\{\s*(statement|answer)\s*\}\}")
_JINJA = re.compile(r"\{\{|\}\}|\{%|%\}|\{#|#\}")
_LONGEST = 20_000


@dataclass(frozen=True)
class Proposals:
    """How prompts are proposed.

    Attributes:
        count: how many at most.
        directory: where their templates go, as ``proposed-01.j2`` and so on.
        template: what the model is asked with.
        mistakes: how many wrong cases it is shown at most.
        max_tokens: of its response.
    """

    count: int
    directory: Path
    template: str = "propose_vote_prompt"
    mistakes: int = 8
    max_tokens: int = 8_192


@dataclass(frozen=True)
class Proposed:
    """One proposal: the path of its template, or why there is none."""

    path: Path | None
    why: str


class Proposer:
    """Asks the model that votes for other prompts; what the pool holds is not asked for again."""

    def __init__(self, recipe: Recipe, section: VoteSection, pool: Path, wanted: Proposals, reporter: Reporter) -> None:
        """Take the recipe and the section that votes, where responses are kept, and what is wanted."""
        self._recipe, self._section, self._pool = recipe, section, pool
        self._wanted, self._reporter = wanted, reporter
        self._template = prompts.load(wanted.template, recipe.directory)

    @property
    def count(self) -> int:
        """How many prompts are asked for at most."""
        return self._wanted.count

    def propose(self, number: int, best: PromptResult, cases: Sequence[Case]) -> Proposed:
        """Ask for one prompt.

        Args:
            number: 0-based; moves the seed.
            best: the best prompt so far.
            cases: what it was measured on.

        Raises:
            InputError: a template cannot be used, or the directory cannot be written.
            OutsideError: the server failed.
        """
        section = self._section
        text = prompts.load(best.prompt, self._recipe.directory).path.read_text(encoding="utf-8")
        shown = self._template.render(
            prompt=text,
            f1=best.own.agreement.f1.value,
            yes=section.yes,
            no=section.no,
            failure_types=section.failure_types,
            mistakes=self._mistakes(best, cases),
            open_mark=_OPEN,
            close_mark=_CLOSE,
        )
        sampler = Sampler(max_tokens=self._wanted.max_tokens, seed=section.sampler.seed)
        request = Request("prompt", PURPOSE, (Message("user", shown),), sampler, number)
        with (
            open_pool(self._pool) as pool,
            engines.open_engine(self._recipe, section.model, self._reporter, self._pool) as engine,
        ):
            failures = ask(engine, pool, [request], self._reporter, description="a prompt", total=1).failures
            (response,) = pool.answers([request], engine.identity)
        if response is None or response.text is None:
            return Proposed(None, next(iter(failures.values()), "no response"))
        if response.finish_reason not in COMPLETE:
            return Proposed(None, f"the response ended with {response.finish_reason}")
        proposal, why = _template_of(response.text, section)
        if proposal is None:
            return Proposed(None, why)
        path = self._wanted.directory / f"proposed-{number + 1:02d}.j2"
        storage.write_text(path, proposal + "\n")
        return Proposed(path, "")

    def _mistakes(self, best: PromptResult, cases: Sequence[Case]) -> list[dict[str, JsonValue]]:
        required = best.own.required
        wrong = [case for case in cases if (decide(list(case.ballots), required) == LABELS[0]) != case.valid]
        # Cases kept that should not be and the reverse, in turn, so that the few that are shown are of both kinds.
        kinds = [[case for case in wrong if case.valid is valid] for valid in (False, True)]
        turns = [case for place in range(len(wrong)) for kind in kinds for case in kind[place : place + 1]]
        return [
            {
                "statement": case.statement,
                "answer": case.answer,
                "label": LABELS[0] if case.valid else LABELS[1],
                "failure_type": case.failure_type,
                "decided": decide(list(case.ballots), required),
            }
            for case in turns[: self._wanted.mistakes]
        ]


def _template_of(response: str, section: VoteSection) -> tuple[str | None, str]:
    """Return the template that a response holds, and else why it holds none."""
    found = _MARKED.findall(response.rpartition("</think>")[2].replace("\r\n", "\n"))
    if not found:
        return None, "the response marks no prompt"
    text = str(found[-1]).strip()
    if len(text) > _LONGEST:
        return None, f"the prompt has more than {_LONGEST} characters"
    if sorted(_PLACES.findall(text)) != ["answer", "statement"]:
        return None, "the prompt does not name statement and answer once each"
    if _JINJA.search(_PLACES.sub("", text)):
        return None, "the prompt holds other marks of a template"
    if section.yes not in text or section.no not in text:
        return None, f"the prompt does not say {section.yes} and {section.no}"
    return text, ""
