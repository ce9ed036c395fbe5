"""What commands print: Rich tables for people, one JSON document for scripts."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from curation.json_reader import dumps

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    # Only the annotations need these; importing the pipeline takes seconds.
    from curation.answers.files import GradeSummary
    from curation.doctor import Check
    from curation.explain import Event, Story
    from curation.export.hub import PushResult
    from curation.filters.files import FilterSummary
    from curation.funnel import Funnel
    from curation.ingest.fetch.archive import Fetched
    from curation.judging import Judgement
    from curation.llm.pool_import import Imported
    from curation.pipeline import Rebuilt
    from curation.plan import Plan
    from curation.report.curriculum import Curriculum, Share

_LONG = 300
_COLUMNS_OF_A_FILE = 160


def print_json(value: object) -> None:
    """Print one JSON document; dataclasses, frames and paths become objects, lists and text."""
    Console(soft_wrap=True).print(dumps(_plain(value)), markup=False, highlight=False)


def _plain(value: object) -> object:
    if isinstance(value, pl.DataFrame):
        return [_plain(row) for row in value.to_dicts()]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Sequence | frozenset | set) and not isinstance(value, str):
        return [_plain(item) for item in value]
    return value


def print_table(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print rows as a table; numbers are set flush right, whatever the rows hold is escaped."""
    table = Table(title=title, title_justify="left", title_style="bold", header_style="")
    shown = [list(row) for row in rows]
    for place, column in enumerate(columns):
        numeric = bool(shown) and all(isinstance(row[place], int | float) or row[place] is None for row in shown)
        table.add_column(escape(column), justify="right" if numeric else "left", overflow="fold")
    for row in shown:
        table.add_row(*[escape(_cell(value)) for value in row])
    _wide_console().print(table)


def _wide_console() -> Console:
    console = Console()
    # A file or pipe has no width of its own, and eighty columns break names apart.
    return console if console.is_terminal else Console(width=_COLUMNS_OF_A_FILE)


def _cell(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.3g}"
    return str(value)


def print_frame(title: str, frame: pl.DataFrame) -> None:
    """Print a frame as a table."""
    print_table(title, frame.columns, frame.rows())


def show_funnel(funnel: Funnel) -> None:
    """Print rows in, kept and dropped: by step, by reason and by source."""
    print_frame("Steps", funnel.steps)
    print_frame("Dropped, by reason", funnel.reasons)
    print_frame("Sources", funnel.sources)


def show_rebuilt(rebuilt: Rebuilt, json: bool) -> None:
    """Print the funnel of a rebuild, where its export is, and how to load it."""
    if json:
        document = {"run": rebuilt.run.directory, "export": rebuilt.export, "report": rebuilt.report}
        findings = {record.name: record.findings for record in rebuilt.run.records}
        print_json({**document, "funnel": rebuilt.funnel, "findings": findings})
        return
    show_funnel(rebuilt.funnel)
    console = Console(soft_wrap=True)
    for note in rebuilt.run.recipe.notes:
        console.print(f"Note: {note}", markup=False, highlight=False)
    console.print(f"\nReport: {rebuilt.report}", markup=False, highlight=False)
    if rebuilt.export is None:
        done = rebuilt.run.records[-1].name
        console.print(f"Stopped after {done}; the same command without --until goes on.", markup=False, highlight=False)
        return
    console.print(f"Export: {rebuilt.export}\n\nLoad it with\n", markup=False, highlight=False)
    lines = (
        "from datasets import load_dataset",
        f'stage1 = load_dataset("{rebuilt.export}", "stage1", split="train")',
        'print(stage1[0]["conversation"], stage1[0]["ground_truth"])',
    )
    for line in lines:
        console.print(f"    {line}", markup=False, highlight=False)


def show_report(funnel: Funnel, curriculum: Curriculum, report: Path, json: bool) -> None:
    """Print a run's funnel, its curriculum and where its report is."""
    if json:
        print_json({"report": report, "funnel": funnel, "curriculum": curriculum})
        return
    show_funnel(funnel)
    show_curriculum(curriculum)
    Console(soft_wrap=True).print(f"\nReport: {report}", markup=False, highlight=False)


def show_curriculum(curriculum: Curriculum) -> None:
    """Print how hard a run's problems are, what a majority vote answers, and counts beside published ones."""
    rows = [
        (
            row.group,
            row.problems,
            row.mean,
            row.never,
            row.always,
            row.selected["stage1"],
            row.selected["stage2"],
            _part(row.majority),
            _part(row.stage1_majority),
        )
        for row in curriculum.groups
    ]
    titles = ("group", "problems", "mean accuracy", "never right", "always", "stage 1", "stage 2", "majority right")
    if rows:
        print_table("Curriculum, by the response pool", (*titles, "of stage 1"), rows)
    names = ("before", "stage1", "stage2")
    counts = [
        (row.group, *(cell for name in names for cell in (row.here.get(name), row.published[name])))
        for row in curriculum.published
    ]
    if counts:
        columns = [title for name in ("before filtering", "stage 1", "stage 2") for title in (name, "published")]
        print_table("Beside the published counts", ("group", *columns), counts)


def _part(share: Share) -> str:
    return "–" if share.value is None else f"{share.part:,} of {share.whole:,} ({100 * share.value:.1f} %)"


def show_story(story: Story, json: bool) -> None:
    """Print what every step did with one row."""
    if json:
        print_json(story)
        return
    console = Console(soft_wrap=True)
    console.print(Text(story.problem_id, style="bold"))
    for name in ("source", "group", "licence", "url", "contest", "year", "statement", "answer"):
        value = (story.problem or {}).get(name)
        if value is not None:
            console.print(f"  {name}: {value}", markup=False, highlight=False)
    for event in story.events:
        _show_event(event, console)


def _show_event(event: Event, console: Console) -> None:
    console.print(Text(f"{event.step}: {event.outcome}", style="bold"))
    if event.rule is not None:
        console.print(f"  rule {event.rule}: {event.reason}", markup=False, highlight=False)
    if event.evidence:
        console.print(f"  evidence: {_short(dumps(event.evidence))}", markup=False, highlight=False)
    for name, (old, new) in event.columns.items():
        console.print(f"  {name}: {_short(str(old))}\n    -> {_short(str(new))}", markup=False, highlight=False)
    for table, rows in event.rows.items():
        console.print(f"  {table}: {len(rows)} rows", markup=False, highlight=False)
        for row in rows[:8]:
            told = {key: value for key, value in row.items() if key != "problem_id" and value is not None}
            console.print(f"    {_short(dumps(_plain(told)))}", markup=False, highlight=False)


def _short(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[:_LONG]} ... ({len(text):,} characters)"


def show_checks(checks: Sequence[Check], json: bool) -> None:
    """Print what this machine has and lacks."""
    if json:
        print_json(checks)
        return
    rows = [(check.name, check.status, check.detail, check.needed_for, check.remedy) for check in checks]
    print_table("This machine", ("what", "status", "found", "needed for", "what to do"), rows)


def show_plan(plan: Plan, json: bool) -> None:
    """Print what a rebuild would read, ask and need."""
    if json:
        print_json(plan)
        return
    sources = [(row.name, row.address, row.revision, row.licence, row.expected_rows, row.ready) for row in plan.sources]
    print_table("Sources", ("source", "address", "revision", "licence", "rows", "state"), sources)
    groups = [(row.group, row.expected_rows, row.before, row.stage1, row.stage2) for row in plan.groups]
    columns = ("group", "rows in the sources", "published: before filtering", "stage 1", "stage 2")
    print_table("Groups, beside the published counts", columns, groups)
    work = [(row.step, row.model, row.problems, row.requests, row.tokens, row.gpu_hours) for row in plan.model_work]
    print_table("Model work (upper bound)", ("step", "model", "problems", "requests", "tokens", "GPU hours"), work)
    print_table("Space", ("what", "GiB"), [(name, size) for name, size in plan.space_gib.items()])
    if plan.missing:
        print_table("This machine lacks", ("what", "what to do"), plan.missing)
    console = Console(soft_wrap=True)
    for note in plan.notes:
        console.print(f"Note: {note}", markup=False, highlight=False)


def show_push(result: PushResult, json: bool) -> None:
    """Print what a push sent, or would send."""
    if json:
        print_json(result)
        return
    rows = [(file.path, file.bytes, file.rows, file.sha256[:12]) for file in result.files]
    print_table("Files", ("path", "bytes", "rows", "sha256"), rows)
    console = Console(soft_wrap=True)
    if result.dry_run:
        console.print("The card:\n", markup=False, highlight=False)
        console.print(result.card, markup=False, highlight=False)
        line = f"Nothing was sent to {result.repository}; its files as they would stand: {result.written}"
        console.print(line, markup=False, highlight=False)
        return
    for path in result.deleted:
        console.print(f"deleted: {path}", markup=False, highlight=False)
    console.print(f"Pushed and compared: {result.url}", markup=False, highlight=False)


def show_filtered(summary: FilterSummary, json: bool) -> None:
    """Print what a filter kept and dropped."""
    if json:
        print_json(summary)
        return
    print_table("Dropped", ("reason", "rows"), Counter(summary.reasons).most_common())
    console = Console(soft_wrap=True)
    line = f"{summary.kept:,} of {summary.rows:,} rows kept, {summary.cleaned:,} of them cleaned"
    console.print(f"{line}; {summary.dropped:,} dropped", markup=False, highlight=False)


def show_graded(summary: GradeSummary, json: bool) -> None:
    """Print how many cases got each verdict, and what decided."""
    if json:
        print_json(summary)
        return
    print_table("Verdicts", ("verdict", "cases"), Counter(summary.verdicts).most_common())
    print_table("Decided by", ("path", "cases"), Counter(summary.paths).most_common())
    console = Console(soft_wrap=True)
    for location, reason in summary.bad:
        console.print(f"not graded: {location}: {reason}", markup=False, highlight=False)


def show_judgements(judgements: Sequence[Judgement], json: bool) -> None:
    """Print the verdict of each submission and its first test that is not accepted."""
    if json:
        print_json(judgements)
        return
    rows = []
    for judgement in judgements:
        bad = next((test for test in judgement.tests if test.verdict != "AC"), None)
        why = judgement.message or (f"{bad.name}: {bad.message or bad.verdict}" if bad else "")
        slowest = max((test.cpu_s for test in judgement.tests), default=0.0)
        largest = max((test.memory_mb for test in judgement.tests), default=0.0)
        done = f"{sum(test.verdict == 'AC' for test in judgement.tests)} of {len(judgement.tests)}"
        rows.append((judgement.submission, judgement.verdict, judgement.score, done, slowest, largest, why))
    columns = ("submission", "verdict", "score", "tests accepted", "slowest, CPU s", "memory, MiB", "why")
    print_table("Verdicts", columns, rows)
    levels = sorted({judgement.isolation for judgement in judgements})
    Console(soft_wrap=True).print(f"Isolation: {', '.join(levels)}", markup=False, highlight=False)


def show_fields(value: DataclassInstance, json: bool) -> None:
    """Print a record, one line a field that is not empty."""
    if json:
        print_json(value)
        return
    console = Console(soft_wrap=True)
    for field in dataclasses.fields(value):
        content = getattr(value, field.name)
        if content not in (None, "", ()):
            shown = dumps(_plain(content)) if isinstance(content, tuple) else _cell(content)
            console.print(f"{field.name.replace('_', ' ')}: {shown}", markup=False, highlight=False)


def show_fetched(results: Sequence[Fetched], json: bool) -> None:
    """Print what came of each archive's files."""
    if json:
        print_json(results)
        return
    outcomes = sorted({outcome for result in results for outcome in result.outcomes})
    rows = [[result.source, *(result.outcomes[outcome] for outcome in outcomes), result.folder] for result in results]
    print_table("Archives", ["source", *outcomes, "folder"], rows)
    for result in results:
        for note in result.notes:
            Console(soft_wrap=True).print(f"{result.source}: {note}", markup=False, highlight=False)


def show_counts(title: str, counts: pl.DataFrame, json: bool) -> None:
    """Print a frame of counts."""
    if json:
        print_json(counts)
        return
    print_frame(title, counts)


def show_imported(imported: Imported, json: bool) -> None:
    """Print what an import brought."""
    if json:
        print_json(imported)
        return
    console = Console(soft_wrap=True)
    verdicts = f"{imported.right:,} right, {imported.wrong:,} wrong, {imported.unknown:,} unknown by the log"
    line = f"{imported.responses:,} responses in {imported.rows:,} rows, {imported.new:,} of them new; {verdicts}"
    console.print(line, markup=False, highlight=False)
    for location, reason in imported.skipped:
        console.print(f"  skipped {location}: {reason}", markup=False, highlight=False)
