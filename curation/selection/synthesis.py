"""The synthesis prompt of a problem: its conversation with the messages of a stage-1 set as numbered references."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from curation.llm.engine import Message, Request
from curation.llm.prompts import Prompt
from curation.llm.solving import Solving
from curation.recipe import StageTwoSection

PURPOSE = "synthesis"


def conversation_with_references(
    conversation: Sequence[Message], prompt: Prompt, messages: Sequence[str]
) -> tuple[Message, ...]:
    """Put the references into the last user message of a conversation.

    Args:
        conversation: what the pool's model was asked, with at least one user message.
        prompt: the synthesis template; its variables are ``problem`` and ``responses``.
        messages: the references; without any, the conversation stays as it is.

    Raises:
        InputError: the template uses a name that is not given.
    """
    if not messages:
        return tuple(conversation)
    last = max(place for place, message in enumerate(conversation) if message.role == "user")
    content = prompt.render(problem=conversation[last].content, responses=list(messages))
    return (*conversation[:last], replace(conversation[last], content=content), *conversation[last + 1 :])


@dataclass(frozen=True)
class Synthesizing:
    """How stage 2 asks.

    Attributes:
        section: model, sampler and number of samples.
        prompt: the synthesis template.
        solving: how the pool's model was asked; the references answer that conversation.
    """

    section: StageTwoSection
    prompt: Prompt
    solving: Solving

    def requests(self, problem: Mapping[str, Any], messages: Sequence[str]) -> list[Request]:
        """Return the requests for one problem.

        Args:
            problem: a row of `records.PROBLEM_SCHEMA`.
            messages: the texts of its message set.

        Raises:
            InputError: a template uses a name that is not given.
        """
        conversation = self.solving.conversation(dict(problem))
        asked = conversation_with_references(conversation, self.prompt, messages)
        code = problem["domain"] == "code"
        sampler = (self.section.code_sampler if code else None) or self.section.sampler
        return [
            Request(problem["problem_id"], PURPOSE, asked, sampler, index, problem["statement"])
            for index in range(self.section.samples)
        ]

    def all_requests(
        self, problems: Iterable[Mapping[str, Any]], messages: Iterable[Sequence[str]]
    ) -> Iterator[list[Request]]:
        """Yield the requests for each problem, in order, with one problem's texts in memory at once."""
        for problem, texts in zip(problems, messages, strict=True):
            yield self.requests(problem, texts)
