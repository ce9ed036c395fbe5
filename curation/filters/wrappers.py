"""Cleaning rules for instructions to a model that stand around a question."""

from __future__ import annotations

import re
from collections.abc import Sequence

from curation.filters.rule import Edit, cleans, has_any, one_of
from curation.filters.triggers import SPACE, either

_CHAT_MARK = one_of(
    r"\A(?:<\|[a-z_]+\|>\s*(?:system|user|assistant)?\s*)+",
    r"(?:<\|[a-z_]+\|>\s*(?:assistant|user)?\s*)+\Z",
    r"\A(?:User|Human|USER)\s*[:：]\s+",
    r"\s+(?:Assistant|ASSISTANT)\s*[:：]\s*\Z",
)
_TASK = (
    r"(?:solve|answer|work (?:out|through)|consider|reason|think|complete) (?:about |through )?"
    r"(?:the |this |to the )*(?:following |given |below )*"
    r"(?:challenging |difficult |competition |olympiad |IMO-level )*"
    r"(?:math(?:ematics|ematical|s)?\s+|contest )*(?:problem|question|exercise|task)s?"
)
_MANNER = (
    r"(?:\s+(?:carefully|efficiently|clearly|and clearly|step by step|step-by-step|and|below|accurately|in detail))*"
)
_BOX = r"\$?\\boxed\s*(?:\{(?:[^{}]|\{[^{}]*\})*\})?\$?"
_GIVE_VERBS = "(?:put|place|enclose|write|give|box|present|return|provide|output|express|answer|show|simplify|end)"
_GIVE = rf"{_GIVE_VERBS}\b"

_HEAD_SENTENCE = one_of(
    r"\A\s*you are (?:an?|the) [^.\n$]{3,120}[.\n]\s*(?=\S)",
    rf"\A\s*(?:please\s+)?{_TASK}{_MANNER}\s*[.:!\n]\s*(?=\S)",
    rf"\A\s*(?:please\s+)?(?:make sure to\s+)?{_GIVE}[^\n$]{{0,120}}{_BOX}[^\n$.]{{0,60}}[.\n]\s*(?=\S)",
    r"\A\s*the last line of your (?:response|answer)[^\n]{0,200}\n\s*(?=\S)",
    r"\A\s*(?:please\s+)?(?:let'?s\s+)?(?:think|reason) step[ -]by[ -]step[^\n$]{0,120}?[.:\n]\s*(?=\S)",
    r"\A\s*end with a [^\n$]{3,80}[.\n]\s*(?=\S)",
    r"\A\s*given the following (?:math )?(?:problem|question)[^\n$]{0,80}[.:\n]\s*(?=\S)",
    flags=re.IGNORECASE,
)
_SENTENCE_START = r"(?<=[\s.?!。？；)\]}$])"
_TAIL_SENTENCE = one_of(
    rf"{_SENTENCE_START}(?:(?:please|let'?s|remember to|make sure (?:to|that you)|you (?:should|must)|be sure to)\s+)*"
    rf"(?:{_GIVE}|(?:reason|think|solve|work|explain)\b)[^\n$?]{{0,140}}?{_BOX}[^\n$?.。\\]{{0,120}}[.。]?\s*\Z",
    rf"{_SENTENCE_START}(?:(?:please|let'?s)\s+)+(?:reason|think|solve|work)[^\n$?]{{0,60}}step[ -]by[ -]step"
    r"[^\n$?]{0,60}\Z",
    rf"{_SENTENCE_START}remember to put your (?:final )?answer[^\n$?]{{0,120}}\Z",
    rf"{_SENTENCE_START}your response should end with[^\n?]{{0,80}}answer[^\n?]{{0,60}}\Z",
    rf"{_SENTENCE_START}(?:the last line of )?your (?:final )?(?:response|answer) (?:should|must) be (?:in|of) the form"
    r"(?:at)?[^\n?]{0,120}?(?:boxed|answer:)[^\n?]{0,80}\Z",
    rf"{_SENTENCE_START}请(?:一步步|逐步|一步一步|通过逐步)[^\n?？]{{0,40}}?(?:推理|思考|解答)[^\n?？]{{0,80}}\Z",
    rf"{_SENTENCE_START}(?:请|并)?(?:你的|将|把|在)?(?:最终|最后)?的?答案[^\n?？，。]{{0,20}}{_BOX}[^\n?？]{{0,30}}\Z",
    flags=re.IGNORECASE,
)
_EMPTY_LABEL = re.compile(
    r"\s*\n\s*(?:\*\*)?(?:final\s+)?(?:answer|solution|response|答案|解答?)(?:\*\*)?\s*[:：]?\s*(?:\*\*)?\s*\Z",
    re.IGNORECASE,
)
_LONGEST_TAIL = 420
_TAIL_SIGNS = ("\\boxed", "put your", "esponse", "<|")
_TAIL_OF_STEPS = re.compile(r"by[ -]step|\b(?:in|of) the form|response", re.IGNORECASE)
"""What makes the word ``step`` one of an instruction; in a story it is mostly a stair."""
_CHINESE_TAIL_SIGNS = ("答案", "推理", "思考")
_TAIL_ENDS = ("answer", "solution", "response", "答案", "解", "解答", "assistant")


@cleans(
    "Instructions to the model before the question go.",
    when=either(
        r"^<\|",
        rf"^(?:User|Human|USER){SPACE}*[:：]",
        rf"^{SPACE}*(?i:(?:please{SPACE}+)?(?:solve|answer|work|consider|reason|think|complete)"
        r"(?s:.)*(?:problem|question|exercise|task))",
        rf"^{SPACE}*(?i:(?:please{SPACE}+)?(?:make sure to{SPACE}+)?{_GIVE_VERBS}[^\n]*\\boxed)",
        rf"^{SPACE}*(?i:(?:please{SPACE}+)?(?:let'?s{SPACE}+)?(?:think|reason) step[ -]by)",
        rf"^{SPACE}*(?i:you are|the last line of|end with a|given the following)",
    ),
)
def leading_instruction(text: str) -> Sequence[Edit]:
    """Chat marks, the role the model shall play, ``Solve the following problem step by step.``"""
    found = _CHAT_MARK.match(text) or _HEAD_SENTENCE.match(text)
    return (Edit(0, found.end()),) if found is not None and found.end() < len(text) else ()


@cleans(
    "Instructions to the model after the question go.",
    when=either(
        r"\\boxed|put your|esponse|<\||step|答案|推理|思考",
        r"(?i:answer|solution|response|解|解答|assistant)[ \n:：*]*$",
    ),
)
def trailing_instruction(text: str) -> Sequence[Edit]:
    """``Please reason step by step, and put your final answer within \\boxed{}``, an empty ``Answer:``."""
    start = max(0, len(text) - _LONGEST_TAIL)
    tail = text[start:]
    if not (
        has_any(tail, _TAIL_SIGNS)
        or ("step" in tail and _TAIL_OF_STEPS.search(tail) is not None)
        or tail[-20:].rstrip(" \n:：*").lower().endswith(_TAIL_ENDS)
        or (not tail.isascii() and has_any(tail, _CHINESE_TAIL_SIGNS))
    ):
        return ()
    for pattern in (_TAIL_SENTENCE, _EMPTY_LABEL, _CHAT_MARK):
        found = pattern.search(text, start)
        if found is not None and 0 < found.start() < found.end() == len(text):
            return (Edit(found.start(), found.end()),)
    return ()
