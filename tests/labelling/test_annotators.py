"""Several annotators: kappa, failure types, what they differ on, and the labels of most."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curation.cli import app
from curation.errors import InputError
from curation.labelling.annotators import compare_annotators

TYPES = {"w": "wrong_answer", "a": "ambiguous"}


def labelled(directory: Path, name: str, letters: str) -> Path:
    """Write labels: v(alid), w(rong answer), a(mbiguous), or - for none."""
    rows = [
        {
            "id": str(number),
            "problem": f"Case {number}?",
            "answer": "1",
            "label": "valid" if letter == "v" else "invalid",
            "failure_type": TYPES.get(letter),
            "annotator": name,
        }
        for number, letter in enumerate(letters)
        if letter != "-"
    ]
    path = directory / f"{name}.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def test_kappa_of_two_and_of_three(tmp_path: Path) -> None:
    # Cohen: agreement 8 of 10; by chance 0.5 * 0.5 + 0.5 * 0.5 = 0.5, so 0.3 / 0.5.
    files = [labelled(tmp_path, "ada", "vvvvvwwwww"), labelled(tmp_path, "bob", "vvvvwwwwva")]
    two = compare_annotators(files)
    assert (two.names, two.fleiss, two.settled, two.consensus) == (("ada", "bob"), None, 8, None)
    (pair,) = two.pairs
    assert (pair.same.value, pair.kappa.value) == (0.8, 0.6)
    assert pair.kappa.low is not None
    assert pair.kappa.high is not None
    assert pair.kappa.low < 0.6 < pair.kappa.high
    assert (pair.both_invalid, pair.same_type) == (4, 3)
    assert [case.id for case in two.disputed] == ["4", "8"]
    assert two.disputed[0].labels == {"ada": "valid", "bob": "invalid (wrong_answer)"}
    # Fleiss: 8 cases with three equal labels, 2 with two; 16 of 30 labels are valid.
    labelled(tmp_path, "cyd", "vvvvvwwwvw")
    three = compare_annotators([tmp_path], tmp_path / "most.csv")
    assert (three.common, three.settled) == (10, 10)
    assert three.fleiss is not None
    by_chance = (16**2 + 14**2) / 30**2
    assert three.fleiss.value == pytest.approx((26 / 30 - by_chance) / (1 - by_chance), abs=1e-4)
    assert (tmp_path / "most.csv").is_file()


def test_cases_that_one_left_out_do_not_count_for_the_pair(tmp_path: Path) -> None:
    files = [labelled(tmp_path, "ada", "vw-v"), labelled(tmp_path, "bob", "vww-"), labelled(tmp_path, "cyd", "vwvv")]
    found = compare_annotators(files, tmp_path / "most.jsonl")
    assert [pair.cases for pair in found.pairs] == [2, 3, 3]
    assert found.common == 2
    rows = [json.loads(line) for line in (tmp_path / "most.jsonl").read_text().splitlines()]
    assert [(row["id"], row["label"]) for row in rows] == [("0", "valid"), ("1", "invalid"), ("3", "valid")]
    assert rows[1]["failure_type"] == "wrong_answer"
    assert rows[1]["labels"] == [f"{name}: invalid (wrong_answer)" for name in ("ada", "bob", "cyd")]


def test_what_cannot_be_compared_is_one_sentence(tmp_path: Path) -> None:
    one = labelled(tmp_path, "ada", "vv")
    with pytest.raises(InputError, match="two annotators at least"):
        compare_annotators([one])
    with pytest.raises(InputError, match="no case in common"):
        compare_annotators([one, labelled(tmp_path, "bob", "--v")])
    other = tmp_path / "cyd.jsonl"
    other.write_text(one.read_text().replace("Case 0", "Another"))
    with pytest.raises(InputError, match="has another text for cyd than for ada"):
        compare_annotators([one, other])
    other.write_text('{"id": "0", "problem": "Case 0?", "label": "maybe"}\n')
    with pytest.raises(InputError, match="neither valid nor invalid"):
        compare_annotators([one, other])


def test_the_command_prints_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(labelled(tmp_path, name, "vwva")) for name in ("ada", "bob")]
    app(["label agreement", *files, "--json"], standalone_mode=False)
    told = json.loads(capsys.readouterr().out)
    assert told["pairs"][0]["kappa"]["value"] == 1
    app(["label agreement", *files], standalone_mode=False)
    assert "Cohen's kappa" in capsys.readouterr().out


def test_labels_are_not_written_over(tmp_path: Path) -> None:
    files = [labelled(tmp_path, "ada", "vw"), labelled(tmp_path, "bob", "vw")]
    before = files[0].read_bytes()
    with pytest.raises(InputError, match="is one of the files that are compared"):
        compare_annotators([tmp_path], tmp_path / "." / "ada.jsonl")
    assert files[0].read_bytes() == before


def test_a_file_counts_once_and_an_annotator_without_labels_not_at_all(tmp_path: Path) -> None:
    ada = labelled(tmp_path, "ada", "vw")
    labelled(tmp_path, "nobody", "--")
    with pytest.raises(InputError, match="two annotators at least"):
        compare_annotators([tmp_path])
    labelled(tmp_path, "bob", "vw")
    assert compare_annotators([tmp_path]).names == ("ada", "bob")
    with pytest.raises(InputError, match="given twice"):
        compare_annotators([tmp_path, ada])
