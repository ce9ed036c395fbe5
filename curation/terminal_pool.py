"""What the commands about a response pool print."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING

from curation.terminal import print_json, print_table

if TYPE_CHECKING:
    from curation.llm.pool_compact import Compacted
    from curation.llm.pool_merge import Merged
    from curation.llm.pool_verify import Defect, Verified


def show_verified(verified: Verified, json: bool) -> None:
    """Print what a pool holds and what is wrong with it."""
    if json:
        print_json(verified)
        return
    counts = ("parts", "responses", "imported", "waiting")
    print_table("Read", (*counts, "defects"), [(*(getattr(verified, name) for name in counts), len(verified.defects))])
    _show("Defects", verified.defects)
    _show("Put right when the pool is opened next", verified.notes)


def _show(title: str, defects: Sequence[Defect]) -> None:
    if defects:
        print_table(title, ("file", "what", "count"), [dataclasses.astuple(defect) for defect in defects])


def show_merged(merged: Merged, json: bool) -> None:
    """Print what a merge brought, and what stands differently under one key."""
    if json:
        print_json(merged)
        return
    counts = ("read", "added", "known", "verdicts", "conflicts")
    print_table("Merged", counts, [[getattr(merged, name) for name in counts]])
    if merged.shown:
        rows = [dataclasses.astuple(conflict) for conflict in merged.shown]
        print_table("Not taken over", ("pool", "response_id", "problem_id", "differs in"), rows)


def show_compacted(compacted: Sequence[Compacted], json: bool) -> None:
    """Print the parts of each table before and after."""
    if json:
        print_json(compacted)
        return
    rows = [dataclasses.astuple(table) for table in compacted]
    print_table("Parts", ("table", "before", "after", "rows rewritten"), rows)
