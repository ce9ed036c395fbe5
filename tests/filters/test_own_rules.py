"""A user's own rule: one function in a file, and every way to get it wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from curation.errors import InputError
from curation.filters import own_rules
from curation.filters.files import filter_file
from curation.filters.rule import Row
from curation.recipe import FilterSection

GOOD = '''
import re

_WORD = re.compile("chess", re.IGNORECASE)


def _helper(row):
    return _WORD.search(row.statement)


def about_chess(row):
    """It is about chess.

    More words that no reader of a ledger needs.
    """
    found = _helper(row)
    return found.group() if found else None
'''


def _written(directory: Path, text: str) -> Path:
    path = directory / "rule.py"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_rule_takes_its_name_and_reason_from_the_function(tmp_path: Path) -> None:
    rule = own_rules.load(_written(tmp_path, GOOD))
    hit = rule(Row("A Chess board has how many squares?", "64"))
    assert hit is not None
    assert (hit.rule, hit.reason, hit.sentence, hit.span) == ("about_chess",) * 2 + ("It is about chess.", "Chess")
    assert rule(Row("A board has how many squares?", "64")) is None


def test_true_drops_without_a_span(tmp_path: Path) -> None:
    rule = own_rules.load(_written(tmp_path, "def short(row):\n    return len(row.statement) < 9\n"))
    hit = rule(Row("Hm?", "1"))
    assert hit is not None
    assert hit.span == ""
    assert "short" in hit.sentence
    assert rule(Row("A longer one?", "1")) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("def one(row):\n    return None\n\ndef two(row):\n    return None\n", "2 public functions"),
        ("LIMIT = 3\n", "0 public functions"),
        ("def rule():\n    return None\n", "one argument"),
        ("def rule(row)\n    return None\n", "SyntaxError"),
        ("import no_such_module\n\ndef rule(row):\n    return None\n", "no_such_module"),
        ("1 / 0\n", "ZeroDivisionError"),
        ("import sys\n\nsys.exit(0)\n", "ends the program when it is imported"),
    ],
)
def test_a_file_that_is_no_rule_is_named(tmp_path: Path, text: str, words: str) -> None:
    path = _written(tmp_path, text)
    with pytest.raises(InputError, match=words) as caught:
        own_rules.load(path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(("body", "words"), [("row.nothing", "AttributeError"), ("3", "returned int")])
def test_a_rule_that_fails_says_on_which_statement(tmp_path: Path, body: str, words: str) -> None:
    rule = own_rules.load(_written(tmp_path, f"def rule(row):\n    return {body}\n"))
    with pytest.raises(InputError, match=words):
        rule(Row("What is it?", "1"))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_rule_that_ends_the_program_is_named(tmp_path: Path, workers: int) -> None:
    _written(tmp_path, "import sys\n\ndef rule(row):\n    sys.exit(0)\n")
    (tmp_path / "in.jsonl").write_text('{"problem": "What is $2+2$?", "answer": "4"}\n')
    section = FilterSection(own_rules=("rule.py",))
    with pytest.raises(InputError, match=r"rule\.py: rule ends the program on the statement 'What is"):
        filter_file(
            str(tmp_path / "in.jsonl"),
            tmp_path / "k.jsonl",
            tmp_path / "d.jsonl",
            section,
            directory=tmp_path,
            workers=workers,
        )


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    for read in (own_rules.load, own_rules.fingerprint):
        with pytest.raises(InputError, match=r"none\.py"):
            read(tmp_path / "none.py")


@pytest.mark.parametrize("read", [own_rules.load, own_rules.fingerprint])
def test_a_missing_rule_is_told_to_be_missing(tmp_path: Path, read: Callable[[Path], object]) -> None:
    with pytest.raises(InputError, match=r"gone\.py is no Python file \(\.py\) that is there"):
        read(tmp_path / "gone.py")
