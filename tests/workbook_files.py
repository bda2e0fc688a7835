"""Small workbooks, byte by byte: .xlsx and .ods as archives of XML, .xls as a compound file with one stream."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape

Cell = str | float | bool | None
Rows = Sequence[Sequence[Cell]]
DATE_STYLE = 1
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_MANIFEST = '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'


class Day(float):
    """A date, as the number of days by which a workbook counts it."""


def xlsx(sheets: Mapping[str, Rows], merged: Sequence[str] = (), hidden: Sequence[str] = ()) -> bytes:
    """A workbook of these sheets; `merged` are ranges of the first, such as A1:B1."""
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType='
        '"application/xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" Type="{_OFFICE}'
        '/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/styles.xml": f'<styleSheet xmlns="{_MAIN}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/>'
        "</cellXfs></styleSheet>",
    }
    listed, links = "", ""
    for number, (name, rows) in enumerate(sheets.items(), 1):
        state = ' state="hidden"' if name in hidden else ""
        listed += f'<sheet name="{escape(name)}" sheetId="{number}"{state} r:id="r{number}"/>'
        links += f'<Relationship Id="r{number}" Type="{_OFFICE}/worksheet" Target="worksheets/sheet{number}.xml"/>'
        spans = "".join(f'<mergeCell ref="{one}"/>' for one in merged) if number == 1 else ""
        spans = f"<mergeCells>{spans}</mergeCells>" if spans else ""
        parts[f"xl/worksheets/sheet{number}.xml"] = (
            f'<worksheet xmlns="{_MAIN}"><sheetData>{_xlsx_rows(rows)}</sheetData>{spans}</worksheet>'
        )
    parts["xl/workbook.xml"] = f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>{listed}</sheets></workbook>'
    parts["xl/_rels/workbook.xml.rels"] = (
        f'<Relationships xmlns="{_PACKAGE}/relationships">{links}<Relationship Id="s" Type="{_OFFICE}/styles" '
        'Target="styles.xml"/></Relationships>'
    )
    return archive({name: '<?xml version="1.0" encoding="UTF-8"?>' + text for name, text in parts.items()})


def _xlsx_rows(rows: Rows) -> str:
    text = ""
    for r, row in enumerate(rows, 1):
        cells = "".join(_xlsx_cell(f"{chr(65 + c)}{r}", cell) for c, cell in enumerate(row) if cell is not None)
        text += f'<row r="{r}">{cells}</row>'
    return text


def _xlsx_cell(place: str, cell: Cell) -> str:
    if isinstance(cell, bool):
        return f'<c r="{place}" t="b"><v>{int(cell)}</v></c>'
    if isinstance(cell, str) and cell.startswith("#"):
        return f'<c r="{place}" t="e"><v>{cell}</v></c>'
    if isinstance(cell, str):
        return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{escape(cell)}</t></is></c>'
    style = f' s="{DATE_STYLE}"' if isinstance(cell, Day) else ""
    return f'<c r="{place}"{style}><v>{cell!r}</v></c>'


def ods(sheets: Mapping[str, Rows]) -> bytes:
    """A workbook of OpenDocument."""
    tables = ""
    for name, rows in sheets.items():
        body = ""
        for row in rows:
            body += "<table:table-row>" + "".join(map(_ods_cell, row)) + "</table:table-row>"
        tables += f'<table:table table:name="{escape(name)}">{body}</table:table>'
    space = "urn:oasis:names:tc:opendocument:xmlns"
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content xmlns:office="{space}:office:1.0" '
        f'xmlns:table="{space}:table:1.0" xmlns:text="{space}:text:1.0"><office:body><office:spreadsheet>{tables}'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    return archive(
        {
            "mimetype": "application/vnd.oasis.opendocument.spreadsheet",
            "content.xml": content,
            "META-INF/manifest.xml": _MANIFEST,
        }
    )


def _ods_cell(cell: Cell) -> str:
    if cell is None:
        return "<table:table-cell/>"
    if isinstance(cell, str):
        return f'<table:table-cell office:value-type="string"><text:p>{escape(cell)}</text:p></table:table-cell>'
    return f'<table:table-cell office:value-type="float" office:value="{cell!r}"/>'


def archive(parts: Mapping[str, str | bytes]) -> bytes:
    """A zip archive of these members."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in parts.items():
            file.writestr(name, content)
    return held.getvalue()


def xls(name: str, rows: Rows, merged: Sequence[tuple[int, int, int, int]] = ()) -> bytes:
    """A workbook of Excel 97 with one sheet; `merged` are first and last row, first and last column."""
    sheet = _record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0010, 0, 0, 0, 0))
    sheet += _record(0x0200, struct.pack("<IIHHH", 0, len(rows), 0, max(map(len, rows)), 0))
    for r, row in enumerate(rows):
        for c, cell in enumerate(row):
            if isinstance(cell, str):
                text = cell.encode("utf-16-le")
                sheet += _record(0x0204, struct.pack("<HHHHB", r, c, 0, len(cell), 1) + text)
            elif cell is not None:
                sheet += _record(0x0203, struct.pack("<HHHd", r, c, 0, float(cell)))
    if merged:
        ranges = b"".join(struct.pack("<HHHH", *one) for one in merged)
        sheet += _record(0x00E5, struct.pack("<H", len(merged)) + ranges)
    sheet += _record(0x000A, b"")
    label = name.encode("latin-1")
    begin = _record(0x0809, struct.pack("<HHHHII", 0x0600, 0x0005, 0, 0, 0, 0)) + _record(
        0x0042, struct.pack("<H", 1200)
    )
    bound = 4 + 8 + len(label)
    place = len(begin) + bound + 4
    begin += _record(0x0085, struct.pack("<IBBBB", place, 0, 0, len(label), 0) + label) + _record(0x000A, b"")
    return compound("Workbook", begin + sheet)


def _record(kind: int, content: bytes) -> bytes:
    return struct.pack("<HH", kind, len(content)) + content


def compound(stream: str, content: bytes) -> bytes:
    """A compound file with one stream, long enough to lie in whole sectors."""
    content = content.ljust(max(4096, -(-len(content) // 512) * 512), b"\0")
    sectors = len(content) // 512
    assert sectors + 2 <= 128, "one sector of the allocation table is enough for tests"
    free, end, table = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
    fat = [table, end, *range(3, sectors + 2), end]
    fat += [free] * (128 - len(fat))
    header = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    header += struct.pack("<IIIIIIIII", 0, 1, 1, 0, 4096, end, 0, end, 0) + struct.pack("<109I", 0, *[free] * 108)
    root = _entry("Root Entry", 5, child=1, start=end, size=0)
    only = _entry(stream, 2, child=free, start=2, size=len(content))
    return header + struct.pack("<128I", *fat) + (root + only).ljust(512, b"\0") + content


def _entry(name: str, kind: int, child: int, start: int, size: int) -> bytes:
    text = name.encode("utf-16-le")
    none = 0xFFFFFFFF
    entry = text.ljust(64, b"\0") + struct.pack("<HBB", len(text) + 2, kind, 1) + struct.pack("<III", none, none, child)
    return entry + bytes(36) + struct.pack("<IQ", start, size)
