"""Dropping rules for statements with too little: cut off at an end, torn from what stood before, asking nothing."""

from __future__ import annotations

import re

from curation.filters.questions import asks
from curation.filters.rule import Row, at_word, drops, one_of, search_near
from curation.filters.triggers import SPACE, either, in_prose, signs, words

_EARLIER_WORD = re.compile(
    "previous|preceding|prior|earlier|passage|continu|carr|above|last|problem|question|part|exercise|follow"
)
_PRECEDING = r"(?:previous|preceding|prior|above|earlier|last)"
_PIECE = r"(?:problem|question|part|exercise)"
_EARLIER = at_word(
    r"(?:continu(?:ed?|ing|ation)|carr(?:ied|ying) on|follow(?:ing|s) (?:on )?)\s+(?:from|of) (?:the )?"
    rf"(?:{_PRECEDING}|{_PIECE})\b",
    rf"(?:in|from|of|to|as in|using|by|see|and|with) (?:the )?{_PRECEDING} (?:{_PIECE}|passage)s?\b",
    r"(?:result|answer|conclusion|method|notation|situation|setting|conditions?|scenario|information|data|function"
    rf"|sequence)s? (?:of|to|from|in) (?:the )?(?:{_PRECEDING} {_PIECE}|{_PIECE} (?:\d|\([a-z]\)))",
    r"(?:refer|according) to the (?:passage|preceding|previous|text above|article)\b",
    r"(?:following|same) (?:passage|information) as (?:in )?(?:question|problem)\b",
    r"part \([a-d]\) (?:above|of this)\b|(?:problem|question|exercise) \d+(?:\.\d+)? (?:above|asks|shows)\b",
    rf"(?:in|from|of|by) {_PIECE} (?:\d+|\([a-d]\))",
)
"""For text in lower case."""
_RELAY = at_word(
    r"[A-Z]\s*=\s*T\s*N\s*Y\s*W\s*R|TNYWR|numbers? you (?:will )?receive\b"
    r"|answer you (?:receive|will receive|are passed)\b",
    r"the answer (?:to|from) (?:the )?(?:previous|preceding|last|relay|(?:problem|question) \d)",
    r"passed (?:back )?to you\b",
)
_EARLIER_CHINESE = re.compile(r"接上题|上一?题|(?:由|根据|利用)(?:第)?[(（]\d[)）](?:的)?(?:结论|问)|续上|同上题")

_SMALL_START = re.compile(r"\A[a-z][\w'-]*[\s.,;:)]")
_SYMBOL_START = re.compile(r"\A[a-z](?:\s*[=<>(^_]|\d|,| and | is | be )")
_QUESTION_START = re.compile(
    r"\A(?:what|find|how|if|let|the|in|compute|determine|evaluate|given|solve|for|suppose|calculate|which|simplify|when"
    r"|where|is|an?|there|two|three|four|five|six|seven|eight|nine|ten|prove|show|consider|each|we|i|it|on|at|from|of|to"
    r"|write|express|sum|factor|define|say|by|as|with|who|are|does|do|can|all|one|mr|our|my|you|sin|cos|tan|log|ln|lim"
    r"|gcd|max|min|det|between|among|assume|every|some|any|this|these|that|after|before|during|while|under|points?"
    r"|triangles?|circles?)\b"
)
_TAIL_STARTS = (",", ";", ")", "]", "}", "...", "…")
_FIRST_SENTENCE = re.compile(r"[^.?!]*[.?!]?")

_TRAILS_OFF = re.compile(r"[A-Za-z]{2}\s?(?:\.\.\.|…)\Z")
_FINISHED = (".", "?", "!", "。", "？", "$", ":", "：")
_FULL_STOP = re.compile(r"[.?!:。？！：;；…)\]}$\"'”’*_|>=\ufffc]\s*\Z")
_BLANK_END = re.compile(r"(?:\\q?quad|_|\\hspace\{[^{}]*\})[\s$.．。,，\\]*\Z")
_CUT_COMMAND = re.compile(r"\\(?:begin\{[a-z]*\*?\}?|frac|sqrt|left|text|mathrm|dfrac)?\{?\s*\Z|(?<=[a-z]{2})-\s*\Z")
_OPEN_FORMULA = re.compile(r"[-+*/=<>^({,]\Z|\\(?:cdot|times|le|leq|ge|geq|in|pm)\Z")
_WHOLE_ENDS = ("\\]", "\\)", "\\\\", "\\}")
_OPEN_END = re.compile(
    r"(?:\b(?:the|an|of|and|or|with|on|in|from|such that|where|which|whose|between|sides?|points?|than|for|when|into"
    r"|onto|through|at|let|both|each|every|their|its|his|her|that|who|while|because|but|as|not|these|those|this)"
    r"|[,(\[{])\s*\Z",
    re.IGNORECASE,
)
_STEM = re.compile(
    r"\b(?:what|how|which|is|are|was|were|be|equals?|then|if and only if|has|have|must|can|could|will|would|does|do"
    r"|did)\b",
    re.IGNORECASE,
)
_LAST_SENTENCE = re.compile(r"(?<=[.?!。？])\s+|(?<=\ufffc)\s+(?=[A-Z])")
_DEFINES = re.compile(r"\A\s*(?:let|suppose|consider|assume|define|denote)\b", re.IGNORECASE)
_PREMISE = re.compile(
    r"\A\s*(?:let|suppose|given|consider|assume|define|denote|there (?:is|are)|in (?:triangle|the|a)|points?|a|an|the"
    r"|two|three|for)\b",
    re.IGNORECASE,
)
_REQUEST_WORDS = frozenset(
    [
        "find",
        "determine",
        "compute",
        "what",
        "how",
        "which",
        "evaluate",
        "calculate",
        "solve",
        "enter",
        "express",
        "write",
    ]
)
_WANT = one_of(
    r"\b(?:find|determine|compute|calculate|evaluate|solve|simplify|factor|factori[sz]e|expand|prove|show|express|what"
    r"|how|which|who|when|where|why|write|give|state|sketch|draw|graph|plot|explain|describe|estimate|construct|list"
    r"|name|identify|convert|differentiate|integrate|round|order|arrange|rank|rationalize|reduce|complete|fill|check"
    r"|verify|rewrite|is|are|equals?|minimi[sz]e|maximi[sz]e|answer|add|subtract|multiply|divide|decompose|represent"
    r"|transform|derive|obtain|guess|choose|select|count|locate|indicate|enter|mark|tell|then|has)\b",
    r"[?？]|=\s*\$?\s*\.?\s*\Z|_{2,}|\\q?quad|求|计算|多少|几|（\s*）|\(\s*\)|是|为|等于",
    flags=re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z]{3,}")
_FEWEST_WORDS = 6
_SHOWN = 80


@drops(
    "truncated",
    "It goes on from something that is not there.",
    when=either(
        words(
            "previous preceding prior earlier passage continue continued continuing continuation carried carrying "
            "receive passed above last problem question part exercise follow follows following"
        ),
        rf"(?i:T{SPACE}*N{SPACE}*Y{SPACE}*W)",
        signs("上题", "上一", "结论", "问", "续上"),
    ),
    when_prose=in_prose(_EARLIER, _RELAY),
)
def torn_from_context(row: Row) -> re.Match[str] | None:
    """``Continue from the previous question``, a relay's ``T = TNYWR``, ``part (a) above``."""
    found = search_near(_EARLIER_WORD, _EARLIER, row.lower, 50, 60) or _RELAY.search(row.statement)
    return found or (None if row.statement.isascii() else _EARLIER_CHINESE.search(row.statement))


@drops("truncated", "Its beginning is missing.", when=r"^(?:[a-z,;)\]}…]|\.\.\.)")
def starts_late(row: Row) -> str | None:
    """A first word in lower case that begins no question, or a mark that closes something: the tail of a sentence."""
    text = row.statement
    if text.startswith(_TAIL_STARTS):
        return text
    if not text[:1].islower() or not _SMALL_START.match(text):
        return None
    if _QUESTION_START.match(text) or _SYMBOL_START.match(text):
        return None
    first = _FIRST_SENTENCE.match(text)
    fragment = first.group() if first is not None else text
    return fragment if len(text) > len(fragment) + 20 and not asks(fragment[1:]) else None


@drops("truncated", "Its end is missing.", when=r"(?:[^.?!。？$:：\s]|\.\.\.|\(\$|\\\$)\s*$")
def stops_early(row: Row) -> str | None:
    """The text stops within a sentence. A stem that the answer completes (``... has length``) is whole."""
    text = row.statement.rstrip()
    if text.endswith(("...", "…")) and _TRAILS_OFF.search(text) is not None:
        return text[-_SHOWN:]
    if text.endswith(_FINISHED) and not text.endswith(("($", "\\$")):
        return None
    if _OPEN_FORMULA.search(text) and _in_formula(text):
        return text[-_SHOWN:]
    if not text or _BLANK_END.search(text):
        return None
    if _CUT_COMMAND.search(text[-40:]) and not text.endswith(_WHOLE_ENDS):
        return text[-_SHOWN:]
    prose = row.prose.rstrip()
    if _FULL_STOP.search(prose[-3:]) and not prose.endswith(("(", "[", "{")):
        return None
    last = _LAST_SENTENCE.split(prose)[-1]
    defines = _DEFINES.match(last) is not None
    if _OPEN_END.search(prose[-20:]) and (defines or not _STEM.search(last)):
        return text[-_SHOWN:]
    return text[-_SHOWN:] if defines and not _WANT.search(last) else None


def _in_formula(text: str) -> bool:
    """Tell whether a text ends within a formula: its last dollar sign or bracket opens one."""
    if "\\(" in text or "\\[" in text:
        return text.count("\\(") > text.count("\\)") or text.count("\\[") > text.count("\\]")
    return text.replace("\\$", "").count("$") % 2 == 1


@drops(
    "truncated",
    "It asks nothing.",
    when=r"[.。$\])]$",
    unless=words("find determine compute what how which evaluate calculate enter write"),
)
def asks_nothing(row: Row) -> str | None:
    """Several words of premises and no request, question mark, blank or unfinished equation."""
    text = row.statement
    if not _REQUEST_WORDS.isdisjoint(row.words) or not text.endswith((".", "。", "$", "]", ")")):
        return None
    premises = all(_DEFINES.match(sentence) for sentence in _LAST_SENTENCE.split(row.prose.strip()))
    if premises and not asks(row.prose) and text.endswith("."):
        return text[-_SHOWN:]
    if _WANT.search(row.prose) or _WANT.search(text) or not _PREMISE.match(row.prose):
        return None
    return text[-_SHOWN:] if len(_WORD.findall(row.prose)) >= _FEWEST_WORDS else None
