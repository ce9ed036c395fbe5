"""The command line: one thin function a command. What commands print is made in `curation.terminal`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from curation.errors import CurationError, InputError
from curation.progress import OnConsole, Reporter, Silent

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Build and audit data sets of math and code problems with verifiable answers.",
)
pool_app = typer.Typer(no_args_is_help=True, help="Look into a response pool and fill it from logs.")
app.add_typer(pool_app, name="pool")

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of tables.")]
Limit = Annotated[int | None, typer.Option(min=1, help="Read at most so many rows of each source.")]


def main() -> None:
    """Run the command line; the exit code is 0, 1 (the answer is no), 2 (bad input) or 3 (something outside failed)."""
    try:
        app(standalone_mode=True)
    except CurationError as error:
        Console(stderr=True).print(f"curation: {error}", markup=False, highlight=False, soft_wrap=True)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)


def _reporter(json: bool) -> Reporter:
    return Silent() if json else OnConsole(Console(stderr=True))


@app.command()
def rebuild(
    recipe: Annotated[str, typer.Argument(help="A bundled recipe (demo, pacore-train-8k) or the path of one.")],
    run: Annotated[
        Path | None, typer.Option(help="The run directory; a second call goes on where the first ended.")
    ] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Show what it would read, ask and need, and stop.")] = False,
    until: Annotated[str | None, typer.Option(help="The last step to do.")] = None,
    limit: Limit = None,
    json: Json = False,
) -> None:
    """Build a data set from its sources to the export."""
    from curation import recipe as recipes
    from curation import terminal

    wanted = recipes.load(recipe)
    if plan:
        from curation.plan import make_plan

        terminal.show_plan(make_plan(wanted, limit), json)
        return
    if run is None:
        raise InputError("rebuild needs --run DIR, the directory where the run is kept, or --plan")
    from curation.pipeline import rebuild as rebuild_run

    terminal.show_rebuilt(rebuild_run(wanted, run, until=until, limit=limit, reporter=_reporter(json)), json)


@app.command()
def audit(
    dataset: Annotated[str, typer.Argument(help="A file, a folder or hub://owner/name.")],
    out: Annotated[Path, typer.Option(help="Where matches, summary and report go.")],
    against: Annotated[str, typer.Option(help="Benchmarks or files, with commas between them.")] = "matharena",
    column: Annotated[
        list[str] | None, typer.Option(help="A text column to check; may be given several times.")
    ] = None,
    fail_on: Annotated[
        list[str] | None, typer.Option(help="A kind of match that makes the exit code 1, or any.")
    ] = None,
    json: Json = False,
) -> None:
    """Check a data set for contamination by benchmarks; change nothing."""
    from curation import terminal
    from curation.contamination.audit import audit as audit_dataset

    result = audit_dataset(
        dataset,
        out,
        against=tuple(part for part in against.split(",") if part),
        columns=tuple(column or ()),
        fail_on=tuple(fail_on or ()),
        reporter=_reporter(json),
    )
    terminal.show_audit(result, json)
    if result.failed:
        raise typer.Exit(1)


@app.command()
def push(
    directory: Annotated[Path, typer.Argument(help="A run directory or an export.")],
    repository: Annotated[str, typer.Argument(help="The data set on the Hub, as owner/name.")],
    private: Annotated[bool, typer.Option("--private", help="Make a new repository private.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Write the card, list the files, send nothing.")] = False,
    json: Json = False,
) -> None:
    """Push an export to the Hugging Face Hub in one commit, reload it and compare."""
    from curation import terminal
    from curation.export.hub import push as push_export

    terminal.show_push(
        push_export(directory, repository, private=private, dry_run=dry_run, reporter=_reporter(json)), json
    )


@app.command()
def explain(
    directory: Annotated[Path, typer.Argument(help="A run directory.")],
    problem_id: Annotated[str, typer.Argument(help="The row, as source:id.")],
    json: Json = False,
) -> None:
    """Tell one row's whole story."""
    from curation import terminal
    from curation.explain import explain as story_of
    from curation.pipeline import open_run

    terminal.show_story(story_of(open_run(directory), problem_id), json)


@app.command()
def report(directory: Annotated[Path, typer.Argument(help="A run directory.")], json: Json = False) -> None:
    """Show the funnel of a run and write its HTML report again."""
    from curation import terminal
    from curation.pipeline import funnel_of, open_run
    from curation.report.run_report import write_report

    run = open_run(directory)
    terminal.show_report(funnel_of(run), write_report(run), json)


@app.command()
def doctor(json: Json = False) -> None:
    """Show what this machine has of what the program can use."""
    from curation import terminal
    from curation.doctor import examine

    terminal.show_checks(examine(), json)
