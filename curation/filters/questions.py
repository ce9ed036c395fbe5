"""What a statement asks: requests, and the parts of an enumeration."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from curation.filters.rule import has_any
from curation.filters.triggers import SPACE, either, signs

_VALUE_VERBS = (
    r"find|determine|compute|calculate|evaluate|solve|simplify|factor(?:i[sz]e)?|expand|prove|show|express|state|sketch"
    r"|graph|plot|explain|describe|estimate|derive|deduce|verify|identify|decide|discuss|convert|differentiate"
    r"|integrate|obtain|work out"
)
_OTHER_VERBS = (
    r"write|give|draw|construct|list|name|use|tell|enter|rank|round|complete|fill|choose|select|arrange|order"
)
_BEFORE_VERB = r"(?:^\s*|[.;,:!?\n\ufffc)\]]\s*|\b(?:then|and|hence|also|now|please|thus|or|to)\s+)"
_ASKS_VALUE = re.compile(rf"{_BEFORE_VERB}(?:{_VALUE_VERBS})\b", re.IGNORECASE)
_ASKS_ANYTHING = re.compile(rf"{_BEFORE_VERB}(?:{_VALUE_VERBS}|{_OTHER_VERBS})\b", re.IGNORECASE)
_CHINESE = re.compile(r"[？]|求(?!职|助)|计算|证明|试问|请问|解方程|化简|写出|判断|多少|几(?:个|种|名|条|次|天)")
_QUESTION = re.compile(r"[^.?!。？！\n]*[?？]")

_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii")
_SERIES: tuple[tuple[tuple[str, ...], re.Pattern[str], Sequence[str]], ...] = (
    (("(b)", "（b）"), re.compile(r"(?<![\w\\^_)\]}])[(（]([a-h])[)）]"), "abcdefgh"),
    (("b) ", "b）", "b)\n"), re.compile(r"(?:^|[\s*])([a-h])[)）]\s"), "abcdefgh"),
    (("b. ", "b．"), re.compile(r"(?:^|\n)\s*([a-h])[.．]\s"), "abcdefgh"),
    (("(2)", "（2）", "（2)", "(2）"), re.compile(r"(?<![\w\\^_)\]}])[(（]([1-9])[)）]"), "123456789"),
    (
        ("2.", "2．", "2、", "2)", "2）"),
        re.compile(r"(?:^|\n|[.?!;:。；？]\s)\s*(?:\*\*)?([1-9])[.．、)](?:\*\*)?(?=[\s$\\\ufffc\u4e00-\u9fff])"),
        "123456789",
    ),
    (("(ii)", "（ii）"), re.compile(r"(?<![\w\\^_)\]}])[(（](i{1,3}|iv|vi{0,3}|v)[)）]"), _ROMAN),
    (("ii.", "ii)"), re.compile(r"(?:^|\n)\s*(i{1,3}|iv|vi{0,3}|v)[.)]\s"), _ROMAN),
    (("ii) ",), re.compile(r"(?:^|[.?!:;]\s+|\n)(i{1,3}|iv|vi{0,3}|v)\)\s"), _ROMAN),
    (("(B)", "（B）"), re.compile(r"(?<![\w\\^_)\]}])[(（]([A-H])[)）]"), "ABCDEFGH"),
    (
        ("B:", "B.", "B)", "B :"),
        re.compile(r"\b(?:Part|PART|Question|Problem|Task)\s*[(]?([A-H])[)]?\s*[:.)]"),
        "ABCDEFGH",
    ),
    (
        ("2:", "2.", "2)", "2 :"),
        re.compile(r"\b(?:Part|PART|Question|Problem|Task)\s*[(]?([1-9])[)]?\s*[:.)]"),
        "123456789",
    ),
    (("②",), re.compile(r"([①②③④⑤⑥⑦⑧⑨])"), "①②③④⑤⑥⑦⑧⑨"),
    (("p2.", "P2.", "p2:", "P2:"), re.compile(r"(?:^|\n|\*\*|\[b\])\s*[pP]([1-9])[.:]"), "123456789"),
    (("Ⅱ",), re.compile(r"([ⅠⅡⅢⅣⅤ])"), "ⅠⅡⅢⅣⅤ"),
    (("(II)", "（II）"), re.compile(r"(?<![\w\\^_)\]}])[(（](I{1,3}|IV|V)[)）]"), ("I", "II", "III", "IV", "V")),
    (("II.", "II)"), re.compile(r"(?:^|[.\n]\s*)(I{1,3}|IV|V)[.)]\s"), ("I", "II", "III", "IV", "V")),
)
"""For each kind of enumeration: what its second mark can look like, its marks, and their labels in order."""

_ITEM = re.compile(r"\\item\b(?:\s*\[[^\]]*\])?")


def _enumeration(second_marks: tuple[str, ...], first_label: str) -> str:
    closed = "" if first_label in "①Ⅰ" else f"{SPACE}*[)）.．、:]"
    # Where the prose has a blank the statement may have a line end.
    second = signs(*second_marks).replace(r"\ ", SPACE)
    return f"{first_label}{closed}(?s:.*)(?:{second})"


ENUMERATED = either(
    *(_enumeration(second_marks, labels[0]) for second_marks, _, labels in _SERIES), r"\\item(?s:.*)\\item"
)
"""The trigger of rules about enumerations: a first mark and later a second one."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A statement cut at its enumeration marks.

    Attributes:
        lead: what stands before the first mark.
        items: what stands after each mark; the last one goes to the end of the text.
        start: where the first mark stands.
    """

    lead: str
    items: tuple[str, ...]
    start: int


def asks(text: str) -> bool:
    """Tell whether a piece of text asks for something; give it with formulas blanked."""
    return "?" in text or _ASKS_ANYTHING.search(text) is not None or _CHINESE.search(text) is not None


def asks_for_value(text: str) -> bool:
    """Tell whether a piece of text asks for a value or a proof. ``Choose a pile``, a move of a game, does not."""
    return "?" in text or _ASKS_VALUE.search(text) is not None or _CHINESE.search(text) is not None


def enumerations(prose: str) -> Iterator[Parts]:
    """Yield the text cut at each kind of mark of which it has the first two in order."""
    for second_marks, pattern, labels in _SERIES:
        if not has_any(prose, second_marks):
            continue
        marks: list[re.Match[str]] = []
        for found in pattern.finditer(prose):
            if len(marks) < len(labels) and found[1] == labels[len(marks)]:
                marks.append(found)
        if len(marks) >= 2:
            yield _cut(prose, marks)
    if prose.count("\\item") >= 2:
        yield _cut(prose, list(_ITEM.finditer(prose)))


def question_sentences(prose: str) -> list[re.Match[str]]:
    """Return the sentences that end in a question mark."""
    return [sentence for sentence in _QUESTION.finditer(prose) if len(sentence.group().strip()) > 3]


def _cut(prose: str, marks: list[re.Match[str]]) -> Parts:
    # A mark's match may begin with the full stop of the item before, which belongs to that item.
    ends = [mark.start(mark.lastindex or 0) for mark in marks[1:]] + [len(prose)]
    items = tuple(prose[mark.end() : end] for mark, end in zip(marks, ends, strict=True))
    return Parts(prose[: marks[0].start()], items, marks[0].start())
