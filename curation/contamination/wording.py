"""What it says that a text kept a problem's wording and is no copy of it.

Who rewords a problem says it in words of their own. Who poses another problem of its pattern keeps whole phrases of it
and changes what stands between them. A copy with few changes is found by the lexical layers before this is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

_RUN = 3
_WORDS_OF_A_PHRASE = 2
_KEPT_BY_REWORDING = 0.25
_NATS_FOR_ALL = 6.0
_LEAST = -3.0


def evidence_of_kept_wording(item: Sequence[str], text: Sequence[str]) -> float:
    """Return what the phrases that two texts in one language share say against a rewording, in nats; never for it.

    Args:
        item: the item's tokens.
        text: the text's tokens.
    """
    phrases = 0
    for block in SequenceMatcher(None, item, text, autojunk=False).get_matching_blocks():
        words = _spoken(item[block.a : block.a + block.size]) if block.size >= _RUN else 0
        phrases += words if words >= _WORDS_OF_A_PHRASE else 0
    kept = phrases / max(1, min(_spoken(item), _spoken(text)))
    return max(_LEAST, -_NATS_FOR_ALL * max(0.0, kept - _KEPT_BY_REWORDING))


def _spoken(words: Sequence[str]) -> int:
    return sum(1 for word in words if len(word) > 1 and word.isalpha())
