"""Glyph names of fonts as TeX: the Computer Modern, AMS and Latin Modern families, and Adobe's names through Unicode.

The names are those in the fonts' own encodings; the same shape has one name whatever code a producer gives it. Sizes of
delimiters, roots and operators are the fonts' heights and depths in ems (from cmex10's and cmsy10's metric files).
"""

from __future__ import annotations

import re
import unicodedata

_WORDS = """
minus=- periodcentered=\\cdot multiply=\\times asteriskmath=* divide=\\div diamondmath=\\diamond plusminus=\\pm
minusplus=\\mp circleplus=\\oplus circleminus=\\ominus circlemultiply=\\otimes circledivide=\\oslash circledot=\\odot
circlecopyrt=\\bigcirc openbullet=\\circ bullet=\\bullet equivasymptotic=\\asymp equivalence=\\equiv
reflexsubset=\\subseteq reflexsuperset=\\supseteq lessequal=\\leq greaterequal=\\geq precedesequal=\\preceq
followsequal=\\succeq similar=\\sim approxequal=\\approx propersubset=\\subset propersuperset=\\supset lessmuch=\\ll
greatermuch=\\gg precedes=\\prec follows=\\succ arrowleft=\\leftarrow arrowright=\\to arrowup=\\uparrow
arrowdown=\\downarrow arrowboth=\\leftrightarrow arrownortheast=\\nearrow arrowsoutheast=\\searrow similarequal=\\simeq
arrowdblleft=\\Leftarrow arrowdblright=\\Rightarrow arrowdblup=\\Uparrow arrowdbldown=\\Downarrow
arrowdblboth=\\Leftrightarrow arrownorthwest=\\nwarrow arrowsouthwest=\\swarrow proportional=\\propto infinity=\\infty
element=\\in owner=\\ni triangle=\\triangle triangleinv=\\nabla mapsto=\\mapsto universal=\\forall
existential=\\exists logicalnot=\\neg emptyset=\\emptyset Rfractur=\\Re Ifractur=\\Im latticetop=\\top
perpendicular=\\perp aleph=\\aleph union=\\cup intersection=\\cap unionmulti=\\uplus logicaland=\\wedge
logicalor=\\vee turnstileleft=\\vdash turnstileright=\\dashv floorleft=\\lfloor floorright=\\rfloor
ceilingleft=\\lceil ceilingright=\\rceil braceleft=\\{ braceright=\\} angbracketleft=\\langle
angbracketright=\\rangle bar=| bardbl=\\| arrowbothv=\\updownarrow backslash=\\setminus wreathproduct=\\wr
coproduct=\\amalg nabla=\\nabla unionsq=\\sqcup intersectionsq=\\sqcap section=\\S dagger=\\dagger
daggerdbl=\\ddagger paragraph=\\P club=\\clubsuit diamond=\\diamondsuit heart=\\heartsuit spade=\\spadesuit
Gamma=\\Gamma Delta=\\Delta Theta=\\Theta Lambda=\\Lambda Xi=\\Xi Pi=\\Pi Sigma=\\Sigma Upsilon=\\Upsilon Phi=\\Phi
Psi=\\Psi Omega=\\Omega alpha=\\alpha beta=\\beta gamma=\\gamma delta=\\delta epsilon1=\\epsilon zeta=\\zeta eta=\\eta
theta=\\theta iota=\\iota kappa=\\kappa lambda=\\lambda mu=\\mu nu=\\nu xi=\\xi pi=\\pi rho=\\rho sigma=\\sigma
tau=\\tau upsilon=\\upsilon phi=\\phi chi=\\chi psi=\\psi omega=\\omega epsilon=\\varepsilon theta1=\\vartheta
pi1=\\varpi rho1=\\varrho sigma1=\\varsigma phi1=\\varphi triangleright=\\triangleright triangleleft=\\triangleleft
star=\\star partialdiff=\\partial flat=\\flat natural=\\natural sharp=\\sharp lscript=\\ell dotlessi=\\imath
dotlessj=\\jmath weierstrass=\\wp less=< greater=> slash=/ period=. comma=,
square=\\square squaresolid=\\blacksquare diamondsolid=\\blacklozenge therefore=\\therefore because=\\because
lessorequalslant=\\leqslant greaterorequalslant=\\geqslant lessdblequal=\\leqq greaterdblequal=\\geqq
trianglesolid=\\blacktriangle angle=\\angle measuredangle=\\measuredangle sphericalangle=\\sphericalangle
complement=\\complement check=\\checkmark equalsdots=\\doteqdot defines=\\triangleq circleequal=\\circeq
trianglerightequal=\\trianglerighteq triangleleftequal=\\trianglelefteq maltesecross=\\maltese
lessnotequal=\\lneq greaternotequal=\\gneq notlessequal=\\nleq notgreaterequal=\\ngeq notless=\\nless
notgreater=\\ngtr notsimilar=\\nsim notapproxequal=\\ncong notparallel=\\nparallel notbar=\\nmid notshortbar=\\nmid
notshortparallel=\\nparallel subsetnoteql=\\subsetneq supersetnoteql=\\supsetneq subsetornoteql=\\subsetneq
supersetornoteql=\\supsetneq notsubseteql=\\nsubseteq notsuperseteql=\\nsupseteq notexistential=\\nexists
notarrowright=\\nrightarrow notdblarrowright=\\nRightarrow planckover2pi=\\hslash planckover2pi1=\\hbar
equalorsimilar=\\eqsim integerdivide=\\smallsetminus barshort=\\mid parallelshort=\\parallel arrowaxisright=\\to
multimap=\\multimap difference=\\bumpeq muchless=\\lll muchgreater=\\ggg squaresmallsolid=\\centerdot
smile=\\smile frown=\\frown hyphen=- endash=-- emdash=--- quotedblleft=“ quotedblright=” quoteleft=‘ quoteright=’
ff=ff fi=fi fl=fl ffi=ffi ffl=ffl germandbls=ß dollar=\\$ percent=\\% ampersand=\\& numbersign=\\# underscore=\\_
prime=' asteriskcentered=* visiblespace=\\_
"""
_NAMES = dict(word.split("=", 1) for word in _WORDS.split())

_OPERATORS = {
    "summation": "\\sum",
    "product": "\\prod",
    "integral": "\\int",
    "contintegral": "\\oint",
    "union": "\\bigcup",
    "intersection": "\\bigcap",
    "unionmulti": "\\biguplus",
    "unionsq": "\\bigsqcup",
    "logicaland": "\\bigwedge",
    "logicalor": "\\bigvee",
    "coproduct": "\\coprod",
    "circledot": "\\bigodot",
    "circleplus": "\\bigoplus",
    "circlemultiply": "\\bigotimes",
}
_OPERATOR = re.compile(r"(?P<name>[a-z]+?)(?P<style>text|display)\Z")
_DELIMITERS = {
    "parenleft": "(",
    "parenright": ")",
    "bracketleft": "[",
    "bracketright": "]",
    "floorleft": "\\lfloor",
    "floorright": "\\rfloor",
    "ceilingleft": "\\lceil",
    "ceilingright": "\\rceil",
    "braceleft": "\\{",
    "braceright": "\\}",
    "angbracketleft": "\\langle",
    "angbracketright": "\\rangle",
    "brace": "",
    "vextendsingle": "|",
    "vextenddouble": "\\|",
    "slash": "/",
    "backslash": "\\setminus",
}
_DELIMITER = re.compile(r"(?P<name>[a-z]+?)(?P<part>big|Big|bigg|Bigg|tp|bt|ex|mid)\Z")
_VERTICAL = {"vextendsingle", "vextenddouble"}
_RADICAL = re.compile(r"radical(?P<part>big|Big|bigg|Bigg|tp|bt|vertex)?\Z")
_DEPTHS = {"big": 1.16, "Big": 1.76, "bigg": 2.36, "Bigg": 2.96, "tp": 1.76, "bt": 1.76, "ex": 0.6}
_BRACE_DEPTHS = {"tp": 0.9, "mid": 1.8, "bt": 0.9, "ex": 0.3}
_RADICAL_DEPTHS = {"tp": 0.6, "vertex": 0.6, "bt": 1.76}
_ACCENTS = {
    "grave": ("\u0300", "\\grave"),
    "acute": ("\u0301", "\\acute"),
    "circumflex": ("\u0302", "\\hat"),
    "tilde": ("\u0303", "\\tilde"),
    "macron": ("\u0304", "\\bar"),
    "breve": ("\u0306", "\\breve"),
    "dotaccent": ("\u0307", "\\dot"),
    "dieresis": ("\u0308", "\\ddot"),
    "ring": ("\u030a", "\\mathring"),
    "hungarumlaut": ("\u030b", "\\H"),
    "caron": ("\u030c", "\\check"),
    "vector": ("\u20d7", "\\vec"),
    "hatwide": ("", "\\widehat"),
    "hatwider": ("", "\\widehat"),
    "hatwidest": ("", "\\widehat"),
    "tildewide": ("", "\\widetilde"),
    "tildewider": ("", "\\widetilde"),
    "tildewidest": ("", "\\widetilde"),
}
_LETTER_FONTS = (
    (re.compile(r"CMSY|LMMathSymbols|CMBSY|RSFS|EUSM", re.IGNORECASE), "\\mathcal"),
    (re.compile(r"MSBM|BBOLD|DSROM|BBM", re.IGNORECASE), "\\mathbb"),
    (re.compile(r"EUF[MB]", re.IGNORECASE), "\\mathfrak"),
)
_MATH_FONT = re.compile(
    r"CM(?:MI|SY|EX|BSY|MIB)|MS[AB]M|EUF|EUSM|RSFS|LMMath|Math|MT(?:MI|SY|EX)|(?:tx|px|ntx|np|rtx)(?:mi|sy|ex|sya|syb)"
    r"|BBOLD|DSROM|BBM|STMARY|WASY|esint|Symbol",
    re.IGNORECASE,
)
_OLD_STYLE = re.compile(r"(zero|one|two|three|four|five|six|seven|eight|nine)(?:\.tab)?oldstyle\Z")
_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def is_math_font(font: str) -> bool:
    """Tell a font of mathematical letters and symbols from one of running text, by its PostScript name."""
    return _MATH_FONT.search(font) is not None


def accent(name: str) -> tuple[str, str] | None:
    """Return an accent's combining character and its TeX command in formulas; None for other glyphs."""
    return _ACCENTS.get(name)


def operator(name: str) -> str | None:
    """Return the TeX command of a large operator, ``summationdisplay``; None for other glyphs."""
    match = _OPERATOR.match(name)
    return _OPERATORS.get(match["name"]) if match else None


def delimiter(name: str) -> tuple[str, str] | None:
    """Return a large delimiter's TeX and its part: ``big`` to ``Bigg``, or ``tp``, ``ex``, ``mid``, ``bt``."""
    if name in _VERTICAL:
        return _DELIMITERS[name], "ex"
    match = _DELIMITER.match(name)
    return (_DELIMITERS[match["name"]], match["part"]) if match and match["name"] in _DELIMITERS else None


def is_radical(name: str) -> bool:
    """Tell the sign of a root, whole or a part of a tall one."""
    return _RADICAL.match(name) is not None


def extent(name: str) -> tuple[float, float]:
    """Return how far the glyph reaches above and below its baseline, in ems."""
    if radical := _RADICAL.match(name):
        part = radical["part"] or ""
        return 0.04, _RADICAL_DEPTHS.get(part, _DEPTHS.get(part, 0.96))
    if found := _OPERATOR.match(name):
        deep = 2.22 if "integral" in name else 1.4
        return 0.0, deep if found["style"] == "display" else (1.11 if "integral" in name else 1.0)
    if part := delimiter(name):
        return 0.04, (_BRACE_DEPTHS if name.startswith("brace") else _DEPTHS).get(part[1]) or _DEPTHS[part[1]]
    return 0.7, 0.22


def tex_of(name: str, unicode_text: str | None, font: str) -> str | None:
    """Return a glyph as TeX or plain text; None where neither its name nor its Unicode text is known."""
    if name in _ACCENTS or is_radical(name) or name == "negationslash":
        return ""
    if found := operator(name):
        return found
    if part := delimiter(name):
        return part[0]
    if len(name) == 1 and name.isalpha():
        command = next((command for pattern, command in _LETTER_FONTS if pattern.search(font)), None)
        return f"{command}{{{name}}}" if command else name
    if old := _OLD_STYLE.match(name):
        return str(_DIGITS.index(old[1]))
    if name in _NAMES:
        return _NAMES[name]
    if not unicode_text or any(unicodedata.category(letter) in ("Co", "Cc", "Cn", "Cs") for letter in unicode_text):
        return None
    if "\ufffd" in unicode_text or unicode_text.startswith("(cid:"):
        return None
    plain = unicodedata.normalize("NFKC", unicode_text)
    return {"$": "\\$", "%": "\\%", "#": "\\#", "&": "\\&", "{": "\\{", "}": "\\}", "−": "-"}.get(plain, plain)
