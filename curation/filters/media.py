"""Dropping rules for what a text cannot hold: pictures, tables that are gone, and links."""

from __future__ import annotations

import re

from curation.filters.rule import Row, at_word, drops, one_of, search_near
from curation.filters.triggers import either, in_prose, signs, words

PICTURE_MARKUP = one_of(
    r"\[asy\b|<asy\b",
    r"\\begin\{(?:asy|tikzpicture|tikzcd|circuitikz|pspicture|picture|figure\*?|wrapfigure|pgfpicture)\}",
    r"\\(?:includegraphics|epsfig|psfig|epsfbox|tikz|includesvg|xymatrix)(?![A-Za-z])",
    r"<(?:img|svg|figure|picture)\b|<image(?:_?\d+)?>|data:image/",
    r"!\[[^\]\n]*\]\s*\(|\[img\b|\[\[(?:Image|File):",
    r"\[(?:image|figure|diagram|picture|graph)(?:\s*\d*|:[^\]\n]*|\s+(?:omitted|here|missing|not shown)[^\]\n]*)\]",
    r"\w\.(?:png|jpe?g|gif|eps|svg|bmp)\b",
    flags=re.IGNORECASE,
)
PICTURE = either(
    words(
        "asy tikzpicture tikzcd circuitikz pspicture pgfpicture picture figure wrapfigure includegraphics epsfig "
        "psfig epsfbox tikz includesvg xymatrix img svg image diagram graph png jpg jpeg gif eps bmp file"
    ),
    signs("!["),
)
"""The trigger of rules that look for `PICTURE_MARKUP`."""

_TABLE = one_of(
    r"\\begin\{(?:tabular|array|[pbvBV]?matrix|verbatim|smallmatrix|tabularx|align|aligned|cases)",
    r"\\hline|<table|&[^&\n;]*&[^&\n;]*&",
    r"(?:^|\n)[^\n|]*\|[^\n]*\|[^\n]*\n[^\n|]*\|[^\n]*\|",
    flags=re.IGNORECASE,
)
_LAID_OUT = re.compile(r"\\\[|\$\$|\\begin\{|(?:\n[^\n]*){4}")
_SERIES = re.compile(r"\\[lcd]?dots[cbm]?(?![A-Za-z])|\.\.\.|…")

_PICTURE = r"(?:figures?|diagrams?|pictures?|drawings?|sketch(?:es)?|illustrations?|schematic)"
_PLOT = r"(?:graph|chart|map|spinner|histogram|image|plot|pictograph)"
_DRAWN = (
    r"(?:graphs?|charts?|plots?|grids?|maps?|spinners?|histograms?|images?|pictographs?|scales?|number line|dartboard"
    r"|network|clock|dials?|nets?|layout|floor ?plan|shapes?|polygons?|patterns?|squares?|triangles?|circles?"
    r"|rectangles?|quadrilaterals?|pentagons?|hexagons?|octagons?|trapezoids?|parallelograms?|cubes?|solids?|prisms?"
    r"|boxes|box|blocks?|tiles?|designs?|segments?|lines?|angles?|regions?|parabolas?|curves?|pyramids?|cylinders?"
    r"|cones?|letters?|dots?|stairs?|staircases?|flags?|boards?|paths?|arcs?|semicircles?|logos?)"
)
_SEEN = r"(?:shown|pictured|depicted|illustrated|displayed|sketched|drawn)"
_MADE_VISIBLE = r"(?:shown|pictured|depicted|illustrated)"
_PLACE = r"(?:below|above|here|(?:at|to|on) (?:the )?(?:right|left|side)|opposite|alongside|overleaf)"
_WHICH_ONE = (
    r"(?:following |above |given |accompanying |adjoining |adjacent |attached |first |second |left |right(?:-hand)? )?"
)
_NOT_MADE = r"(?! (?:formed|obtained|made|consisting|determined|whose|created|out\b|of\b|is formed|produced))"

_NOUN = re.compile(
    "figure|fig|diagram|picture|drawing|sketch|illustration|schematic|image|photo|graph|chart|map|plot|scale|histogram"
    "|pictograph|spinner|grid"
)
_PICTURE_REFERENCE = at_word(
    rf"(?:in|from|see|refer(?:ring|s)? to|consider|study) (?:the |this |these |each of the |each )?{_WHICH_ONE}"
    rf"(?:figure|diagram|sketch|illustration|schematic)s?\b{_NOT_MADE}",
    rf"(?:in|from|see|on|use|using|examine|by|like) (?:the|this|these) {_WHICH_ONE}"
    rf"(?:figure|diagram|sketch|illustration|drawing)s?\b{_NOT_MADE}",
    r"(?<![a-z,] )in (?:the|this|these) (?:picture|image|photo|graph|chart|map)s?\b(?! of| frame| book)",
    r"(?:look(?:ing)? at|observe|refer to) (?:the|this) "
    r"(?:picture|image|photo|figure|diagram|graph|chart|map|drawing)s?\b",
    rf"(?:the|this|these|following|adjoining|accompanying|attached|adjacent) (?:venn |tree |flow |scatter )?{_PICTURE} "
    r"(?:\w+ )?"
    r"(?:shows?|represents?|displays?|depicts?|illustrates?|indicates?|consists?|contains?|has|have"
    r"|is (?:made|composed|not drawn|a|the)|are)\b",
    rf"(?:the|this|following) (?:[\w-]+ ){{0,2}}{_PLOT} (?:below |above )?"
    r"(?:shows?|displays?|depicts?|illustrates?|indicates?)\b",
    rf"{_PLOT}s? (?:of [^.?!]{{1,40}} )?(?:is|are) {_MADE_VISIBLE}\b|refer to the {_PLOT}s?\b",
    rf"{_PICTURE} (?:{_PLACE}|{_SEEN}\b)|{_SEEN} in (?:the )?(?:\w+ )?{_PICTURE}",
    rf"(?:accompanying|adjoining|attached|following) (?:\w+ and )?(?:{_PICTURE}|graph|chart|map|image|plot)\b",
    r"(?:using|use|according to|based on|from) the (?:[\w-]+ ){0,2}(?:graph|chart|map|histogram|pictograph)\b(?! of)",
    r"below (?:is|are) (?:the|a|an|part of|two|three) (?:[\w-]+ ){0,3}"
    rf"(?:{_PICTURE}|graph|chart|map|plot|grid|net)s?\b",
    r"fig(?:ure|\.)? ?\(?\d|figures \d+ (?:and|to|through|-) ?\d|diagram \d",
    r"(?:drawn|shown|not) to scale\b",
)
_CERTAIN = re.compile(
    r"\d|shown|below|above|see|as|following|accompanying|adjoining|attached|given|right|left|scale|shows|depict"
    r"|illustrat"
)
_INTRODUCED = re.compile(
    r"\b(?:an?|any|every|each|some|such|called|two|three|following) (?:[\w-]+ ){0,3}" + rf"(?:{_PICTURE}|tables?)\b"
)

_SHOWING = re.compile("shown|pictured|depicted|illustrated|displayed|below|above|spinners|following")
_SHOWN = at_word(
    rf"as {_SEEN}(?: {_PLACE}| in (?:the )?(?:figure|diagram|picture))?\b",
    rf"(?:are|is) {_MADE_VISIBLE} (?:{_PLACE}|in (?:the )?(?:figure|diagram|picture)|in \w+ below)\b",
    rf"{_DRAWN} (?:(?:is |are |that is |that are )?{_MADE_VISIBLE}\b|drawn (?:above|below|here)\b"
    r"|below\b(?! (?:the|a|an|this|it)\b)"
    rf"|{_PLACE}\s*(?:[.,;:?)]|is\b|shows\b|are\b))|{_MADE_VISIBLE} {_PLACE}",
    r"(?:machine|gears?|thermometer|ruler|sign|target)s? (?:shown|pictured)\b",
    r"these (?:two |three )?(?:spinners|figures|diagrams|graphs|pictures)\b",
    r"following (?:graph|chart|map|spinner|shape|pattern|grid|net)s?\b",
)

_SHADED = re.compile(
    r"\b(?:un)?shaded (?:regions?|areas?|parts?|portions?|squares?|triangles?|circles?|rectangles?|sectors?|sections?"
    r"|figures?|polygons?|faces?|cells?|ring|crescents?|lunes?|segments?)\b"
)
_SHADED_SHARE = re.compile(r"\b(?:fraction|percent|percentage|part|portion|area)\b[^.?!]{3,60}\b(?:is|are) shaded\s*\?")
_SHADING = re.compile(
    r"\b(?:is|are|was|were|be|been|and|then|being) (?:then )?(?:un)?shaded\b|\bshad(?:e|es|ing)\b"
    r"|\b(?:is|are) colored|\bto be shaded\b"
)

_TABLE_REFERENCE = one_of(
    r"\b(?:in|from|by|see|using|complete) the (?:following |above |given |accompanying )?tables?\b",
    r"\btables? (?:below|above|shown|to the (?:right|left))\b|\b(?:following|accompanying|above|below) table\b",
    r"\bthe table (?:shows|gives|lists|displays)",
    r"\b(?:stem-and-leaf|dot|line|box|box-and-whisker) plot (?:shown|below|above|shows)",
)
_GRID = re.compile(r"\\times|×|\bcells?\b|\brows?\b|\bsubtable|\bboard\b|\ufffc table")

_NOTHING_GIVEN = re.compile(
    r"(?:what is|find|compute|determine|calculate|how many (?:degrees|units|square units))[^.?!=]{0,90}?\s"
    r"(?:(?:triangle|angle|segment|side|circle|square|rectangle|quadrilateral|trapezoid|arc|polygon|pentagon|hexagon)"
    r"\s*\$?|\$)\s*(?:\\(?:m?angle|triangle|overline|stackrel|widehat|measuredangle)\s*)?"
    r"\{?[A-Zx-z]{1,5}\}?[,.]?\s*\$?(?: below)?\s*[.?]?"
)
_LONGEST_BARE_QUESTION = 160
_NUMBER_WORD = re.compile(
    r"\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|hundred|half|twice|double|triple|equilateral|right"
    r"|regular|unit)\b"
)
_DIGIT = re.compile(r"\d")

_CHINESE = one_of(
    r"(?:如|见|看|下|右|左|上|附|题|该|此|据|由|从|示意)图(?![形像象案书画])",
    r"图(?:中|所示)(?!学)|图\s?[（(]?\d|(?:统计|条形|折线|扇形|饼状?|直方|树状|示意|路线|平面)图|观察(?:下列|下面|以下)?图形|阴影部分|示意图|下表|右表|如表|表中|表格中",
)

_LINK = one_of(
    r"(?:https?|ftp)://[^\s<>{}]*|(?<![\w.])www\.[\w-]+\.[^\s<>{}]*",
    r"\[[^\]\n]*\]\((?!\s*\))[^()\s]+\.[a-z]{2,4}[^()\s]*\)|\\(?:url|href)\{[^{}]*\}|<a\s+href[^>]*>",
    r"\b[\w-]+\.(?:com|org|net|edu|gov)/[\w/.-]+|\b(?:youtu\.be|bit\.ly|goo\.gl|t\.co|tinyurl\.com)/\S+",
    flags=re.IGNORECASE,
)


@drops(
    "image",
    "It holds a picture or the code of one.",
    when=PICTURE,
)
def picture_markup(row: Row) -> re.Match[str] | None:
    """Asymptote, TikZ, graphics commands, image tags, Markdown and forum images, names of image files."""
    return PICTURE_MARKUP.search(row.statement)


@drops(
    "image",
    "It speaks of a figure that is not in the text.",
    when=words(
        "figure figures fig diagram diagrams picture pictures drawing drawings sketch sketches illustration "
        "illustrations schematic image images photo photos graph graphs chart charts map maps plot plots scale "
        "histogram pictograph spinner grid grids"
    ),
    when_prose=in_prose(_PICTURE_REFERENCE),
)
def missing_figure(row: Row) -> re.Match[str] | None:
    """``in the diagram``, ``Figure 1``, ``the graph shows``; a table in the text answers most of them."""
    found = search_near(_NOUN, _PICTURE_REFERENCE, row.prose_lower, 60, 50)
    return found if found is not None and not _TABLE.search(row.statement) and not _introduced(row, found) else None


@drops(
    "image",
    "It speaks of something shown that is not in the text.",
    when=words("shown pictured depicted illustrated displayed sketched drawn below above spinners following these"),
    when_prose=in_prose(_SHOWN),
)
def shown_nowhere(row: Row) -> re.Match[str] | None:
    """``as shown``, ``the grid below``; what was typed answers it: a table, a displayed formula, a series."""
    found = search_near(_SHOWING, _SHOWN, row.prose_lower, 50, 50)
    if found is None or any(pattern.search(row.statement) for pattern in (_TABLE, _LAID_OUT, _SERIES)):
        return None
    return found


@drops("image", "It speaks of a shaded part that it does not describe.", when=words("shaded unshaded"))
def shaded_nowhere(row: Row) -> re.Match[str] | None:
    """``the shaded region`` where nothing says what is shaded."""
    share = _SHADED_SHARE.search(row.prose_lower)
    if share is not None and len(_SHADING.findall(row.prose_lower)) == 1:
        return share
    return _SHADED.search(row.prose_lower) if _SHADING.search(row.prose_lower) is None else None


@drops("image", "It asks about a labelled figure of which it says nothing.", when="^[^0-9]*$")
def undescribed_figure(row: Row) -> re.Match[str] | None:
    """``What is the area of triangle $ABC$?``, ``Find $x$.``: one short question, a label, no number, no relation."""
    text = row.statement
    if len(text) > _LONGEST_BARE_QUESTION or _DIGIT.search(text) or not _DIGIT.search(row.target):
        return None
    found = _NOTHING_GIVEN.fullmatch(text[:1].lower() + text[1:])
    return found if found is not None and _NUMBER_WORD.search(row.lower) is None else None


@drops("image", "It speaks of a table that is not in the text.", when=words("table tables plot"))
def missing_table(row: Row) -> re.Match[str] | None:
    """``the table below`` without rows and columns."""
    found = _TABLE_REFERENCE.search(row.prose_lower)
    if found is None or _introduced(row, found):
        return None
    if _CERTAIN.search(found.group()) is None and _GRID.search(row.prose_lower):
        return None
    return None if _TABLE.search(row.statement) or _LAID_OUT.search(row.statement) else found


@drops("image", "It speaks of a figure that is not in the text.", when=signs("图", "阴影", "表"))
def missing_chinese_figure(row: Row) -> re.Match[str] | None:
    """``如图``, ``阴影部分``, ``下表`` without rows and columns."""
    found = _CHINESE.search(row.statement)
    return None if found is None or ("表" in found.group() and _TABLE.search(row.statement)) else found


@drops(
    "link",
    "It needs what stands behind a link.",
    when=either(words("http https ftp www url href com org net edu gov youtu bit goo tinyurl"), signs("](")),
)
def link(row: Row) -> re.Match[str] | None:
    """Addresses of the web, bare or in Markdown, LaTeX or HTML."""
    return _LINK.search(row.statement)


def _introduced(row: Row, found: re.Match[str]) -> bool:
    """Tell whether the figure or table is one that the text itself brought in: ``a figure consisting of cells``."""
    return _CERTAIN.search(found.group()) is None and _INTRODUCED.search(row.prose_lower, 0, found.start()) is not None
