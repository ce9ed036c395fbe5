"""Cleaning rules for what stands before a question in a collection: its number and its points."""

from __future__ import annotations

import re
from collections.abc import Sequence

from curation.filters.rule import Edit, cleans, has_any
from curation.filters.triggers import SPACE, either

_STARTER = (
    r"(?:An?|The|In|On|At|If|Let|Given|Find|How|What|Which|Who|For|There|It|Is|Are|Do|Does|Can|From|To|Of|With|When"
    r"|Where|Prove|Show|Solve|Determine|Calculate|Compute|Evaluate|Simplify|Suppose|Consider|Assume|Construct|Write"
    r"|Each|Every|All|Some|Several|One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten|Inside|Through|Points?|Triangle"
    r"|Circle|Sides?|Denote|Define|Express|Factor|Represent|Among|After|Before|By|As|Using|We|You|I)(?![A-Za-z])"
)
"""Words that begin a question. After a bare ``5.66`` one of them shows that the number is no quantity."""

_NAMED = re.compile(
    r"\A(?:[#*■★\s]|\\(?:textbf|textit|emph|section\*?|subsection\*?)\{)*"
    r"[【［]?(?:Problem|Exercise|Question|Task|Example|Prob|Ex|Test|Item|Variant|Q|No(?=\.)|№|例题?|题|问题|练习|第)"
    r"[.\s]*(?:No\.?|№|#)?\s*"
    r"(?P<number>(?:[A-Z]-?)?\d+[a-z]?(?:\s*[-–.]\s*\d+)*|\(\d+\)|[IVX]+(?![A-Za-z]))"
    r"\s*题?(?P<close>[\s}*]*[.:：．、)\]】]+[}*]*|[}*]+|\s*\n)?\s*"
)
_TITLE = re.compile(
    r"\A(?:#+\s*|\*\*|\\textbf\{)?"
    r"(?:Problem statement|Condition of the problem|Statement of the problem|The problem|Problem|Question|Statement"
    r"|Task|题目|问题|【题目】|\[Problem\])\s*(?:\*\*|\})?\s*(?:[:：](?:\*\*|\})?|(?<=\*\*)|(?<=\})|(?=\n))\s*",
    re.IGNORECASE,
)
_PLAIN = re.compile(
    r"\A[*■★○●\s]*(?:\\textbf\{|\*\*)?(?P<number>(?:[A-Z]-?)?\d{1,4}[A-Za-z]?\*?(?:[.\-]\d{1,3})*)(?:\}|\*\*)?\s*"
    r"(?:[．、]\s*|[.)](?:\}|\*\*)?\s+|[.](?=[\[(（$\\\u4e00-\u9fff])|\.(?=[A-Z][a-z]))"
)
_PARENTHESISED = re.compile(r"\A[(（](?P<number>\d{1,2})[)）]\s*")
_SECTION = re.compile(rf"\A\*?\d{{1,3}}[.\-]\d{{1,3}}\*?\s+(?={_STARTER})")
_SECTION_FORMULA = re.compile(rf"\A\$\s*\d{{1,3}}\s*\\cdot\s*\d{{1,3}}\s*\$\s+(?={_STARTER}|[A-Z][a-z]+ )")
_WORD = re.compile(
    r"\A(?:One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten|Eleven|Twelve|Thirteen|Fourteen|Fifteen|Sixteen)"
    r"[,.、]\s+(?:(?=[(\[（])|(?=(?:in|on|at|as|let|if|given|find|the|a|an|for|there|it|is|are|suppose|known|prove|try"
    r"|from|with|when|how|what|which|through|consider|calculate|solve|set|points?|circle|triangle)"
    r"(?![a-z]|,? (?:two|three|four|five|six|and|or)\b)))",
    re.IGNORECASE,
)
"""``Five, in a rectangle ...``: a Chinese numeral before the comma 、 that was translated with the text."""
_ROMAN = re.compile(rf"\A(?:I{{1,3}}|IV|VI{{0,3}}|IX|X)[.、]\s*(?=[(\[（]|{_STARTER})")
_CHINESE = re.compile(r"\A[一二三四五六七八九十]{1,2}、\s*")
_STARTS = re.compile(rf"{_STARTER}|[(\[（$]|[A-Z][a-z]+ |[\u4e00-\u9fff]")

_HEADS = (_NAMED, _TITLE, _PLAIN, _SECTION, _SECTION_FORMULA, _WORD, _ROMAN, _CHINESE, _PARENTHESISED)
_HEADED = either(
    r"^[#*■★○●【［一二三四五六七八九十题问例第练№]",
    rf"^(?:{SPACE}|\$?{SPACE}*\p{{Nd}}|[(（]\p{{Nd}}|[A-Z]-?\p{{Nd}}|[IVX]+[.、])",
    r"^(?:\\(?:textbf|textit|emph|section|subsection)|\[Problem)",
    r"^(?i:Prob|Exercise|Question|Task|Ex|Test|Item|Variant|Q|No\.|Condition of|Statement|The (?:problem|statement))",
    r"^(?i:One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten|Eleven|Twelve|[A-Za-z]+teen)[,.、]",
)

_LATER_MARK = re.compile(
    r"(?:\n|[.?!;:。；？]|[^\w.$-]\s)\s*(?:Problem |Question |Example )?[(（]?(\d{1,5})[.)）．、:](?!\d)"
)
_POINTS = re.compile(
    r"[(\[（【]\s*(?:\*\*|\\textbf\{)?"
    r"(?:(?:(?:this|the)\s+)?(?:question|problem|sub-?question)?\s*(?:is\s+)?"
    r"(?:worth|full score|total score|total|out of)?\s*:?\s*|本?小?题?(?:满分|共)?\s*)"
    r"\d{1,3}\s*(?:\*\*|\})?[\s-]*(?:points?|pts?\.?|marks?|分)(?:\s+each)?\.?\s*(?:\*\*|\})?[)\]）】][.．]?",
    re.IGNORECASE,
)
_POINT_SIGNS = ("oint", "OINT", "pt", "ark", "分")
_BARE_POINTS = re.compile(
    r"\A(?:\{\[\}|\[)\s*(?:\*\*|\\textbf\{)?\d{1,3}(?:\*\*|\})?\s*(?:\{\]\}|\])[.:]?\s*(?=\S)|\A\\pts?\{\d+\}\s*"
)


@cleans("The problem's number in its collection goes.", when=_HEADED)
def problem_number(text: str) -> Sequence[Edit]:
    """``Problem 7.``, ``5.66``, ``$15 \\cdot 26$``, ``Five,``, ``例3``: before the text, no first of a list."""
    for head in _HEADS:
        found = head.match(text)
        if found is not None and found.end() < len(text) and _is_heading(found):
            return (Edit(0, found.end()),)
    return ()


@cleans(
    "The points a question is worth go.",
    when=either(
        rf"^(?:\{{\[\}}|\[){SPACE}*(?:\*\*|\\textbf\{{)?\p{{Nd}}|^\\pts?\{{",
        r"[(\[（【][^()\[\]（）【】]*\p{Nd}[^()\[\]（）【】]*(?i:point|pt|mark|分)",
    ),
)
def points(text: str) -> Sequence[Edit]:
    """``[5 points]``, ``(本题满分12分)``, ``[4]``: at the start, at the end, or alone on a line."""
    if text.startswith(("[", "{", "\\")) and (bare := _BARE_POINTS.match(text)) is not None:
        return (Edit(0, bare.end()),)
    if not has_any(text, _POINT_SIGNS):
        return ()
    edits = []
    for found in _POINTS.finditer(text):
        before, after = text[: found.start()].rstrip(" \t"), text[found.end() :].lstrip(" \t")
        if not before or not after or before.endswith("\n") or after.startswith("\n"):
            edits.append(Edit(found.start(), found.end() if before else len(text) - len(after)))
    return edits


def _is_heading(found: re.Match[str]) -> bool:
    text, end = found.string, found.end()
    if found.re is _NAMED:
        return (found["close"] is not None or _STARTS.match(text, end) is not None) and not _begins_list(found)
    if found.re in (_PLAIN, _PARENTHESISED):
        return not _begins_list(found)
    if found.re is _ROMAN:
        return re.search(r"(?:^|\s)(?:II|V|X)\.", text[end:]) is None
    return found.re is not _CHINESE or "二、" not in text[end:]


def _begins_list(found: re.Match[str]) -> bool:
    """Tell whether a later item carries the next number, so that this one is the first of a list."""
    if not found["number"].isdigit():
        return False
    following = str(int(found["number"]) + 1)
    return any(mark[1] == following for mark in _LATER_MARK.finditer(found.string, found.end() - 1))
