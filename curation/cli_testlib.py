"""The commands ``curation testlib ...``; `curation.cli` hangs them in."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curation.errors import InputError
from curation.progress import Silent

if TYPE_CHECKING:
    from curation.judging.testlib import Toolchain

testlib_app = typer.Typer(
    no_args_is_help=True,
    help="Compile and run testlib checkers, validators, generators and interactors in the sandbox.",
)

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of lines.")]
HeaderPath = Annotated[str, typer.Option("--header", help="A testlib.h: a path or hub://owner/repo/file@revision.")]
HeaderHash = Annotated[str | None, typer.Option("--header-sha256", help="The hash that the header must have.")]
Testset = Annotated[str | None, typer.Option(help="The name of the test set that the program is told.")]
Group = Annotated[str | None, typer.Option(help="The name of the test group that the program is told.")]
InputFile = Annotated[Path, typer.Argument(help="The test's input.")]
AnswerFile = Annotated[Path, typer.Argument(help="The test's answer.")]

_PINNED = "testlib.h"


@testlib_app.command("check")
def check(
    checker: Annotated[Path, typer.Argument(help="The checker's source, or checkers:NAME for a bundled one.")],
    given: InputFile,
    output: Annotated[Path, typer.Argument(help="What a submission wrote.")],
    answer: AnswerFile,
    testset: Testset = None,
    group: Group = None,
    header: HeaderPath = _PINNED,
    header_sha256: HeaderHash = None,
    json: Json = False,
) -> None:
    """Run a checker on an output; exit code 1 where it is not accepted, 3 where the checker itself fails."""
    from curation import terminal

    with _toolchain(header, header_sha256) as tools:
        program = tools.compile(_source(checker))
        judged = tools.check(program, _read(given), _read(output), _read(answer), testset=testset, group=group)
    terminal.show_fields(judged, json)
    if judged.verdict != "AC":
        raise typer.Exit(3 if judged.verdict == "JE" else 1)


@testlib_app.command("validate")
def validate(
    validator: Annotated[Path, typer.Argument(help="The validator's source.")],
    given: Annotated[Path, typer.Argument(help="The input.")],
    testset: Testset = None,
    group: Group = None,
    header: HeaderPath = _PINNED,
    header_sha256: HeaderHash = None,
    json: Json = False,
) -> None:
    """Run a validator on an input and show which bounds it hits; exit code 1 where the input is not valid."""
    from curation import terminal

    with _toolchain(header, header_sha256) as tools:
        validation = tools.validate(tools.compile(validator), _read(given), testset=testset, group=group)
    terminal.show_fields(validation, json)
    if validation.is_valid is not True:
        raise typer.Exit(3 if validation.is_valid is None else 1)


@testlib_app.command("generate", context_settings={"ignore_unknown_options": True})
def generate(
    generator: Annotated[Path, typer.Argument(help="The generator's source.")],
    out: Annotated[Path, typer.Option(help="Where the input goes.")],
    arguments: Annotated[
        list[str] | None, typer.Argument(help="Its command line, which is the seed; after -- where it has options.")
    ] = None,
    header: HeaderPath = _PINNED,
    header_sha256: HeaderHash = None,
) -> None:
    """Run a generator and write the input that it makes."""
    from curation import storage

    with _toolchain(header, header_sha256) as tools:
        generated = tools.generate(tools.compile(generator), arguments or [])
    if generated.content is None:
        raise InputError(f"{generator}: {generated.message}")
    with storage.atomic_file(out) as temporary:
        temporary.write_bytes(generated.content)


@testlib_app.command("interact")
def interact(
    interactor: Annotated[Path, typer.Argument(help="The interactor's source.")],
    submission: Annotated[Path, typer.Argument(help="The program that talks to it.")],
    given: InputFile,
    answer: AnswerFile,
    checker: Annotated[Path | None, typer.Option(help="The checker of what the interactor writes down.")] = None,
    time_limit: Annotated[float, typer.Option(min=0.1, help="CPU seconds of the submission.")] = 10.0,
    memory_limit: Annotated[int, typer.Option(min=4, help="MiB of the submission.")] = 1024,
    header: HeaderPath = _PINNED,
    header_sha256: HeaderHash = None,
    json: Json = False,
) -> None:
    """Let a submission talk to an interactor; exit code 1 where it is not accepted, 3 where the interactor fails."""
    from curation import terminal
    from curation.judging import Limits
    from curation.judging.layout import read_submission

    program = read_submission(submission)
    with _toolchain(header, header_sha256) as tools:
        judgement = tools.interact(
            tools.compile(interactor),
            program,
            _read(given),
            _read(answer),
            Limits(time_limit, memory_limit),
            None if checker is None else tools.compile(_source(checker)),
        )
    terminal.show_judgements([judgement], json)
    if judgement.verdict != "AC":
        raise typer.Exit(3 if judgement.verdict == "JE" else 1)


def _toolchain(reference: str, sha256: str | None) -> Toolchain:
    from curation import assets
    from curation.judging.testlib import Toolchain, locate_header

    header = locate_header(reference, Path.cwd(), Silent(), sha256)
    return Toolchain(header, assets.home() / "testlib")


def _source(path: Path) -> Path:
    from curation import bundled

    kind, mark, name = str(path).partition(":")
    return bundled.find("checkers", name, ".cpp") if mark and kind == "checkers" else path


def _read(path: Path) -> bytes:
    try:
        return sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror})") from None
