"""Dropping rules for what a statement wants instead of a value: a proof, an explanation, an example, an estimate."""

from __future__ import annotations

import re

from curation.filters.rule import Row, drops, search_near

_START = r"(?:^|[.?!;:。\n\ufffc)\]}*]\s*|\b(?:and|then|hence|also|thus|now|therefore|please|(?:find|calculate|determine|compute)[^.?!]{1,60}, and)\s+|[,]\s*)"
_NOT_TOLD = r"(?<!possible to )(?<!able to )(?<!easy to )(?<!hard to )(?<!used to )(?<!wants to )(?<!want to )(?<!tries to )(?<!trying to )(?<!need to )(?<!order to )(?<!can )(?<!required to )"
_PROOF = re.compile(
    rf"{_START}{_NOT_TOLD}(?:prove|disprove|show|verify|demonstrate|establish)\b(?: or disprove)?\s*(?:that\b|by\b|the\b|there\b|it\b|if\b|your (?!work|steps|method|calculation|reasoning)|this\b|using\b|in\b|for\b|:|,|\ufffc|each\b|every\b|directly\b|carefully\b|formally\b|\()"
    r"|\bwith (?:a )?(?:full |complete |rigorous )?proof\b|\b(?:and|,) (?:then )?(?:prove|justify) (?:it|your|that|this)\b|\bjustify your (?:answer|claim|response|reasoning)\b|\bgive a (?:full |complete |rigorous )?(?:proof|justification)\b|\bprovide a (?:full |complete )?proof\b|\bproof (?:is|required)\b(?= required)|\bjustify\.",
    re.IGNORECASE,
)
_PROOF_WORD = re.compile("[Pp]ro(?:ve|of)|PROVE|[Dd]isprove|[Ss]how|[Vv]erify|[Jj]ustify|[Dd]emonstrate|[Ee]stablish")
_SHOW_TICKETS = re.compile(r"\bshow (?:tickets|business|room|dog|case)\b", re.IGNORECASE)
_CHINESE_PROOF = re.compile(r"求证|试证|(?:^|[，,。；;:：\n)）]\s*(?:并|请|试|则)?)证明(?!了|过|书)|并证明|证明你的")

_OPEN_WORD = re.compile(
    "[Ee]xplain|[Dd]escribe|[Dd]iscuss|[Cc]ompare|[Ii]nterpret|[Cc]omment|[Cc]riticize|[Ss]ummari|[Ww]hy|words|notice|observe"
    "|conclude|infer|wonder|think|said|say|reason|[Ww]rite|[Cc]reate|[Mm]ake|[Ii]nvent|[Pp]ose|[Dd]esign|would|know|tell|agree"
    "|meant|[Dd]efine"
)
_OPEN = re.compile(
    r"(?:^|[.?!;:\n\ufffc)]\s*)(?:briefly |then |and |please )?(?:explain|describe|discuss|compare and contrast|interpret|comment on|criticize|summari[sz]e)\b|\band (?:explain|describe|discuss) (?:your|why|how|the|its|what|it)\b"
    r"|\b(?:explain|describe) (?:why|how|what|your|the|in)\b|\bin your own words\b|\bwhat do you (?:notice|observe|think|conclude|wonder)\b|\bwhat (?:can|could) (?:you|we|be) (?:say|conclude|said|infer)\b"
    r"|\bgive (?:a |your )?reasons?\b|(?:^|[.?!;:\n]\s*|\band )write (?:a|an|your own) (?:[\w-]+ ){0,2}(?:problem|story|essay|paragraph|question|program|letter|report|summary)\b|(?:^|[.?!;:\n]\s*|\band )(?:create|make up|invent|pose|design) (?:a|an|your own) (?:[\w-]+ ){0,2}(?:problem|game|story|question|experiment|survey|plan|pattern|method|strategy|table)\b"
    r"|^\s*why\b|[.?!]\s*why\b[^.]*\?|\bhow would you\b|\bhow do you know\b|\bhow can you tell\b|\bdo you agree\b|\bwhat is meant by\b|\bdefine (?:the (?:term|following|concept)|what)\b",
    re.IGNORECASE,
)
_OPEN_CHINESE = re.compile(
    r"说明(?:理由|你的|为什么)|为什么|谈谈|解释|你(?:能)?发现(?:了)?什么|有什么(?:发现|规律|关系)|办法是什么|什么(?:办法|方法|策略)|怎样(?:做|操作|才能)|请?编(?:写)?一(?:道|个)|简述|写出你的|如何"
)
_EXAMPLE_WORD = re.compile("example|instance|another|exhibit|Exhibit|any|some|possible|vary")
_EXAMPLE = re.compile(
    r"\b(?:give|find|provide|construct|write(?: down)?|state|name|produce|exhibit) (?:me )?(?:an|another|one more|any|one) (?:[\w-]+ ){0,2}(?:example|counter-?example|instance)\b|\bgive (?:two|three|several|some) examples\b"
    r"|\bfind another\b|\bexhibit (?:a|an|one)\b|(?:^|[.?!;:,\n]\s*|\band |\bplease )(?:write|give|state|find|name) (?:down )?(?:any|some) (?:one |two |three )?(?:\w+ )?(?:number|integer|function|polynomial|matrix|set|value|solution|pair|point|equation|sequence)s?\b(?! of)|\bone possible (?:value|answer|solution|example|pair|equation)\b|\b(?:find|give|state|write|determine|name) (?:down )?a possible (?:value|answer|solution|equation|choice|pair)\b|\banswers (?:may|will|can) vary\b",
    re.IGNORECASE,
)
_EXAMPLE_CHINESE = re.compile(
    r"写出(?:任意)?一个|举(?:出)?一?个?(?:反)?例|举例|的一个(?:取值|值|可能(?:取)?值|解析式|例子)|(?:任意|任)写(?:出)?一|答案不唯一|只需写出一|写出一[组种条]|满足(?:要求|条件)的一个"
)
_ESTIMATE = re.compile(
    r"\broughly how (?:many|much|long|far|big|large)\b|(?:^|[.?!]\s*)(?:estimate|guess)\b|\bmake an estimate\b|\bgive (?:a|an|your) (?:rough |best )?(?:estimate|guess)\b",
    re.IGNORECASE,
)


_PRECISION = re.compile(r"\bnearest\b|\bdecimal\b|\bsignificant\b|\bmethod\b|\busing\b|\brule\b")


@drops(
    "proof",
    "It asks for a proof.",
    words="prove proof disprove show verify justify demonstrate establish",
    signs=("证",),
)
def proof_wanted(row: Row) -> re.Match[str] | None:
    """``Prove that``, ``Show that``, ``with proof``, ``求证``: as a request, not as a word of the story."""
    found = search_near(_PROOF_WORD, _PROOF, row.prose)
    if found is not None and not _SHOW_TICKETS.match(row.prose, found.start()):
        return found
    return _CHINESE_PROOF.search(row.statement) if "证" in row.statement else None


@drops(
    "open_ended",
    "It asks for an explanation or something of one's own.",
    words="explain describe discuss compare interpret justify comment criticize summarize summarise why words notice observe conclude conclusion reason reasons write create make invent pose design would know tell agree meant define wonder infer say said think",
    signs=(
        "说明",
        "为什么",
        "谈谈",
        "解释",
        "发现",
        "办法",
        "方法",
        "策略",
        "怎样",
        "编",
        "简述",
        "写出",
        "如何",
        "关系",
    ),
)
def explanation_wanted(row: Row) -> re.Match[str] | None:
    """``Explain``, ``Describe``, ``Write a word problem``, ``What do you notice?``"""
    found = search_near(_OPEN_WORD, _OPEN, row.prose)
    return found or (None if row.statement.isascii() else _OPEN_CHINESE.search(row.statement))


@drops(
    "non_checkable",
    "Any of many examples answers it.",
    words="example examples counterexample counter instance another exhibit any vary possible some",
    signs=("写", "举", "的一个", "不唯一", "满足"),
)
def example_wanted(row: Row) -> re.Match[str] | None:
    """``Give an example``, ``Find another``, ``写出一个``."""
    found = search_near(_EXAMPLE_WORD, _EXAMPLE, row.prose)
    return found or (None if row.statement.isascii() else _EXAMPLE_CHINESE.search(row.statement))


@drops("non_checkable", "It asks for an estimate, which no one value answers.", words="estimate guess roughly")
def estimate_wanted(row: Row) -> re.Match[str] | None:
    """``Roughly how many``, ``Estimate the number of``."""
    return None if _PRECISION.search(row.lower) else _ESTIMATE.search(row.prose)
