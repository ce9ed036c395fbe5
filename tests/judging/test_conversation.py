"""Interactive and multi-pass problem packages: who is over first decides, notes pass from one pass to the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from curation.errors import InputError
from curation.judging import judge_package

INTERACTIVE = "problem_format_version: 2025-09\ntype: interactive\nname: Guess\nlimits:\n  time_limit: 1\n"
PASSES = "problem_format_version: 2025-09\ntype: multi-pass\nname: Relay\nlimits:\n  time_limit: 1\n  {}\n"
GUESS_VALIDATOR = """
import sys
secret = int(open(sys.argv[1]).read())
note = open(sys.argv[3] + "/judgemessage.txt", "w")
def end(code, why):
    note.write(why); note.close(); sys.exit(code)
for asked in range(10):
    line = sys.stdin.readline()
    if not line.strip().isdigit():
        end(43, f"no guess: {line!r}")
    guess = int(line)
    if guess == secret:
        print("right", flush=True)
        end(42, "found")
    print("more" if guess < secret else "less", flush=True)
end(43, "ten guesses were not enough")
"""
TALKATIVE_VALIDATOR = """
#include <unistd.h>
int main() { for (int i = 0; i < 300000; i++) if (write(1, "0123456789", 10) != 10) return 1; return 42; }
"""
HALVING = """
low, high = 1, 1000
while True:
    middle = (low + high) // 2
    print(middle, flush=True)
    told = input()
    if told == "right": break
    if told == "more": low = middle + 1
    else: high = middle - 1
"""
RELAY_VALIDATOR = """
import os, sys
directory = sys.argv[3]
given = open(sys.argv[1]).read().split()
notes = os.path.join(directory, "notes")
seen = open(notes).read().split() if os.path.exists(notes) else []
said = sys.stdin.read().split()
if len(said) != 1:
    sys.exit(43)
seen += said
open(notes, "w").write(" ".join(seen))
if len(seen) < len(given):
    open(os.path.join(directory, "nextpass.in"), "w").write(given[len(seen)] + "\\n")
    sys.exit(42)
sys.exit(42 if seen == [word.upper() for word in given] else 43)
"""


def package(path: Path, yaml: str, validator: str, tests: dict[str, str]) -> Path:
    suffix = "cpp" if "#include" in validator else "py"
    files = {"problem.yaml": yaml, f"output_validator/validate.{suffix}": validator}
    for name, given in tests.items():
        files[f"data/secret/{name}.in"] = given
        files[f"data/secret/{name}.ans"] = ""
    (path / "data/sample").mkdir(parents=True)
    for name, content in files.items():
        place = path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(content)
    return path


def program(tmp_path: Path, code: str) -> Path:
    place = tmp_path / "submission.py"
    place.write_text(code)
    return place


@pytest.mark.parametrize(
    ("code", "verdict", "message"),
    [
        (HALVING, "AC", ""),
        ("print(1, flush=True)\nprint(2, flush=True)\nraise SystemExit(7)", "RTE", "exit status 7"),
        ("for n in range(1, 12): print(n, flush=True)", "WA", "ten guesses were not enough"),
        ("for n in range(1, 12): print(n, input() if n > 1 else '', sep='', flush=True)", "WA", "no guess"),
        ("print('nothing', flush=True)\nwhile True: pass", "WA", "no guess"),
        ("while True: pass", "TLE", "CPU seconds"),
        ("x = bytearray(10**9)\nfor i in range(0, 10**9, 4096): x[i] = 1", "MLE", ""),
        ("print(open('test.in').read(), flush=True)", "RTE", "test.in"),
    ],
    ids=["halving", "crash", "too many", "not a number", "rejected and endless", "endless", "memory", "peeks"],
)
def test_an_interactive_validator_judges(tmp_path: Path, code: str, verdict: str, message: str) -> None:
    yaml = INTERACTIVE + "  memory: 256\n"
    path = package(tmp_path / "guess", yaml, GUESS_VALIDATOR, {"1": "700\n", "2": "999\n"})
    (judgement,) = judge_package(path, [program(tmp_path, code)])
    assert judgement.verdict == verdict, judgement
    assert message in judgement.tests[0].message


@pytest.mark.parametrize(
    "code", ["pass", "import sys\nsys.stdin.read()", "import os, time\nos.close(0)\ntime.sleep(0.3)"]
)
def test_what_is_said_to_a_submission_that_left_is_lost_and_breaks_nothing(tmp_path: Path, code: str) -> None:
    path = package(tmp_path / "guess", INTERACTIVE, TALKATIVE_VALIDATOR, {"1": "5\n"})
    (judgement,) = judge_package(path, [program(tmp_path, code)])
    assert judgement.verdict == "AC", judgement


@pytest.mark.parametrize("pause", ["", "time.sleep(0.2)"], ids=["leaves at once", "leaves after the answer"])
def test_when_a_submission_leaves_does_not_change_the_verdict(tmp_path: Path, pause: str) -> None:
    waits = GUESS_VALIDATOR.replace("    guess = int(line)", "    guess = int(line); import time; time.sleep(0.05)")
    path = package(tmp_path / "guess", INTERACTIVE, waits, {"1": "700\n"})
    code = f"import time\nprint('1\\n' * 9 + '700', flush=True)\n{pause}"
    (judgement,) = judge_package(path, [program(tmp_path, code)])
    assert judgement.verdict == "AC", judgement


@pytest.mark.parametrize(
    ("code", "stated", "verdict"),
    [
        ("print(input().split()[0].upper())", "validation_passes: 3", "AC"),
        ("print(input().split()[0])", "validation_passes: 3", "WA"),
        ("print()", "validation_passes: 3", "WA"),
        ("word = input()\nif word == 'two': raise SystemExit(1)\nprint(word.split()[0].upper())", "", "RTE"),
        ("print(input().split()[0].upper())", "", "JE"),
        ("open('seen', 'a').write('x')\nprint('ONE' * len(open('seen').read()))", "validation_passes: 3", "WA"),
    ],
    ids=["upper", "lower", "empty", "crash in the second", "too many passes", "keeps nothing"],
)
def test_a_validator_may_ask_for_further_passes(tmp_path: Path, code: str, stated: str, verdict: str) -> None:
    path = package(tmp_path / "relay", PASSES.format(stated), RELAY_VALIDATOR, {"1": "one two three\n"})
    (judgement,) = judge_package(path, [program(tmp_path, code)])
    assert judgement.verdict == verdict, judgement


@pytest.mark.parametrize(
    ("yaml", "message"),
    [
        ("type: [interactive, multi-pass]\n", "several passes"),
        ("type: submit-answer\n", "submit-answer problems"),
        (PASSES.format("validation_passes: 0"), "validation_passes"),
        (PASSES.format("validation_passes: many"), "no number"),
    ],
)
def test_kinds_that_cannot_be_judged_are_refused(tmp_path: Path, yaml: str, message: str) -> None:
    path = package(tmp_path / "other", yaml, RELAY_VALIDATOR, {"1": "one\n"})
    with pytest.raises(InputError, match=message):
        judge_package(path, [program(tmp_path, "pass")])


@pytest.mark.parametrize("yaml", [INTERACTIVE, PASSES.format("")])
def test_without_its_validator_a_package_is_the_judges_error(tmp_path: Path, yaml: str) -> None:
    path = package(tmp_path / "bare", yaml, RELAY_VALIDATOR, {"1": "one\n"})
    (path / "output_validator/validate.py").unlink()
    (path / "output_validator").rmdir()
    (judgement,) = judge_package(path, [program(tmp_path, "print(1)")])
    assert judgement.verdict == "JE"
