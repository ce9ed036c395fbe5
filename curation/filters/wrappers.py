"""Cleaning rules for instructions to a model that stand around a question."""

from __future__ import annotations

import re
from collections.abc import Iterator

from curation.filters.rule import Edit, cleans

_CHAT_MARK = re.compile(
    r"\A(?:<\|[a-z_]+\|>\s*(?:system|user|assistant)?\s*)+|(?:<\|[a-z_]+\|>\s*(?:assistant|user)?\s*)+\Z|\A(?:User|Human|USER)\s*[:：]\s+|\s+(?:Assistant|ASSISTANT)\s*[:：]\s*\Z"
)
_TASK = (
    r"(?:solve|answer|work (?:out|through)|consider|reason|think|complete) (?:about |through )?(?:the |this |to the )*(?:following |given |below )*(?:challenging |difficult |competition |olympiad |IMO-level )*(?:math(?:ematics|ematical|s)?\s+|contest )*"
    r"(?:problem|question|exercise|task)s?"
)
_HEAD_SENTENCE = re.compile(
    rf"\A\s*(?:you are (?:an?|the) [^.\n$]{{3,120}}[.\n]"
    rf"|(?:please\s+)?{_TASK}(?:\s+(?:carefully|efficiently|clearly|and clearly|step by step|step-by-step|and|below|accurately|in detail))*\s*[.:!\n]"
    rf"|(?:please\s+)?(?:make sure to\s+)?(?:put|place|enclose|write|give|box|present|return|provide|output|end)\b[^\n$]{{0,120}}\\boxed\s*(?:\{{[^{{}}]*\}})?[^\n$.]{{0,60}}[.\n]"
    rf"|the last line of your (?:response|answer)[^\n]{{0,200}}\n"
    rf"|(?:please\s+)?(?:let'?s\s+)?(?:think|reason) step[ -]by[ -]step[^\n$]{{0,120}}?[.:\n]"
    rf"|end with a [^\n$]{{3,80}}[.\n])\s*(?=\S)",
    re.IGNORECASE,
)
_TAIL_SENTENCE = re.compile(
    r"(?<=[\s.?!。？；)\]}$])(?:"
    r"(?:(?:please|let'?s|remember to|make sure (?:to|that you)|you (?:should|must)|be sure to)\s+)*(?:reason|think|solve|work|explain|put|place|enclose|write|give|box|present|return|provide|output|express|answer|show|simplify)\b[^\n$?]{0,140}?\$?\\boxed\s*(?:\{(?:[^{}]|\{[^{}]*\})*\})?\$?[^\n$?]{0,80}"
    r"|(?:(?:please|let'?s)\s+)+(?:reason|think|solve|work)[^\n$?]{0,60}step[ -]by[ -]step[^\n$?]{0,60}"
    r"|remember to put your (?:final )?answer[^\n$?]{0,120}"
    r"|(?:the last line of )?your (?:final )?(?:response|answer) (?:should|must) be (?:in|of) the (?:form|format)[^\n?]{0,120}?(?:boxed|answer:)[^\n?]{0,80}"
    r"|请(?:一步步|逐步|一步一步|通过逐步)[^\n?？]{0,40}?(?:推理|思考|解答)[^\n?？]{0,80}"
    r"|(?:请|并)?(?:你的|将|把|在)?(?:最终|最后)?的?答案[^\n?？，。]{0,20}\\boxed[^\n?？]{0,30}"
    r")\Z",
    re.IGNORECASE,
)
_LONGEST_TAIL = 420
_TAIL_SIGNS = ("\\boxed", "step", "put your", "esponse", "答案", "推理", "思考", "<|")
_TAIL_ENDS = ("answer", "solution", "response", "答案", "解", "解答", "assistant")
_LABEL = re.compile(
    r"\s*\n\s*(?:\*\*)?(?:final\s+)?(?:answer|solution|response|答案|解答?)(?:\*\*)?\s*[:：]?\s*(?:\*\*)?\s*\Z",
    re.IGNORECASE,
)


@cleans("Instructions to the model before the question go.")
def leading_instruction(text: str) -> Iterator[Edit]:
    """Chat marks, the role the model shall play, ``Solve the following problem step by step.``"""
    found = _CHAT_MARK.match(text) or _HEAD_SENTENCE.match(text)
    if found is not None and found.end() < len(text):
        yield Edit(0, found.end())


@cleans("Instructions to the model after the question go.")
def trailing_instruction(text: str) -> Iterator[Edit]:
    """``Please reason step by step, and put your final answer within \\boxed{}``, an empty ``Answer:``."""
    start = max(0, len(text) - _LONGEST_TAIL)
    tail = text[start:]
    if not any(sign in tail for sign in _TAIL_SIGNS) and not tail.rstrip(" \n:：*").lower().endswith(_TAIL_ENDS):
        return
    for pattern in (_TAIL_SENTENCE, _LABEL, _CHAT_MARK):
        found = pattern.search(text, start)
        if found is not None and 0 < found.start() < found.end() == len(text):
            yield Edit(found.start(), found.end())
            return
