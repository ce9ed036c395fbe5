"""The section of a data-set card that says how much an audit with its benchmarks finds, where a self-test was done."""

from __future__ import annotations

from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from curation.contamination.selftest_result import SELFTEST_FILE, CanaryResult, CleanResult, SelftestResult
from curation.errors import InputError

AUDIT = "audit"
"""Where in a run directory an audit of its export is looked for."""


def selftest_section(places: tuple[Path, ...]) -> str:
    """Return the section as Markdown; empty where none of the directories holds a self-test.

    Args:
        places: directories to look in, the first one that has a result counts.

    Raises:
        InputError: the result is damaged.
    """
    path = next((place / SELFTEST_FILE for place in places if (place / SELFTEST_FILE).is_file()), None)
    if path is None:
        return ""
    try:
        result = TypeAdapter(SelftestResult).validate_json(path.read_bytes())
    except ValidationError as error:
        raise InputError(
            f"{path} is no self-test ({error.errors()[0]['msg']}): run `curation audit selftest` again"
        ) from None
    items = sum(int(str(one["items"])) for one in result.benchmarks)
    named = ", ".join(f"{one['name']} ({str(one['revision'] or one['fingerprint'])[:12]})" for one in result.benchmarks)
    about = (
        f"Canaries made by machine from {items:,} items of {len(result.benchmarks)} benchmarks (seed {result.seed}), "
        "planted in copies of rows and looked for as an audit does. Intervals are Wilson's, 95 %."
    )
    lines = [
        "## Contamination self-test",
        "",
        about,
        "",
        "| canary | planted | found | recall | interval |",
        "|---|---|---|---|---|",
        *(_row(one.kind, one.planted, one.found, one.recall, one) for one in result.canaries),
        "",
        "| clean texts | looked at | with a hit | rate | interval |",
        "|---|---|---|---|---|",
        *(_row(f"{one.name}: {one.what}", one.texts, one.hit, one.rate, one) for one in result.clean),
        "",
        f"Not planted: {'; '.join(f'{name} ({reason})' for name, reason in result.not_planted.items())}.",
        "",
        f"Benchmarks: {named}.",
    ]
    if result.semantic_model is not None:
        lines += ["", f"An embedding model proposed reworded items too: {result.semantic_model}."]
    if result.not_checked:
        lines += ["", f"Not checked: {', '.join(str(one['name']) for one in result.not_checked)}."]
    return "\n".join(lines) + "\n"


def _row(name: str, whole: int, part: int, share: float | None, ends: CanaryResult | CleanResult) -> str:
    def percent(value: float | None) -> str:
        return "–" if value is None else f"{100 * value:.1f} %"

    cell = name.replace("|", "\\|")
    return f"| {cell} | {whole:,} | {part:,} | {percent(share)} | {percent(ends.low)} to {percent(ends.high)} |"
