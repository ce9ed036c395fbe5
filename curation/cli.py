"""The command line: one thin function a command. What commands print is made in `curation.terminal`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from curation import cli_infer, cli_judge, cli_label, cli_models
from curation.cli_audit import (
    Against,
    Canaries,
    Clean,
    Columns,
    ConfirmModel,
    ConfirmPrompt,
    ConfirmServer,
    FailOn,
    Seed,
    Semantic,
    audit_diff,
    audit_selftest,
    benchmarks_app,
    open_confirmer,
    split_names,
)
from curation.cli_fetch import fetch
from curation.cli_models import Ray, cluster_at
from curation.cli_pool import pool_app
from curation.cli_testgen import grow_tests
from curation.cli_testlib import testlib_app
from curation.errors import CurationError, InputError, OutsideError
from curation.progress import OnConsole, Reporter, Silent

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Build and audit data sets of math and code problems with verifiable answers.",
)
app.add_typer(pool_app, name="pool")
app.add_typer(benchmarks_app, name="benchmarks")
app.add_typer(testlib_app, name="testlib")
app.add_typer(cli_judge.checkers_app, name="checkers")
app.command("fetch")(fetch)
app.command("testgen")(grow_tests)

_TWO_WORDS = ("audit diff", "audit selftest", "vote calibrate", "label agreement")

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of tables.")]
Limit = Annotated[int | None, typer.Option(min=1, help="Read at most so many rows of each source.")]


def main() -> None:
    """Run the command line; the exit code is 0, 1 (the answer is no), 2 (bad input) or 3 (something outside failed)."""
    try:
        app(_joined(sys.argv[1:]), standalone_mode=True)
    except CurationError as error:
        Console(stderr=True).print(f"curation: {error}", markup=False, highlight=False, soft_wrap=True)
        sys.exit(error.exit_code)
    except OSError as error:
        # A full disk, a directory where a file should be: the machine's state, which no caller could foresee.
        reason = f"{error.filename}: {error.strerror}" if error.filename and error.strerror else str(error)
        Console(stderr=True).print(
            f"curation: {reason}: mend it and run again", markup=False, highlight=False, soft_wrap=True
        )
        sys.exit(OutsideError.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)


def _joined(arguments: list[str]) -> list[str]:
    """Join the words of the commands that are called by two of them; ``audit`` itself takes a data set there.

    An option whose value may be left out gets the word ``default``.
    """
    two = " ".join(arguments[:2])
    joined = [two, *arguments[2:]] if two in _TWO_WORDS else arguments
    filled: list[str] = []
    for argument, after in zip(joined, [*joined[1:], "-"], strict=True):
        filled.append(argument)
        if argument == "--semantic" and after.startswith("-"):
            filled.append("default")
    return filled


def _reporter(json: bool) -> Reporter:
    return Silent() if json else OnConsole(Console(stderr=True))


@app.command()
def rebuild(
    recipe: Annotated[str, typer.Argument(help="A bundled recipe (demo, pacore-train-8k) or the path of one.")],
    run: Annotated[
        str | None, typer.Option(metavar="DIR", help="The run directory; a second call goes on where the first ended.")
    ] = None,
    plan: Annotated[bool, typer.Option("--plan", help="Show what it would read, ask and need, and stop.")] = False,
    until: Annotated[str | None, typer.Option(help="The last step to do.")] = None,
    archives: Annotated[
        Path | None, typer.Option(help="A folder with one folder an archive, as curation fetch --into fills it.")
    ] = None,
    limit: Limit = None,
    ray: Ray = None,
    json: Json = False,
) -> None:
    """Build a data set from its sources to the export."""
    from curation import recipe as recipes
    from curation import terminal

    wanted = recipes.load(recipe)
    if archives is not None:
        wanted = wanted.model_copy(update={"archives": archives.resolve()})
    if ray is not None:
        wanted = wanted.model_copy(update={"cluster": recipes.ClusterSection(address=ray)})
    if plan:
        from curation.plan import make_plan

        terminal.show_plan(make_plan(wanted, limit), json)
        return
    if not run:
        raise InputError("rebuild needs --run DIR, the directory where the run is kept, or --plan")
    from curation.pipeline import rebuild as rebuild_run

    terminal.show_rebuilt(rebuild_run(wanted, run, until=until, limit=limit, reporter=_reporter(json)), json)


@app.command()
def audit(
    dataset: Annotated[str, typer.Argument(help="A file, a folder or hub://owner/name; ./diff where it is called so.")],
    out: Annotated[Path, typer.Option(help="Where matches, summary and report go.")],
    against: Against = "matharena,livecodebench",
    column: Columns = None,
    fail_on: FailOn = None,
    selftest: Annotated[bool, typer.Option("--selftest", help="Plant canaries too and report what is found.")] = False,
    canaries: Canaries = 50,
    seed: Seed = 0,
    clean: Clean = None,
    semantic: Semantic = None,
    ray: Ray = None,
    confirm_server: ConfirmServer = None,
    confirm_model: ConfirmModel = None,
    confirm_prompt: ConfirmPrompt = None,
    json: Json = False,
) -> None:
    """Check a data set for contamination by benchmarks; change nothing."""
    from curation import terminal_audit
    from curation.contamination.audit import audit as audit_dataset
    from curation.contamination.match import MatchOptions
    from curation.contamination.selftest import Planting

    reporter = _reporter(json)
    with open_confirmer(confirm_server, confirm_model, confirm_prompt, out, reporter) as confirmer:
        result = audit_dataset(
            dataset,
            out,
            against=split_names(against),
            columns=tuple(column or ()),
            fail_on=tuple(fail_on or ()),
            reporter=reporter,
            options=MatchOptions(semantic=semantic),
            planting=Planting(canaries, seed, clean) if selftest else None,
            cluster=cluster_at(ray),
            confirmer=confirmer,
        )
    terminal_audit.show_audit(result, json)
    if result.failed:
        raise typer.Exit(1)


app.command("audit diff")(audit_diff)
app.command("audit selftest")(audit_selftest)


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
    from curation.report.curriculum import curriculum_of
    from curation.report.run_report import write_report

    run = open_run(directory)
    terminal.show_report(funnel_of(run), curriculum_of(run), write_report(run), json)


@app.command()
def doctor(json: Json = False) -> None:
    """Show what this machine has of what the program can use."""
    from curation import terminal
    from curation.doctor import examine

    terminal.show_checks(examine(), json)


@app.command("filter")
def filter_rows(
    source: Annotated[str, typer.Argument(metavar="IN", help="A file, a folder or hub://owner/name.")],
    kept: Annotated[Path, typer.Option("--out", help="The kept rows: .jsonl, .parquet or .csv.")],
    dropped: Annotated[Path, typer.Option(help="The dropped rows with reason, rule and span.")],
    skip_rule: Annotated[
        list[str] | None, typer.Option(help="A rule to leave out; may be given several times.")
    ] = None,
    language: Annotated[list[str] | None, typer.Option(help="A language to keep; en and zh by default.")] = None,
    own_rule: Annotated[list[str] | None, typer.Option(help="A Python file with one rule of your own.")] = None,
    check_answers: Annotated[
        bool, typer.Option("--check-answers", help="Drop a row whose answer cannot be told from a wrong one.")
    ] = False,
    limit: Limit = None,
    ray: Ray = None,
    json: Json = False,
) -> None:
    """Clean rows and drop those that no checker can decide, each with its reason."""
    from curation import terminal
    from curation.filters.files import filter_file
    from curation.recipe import filter_section

    given = {"skip_rules": skip_rule, "languages": language, "own_rules": own_rule}
    lists = {name: tuple(value) for name, value in given.items() if value}
    section = filter_section({**lists, "check_answers": check_answers})
    summary = filter_file(
        source, kept, dropped, section, limit=limit, workers=cluster_at(ray), reporter=_reporter(json)
    )
    terminal.show_filtered(summary, json)


@app.command("grade")
def grade_cases(
    cases: Annotated[str, typer.Argument(help="Rows with gold and pred, an answer or a whole response.")],
    out: Annotated[Path, typer.Option(help="The cases with verdict, path and why: .jsonl, .parquet or .csv.")],
    limit: Limit = None,
    ray: Ray = None,
    json: Json = False,
) -> None:
    """Compare answers: equal, different or unknown, and why."""
    from curation import terminal
    from curation.answers.files import grade_file

    summary = grade_file(cases, out, limit=limit, workers=cluster_at(ray), reporter=_reporter(json))
    terminal.show_graded(summary, json)


app.command("judge")(cli_judge.judge_submissions)
app.command("serve-reward")(cli_judge.serve_reward)
app.command("sample")(cli_models.sample)
app.command("select")(cli_models.select)
app.command("vote")(cli_models.vote)
app.command("vote calibrate")(cli_models.vote_calibrate)
app.command("label")(cli_label.label)
app.command("label agreement")(cli_label.label_agreement)
app.command("infer")(cli_infer.infer)
app.command("synthesis")(cli_infer.synthesis)
