"""Which part of a response can hold its final answer: what follows the reasoning and comes before anything made up."""

from __future__ import annotations

import re

_END_OF_REASONING = (
    "</think>",
    "</thinking>",
    "</thought>",
    "</reasoning>",
    "<|end_of_thought|>",
    "<|begin_of_solution|>",
    "<|channel|>final<|message|>",
)
_START_OF_REASONING = (
    "<think>",
    "<thinking>",
    "<thought>",
    "<reasoning>",
    "<|begin_of_thought|>",
)
_END_OF_TEXT = (
    "<|end_of_solution|>",
    "<|im_end|>",
    "<|endoftext|>",
    "<|eot_id|>",
    "</s>",
    "<|return|>",
    "<end_of_turn>",
)
_OTHER_ENDS = ("[/THINK]", "◁/think▷")
_OTHER_STARTS = ("[THINK]", "◁think▷")
_OPENING = 1_000

_NEXT_QUESTION = re.compile(
    r"^[\s#*>_-]*(?:(?:next|new|another|follow[- ]?up)\s+(?:question|problem)|(?:question|problem|exercise|q|example)"
    r"(?:\s*(?:no\.?|number)?\s*\d+)?\s*[:.)]|(?:human|user|student|instruction|input)\s*:|<\|im_start\|>|<\|user\|>"
    r"|<start_of_turn>|\[INST\]|(?:问题|题目|用户)\s*\d*\s*[:：])",
    re.IGNORECASE | re.MULTILINE,
)
_OPEN_END = re.compile(r"[-+*/=^_<>\\({\[,&−×·]\s*$")


def after_reasoning(response: str) -> str | None:
    """Return the text after the reasoning, up to the end-of-text mark; None where the reasoning has not ended."""
    start = max(_end_of_reasoning(response), *(_after_last(response, mark) for mark in _OTHER_ENDS))
    if any(response.find(mark, start, start + _OPENING) >= 0 for mark in _OTHER_STARTS):
        return None
    # Marks are looked for where a bracket stands, which is many times faster than looking for each of them.
    at = response.find("<", start)
    while at >= 0:
        if response.startswith(_START_OF_REASONING, at):
            return None
        if response.startswith(_END_OF_TEXT, at) and at > start:
            return response[start:at]
        at = response.find("<", at + 1)
    return response[start:]


def _end_of_reasoning(text: str) -> int:
    at = text.rfind("<")
    while at >= 0:
        if text.startswith(_END_OF_REASONING, at):
            return at + next(len(mark) for mark in _END_OF_REASONING if text.startswith(mark, at))
        at = text.rfind("<", 0, at)
    return 0


def _after_last(text: str, mark: str) -> int:
    at = text.rfind(mark)
    return at + len(mark) if at >= 0 else 0


def before_next_question(text: str, answered_at: int) -> str:
    """Return the text up to where the model, after its answer, goes on with a question of its own.

    Args:
        text: the response after its reasoning.
        answered_at: where the first answer ends.
    """
    question = _NEXT_QUESTION.search(text, answered_at)
    return text[: question.start()] if question else text


def is_cut_off(text: str) -> bool:
    """Tell whether the text ends inside a formula."""
    return bool(_OPEN_END.search(text[-40:])) or any(
        text.count(opening) > text.count(closing) for opening, closing in (("\\[", "\\]"), ("\\(", "\\)"))
    )
