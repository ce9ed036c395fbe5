"""Cleaning rules for what stands before a question in a collection: its number and its points."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curation.filters.rule import Edit, cleans

_STARTER = (
    r"(?:An?|The|In|On|At|If|Let|Given|Find|How|What|Which|Who|For|There|It|Is|Are|Do|Does|Can|From|To|Of|With|When|Where"
    r"|Prove|Show|Solve|Determine|Calculate|Compute|Evaluate|Simplify|Suppose|Consider|Assume|Construct|Write|Each|Every|All"
    r"|Some|Several|One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten|Inside|Through|Points?|Triangle|Circle|Side|Sides"
    r"|Denote|Define|Express|Factor|Represent|Among|After|Before|By|As|Using|We|You|I)(?![A-Za-z])"
)
_NAMED = re.compile(
    r"\A(?:[#*■★\s]|\\(?:textbf|textit|emph|section\*?|subsection\*?)\{)*"
    r"(?P<word>Problem|Exercise|Question|Task|Example|Prob|Ex|Test|Item|Variant|Q|例题?|题|问题|练习|第)"
    r"[.\s]*(?:No\.?|№|#)?\s*(?P<number>(?:[A-Z]-?)?\d+[a-z]?(?:\s*[-–.]\s*\d+)*|\(\d+\)|[IVX]+(?![A-Za-z]))\s*题?(?P<close>[\s}*]*[.:：．、)\]】]+[}*]*|[}*]+|\s*\n)?\s*",
)
_TITLE = re.compile(
    r"\A(?:#+\s*|\*\*|\\textbf\{)?(?:Problem statement|Condition of the problem|Statement of the problem|The problem|Problem|Question|Statement"
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
_ORDINAL = "One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten|Eleven|Twelve|Thirteen|Fourteen|Fifteen|Sixteen"
_WORD = re.compile(
    rf"\A(?:{_ORDINAL})[,.、](?:\s+(?=[(\[（])|\s+(?=(?:in|on|at|as|let|if|given|find|the|a|an|for|there|it|is|are|two|suppose|known|"
    rf"known|prove|try|from|with|when|how|what|which|through|consider|calculate|solve|set|point|points|circle|triangle|"
    rf"Let|In|As|Given|If|Find|The|For|There|On|A|Suppose|Known|Prove|Try)(?![a-z]|,? (?:two|three|four|five|six|and|or)\b)))"
)
_ROMAN = re.compile(rf"\A(?:I{{1,3}}|IV|VI{{0,3}}|IX|X)[.、]\s*(?=[(\[（]|{_STARTER})")
_CHINESE = re.compile(r"\A[一二三四五六七八九十]{1,2}、\s*")
_UNIT = r"(?:points?|pts?\.?|marks?|分)"
_POINTS = re.compile(
    rf"[(\[（【]\s*(?:\*\*|\\textbf\{{)?(?:(?:(?:this|the)\s+)?(?:question|problem|sub-?question)?\s*(?:is\s+)?(?:worth|full score|total|total score|out of)?\s*:?\s*"
    rf"|本?小?题?(?:满分|共)?\s*)\d{{1,3}}\s*(?:\*\*|\}})?[\s-]*{_UNIT}(?:\s+each)?\.?\s*(?:\*\*|\}})?[)\]）】][.．]?",
    re.IGNORECASE,
)
_POINT_SIGNS = ("oint", "OINT", "pt", "PT", "mark", "Mark", "分")
_BARE_POINTS = re.compile(
    r"\A(?:\{\[\}|\[)\s*(?:\*\*|\\textbf\{)?\d{1,3}(?:\*\*|\})?\s*(?:\{\]\}|\])[.:]?\s*(?=\S)|\A\\pts?\{\d+\}\s*"
)


@cleans("The problem's number in its collection goes.")
def problem_number(text: str) -> Iterator[Edit]:
    """``Problem 7.``, ``5.66``, ``$15 \\cdot 26$``, ``Five,``, ``例3``: before the text, and not the first of a list."""
    for pattern in (_NAMED, _TITLE, _PLAIN, _SECTION, _SECTION_FORMULA, _WORD, _ROMAN, _CHINESE, _PARENTHESISED):
        found = pattern.match(text)
        if found is not None and found.end() < len(text) and _is_heading(found, text):
            yield Edit(0, found.end())
            return


@cleans("The points a question is worth go.")
def points(text: str) -> Iterator[Edit]:
    """``[5 points]``, ``(本题满分12分)``, ``[4]``: at the start, at the end, or alone on a line."""
    bare = _BARE_POINTS.match(text)
    if bare is not None:
        yield Edit(0, bare.end())
        return
    if not any(sign in text for sign in _POINT_SIGNS):
        return
    for found in _POINTS.finditer(text):
        before, after = text[: found.start()].rstrip(" \t"), text[found.end() :].lstrip(" \t")
        if before in ("",) or not after or before.endswith("\n") or after.startswith("\n"):
            end = found.end() + (len(text) - found.end() - len(after) if not before else 0)
            yield Edit(found.start(), end)


def _is_heading(found: re.Match[str], text: str) -> bool:
    rest = text[found.end() :]
    if found.re is _NAMED:
        starts = (
            found["close"] is not None
            or re.match(rf"{_STARTER}|[(\[（$]|[A-Z][a-z]+ |[\u4e00-\u9fff]", rest) is not None
        )
        return starts and not _goes_on(found["number"], text, found.end())
    if found.re in (_PLAIN, _PARENTHESISED):
        return not _goes_on(found["number"], text, found.end())
    if found.re is _ROMAN:
        return re.search(r"(?:^|\s)(?:II|V|X)\.", rest) is None
    if found.re is _CHINESE:
        return "二、" not in rest
    return True


def _goes_on(number: str, text: str, start: int) -> bool:
    """Tell whether a later item carries the next number, so that this one begins a list."""
    if not number.isdigit():
        return False
    following = int(number) + 1
    return (
        re.compile(
            rf"(?:\n|[.?!;:。；？]|[^\w.$-]\s)\s*(?:Problem |Question |Example )?[(（]?{following}[.)）．、:](?!\d)"
        ).search(text, start - 1)
        is not None
    )
