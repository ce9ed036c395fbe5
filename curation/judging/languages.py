"""The programming languages submissions may be in: their labels, how they are compiled and how they are run."""

from __future__ import annotations

import functools
import re
import shutil
from dataclasses import dataclass

from curation import processes
from curation.judging.levels import Isolation, python_for

_CPP_FLAGS = ("-O2", "-pipe", "-DONLINE_JUDGE", "-x", "c++")
_C_FLAGS = ("-O2", "-pipe", "-DONLINE_JUDGE", "-std=gnu17", "-x", "c")


@dataclass(frozen=True, slots=True)
class Language:
    """One language.

    Attributes:
        name: as submissions are labelled after `canonical`.
        family: ``python``, ``c`` (C and C++) or ``java``; languages of a family share their driver and time factor.
        suffixes: of its source files.
        program: the executable that compiles or interprets it, for `available`.
        flags: what the compiler is given, without the names of files.
    """

    name: str
    family: str
    suffixes: tuple[str, ...]
    program: str
    flags: tuple[str, ...] = ()


_LANGUAGES = {
    language.name: language
    for language in (
        Language("python3", "python", (".py", ".py3"), "python3"),
        Language("pypy3", "python", (".py", ".py3"), "pypy3"),
        Language("cpp11", "c", (".cpp", ".cc", ".cxx", ".c++"), "g++", (*_CPP_FLAGS, "-std=gnu++11")),
        Language("cpp14", "c", (".cpp", ".cc", ".cxx", ".c++"), "g++", (*_CPP_FLAGS, "-std=gnu++14")),
        Language("cpp17", "c", (".cpp", ".cc", ".cxx", ".c++"), "g++", (*_CPP_FLAGS, "-std=gnu++17")),
        Language("cpp20", "c", (".cpp", ".cc", ".cxx", ".c++"), "g++", (*_CPP_FLAGS, "-std=gnu++20")),
        Language("c", "c", (".c",), "gcc", _C_FLAGS),
        Language("java", "java", (".java",), "javac"),
    )
}

_LABELS = {
    "python": "python3",
    "py": "python3",
    "py3": "python3",
    "cpp": "cpp17",
    "c++": "cpp17",
    "cc": "cpp17",
    "cxx": "cpp17",
    "g++": "cpp17",
    "gnuc++": "cpp17",
    "c++11": "cpp11",
    "c++14": "cpp14",
    "c++17": "cpp17",
    "c++20": "cpp20",
    "gnuc++0x": "cpp11",
    "gnuc++11": "cpp11",
    "gnuc++14": "cpp14",
    "gnuc++17": "cpp17",
    "gnuc++20": "cpp20",
    "gnuc": "c",
    "gnuc11": "c",
    "pypy": "pypy3",
    "python2": "python2",
    "py2": "python2",
}

_FOREIGN = {
    ".cs": "csharp",
    ".d": "d",
    ".fs": "fsharp",
    ".go": "go",
    ".hs": "haskell",
    ".js": "javascript",
    ".kt": "kotlin",
    ".lua": "lua",
    ".ml": "ocaml",
    ".pas": "pascal",
    ".php": "php",
    ".pl": "perl",
    ".py2": "python2",
    ".rb": "ruby",
    ".rs": "rust",
    ".scala": "scala",
    ".swift": "swift",
    ".ts": "typescript",
}
"""Languages whose programs are told from other files, although they cannot be run."""

_SIGNS = (
    (
        "cpp17",
        re.compile(r"^\s*#\s*include\s*[<\"]|\bstd::|\busing\s+namespace\s+std\b|\bint\s+main\s*\(", re.MULTILINE),
    ),
    ("java", re.compile(r"\bpublic\s+static\s+void\s+main\b|^\s*import\s+java\.", re.MULTILINE)),
    (
        "python3",
        re.compile(
            r"^\s*(?:def\s+\w+\s*\(.*\)|class\s+\w+.*)\s*(?:->.*)?:|^\s*(?:import|from)\s+\w+|\bprint\s*\(|\binput\s*\(",
            re.MULTILINE,
        ),
    ),
)


def canonical(label: str) -> str:
    """Return our name for a label; a label we do not know comes back folded, and `find` refuses it."""
    folded = re.sub(r"\(.*?\)|[\s_-]+", "", label.lower())
    if folded in _LANGUAGES:
        return folded
    if folded in _LABELS:
        return _LABELS[folded]
    versioned = re.fullmatch(r"(python|py|pypy)(\d)(?:\.?\d+)*", folded)
    if versioned:
        family = "pypy" if versioned[1] == "pypy" else "python"
        return f"{family}{versioned[2]}"
    return folded


def find(label: str) -> Language | None:
    """Return the language of a label, or None where there is none that we can run."""
    return _LANGUAGES.get(canonical(label))


def of_suffix(suffix: str) -> str | None:
    """Return the language of a source file's suffix, with its dot; None where it is no source file.

    It may be a language that cannot be run here.
    """
    for name in ("python3", "cpp17", "c", "java"):
        if suffix.lower() in _LANGUAGES[name].suffixes:
            return name
    return _FOREIGN.get(suffix.lower())


def looks_like(code: str) -> str | None:
    """Return the language that a text's own signs point to, or None where there are none."""
    for name, pattern in _SIGNS:
        if pattern.search(code):
            return name
    return None


def executable(language: Language, isolation: Isolation) -> str | None:
    """Return the path of the program that compiles or interprets a language; None where it is not installed."""
    if language.name == "python3":
        return python_for(isolation)
    return shutil.which(language.program)


@functools.cache
def version(program: str) -> str:
    """Return the first line that a compiler or interpreter says about itself.

    Raises:
        OutsideError: the program cannot be started.
    """
    finished = processes.run([program, "--version"], wall_limit_s=30)
    lines = (finished.output + finished.error).decode(errors="replace").splitlines()
    return lines[0] if lines else ""
