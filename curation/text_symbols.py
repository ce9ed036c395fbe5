"""The tables of `curation.text`: which LaTeX commands and Unicode characters mean the same."""

from __future__ import annotations

SUPERSCRIPTS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ", "0123456789+-=()ni", strict=True))
"""Raised characters and what they raise."""

SUBSCRIPTS = dict(zip("₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥ", "0123456789+-=()aeoxhklmnpstijruv", strict=True))
"""Lowered characters and what they lower."""

GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ϵ": "epsilon", "ζ": "zeta", "η": "eta",
    "θ": "theta", "ϑ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi",
    "ρ": "rho", "ϱ": "rho", "σ": "sigma", "ς": "sigma", "τ": "tau", "υ": "upsilon", "φ": "phi", "ϕ": "phi", "χ": "chi",
    "ψ": "psi", "ω": "omega", "Γ": "Gamma", "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi",
    "Σ": "Sigma", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega",
}  # fmt: skip
"""Greek letters that stand alone and their LaTeX names."""

SYMBOLS = {
    "\u2212": "-", "\u2010": "-", "\u2011": "-", "\u2012": "-", "\u2013": "-", "\u2014": " ", "\u2015": " ",
    "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u3002": ".", "\u3001": ",",
    "×": "*", "⋅": "*", "·": "*", "∙": "*", "•": "*", "∗": "*", "÷": "/", "⁄": "/", "∕": "/",
    "≤": "≤", "⩽": "≤", "≦": "≤", "≥": "≥", "⩾": "≥", "≧": "≥", "≠": "≠", "∼": "∼", "≅": "≡",
    "√": "sqrt", "∛": "sqrt[3]", "∞": "infinity", "∑": "sum", "∏": "prod", "∫": "int", "∠": "angle", "∡": "angle",
    "△": "triangle", "▵": "triangle", "∆": "triangle", "°": "degrees", "º": "degrees", "∘": "∘", "‖": "∥", "∣": "|",
    "⌊": "floor(", "⌋": ")", "⌈": "ceil(", "⌉": ")", "…": "…", "⋯": "…", "⋮": "…", "⟶": "→", "↦": "→", "⟨": "(",
    "⟩": ")", "′": "'", "″": "''", "□": "square", "∎": " ",
    "½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5", "⅗": "3/5", "⅘": "4/5",
    "⅙": "1/6", "⅚": "5/6", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8",
}  # fmt: skip
"""Unicode characters and their folded spelling."""

_SPACING = (
    "left right big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr Biggl Biggr bigm middle displaystyle textstyle "
    "scriptstyle scriptscriptstyle limits nolimits quad qquad enspace thinspace medspace thickspace negthinspace "
    "noindent par newline linebreak item hfill hline rm bf it tt sf cal small large Large normalsize centering nobreak "
    "allowbreak break indent smallskip medskip bigskip phantom strut mathstrut null relax label tag protect"
)
_OPERATORS = {
    "le": "≤", "leq": "≤", "leqslant": "≤", "leqq": "≤", "ge": "≥", "geq": "≥", "geqslant": "≥", "geqq": "≥",
    "lt": "<", "gt": ">", "ne": "≠", "neq": "≠", "equiv": "≡", "cong": "≡", "approx": "≈", "sim": "∼", "simeq": "≈",
    "times": "*", "cdot": "*", "ast": "*", "bullet": "*", "div": "/", "slash": "/", "pm": "±", "mp": "∓",
    "in": "∈", "notin": "∉", "subset": "⊂", "subseteq": "⊆", "cup": "∪", "cap": "∩", "bigcup": "∪", "bigcap": "∩",
    "emptyset": "∅", "varnothing": "∅", "setminus": "∖", "backslash": "∖", "to": "→", "rightarrow": "→",
    "longrightarrow": "→", "mapsto": "→", "longmapsto": "→", "leftrightarrow": "↔", "Rightarrow": "⇒", "implies": "⇒",
    "Leftrightarrow": "⇔", "iff": "⇔", "mid": "|", "vert": "|", "lvert": "|", "rvert": "|", "Vert": "∥", "lVert": "∥",
    "rVert": "∥", "parallel": "∥", "perp": "⊥", "land": "∧", "wedge": "∧", "lor": "∨", "vee": "∨", "neg": "¬",
    "lnot": "¬", "forall": "∀", "exists": "∃", "partial": "∂", "nabla": "∇", "oplus": "⊕", "otimes": "⊗",
    "ldots": "…", "dots": "…", "cdots": "…", "dotsc": "…", "dotsb": "…", "dotsm": "…", "vdots": "…", "ddots": "…",
    "lbrace": "\x01", "rbrace": "\x02", "lbrack": "[", "rbrack": "]", "langle": "(", "rangle": ")",
    "lfloor": "floor(", "rfloor": ")", "lceil": "ceil(", "rceil": ")", "infty": "infinity", "degree": "degrees",
    "ell": "l", "imath": "i", "jmath": "j", "bmod": "mod", "mod": "mod", "pmod": "mod", "pod": "", "prime": "'",
    "triangle": "triangle", "bigtriangleup": "triangle", "vartriangle": "triangle", "measuredangle": "angle",
    "dbinom": "binom", "tbinom": "binom", "choose": "choose", "surd": "sqrt", "varepsilon": "epsilon",
    "vartheta": "theta", "varphi": "phi", "varrho": "rho", "varsigma": "sigma", "bar": "overline",
    "overbar": "overline", "Box": "square", "colon": ":",
}  # fmt: skip

COMMANDS = {**dict.fromkeys(_SPACING.split(), " "), **{name: f" {sign} " for name, sign in _OPERATORS.items()}}
"""LaTeX commands without their backslash and the text that replaces them; any other command becomes its own name."""
