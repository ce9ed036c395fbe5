"""What a run is asked to do: the TOML recipe as Pydantic models, with every open choice of the paper a named option.

A recipe may build on another one: ``extends = "demo"`` takes that recipe and replaces what is given. Sections merge
key by key; lists are replaced whole.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)

from curation import bundled
from curation.errors import InputError
from curation.languages import LANGUAGES
from curation.records import Group

_MOST_DIGITS = 4_000
_USUAL_PRIME = str(2**61 - 1)


class Section(BaseModel):
    """Base of all sections: unknown keys are errors, numbers are finite, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


def _fraction(value: object) -> object:
    if isinstance(value, str):
        try:
            return float(Fraction(value))
        except (ValueError, ZeroDivisionError):
            return value
    return value


Share = Annotated[float, BeforeValidator(_fraction), Field(ge=0, le=1)]
"""A share of one, given as a number or as text like ``"9/24"``."""


Weight = Annotated[float, Field(ge=0)]
"""How often something is chosen, beside the other weights."""


def _natural_number(text: str) -> str:
    if not text.isascii() or not text.isdigit() or len(text) > _MOST_DIGITS:
        raise ValueError(f"{text[:40]!r} is no whole number from 0 on of at most {_MOST_DIGITS} digits")
    return text


NaturalNumber = Annotated[str, AfterValidator(_natural_number)]
"""A number of any size as text, because TOML's integers end at 64 bits."""


def _is_prime(number: str) -> bool:
    # SymPy takes a while to import, and most recipes keep the default.
    if number == _USUAL_PRIME:
        return True
    from sympy import isprime

    return bool(isprime(int(number)))


def _check_window(above: float, below: float, names: str) -> None:
    if above >= below:
        raise ValueError(f"no accuracy lies between {names}: {above} and {below}")


class SourceUse(Section):
    """One source of the run: a bundled source file, or the user's own, with what differs this time."""

    use: str
    name: str | None = None
    path: str | None = Field(
        default=None, min_length=1, description="a local copy to read instead of the address in the source file"
    )
    licence: str | None = None
    attribution: str | None = Field(default=None, description="whom to name, where a path brings other rows")
    revision: str | None = None
    limit: int | None = Field(default=None, ge=1, description="read at most so many rows")


class IngestSection(Section):
    """How strictly the sources are read."""

    row_counts: Literal["report", "fail"] = Field(
        default="report",
        description="fail: stop where a whole source has another number of rows than its source file says",
    )


class FilterSection(Section):
    """Rules that clean, then rules that drop."""

    skip_rules: tuple[str, ...] = ()
    languages: tuple[str, ...] = Field(default=("en", "zh"), min_length=1)
    own_rules: tuple[str, ...] = Field(default=(), description="Python files with one rule function each")
    check_answers: bool = Field(
        default=False,
        description="drop a row whose answer no comparison can tell from a wrong one; 0.3 ms for a formula",
    )

    @field_validator("languages")
    @classmethod
    def _languages_are_known(cls, languages: tuple[str, ...]) -> tuple[str, ...]:
        unknown = next((code for code in languages if code not in LANGUAGES), None)
        if unknown is not None:
            raise ValueError(f"{unknown!r} is no language that can be told apart: give codes such as en, zh, de")
        return languages


Disagreement = Literal["drop", "keep_majority", "vote"]
"""What becomes of duplicates that give different answers."""


class DedupSection(Section):
    """Rows that state one problem: equal folded statements, and nearly equal ones.

    The similarity bounds how many words of a near duplicate may be others, beside the words that no problem hangs on; a
    pair must also pass all that `curation.dedup.verification` asks. 0.9 lets one word in ten differ. A condition has a
    dozen words or so: where one is missing from a problem of up to five sentences, the similarity is lower.
    """

    near: bool = Field(default=True, description="false: only equal folded statements are duplicates")
    similarity: float = Field(
        default=0.9, ge=0.7, le=1, description="least shared share of both wordings, 2 shared / (words of both)"
    )
    disagreement: Disagreement = Field(
        default="drop",
        description="drop: all rows of the cluster go; keep_majority: the answer of more than half of those with one "
        "survives, without such an answer all go; vote: the answer given most often survives, of equals the first",
    )


class DecontaminateSection(Section):
    """Which benchmarks, and which kinds of match drop a row."""

    against: tuple[Annotated[str, Field(min_length=1)], ...] = ("matharena",)
    drop_kinds: tuple[str, ...] = ("excluded_contest", "exact", "folded", "embedded", "numbers_changed", "near")
    exclude_contests: tuple[str, ...] = Field(
        default=("aime-2024", "aime-2025", "hmmt-feb-2025", "brumo-2025", "smt-2025", "cmimc-2025", "hmmt-nov-2025"),
        description="whole contests that PaCoRe leaves out, as contest-year",
    )
    ngram: int = Field(default=13, ge=2, description="length of the n-gram; PaCoRe says 64 for its SFT data")
    ngram_unit: Literal["token", "word"] = Field(default="token", description="the paper leaves the unit open")
    semantic: str | None = Field(
        default=None,
        min_length=1,
        description="an embedding model that proposes reworded items too: default, a name on the Hub, a folder, a package",
    )
    missing_benchmarks: Literal["fail", "report"] = Field(
        default="fail", description="report: go on without benchmarks that cannot be had and name them"
    )


Operation = Literal["addition", "subtraction", "multiplication", "modular_exponentiation"]


class ArithmeticSection(Section):
    """Synthetic large-integer problems as PaCoRe describes them; the prime and the ends of the range are open."""

    count: int = Field(default=13_400, ge=0)
    low: NaturalNumber = Field(default="100000000000", description="smallest operand, 10^11")
    high: NaturalNumber = Field(default="10000000000000", description="largest operand, 10^13")
    include_high: bool = False
    operations: dict[Operation, Weight] = Field(
        default={"addition": 1, "subtraction": 1, "multiplication": 1, "modular_exponentiation": 1},
        description="weights of the four operations",
    )
    prime: NaturalNumber = Field(default=_USUAL_PRIME, description="the modulus, 2^61 - 1 by default")
    templates: str = Field(default="arithmetic", description="a file of question wordings in templates/")

    @model_validator(mode="after")
    def _exercises_exist(self) -> ArithmeticSection:
        if self.count == 0:
            return self
        if int(self.low) > int(self.high) - (not self.include_high):
            raise ValueError(f"the range from {self.low} to {self.high} is empty")
        if not any(self.operations.values()):
            raise ValueError("operations gives no operation a weight above 0")
        if self.operations.get("modular_exponentiation", 0) > 0 and not _is_prime(self.prime):
            raise ValueError(f"prime = {self.prime} is no prime")
        return self


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


class JudgeSection(Section):
    """Code problems: judged with the submissions that came with them."""

    min_tests: int = Field(default=1, ge=1)
    require_accepted: bool = Field(
        default=True, description="drop a problem whose submissions labelled correct all fail"
    )
    time_factor: float = Field(default=3.0, gt=0, description="limit = this times the stated CPU seconds, for Python")
    max_submissions: int = Field(default=8, ge=1)
    time_limit_s: float = Field(default=4.0, gt=0, description="where the problem states none")
    memory_limit_mb: int = Field(default=512, ge=16, description="where the problem states none")
    match_checkers: bool = Field(
        default=True, description="find the checker of a problem that names none, and test the one that it brings"
    )
    matching_submissions: int = Field(
        default=5, ge=0, description="how many submissions labelled correct show what right outputs look like"
    )
    without_isolation: bool = Field(
        default=False, description="run programs with the judge's own rights where the machine isolates none"
    )


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
        _check_window(self.above, self.below, "above and below")
        return self


class PoolSection(SolveSection):
    """The cached responses that messages are drawn from.

    ``stop = "outside"`` ends a problem's sampling once it cannot come into stage 1; it needs ``feeds = "stage1"`` in
    [stage2], whose other choice takes problems from outside of stage 1 as well.
    """


class StageOneSection(Section):
    """Stage 1: above < mean message accuracy < below."""

    above: Share = 0.0
    math_below: Share = 9 / 24
    code_below: Share = 15 / 24
    messages_low: int = Field(default=16, ge=1)
    messages_high: int = Field(default=24, ge=1)
    marker: str = Field(default="</think>", description="a message is what follows its last occurrence")
    truncated: Literal["keep", "leave_out"] = Field(
        default="keep",
        description="whether a response cut at the token limit may be a message; the paper leaves it open",
    )

    @model_validator(mode="after")
    def _range_is_not_empty(self) -> StageOneSection:
        _check_window(self.above, self.math_below, "above and math_below")
        _check_window(self.above, self.code_below, "above and code_below")
        if self.messages_low > self.messages_high:
            raise ValueError("messages_low is larger than messages_high")
        return self


class StageTwoSection(Section):
    """Stage 2: 0 < synthesis accuracy < 1 of a stage-1 checkpoint."""

    model: str
    samples: int = Field(default=8, ge=1)
    sampler: Sampler = Sampler()
    code_sampler: Sampler | None = Field(default=None, description="for code problems; sampler where it is not given")
    prompt: str = "synthesis"
    feeds: Literal["pool", "stage1"] = Field(
        default="pool",
        description="which problems are tried; the released stage 2 is larger than stage 1, so the pool by default",
    )
    above: Share = 0.0
    below: Share = 1.0

    @model_validator(mode="after")
    def _window_is_not_empty(self) -> StageTwoSection:
        _check_window(self.above, self.below, "above and below")
        return self


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


class PublishedCounts(Section):
    """What a paper reports for one group, to stand beside ours in the plan and the report."""

    before: int | None = Field(default=None, ge=0, description="problems before the accuracy filter")
    stage1: int | None = Field(default=None, ge=0)
    stage2: int | None = Field(default=None, ge=0)


class ClusterSection(Section):
    """A Ray cluster for what costs processor time, and for the engine `ray`; changes no result."""

    address: str = Field(
        default="auto", description="auto where this machine is a node of it, HOST:PORT of its head, or ray://HOST:PORT"
    )


class ExportSection(Section):
    """How the data set is named and described."""

    title: str = "A data set of problems with verifiable answers"
    licence: str = "other"


class Recipe(Section):
    """A whole run."""

    name: str
    seed: int = 0
    sources: tuple[SourceUse, ...] = Field(min_length=1)
    ingest: IngestSection = IngestSection()
    filter: FilterSection = FilterSection()
    dedup: DedupSection = DedupSection()
    decontaminate: DecontaminateSection = DecontaminateSection()
    arithmetic: ArithmeticSection = ArithmeticSection()
    models: dict[str, ModelSection] = {}
    vote: VoteSection | None = None
    questions: dict[str, VoteSection] = Field(default={}, description="more votes; in TOML they stand as [vote.NAME]")
    judge: JudgeSection = JudgeSection()
    writer: WriterSection | None = Field(
        default=None, description="writes the checkers of problems whose accepted submissions disagree"
    )
    proposer: ProposerSection | None = None
    pool: PoolSection | None = None
    stage1: StageOneSection = StageOneSection()
    stage2: StageTwoSection | None = None
    infer: InferSection | None = None
    export: ExportSection = ExportSection()
    cluster: ClusterSection | None = Field(default=None, description="None: the processes of this machine")
    published: dict[Group, PublishedCounts] = {}
    notes: tuple[str, ...] = Field(default=(), description="sentences that the plan and the report show")
    directory: Path = Field(default=Path(), description="where relative paths in the recipe start; set by the reader")
    archives: Path | None = Field(
        default=None, description="a folder with one folder an archive, as curation fetch fills it"
    )

    @model_validator(mode="before")
    @classmethod
    def _votes_with_names(cls, values: object) -> object:
        """Take ``[vote.NAME]`` out of ``[vote]``, whose one table of its own is its sampler."""
        vote = values.get("vote") if isinstance(values, dict) else None
        if not isinstance(values, dict) or not isinstance(vote, dict):
            return values
        named = {key: value for key, value in vote.items() if isinstance(value, dict) and key != "sampler"}
        own = {key: value for key, value in vote.items() if key not in named}
        questions = {**values.get("questions", {}), **named}
        return {**values, "vote": own or None, "questions": questions}

    @model_validator(mode="after")
    def _models_exist(self) -> Recipe:
        for name, section in (
            ("vote", self.vote),
            *((f"vote.{name}", question) for name, question in self.questions.items()),
            ("proposer", self.proposer),
            ("proposer.screen", self.proposer and self.proposer.screen),
            ("pool", self.pool),
            ("writer", self.writer),
            ("stage2", self.stage2),
            ("infer", self.infer),
        ):
            if section is not None and section.model not in self.models:
                raise ValueError(f"[{name}] model = {section.model!r} names no [models.{section.model}]")
        if self.pool is not None and self.pool.stop == "decided":
            raise ValueError("[pool] stop = 'decided' leaves kept problems without their messages: take outside")
        if self.pool is not None and self.pool.stop == "outside" and self.stage2 and self.stage2.feeds == "pool":
            raise ValueError("[pool] stop = 'outside' needs [stage2] feeds = 'stage1', or stage 2 lacks responses")
        names = [use.name or use.use for use in self.sources]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise ValueError(f"two sources are called {twice!r}: give one of them a name")
        return self


def load(recipe: str) -> Recipe:
    """Read a recipe by path or bundled name.

    Raises:
        InputError: the file is missing, no TOML, or says something that no recipe can say; names the key.
    """
    path = bundled.find("recipes", recipe, ".toml")
    merged = _read(path, ())
    merged["directory"] = path.resolve().parent
    try:
        return Recipe.model_validate(merged)
    except ValidationError as error:
        raise InputError(f"{path}: {_first_fault(error)}") from None


def filter_section(given: Mapping[str, object]) -> FilterSection:
    """Make the ``[filter]`` section of options that a user gave one by one.

    Raises:
        InputError: one of them says something that no recipe can say; names it.
    """
    try:
        return FilterSection.model_validate(given)
    except ValidationError as error:
        raise InputError(_first_fault(error)) from None


def _first_fault(error: ValidationError) -> str:
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"]) or "the recipe"
    return f"{where}: {first['msg'].removeprefix('Value error, ')}"


def _read(path: Path, chain: tuple[Path, ...]) -> dict[str, object]:
    resolved = path.resolve()
    if resolved in chain:
        raise InputError(f"{path}: extends itself: take one extends line out")
    try:
        own: dict[str, object] = tomllib.loads(path.read_bytes().decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path} is no TOML ({error}): mend the line") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror})") from None
    base = own.pop("extends", None)
    if base is None:
        return own
    if not isinstance(base, str):
        raise InputError(f"{path}: extends must be the name or path of one recipe")
    beside = path.parent / base
    parent = beside if beside.is_file() else bundled.find("recipes", base, ".toml")
    return _merge(_read(parent, (*chain, resolved)), own)


def _merge(base: dict[str, object], own: dict[str, object]) -> dict[str, object]:
    merged = dict(base)
    for key, value in own.items():
        below = merged.get(key)
        merged[key] = _merge(below, value) if isinstance(below, dict) and isinstance(value, dict) else value
    return merged
