"""From a submission's source to something that can be run: compiled in the sandbox, cached by content."""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from curation.json_reader import JsonTextError, dumps, loads
from curation.judging import languages
from curation.judging.languages import Language
from curation.judging.levels import python_for
from curation.judging.sandbox import Execution, RunLimits, Sandbox, WorkFile
from curation.judging.store import JUDGE_VERSION, Store

COMPILE_LIMITS = RunLimits(
    cpu_s=30, wall_s=60, memory_mb=1536, output_mb=1, file_mb=256, disk_mb=512, bound_address_space=False
)
LOOK_LIMITS = RunLimits(cpu_s=20, wall_s=60, memory_mb=1024, output_mb=1)
_PROGRAM_BYTES = 256 << 20
_MESSAGE_CHARACTERS = 2000
_DRIVERS = Path(__file__).resolve().parent / "drivers"
_JAVA_SCRIPT = (
    'javac=$1 jar=$2; shift 2; "$javac" -encoding UTF-8 -d classes "$@" && "$jar" cf program.jar -C classes .'
)
_PUBLIC_CLASS = re.compile(r"\bpublic\s+(?:final\s+|abstract\s+)*class\s+(\w+)")
_CLASS_WITH_MAIN = re.compile(r"\bclass\s+(\w+)(?=[^{]*\{(?:(?!\bclass\b).)*public\s+static\s+void\s+main)", re.DOTALL)
_JAVA_OPTIONS = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xss256m", "-Xmx{memory_mb}m")


@dataclass(frozen=True, slots=True)
class Prepared:
    """A program that can be run.

    Attributes:
        key: SHA-256 over language, compiler and sources: equal programs have equal keys.
        language: its language.
        command: how to start it in its work directory; ``{memory_mb}`` stands for the memory limit.
        files: what the work directory must hold.
    """

    key: str
    language: Language
    command: tuple[str, ...]
    files: tuple[WorkFile, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a program cannot be run: ``CE`` for its own fault, ``JE`` for everything else."""

    verdict: Literal["CE", "JE"]
    message: str


def prepare(
    sandbox: Sandbox,
    store: Store,
    label: str | Language,
    sources: Sequence[WorkFile],
    *,
    derived: Callable[[], Sequence[WorkFile]] = tuple,
) -> Prepared | Refused:
    """Compile a program, or check its syntax, unless the store tells the result already.

    Args:
        sandbox: where compilers run.
        store: where compiled programs are kept.
        label: the language as labelled, or the language itself.
        sources: its files; an interpreted program starts at the first.
        derived: makes files that follow from the sources and only save the compiler time (a precompiled header).

    Raises:
        OutsideError: no sandbox can be started.
    """
    language = label if isinstance(label, Language) else languages.find(label)
    if language is None:
        return Refused("JE", f"programs in {label} cannot be judged here")
    program = languages.executable(language, sandbox.isolation)
    if program is None:
        return Refused("JE", f"{language.program} is not installed, so {language.name} cannot be judged here")
    key = _key(language, languages.version(program), sources)
    noted = store.note(key)
    if noted is not None:
        return Refused("CE" if noted["verdict"] == "CE" else "JE", noted["message"])
    kept = store.program(key)
    if kept is None:
        made = (
            _check_python(sandbox, sources)
            if language.family == "python"
            else _compile(sandbox, language, program, [*sources, *derived()])
        )
        if isinstance(made, Refused):
            if made.verdict == "CE":
                store.keep_note(key, {"verdict": made.verdict, "message": made.message})
            return made
        kept = made
        store.keep_program(key, kept)
    return _prepared(key, language, program, sources, kept)


def _prepared(key: str, language: Language, program: str, sources: Sequence[WorkFile], compiled: bytes) -> Prepared:
    if language.family == "python":
        return Prepared(key, language, (program, sources[0].path), tuple(sources))
    if language.family == "java":
        runner = program.removesuffix("c")
        command = (runner, *_JAVA_OPTIONS, "-cp", "program.jar", _main_class(sources))
        return Prepared(key, language, command, (WorkFile("program.jar", compiled),))
    return Prepared(key, language, ("./program",), (WorkFile("program", compiled, executable=True),))


def _key(language: Language, version: str, sources: Sequence[WorkFile]) -> str:
    parts = [JUDGE_VERSION, language.name, list(language.flags), version]
    digest = hashlib.sha256(dumps(parts).encode())
    for source in sources:
        digest.update(dumps([source.path, hashlib.sha256(source.content).hexdigest()]).encode())
    return digest.hexdigest()


def _compile(sandbox: Sandbox, language: Language, program: str, sources: Sequence[WorkFile]) -> bytes | Refused:
    names = [source.path for source in sources if source.path.endswith(language.suffixes)]
    if language.family == "java":
        wanted = "program.jar"
        jar = str(Path(program).with_name("jar"))
        files = list(sources) if len(sources) > 1 else [WorkFile(f"{_main_class(sources)}.java", sources[0].content)]
        command = ["/bin/sh", "-c", _JAVA_SCRIPT, "sh", program, jar, *(file.path for file in files)]
    else:
        wanted = "program"
        files = list(sources)
        command = [program, *language.flags, "-o", wanted, *names, "-lm"]
    execution = sandbox.run(command, COMPILE_LIMITS, files=files, collect={wanted: _PROGRAM_BYTES})
    refused = _refusal(execution, language, [source for source in sources if source.path in names])
    if refused is not None:
        return refused
    if wanted not in execution.files:
        return Refused("CE", "the compiler wrote no program")
    return execution.files[wanted]


def _refusal(execution: Execution, language: Language, sources: Sequence[WorkFile]) -> Refused | None:
    if execution.failure is not None:
        return Refused("JE", f"the compiler could not be run: {execution.failure}")
    if execution.stopped == "wall":
        return Refused("JE", "the compiler was idle until its time was over")
    if execution.stopped is not None:
        return Refused("CE", f"the compiler passed its {execution.stopped} limit")
    if execution.exit_code == 0:
        return None
    code = "\n".join(source.content.decode(errors="replace") for source in sources)
    looks = languages.looks_like(code)
    own = languages.find(looks) if looks is not None else None
    if own is not None and own.family != language.family:
        return Refused("JE", f"the code is labelled {language.name} but looks like {own.name}")
    return Refused("CE", _shorten(execution.error))


def _check_python(sandbox: Sandbox, sources: Sequence[WorkFile]) -> bytes | Refused:
    files = [*driver_files(), WorkFile("main.py", sources[0].content)]
    command = [python_for(sandbox.isolation), "-m", "drivers.check_python"]
    execution = sandbox.run(command, LOOK_LIMITS, files=files)
    if execution.failure is not None:
        return Refused("JE", f"the syntax check could not be run: {execution.failure}")
    if execution.stopped is not None or (execution.exit_code or 0) < 0:
        return Refused("CE", "Python cannot read the program within its limits")
    if execution.exit_code != 0:
        return Refused("JE", f"the syntax check failed: {_shorten(execution.error)}")
    try:
        look = loads(execution.output.decode())
    except (UnicodeDecodeError, JsonTextError):
        return Refused("JE", "the syntax check gave no answer")
    if not isinstance(look, dict) or "kind" not in look:
        return Refused("JE", "the syntax check gave no answer")
    if look["kind"] == "python3":
        return b""
    if look["kind"] == "python2":
        return Refused("JE", f"the code is Python 2 ({look['message']}), which cannot be judged here")
    if look["kind"] == "lacking":
        return Refused("JE", f"it imports {look['message']}, which is not installed here")
    looks = languages.looks_like(sources[0].content.decode(errors="replace"))
    if looks not in (None, "python3"):
        return Refused("JE", f"the code is labelled Python but looks like {looks}")
    return Refused("CE", str(look["message"])[:_MESSAGE_CHARACTERS])


@functools.cache
def driver_files() -> tuple[WorkFile, ...]:
    """Return the files of `curation.judging.drivers` as a run's work directory holds them."""
    return tuple(WorkFile(f"drivers/{path.name}", path.read_bytes()) for path in sorted(_DRIVERS.glob("*.py")))


def _main_class(sources: Sequence[WorkFile]) -> str:
    texts = [source.content.decode(errors="replace") for source in sources]
    for pattern in (_PUBLIC_CLASS, _CLASS_WITH_MAIN):
        found = next((match for text in texts if (match := pattern.search(text))), None)
        if found is not None:
            return found[1]
    return "Main"


def _shorten(error: bytes) -> str:
    text = error.decode(errors="replace").strip()
    return text if len(text) <= _MESSAGE_CHARACTERS else text[:_MESSAGE_CHARACTERS] + " ..."
