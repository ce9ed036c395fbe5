"""Writing the grown package: the old one with new secret tests, the report, the rewards and the ledger."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from curation import storage
from curation.errors import InputError
from curation.ingest.packages.polygon import add_tests
from curation.json_reader import dumps
from curation.judging.kill_groups import Rewards
from curation.judging.layout import is_polygon
from curation.judging.package_truth import REWARDS, package_ground_truth
from curation.judging.writing import Source
from curation.records import TestCase
from curation.testgen.answers import Rejected, write_ledger
from curation.testgen.grown import Grown

REPORT = "testgen.json"
LEDGER = "testgen_rejected.jsonl"
GROUND_TRUTH = "ground_truth.json"
WRITTEN = "testgen_written"
"""The folder of programs that a writer made: evidence, which nothing runs again."""


def check_place(problem: Path, out: Path) -> None:
    """Refuse a place for the new package that holds something else.

    Raises:
        InputError: it is the problem itself, inside it or around it, or a directory that is no earlier result.
    """
    here, there = problem.resolve(), out.resolve()
    if here == there or here in there.parents or there in here.parents:
        raise InputError(f"--out {out} must lie beside {problem}, not be it, hold it or lie in it")
    if out.is_dir() and any(out.iterdir()) and not (out / REPORT).is_file():
        raise InputError(f"--out {out} holds something else: name a new directory")


def write_package(
    problem: Path,
    out: Path,
    tests: Sequence[TestCase],
    grown: Grown,
    rewards: Rewards,
    ledger: Sequence[Rejected],
    written: Sequence[tuple[str, Source]] = (),
) -> None:
    """Write the new package, whole or not at all.

    Raises:
        InputError: it cannot be written.
    """
    with storage.atomic_directory(out) as place:
        shutil.copytree(problem, place, dirs_exist_ok=True)
        names = _write_tests(place, tests)
        storage.write_text(place / REPORT, dumps({**asdict(grown), "out": str(out)}) + "\n")
        storage.write_text(place / REWARDS, dumps(_renamed(rewards, names)) + "\n")
        write_ledger(place / LEDGER, ledger)
        _write_ground_truth(place)
        for name, source in written:
            suffix = ".py" if source.language.startswith(("python", "pypy")) else ".cpp"
            storage.write_text(place / WRITTEN / f"{name}-{source.sha256[:8]}{suffix}", source.code)


def _write_ground_truth(place: Path) -> None:
    """Write what a code reward reads; a package that one document cannot hold goes without."""
    try:
        document = package_ground_truth(place)
    except InputError:
        return
    storage.write_text(place / GROUND_TRUTH, document + "\n")


def _write_tests(place: Path, tests: Sequence[TestCase]) -> dict[str, str]:
    """Write tests into a package; return the names under which a reader finds them, by their own."""
    if is_polygon(place):
        return dict(zip((t.name for t in tests), add_tests(place, [(t.input, t.output) for t in tests]), strict=True))
    secret = place / "data" / "secret" / "testgen"
    secret.mkdir(parents=True, exist_ok=True)
    for test in tests:
        (secret / f"{test.name}.in").write_bytes(test.input.encode(errors="surrogateescape"))
        (secret / f"{test.name}.ans").write_bytes(test.output.encode(errors="surrogateescape"))
    return {test.name: f"secret/testgen/{test.name}" for test in tests}


def _renamed(rewards: Rewards, names: Mapping[str, str]) -> dict[str, object]:
    """Return the rewards with the tests' names as a package reader gives them."""
    groups = [{**asdict(group), "tests": [names.get(name, name) for name in group.tests]} for group in rewards.groups]
    return {"groups": groups, "trivial": rewards.trivial}
