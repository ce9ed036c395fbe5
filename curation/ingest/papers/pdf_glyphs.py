"""What stands on a PDF's pages, in the order in which it is drawn: glyphs as TeX, rules, and drawings.

pdfminer.six reads the file; this module adds the glyphs' names, which say more than Unicode does for TeX's fonts, where
a triangle may claim to be a 4 and a large bracket to be nothing at all.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pdfminer.pdfdevice import PDFTextDevice
from pdfminer.pdfdocument import PDFDocument
from pdfminer.pdffont import PDFFont, PDFUnicodeNotDefined
from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
from pdfminer.pdfpage import PDFPage
from pdfminer.pdfparser import PDFParser
from pdfminer.pdftypes import LITERALS_FLATE_DECODE, PDFStream, resolve1
from pdfminer.psparser import PSLiteral, literal_name
from pdfminer.utils import MATRIX_IDENTITY, apply_matrix_pt, mult_matrix

from curation.ingest.papers.atoms import Atom, Drawing, PageContent
from curation.ingest.papers.glyph_names import accent, delimiter, extent, is_math_font, is_radical, operator, tex_of

_RULE_THICKNESS = 1.6
"""Points; thicker bars are drawings. TeX's own rules are 0.4."""
_BUILT_IN = re.compile(rb"dup\s+(\d+)\s*/([A-Za-z0-9._]+)\s+put")
_ESCAPED = ("\\$", "\\%", "\\#", "\\&", "\\_")
"""Characters of running text that TeX writes with a backslash."""
_SUBSET = re.compile(r"\A[A-Z]{6}\+")


@dataclass(frozen=True, slots=True)
class _Font:
    """What is known of a font's glyphs.

    Attributes:
        font: pdfminer's font, kept so that no other takes its identity.
        name: its PostScript name.
        names: its glyphs' names by code.
        trusted: the document says which characters its codes are; else a code for a letter may show anything.
    """

    font: PDFFont
    name: str
    names: dict[int, str]
    trusted: bool


class _Fonts(PDFResourceManager):
    """pdfminer's fonts, remembering each one's glyph names."""

    def __init__(self) -> None:
        super().__init__()
        self._known: dict[int, _Font] = {}

    def get_font(self, objid: object, spec: Mapping[str, object]) -> PDFFont:
        font = super().get_font(objid, spec)
        if id(font) not in self._known:
            self._known[id(font)] = _described(font, spec)
        return font

    def known(self, font: PDFFont) -> _Font:
        """Return what is known of a font that this object made."""
        return self._known[id(font)]


def _described(font: PDFFont, spec: Mapping[str, object]) -> _Font:
    names, is_standard = _built_in_names(spec)
    encoding = resolve1(spec.get("Encoding"))
    if isinstance(encoding, dict):
        names = _changed(names if "BaseEncoding" not in encoding else {}, encoding)
    elif encoding is not None:
        names = {}
    # A bitmap font's codes are named after themselves, whatever they show.
    described = literal_name(spec.get("Subtype", "")) != "Type3" and (
        encoding is not None or bool(names) or is_standard
    )
    return _Font(font, _SUBSET.sub("", str(font.fontname)), names, described or "ToUnicode" in spec)


def _built_in_names(spec: Mapping[str, object]) -> tuple[dict[int, str], bool]:
    """Return the glyph names in the font program's own encoding, and whether that is Adobe's standard one."""
    descriptor = resolve1(spec.get("FontDescriptor"))
    if not isinstance(descriptor, dict):
        return {}, True
    program = resolve1(descriptor.get("FontFile"))
    if isinstance(program, PDFStream):
        header = program.get_data().partition(b"eexec")[0]
        names = {int(code): name.decode("ascii") for code, name in _BUILT_IN.findall(header)}
        return names, not names and b"StandardEncoding" in header
    return {}, False


def _changed(names: dict[int, str], encoding: Mapping[str, object]) -> dict[int, str]:
    """Return glyph names with the differences that a document's encoding states."""
    changed = dict(names)
    code = 0
    for entry in resolve1(encoding.get("Differences")) or ():
        entry = resolve1(entry)
        if isinstance(entry, PSLiteral):
            changed[code] = literal_name(entry)
            code += 1
        elif isinstance(entry, int):
            code = entry
    return changed


class _Recorder(PDFTextDevice):
    """Collects a page's atoms and drawings in drawing order."""

    def __init__(self, fonts: _Fonts) -> None:
        super().__init__(fonts)
        self._fonts = fonts
        self._figures = 0
        self.page = PageContent(0, 0.0, 0.0)

    def begin_page(self, page: PDFPage, ctm: Any) -> None:
        x0, y0, x1, y1 = page.mediabox
        self.page = PageContent(self.page.number + 1, float(x1 - x0), float(y1 - y0))

    def end_page(self, page: PDFPage) -> None:
        return

    def begin_figure(self, name: str, bbox: Any, matrix: Any) -> None:
        self._figures += 1
        if self._figures == 1:
            whole = mult_matrix(matrix, self.ctm or MATRIX_IDENTITY)
            corners = [apply_matrix_pt(whole, (x, y)) for x in (bbox[0], bbox[2]) for y in (bbox[1], bbox[3])]
            self._draw(corners, "image")

    def end_figure(self, name: str) -> None:
        self._figures -= 1

    def render_char(
        self,
        matrix: Any,
        font: PDFFont,
        fontsize: float,
        scaling: float,
        rise: float,
        cid: int,
        ncs: Any,
        graphicstate: Any,
    ) -> float:
        width = float(font.char_width(cid))
        advance = width * fontsize * scaling
        if self._figures == 0:
            self._glyph(matrix, font, fontsize, rise, cid, advance)
        return advance

    def _glyph(self, matrix: Any, font: PDFFont, fontsize: float, rise: float, cid: int, advance: float) -> None:
        known = self._fonts.known(font)
        name = known.names.get(cid, "")
        try:
            text: str | None = font.to_unichr(cid)
        except PDFUnicodeNotDefined:
            text = None
        if not name and text and len(text) == 1:
            name = _name_of(text, known.name)
        a, b, c, d, x, y = matrix
        size = abs(fontsize * d) or abs(fontsize * c)
        if abs(b) > 0.01 * abs(a):
            self._draw([(x, y), (x + size, y + size)], "turned text")
            return
        x1 = x + advance * a
        y += rise * d
        tex = tex_of(name, text, known.name)
        if tex is not None and not tex.strip() and not name:
            return
        if name in ("space", "nbspace"):
            return
        up, down = extent(name)
        self.page.atoms.append(
            Atom(
                tex=tex or "",
                x0=x,
                x1=x1,
                top=y + up * size,
                bottom=y - down * size,
                baseline=y,
                size=size,
                kind=_kind(name),
                name=name,
                font=known.name,
                math=is_math_font(known.name) or ((tex or "").startswith("\\") and tex not in _ESCAPED),
                damage=_damage(known, tex, name or f"code {cid}"),
            )
        )

    def paint_path(self, gstate: Any, stroke: bool, fill: bool, evenodd: bool, path: Sequence[Any]) -> None:
        if self._figures or not (stroke or fill):
            return
        shape = "".join(str(step[0]) for step in path)
        for match in re.finditer(r"m[^m]*", shape):
            self._subpath(path[match.start() : match.end()], gstate, stroke)

    def _subpath(self, steps: Sequence[Any], gstate: Any, stroke: bool) -> None:
        ctm = self.ctm or MATRIX_IDENTITY
        points = [apply_matrix_pt(ctm, step[i : i + 2]) for step in steps for i in range(1, len(step), 2)]
        if len(points) < 2:
            return
        xs, ys = [point[0] for point in points], [point[1] for point in points]
        width, height = max(xs) - min(xs), max(ys) - min(ys)
        line = float(gstate.linewidth or 0) * abs(ctm[3] or ctm[0]) if stroke else 0.0
        straight = all(step[0] in "mlh" for step in steps)
        if straight and height + (line if height < 0.01 else 0) <= _RULE_THICKNESS < width:
            self._rule("rule", min(xs), max(xs), min(ys), max(ys))
        elif straight and width + (line if width < 0.01 else 0) <= _RULE_THICKNESS < height:
            self._rule("vrule", min(xs), max(xs), min(ys), max(ys))
        elif width > _RULE_THICKNESS or height > _RULE_THICKNESS:
            self._draw(points, "drawing")

    def _rule(self, kind: str, x0: float, x1: float, bottom: float, top: float) -> None:
        middle = (bottom + top) / 2
        self.page.atoms.append(Atom("", x0, x1, top, bottom, middle, 0.0, kind, kind, "", False, ()))

    def _draw(self, points: Sequence[tuple[float, float]], what: str) -> None:
        xs, ys = [point[0] for point in points], [point[1] for point in points]
        self.page.drawings.append(Drawing(what, min(xs), max(xs), max(ys), min(ys)))


def _damage(known: _Font, tex: str | None, glyph: str) -> tuple[str, ...]:
    if not known.trusted:
        return (f"missing_glyph: {known.name} does not say which characters it shows",)
    return () if tex is not None else (f"missing_glyph: {known.name} {glyph}",)


_UNICODE_NAMES = {
    "√": "radical",
    "∑": "summationtext",
    "∏": "producttext",
    "∫": "integraltext",
    "⋃": "uniontext",
    "⋂": "intersectiontext",
    "′": "prime",
    "→": "arrowright",
    "−": "minus",
    "-": "hyphen",
}


def _name_of(text: str, font: str) -> str:
    """Return the glyph name that stands for a Unicode character where the font gives none; "" for most."""
    if text in _UNICODE_NAMES:
        return _UNICODE_NAMES[text]
    return text if text.isascii() and text.isalpha() else ""


def _kind(name: str) -> str:
    if is_radical(name):
        return "radical"
    if operator(name):
        return "operator"
    if delimiter(name):
        return "delimiter"
    if accent(name):
        return "accent"
    return "glyph"


def _refuse_lost_data(page: PDFPage) -> None:
    """Raise zlib.error for a page whose content does not unpack to its end; pdfminer would go on with its beginning."""
    for content in page.contents:
        stream = resolve1(content)
        if isinstance(stream, PDFStream) and stream.decipher is None and stream.rawdata is not None:
            filters = [each for each, _ in stream.get_filters()]
            if filters and filters[0] in LITERALS_FLATE_DECODE:
                zlib.decompress(stream.rawdata)


def read_pages(path: Path, most_pages: int) -> Iterator[PageContent]:
    """Yield what stands on each page.

    Raises:
        PDFException, PSException, and others: whatever pdfminer meets in a broken file.
    """
    with path.open("rb") as file:
        document = PDFDocument(PDFParser(file))
        fonts = _Fonts()
        recorder = _Recorder(fonts)
        interpreter = PDFPageInterpreter(fonts, recorder)
        for number, page in enumerate(PDFPage.create_pages(document), 1):
            if number > most_pages:
                return
            _refuse_lost_data(page)
            interpreter.process_page(page)
            yield recorder.page
