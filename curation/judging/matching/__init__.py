"""Which checker does a problem need? A choice that has to be proved, by `curation.judging.matching.hypothesis`.

`answers` looks at the shape of all answers, `claims` at what the statement promises, `candidates` lists the checkers
that fit both, strictest first, `mutations` makes the outputs that a checker must reject, `outputs` runs accepted
submissions.
"""

from __future__ import annotations

from curation.judging.matching.evidence import Evidence
from curation.judging.matching.hypothesis import Match, check_own, check_written, match_checker
from curation.judging.matching.outputs import KnownOutput, outputs_of

__all__ = ["Evidence", "KnownOutput", "Match", "check_own", "check_written", "match_checker", "outputs_of"]
