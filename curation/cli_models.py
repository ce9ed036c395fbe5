"""The commands that ask a model, or choose from what one wrote; `curation.cli` hangs them in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console

from curation.cluster import Cluster
from curation.errors import InputError
from curation.progress import OnConsole, Reporter, Silent

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of tables.")]
Limit = Annotated[int | None, typer.Option(min=1, help="Read at most so many rows.")]
Rows = Annotated[str, typer.Argument(metavar="IN", help="A file, a folder or hub://owner/name.")]
Tests = Annotated[Path | None, typer.Option(help="Code problems' tests: a Parquet table as runs have it.")]
Checkers = Annotated[
    Path | None, typer.Option(help="The checkers that came with code problems: a Parquet table as runs have it.")
]
Column = Annotated[
    list[str] | None, typer.Option(help="statement=NAME, answer=NAME or id=NAME; may be given several times.")
]
RecipeOption = Annotated[str | None, typer.Option("--recipe", help="A recipe whose section and model are taken.")]
EngineOption = Annotated[
    Literal["embedded", "http", "replay"] | None,
    typer.Option("--engine", help="Who answers; http where a server is given, else the embedded llama.cpp."),
]
Server = Annotated[
    list[str] | None,
    typer.Option(help="The base address of an OpenAI-compatible server, with /v1; several with the same model share."),
]
Model = Annotated[
    str | None, typer.Option(help="The model's name; for embedded an asset or a GGUF file, for replay also a pool.")
]
Revision = Annotated[str | None, typer.Option(help="The model's revision, where it is known.")]
KeyVariable = Annotated[str | None, typer.Option("--api-key-variable", help="The environment variable with the key.")]
Concurrency = Annotated[int | None, typer.Option(min=1, help="Requests in flight at each server at most.")]
Threads = Annotated[int | None, typer.Option(min=1, help="Threads of the embedded engine.")]
ContextTokens = Annotated[int | None, typer.Option(min=256, help="The embedded engine's context.")]
Temperature = Annotated[float | None, typer.Option(min=0.0)]
TopP = Annotated[float | None, typer.Option("--top-p", min=0.0, max=1.0)]
MaxTokens = Annotated[int | None, typer.Option(min=1, help="A response is cut after so many tokens.")]
Seed = Annotated[int | None, typer.Option(help="The seed of all samples.")]
Question = Annotated[str | None, typer.Option(help="One of the recipe's [vote.NAME] sections.")]
Votes = Annotated[int | None, typer.Option(min=1, help="Votes a row, each with a seed of its own; 4 by default.")]
Required = Annotated[int | None, typer.Option(min=1, help="How many must say yes; all of --votes by default.")]
Retries = Annotated[int | None, typer.Option(min=0, help="How often an abstaining vote is asked again; 1 by default.")]
Structured = Annotated[bool, typer.Option("--structured", help="Hold the server to a JSON object for a vote.")]
VotePool = Annotated[Path | None, typer.Option("--pool", help="Where votes are kept; beside the output by default.")]

Ray = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Work on a Ray cluster: auto, HOST:PORT of its head, or ray://HOST:PORT."),
]


def cluster_at(address: str | None) -> Cluster | None:
    """Return the cluster that `--ray` names; None for this machine."""
    return None if address is None else Cluster(address)


def reporter_for(json: bool) -> Reporter:
    """Return where progress goes: nowhere for scripts."""
    return Silent() if json else OnConsole(Console(stderr=True))


def sample(
    source: Rows,
    pool: Annotated[str, typer.Option(help="The response pool to fill: a directory, or s3://bucket/pool.")],
    recipe: RecipeOption = None,
    section: Annotated[Literal["pool", "proposer"], typer.Option(help="The recipe's section.")] = "pool",
    engine: EngineOption = None,
    server: Server = None,
    model: Model = None,
    revision: Revision = None,
    api_key_variable: KeyVariable = None,
    concurrency: Concurrency = None,
    threads: Threads = None,
    context_tokens: ContextTokens = None,
    samples: Annotated[int | None, typer.Option(min=1, help="Responses a problem; 24 by default.")] = None,
    extra_samples: Annotated[
        int | None, typer.Option(min=0, help="More a problem at most, for truncated, failed and ungradable ones.")
    ] = None,
    temperature: Temperature = None,
    top_p: TopP = None,
    max_tokens: MaxTokens = None,
    seed: Seed = None,
    prompt: Annotated[str | None, typer.Option(help="A template, by name or path.")] = None,
    code_prompt: Annotated[str | None, typer.Option(help="The template of code problems.")] = None,
    stop: Annotated[
        Literal["never", "outside", "decided"] | None,
        typer.Option(help="End a problem's sampling once it is sure to be outside the band, or either."),
    ] = None,
    wave: Annotated[int | None, typer.Option(min=1, help="Samples at once where sampling may end early.")] = None,
    above: Annotated[str | None, typer.Option(help="The band of --stop: accuracy above this; 0 by default.")] = None,
    below: Annotated[str | None, typer.Option(help="And below this, as in 9/24; stage 1's by default.")] = None,
    tests: Tests = None,
    checkers: Checkers = None,
    column: Column = None,
    limit: Limit = None,
    json: Json = False,
) -> None:
    """Fill a response pool: ask a model to solve every row; nothing that the pool holds is asked again."""
    from curation import terminal_models
    from curation.llm.places import pool_path
    from curation.llm.sampling import sample as fill
    from curation.llm.standalone import Options, named_columns, one_section

    band = {"above": above, "below": below} if section == "proposer" else {}
    stage1 = {} if section == "proposer" else {"above": above, "math_below": below, "code_below": below}
    options = Options(
        recipe=recipe,
        engine=engine,
        model=model_options(server, model, revision, api_key_variable, concurrency, threads, context_tokens),
        sampler={"temperature": temperature, "top_p": top_p, "max_tokens": max_tokens, "seed": seed},
        section={
            "samples": samples,
            "extra_samples": extra_samples,
            "prompt": prompt,
            "code_prompt": code_prompt,
            "stop": stop,
            "wave": wave,
            **band,
        },
        stage1=stage1,
    )
    wanted = one_section(options, section)
    columns = named_columns(column or [])
    place, told = pool_path(pool), reporter_for(json)
    terminal_models.show_sampled(
        fill(
            source,
            place,
            wanted,
            of=section,
            columns=columns,
            tests=tests,
            checkers=checkers,
            limit=limit,
            reporter=told,
        ),
        json,
    )


def select(
    pool: Annotated[str, typer.Argument(help="A response pool: a directory, or s3://bucket/pool.")],
    out: Annotated[Path, typer.Option(help="The directory to write; export/ in it loads with `datasets`.")],
    problems: Annotated[str | None, typer.Option(help="The problems; those that the pool keeps by default.")] = None,
    recipe: RecipeOption = None,
    tests: Tests = None,
    checkers: Checkers = None,
    model: Annotated[
        list[str] | None, typer.Option(help="Only this model's responses; may be given several times.")
    ] = None,
    sampler: Annotated[list[str] | None, typer.Option(help="Only responses with this sampler, as JSON.")] = None,
    mixed: Annotated[bool, typer.Option("--mixed", help="Several models or samplers count as one pool.")] = False,
    log_verdicts: Annotated[
        bool, typer.Option("--log-verdicts", help="Compare no answers: the verdicts of imported logs count.")
    ] = False,
    above: Annotated[str | None, typer.Option(help="Stage 1: accuracy above this.")] = None,
    math_below: Annotated[str | None, typer.Option(help="Stage 1: math below this; 9/24 by default.")] = None,
    code_below: Annotated[str | None, typer.Option(help="Stage 1: code below this; 15/24 by default.")] = None,
    messages_low: Annotated[int | None, typer.Option(min=1, help="Smallest message set; 16 by default.")] = None,
    messages_high: Annotated[int | None, typer.Option(min=1, help="Largest message set; 24 by default.")] = None,
    marker: Annotated[str | None, typer.Option(help="A message is what follows its last occurrence.")] = None,
    truncated: Annotated[
        Literal["keep", "leave_out"] | None, typer.Option(help="Whether truncated responses may be messages.")
    ] = None,
    synthesis_above: Annotated[str | None, typer.Option(help="Stage 2: accuracy above this.")] = None,
    synthesis_below: Annotated[str | None, typer.Option(help="Stage 2: accuracy below this.")] = None,
    feeds: Annotated[Literal["pool", "stage1"] | None, typer.Option(help="Which problems stage 2 may take.")] = None,
    seed: Annotated[int | None, typer.Option(help="The seed of the draws.")] = None,
    ray: Ray = None,
    json: Json = False,
) -> None:
    """Draw message sets and choose stage 1 and stage 2 from a response pool; asks no model."""
    from curation import terminal_models
    from curation.llm.places import pool_path
    from curation.pool_selection import select as choose
    from curation.selection.options import wanted_of

    stage1 = {
        "above": above,
        "math_below": math_below,
        "code_below": code_below,
        "messages_low": messages_low,
        "messages_high": messages_high,
        "marker": marker,
        "truncated": truncated,
    }
    stage2 = {"above": synthesis_above, "below": synthesis_below, "feeds": feeds}
    wanted = wanted_of(
        recipe,
        stage1,
        stage2,
        seed=seed,
        models=tuple(model or ()),
        samplers=tuple(sampler or ()),
        mixed=mixed,
        regrade=not log_verdicts,
        where=cluster_at(ray),
    )
    terminal_models.show_selected(
        choose(
            pool_path(pool),
            out,
            wanted,
            problems=problems,
            tests=tests,
            checkers=checkers,
            reporter=reporter_for(json),
        ),
        json,
    )


def vote(
    source: Rows,
    out: Annotated[Path, typer.Option(help="The rows with vote, failure_type, votes and why.")],
    recipe: RecipeOption = None,
    question: Question = None,
    engine: EngineOption = None,
    server: Server = None,
    model: Model = None,
    revision: Revision = None,
    api_key_variable: KeyVariable = None,
    concurrency: Concurrency = None,
    threads: Threads = None,
    context_tokens: ContextTokens = None,
    votes: Votes = None,
    required: Required = None,
    retries: Retries = None,
    structured: Structured = False,
    prompt: Annotated[str | None, typer.Option(help="A template, by name or path.")] = None,
    temperature: Temperature = None,
    top_p: TopP = None,
    max_tokens: MaxTokens = None,
    seed: Seed = None,
    pool: VotePool = None,
    column: Column = None,
    limit: Limit = None,
    json: Json = False,
) -> None:
    """Let a model vote on whether rows are valid; exit code 1 where one is not; `vote calibrate` measures the model."""
    from curation import terminal_models
    from curation.llm.standalone import Options, named_columns, vote_recipe
    from curation.llm.vote_files import vote_file

    options = Options(
        recipe=recipe,
        question=question,
        engine=engine,
        model=model_options(server, model, revision, api_key_variable, concurrency, threads, context_tokens),
        sampler={"temperature": temperature, "top_p": top_p, "max_tokens": max_tokens, "seed": seed},
        section=_votes(votes, required, retries, structured) | {"prompt": prompt},
    )
    summary = vote_file(
        source,
        out,
        pool or out.with_name(f"{out.name}.pool"),
        vote_recipe(options),
        columns=named_columns(column or []),
        limit=limit,
        reporter=reporter_for(json),
    )
    terminal_models.show_voted(summary, out, json)
    if summary.valid < summary.rows:
        raise typer.Exit(1)


def vote_calibrate(
    cases: Annotated[str, typer.Argument(help="Cases with a statement, answer, label and failure_type.")],
    out: Annotated[Path | None, typer.Option(help="Where calibration.json and calibration.html go.")] = None,
    prompt: Annotated[
        list[str] | None, typer.Option(help="A template, by name or path; several are compared, in their order.")
    ] = None,
    search: Annotated[
        bool, typer.Option("--search", help="Try prompts on half of the cases until F1 saturates; report on the rest.")
    ] = False,
    patience: Annotated[int, typer.Option(min=1, help="Prompts without a gain that end a search.")] = 2,
    gain: Annotated[float, typer.Option(min=0.0, max=1.0, help="The least gain in F1.")] = 0.01,
    propose: Annotated[
        int, typer.Option(min=0, help="With --search: so many more prompts that the model proposes from mistakes.")
    ] = 0,
    label: Annotated[str, typer.Option(help="The column with valid or invalid.")] = "label",
    recipe: RecipeOption = None,
    question: Question = None,
    engine: EngineOption = None,
    server: Server = None,
    model: Model = None,
    revision: Revision = None,
    api_key_variable: KeyVariable = None,
    concurrency: Concurrency = None,
    threads: Threads = None,
    context_tokens: ContextTokens = None,
    votes: Votes = None,
    required: Required = None,
    retries: Retries = None,
    structured: Structured = False,
    temperature: Temperature = None,
    top_p: TopP = None,
    max_tokens: MaxTokens = None,
    seed: Seed = None,
    pool: VotePool = None,
    column: Column = None,
    json: Json = False,
) -> None:
    """Measure votes on labelled cases: precision, recall, F1, kappa, what each further vote brings and costs."""
    from curation import terminal_models
    from curation.llm.calibration import Search, calibrate
    from curation.llm.prompt_proposals import Proposals
    from curation.llm.standalone import Options, named_columns, vote_recipe
    from curation.report.calibration_report import write_calibration

    options = Options(
        recipe=recipe,
        question=question,
        engine=engine,
        model=model_options(server, model, revision, api_key_variable, concurrency, threads, context_tokens),
        sampler={"temperature": temperature, "top_p": top_p, "max_tokens": max_tokens, "seed": seed},
        section=_votes(votes, required, retries, structured),
    )
    if propose and (not search or out is None):
        raise InputError("--propose needs --search, and --out DIR, where the proposed prompts go")
    proposals = Proposals(propose, out / "prompts") if propose and out is not None else None
    wanted = vote_recipe(options)
    given = tuple(prompt or ()) or ((wanted.vote.prompt,) if wanted.vote is not None else ())
    found = calibrate(
        cases,
        pool or (out / "pool" if out is not None else Path("calibration.pool")),
        wanted,
        given,
        search=Search(patience, gain, seed or 0, proposals) if search else None,
        label=label,
        columns=named_columns(column or []),
        reporter=reporter_for(json),
    )
    written = write_calibration(found, out) if out is not None else None
    terminal_models.show_calibration(found, written, json)


def _votes(votes: int | None, required: int | None, retries: int | None, structured: bool) -> dict[str, object]:
    return {
        "votes": votes,
        "required": required,
        "attempts_per_abstention": retries,
        "structured": True if structured else None,
    }


def model_options(
    server: list[str] | None,
    model: str | None,
    revision: str | None,
    api_key_variable: str | None,
    concurrency: int | None,
    threads: int | None,
    context_tokens: int | None,
) -> dict[str, object]:
    """Return what options say of a model, as fields of `recipe.ModelSection`."""
    given = {
        "url": server or None,
        "model": model,
        "revision": revision,
        "api_key_variable": api_key_variable,
        "concurrency": concurrency,
        "threads": threads,
        "context_tokens": context_tokens,
    }
    return {name: value for name, value in given.items() if value is not None}
