"""The commands that evaluate a checkpoint; `curation.cli` hangs them in."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from curation.cli_models import (
    Checkers,
    Column,
    Concurrency,
    ContextTokens,
    EngineOption,
    Json,
    KeyVariable,
    Limit,
    MaxTokens,
    Model,
    RecipeOption,
    Revision,
    Rows,
    Seed,
    Server,
    Temperature,
    Tests,
    Threads,
    TopP,
    model_options,
    reporter_for,
)
from curation.errors import InputError

SynthesisPrompt = Annotated[str | None, typer.Option(help="The template that puts references beside a problem.")]


def infer(
    source: Rows,
    out: Annotated[Path, typer.Option(help="The directory of answers, responses and inference.json.")],
    k: Annotated[
        list[str] | None,
        typer.Option(
            "--k", help="Responses of each round, as in 4, 16 or 32,4; [] for none; may be given several times."
        ),
    ] = None,
    samples: Annotated[int | None, typer.Option(min=1, help="Final answers a problem; 1 by default.")] = None,
    recipe: RecipeOption = None,
    engine: EngineOption = None,
    server: Server = None,
    model: Model = None,
    revision: Revision = None,
    api_key_variable: KeyVariable = None,
    concurrency: Concurrency = None,
    threads: Threads = None,
    context_tokens: ContextTokens = None,
    temperature: Temperature = None,
    top_p: TopP = None,
    max_tokens: MaxTokens = None,
    seed: Seed = None,
    prompt: Annotated[str | None, typer.Option(help="The template of math problems, by name or path.")] = None,
    code_prompt: Annotated[str | None, typer.Option(help="The template of code problems.")] = None,
    synthesis_prompt: SynthesisPrompt = None,
    tests: Tests = None,
    checkers: Checkers = None,
    column: Column = None,
    limit: Limit = None,
    json: Json = False,
) -> None:
    """Evaluate a checkpoint by PaCoRe's rounds: parallel responses, their messages as references, one answer."""
    from curation import terminal_infer
    from curation.inference.evaluation import infer as evaluate
    from curation.llm.standalone import Options, named_columns, one_section

    options = Options(
        recipe=recipe,
        engine=engine,
        model=model_options(server, model, revision, api_key_variable, concurrency, threads, context_tokens),
        sampler={"temperature": temperature, "top_p": top_p, "max_tokens": max_tokens, "seed": seed},
        section={
            "rounds": [_rounds(text) for text in k] if k else None,
            "samples": samples,
            "prompt": prompt,
            "code_prompt": code_prompt,
            "synthesis_prompt": synthesis_prompt,
        },
    )
    found = evaluate(
        source,
        out,
        one_section(options, "infer"),
        columns=named_columns(column or []),
        tests=tests,
        checkers=checkers,
        limit=limit,
        reporter=reporter_for(json),
    )
    terminal_infer.show_inference(found, json)


def synthesis(
    source: Annotated[str, typer.Argument(metavar="IN", help="Rows with conversation, responses and ground_truth.")],
    out: Annotated[Path, typer.Option(help="The directory of accuracies, responses and synthesis.json.")],
    samples: Annotated[int | None, typer.Option(min=1, help="Answers a row; 8 by default.")] = None,
    recipe: RecipeOption = None,
    engine: EngineOption = None,
    server: Server = None,
    model: Model = None,
    revision: Revision = None,
    api_key_variable: KeyVariable = None,
    concurrency: Concurrency = None,
    threads: Threads = None,
    context_tokens: ContextTokens = None,
    temperature: Temperature = None,
    top_p: TopP = None,
    max_tokens: MaxTokens = None,
    seed: Seed = None,
    prompt: Annotated[
        str | None, typer.Option(help="The template that a statement is put into first; as it stands by default.")
    ] = None,
    synthesis_prompt: SynthesisPrompt = None,
    limit: Limit = None,
    json: Json = False,
) -> None:
    """Measure a checkpoint's synthesis accuracy on rows that bring their references, as an export does."""
    from curation import terminal_infer
    from curation.inference.references import synthesis_accuracy
    from curation.llm.standalone import Options, one_section

    options = Options(
        recipe=recipe,
        engine=engine,
        model=model_options(server, model, revision, api_key_variable, concurrency, threads, context_tokens),
        sampler={"temperature": temperature, "top_p": top_p, "max_tokens": max_tokens, "seed": seed},
        section={"samples": samples or (None if recipe else 8), "synthesis_prompt": synthesis_prompt},
    )
    found = synthesis_accuracy(
        source, out, one_section(options, "infer"), prompt=prompt, limit=limit, reporter=reporter_for(json)
    )
    terminal_infer.show_synthesis(found, json)


def _rounds(text: str) -> list[int]:
    if not re.fullmatch(r"\[\s*\]|\[?\s*\d{1,4}(?:\s*,\s*\d{1,4})*\s*\]?", text.strip()):
        raise InputError(f"--k {text}: write the responses of each round, as in 4 or 32,4, or [] for none")
    return [int(number) for number in re.findall(r"\d+", text)]
