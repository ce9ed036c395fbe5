"""Cleaning rules for where a problem comes from: contest and author lines, and notes about the page it stood on."""

from __future__ import annotations

import re
from collections.abc import Sequence

from curation.filters.rule import Edit, cleans, has_any, one_of
from curation.filters.triggers import SPACE, either

_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_CONTEST = one_of(
    r"\b(?:Olympiad|Competition|Contest|Championship|Tournament|Cup|Examination|Exam|League|Training|Selection|Round)\b",
    r"\b(?:Team Test|Test Question|Invitational|Entrance|Shortlist|Contributed|Proposed|Adapted|Problem Committee)\b",
    r"\b(?:AIME|AMC|AHSME|HMMT|IMO|USAMO|APMO|Putnam|ARML|PUMaC|CMIMC|BMT|SMT|MOP|TST|Folklore)\b",
    r"高考|联赛|竞赛|模拟|真题|全国卷|考研|预赛|初赛|决赛",
    flags=re.IGNORECASE,
)
_TALK = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|that|which|if|then|let|find|assume|note|where|each|any|every|not|may|can"
    r"|must|should|means?|denotes?|answer|round(?:ed)? to|express|recall|given|hint|use|using|you|your|all|both|only"
    r"|inclusive|respectively)\b",
    re.IGNORECASE,
)
"""Words of a sentence: a bracket that holds one is a remark about the question, no source."""
_NAME = r"[^\W\d_a-z][\w'’-]*"
_LINKING = (
    r"(?:of|the|and|de|la|van|von|der|for|in|at|from|by|adapted|contributed|proposed|provided|problem|modified|selected"
    r"|round|grade|day|class|edition|\d{1,4}(?:st|nd|rd|th)?|\d{4}[-/]\d{2,4}|№|No|&|-|–|/|#)"
)
_NAMES = re.compile(
    rf"(?=.*[^\W\d_]{{3}})(?:{_NAME}|{_LINKING})(?:[\s,.;:·]+(?:{_NAME}|{_LINKING}))*[\s,.;:]*", re.DOTALL
)
_HEAD = re.compile(r"\A[(（\[【〔]([^()（）\[\]【】〔〕$?\n]{3,120})[)）\]】〕][.．]?\s*(?=\S)")
_TAIL = re.compile(r"\s*[(（\[【〔]((?:[^()（）\[\]【】〔〕$?\n]|\([^()$?\n]{1,30}\)){3,140})[)）\]】〕][.。]?\s*\Z")
_TAIL_ENDS = (")", "）", "]", "】", "〕")
_SHORTLIST = re.compile(
    r"\A(?:[ACGN]\d{1,2}\s*)?\([A-Z]{3}(?:\s?\d{1,2}\*?)?\)\s*"
    r"(?:\$\s*\{\s*\}\s*\^\{[^{}$]*(?:\{[^{}$]*\}[^{}$]*)?\}\s*\$\s*)?(?=\S)"
)
"""``G7 (IRN)``, ``(BUL) ${ }^{\\mathrm{IMO} 6}$``: how the IMO's shortlists mark who proposed a problem."""

_CONTEST_NAME = r"(?:AMC|AIME|AHSME|AJHSME|HMMT|USAMO|IMO|CMIMC|PUMaC|BMT|SMT|ARML|BAMO|Putnam)"
_PROBLEM_OF = re.compile(
    rf"\A(?:(?:19|20)\d\d\s+)?{_CONTEST_NAME}\b[^\n.?!$:]{{0,30}}?(?:Problem|Question|#|No\.|P)\s*\d+\s*[.:)\]-]+\s*(?=\S)"
)
"""``AMC 10A 2015 Problem 3:`` before the text."""
_DASHES = ("-", "–", "—", "~")
_CONTEST_AT_END = re.compile(rf"\s*[-–—~]+\s*(?:(?:19|20)\d\d\s+)?{_CONTEST_NAME}\b[^\n.?!$]{{0,40}}\Z")

_INITIALS = r"(?:[^\W\d_a-z]\.\s?){1,2}"
_AUTHOR_LINE = one_of(
    rf"\A(?:Author:\s*)?{_NAME}\s+{_INITIALS}(?:,\s*{_NAME}\s+{_INITIALS})*[ \t]*\n+(?=\S)",
    rf"\A{_INITIALS}\s*{_NAME}[ \t]*\n\s*\n(?=\S)",
    r"\AFolklore[ \t]*\n+(?=\S)",
)
_CREDIT = re.compile(
    r"\s*(?:[\[(（*_]|\\(?:textit|emph|textbf|textsl)\{|\\(?:hfill|flushright)\s*|\[i\])*"
    r"(?:(?:Problem\s+)?(?:Proposed|Contributed|Submitted|Posted|Authored|Suggested|Created|Written)\s+by"
    r"|Authors?:|Source:|来源[:：])\s*[^\n$?\\]{2,150}?(?:[\])）*_}]|\[/i\])*\s*\Z"
)
_CREDIT_COMMAND = one_of(
    r"\s*\\(?:proposed|author|source|contributor)\{[^{}$]{0,120}\}\s*\Z",
    r"\A\s*\\(?:proposed|author|source|contributor)\{[^{}$]{0,120}\}\s*",
    # A macro of the paper's own before a solution that another rule finds.
    r"\s*\\proposed\{[^{}$]{0,120}\}\s*(?=\n)",
)
_CREDIT_SIGNS = ("osed by", "uted by", "tted by", "sted by", "ored by", "ated by", "tten by", "uthor", "ource:", "来源")
_CREDIT_COMMANDS = ("\\proposed", "\\author", "\\source", "\\contributor")
_LONGEST_CREDIT = 240

_NOTE = re.compile(
    r"\n[ \t]*(?:\*\*|''')?(?:Major |Side |Editor'?s? |Important )?(?:Notes?|Remark|Comment)(?:\*\*|''')?\s*(?:[:.]|\n)"
    r"[^$?]*\Z",
    re.IGNORECASE,
)
_NOTE_SIGNS = ("ote", "OTE", "emark", "omment")
_ABOUT_PAGE = re.compile(
    r"\b(?:most solutions|solutions? (?:below|on this page|use)|visit the|see the .{0,40}page|this page|wiki"
    r"|the (?:figure|diagram|picture|image|graph) was not|was not (?:given|part of|included|provided)"
    r"|(?:actual|original|real) (?:contest|test|exam|competition|problem)|during the (?:contest|test|exam)|click|thread"
    r"|forum)\b",
    re.IGNORECASE,
)


@cleans(
    "The contest a problem is from goes.",
    when=either(
        rf"^(?:[ACGN]\p{{Nd}}+{SPACE}*)?\([A-Z]{{3}}|^(?:(?:19|20)\p{{Nd}}{{2}}{SPACE}+)?{_CONTEST_NAME}",
        rf"[-–—~]{SPACE}*(?:(?:19|20)\p{{Nd}}{{2}}{SPACE}+)?{_CONTEST_NAME}[^\n]*$",
        r"^[(（\[【〔][^$?\n\\=]*[)）\]】〕]",
        rf"[(（\[【〔][^$?\n\\=]*[)）\]】〕][.。]?{SPACE}*$",
    ),
)
def contest_tag(text: str) -> Sequence[Edit]:
    """``(2009 Local Olympiad, adapted)`` before the text, ``(China, 1988)`` or a name in brackets after it."""
    if (country := _SHORTLIST.match(text)) is not None:
        return (Edit(0, country.end()),)
    if (paper := _PROBLEM_OF.match(text)) is not None:
        return (Edit(0, paper.end()),)
    if has_any(text[-80:], _DASHES):
        paper = _CONTEST_AT_END.search(text, max(0, len(text) - 80))
        if paper is not None and paper.start() > 0:
            return (Edit(paper.start(), paper.end()),)
    if (head := _HEAD.match(text)) is not None and _is_source(head[1], alone=False):
        return (Edit(0, head.end()),)
    if not text.rstrip(" \n.。").endswith(_TAIL_ENDS):
        return ()
    tail = _TAIL.search(text, max(0, len(text) - 200))
    if tail is None or tail.start() == 0 or not _is_source(tail[1], alone="\n" in text[tail.start() : tail.start(1)]):
        return ()
    return (Edit(tail.start(), tail.end()),)


@cleans(
    "The author's name goes.",
    when=either(
        rf"^(?:[A-Za-z0-9_'.,:-]|[^\x00-\x7f]|{SPACE})*\.{SPACE}*\n|^(?:[A-Z]|[^\x00-\x7f])\.|^Folklore[ \t]*\n",
        rf"(?:Propos|Contribut|Submitt|Post|Author|Suggest|Creat)ed{SPACE}+by|Written{SPACE}+by",
        r"Authors?:|Source:|来源|\\(?:proposed|author|source|contributor)\{",
    ),
)
def author(text: str) -> Sequence[Edit]:
    """A first line that is a name with initials; ``Proposed by ...`` and ``\\proposed{...}`` at the end."""
    if "\n" in text[:80] and (line := _AUTHOR_LINE.match(text)) is not None:
        return (Edit(0, line.end()),)
    credit = None
    if has_any(text[-_LONGEST_CREDIT:], _CREDIT_SIGNS):
        credit = _CREDIT.search(text, max(0, len(text) - _LONGEST_CREDIT))
    if credit is None and "\\" in text and has_any(text, _CREDIT_COMMANDS):
        credit = _CREDIT_COMMAND.search(text)
    return () if credit is None or credit.end() - credit.start() == len(text) else (Edit(credit.start(), credit.end()),)


@cleans(
    "A closing note about the page or the contest goes.",
    when=r"\n[ \t]*(?:\*\*|'{3})?(?i:(?:Major |Side |Editor'?s? |Important )?(?:Note|Remark|Comment))",
)
def page_note(text: str) -> Sequence[Edit]:
    """``Note: The diagram was not given during the contest`` says nothing about the question."""
    if "\n" not in text or not has_any(text, _NOTE_SIGNS):
        return ()
    note = _NOTE.search(text)
    return (Edit(note.start(), note.end()),) if note is not None and _ABOUT_PAGE.search(note.group()) else ()


def _is_source(content: str, *, alone: bool) -> bool:
    if _TALK.search(content) is not None or "\\" in content or "=" in content:
        return False
    contest, year = _CONTEST.search(content) is not None, _YEAR.search(content) is not None
    if contest and (year or _NAMES.fullmatch(content) is not None or not content.isascii()):
        return True
    return (year or alone) and _NAMES.fullmatch(content) is not None
