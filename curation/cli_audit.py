"""The commands about contamination besides ``curation audit`` itself; `curation.cli` hangs them in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from curation.errors import InputError
from curation.progress import OnConsole, Reporter, Silent

if TYPE_CHECKING:
    from curation.contamination.confirmation import Confirmer

benchmarks_app = typer.Typer(no_args_is_help=True, help="List, pull and add benchmarks that an audit checks against.")

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of tables.")]
Against = Annotated[str, typer.Option(help="Benchmarks, groups or files, with commas between them.")]
Columns = Annotated[list[str] | None, typer.Option(help="A text column; may be given several times.")]
FailOn = Annotated[list[str] | None, typer.Option(help="A kind of match that makes the exit code 1, or any.")]
Canaries = Annotated[int, typer.Option(min=1, help="Canaries of each kind at most.")]
Seed = Annotated[int, typer.Option(help="The seed of every choice.")]
Semantic = Annotated[
    str | None,
    typer.Option(metavar="[MODEL]", help="Let an embedding model propose too: a name on the Hub, a folder, a package."),
]
ConfirmServer = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        help="Ask a model of an OpenAI-compatible server about reworded and translated hits; all stay, with its word.",
    ),
]
ConfirmModel = Annotated[str | None, typer.Option(metavar="NAME", help="Its name.")]
ConfirmPrompt = Annotated[
    str | None, typer.Option(metavar="TEMPLATE", help="Its prompt, with row and item; same_problem by default.")
]
Clean = Annotated[str | None, typer.Option(help="A data set known to hold none of the benchmarks.")]


def split_names(against: str) -> tuple[str, ...]:
    """Return the entries of ``--against``."""
    return tuple(part for part in against.split(",") if part)


@contextmanager
def open_confirmer(
    server: str | None, model: str | None, prompt: str | None, out: Path, reporter: Reporter
) -> Iterator[Confirmer | None]:
    """Open who is asked about proposed hits; None where no server is given.

    Raises:
        InputError: of server and model only one is given, or the prompt cannot be used.
    """
    if server is None:
        if model or prompt:
            raise InputError("--confirm-model and --confirm-prompt need --confirm-server URL beside them")
        yield None
        return
    if model is None:
        raise InputError("--confirm-server needs --confirm-model NAME: which model answers")
    from curation.llm.confirmation import confirmation_recipe, confirming

    with confirming(confirmation_recipe(server, model, prompt), out / "confirmations", reporter) as confirmer:
        yield confirmer


def audit_selftest(
    dataset: Annotated[str, typer.Argument(help="A file, a folder or hub://owner/name; its rows lend their texts.")],
    out: Annotated[Path, typer.Option(help="Where selftest.json goes.")],
    against: Against = "matharena,livecodebench",
    column: Columns = None,
    canaries: Canaries = 50,
    seed: Seed = 0,
    clean: Clean = None,
    semantic: Semantic = None,
    json: Json = False,
) -> None:
    """Plant canaries of every kind in copies of rows and print how many an audit finds, with intervals."""
    from curation import terminal_audit
    from curation.contamination.match import MatchOptions
    from curation.contamination.selftest import Planting, selftest
    from curation.contamination.selftest_result import SELFTEST_FILE

    result = selftest(
        dataset,
        out,
        split_names(against),
        tuple(column or ()),
        _reporter(json),
        planting=Planting(canaries, seed, clean),
        options=MatchOptions(semantic=semantic),
    )
    terminal_audit.show_selftest(result, str(out / SELFTEST_FILE), json)


def audit_diff(
    before: Annotated[Path, typer.Argument(help="The directory of an audit.")],
    after: Annotated[Path, typer.Argument(help="The directory of a later one.")],
    fail_on: FailOn = None,
    json: Json = False,
) -> None:
    """Compare two audits: hits that appeared, vanished or changed kind; exit code 1 where new ones are in --fail-on."""
    from curation import terminal_audit
    from curation.contamination.diff import compare_audits

    diff = compare_audits(before, after, tuple(fail_on or ()))
    terminal_audit.show_diff(diff, json)
    if diff.failed:
        raise typer.Exit(1)


@benchmarks_app.command("list")
def benchmarks_list(json: Json = False) -> None:
    """Show every benchmark: items, date, licence, revision, and whether its copy is here and whole."""
    from curation import terminal_audit
    from curation.contamination.pulled import listed

    terminal_audit.show_benchmarks(listed(), json)


@benchmarks_app.command("pull")
def benchmarks_pull(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME...", help="Benchmarks or groups.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="All that can be pulled.")] = False,
    json: Json = False,
) -> None:
    """Fetch benchmarks from the Hub, so that audits need no network; exit code 3 where one failed."""
    from curation import terminal_audit
    from curation.contamination.pulled import pull, pullable

    if bool(names) == everything:
        raise InputError("name benchmarks to pull, or give --all")
    pulls = pull(list(names or pullable()), _reporter(json))
    terminal_audit.show_pulls(pulls, json)
    if any(one.state == "failed" for one in pulls):
        raise typer.Exit(3)


@benchmarks_app.command("add")
def benchmarks_add(
    source: Annotated[str, typer.Argument(help="A file, a folder or hub://owner/name[@revision].")],
    name: Annotated[str, typer.Option(help="What it is called.")],
    problem: Annotated[str | None, typer.Option(help="The column of the problem.")] = None,
    answer: Annotated[str | None, typer.Option(help="The column of the answer.")] = None,
    identifier: Annotated[str | None, typer.Option("--id", help="The column of the identifier.")] = None,
    licence: Annotated[str | None, typer.Option(help="Its licence.")] = None,
    contest: Annotated[str | None, typer.Option(help="Contest and year, as in hmmt-feb-2025.")] = None,
    into: Annotated[Path | None, typer.Option(help="The directory of the registry file; your own by default.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Take the place of one of yours of that name.")] = False,
    json: Json = False,
) -> None:
    """Register a benchmark of your own."""
    from curation import terminal_audit
    from curation.contamination.own_benchmarks import add
    from curation.contamination.registry import ItemColumns

    if problem is None and (answer or identifier):
        raise InputError("--answer and --id need --problem beside them: name all columns, or none")
    columns = ItemColumns(problem=problem, answer=answer, id=identifier) if problem else None
    added = add(source, name, columns, licence=licence, contest=contest, into=into, replace=replace)
    terminal_audit.show_added(added, json)


def _reporter(json: bool) -> Reporter:
    return Silent() if json else OnConsole(Console(stderr=True))
