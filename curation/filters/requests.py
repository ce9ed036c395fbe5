"""Dropping rules for what a statement wants instead of a value: a proof, an explanation, an example, an estimate."""

from __future__ import annotations

import re

from curation.filters.rule import Row, at_word, drops, one_of, search_near
from curation.filters.triggers import either, in_prose, signs, words

_OPENS_SENTENCE = r"(?<![A-Za-z,] )(?<![\"“`])"
"""Not after a word: at the beginning, or after the end of a sentence, a formula or a bracket."""
_START = (
    r"(?:^|[.?!;:。\n\ufffc)\]}*]\s*|\b(?:and|then|hence|also|thus|now|therefore|please"
    r"|(?:find|calculate|determine|compute)[^.?!]{1,60}, and)\s+|[,]\s*)"
)
"""Where an imperative can stand; ``to prove`` and ``can show`` tell of somebody else's proof."""

_PROOF_WORD = re.compile(
    "[Pp]ro(?:ve|of)|PROVE|[Dd]isprove|[Ss]how|[Vv]erify|[Jj]ustify|[Dd]emonstrate|[Ee]stablish|[Dd]educe"
)
_PROOF = one_of(
    rf"{_START}(?:prove|disprove|show|verify|demonstrate|establish|deduce)\b(?: or disprove)?\s*"
    r"(?:that\b|by\b|the\b|there\b|it\b|if\b|your (?!work|steps|method|calculation|reasoning"
    r"|(?:final |full )?(?:answer|result)s?\b)|this\b|using\b|in\b|for\b"
    r"|:|,|\ufffc|each\b|every\b|directly\b|carefully\b|formally\b|\()",
    r"\buse (?:your|this|the) (?:answer|result)s? (?:above )?to (?:show|prove)\b",
    r"\byou (?:must|have to|should|need to) (?:show|prove|justify)\b(?! (?:your work|all))",
    r"\bwith (?:a )?(?:full |complete |rigorous )?proof\b",
    r"\b(?:and|,) (?:then )?(?:prove|justify) (?:it|your|that|this)\b|\bjustify\.",
    r"\bjustify your (?:answer|claim|response|reasoning)\b",
    r"\b(?:give|provide) a (?:full |complete |rigorous )?(?:proof|justification)\b|\bproof is required\b",
    flags=re.IGNORECASE,
)
_SHOW_TICKETS = re.compile(r"\W*show (?:tickets|business|room|dog|case)\b", re.IGNORECASE)
_CHINESE_PROOF = re.compile(r"求证|试证|(?:^|[，,。；;:：\n)）]\s*(?:并|请|试|则)?)证明(?!了|过|书)|并证明|证明你的")

_OPEN_WORD = re.compile(
    "[Ee]xplain|[Dd]escribe|[Dd]iscuss|[Ii]nvestigate|[Cc]ompare|[Ii]nterpret|[Cc]omment|[Cc]riticize|[Ss]ummari"
    "|[Ww]hy|own words|you"
    "|be concluded|reason|[Ww]rite|[Cc]reate|[Mm]ake up|[Ii]nvent|[Pp]ose|[Dd]esign|meant|[Dd]efine"
)
_OPEN = at_word(
    rf"{_OPENS_SENTENCE}(?:briefly |then |and |please )?"
    r"(?:explain|describe(?! all\b)|discuss|investigate|compare and contrast|interpret (?:your|the)|comment on"
    r"|criticize|summari[sz]e)\b",
    r"and (?:explain|describe|discuss) (?:your|why|how|the|its|what|it)\b",
    r"(?:explain|describe) (?:why|how|what|your|the|in)\b|in your own words\b",
    r"what do you (?:notice|observe|think|conclude|wonder)\b|give (?:a |your )?reasons?\b",
    r"what (?:can|could) (?:you (?:say|conclude|infer)|be concluded)\b",
    rf"(?:and |{_OPENS_SENTENCE})write (?:a|an|your own) (?:[\w-]+ ){{0,2}}"
    r"(?:problem|story|essay|paragraph|question|program|letter|report|summary)\b",
    rf"(?:and |{_OPENS_SENTENCE})(?:create|make up|invent|pose|design) (?:a|an|your own) (?:[\w-]+ ){{0,2}}"
    r"(?:problem|game|story|question|experiment|survey|plan|pattern|method|strategy|table)\b",
    rf"{_OPENS_SENTENCE}why\b[^.]*\?|how would you\b|how do you know\b|how can you tell\b|do you agree\b",
    r"what is meant by\b|define (?:the (?:term|following|concept)|what)\b",
    flags=re.IGNORECASE,
)
_OPEN_CHINESE = one_of(
    r"说明(?:理由|你的|为什么)|为什么|谈谈|解释|你(?:能)?发现(?:了)?什么|有什么(?:发现|规律|关系)|办法是什么",
    r"什么(?:办法|方法|策略)|怎样(?:做|操作|才能)|请?编(?:写)?一(?:道|个)|简述|写出你的|如何",
)

_EXAMPLE_WORD = re.compile("example|instance|another|[Ee]xhibit|any|some|possible|vary")
_EXAMPLE = at_word(
    r"(?:give|find|provide|construct|write(?: down)?|state|name|produce|exhibit) (?:me )?"
    r"(?:an|another|one more|any|one) (?:[\w-]+ ){0,2}(?:example|counter-?example|instance)\b",
    r"give (?:two|three|several|some) examples\b|find another\b|exhibit (?:a|an|one)\b|answers (?:may|will|can) vary\b",
    rf"(?:and |please |{_OPENS_SENTENCE})(?:write|give|state|find|name) (?:down )?(?:any|some) (?:one |two |three )?"
    r"(?:\w+ )?(?:number|integer|function|polynomial|matrix|set|value|solution|pair|point|equation|sequence)s?\b"
    r"(?! of)",
    r"one possible (?:value|answer|solution|example|pair|equation)\b",
    r"(?:find|give|state|write|determine|name) (?:down )?a possible (?:value|answer|solution|equation|choice|pair)\b",
    flags=re.IGNORECASE,
)
_EXAMPLE_CHINESE = one_of(
    r"写出(?:任意)?一个|举(?:出)?一?个?(?:反)?例|举例|的一个(?:取值|值|可能(?:取)?值|解析式|例子)|(?:任意|任)写(?:出)?一",
    r"答案不唯一|只需写出一|写出一[组种条]|满足(?:要求|条件)的一个",
)

_DRAWING = at_word(
    rf"{_OPENS_SENTENCE}(?:sketch|draw|graph|plot|shade|illustrate)\b (?:the|a|an|each|both|its|this|\ufffc)",
    flags=re.IGNORECASE,
)
_VALUE_ASKED = re.compile(
    r"\?|\b(?:find|compute|determine|calculate|evaluate|how many|what|probability|expected|number of|is|equals)\b",
    re.IGNORECASE,
)
_ESTIMATE = one_of(
    r"\broughly how (?:many|much|long|far|big|large)\b|(?:^|[.?!]\s*)(?:estimate|guess)\b|\bmake an estimate\b",
    r"\bgive (?:a|an|your) (?:rough |best )?(?:estimate|guess)\b",
    flags=re.IGNORECASE,
)
_RESIDUE = re.compile(r"\\[pb]?mod|\bmodulo\b")
_RESIDUE_RANGE = re.compile(r"0\s*(?:\\leq?|≤)\s*[a-z]\s*<\s*\d")
_PRECISION = re.compile(r"\bnearest\b|\bdecimal\b|\bsignificant\b|\bmethod\b|\busing\b|\brule\b")


@drops(
    "proof",
    "It asks for a proof.",
    when=either(words("prove proof disprove show verify justify demonstrate establish deduce"), signs("证")),
    when_prose=in_prose(_PROOF),
)
def proof_wanted(row: Row) -> re.Match[str] | None:
    """``Prove that``, ``Show that``, ``with proof``, ``求证``: as a request, not as a word of the story."""
    found = search_near(_PROOF_WORD, _PROOF, row.prose, 80, 40)
    if found is not None and not _SHOW_TICKETS.match(row.prose, found.start()):
        return found
    return _CHINESE_PROOF.search(row.statement) if "证" in row.statement else None


@drops(
    "open_ended",
    "It asks for an explanation or something of one's own.",
    when=either(
        words(
            "explain describe discuss investigate compare interpret comment criticize summarize summarise why you "
            "concluded reason reasons write create invent pose design make meant define"
        ),
        signs(
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
            "规律",
        ),
    ),
    when_prose=in_prose(_OPEN),
)
def explanation_wanted(row: Row) -> re.Match[str] | None:
    """``Explain``, ``Describe``, ``Write a word problem``, ``What do you notice?``"""
    found = search_near(_OPEN_WORD, _OPEN, row.prose, 40, 50)
    return found or (None if row.statement.isascii() else _OPEN_CHINESE.search(row.statement))


@drops(
    "non_checkable",
    "Any of many examples answers it.",
    when=either(
        words("example examples counterexample instance another exhibit any vary possible some"),
        signs("写", "举", "的一个", "不唯一", "满足"),
    ),
    when_prose=in_prose(_EXAMPLE),
)
def example_wanted(row: Row) -> re.Match[str] | None:
    """``Give an example``, ``Find another``, ``写出一个``; one residue in a whole range of them is no example."""
    found = search_near(_EXAMPLE_WORD, _EXAMPLE, row.prose, 50, 40)
    if found is not None and _RESIDUE.search(row.statement) and _RESIDUE_RANGE.search(row.statement):
        return None
    return found or (None if row.statement.isascii() else _EXAMPLE_CHINESE.search(row.statement))


@drops(
    "open_ended",
    "It asks for a drawing.",
    when=words("sketch draw graph plot shade illustrate"),
    when_prose=in_prose(_DRAWING),
)
def drawing_wanted(row: Row) -> re.Match[str] | None:
    """``Sketch the graph of $y=x^2$`` where no value is asked besides."""
    return None if _VALUE_ASKED.search(row.prose) else _DRAWING.search(row.prose)


@drops("non_checkable", "It asks for an estimate, which no one value answers.", when=words("estimate guess roughly"))
def estimate_wanted(row: Row) -> re.Match[str] | None:
    """``Roughly how many``, ``Estimate the number of``; an estimate by a stated method has one value."""
    return None if _PRECISION.search(row.lower) else _ESTIMATE.search(row.prose)
