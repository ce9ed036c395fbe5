"""The sections of a recipe about models and what they are asked: engines, votes, checkers, solving, rounds."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from curation.recipe.section import Section, Share, check_window
from curation.records import Group


class Sampler(Section):
    """How a model samples. Every field is part of a response's key."""

    temperature: float = Field(default=1.0, ge=0)
    top_p: float = Field(default=1.0, gt=0, le=1)
    max_tokens: int = Field(default=32_768, ge=1)
    stop: tuple[str, ...] = ()
    seed: int = 0


Stop = Literal["never", "outside", "decided"]
"""When sampling of a problem ends early: never, once it is sure to end outside the band, once either is sure."""


def _listed(value: object) -> object:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else value


Urls = Annotated[tuple[Annotated[str, Field(min_length=1)], ...], BeforeValidator(_listed)]
"""One address or several."""


class VllmSection(Section):
    """How the engine `vllm` runs a model; only the chat template is part of a response's key."""

    tensor_parallel: int = Field(default=1, ge=1, description="GPUs that share one copy of the model")
    data_parallel: int = Field(default=1, ge=1, description="copies of the model")
    memory_share: float = Field(default=0.9, gt=0, le=1, description="of each GPU's memory that vLLM takes")
    prefix_caching: bool = Field(default=True, description="the samples of one problem share its prompt's work")
    chat_template: str | None = Field(default=None, description="a Jinja file in place of the model's own template")
    reasoning_parser: str | None = Field(default=None, description="vLLM's name of what sets reasoning apart")
    start_s: float = Field(default=3600, gt=0, description="seconds until the model must be loaded")
    arguments: tuple[str, ...] = Field(default=(), description="more of vLLM's options, as in --quantization=fp8")


class ModelSection(Section):
    """A model and the engine that runs it. Address, concurrency, retries and keys never enter a response's key."""

    engine: Literal["http", "llama.cpp", "replay", "vllm", "ray"]
    model: str = Field(description="the model id that the server knows, an asset, or a path")
    revision: str = ""
    url: Urls = Field(
        default=(), description="base address of an OpenAI-compatible server, with /v1, or a list of them"
    )
    api_key_variable: str | None = Field(default=None, description="environment variable that holds the key")
    endpoint: Literal["chat", "completion"] = Field(
        default="chat", description="completion: the prompt goes to the model as it is; part of a response's key"
    )
    concurrency: int = Field(default=8, ge=1, description="requests in flight at each server, at most")
    attempts: int = Field(
        default=6,
        ge=1,
        description="tries for one request before it counts as failed, and failures in a row before a server is dead",
    )
    timeout_s: float = Field(default=600, gt=0, description="seconds for one try of a request as a whole")
    stall_s: float = Field(
        default=300, gt=0, description="a stream, or a server, that writes no token for so many seconds is given up"
    )
    stream: bool = Field(
        default=True, description="false: whole answers, which cost this process less and hide a stall until timeout_s"
    )
    choices: int = Field(default=1, ge=1, le=128, description="samples of one problem asked for in one request, as n")
    logprobs: int | None = Field(
        default=None, ge=1, le=20, description="store each token's log probability and those of so many others"
    )
    failures_allowed: Share = Field(
        default=0.0, description="share of requests that may fail for good; above it the run stops, to be resumed"
    )
    context_tokens: int = Field(default=32_768, ge=256)
    threads: int | None = Field(
        default=None, ge=1, description="CPU threads of an embedded server; all but one processor by default"
    )
    vllm: VllmSection = VllmSection()
    tokens_per_second: float | None = Field(
        default=None, gt=0, description="for the estimate of --plan: one device's rate"
    )
    response_tokens: int | None = Field(
        default=None, ge=1, description="for the estimate of --plan: mean tokens a response"
    )


FAILURE_TYPES = (
    "wrong_answer",
    "missing_condition",
    "contradiction",
    "ambiguous",
    "several_answers",
    "multi_part",
    "needs_figure",
    "not_checkable",
)


class VoteSection(Section):
    """LLM votes on a yes-or-no question about every row; validity unless told otherwise."""

    model: str
    votes: int = Field(default=4, ge=1)
    required: int = Field(default=4, ge=1, description="how many must say yes")
    act: bool = Field(default=True, description="false: show the votes, drop nothing")
    prompt: str = "validity_vote"
    sampler: Sampler = Sampler()
    groups: tuple[Group, ...] = ("opensource_math", "public_mathcontest")
    attempts_per_abstention: int = Field(default=1, ge=0, description="how often an abstaining vote is asked again")
    expected_share: Share = Field(default=1.0, description="for the estimate of --plan: the share of rows that pass")
    yes: str = Field(default="VALID", min_length=1, description="the word of a vote that keeps the row")
    no: str = Field(default="INVALID", min_length=1, description="the word of a vote against it")
    structured: bool = Field(
        default=False, description="the server holds the vote to a JSON object with verdict and failure_type"
    )
    failure_types: tuple[str, ...] = Field(default=FAILURE_TYPES, description="what a structured vote may name")
    needs_answer: bool = Field(default=True, description="rows without an answer are not voted on")

    @model_validator(mode="after")
    def _votes_can_be_told_apart(self) -> VoteSection:
        if self.required > self.votes:
            raise ValueError("required is larger than votes")
        if self.yes.casefold() == self.no.casefold():
            raise ValueError("yes and no are the same word")
        return self


class WriterSection(Section):
    """A model that writes validators, generators and checkers; the budget is one problem's."""

    model: str
    sampler: Sampler = Sampler()
    requests: int = Field(default=60, ge=0, description="responses a problem may take")
    tokens: int = Field(default=1_000_000, ge=0, description="tokens a problem may take, prompts among them")
    checkers: int = Field(default=2, ge=1, description="checkers written for a problem that needs one of its own")
    repairs: int = Field(default=1, ge=0, description="how often refused ones are written again with the reason")
    cpu_s: float = Field(default=10.0, gt=0, description="CPU seconds that a written program may use on one input")
    expected_share: Share = Field(
        default=0.22,
        description="for the estimate of --plan: code problems that need a checker of their own; 218 of 1,000 in TACO",
    )
    validator_prompt: str = "write_validator"
    generator_prompt: str = "write_generator"
    checker_prompt: str = "write_checker"


class SolveSection(Section):
    """How often a model is asked to solve each problem."""

    model: str
    samples: int = Field(default=24, ge=1)
    extra_samples: int = Field(
        default=0,
        ge=0,
        description="asked for at most in place of a problem's truncated, failed and ungradable responses",
    )
    sampler: Sampler = Sampler()
    code_sampler: Sampler | None = Field(default=None, description="for code problems; sampler where it is not given")
    prompt: str = "solve"
    code_prompt: str = "solve_code"
    stop: Stop = Field(default="never", description="when sampling of a problem ends early; see curation.llm.stopping")
    wave: int = Field(default=4, ge=1, description="samples asked for at once where sampling may end early")


class ScreenSection(SolveSection):
    """A cheaper model that solves every problem first."""

    samples: int = Field(default=4, ge=1)
    below: Share = Field(
        default=1.0, description="an accuracy of at least this drops the problem before the proposer sees it"
    )


class ProposerSection(SolveSection):
    """The strong proposer: keeps what is neither trivial nor degenerate.

    Sampling of a problem ends as soon as the rest cannot change whether it is kept, which keeps the same problems.
    """

    stop: Stop = "decided"
    above: Share = 0.0
    below: Share = 1.0
    screen: ScreenSection | None = Field(
        default=None, description="a cheaper model that takes out what is easy; not lossless, unlike stop"
    )
    pilot: str | None = Field(
        default=None, description="for the estimate of --plan: a run whose proposer tried some of the problems before"
    )
    doubtful_share: Share = Field(
        default=0.5,
        description="a problem without a right response is doubtful where this share agree on another answer",
    )
    expected_share: Share = Field(default=1.0, description="for the estimate of --plan: the share of rows that pass")

    @model_validator(mode="after")
    def _window_is_not_empty(self) -> ProposerSection:
        check_window(self.above, self.below, "above and below")
        return self


class PoolSection(SolveSection):
    """The cached responses that messages are drawn from.

    ``stop = "outside"`` ends a problem's sampling once it cannot come into stage 1; it needs ``feeds = "stage1"`` in
    [stage2], whose other choice takes problems from outside of stage 1 as well.
    """


Rounds = Annotated[tuple[Annotated[int, Field(ge=1, le=4096)], ...], Field(max_length=16)]
"""How many responses each round writes side by side, before the last one writes a single answer."""


class InferSection(Section):
    """How `curation infer` and `curation synthesis` ask a checkpoint; no step of a rebuild."""

    model: str
    rounds: tuple[Rounds, ...] = Field(
        default=((4,),), min_length=1, description="the vectors K that are tried, as in [[4], [16], [32, 4]]"
    )
    samples: int = Field(default=1, ge=1, description="final answers a problem, each from rounds of its own")
    sampler: Sampler = Sampler()
    code_sampler: Sampler | None = Field(default=None, description="for code problems; sampler where it is not given")
    prompt: str = "solve"
    code_prompt: str = "solve_code"
    synthesis_prompt: str = "synthesis"
