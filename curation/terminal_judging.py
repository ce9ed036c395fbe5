"""What the commands about judging print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console

from curation.terminal import print_json, print_table

if TYPE_CHECKING:
    from curation.judging.calibration import Calibration
    from curation.judging.package_matching import PackageMatch


def show_calibration(calibration: Calibration) -> None:
    """Print to standard error how a time limit was scaled, so that standard output stays the verdicts."""
    if calibration.slowest_s is None:
        told = f"no accepted submission shows this machine's speed, so the stated {calibration.stated_s:g} s count"
    else:
        told = (
            f"{calibration.submission} takes {calibration.slowest_s:g} CPU s on {calibration.test}, "
            f"stated are {calibration.stated_s:g} s: factor {calibration.factor:g}, limit {calibration.cpu_s:g} s"
        )
    Console(stderr=True, soft_wrap=True).print(f"Calibration: {told}", markup=False, highlight=False)


def show_matches(found: Sequence[PackageMatch], json: bool) -> None:
    """Print what checker each package needs; for a single one the evidence of every candidate too."""
    if json:
        print_json(found)
        return
    rows = [(one.package, one.match.outcome, _checker(one), one.asks_for, one.match.reason) for one in found]
    print_table("Checkers", ("package", "outcome", "checker", "the package asks for", "why"), rows)
    if len(found) != 1:
        return
    match = found[0].match
    if match.claims:
        claims = [(claim.kind, claim.tolerance, claim.is_convention, claim.sentence) for claim in match.claims]
        print_table("Promises", ("kind", "tolerance", "convention", "words"), claims)
    written = () if found[0].written is None else found[0].written.evidence
    evidence = [
        (
            one.candidate,
            f"{one.tests_accepted} of {one.tests}",
            f"{one.outputs_accepted} of {one.outputs}",
            sum(one.rejected.values()),
            ", ".join(sorted(one.accepted)),
            "survives" if one.survives else one.reason,
        )
        for one in (*match.evidence, *written)
    ]
    columns = ("candidate", "answers accepted", "outputs accepted", "mutations rejected", "cannot see", "decision")
    print_table("Evidence", columns, evidence)


def _checker(one: PackageMatch) -> str:
    if one.written is not None and one.written.source is not None:
        return f"written, {one.written.source.kind}:{one.written.source.sha256[:8]}"
    return one.match.checker or "–"
