"""Dropping rules for questions that a guess answers: options left over, yes or no, either or."""

from __future__ import annotations

import re

from curation.filters.answer_shape import bare, unwrapped_text
from curation.filters.rule import Row, drops, search_near

_BRACKETED = re.compile(
    r"(?<![A-Za-z_^{\\])(?:\\(?:textbf|mathrm|text|mathbf|bf)\s*\{\s*)?[(（]\s*A\s*[)）].{0,400}?(?<![A-Za-z_^])[(（]\s*B\s*[)）].{0,400}?(?<![A-Za-z_^])[(（]\s*C\s*[)）]",
    re.DOTALL,
)
_DOTTED = re.compile(
    r"(?:^|[\s。.;，,)）$？?:：}\]]|\\n)(?:\\(?:textbf|mathrm|text|mathbf)\s*\{\s*)?A\s*\)?[.．、:)：]+\}?\s*[^\s&].{0,400}?(?:[\s;，,)）$。.}\]]|\\n)(?:\\(?:textbf|mathrm|text|mathbf)\s*\{\s*)?B\s*\)?[.．、:)：]+\}?\s*[^\s&].{0,400}?(?:[\s;，,)）$。.}\]]|\\n)(?:\\(?:textbf|mathrm|text|mathbf)\s*\{\s*)?C\s*\)?[.．、:)：]*\}?\s*\S",
    re.DOTALL,
)
_DOTTED_LATE = re.compile(
    r"(?:^|[\s。.;，,)）$}\]])B\s*[.．、]\s*\S.{0,400}?[\s;，,)）$。.}\]]C\s*[.．、]\s*\S.{0,400}?[\s;，,)）$。.}\]]D\s*[.．、]\s*\S",
    re.DOTALL,
)
_LOWER = re.compile(
    r"(?:^|\s)[(]a[)].{1,80}[(]b[)].{1,80}[(]c[)].{1,80}[(]d[)]|(?:^|\n)\s*a[.)]\s.{1,80}\n\s*b[.)]\s.{1,80}\n\s*c[.)]\s",
    re.DOTALL,
)
_WHICH_WORD = re.compile("[Ww]hich|WHICH|WHich|following|[Ss]elect|[Cc]hoose|letter|[Aa]nswer")
_WHICH = re.compile(
    r"(?<!how many of the )(?<!many of the )\bwhich (?:one |two |three |ones |statements? |of these |among )?(?:of|from|in|among) (?:the |these |those )?(?:following|options?|choices|alternatives|statements)\b|\bwhich (?:following|option|choice|alternative)\b|\bwhich (?:expression|equation|graph|statement|option|choice|inequality|answer|figure|formula|pair|set|table)s? (?:is|are|best|represents?|describes?|shows?|could|can|must|models?|gives?)\b[^.?!]*\?"
    r"|\bof the following (?:[\w-]+ ){0,3}(?:which|the one)|\b(?:one|none|any|each) of the following (?:is|are|must|statements)[^.?!]*\?|\bselect (?:all|one|the (?:correct|best))\b|\bchoose the (?:correct|best|right)\b|\benter the letters?\b|\banswer (?:as|with) (?:a letter|(?-i:[A-E]\b))|\bletter of (?:the |your )?(?:correct|option|answer|choice|graph|best|one)\b",
    re.IGNORECASE,
)
_CLOSEST = re.compile(
    r"\b(?:is|are|was|be|number|value)\s+(?:closest|nearest|most nearly|approximately equal)\s*(?:to)?\s*[:?.]?\s*$|\b(?:cannot|can ?not|could|might|may) be\s*[:?.]?\s*$|\bclosest to which\b",
    re.IGNORECASE,
)
_CLOSEST_ENDS = tuple(
    word + sign
    for word in ("closest to", "nearest to", " be", "nearly", "equal to", "closest", "nearest")
    for sign in ("", ":", " :", "?", ".")
)
_CHINESE = re.compile(
    r"(?:下列|以下|下面)[^。？]{0,40}(?:正确|错误|不正确|成立|不成立|符合|属于|不是|一定|说法|的是|哪一?[个项种])|[(（](?:\s|\\q?quad|\$|　)*[)）]\s*[。.]?\s*(?:\\begin|[(（]?\s*A\s*[)）.．、])|选择题|单选|多选"
)
_LETTERS = re.compile(r"\(?\s*[A-H]\s*\)?[.:]?(?:\s*(?:,|、|and|&|;)?\s*\(?\s*[A-H]\s*\)?)*")
_ONE_LETTER = re.compile(r"[(（]?\s*([A-J])\s*[)）]?[.:]?")
_NUMERALS_ONLY = re.compile(
    r"\b(?:I{1,3}|IV|V)\b[^.]*\bonly\b|\b(?:none|all|both|neither|only) of (?:these|the above|them)\b|\b(?:both|neither) I\b|\bonly I{1,3}\b",
    re.IGNORECASE,
)

_YES_NO = frozenset(
    "yes no true false possible impossible exists does-not-exist odd even neither convergent divergent converges diverges correct incorrect right wrong always never sometimes "
    "there-is there-is-not there-are there-are-not it-is it-is-not it-does it-does-not can cannot can't it-can it-cannot not-possible doesn't-exist "
    "是 否 不是 能 不能 可以 不可以 对 错 正确 错误 存在 不存在 √ × 不可能 可能 有 没有 会 不会".split()
)
_STRICT_YES_NO = frozenset(
    "yes no true false 是 否 不是 能 不能 对 错 不可以 可以 存在 不存在 √ × there-is there-is-not it-can it-cannot it-is it-is-not".split()
)
_TRUE_FALSE = re.compile(
    r"\btrue or false\b\s*[:?.,]|^\s*true or false|\b(?:is|are) (?:this|the (?:following )?) ?(?:statement|claim|assertion)s? (?:true|correct|false)\b|\banswer (?:with )?(?:yes or no|true or false)\b|\(yes/no\)|\(true/false\)|\byes or no\s*[:?.]",
    re.IGNORECASE,
)
_POLAR = re.compile(
    r"(?:^|[.?!。]\s+|[,，]\s*|\n\s*)(?:is|are|does|do|can|could|will|would|was|were|did|must|has|have|should)\s(?:it\b|there\b|the\b|this\b|an?\b|every\b|all\b|\ufffc|[A-Za-z]+\b)[^.?!。]*\?",
    re.IGNORECASE,
)
_QUOTED_OPTIONS = re.compile(
    r"(?:enter|answer|write|type|state|reply)[^.?!]{0,30}[\"“'`]+\w[^\"”'`]*[\"”'`]+,? (?:or )?[\"“'`]+", re.IGNORECASE
)


@drops(
    "multiple_choice",
    "Its options are still in the text.",
    signs=("B)", "B.", "B）", "B．", "B、", "B:", "B ）", "B )", "(b)", "b)", "b."),
)
def options(row: Row) -> re.Match[str] | None:
    """``(A) ... (B) ... (C)`` or ``A. ... B. ... C.``"""
    text = row.statement
    if "A" in text and "C" in text:
        found = _BRACKETED.search(text) or _DOTTED.search(text) or _DOTTED_LATE.search(text)
        if found is not None:
            return found
    return _LOWER.search(text) if _is_choice_letter(row, "abcd") else None


@drops(
    "multiple_choice",
    "It asks to choose from options.",
    words="which following select choose letter letters answer",
    signs=("下列", "以下", "下面", "选", "( )", "（", "quad)"),
)
def choice_wanted(row: Row) -> re.Match[str] | None:
    """``Which of the following``, ``Enter the letter``, ``is closest to``; ``How many of the following`` asks for a number."""
    found = search_near(_WHICH_WORD, _WHICH, row.prose)
    return found or (None if row.statement.isascii() else _CHINESE.search(row.statement))


@drops("multiple_choice", "It asks for the closest or a possible one of options that are gone.")
def options_lost(row: Row) -> re.Match[str] | None:
    """A stem that ends ``is closest to`` or ``could be``."""
    return _CLOSEST.search(row.prose) if row.lower.endswith(_CLOSEST_ENDS) else None


@drops("multiple_choice", "Its answer is the letter of an option.", about_answer=True)
def letter_answer(row: Row) -> str | None:
    """``B``, ``\\text{(C)}``, ``A, C``; a letter that is a quantity of the statement is a value."""
    answer = unwrapped_text(row.target)
    if not answer or len(answer) > 24:
        return None
    if _NUMERALS_ONLY.search(answer):
        return answer
    return answer if _LETTERS.fullmatch(answer) and _is_choice_letter(row, "ABCDEFGH") else None


@drops("yes_no", "Its answer is yes or no.", about_answer=True)
def yes_no_answer(row: Row) -> str | None:
    """An answer of the yes-or-no kind, or one of two or three words that the statement offers."""
    answer = unwrapped_text(row.target).strip(" .。!\"'“”").lower()
    if not answer or len(answer) > 40:
        return None
    if answer.replace(" ", "-") in _STRICT_YES_NO or re.match(r"(?:yes|no|true|false)\s*[,.;:(]", answer):
        return answer
    if answer.replace(" ", "-") in _YES_NO or re.match(r"(?:是|否|不是|能|不能)[，,。]", answer):
        return answer
    return answer if answer.isalpha() and _QUOTED_OPTIONS.search(row.prose) and answer in row.lower else None


@drops("yes_no", "It asks whether something is true.", words="true yes correct")
def true_or_false(row: Row) -> re.Match[str] | None:
    """``True or false: ...``, ``Is the statement true?``, whatever the answer."""
    return _TRUE_FALSE.search(row.prose)


def _is_choice_letter(row: Row, letters: str) -> bool:
    """Tell whether a letter answer names an option: bracketed, or no quantity of that name in the statement."""
    answer = unwrapped_text(row.target)
    named = [character for character in answer if character in letters]
    if not named or not re.fullmatch(r"[^\w]*(?:[A-Ha-h][\W_]*)+(?:and[\W_]*[A-Ha-h][\W_]*)?", answer):
        return False
    if "(" in answer or "（" in answer or len(named) > 1:
        return len(named) > 1 or bare(row.target) != answer or "(" in answer
    return re.search(rf"(?<![A-Za-z\\]){named[0]}(?![A-Za-z])(?!\s*[).．、])", row.statement.replace("\\", " ")) is None
