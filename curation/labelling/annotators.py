"""How well several annotators agree on the same cases, and what most of them say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from curation.errors import InputError
from curation.filters.output import open_rows
from curation.ingest.user_rows import InputRow, read_rows
from curation.json_reader import JsonValue, as_text
from curation.llm.agreement import Estimate, fleiss_kappa, measure, same_share

_LABELS = ("valid", "invalid")


@dataclass(frozen=True)
class Pair:
    """Two annotators on the cases that both labelled.

    Attributes:
        first, second: their names.
        cases: how many both labelled.
        same: the share of them with the same label.
        kappa: Cohen's.
        both_invalid: cases that both call invalid.
        same_type: how many of those they name the same failure type for.
    """

    first: str
    second: str
    cases: int
    same: Estimate
    kappa: Estimate
    both_invalid: int
    same_type: int


@dataclass(frozen=True)
class Disputed:
    """A case with different labels: by annotator the label, with the failure type where there is one."""

    id: str
    labels: Mapping[str, str]


@dataclass(frozen=True)
class Annotators:
    """What `compare_annotators` found.

    Attributes:
        names: the annotators.
        pairs: each two of them.
        common: cases that all labelled.
        fleiss: Fleiss' kappa on those; None for two annotators, or where there are none.
        disputed: cases whose labels differ.
        settled: cases with a label that more than half of those who labelled it gave.
        consensus: the file with these cases; None where none was asked for.
    """

    names: tuple[str, ...]
    pairs: tuple[Pair, ...]
    common: int
    fleiss: Estimate | None
    disputed: tuple[Disputed, ...]
    settled: int
    consensus: Path | None


@dataclass(frozen=True)
class _Labelled:
    row: InputRow
    label: str
    failure_type: str | None

    @property
    def told(self) -> str:
        return f"{self.label} ({self.failure_type})" if self.failure_type else self.label


def compare_annotators(files: Sequence[Path], consensus: Path | None = None) -> Annotators:
    """Compare what annotators wrote with `curation label`.

    Args:
        files: one an annotator, or a directory of them; at least two.
        consensus: where the cases with a majority go, labelled with it: .jsonl, .parquet or .csv.

    Raises:
        InputError: fewer than two files, a file is given twice or holds no labels, two give one case two texts, or
            ``consensus`` is one of them.
    """
    paths = [path for given in files for path in (_tables(given) if given.is_dir() else [given])]
    if len(paths) < 2:
        raise InputError("agreement needs the labels of two annotators at least: give their files")
    if len({path.resolve() for path in paths}) < len(paths):
        raise InputError("a file of labels is given twice: name each annotator's once")
    if consensus is not None and consensus.resolve() in {path.resolve() for path in paths}:
        raise InputError(f"--out {consensus} is one of the files that are compared: name another")
    names = [path.stem for path in paths]
    if len(set(names)) < len(names):
        names = [str(path) for path in paths]
    labels = {name: _read(path) for name, path in zip(names, paths, strict=True)}
    _check_texts(labels)
    ids = list(dict.fromkeys(case for found in labels.values() for case in found))
    of_case = {case: {name: found[case] for name, found in labels.items() if case in found} for case in ids}
    common = [case for case in ids if len(of_case[case]) == len(names)]
    fleiss = None
    if len(names) > 2 and common:
        fleiss = fleiss_kappa(np.array([[labels[name][case].label == "valid" for name in names] for case in common]))
    settled = {case: label for case in ids if (label := _majority(of_case[case])) is not None}
    if consensus is not None:
        with open_rows(consensus) as rows:
            for case, label in settled.items():
                rows.write(_agreed_row(of_case[case], label))
    return Annotators(
        tuple(names),
        tuple(_pair(one, other, labels[one], labels[other]) for one, other in combinations(names, 2)),
        len(common),
        fleiss,
        tuple(
            Disputed(case, {name: one.told for name, one in of_case[case].items()})
            for case in ids
            if len({one.label for one in of_case[case].values()}) > 1
        ),
        len(settled),
        consensus,
    )


def _tables(directory: Path) -> list[Path]:
    # Who opened the pages and labelled nothing has an empty one.
    return [path for path in sorted(directory.glob("*.jsonl")) if path.stat().st_size]


def _read(path: Path) -> dict[str, _Labelled]:
    found: dict[str, _Labelled] = {}
    for row in read_rows(str(path)):
        label = as_text(row.raw.get("label"))
        if label not in _LABELS:
            raise InputError(f"{path}: {row.location}: label is neither valid nor invalid")
        if row.id in found:
            raise InputError(f"{path}: {row.location}: case {row.id!r} stands twice: give a file of curation label")
        found[row.id] = _Labelled(row, label, as_text(row.raw.get("failure_type")) or None)
    return found


def _check_texts(labels: Mapping[str, Mapping[str, _Labelled]]) -> None:
    texts: dict[str, tuple[str, tuple[str, str | None]]] = {}
    for name, found in labels.items():
        for case, one in found.items():
            text = (one.row.statement, one.row.answer)
            first, known = texts.setdefault(case, (name, text))
            if text != known:
                raise InputError(
                    f"case {case!r} has another text for {name} than for {first}: compare labels of one set"
                )


def _pair(first: str, second: str, one: Mapping[str, _Labelled], other: Mapping[str, _Labelled]) -> Pair:
    both = [case for case in one if case in other]
    if not both:
        raise InputError(f"{first} and {second} labelled no case in common: compare labels of the same cases")
    flags = [np.array([found[case].label == "valid" for case in both]) for found in (one, other)]
    invalid = [case for case in both if one[case].label == other[case].label == "invalid"]
    return Pair(
        first,
        second,
        len(both),
        same_share(*flags),
        measure(flags[0].tolist(), flags[1].tolist()).kappa,
        len(invalid),
        sum(one[case].failure_type == other[case].failure_type for case in invalid),
    )


def _majority(labels: Mapping[str, _Labelled]) -> str | None:
    counts = Counter(one.label for one in labels.values())
    label, times = counts.most_common(1)[0]
    return label if 2 * times > len(labels) else None


def _agreed_row(labels: Mapping[str, _Labelled], label: str) -> dict[str, JsonValue]:
    agreeing = [one for one in labels.values() if one.label == label]
    types = Counter(one.failure_type for one in agreeing if one.failure_type)
    row = {name: value for name, value in agreeing[0].row.raw.items() if name not in ("note", "annotator")}
    annotators: list[JsonValue] = [f"{name}: {one.told}" for name, one in labels.items()]
    named = types.most_common(1)[0][0] if types else None
    return {**row, "label": label, "failure_type": named, "labels": annotators}
