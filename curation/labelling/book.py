"""One annotator's labels: what is decided, what comes next, and the table that `curation vote calibrate` reads.

DIRECTORY/NAME.jsonl        the labelled cases with ``label`` and ``failure_type``; written anew after each act
DIRECTORY/acts/NAME.jsonl   every act, see `curation.labelling.acts`
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from curation import storage
from curation.errors import InputError
from curation.json_reader import JsonValue, dumps
from curation.labelling.acts import Act, ActFile, Label, Standing
from curation.labelling.cases import Case

ACTS = "acts"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_ADDED = ("label", "failure_type", "note", "annotator")
_LONGEST_NOTE = 2_000
_DIGITS = 9


class StaleError(Exception):
    """The page that asks is out of date: somebody, maybe another tab, changed the case since it was shown."""


class LabelBook:
    """An open book of labels. Use it as a context manager."""

    def __init__(self, cases: Sequence[Case], directory: Path, annotator: str) -> None:
        """Open what the annotator labelled before, or begin.

        Args:
            cases: in the order in which they are shown; at least one.
            directory: where labels and acts are kept.
            annotator: the name of the files.

        Raises:
            InputError: the name is no file name, another process holds the file, it has labels of other cases, or the
                table is somebody else's file.
        """
        if not _NAME.fullmatch(annotator):
            raise InputError(f"--annotator {annotator!r}: make the name of letters, digits and . _ -")
        self.cases, self.annotator = tuple(cases), annotator
        self.table = directory / f"{annotator}.jsonl"
        self._places = {case.id: place for place, case in enumerate(cases)}
        self._file = ActFile(directory / ACTS / f"{annotator}.jsonl")
        try:
            self._check(self._file.acts)
            if not self._file.acts and self.table.is_file() and self.table.stat().st_size:
                raise InputError(
                    f"{self.table} holds what no act of {annotator} in {ACTS} accounts for: name another --out or "
                    "--annotator, so that it stays"
                )
            self.standing = Standing(self._file.acts)
            self._lines = {case.id: self._line(case) for case in cases}
            self._write()
        except InputError:
            self._file.close()
            raise

    def __enter__(self) -> LabelBook:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def place(self, case_id: str) -> int:
        """Return the 0-based place of a case."""
        return self._places[case_id]

    def find(self, wanted: str) -> int | None:
        """Return the place of the case with this number, from 1 on, or else with this identifier; None for neither."""
        if wanted.isascii() and wanted.isdigit() and len(wanted) <= _DIGITS and 1 <= int(wanted) <= len(self.cases):
            return int(wanted) - 1
        return self._places.get(wanted)

    def label(
        self, case: Case, seen: int, label: Label, failure_type: str | None = None, note: str | None = None
    ) -> None:
        """Label a case.

        Args:
            case: the case.
            seen: how often it had changed when the annotator saw it.
            label: valid or invalid.
            failure_type: what is wrong with an invalid one.
            note: the annotator's words.

        Raises:
            StaleError: the case changed since.
            OutsideError: the act could not be written.
        """
        told = (note or "").strip()[:_LONGEST_NOTE] or None
        self._add(Act("label", case.id, case.digest, _now(), label, failure_type, told), seen)

    def skip(self, case: Case, seen: int) -> None:
        """Leave a case for later; it comes back when the others are done. Arguments and errors as in `label`."""
        self._add(Act("skip", case.id, case.digest, _now()), seen)

    def undo(self, seen: int) -> Case | None:
        """Take the last act back; return its case, None where there is nothing to undo.

        Args:
            seen: the number of acts that the annotator knew of.

        Raises:
            StaleError: there were others since.
            OutsideError: the act could not be written.
        """
        if seen != self.standing.acts:
            raise StaleError
        last = self.standing.last
        if last is None:
            return None
        case = self.cases[self._places[last]]
        self._add(Act("undo", case.id, case.digest, _now()), self.standing.changes(case.id))
        return case

    def next_open(self, after: int) -> int | None:
        """Return the place of the next case without a label, from ``after`` on and round; skipped ones come last."""
        places = [(after + step) % len(self.cases) for step in range(1, len(self.cases) + 1)]
        acts = {place: self.standing.of(self.cases[place].id) for place in places}
        untouched = next((place for place in places if acts[place] is None), None)
        skipped = (place for place in places if (act := acts[place]) is not None and act.kind == "skip")
        return untouched if untouched is not None else next(skipped, None)

    def counts(self) -> Counter[str]:
        """Count cases: ``valid``, ``invalid``, ``skipped`` and ``open``."""
        return Counter(status(self.standing.of(case.id)) for case in self.cases)

    def _add(self, act: Act, seen: int) -> None:
        if seen != self.standing.changes(act.case):
            raise StaleError
        self._file.append(act)
        self.standing.add(act)
        self._lines[act.case] = self._line(self.cases[self._places[act.case]])
        self._write()

    def _check(self, acts: Sequence[Act]) -> None:
        for act in acts:
            place = self._places.get(act.case)
            if place is None or self.cases[place].digest != act.digest:
                what = "no longer among the cases" if place is None else "of another text now"
                raise InputError(
                    f"{self.table} has a label of case {act.case!r}, which is {what}: give the cases as they were, or "
                    "another --out"
                )

    def _line(self, case: Case) -> str:
        act = self.standing.of(case.id)
        if act is None or act.label is None:
            return ""
        row: dict[str, JsonValue] = {
            f"input_{name}" if name in _ADDED else name: value for name, value in case.raw.items()
        }
        if row.get("id") is None:
            row["id"] = case.id
        added = {"label": act.label, "failure_type": act.failure_type, "note": act.note, "annotator": self.annotator}
        return dumps({**row, **added}) + "\n"

    def _write(self) -> None:
        storage.write_text(self.table, "".join(self._lines.values()))


def status(act: Act | None) -> str:
    """Return how a case stands by the act that counts: ``valid``, ``invalid``, ``skipped`` or ``open``."""
    if act is None:
        return "open"
    return act.label or "skipped"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
