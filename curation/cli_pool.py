"""The commands about a response pool; `curation.cli` hangs them in."""

from __future__ import annotations

from typing import Annotated

import typer

from curation.errors import InputError

pool_app = typer.Typer(no_args_is_help=True, help="Look into response pools, fill, merge, verify and compact them.")

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of tables.")]


@pool_app.command("stats")
def pool_stats(
    pool: Annotated[str, typer.Argument(help="The pool: RUN/pool of a run, or an address like s3://bucket/pool.")],
    by: Annotated[str, typer.Option(help="Count by model or by problem.")] = "model",
    json: Json = False,
) -> None:
    """Count the responses of a pool."""
    from curation import terminal
    from curation.llm.places import pool_path
    from curation.llm.pool import stats

    if by not in ("model", "problem"):
        raise InputError(f"--by {by}: count by model or by problem")
    terminal.show_counts("Responses", stats(pool_path(pool), "model" if by == "model" else "problem"), json)


@pool_app.command("import")
def pool_import(
    log: Annotated[str, typer.Argument(help="A graded log in JSON lines, plain or compressed.")],
    pool: Annotated[str, typer.Option(help="The pool to add to.")],
    model: Annotated[str, typer.Option(help="The name under which the responses stand in the pool.")],
    revision: Annotated[str, typer.Option(help="The model's revision, where it is known.")] = "",
    problem_column: Annotated[str, typer.Option(help="The question.")] = "question",
    response_column: Annotated[str, typer.Option(help="A response or a list of them.")] = "code",
    score_column: Annotated[str | None, typer.Option(help="Right or wrong, beside the responses.")] = "score",
    finish_reason_column: Annotated[str | None, typer.Option(help="How each response ended.")] = None,
    id_column: Annotated[str | None, typer.Option(help="The problem's identifier.")] = None,
    answer_column: Annotated[str | None, typer.Option(help="The right answer.")] = None,
    json: Json = False,
) -> None:
    """Add the responses of a log to a pool; engine replay answers from it."""
    from curation import terminal
    from curation.llm.places import pool_path
    from curation.llm.pool_import import LogColumns, import_log

    columns = LogColumns(
        problem_column, response_column, score_column or None, finish_reason_column, id_column, answer_column
    )
    terminal.show_imported(
        import_log(pool_path(log), pool_path(pool), model=model, revision=revision, columns=columns), json
    )


@pool_app.command("verify")
def pool_verify(
    pool: Annotated[str, typer.Argument(help="The pool; nothing in it is changed.")],
    json: Json = False,
) -> None:
    """Read a pool through; exit code 1 names the parts that are damaged, and what is wrong."""
    from curation import terminal_pool
    from curation.llm.places import pool_path
    from curation.llm.pool_verify import verify

    verified = verify(pool_path(pool))
    terminal_pool.show_verified(verified, json)
    if verified.defects:
        raise typer.Exit(1)


@pool_app.command("merge")
def pool_merge(
    pools: Annotated[list[str], typer.Argument(help="Pools, which stay as they are.")],
    into: Annotated[str, typer.Option(help="The pool to add to; it may be new.")],
    json: Json = False,
) -> None:
    """Merge pools into one, each key once; exit code 1 where two of them say something else under one key."""
    from curation import terminal_pool
    from curation.llm.places import pool_path
    from curation.llm.pool_merge import merge

    merged = merge([pool_path(pool) for pool in pools], pool_path(into))
    terminal_pool.show_merged(merged, json)
    if merged.conflicts:
        raise typer.Exit(1)


@pool_app.command("compact")
def pool_compact(
    pool: Annotated[str, typer.Argument(help="The pool; others may read and fill it meanwhile.")],
    part_megabytes: Annotated[int, typer.Option(min=1, help="How large a new part may be.")] = 2048,
    json: Json = False,
) -> None:
    """Put the parts of a pool together into few; killed at any moment, nothing is lost."""
    from curation import terminal_pool
    from curation.llm.places import pool_path
    from curation.llm.pool_compact import compact

    terminal_pool.show_compacted(compact(pool_path(pool), part_megabytes << 20), json)
