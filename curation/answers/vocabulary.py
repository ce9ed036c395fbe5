"""What the commands and words of answers mean to `answers.tokens`: operators, functions, fonts, connectives."""

from __future__ import annotations

RELATIONS = frozenset("=≠<>≤≥≈≡∼∈∉⊂⊆→⇒⇔")
"""Signs that stand between the sides of a relation."""

CONNECTIVES = frozenset({"and", "or", "&", "或", "和", "及"})
"""Words that separate the members of a list."""

DROPPED = frozenset(
    [
        "left",
        "right",
        "big",
        "Big",
        "bigg",
        "Bigg",
        "bigl",
        "bigr",
        "Bigl",
        "Bigr",
        "biggl",
        "biggr",
        "Biggl",
        "Biggr",
        "bigm",
        "middle",
        "displaystyle",
        "textstyle",
        "scriptstyle",
        "scriptscriptstyle",
        "limits",
        "nolimits",
        "quad",
        "qquad",
        "enspace",
        "thinspace",
        "medspace",
        "thickspace",
        "negthinspace",
        "noindent",
        "par",
        "rm",
        "bf",
        "it",
        "tt",
        "sf",
        "cal",
        "small",
        "large",
        "normalsize",
        "allowbreak",
        "nobreak",
        "phantom",
        "strut",
        "hfill",
        "hline",
        "protect",
        "nonumber",
        "notag",
        "centering",
        "mathop",
        "mathrel",
        "mathbin",
        "mathord",
        "null",
        "relax",
    ]
)
"""Commands that carry no meaning in an answer."""

TEXT_FONTS = frozenset(
    [
        "text",
        "textbf",
        "textit",
        "textrm",
        "textsf",
        "texttt",
        "textnormal",
        "textup",
        "mbox",
        "hbox",
        "emph",
        "textsc",
        "mathrm",
        "operatorname",
    ]
)
"""Commands whose argument is words unless it is a formula."""

FONTS = {
    "mathbf": "bold",
    "boldsymbol": "bold",
    "bm": "bold",
    "mathbb": "blackboard",
    "mathcal": "script",
    "mathscr": "script",
    "mathfrak": "fraktur",
    "mathit": "",
    "mathsf": "",
    "mathtt": "",
    "mathnormal": "",
    "boxed": "",
    "fbox": "",
    "underline": "",
    "ensuremath": "",
}
"""Commands that set a formula in another font, and what that makes of a single letter."""

OPERATORS = {
    **dict.fromkeys(("le", "leq", "leqslant", "leqq"), "≤"),
    **dict.fromkeys(("ge", "geq", "geqslant", "geqq"), "≥"),
    **dict.fromkeys(("ne", "neq"), "≠"),
    **dict.fromkeys(("lt",), "<"),
    **dict.fromkeys(("gt",), ">"),
    **dict.fromkeys(("equiv", "cong"), "≡"),
    **dict.fromkeys(("approx", "simeq", "doteq"), "≈"),
    **dict.fromkeys(("sim",), "∼"),
    **dict.fromkeys(("times", "cdot", "ast", "bullet"), "*"),
    **dict.fromkeys(("div", "slash"), "/"),
    **dict.fromkeys(("in", "isin"), "∈"),
    **dict.fromkeys(("notin",), "∉"),
    **dict.fromkeys(("subset",), "⊂"),
    **dict.fromkeys(("subseteq",), "⊆"),
    **dict.fromkeys(("cup", "bigcup"), "∪"),
    **dict.fromkeys(("cap", "bigcap"), "∩"),
    **dict.fromkeys(("setminus", "backslash", "smallsetminus"), "∖"),
    **dict.fromkeys(("emptyset", "varnothing"), "∅"),
    **dict.fromkeys(("to", "rightarrow", "longrightarrow", "mapsto"), "→"),
    **dict.fromkeys(("Rightarrow", "implies", "Longrightarrow"), "⇒"),
    **dict.fromkeys(("Leftrightarrow", "iff"), "⇔"),
    **dict.fromkeys(("ldots", "dots", "cdots", "dotsc", "dotsb", "dotsm", "vdots", "ddots"), "…"),
    **dict.fromkeys(("mid", "vert", "lvert", "rvert"), "|"),
    **dict.fromkeys(("Vert", "lVert", "rVert", "parallel"), "∥"),
    **dict.fromkeys(("langle", "lparen"), "("),
    **dict.fromkeys(("rangle", "rparen"), ")"),
    "lbrack": "[",
    "rbrack": "]",
    "lbrace": "\\{",
    "rbrace": "\\}",
    "pm": "±",
    "mp": "∓",
    "infty": "∞",
    "degree": "°",
    "degrees": "°",
    "circ": "°",
    "prime": "'",
    "colon": ":",
    "percent": "%",
}
"""Commands that are signs."""

GREEK_NAMES = {
    "varepsilon": "epsilon",
    "vartheta": "theta",
    "varphi": "phi",
    "varrho": "rho",
    "varsigma": "sigma",
    "varpi": "varpi",
    "ell": "ell",
    "hbar": "hbar",
    "angle": "angle",
    "triangle": "triangle",
    "odot": "odot",
    "Re": "Re",
    "Im": "Im",
    "aleph": "aleph",
    "imath": "i",
    "jmath": "j",
    "mho": "mho",
    "nabla": "nabla",
    "partial": "partial",
}
"""Commands that are single symbols, beside the Greek letters, and the symbol's name."""

FUNCTIONS = {
    **{name: name for name in ("sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "log", "ln", "exp")},
    **{name: name for name in ("min", "max", "gcd", "lcm", "det", "deg", "dim", "sgn", "arg", "ker", "tr", "abs")},
    **{f"arc{name}": f"arc{name}" for name in ("sin", "cos", "tan", "cot", "sec", "csc")},
    "asin": "arcsin",
    "acos": "arccos",
    "atan": "arctan",
    "tg": "tan",
    "ctg": "cot",
    "arctg": "arctan",
    "cosec": "csc",
    "coth": "coth",
    "lg": "lg",
    "cis": "cis",
    "sqrt": "sqrt",
    "cbrt": "cbrt",
    "floor": "floor",
    "ceil": "ceil",
    "binom": "binom",
    "Log": "log",
    "Ln": "ln",
    "Arg": "arg",
}
"""Functions by their names, LaTeX or plain."""

PLAIN_WORDS = {
    "pi": "pi",
    "Pi": "Pi",
    "infinity": "∞",
    "infty": "∞",
    "inf": "∞",
    "oo": "∞",
    "percent": "%",
    "pct": "%",
    "per cent": "%",
    "degrees": "°",
    "degree": "°",
    "deg": "°",
    "times": "*",
    "union": "∪",
    "cup": "∪",
    "intersect": "∩",
    "alpha": "alpha",
    "beta": "beta",
    "gamma": "gamma",
    "delta": "delta",
    "epsilon": "epsilon",
    "theta": "theta",
    "Theta": "Theta",
    "lambda": "lambda",
    "mu": "mu",
    "rho": "rho",
    "sigma": "sigma",
    "tau": "tau",
    "phi": "phi",
    "omega": "omega",
    "Omega": "Omega",
    "frac": "\\frac",
    "dfrac": "\\frac",
    "in": "∈",
}
"""Words outside ``\\text`` that are signs, symbols or commands."""

NUMBER_WORDS = {
    word: str(value)
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ]
    )
}
"""Number words and their digits."""

SHORT_WORDS = frozenset({"no", "yes", "for", "all", "any", "the", "not", "per", "are", "odd", "iff", "if", "non"})
"""Runs of two or three letters that are words and no products of symbols."""

REMARKS = frozenset({"for", "where", "with", "if", "when", "such", "as", "given", "assuming", "provided", "since"})
"""Words that start a remark on an answer."""
