"""Which control words everybody knows: pylatexenc's lists, latex2mathml's symbols, and a few besides.

A word that neither these nor the paper's preamble know was defined somewhere else, and its meaning is lost.
"""

from __future__ import annotations

import re
from functools import cache

from latex2mathml.symbols_parser import parse_symbols
from pylatexenc.latex2text import get_default_latex_context_db as text_database
from pylatexenc.latexwalker import get_default_latex_context_db as walker_database

_BESIDES = """
Big Bigg Biggl Biggr Bigl Bigm Bigr Huge LARGE LaTeX Large Pr TeX above addtocounter allowbreak arg
arraystretch atop bcancel begin begingroup bf big bigg biggl biggr bigl bigm bigr bigskip binom bm bmod bold
boldsymbol boxed brace brack break cal cancel caption centering cfrac choose clap cline copyright cot coth csc
dbinom def deg det dfrac dim displaylimits displaystyle dollar em end endgroup enspace fbox footnotesize
framebox gcd genfrac hbox hdots hfill hline hom hskip huge indent intertext it ker kern large lcm left let lg
limits linebreak llap makebox mathbin mathclap mathclose mathllap mathop mathopen mathord mathpunct mathrel
mathrlap mathstrut medskip middle mkern mod mskip multicolumn multirow negthinspace newline noalign nobreak
noindent nolimits nonumber normalsize notag null operatorname over overarc overset pagebreak par parbox
phantom pmb pmod pod raggedright raisebox relax resizebox right rlap rm rotatebox rule sc scalebox
scriptscriptstyle scriptsize scriptstyle sec sf shortintertext sl small smallskip smash sout stackrel
stepcounter strut substack tabcolsep tag tbinom textnormal textstyle tfrac the thickspace thinspace tiny tt
uline underset value vbox vfill vskip xcancel
"""
"""Layout, sizes, operators and the like, which no list of symbols has."""

_WORD = re.compile(r"(?<!\\)(?:\\\\)*\\([A-Za-z]+)")
_VERBATIM = re.compile(
    r"\\begin\{(?P<name>verbatim\*?|lstlisting|tikzpicture|asy)\}.*?\\end\{(?P=name)\}|\\verb\*?(?P<mark>[^A-Za-z\s]).*?(?P=mark)",
    re.DOTALL,
)


@cache
def _known() -> frozenset[str]:
    lists = (walker_database().d, text_database().d)
    symbols = (symbol.removeprefix("\\") for symbol in parse_symbols())
    return frozenset(_BESIDES.split()).union(
        symbols, *(category.get("macros", {}) for one in lists for category in one.values())
    )


def unknown_macro(text: str) -> str | None:
    """Return the first control word of a text that nobody knows, with its backslash; None where there is none."""
    words = _WORD.finditer(_VERBATIM.sub("", text))
    return next((f"\\{word[1]}" for word in words if word[1] not in _known()), None)
