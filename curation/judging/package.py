"""Judging submissions on a problem package."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from curation.errors import InputError
from curation.judging import comparison, languages, testlib
from curation.judging.bench import Bench
from curation.judging.calibration import Calibration, calibrate
from curation.judging.compilation import Refused, prepare
from curation.judging.conversation import Interactive
from curation.judging.groups import share
from curation.judging.judge import Checkers, judge_side_by_side
from curation.judging.layout import Package, own_programs, read_package, read_submission
from curation.judging.levels import Isolation
from curation.judging.limits import Limits
from curation.judging.passes import MultiPass
from curation.judging.testlib import compile_program, locate_header
from curation.judging.trial import Checker
from curation.judging.validators import Validator
from curation.judging.verdicts import Judgement
from curation.progress import Silent

_GENEROUS_S = 60.0
"""The limit under which accepted programs show how long they take."""

_UNKNOWN_S = 10.0
"""The limit where none is stated and no accepted program shows one."""


def judge_package(
    path: Path,
    submissions: Sequence[Path] = (),
    *,
    store: Path | None = None,
    isolation: Isolation | None = None,
    on_calibration: Callable[[Calibration], None] | None = None,
) -> list[Judgement]:
    """Judge submissions on a problem package.

    Args:
        path: the package's directory.
        submissions: source files, or directories that hold the files of one program each; none for those in the
            package's ``submissions``.
        store: a directory that keeps results, so that nothing runs twice.
        isolation: what holds programs; None for the strongest that the machine offers.
        on_calibration: scale a stated time limit by what the package's accepted submissions take here, and tell how;
            None to take it as stated.

    Returns:
        one judgement a submission, in order. A scoring problem's verdict is ``PARTIAL`` for some but not all points.

    Raises:
        InputError: the package or a submission cannot be read, or the package is of a kind that cannot be judged.
        OutsideError: the machine isolates no program.
    """
    package = read_package(path)
    own = [] if submissions else own_programs(path)
    programs = [read_submission(place) for place in submissions] or [program for _, program in own]
    if not programs:
        raise InputError(f"{path} holds no submissions: name the programs to judge")
    with Bench(store, isolation) as bench:
        checkers = next(bench.map(partial(package_checkers, bench), [package]))
        limits = package_limits(bench, package, checkers)
        if on_calibration is not None and package.cpu_s is not None:
            calibration = calibrate(bench, package, checkers, limits)
            on_calibration(calibration)
            limits = replace(limits, cpu_s=calibration.cpu_s)
        judged = judge_side_by_side(bench, programs, package.tests, limits, checkers)
        return [_with_points(package, judgement) for judgement in judged]


def _with_points(package: Package, judgement: Judgement) -> Judgement:
    if not package.is_scoring:
        return judgement
    accepted = {result.name: result.verdict == "AC" for result in judgement.tests}
    points = share(package.root, accepted)
    is_partial = judgement.verdict not in ("AC", "JE", "CE") and points > 0
    return replace(judgement, score=points, verdict="PARTIAL" if is_partial else judgement.verdict)


def package_checkers(bench: Bench, package: Package) -> Checkers:
    """Return each test's checker, or why there is none."""
    if package.lacks_validator:
        return "the package asks for an output validator of its own and holds none"
    if package.testlib is not None:
        header = locate_header("testlib.h", Path.cwd(), Silent())
        made = compile_program(bench.sandbox(), bench.store, header, package.testlib)
        if isinstance(made, Refused):
            return f"the checker cannot be used: {made.message}"
        return dict.fromkeys(package.flags, testlib.Checker(made))
    if not package.validators:
        where = str(package.path)
        return {name: comparison.parse_flags(flags, where) for name, flags in package.flags.items()}
    if len(package.validators) > 1:
        return "the package has several output validators, which cannot be judged"
    sources = package.validators[0]
    language = languages.of_suffix(Path(sources[0].path).suffix) or "unknown"
    prepared = prepare(bench.sandbox(), bench.store, language, sources)
    if isinstance(prepared, Refused):
        return f"the output validator cannot be used: {prepared.message}"
    return {name: _as_asked(package, Validator(prepared, flags)) for name, flags in package.flags.items()}


def _as_asked(package: Package, validator: Validator) -> Checker:
    if package.is_interactive:
        return Interactive(validator)
    return validator if package.passes is None else MultiPass(validator, package.passes)


def package_limits(bench: Bench, package: Package, checkers: Checkers) -> Limits:
    """Return the stated limits; where no time is stated, a multiple of what the slowest accepted program took here."""
    stated = Limits(package.cpu_s or _GENEROUS_S, package.memory_mb, package.output_mb)
    if package.cpu_s is not None:
        return stated
    accepted = [program for kind, program in own_programs(package.path) if kind == "accepted"]
    judged = judge_side_by_side(bench, accepted, package.tests, stated, checkers)
    slowest = max(
        (result.cpu_s for judgement in judged if judgement.verdict == "AC" for result in judgement.tests), default=None
    )
    if slowest is None:
        return replace(stated, cpu_s=_UNKNOWN_S)
    return replace(stated, cpu_s=float(max(1, math.ceil(slowest * package.multiplier))))
