"""Cleaning rules for where a problem comes from: contest and author lines, and notes about the page it stood on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curation.filters.rule import Edit, cleans

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_CONTEST = re.compile(
    r"\b(?:Olympiad|Competition|Contest|Championship|Tournament|Cup|Examination|Exam|League|Training|Selection|Round|Team Test|Test Question"
    r"|Invitational|Entrance|AIME|AMC|AHSME|HMMT|IMO|USAMO|APMO|Putnam|ARML|PUMaC|CMIMC|BMT|SMT|MOP|TST|Shortlist"
    r"|Contributed|Proposed|Adapted|Problem Committee|Folklore)\b|高考|联赛|竞赛|模拟|真题|全国卷|考研|预赛|初赛|决赛",
    re.IGNORECASE,
)
_TALK = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|that|which|if|then|let|find|assume|note|where|each|any|every|not|may|can|must|"
    r"should|means?|denotes?|answer|round(?:ed)? to|express|recall|given|hint|use|using|you|your|all|both|only|inclusive|respectively)\b",
    re.IGNORECASE,
)
_NAME = r"[^\W\d_a-z][\w'’.-]*"
_LINKING = r"(?:of|the|and|de|la|van|von|der|for|in|at|from|by|adapted|contributed|proposed|provided|problem|modified|selected|round|grade|day|class|edition|\d{1,4}(?:st|nd|rd|th)?|\d{4}[-/]\d{2,4}|№|No|&|-|–|/|#)"
_NAMES = re.compile(
    rf"(?=.*[^\W\d_]{{3}})(?:{_NAME}|{_LINKING})(?:[\s,.;:·]+(?:{_NAME}|{_LINKING}))*[\s,.;:]*", re.DOTALL
)
_HEAD = re.compile(r"\A[(（\[【〔]([^()（）\[\]【】〔〕$?\n]{3,120})[)）\]】〕][.．]?\s*(?=\S)")
_TAIL = re.compile(r"\s*[(（\[【〔]((?:[^()（）\[\]【】〔〕$?\n]|\([^()$?\n]{1,30}\)){3,140})[)）\]】〕][.。]?\s*\Z")
_AUTHOR_LINE = re.compile(
    rf"\A(?:Author:\s*)?{_NAME}\s+(?:[^\W\d_a-z]\.\s?){{1,2}}(?:,\s*{_NAME}\s+(?:[^\W\d_a-z]\.\s?){{1,2}})*[ \t]*\n+(?=\S)"
    rf"|\A(?:[^\W\d_a-z]\.\s?){{1,2}}\s*{_NAME}[ \t]*\n\s*\n(?=\S)|\AFolklore[ \t]*\n+(?=\S)"
)
_SHORTLIST = re.compile(
    r"\A(?:[ACGN]\d{1,2}\s*)?\([A-Z]{3}(?:\s?\d{1,2}\*?)?\)\s*(?:\$\s*\{\s*\}\s*\^\{[^{}$]*(?:\{[^{}$]*\}[^{}$]*)?\}\s*\$\s*)?(?=\S)"
)
_CREDIT = re.compile(
    r"\s*(?:[\[(（*_]|\\(?:textit|emph|textbf|textsl)\{|\\(?:hfill|flushright)\s*|\[i\])*(?:(?:Problem\s+)?(?:Proposed|Contributed|Submitted|Posted|Authored|Suggested|Created|Written)\s+by|Authors?:|Source:|来源[:：])"
    r"\s*[^\n$?]{2,150}?(?:[\])）*_}]|\[/i\])*\s*\Z"
)
_CREDIT_SIGNS = ("ed by ", "ten by ", "uthor", "ource", "来源", "\\proposed", "\\contributor")
_CREDIT_COMMAND = re.compile(
    r"\s*\\(?:proposed|author|source|contributor)\{[^{}$]{0,120}\}\s*\Z|\A\s*\\(?:proposed|author|source|contributor)\{[^{}$]{0,120}\}\s*"
)
_NOTE = re.compile(
    r"\n[ \t]*(?:\*\*|''')?(?:Major |Side |Editor'?s? |Important )?(?:Notes?|Remark|Comment|NOTE)(?:\*\*|''')?\s*(?:[:.]|\n)[^$?]*\Z",
    re.IGNORECASE,
)
_ABOUT_PAGE = re.compile(
    r"\b(?:most solutions|solutions? (?:below|on this page|use)|visit the|see the .{0,40}page|this page|wiki|the (?:figure|diagram|picture|image|graph) was not|was not (?:given|part of|included|provided)"
    r"|(?:actual|original|real) (?:contest|test|exam|competition|problem)|during the (?:contest|test|exam)|click|thread|forum)\b",
    re.IGNORECASE,
)


@cleans("The contest a problem is from goes.")
def contest_tag(text: str) -> Iterator[Edit]:
    """``(2009 Local Olympiad, adapted)`` before the text, ``(China, 1988)`` or a name in brackets after it."""
    if (country := _SHORTLIST.match(text)) is not None:
        yield Edit(0, country.end())
        return
    if (head := _HEAD.match(text)) is not None and _is_source(head[1], alone=False):
        yield Edit(0, head.end())
        return
    if not text.rstrip(" \n.。").endswith((")", "）", "]", "】", "〕")):
        return
    if (tail := _TAIL.search(text, max(0, len(text) - 200))) is not None and tail.start() > 0:
        alone = "\n" in text[tail.start() : tail.start(1)]
        if _is_source(tail[1], alone=alone):
            yield Edit(tail.start(), tail.end())


@cleans("The author's name goes.")
def author(text: str) -> Iterator[Edit]:
    """A first line that is a name with initials; ``Proposed by ...`` and ``\\proposed{...}`` at the end."""
    if "\n" in text[:80] and (line := _AUTHOR_LINE.match(text)) is not None:
        yield Edit(0, line.end())
        return
    if not any(sign in text for sign in _CREDIT_SIGNS):
        return
    for pattern in (_CREDIT, _CREDIT_COMMAND):
        if (credit := pattern.search(text)) is not None and credit.end() - credit.start() < len(text):
            yield Edit(credit.start(), credit.end())
            return


@cleans("A closing note about the page or the contest goes.")
def page_note(text: str) -> Iterator[Edit]:
    """``Note: The diagram was not given during the contest`` says nothing about the question."""
    if not any(sign in text for sign in ("ote", "OTE", "emark", "omment")):
        return
    note = _NOTE.search(text)
    if note is not None and _ABOUT_PAGE.search(note.group()) is not None:
        yield Edit(note.start(), note.end())


def _is_source(content: str, *, alone: bool) -> bool:
    if _TALK.search(content) is not None or "\\" in content or "=" in content:
        return False
    contest, year = _CONTEST.search(content) is not None, _YEAR.search(content) is not None
    if contest and (year or _NAMES.fullmatch(content) is not None or not content.isascii()):
        return True
    if _NAMES.fullmatch(content) is None:
        return False
    return year or alone
