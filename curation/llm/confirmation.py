"""A language model's opinion on the hits that an audit proposes: do the two texts state one problem?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from curation.contamination.items import Confirmation, Span
from curation.contamination.scan import Hit
from curation.errors import InputError
from curation.llm import engines, prompts
from curation.llm.asking import ask
from curation.llm.ballots import Ballot, Wording, read_vote
from curation.llm.engine import Engine, Message, Request
from curation.llm.pool import Pool, open_pool
from curation.llm.prompts import Prompt
from curation.llm.standalone import Options, one_section
from curation.progress import Reporter, Silent
from curation.recipe import Recipe, VoteSection

PROMPT = "same_problem"
"""The bundled template."""

_PURPOSE = "confirm"
_YES, _NO = "SAME", "DIFFERENT"
_AROUND = 1_500
_LONGEST = 8_000


def confirmation_recipe(server: str, model: str, prompt: str | None = None) -> Recipe:
    """Return the recipe of asking a model of an OpenAI-compatible server.

    Args:
        server: its base address, with /v1.
        model: the model's name.
        prompt: a template, by name or path, with the variables ``row`` and ``item``; `PROMPT` by default.

    Raises:
        InputError: an option says what none can say.
    """
    wording = {"prompt": prompt or PROMPT, "yes": _YES, "no": _NO, "votes": 1, "required": 1}
    return one_section(Options(engine="http", model={"url": [server], "model": model}, section=wording), "vote")


@contextmanager
def confirming(recipe: Recipe, pool: Path, reporter: Reporter | None = None) -> Iterator[ModelConfirmer]:
    """Open a model that gives its opinion on hits.

    Args:
        recipe: holds the prompt, the sampler and the model, as `confirmation_recipe` makes it.
        pool: where responses are kept; what it holds is not asked for again.
        reporter: where progress goes; silent by default.

    Raises:
        InputError: the model or the prompt cannot be used.
    """
    if recipe.vote is None:
        raise InputError("the recipe has no [vote] section: add one")
    told, prompt = reporter or Silent(), prompts.load(recipe.vote.prompt, recipe.directory)
    with open_pool(pool) as opened, engines.open_engine(recipe, recipe.vote.model, told, pool) as engine:
        yield ModelConfirmer(engine, opened, recipe.vote, prompt, told)


@dataclass(frozen=True)
class ModelConfirmer:
    """Asks a model about hits; stores each response as it comes."""

    engine: Engine
    pool: Pool
    section: VoteSection
    prompt: Prompt
    reporter: Reporter

    @property
    def name(self) -> str:
        """The model's name."""
        return self.engine.identity.model

    def confirm(self, hits: Sequence[Hit]) -> list[Confirmation]:
        """Say of each hit whether its texts state one problem; ``unknown`` where the model gave no clear answer.

        Raises:
            OutsideError: the server is dead; what was answered is stored.
        """
        said: dict[int, Ballot] = {}
        for attempt in range(1 + self.section.attempts_per_abstention):
            open_hits = [number for number in range(len(hits)) if number not in said or said[number].vote == "abstain"]
            requests = [self._request(hits[number], attempt) for number in open_hits]
            asked = ask(self.engine, self.pool, requests, self.reporter, description="confirming", total=len(requests))
            answers = self.pool.answers(requests, self.engine.identity)
            for number, request, response in zip(open_hits, requests, answers, strict=True):
                failure = asked.failures.get(request.key(self.engine.identity))
                said[number] = read_vote(response, failure, Wording(self.section.yes, self.section.no))
        return [_confirmation(said[number]) for number in range(len(hits))]

    def _request(self, hit: Hit, attempt: int) -> Request:
        item = hit.match.item
        text = self.prompt.render(row=_excerpt(hit.text, hit.match.row_spans), item=item.text if item else "")
        return Request(hit.row_id, _PURPOSE, (Message("user", text),), self.section.sampler, attempt)


def _confirmation(ballot: Ballot) -> Confirmation:
    return "yes" if ballot.vote == "valid" else "no" if ballot.vote == "invalid" else "unknown"


def _excerpt(text: str, spans: Sequence[Span]) -> str:
    """Return the part of a long text that the shared pieces stand in."""
    if len(text) <= _LONGEST or not spans:
        return text[:_LONGEST]
    start = max(0, spans[0][0] - _AROUND)
    return text[start : min(start + _LONGEST, spans[-1][1] + _AROUND)]
