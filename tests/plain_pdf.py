"""Papers in PDF for tests: lines of plain text in Times, a page a list of lines."""

from __future__ import annotations

from collections.abc import Sequence

Placed = tuple[float, float, str] | tuple[float, float, str, float]
"""Where a text begins, in points from the page's lower left corner, and its size where it is not 11."""
Rule = tuple[float, float, float]
"""A thin line: from where to where it goes, and how high."""


def plain_pdf(*pages: Sequence[str]) -> bytes:
    """Return a PDF that sets each line under the one before it."""
    return placed_pdf(*(column(lines) for lines in pages))


def column(lines: Sequence[str], x: float = 72, top: float = 660, leading: float = 14) -> list[Placed]:
    """Return lines one under the other; empty ones only take room."""
    return [(x, top - leading * place, line) for place, line in enumerate(lines) if line]


def placed_pdf(*pages: Sequence[Placed | Rule]) -> bytes:
    """Return a PDF with texts and lines where they are told to stand, drawn in this order."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b""]
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >>")
    kids = []
    for texts in pages:
        stream = " ".join(map(_drawn, texts)).encode("cp1252")
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        page = f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {len(objects)} 0 R"
        objects.append(f"{page} /Resources << /Font << /F1 3 0 R >> >> >>".encode())
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>".encode()
    content, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(content))
        content += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    head = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    tail = f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{len(content)}\n%%EOF\n"
    return content + (head + tail).encode()


def _drawn(placed: Placed | Rule) -> str:
    x, y, what, *size = placed
    if isinstance(what, str):
        return f"BT /F1 {size[0] if size else 11} Tf {x} {y} Td ({_escaped(what)}) Tj ET"
    return f"{x} {what} {y - x} 0.4 re f"


def _escaped(line: str) -> str:
    return line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
