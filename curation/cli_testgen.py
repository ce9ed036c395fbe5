"""The command ``curation testgen``; `curation.cli` hangs it in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from curation.cli_models import (
    Concurrency,
    ContextTokens,
    EngineOption,
    Json,
    KeyVariable,
    MaxTokens,
    Model,
    RecipeOption,
    Revision,
    Server,
    Temperature,
    Threads,
    TopP,
)
from curation.progress import OnConsole, Silent

if TYPE_CHECKING:
    from curation.recipe import Recipe


def grow_tests(
    problem: Annotated[Path, typer.Argument(help="A problem package: Kattis/ICPC, or a full one from Polygon.")],
    out: Annotated[Path, typer.Option(help="Where the package with more tests goes.")],
    seed: Annotated[int, typer.Option(help="Draws inputs, mutants and the split.")] = 0,
    inputs: Annotated[int, typer.Option(min=1, help="Inputs to make in the first round.")] = 80,
    rounds: Annotated[int, typer.Option(min=0, help="Rounds against wrong programs that survive.")] = 2,
    mutants: Annotated[int, typer.Option(min=0, help="Mutants of accepted programs, where wrong ones are few.")] = 40,
    held_out: Annotated[float, typer.Option(min=0, max=0.9, help="The share of programs that only measure.")] = 0.5,
    budget: Annotated[float | None, typer.Option(help="Seconds after which no further round begins.")] = None,
    store: Annotated[Path | None, typer.Option(help="A directory that keeps runs: nothing runs twice.")] = None,
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
    pool: Annotated[Path | None, typer.Option(help="Where a model's responses are kept; OUT.pool by default.")] = None,
    requests: Annotated[int | None, typer.Option(min=0, help="A model's responses at most; 60 by default.")] = None,
    tokens: Annotated[int | None, typer.Option(min=0, help="Its tokens at most, prompts too; a million.")] = None,
    validators: Annotated[int, typer.Option(min=1, help="Validators that it writes independently.")] = 3,
    generators: Annotated[int, typer.Option(min=0, help="Generators that it writes first.")] = 2,
    json: Json = False,
) -> None:
    """Grow a problem's tests; report what they kill, and TPR and TNR on programs held out.

    A model that is named writes validators, and generators against wrong programs that survive.
    """
    from curation import terminal_testgen
    from curation.llm.standalone import Options as ModelOptions
    from curation.llm.standalone import one_section
    from curation.testgen import Options, grow

    reporter = Silent() if json else OnConsole(Console(stderr=True))
    wanted: Recipe | None = None
    if recipe or engine or server or model:
        given = {
            "url": server or None,
            "model": model,
            "revision": revision,
            "api_key_variable": api_key_variable,
            "concurrency": concurrency,
            "threads": threads,
            "context_tokens": context_tokens,
        }
        sampler = {"temperature": temperature, "top_p": top_p, "max_tokens": max_tokens, "seed": seed or None}
        section = {"requests": requests, "tokens": tokens}
        wanted = one_section(ModelOptions(recipe, None, engine, given, sampler, section), "writer")
    repairs, cpu_s = (wanted.writer.repairs, wanted.writer.cpu_s) if wanted and wanted.writer else (1, 10.0)
    options = Options(
        seed,
        inputs,
        rounds,
        mutants,
        held_out,
        budget,
        validators=validators,
        generators=generators,
        repairs=repairs,
        written_cpu_s=cpu_s,
    )
    if wanted is None:
        grown = grow(problem, out, options, store=store, reporter=reporter)
    else:
        from curation.llm.writer import open_writers

        with open_writers(wanted, pool or out.with_name(f"{out.name}.pool"), reporter) as writers:
            writer = writers.of(problem.resolve().name)
            grown = grow(problem, out, options, writer=writer, store=store, reporter=reporter)
    terminal_testgen.show_grown(grown, json)
