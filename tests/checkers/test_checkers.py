"""The bundled checkers: what each accepts and what it rejects, and that hostile outputs do not crash one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from curation import bundled
from curation.judging.testlib import Toolchain, locate_header
from curation.progress import Silent

BIG = "9" * 5000
CASES: dict[str, list[tuple[str, str, str]]] = {
    # checker: (answer, output, verdict)
    "tokens": [
        ("1 2\n3\n", "1 2 3", "AC"),
        ("a b", " a\t\tb\r\n\n", "AC"),
        ("", " \n", "AC"),
        ("YES", "Yes", "WA"),
        ("1", "1.0", "WA"),
        ("1 2", "2 1", "WA"),
        ("1 2", "1", "WA"),
        ("1", "1 2", "WA"),
        ("1", "", "WA"),
        ("", "0", "WA"),
    ],
    "tokens_any_case": [
        ("Yes Impossible", "YES impossible", "AC"),
        ("yes", "no", "WA"),
        ("a", "a a", "WA"),
        ("\u00c4", "\u00e4", "WA"),
    ],
    "lines": [
        ("1 2\n3\n", "1   2 \n3\n\n\n", "AC"),
        ("1 2\n3\n", "1 2\r\n3", "AC"),
        ("1 2\n3\n", "1\n2 3\n", "WA"),
        ("1\n\n2\n", "1\n2\n", "WA"),
        ("1\n", "\n1\n", "WA"),
        ("1\n", "1\n2\n", "WA"),
    ],
    "unordered_lines": [
        ("a b\nc\n", "c\na  b\n", "AC"),
        ("a\na\nb\n", "a\nb\na", "AC"),
        ("a b\nc\n", "b a\nc\n", "WA"),
        ("a\na\nb\n", "a\nb\nb\n", "WA"),
        ("a\nb\n", "a\n", "WA"),
        ("a\n", "a\nb\n", "WA"),
    ],
    "unordered_in_lines": [
        ("3 1 2\nx y\n", "1 2 3\ny x\n", "AC"),
        ("1 2\n3\n", "3\n1 2\n", "WA"),
        ("1 1 2\n", "1 2 2\n", "WA"),
        ("1 2\n", "1 2 3\n", "WA"),
    ],
    "unordered_tokens": [
        ("1 2\n3", "3 2 1", "AC"),
        ("1 1 2", "1 2 2", "WA"),
        ("1 2", "1 2 3", "WA"),
        ("1 2 3", "1 2", "WA"),
    ],
    "integers": [
        (f"{BIG} -7 0", f"+{BIG}\n-007 -0", "AC"),
        (BIG, BIG[:-1] + "8", "WA"),
        ("9223372036854775808", "9223372036854775807", "WA"),
        ("5", "-5", "WA"),
        ("5", "5.0", "PE"),
        ("5", "five", "PE"),
        ("5", "+", "PE"),
        ("5", "", "WA"),
        ("5", "5 5", "WA"),
        ("five", "5", "JE"),
    ],
    "integer_multiset": [
        ("3 1 2", "01 2 3", "AC"),
        ("1 1 2", "1 2 2", "WA"),
        ("1", "1 1", "WA"),
        ("1", "x", "PE"),
        ("1.5", "1.5", "JE"),
    ],
    "floats_1e-4": [("2.5", "2.5001", "AC"), ("2.5", "2.501", "WA"), ("20000.5", "20002.5", "AC")],
    "floats_1e-6": [
        ("0.1", "0.1000009", "AC"),
        ("0.1", ".1000010", "AC"),
        ("0.1", "0.100002", "WA"),
        ("1000000.5", "1000001.4", "AC"),
        ("1000000.5", "1000002.5", "WA"),
        ("1e3", "1000", "AC"),
        ("3", "3.0", "AC"),
        ("100000000", "100000001", "WA"),
        (BIG, BIG[:-1] + "8", "WA"),
        ("0.5", "nan", "PE"),
        ("0.5", "inf", "PE"),
        ("0.5", "0x1p-1", "PE"),
        ("0.5", "0,5", "PE"),
        ("0.5", "1e999999", "WA"),
        ("0.5", "0.5 0.5", "WA"),
        ("0.5", "", "WA"),
        ("IMPOSSIBLE", "IMPOSSIBLE", "JE"),
    ],
    "floats_1e-9": [("0.1", "0.1000000009", "AC"), ("0.1", "0.10000001", "WA")],
    "words_and_floats_1e-4": [("Case #1: 0.5", "Case #1: 0.50009", "AC"), ("Case #1: 0.5", "Case #2: 0.5", "WA")],
    "words_and_floats_1e-6": [
        ("IMPOSSIBLE", "IMPOSSIBLE", "AC"),
        ("yes 0.5", "yes 0.5000001", "AC"),
        ("IMPOSSIBLE", "impossible", "WA"),
        ("IMPOSSIBLE", "0", "WA"),
        ("0.5", "half", "WA"),
        ("12", "13", "WA"),
        ("nan", "nan", "AC"),
        ("0.5", "nan", "WA"),
    ],
    "words_and_floats_1e-9": [("a 0.25", "a 0.2500000001", "AC"), ("a 0.25", "a 0.2500001", "WA")],
    "yes_no": [
        ("YES\nno", "yes NO", "AC"),
        ("YES", "NO", "WA"),
        ("YES YES", "YES", "WA"),
        ("YES", "YES YES", "WA"),
        ("YES", "Y", "PE"),
        ("YES", "1", "PE"),
        ("maybe", "YES", "JE"),
    ],
    "case_labels": [
        ("Case #1: 5\nCase #2: 6\n", "Case 1: 5\nCase 2: 6\n", "AC"),
        ("Case 1: 5", "Case #1: 5", "AC"),
        ("Case #1: 5", "Case #2: 5", "WA"),
        ("Case #1: 5", "Case #1: 6", "WA"),
        ("Case #1: #5", "Case #1: 5", "WA"),
        ("Case #1: 5", "5", "WA"),
        ("5", "5", "JE"),
    ],
}
HOSTILE = {
    "binary": bytes(range(256)) * 50,
    "one long token": b"7" * (40 << 20),
    "many lines": b"\n" * (5 << 20),
    "lone carriage returns": b"1\r2\r3\r" * 1000,
    "signs and dots": b"- + . e 1e 1e+ -. +.e5 --1 " * 1000,
    "nothing": b"",
}


@pytest.fixture(scope="module")
def tools(judge_store: Path) -> Iterator[Toolchain]:
    header = locate_header("testlib.h", Path(), Silent())
    with Toolchain(header, judge_store) as toolchain:
        yield toolchain


def test_every_checker_has_cases_and_says_what_it_compares() -> None:
    sources = {path.stem: path.read_text() for path in bundled.folder("checkers").glob("*.cpp")}
    assert sources.keys() == CASES.keys()
    assert all(text.startswith("// ") for text in sources.values())
    listed = (bundled.folder("checkers") / "README.md").read_text()
    assert [name for name in sources if name.split("1e-")[0] not in listed] == []


@pytest.mark.parametrize("name", CASES)
def test_a_checker_accepts_and_rejects(tools: Toolchain, name: str) -> None:
    program = tools.compile(bundled.folder("checkers") / f"{name}.cpp")
    got = [
        (answer, output, tools.check(program, b"", output.encode(), answer.encode()).verdict)
        for answer, output, _ in CASES[name]
    ]
    assert got == CASES[name]
    answer = CASES[name][0][0].encode()
    ends = {kind: tools.check(program, b"", output, answer).verdict for kind, output in HOSTILE.items()}
    assert {kind: verdict for kind, verdict in ends.items() if verdict not in ("WA", "PE")} == {}
