"""Dropping rules for statements with too little or too much: cut off, torn from what stood before, answer included."""

from __future__ import annotations

import re

from curation.filters.answer_shape import bare
from curation.filters.questions import asks
from curation.filters.rule import Row, drops, search_near

_EARLIER_WORD = re.compile(
    "previous|preceding|prior|earlier|passage|continu|carr|above|last|problem|question|part|exercise|follow"
)
_EARLIER = re.compile(
    r"\b(?:continu(?:ed?|ing|ation)|carr(?:ied|ying) on|follow(?:ing|s) (?:on )?)\s+(?:from|of) (?:the )?(?:previous|preceding|last|above|earlier|problem|question|part)\b"
    r"|\b(?:in|from|of|to|as in|using|by|see|and|with) (?:the )?(?:previous|preceding|prior|above|earlier|last) (?:problem|question|part|exercise|passage)s?\b"
    r"|\b(?:result|answer|conclusion|method|notation|situation|setting|conditions?|scenario|information|data|function|sequence)s? (?:of|to|from|in) (?:the )?(?:(?:previous|preceding|last|above) (?:problem|question|part|exercise|example)|(?:problem|question|part|exercise|example) (?:\d|\([a-z]\)))"
    r"|\b(?:refer|according) to the (?:passage|preceding|previous|text above|article)\b|\b(?:following|same) (?:passage|information) as (?:in )?(?:question|problem)\b|\bpart \([a-d]\) (?:above|of this)\b|\b(?:problem|question|exercise) \d+(?:\.\d+)? (?:above|asks|shows)\b|\b(?:in|from|of|by) (?:problem|exercise|question|part) (?:\d+|\([a-d]\))",
    re.IGNORECASE,
)
_RELAY = re.compile(
    r"T\s*N\s*Y\s*W\s*R|\bnumber you will receive\b|\bthe answer (?:to|from) (?:the )?(?:previous|preceding|last|relay|(?:problem|question) \d)|\banswer you (?:receive|will receive|are passed)\b|\bpassed (?:back )?to you\b"
)
_EARLIER_CHINESE = re.compile(r"接上题|上一?题|(?:由|根据|利用)(?:第)?[(（]\d[)）](?:的)?(?:结论|问)|续上|同上题")

_LOWER_START = re.compile(r"\A[\"'(]?[a-z]{1,}[\w'-]*[\s.,;:)]")
_MATH_START = re.compile(r"\A[a-z](?:\s*[=<>(^_]|\d|,| and | is | be )")
_STEM_START = re.compile(
    r"\A(?:what|find|how|if|let|the|in|compute|determine|evaluate|given|solve|for|suppose|calculate|which|simplify|when|where|is|an?|there|two|three|prove|show|consider|each|we|i|it|on|at|from|of|to|write|express|given|sum|factor|define|say|by|as|with|who|are|does|do|can|all|given|john|one|mr|if|our|my|you|sin|cos|tan|log|ln|lim|gcd|max|min|det|four|five|six|seven|eight|nine|ten|between|among|assume|every|some|any|this|these|that|after|before|how|during|while|under|points?|triangles?|circles?)\b",
    re.IGNORECASE,
)

_ENDS_OPEN = re.compile(
    r"(?:\b(?:the|an|of|and|or|with|on|in|from|such that|where|which|whose|between|side|sides|point|points|than|for|when|into|onto|through|at|let|both|each|every|their|its|his|her|that|who|while|because|but|as|not|these|those|this)|[,(\[{])\s*\Z",
    re.IGNORECASE,
)
_STEM = re.compile(
    r"\b(?:what|how|which|is|are|was|were|be|equals?|then|if and only if|has|have|must|can|could|will|would|does|do|did)\b",
    re.IGNORECASE,
)
_PREMISE = re.compile(
    r"\A\s*(?:let|suppose|given|consider|assume|define|denote|there (?:is|are)|in (?:triangle|the|a)|point|points|a|an|the|two|three|for)\b",
    re.IGNORECASE,
)
_OPEN_PREMISE = re.compile(r"\A\s*(?:let|suppose|consider|assume|define|denote)\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.?!:。？！：;；…)\]}$\"'”’*_|>=\ufffc]\s*\Z")
_CUT = re.compile(r"\\(?:begin\{[a-z]*\*?\}?|frac|sqrt|left|text|mathrm|dfrac)?\{?\s*\Z|(?<=[a-z]{2})-\s*\Z")
_BLANK_END = re.compile(r"(?:\\q?quad|\$|_|\s|\\,|\\hspace\{[^{}]*\}|[.．。])+\Z(?<=d|_|\})")
_WANT = re.compile(
    r"\?|？|\b(?:find|determine|compute|calculate|evaluate|solve|simplify|factor|factori[sz]e|expand|prove|show|express|what|how|which|who|when|where|why|write|give|state|sketch|draw|graph|plot|explain|describe|estimate|construct|list|name|identify|convert|differentiate|integrate|round|order|arrange|rationalize|reduce|complete|fill|check|verify|rewrite|is|are|equals?|minimi[sz]e|maximi[sz]e|answer|add|subtract|multiply|divide|decompose|represent|transform|derive|obtain|guess|choose|select|count|locate|indicate|enter|mark|tell|prime factori[sz]ation)\b|=\s*\$?\s*\.?\s*\Z|_{2,}|\\q?quad|求|计算|多少|几|（\s*）|\(\s*\)|是|为|等于|\bthen\b|\bhas\b",
    re.IGNORECASE,
)

_WANT_WORDS = frozenset(["find", "determine", "compute", "what", "how", "which", "is", "are", "evaluate"])

_LABEL = re.compile(
    r"(?:\b(?:final |correct |short |official |model |sample |worked )?(?:answers?(?: key)?|solutions?|sol|ans)\b|参考答案|答案|解答|解析|详解|答)"
    r"\s*(?:(?:\}|\*\*|】|</b>|\[/b\])\s*(?:[:：.]\s*)?|[:：]\s*(?:\}|\*\*)?\s*|\.\s*(?:\}|\*\*)\s*|\.\s+(?=[A-Z\\$\d]))(?=\S)",
    re.IGNORECASE,
)
_BEFORE_LABEL = re.compile(
    r"(?:\A|[\n.?!。？)\]}$:;>*(【]|\s{2,})\s*(?:\*\*|\\text(?:bf|it)\{|\[b\]|<b>|【|#+|\()?\s*\Z", re.IGNORECASE
)
_LEAK_COMMAND = re.compile(
    r"\\(?:solution|answer|ans|sol|begin\{(?:solution|proof|answer|soln)\})(?![A-Za-z])|\\begin\{comment\}|\[hide=\"?(?:solution|answer|sol\b|ans\b|proof)|\bspoiler\b\]",
    re.IGNORECASE,
)
_BOX = re.compile(r"\\(?:boxed|fbox)\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})+)\}")
_LEAK_SAID = re.compile(
    r"\b(?:the|final|correct) answer (?:is|must be|should be|will be|equals)\s*:?\s*\$?\s*(?P<value>[^\s.,;?!$]+)",
    re.IGNORECASE,
)
_CHINESE_SOLUTION = re.compile(
    r"(?:\n|[。？?.])\s*解\s*[:：]|【(?:解析|答案|解答|详解|分析|点评|解)】|(?:^|\n)\s*解析[:：]"
)
_TAIL_VALUE = re.compile(r"[?？.。]\s*(?:\(|\[)?\s*(?P<value>[^?？]{1,60}?)\s*(?:\)|\])?\s*\.?\s*\Z")


@drops(
    "truncated",
    "It goes on from something that is not there.",
    words="previous preceding prior earlier passage continue continued continuing continuation receive passed tnywr w above last problem question part exercise follow follows following carried",
    signs=("上题", "上一", "结论", "(1)", "（1）", "续上"),
)
def torn_from_context(row: Row) -> re.Match[str] | None:
    """``Continue from the previous question``, a relay's ``T = TNYWR``, ``part (a) above``."""
    found = search_near(_EARLIER_WORD, _EARLIER, row.lower, 50, 60) or _RELAY.search(row.statement)
    return found or (None if row.statement.isascii() else _EARLIER_CHINESE.search(row.statement))


@drops("truncated", "Its beginning is missing.")
def starts_late(row: Row) -> re.Match[str] | None:
    """A first word in lower case that does not begin a question: the tail of a sentence."""
    text = row.statement
    if not text[:1].islower() and text[:1] not in ",;:)]}.":
        return None
    if text[:1] in ",;)]}" and len(text) > 1:
        return re.match(r".{1,30}", text)
    if _STEM_START.match(text) or _MATH_START.match(text) or not _LOWER_START.match(text):
        return None
    first = re.match(r"[^.?!]*[.?!]?", text)
    return first if first is not None and not asks(first.group()[1:]) and len(text) > first.end() + 20 else None


@drops("truncated", "Its end is missing.")
def stops_early(row: Row) -> str | None:
    """The text stops within a sentence. A stem that the answer completes (``... has length``) is whole."""
    text = row.statement.rstrip()
    if text.endswith((".", "?", "!", "。", "？", "$")) and not text.endswith(("($", "\\$")):
        return None
    if not text or _BLANK_END.search(text):
        return None
    if _CUT.search(text[-40:]) and not text.endswith(("\\]", "\\)", "\\\\", "\\}")):
        return text[-80:]
    prose = row.prose.rstrip()
    if _SENTENCE_END.search(prose[-3:]) and not prose.endswith(("(", "[", "{")):
        return None
    last = re.split(r"(?<=[.?!。？])\s+", prose)[-1]
    if _ENDS_OPEN.search(prose[-20:]) and not (_STEM.search(last) and not _OPEN_PREMISE.match(last)):
        return text[-80:]
    return text[-80:] if _OPEN_PREMISE.match(last) and not _WANT.search(last) else None


@drops("truncated", "It asks nothing.")
def asks_nothing(row: Row) -> str | None:
    """Several words of premises and no request, question mark, blank or unfinished equation."""
    prose = row.prose
    if not prose.endswith(("。", ".", "\ufffc")) or not row.words.isdisjoint(_WANT_WORDS):
        return None
    if _WANT.search(prose) or _WANT.search(row.statement):
        return None
    words = re.findall(r"[A-Za-z]{3,}", prose)
    return row.statement[-80:] if len(words) >= 6 and _PREMISE.match(prose) else None


@drops(
    "leaks_answer",
    "Its statement holds the answer or a solution.",
    words="answer answers solution solutions sol ans soln comment hide boxed fbox spoiler",
    signs=("答", "解"),
)
def solution_included(row: Row) -> re.Match[str] | None:
    """``**Solution.** ...``, ``Answer: 97``, a filled box, ``【解析】``."""
    text = row.statement
    for label in _LABEL.finditer(text):
        before = text[max(0, label.start() - 24) : label.start()]
        if _BEFORE_LABEL.search(before) and not _is_form(text[label.start() : label.end() + 60]):
            return label
    found = _LEAK_COMMAND.search(text)
    if found is not None:
        return found
    answer = _squeezed(bare(row.target))
    if answer and "box" in text:
        for box in _BOX.finditer(text):
            if _squeezed(box[1]) == answer:
                return box
    return None if text.isascii() else _CHINESE_SOLUTION.search(text)


@drops("leaks_answer", "Its statement ends with the answer.")
def answer_at_the_end(row: Row) -> str | None:
    """The text after the last sentence is the answer, or the text says ``the answer is`` and gives it."""
    answer = _squeezed(bare(row.target))
    if not answer:
        return None
    if "answer" in row.lower:
        for said in _LEAK_SAID.finditer(row.statement):
            if _squeezed(bare(said["value"])) == answer and not _is_premise(row.statement, said.start()):
                return said.group()
    if answer[-1] not in row.statement[-12:]:
        return None
    tail = _TAIL_VALUE.search(row.statement[-90:])
    return tail.group() if tail is not None and _squeezed(bare(tail["value"])) == answer else None


def _is_form(text: str) -> bool:
    """Tell a form to fill in from an answer: ``Answer: ____``, ``answer: \\boxed{}``, ``Answer: x = ?``."""
    return (
        re.search(
            r"[:：.]\s*(?:\*\*|\})?\s*(?:_{2,}|\\boxed\s*\{\s*\}|\$?\\?_|\[\s*\]|\.{3}|\\(?:ldots|dots|underline|q?quad)|\(\s*\)|<|\$?Answer|your|the form|in the)",
            text,
            re.IGNORECASE,
        )
        is not None
    )


def _is_premise(text: str, start: int) -> bool:
    sentence = re.split(r"[.?!]\s", text[:start])[-1]
    return re.match(r"\s*(?:if|when|whenever|suppose|after|he|she|they|then)\b", sentence, re.IGNORECASE) is not None


def _squeezed(text: str) -> str:
    return re.sub(r"[\s$]|\\left|\\right|\\[,;!]", "", text)
