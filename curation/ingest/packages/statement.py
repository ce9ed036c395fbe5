"""A problem package's statement as text: from TeX, Markdown or HTML, with its samples."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from curation.ingest.page_text import page_text, tidied
from curation.ingest.web_page import NestedTooDeeplyError

_FOLDERS = ("statement", "problem_statement")
_KINDS = (".tex", ".md", ".html")
_NAME = re.compile(r"problem(?:\.(?P<language>[a-z]{2,3}(?:-[A-Z]{2})?))?(?P<kind>\.\w+)")
_LONGEST_SAMPLE = 4_000

_COMMENT = re.compile(r"(?<!\\)%[^\n]*\n?")
_LEFT_OUT = re.compile(
    r"\\problemname\s*\{[^{}]*\}|\\illustration\s*\{[^{}]*\}\s*\{[^{}]*\}\s*\{(?:[^{}]|\{[^{}]*\})*\}"
    r"|\\(?:nextsample|remainingsamples)\b|\{\{(?:nextsample|remainingsamples)\}\}|\\(?:noindent|medskip|bigskip)\b"
    r"|\\label\s*\{[^{}]*\}"
)
_HEADING = re.compile(r"\\(?:(?:sub)*section|paragraph)\*?\s*\{([^{}]*)\}")
_POLYGON_HEADING = re.compile(r"\\(InputFile|OutputFile|Interaction|Scoring|Note|Examples?)\b")
_STYLE = re.compile(r"\\(?:textbf|textit|texttt|emph|textsl|textsc|underline|verb|bf|it|tt|t)\s*\{([^{}]*)\}")
_ITEM = re.compile(r"[ \t]*\\item(?:\[([^\]]*)\])?[ \t]*")
_LIST = re.compile(r"[ \t]*\\(?:begin|end)\{(?:itemize|enumerate|description|center|quote)\}(?:\[[^\]]*\])?[ \t]*\n?")
_QUOTES = ((("``", "<<"), '"'), (("''", ">>"), '"'), (("~",), " "), (("---", "--"), "-"))
_FORMULA = re.compile(r"(\$\$.*?\$\$|\$.*?\$|\\\[.*?\\\]|\\begin\{(?:verbatim|lstlisting)\}.*?\\end\{\w+\})", re.DOTALL)


def find_statement(package: Path) -> Path | None:
    """Return the file with a package's statement, in English where it has one; None where there is none to read."""
    found = []
    for folder in _FOLDERS:
        for file in sorted((package / folder).glob("problem*")):
            name = _NAME.fullmatch(file.name)
            if name is not None and name["kind"] in _KINDS:
                language = name["language"] or ""
                found.append((("en", "").index(language) if language in ("en", "") else 2, file.name, file))
    return min(found)[2] if found else None


def read_statement(file: Path) -> str:
    """Return the text of a statement's file.

    Raises:
        OSError: it cannot be read.
        ValueError: it is not UTF-8, or nested too deeply.
    """
    text = file.read_bytes().decode()
    if file.suffix == ".html":
        try:
            return page_text(text, "body")
        except NestedTooDeeplyError:
            raise ValueError("its elements are nested too deeply") from None
    return tex_text(text) if file.suffix == ".tex" else tidied(_LEFT_OUT.sub("", text))


def tex_text(source: str) -> str:
    """Return TeX as text: headings, lists and styles without their commands; formulas and pictures stay as they are."""
    text = _LEFT_OUT.sub("", _COMMENT.sub("", source))
    text = _HEADING.sub(r"\n\n\1\n\n", text)
    text = _POLYGON_HEADING.sub(lambda found: f"\n\n{found[1].removesuffix('File')}\n\n", text)
    text = _ITEM.sub(lambda found: f"\n- {found[1]} " if found[1] else "\n- ", _LIST.sub("\n", text))
    for _ in range(3):
        text = _STYLE.sub(r"\1", text)
    pieces = _FORMULA.split(text)
    for place in range(0, len(pieces), 2):
        for signs, plain in _QUOTES:
            for sign in signs:
                pieces[place] = pieces[place].replace(sign, plain)
        pieces[place] = re.sub(r"\\([%&#_$])", r"\1", pieces[place].replace("\\\\", "\n"))
    return tidied("".join(pieces))


def with_samples(statement: str, samples: Iterable[tuple[str, str]]) -> str:
    """Return the statement with those of its samples that it does not show itself and that are short enough to show."""
    words = statement.split()
    shown = [statement]
    for number, (given, wanted) in enumerate(samples, start=1):
        is_shown = _holds(words, given.split()) and _holds(words, wanted.split())
        if is_shown or len(given) + len(wanted) > _LONGEST_SAMPLE:
            continue
        shown += [f"Sample Input {number}", given.strip("\n"), f"Sample Output {number}", wanted.strip("\n")]
    return "\n\n".join(shown)


def _holds(words: Sequence[str], wanted: Sequence[str]) -> bool:
    size = len(wanted)
    return any(words[start : start + size] == wanted for start in range(len(words) - size + 1))
