"""Dropping rules for questions that a guess answers: options left over, yes or no, either or."""

from __future__ import annotations

import re

from curation.filters.answer_shape import unwrapped_text
from curation.filters.questions import asks_for_value
from curation.filters.rule import Row, at_word, drops, one_of, search_near
from curation.filters.triggers import SPACE, in_prose, signs, words

_FONT = r"(?:\\(?:textbf|mathrm|text|mathbf|bf)\s*\{\s*)?"
_GAP = r".{0,400}?"
_BRACKETED = re.compile(
    rf"(?<![A-Za-z_^{{\\]){_FONT}[(（]\s*A\s*[)）]{_GAP}(?<![A-Za-z_^])[(（]\s*B\s*[)）]{_GAP}"
    r"(?<![A-Za-z_^])[(（]\s*C\s*[)）]",
    re.DOTALL,
)
_BEFORE = r"(?:[\s;，,)）$。.}\]]|\\n)"
_DOT = r"\s*\)?[.．、:)：]+\}?\s*[^\s&]"
_DOTTED = re.compile(
    rf"(?:^|[？?:：]|{_BEFORE}){_FONT}A{_DOT}{_GAP}{_BEFORE}{_FONT}B{_DOT}{_GAP}{_BEFORE}{_FONT}C"
    r"\s*\)?[.．、:)：]*\}?\s*\S",
    re.DOTALL,
)
_DOTTED_LATE = re.compile(
    rf"(?:^|{_BEFORE})B\s*[.．、]\s*\S{_GAP}{_BEFORE}C\s*[.．、]\s*\S{_GAP}{_BEFORE}D\s*[.．、]\s*\S", re.DOTALL
)
_SECOND_OPTION = re.compile(r"B[\s}]*[)）.．、:：]")
_SMALL = re.compile(
    r"(?:^|\s)[(]a[)].{1,80}[(]b[)].{1,80}[(]c[)].{1,80}[(]d[)]"
    r"|(?:^|\n)\s*a[.)]\s.{1,80}\n\s*b[.)]\s.{1,80}\n\s*c[.)]\s",
    re.DOTALL,
)
_SMALL_AFTER_QUESTION = re.compile(
    r"[?？:：=]\s*\$?\s*\(?a[.)]\s*[^.?]{1,60}?\s\(?b[.)]\s*[^.?]{1,60}?\s\(?c[.)]\s*[^.?]{1,60}?\s\(?d[.)]\s*[^?]{1,60}\Z"
)

_WHICH_WORD = re.compile("[Ww][Hh]ich|WHICH|following|[Ss]elect|[Cc]hoose|letter|[Nn]one|[Oo]ptions")
_WHICH = at_word(
    r"(?<!how many of the )(?<!many of the )which (?:one |two |three |ones |statements? |of these |among )?"
    r"(?:of|from|in|among) (?:the |these |those )?(?:following|options?|choices|alternatives|statements)\b",
    r"which (?:following|option|choice|alternative)\b",
    r"which (?:expression|equation|graph|statement|option|choice|inequality|answer|figure|formula|pair|set|table)s? "
    r"(?:is|are|best|represents?|describes?|shows?|could|can|must|models?|gives?)\b[^.?!]*\?",
    r"of the following (?:[\w-]+ ){0,3}(?:which|the one)",
    r"(?:one|none|any|each) of the following (?:is|are|must|statements)[^.?!]*\?",
    r"select (?:all|one) (?:of|that|the|answer|option)s?\b|select the (?:correct|best)\b",
    r"choose the (?:correct|best|right)\b|enter the letters?\b",
    r"none of (?:the above|these)\b|options\s*:|choose one\s*[.:]?\s*\Z",
    r"letter of (?:the |your )?(?:correct|option|answer|choice|graph|best|one)\b",
    flags=re.IGNORECASE,
)
_CHINESE = one_of(
    r"(?:下列|以下|下面)[^。？]{0,40}(?:正确|错误|不正确|成立|不成立|符合|属于|不是|一定|说法|的是|哪一?[个项种])",
    r"选择题|单选|多选",
)
_CLOSEST = re.compile(
    r"\b(?:is|are|was|be|number|value)\s+(?:closest|nearest|most nearly|approximately equal)\s*(?:to)?\s*[:?.]?\s*$"
    r"|\b(?:cannot|can ?not|could|might|may) be\s*[:?.]?\s*$",
    re.IGNORECASE,
)
_CLOSEST_ENDS = tuple(
    word + sign
    for word in ("closest to", "nearest to", " be", "nearly", "equal to", "closest", "nearest")
    for sign in ("", ":", " :", "?", ".")
)

_LETTERS = re.compile(r"\(?[A-H]\)?[.:]?(?:(?:,|、|and|&|;)?\(?[A-H]\)?)*")
_LETTER_AND_VALUE = re.compile(r"[(（]\s*[A-E]\s*[)）]\s*(?![\s+*/=,;^_)\]-]|\\(?:cup|cap|le|ge|times|cdot|in)\b)\S")
"""The letter of an option before its value: ``(B) 12``; ``(A) + 2`` goes on as a formula."""
_LONGEST_LETTERS = 40
_WHO = re.compile(r"(?:\A|[.?!,]\s+)(?:which|who|whose)\b[^.?!]*\?")
_SOME_STATEMENTS = one_of(
    r"\b(?:I{1,3}|IV|V)\b[^.]*\bonly\b|\bonly I{1,3}\b|\b(?:both|neither) I\b",
    r"\b(?:none|all|both|neither|only) of (?:these|the above|them)\b",
    flags=re.IGNORECASE,
)

_YES_NO_TEXT = """
yes no true false possible impossible exists odd even neither convergent divergent converges diverges correct incorrect
right wrong always never sometimes can cannot can't √ × 是 否 不是 能 不能 可以 不可以 对 错 正确 错误 存在
不存在 不可能 可能 有 没有 会 不会
"""
_YES_NO = frozenset(_YES_NO_TEXT.split()) | {
    "not possible",
    "does not exist",
    "doesn't exist",
    "there is",
    "there is not",
    "there are",
    "there are not",
    "it is",
    "it is not",
    "it does",
    "it does not",
    "can not",
    "it can",
    "it cannot",
}
_YES_NO_START = re.compile(r"(?:yes|no|true|false)\s*[,.;:(]|(?:是|否|不是|能|不能)[，,。]")
_LONGEST_YES_NO = 40
_TRUE_FALSE = one_of(
    r"\btrue or false\b\s*[:?.,]|^\s*true or false",
    r"(?:^|[.?!;:,(]\s*|\bplease )answer (?:with )?(?:yes or no|true or false)\b",
    r"\b(?:is|are) (?:this|the (?:following )?) ?(?:statement|claim|assertion)s? (?:true|correct|false)\b",
    r"\(yes/no\)|\(true/false\)|\byes or no\s*[:?.]",
    flags=re.IGNORECASE,
)
_QUOTED_OPTIONS = re.compile(
    r"(?:enter|answer|write|type|state|reply)[^.?!]{0,30}[\"“'`]+\w[^\"”'`]*[\"”'`]+,? (?:or )?[\"“'`]+", re.IGNORECASE
)


@drops(
    "multiple_choice",
    "Its options are still in the text.",
    when=rf"B(?:}}|{SPACE})*[)）.．、:：](?s:.*)C|a[.)](?s:.*)b[.)](?s:.*)c[.)]",
)
def options(row: Row) -> re.Match[str] | None:
    """``(A) ... (B) ... (C)`` or ``A. ... B. ... C.``; small letters count where the answer is one."""
    text = row.statement
    if _SECOND_OPTION.search(text) is not None and "A" in text and "C" in text:
        found = _BRACKETED.search(text) or _DOTTED.search(text) or _DOTTED_LATE.search(text)
        if found is not None:
            return found
    found = _SMALL_AFTER_QUESTION.search(text)
    if found is not None and not asks_for_value(row.prose[found.start() + 1 :]):
        return found
    return _SMALL.search(text) if not row.has_plain_answer and _is_option(row, "abcd") else None


@drops(
    "multiple_choice",
    "It asks to choose from options.",
    when=words("which following select choose letter letters none options"),
    when_prose=in_prose(_WHICH),
)
def choice_wanted(row: Row) -> re.Match[str] | None:
    """``Which of the following``, ``Enter the letter``; ``How many of the following`` asks for a number."""
    return search_near(_WHICH_WORD, _WHICH, row.prose, 40, 80)


@drops("multiple_choice", "It asks to choose from options.", when=signs("下列", "以下", "下面", "选"))
def choice_wanted_in_chinese(row: Row) -> re.Match[str] | None:
    """``下列说法中正确的是``, ``单选``."""
    return _CHINESE.search(row.statement)


@drops(
    "multiple_choice",
    "It asks for the closest or a possible one of options that are gone.",
    when=r"(?i:(?:closest|nearest)(?: to)?| be|nearly|equal to)(?: ?:|[?.])?$",
)
def options_lost(row: Row) -> re.Match[str] | None:
    """A stem that ends ``is closest to`` or ``could be``."""
    return _CLOSEST.search(row.prose) if row.statement[-16:].lower().endswith(_CLOSEST_ENDS) else None


@drops(
    "multiple_choice",
    "Its answer is the letter of an option.",
    when_answer="[A-H]|(?i:only|both|neither|none|all)",
    about_answer=True,
)
def letter_answer(row: Row) -> str | None:
    """``B``, ``\\text{(C)}``, ``(B) 12``, ``A, C``, ``I and II only``; a quantity of the statement is a value."""
    answer = unwrapped_text(row.target)
    if _LETTER_AND_VALUE.match(answer):
        return answer
    if len(answer) > _LONGEST_LETTERS:
        return None
    if _SOME_STATEMENTS.search(answer):
        return answer
    return answer if _LETTERS.fullmatch("".join(answer.split())) and _is_option(row, "ABCDEFGH") else None


@drops(
    "yes_no",
    "Its answer is yes or no, or one of two or three words.",
    when_answer="^[^0-9]*$|(?i:yes|no|true|false)|[是否能]",
    about_answer=True,
)
def yes_no_answer(row: Row) -> str | None:
    """An answer of the yes-or-no kind, or one of the words in quotation marks that the statement offers."""
    answer = unwrapped_text(row.target).strip(" .。!\"'“”").lower()
    if not answer or len(answer) > _LONGEST_YES_NO:
        return None
    if answer in _YES_NO or _YES_NO_START.match(answer):
        return answer
    return answer if answer.isalpha() and answer in row.lower and _QUOTED_OPTIONS.search(row.prose) else None


@drops(
    "yes_no",
    "It asks whether something is true.",
    when=words("true yes correct false"),
    when_prose=in_prose(_TRUE_FALSE),
)
def true_or_false(row: Row) -> re.Match[str] | None:
    """``True or false: ...``, ``Is the statement true?``, whatever the answer."""
    return _TRUE_FALSE.search(row.prose)


def _is_option(row: Row, letters: str) -> bool:
    """Tell whether a letter answer names an option: bracketed, one of several, or no quantity of the statement."""
    answer = unwrapped_text(row.target)
    named = [character for character in answer if character in letters]
    if not named or len(named) != sum(character.isalpha() for character in answer.replace("and", "")):
        return False
    if len(named) > 1 or "(" in answer or "（" in answer or "\\text" in row.target:
        return True
    if _WHO.search(row.prose_lower):
        return True
    as_quantity = rf"(?<![A-Za-z\\]){named[0]}(?![A-Za-z])(?!\s*[).．、])"
    return re.search(as_quantity, row.statement.replace("\\", " ")) is None
