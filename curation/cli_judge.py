"""The commands about judging that `curation.cli` hangs in: ``serve-reward`` and ``checkers``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from curation.cli_models import EngineOption, KeyVariable, Model, RecipeOption, Revision, Server
from curation.progress import Silent

checkers_app = typer.Typer(no_args_is_help=True, help="Find the checkers that problems need.")

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of tables.")]
WithoutIsolation = Annotated[
    bool,
    typer.Option("--without-isolation", help="Run programs with your own rights where the machine isolates none."),
]
StoreDirectory = Annotated[Path | None, typer.Option(help="A directory that keeps results: nothing runs twice.")]


def judge_submissions(
    problem: Annotated[
        str, typer.Argument(help="A problem package in the Kattis/ICPC layout, or a row of a data set: rows.jsonl#ID.")
    ],
    submissions: Annotated[
        list[Path] | None, typer.Argument(metavar="SUBMISSION...", help="Programs; the package's own by default.")
    ] = None,
    store: StoreDirectory = None,
    calibrate: Annotated[
        bool,
        typer.Option("--calibrate", help="Scale a stated time limit by what the accepted programs take here."),
    ] = False,
    without_isolation: WithoutIsolation = False,
    json: Json = False,
) -> None:
    """Run submissions on a problem in the sandbox; exit code 1 where one is not accepted, 3 where one is JE."""
    from curation import terminal, terminal_judging
    from curation.judging.isolation import choose
    from curation.judging.package import judge_package
    from curation.judging.rows import judge_row

    isolation = choose(without_isolation=without_isolation)
    if "#" in problem and not Path(problem).is_dir():
        judgements = judge_row(problem, submissions or [], store=store, isolation=isolation)
    else:
        judgements = judge_package(
            Path(problem),
            submissions or [],
            store=store,
            isolation=isolation,
            on_calibration=terminal_judging.show_calibration if calibrate else None,
        )
    terminal.show_judgements(judgements, json)
    if any(judgement.verdict == "JE" for judgement in judgements):
        raise typer.Exit(3)
    if any(judgement.verdict != "AC" for judgement in judgements):
        raise typer.Exit(1)


@checkers_app.command("match")
def checkers_match(
    packages: Annotated[list[Path], typer.Argument(metavar="PACKAGE...", help="Problem packages.")],
    recipe: RecipeOption = None,
    engine: EngineOption = None,
    server: Server = None,
    model: Model = None,
    revision: Revision = None,
    api_key_variable: KeyVariable = None,
    pool: Annotated[Path, typer.Option(help="Where a model's responses are kept.")] = Path("checkers.pool"),
    store: StoreDirectory = None,
    without_isolation: WithoutIsolation = False,
    json: Json = False,
) -> None:
    """Find the strictest checker that a package's answers, statement and accepted submissions allow, with evidence.

    A model that is named writes one for a package that needs a checker of its own; it has to pass tests of its own.
    """
    from curation import terminal_judging
    from curation.judging.isolation import choose
    from curation.judging.package_matching import match_packages

    isolation = choose(without_isolation=without_isolation)
    if recipe or engine or server or model:
        from curation.llm.standalone import Options, one_section
        from curation.llm.writer import open_writers, section_of

        given = {"url": server or None, "model": model, "revision": revision, "api_key_variable": api_key_variable}
        wanted = one_section(Options(recipe, None, engine, given), "writer")
        with open_writers(wanted, pool, Silent()) as writers:
            found = match_packages(
                packages, writers=writers, section=section_of(wanted), store=store, isolation=isolation
            )
    else:
        found = match_packages(packages, store=store, isolation=isolation)
    terminal_judging.show_matches(found, json)
    if any(one.match.outcome != "matched" and (one.written is None or one.written.source is None) for one in found):
        raise typer.Exit(1)


def serve_reward(
    host: Annotated[str, typer.Option(help="Where to listen; other machines reach 0.0.0.0.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port; 0 for a free one.")] = 8080,
    fraction: Annotated[bool, typer.Option("--fraction", help="Reward the share of tests, not all or none.")] = False,
    weighted: Annotated[
        bool,
        typer.Option("--weighted", help="Weigh tests by kill group, less what a trivial program earns."),
    ] = False,
    store: StoreDirectory = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Programs at a time; one a core by default.")] = None,
    body_mb: Annotated[int, typer.Option(min=1, help="MiB of one request at most.")] = 64,
    items: Annotated[int, typer.Option(min=1, help="Items of one request at most.")] = 512,
    waiting: Annotated[int, typer.Option(min=1, help="Items that wait at most; more is refused.")] = 4096,
    without_isolation: WithoutIsolation = False,
) -> None:
    """Serve rewards of code responses over HTTP until it is told to end: POST /score, GET /healthz."""
    from curation.judging.reward import CodeReward, Mode
    from curation.judging.reward_server import Bounds, serve
    from curation.recipe import JudgeSection

    settings = JudgeSection(without_isolation=without_isolation)
    mode: Mode = "weighted" if weighted else "fraction" if fraction else "binary"
    with CodeReward(mode, store, settings, workers) as scorer:
        sentence = scorer.bench.isolation.sentence
        Console(stderr=True).print(f"Isolation: {sentence}", markup=False, highlight=False, soft_wrap=True)
        serve(scorer, host, port, Bounds(body_mb=body_mb, items=items, waiting=waiting))
