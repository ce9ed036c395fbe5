"""A model that writes programs: prompts from ``templates/``, every response in a pool, a budget for each problem.

What the pool holds is not asked for again, and counts against the budget as it did before, so that a run that was cut
off goes the same way when it is started anew.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from curation.errors import InputError
from curation.json_reader import dumps
from curation.judging.writing import ProgramKind, Writer, Written
from curation.llm import engines, prompts
from curation.llm.asking import ask
from curation.llm.engine import COMPLETE, Engine, Message, Request
from curation.llm.pool import Pool, open_pool
from curation.llm.prompts import Prompt
from curation.progress import Reporter
from curation.recipe import Recipe, WriterSection
from curation.storage import sha256_text

_CHARACTERS_A_TOKEN = 3
"""For servers that count no tokens."""


@dataclass
class Budget:
    """What one problem has spent.

    Attributes:
        requests: responses that were asked for or found in the pool.
        known: those of them that were in the pool.
        failed: requests without a response.
        refused: requests that the budget did not allow.
        prompt_tokens, completion_tokens: of all responses; estimated where the server does not count.
    """

    requests: int = 0
    known: int = 0
    failed: int = 0
    refused: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def tokens(self) -> int:
        """All tokens."""
        return self.prompt_tokens + self.completion_tokens


@dataclass
class ModelWriters:
    """Writers of many problems that share an engine and a pool; see `open_writers`."""

    engine: Engine
    pool: Pool
    section: WriterSection
    templates: Mapping[ProgramKind, Prompt]
    reporter: Reporter
    guard: threading.Lock = field(default_factory=threading.Lock)

    def of(self, problem_id: str) -> Writer:
        """Return the writer of one problem, whose budget is its own."""
        return _ModelWriter(self, problem_id)


class ModelWriterService:
    """Lets the model of a recipe's ``[writer]`` write; see `curation.judging.writing.WriterService`."""

    def fingerprint(self, recipe: Recipe) -> object:
        """Return the section with the model's identity and the prompts' hashes; None without a section."""
        section = recipe.writer
        if section is None:
            return None
        templates = load_templates(section, recipe.directory)
        return {
            "section": section.model_dump(mode="json", exclude={"model"}),
            "model": engines.fingerprint(recipe, section.model),
            "prompts": {kind: prompt.sha256 for kind, prompt in sorted(templates.items())},
        }

    def open(self, recipe: Recipe, pool: Path, reporter: Reporter) -> AbstractContextManager[ModelWriters]:
        """See `open_writers`."""
        return open_writers(recipe, pool, reporter)


@contextmanager
def open_writers(recipe: Recipe, pool: Path, reporter: Reporter) -> Iterator[ModelWriters]:
    """Open the engine and the pool of a recipe's ``[writer]``.

    Raises:
        InputError: the recipe has no such section, or its model or a prompt cannot be used.
        OutsideError: a model cannot be downloaded.
    """
    section = section_of(recipe)
    templates = load_templates(section, recipe.directory)
    with open_pool(pool) as opened, engines.open_engine(recipe, section.model, reporter, pool) as engine:
        yield ModelWriters(engine, opened, section, templates, reporter)


def section_of(recipe: Recipe) -> WriterSection:
    """Return the recipe's section.

    Raises:
        InputError: there is none.
    """
    if recipe.writer is None:
        raise InputError("the recipe has no [writer] section: add one")
    return recipe.writer


def load_templates(section: WriterSection, directory: Path) -> dict[ProgramKind, Prompt]:
    """Return the prompts of each kind of program.

    Raises:
        InputError: one of them cannot be used.
    """
    names: dict[ProgramKind, str] = {
        "validator": section.validator_prompt,
        "generator": section.generator_prompt,
        "attack": section.generator_prompt,
        "checker": section.checker_prompt,
    }
    return {kind: prompts.load(name, directory) for kind, name in names.items()}


class _ModelWriter:
    """See `curation.judging.writing.Writer`."""

    def __init__(self, writers: ModelWriters, problem_id: str) -> None:
        self._writers = writers
        self._problem_id = problem_id
        self._budget = Budget()
        self._samples: dict[str, int] = {}

    def write(self, kind: ProgramKind, requests: Sequence[Mapping[str, object]]) -> list[Written | str]:
        with self._writers.guard:
            return self._write(kind, requests)

    def told(self) -> Mapping[str, object]:
        identity, budget = self._writers.engine.identity, self._budget
        return {
            "model": identity.model,
            "revision": identity.revision,
            "requests": budget.requests,
            "failed": budget.failed,
            "refused by the budget": budget.refused,
            "prompt_tokens": budget.prompt_tokens,
            "completion_tokens": budget.completion_tokens,
        }

    def _write(self, kind: ProgramKind, asked: Sequence[Mapping[str, object]]) -> list[Written | str]:
        writers, budget = self._writers, self._budget
        section = writers.section
        left = 0 if budget.tokens >= section.tokens else max(0, section.requests - budget.requests)
        requests = [self._request(kind, values) for values in asked[:left]]
        budget.requests += len(requests)
        budget.refused += len(asked) - len(requests)
        done = ask(writers.engine, writers.pool, requests, writers.reporter, description=f"writing: {kind}")
        budget.known += done.known
        answers: list[Written | str] = []
        identity = writers.engine.identity
        for request, response in zip(requests, writers.pool.answers(requests, identity), strict=True):
            if response is None or response.text is None:
                budget.failed += 1
                answers.append(f"no response: {done.failures.get(request.key(identity), 'it was not stored')}")
                continue
            prompt = sum(len(message.content) for message in request.messages) // _CHARACTERS_A_TOKEN
            written = len(response.text) // _CHARACTERS_A_TOKEN
            budget.prompt_tokens += prompt if response.prompt_tokens is None else response.prompt_tokens
            budget.completion_tokens += written if response.completion_tokens is None else response.completion_tokens
            if response.finish_reason not in COMPLETE:
                answers.append(f"the response was cut ({response.finish_reason})")
            else:
                answers.append(Written(response.text, response.response_id))
        return [*answers, *["the budget is spent"] * (len(asked) - len(requests))]

    def _request(self, kind: ProgramKind, values: Mapping[str, object]) -> Request:
        writers = self._writers
        prompt = writers.templates[kind].render(**values)
        key = sha256_text(dumps([kind, prompt]))
        sample = self._samples.get(key, 0)
        self._samples[key] = sample + 1
        return Request(self._problem_id, kind, (Message("user", prompt),), writers.section.sampler, sample)
