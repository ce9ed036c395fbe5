"""What a statement says about inputs: names in their order, inequalities, and words such as permutation or tree."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from curation.errors import InputError
from curation.ingest.packages.polygon import polygon_statement
from curation.judging import package_matching
from curation.judging.layout import is_polygon
from curation.testgen.expressions import Expression, Inequality, first_expression, inequalities

_PLACES = ("problem_statement", "statement")
_FILES = ("problem.en.tex", "problem.tex", "problem.en.md", "problem.md")

_HEADING = re.compile(
    r"^\s*(?:\\(?:sub)*section\*?\{([^}]*)\}|#+\s*(.+?)\s*#*|\*\*([^*\n]+?):?\*\*|"
    r"(Input|Output|Constraints|Examples?):?)\s*$",
    re.MULTILINE,
)
_MATH = re.compile(r"\$\$?(.+?)\$\$?|\\\((.+?)\\\)|`([^`\n]+)`|(?<![*\w])\*([A-Za-z]\w*)\*(?![*\w])", re.DOTALL)
_SYMBOLS = (
    (r"\\leqslant|\\leq|\\le(?![a-z])|≤|⩽|&le;|=<", " <= "),
    (r"\\geqslant|\\geq|\\ge(?![a-z])|≥|⩾|&ge;", " >= "),
    (r"\\neq|\\ne(?![a-z])|≠|&ne;", " != "),
    (r"\\lt(?![a-z])|&lt;", " < "),
    (r"\\gt(?![a-z])|&gt;", " > "),
    (r"\\cdot|\\times|×|·|⋅", "*"),
    (r"\\[lc]?dots|…|\.\.\.", " … "),
    (r"\\(?:text|mathrm|mathit|mathtt|texttt|operatorname)\{([^}]*)\}", r" \1 "),
    (r"\\lvert|\\rvert|\\vert", "|"),
    (r"\{,\}|(?<=\d)\\[,;!](?=\d)|(?<=\d)[\u00a0\u202f\u2009](?=\d{3}\b)|(?<=\d),(?=\d{3}(?!\d))", ""),
    (r"\\[,;!: ]|~|[\u00a0\u202f\u2009]", " "),
    (r"\\[()\[\]]|\$|`|\\left|\\right", " "),
    (r"_\{[^}]*\}|_\w", ""),
    (r"\\sum", " sum of "),
    (r"[−–]", "-"),
)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_FUNCTIONS = frozenset({"min", "max", "mod", "gcd", "lcm", "sum", "log", "and", "or", "of", "for", "all", "each", "to"})
_SUM = re.compile(
    r"sum of (?:all )?(?:the )?(?:values of )?(\|\s*[A-Za-z]+\s*\||[A-Za-z]\b)[^.;<]{0,80}?"
    r"(?:does not exceed|doesn't exceed|do not exceed|not exceeding|at most|not greater than|no more than|<=)"
    r"\s*(.{1,30})"
)
_BETWEEN = re.compile(
    r"(?<![\w|])([A-Za-z]|\|[A-Za-z]\|)[ ,(]*(?:is |are )?(?:each |all )?(?:integers? )?"
    r"between (\S+(?: ?[*^] ?\S+)?) and (\S+(?: ?[*^] ?\S+)?)"
)


@dataclass(frozen=True, slots=True)
class Statement:
    """What was read from a statement; an empty one says nothing.

    Attributes:
        text: plain, with inequalities as ``<=``, without subscripts.
        input_text: the parts that describe the input and its constraints.
        names: the variables of that part, in the order of their first mention.
        inequalities: what holds between them.
        sums: variables whose sum over all test cases is bounded, with the bound.
    """

    text: str = ""
    input_text: str = ""
    names: tuple[str, ...] = ()
    inequalities: tuple[Inequality, ...] = ()
    sums: tuple[tuple[str, Expression], ...] = ()

    def sentences(self) -> list[str]:
        """Return the sentences that describe the input."""
        return [
            part for part in re.split(r"(?<=[.;])\s+|\n\s*\n|\n\s*(?=[-*]|\\item)", self.input_text) if part.strip()
        ]

    def says(self, pattern: str) -> bool:
        """Whether a pattern is found, without regard to case."""
        return re.search(pattern, self.text, re.IGNORECASE) is not None


def statement_of(package: Path) -> Statement:
    """Read the statement of a problem package; an empty one where there is none.

    Raises:
        InputError: it is there and is no text.
    """
    if is_polygon(package):
        return read_statement(polygon_statement(package))
    for place in _PLACES:
        for name in _FILES:
            file = package / place / name
            if file.is_file():
                try:
                    return read_statement(file.read_bytes().decode())
                except UnicodeDecodeError:
                    raise InputError(f"{file} is not UTF-8: convert it") from None
    page = next((package / place / "problem.html" for place in _PLACES if (package / place).is_dir()), None)
    if page is not None and page.is_file():
        return read_statement(package_matching.statement_of(package))
    return Statement()


def read_statement(text: str) -> Statement:
    """Read a statement in LaTeX, Markdown or plain text."""
    raw = _section(text, "input") or text
    plain = plain_text(text)
    between = [f"{match[2]} <= {match[1]} <= {match[3].rstrip('.,;')}" for match in _BETWEEN.finditer(plain)]
    sums = []
    for match in _SUM.finditer(plain):
        bound = first_expression(match[2])
        if bound is not None:
            sums.append((match[1].replace(" ", ""), bound))
    return Statement(
        text=plain,
        input_text=plain_text(raw + "\n\n" + _section(text, "constraint")),
        names=_names(raw),
        inequalities=tuple(inequalities(plain) + inequalities("\n;\n".join(between))),
        sums=tuple(sums),
    )


def plain_text(text: str) -> str:
    """Return a text with its mathematics as plain arithmetic."""
    plain = re.sub(r"(?<=[\d)])([⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda found: "^" + found[1].translate(_SUPERSCRIPTS), text)
    for pattern, replacement in _SYMBOLS:
        plain = re.sub(pattern, replacement, plain)
    plain = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"(\1)/(\2)", plain)
    plain = re.sub(r"\^\{([^{}]*)\}", r"^(\1)", plain)
    return re.sub(r"\\(?:emph|textbf|textit)\{([^}]*)\}", r"\1", plain)


def _section(text: str, wanted: str) -> str:
    headings = list(_HEADING.finditer(text))
    for place, heading in enumerate(headings):
        title = next((part for part in heading.groups() if part), "").strip().lower()
        if title.startswith(wanted):
            end = headings[place + 1].start() if place + 1 < len(headings) else len(text)
            return text[heading.end() : end]
    return ""


def _names(section: str) -> tuple[str, ...]:
    segments = [next(part for part in match.groups() if part) for match in _MATH.finditer(section)]
    if segments:
        found = [name for segment in segments for name in re.findall(r"[A-Za-z]+", plain_text(segment))]
    else:
        # Without marks of mathematics a lone letter is a name, unless it is an article or a pronoun.
        marked = re.findall(r"(?<![\w'’-])([A-Za-z])(?:_\w+)?(?![\w'’-])", section)
        indexed = set(re.findall(r"(?<!\w)([A-Za-z])_\w", section))
        found = [name for name in marked if name not in ("a", "A", "I") or name in indexed]
    return tuple(dict.fromkeys(name for name in found if name not in _FUNCTIONS))
