"""testlib programs through the bindings and the command line: every exit code, bounds, generators, interactors."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from curation.cli import app
from curation.errors import InputError
from curation.judging import Limits
from curation.judging.compilation import Prepared
from curation.judging.judge import single_file
from curation.judging.testlib import BoundsHit, Header, Toolchain, locate_header
from curation.judging.testlib.compilation import LANGUAGE
from curation.progress import Silent

CHECKER = """
#include "testlib.h"
int main(int argc, char* argv[]) {
    registerTestlibCmd(argc, argv);
    int wanted = ans.readInt();
    int got = ouf.readInt(0, 1000, "got");
    if (got == 77) quitp(0.5, "half");
    if (got == 78) quitf(_pc(40), "forty");
    if (got == 79) quitf(_fail, "no answer known");
    if (got == 80) exit(99);
    if (got == 81) quitpi("12.5", "info");
    if (got == 82) for (;;) {}
    if (got == 83) quitf(_ok, "set %s group %s", checker.testset().c_str(), checker.group().c_str());
    if (got != wanted) quitf(_wa, "expected %d, found %d", wanted, got);
    quitf(_ok, "equal");
}
"""
VALIDATOR = """
#include "testlib.h"
int main(int argc, char* argv[]) {
    registerValidation(argc, argv);
    addFeature("even");
    int n = inf.readInt(1, 100, "n");
    inf.readEoln();
    if (n % 2 == 0) feature("even");
    for (int i = 0; i < n; i++) { inf.readInt(0, 9, "a_i"); if (i + 1 < n) inf.readSpace(); }
    inf.readEoln();
    END
}
"""
GENERATOR = """
#include "testlib.h"
int main(int argc, char* argv[]) {
    registerGen(argc, argv, 1);
    int n = opt<int>("n");
    println(n);
    for (int i = 0; i < n; i++) std::cout << rnd.next(0, 9) << (i + 1 < n ? " " : "\\n");
}
"""
INTERACTOR = """
#include "testlib.h"
int main(int argc, char* argv[]) {
    registerInteraction(argc, argv);
    int secret = inf.readInt();
    for (int asked = 1; asked <= 7; asked++) {
        int guess = ouf.readInt(1, 100, "guess");
        std::cout << (guess < secret ? "more" : guess > secret ? "less" : "right") << std::endl;
        if (guess == secret) { tout << asked << std::endl; quitf(_ok, "%d questions", asked); }
    }
    quitf(_wa, "seven questions were not enough");
}
"""
FEW = """
#include "testlib.h"
int main(int argc, char* argv[]) {
    registerTestlibCmd(argc, argv);
    int asked = ouf.readInt();
    quitf(asked <= ans.readInt() ? _ok : _wa, "%d asked", asked);
}
"""
HALVING = """
low, high = 1, 100
while True:
    middle = (low + high) // 2
    print(middle, flush=True)
    told = input()
    if told == "right": break
    if told == "more": low = middle + 1
    else: high = middle - 1
"""


@pytest.fixture(scope="module")
def header() -> Header:
    return locate_header("testlib.h", Path(), Silent())


@pytest.fixture(scope="module")
def tools(header: Header, judge_store: Path) -> Iterator[Toolchain]:
    with Toolchain(header, judge_store) as toolchain:
        yield toolchain


@pytest.fixture(scope="module")
def compile_text(tools: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> object:
    def compile_one(text: str) -> Prepared:
        source = tmp_path_factory.mktemp("source") / "program.cpp"
        source.write_text(text)
        return tools.compile(source)

    return compile_one


@pytest.mark.parametrize(
    ("output", "verdict", "message", "points", "share"),
    [
        ("5\n", "AC", "equal", None, None),
        ("6\n", "WA", "expected 5, found 6", None, None),
        ("2000\n", "WA", "Integer parameter [name=got] equals to 2000, violates the range [0, 1000]", None, None),
        ("five\n", "PE", 'Expected integer, but "five" found', None, None),
        ("", "PE", "Unexpected end of file - int32 expected", None, None),
        ("5 5\n", "PE", "Extra information in the output file", None, None),
        ("77\n", "PARTIAL", "half", "0.5", None),
        ("78\n", "PARTIAL", "forty", "40", 0.4),
        ("81\n", "PARTIAL", "info", "12.5", None),
        ("79\n", "JE", "the checker failed: no answer known", None, None),
        ("80\n", "JE", "the checker failed: Checker must end with quit or quitf call.", None, None),
    ],
)
def test_every_end_of_a_checker_has_its_verdict(
    tools: Toolchain, compile_text, output: str, verdict: str, message: str, points: str | None, share: float | None
) -> None:
    judged = tools.check(compile_text(CHECKER), b"", output.encode(), b"5\n")
    assert (judged.verdict, judged.message, judged.points, judged.share) == (verdict, message, points, share)


def test_a_checker_is_told_testset_and_group(tools: Toolchain, compile_text) -> None:
    judged = tools.check(compile_text(CHECKER), b"", b"83\n", b"5\n", testset="tests", group="big")
    assert judged.message == "set tests group big"


def test_a_checker_that_cannot_read_the_answer_is_the_judges_error(tools: Toolchain, compile_text) -> None:
    judged = tools.check(compile_text(CHECKER), b"", b"5\n", b"no number\n")
    assert judged.verdict == "JE"


def test_a_validator_tells_which_bounds_and_features_an_input_hits(tools: Toolchain, compile_text) -> None:
    program = compile_text(VALIDATOR.replace("END", "inf.readEof();"))
    one = tools.validate(program, b"1\n9\n")
    assert one.is_valid is True
    assert set(one.bounds) == {
        BoundsHit("n", least=True, greatest=False, bounds=("1", "100")),
        BoundsHit("a_i", least=False, greatest=True, bounds=("0", "9")),
    }
    assert one.features == (("even", False),)
    assert tools.validate(program, b"2\n0 0\n").features == (("even", True),)


@pytest.mark.parametrize(
    "given", [b"0\n\n", b"2\n1 10\n", b"1 \n5\n", b"1\r\n5\r\n", b"1\n5", b"1\n5\n\n", b"01\n5\n", b""]
)
def test_a_validator_rejects_what_breaks_the_format(tools: Toolchain, compile_text, given: bytes) -> None:
    validation = tools.validate(compile_text(VALIDATOR.replace("END", "inf.readEof();")), given)
    assert validation.is_valid is False
    assert validation.message


def test_a_validator_that_does_not_read_to_the_end_says_nothing_of_the_input(tools: Toolchain, compile_text) -> None:
    validation = tools.validate(compile_text(VALIDATOR.replace("END", "")), b"1\n9\n")
    assert validation.is_valid is None
    assert "readEof" in validation.message


def test_equal_command_lines_generate_equal_inputs(tools: Toolchain, compile_text) -> None:
    program = compile_text(GENERATOR)
    first, again, other = (tools.generate(program, arguments) for arguments in (["-n=9"], ["-n=9"], ["-n=9", "2"]))
    assert first.content is not None
    assert first.content.startswith(b"9\n")
    assert first.content == again.content != other.content
    failed = tools.generate(program, [])
    assert failed.content is None
    assert "n" in failed.message


@pytest.mark.parametrize(
    ("code", "verdict"),
    [
        (HALVING, "AC"),
        ("for guess in range(1, 101): print(guess, flush=True)", "WA"),
        ("print(0, flush=True)", "WA"),
        ("print('x', flush=True)", "PE"),
        ("raise SystemExit(3)", "RTE"),
        ("pass", "PE"),
        ("while True: pass", "TLE"),
        ("input()", "TLE"),
    ],
    ids=["halving", "too many", "out of range", "no number", "crash", "silent", "endless", "waits"],
)
def test_an_interactor_judges_what_it_is_told(
    tools: Toolchain, compile_text, code: str, verdict: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if code == "input()":
        monkeypatch.setattr(Limits, "wall_s", 2.0)
    limits = Limits(cpu_s=0.5, memory_mb=128)
    submission = single_file("guess", "python3", code)
    judgement = tools.interact(compile_text(INTERACTOR), submission, b"37\n", b"7\n", limits)
    assert judgement.verdict == verdict, judgement


def test_a_checker_judges_what_the_interactor_writes_down(tools: Toolchain, compile_text) -> None:
    limits = Limits(cpu_s=2, memory_mb=128)
    programs = compile_text(INTERACTOR), single_file("guess", "python3", HALVING), b"37\n"
    few = compile_text(FEW)
    assert tools.interact(*programs, b"7\n", limits, few).verdict == "AC"
    assert tools.interact(*programs, b"1\n", limits, few).verdict == "WA"


def test_the_header_is_compiled_before_and_the_compiler_takes_it(
    tools: Toolchain, compile_text, header: Header, judge_store: Path, tmp_path: Path
) -> None:
    compile_text(FEW)
    kept = [path for path in (judge_store / "programs").rglob("*") if path.is_file()]
    compiled = [path for path in kept if path.open("rb").read(4) == b"gpch"]
    assert len(compiled) == 1
    for name, content in (("testlib.h", header.content), ("p.cpp", FEW.encode())):
        (tmp_path / name).write_bytes(content)
    (tmp_path / "testlib.h.gch").symlink_to(compiled[0])
    look = ["g++", *LANGUAGE.flags, "-Werror=invalid-pch", "-H", "-fsyntax-only", "p.cpp"]
    done = subprocess.run(look, cwd=tmp_path, capture_output=True, check=True)
    assert [line.split()[-1] for line in done.stderr.splitlines() if line.startswith(b"!")] == [b"testlib.h.gch"]


def test_a_program_that_does_not_compile_is_refused_with_the_compilers_words(tools: Toolchain, tmp_path: Path) -> None:
    source = tmp_path / "broken.cpp"
    source.write_text('#include "testlib.h"\nint main() { undefined_name; }\n')
    with pytest.raises(InputError, match="undefined_name"):
        tools.compile(source)
    with pytest.raises(InputError, match="cannot be read"):
        tools.compile(tmp_path / "absent.cpp")


def test_a_header_must_be_testlib_and_have_the_hash_it_is_said_to_have(header: Header, tmp_path: Path) -> None:
    own = tmp_path / "own.h"
    own.write_bytes(header.content)
    assert locate_header(str(own), Path(), Silent(), header.sha256).sha256 == header.sha256
    with pytest.raises(InputError, match="SHA-256"):
        locate_header(str(own), Path(), Silent(), hashlib.sha256(b"").hexdigest())
    own.write_text("int x;\n")
    with pytest.raises(InputError, match=r"no testlib\.h"):
        locate_header(str(own), Path(), Silent())


def test_the_command_line_gives_values_and_exit_codes(tmp_path: Path) -> None:
    for name, text in {
        "c.cpp": CHECKER,
        "g.cpp": GENERATOR,
        "in": "",
        "ans": "5\n",
        "five": "5\n",
        "six": "6\n",
    }.items():
        (tmp_path / name).write_text(text)
    runner = CliRunner()

    def check(output: str) -> tuple[int, str]:
        files = [str(tmp_path / name) for name in ("c.cpp", "in", output, "ans")]
        result = runner.invoke(app, ["testlib", "check", *files, "--json"])
        return result.exit_code, json.loads(result.stdout)["verdict"]

    assert check("five") == (0, "AC")
    assert check("six") == (1, "WA")
    made = tmp_path / "made.in"
    result = runner.invoke(app, ["testlib", "generate", str(tmp_path / "g.cpp"), "--out", str(made), "--", "-n=3"])
    assert (result.exit_code, made.read_text()[:2]) == (0, "3\n")
