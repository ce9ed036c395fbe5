"""Judging submissions on one row of a data set: ``data.jsonl#ID``.

A row has the export's column ``ground_truth``, or ``tests`` (a list of objects with ``input`` and ``output``) and
maybe ``checker``, ``time_limit_s`` and ``memory_limit_mb`` beside. ID is its ``id`` or ``problem_id``, else its number,
counted from 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from curation.errors import InputError
from curation.ingest.files import read_place
from curation.ingest.place import find_place
from curation.ingest.readers import BadRow
from curation.json_reader import JsonValue, as_text, dumps
from curation.judging.bench import Bench
from curation.judging.ground_truth import GroundTruth, read_ground_truth
from curation.judging.judge import judge_side_by_side
from curation.judging.layout import read_submission
from curation.judging.levels import Isolation
from curation.judging.limits import problem_limits
from curation.judging.named_checkers import NamedCheckers
from curation.judging.verdicts import Judgement
from curation.recipe import JudgeSection

_IDENTIFIERS = ("id", "problem_id")
_BESIDE = ("checker", "checker_source", "time_limit_s", "memory_limit_mb")


def judge_row(
    reference: str, submissions: Sequence[Path], *, store: Path | None = None, isolation: Isolation | None = None
) -> list[Judgement]:
    """Judge submissions on a row.

    Args:
        reference: the data set and the row, ``PLACE#ID``.
        submissions: source files, or directories that hold the files of one program each.
        store: a directory that keeps results, so that nothing runs twice.
        isolation: what holds programs; None for the strongest that the machine offers.

    Raises:
        InputError: there is no such row, it holds no tests, or a submission cannot be read.
        OutsideError: the machine isolates no program.
    """
    if not submissions:
        raise InputError(f"{reference} holds no submissions: name the programs to judge")
    truth = _truth(reference)
    programs = [read_submission(place) for place in submissions]
    settings = JudgeSection()
    sources = {} if truth.source is None else {truth.source.sha256: truth.source}
    with Bench(store, isolation) as bench:
        checker = next(bench.map(NamedCheckers(bench, sources).find, [truth.checker]))
        judged: list[Judgement] = []
        for program in programs:
            limits = problem_limits(truth.time_limit_s, truth.memory_limit_mb, program.language, settings)
            judged += judge_side_by_side(bench, [program], truth.tests, limits, checker)
        return judged


def _truth(reference: str) -> GroundTruth:
    place, _, wanted = reference.rpartition("#")
    for number, row in enumerate(read_place(find_place(place)), start=1):
        if isinstance(row, BadRow) or not isinstance(row.value, dict):
            continue
        own = next((as_text(row.value[name]) for name in _IDENTIFIERS if row.value.get(name) is not None), None)
        if (own or str(number)) == wanted:
            return read_ground_truth(_document(row.value, reference))
    raise InputError(f"{place} has no row {wanted!r}: give its id or problem_id, or its number counted from 1")


def _document(row: Mapping[str, JsonValue], reference: str) -> str:
    found = row.get("ground_truth")
    if isinstance(found, str):
        return str(found)
    tests = row.get("tests")
    if not isinstance(tests, list):
        raise InputError(f"{reference} has neither a column ground_truth nor a list of tests")
    filled = [{"kind": "stdio", **test} if isinstance(test, dict) else test for test in tests]
    return dumps({"tests": filled, **{name: row[name] for name in _BESIDE if name in row}})
