"""Small text tables (hierarchies, lists) as rows of text, whatever program wrote them.

The encoding is read from the byte order mark, or tried as UTF-8, UTF-16 without a mark and Windows-1252, in this order.
The separator is the one of `;`, tab, `|` and `,` that splits the most lines (the earlier one if two split as many).
Errors name the file and the line, never what stands there.
"""

from __future__ import annotations

import codecs
import csv
import io
from pathlib import Path

from sharewell.errors import DataError
from sharewell.io.quoting import Misquoted, check_quotes

SEPARATORS = (";", "\t", "|", ",")
_LINES_TO_SNIFF = 200
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def read_text_rows(path: Path, separator: str | None = None) -> list[list[str]]:
    """The rows of a small text table. A blank line is an empty row, so that row n stands on line n + 1."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise DataError(f"{path} — cannot be read — {error.strerror or 'unknown reason'} — check the path") from None
    text = decode(raw)
    if "\0" in text:
        raise DataError(f"{path} — not a text table — {len(raw)} bytes with zero bytes among them — export it as CSV")
    separator = separator or sniff(text)
    try:
        check_quotes(lambda: [text.encode()], separator)
    except Misquoted as error:
        advice = "quote the whole field, and double the quotes inside it"
        raise DataError(f"{path} — {error} — {advice}") from None
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows: list[list[str]] = []
    try:
        rows.extend(reader)
    except csv.Error:  # its message may quote a cell
        raise DataError(f"{path} — not a text table — stopped at line {reader.line_num} — check its quotes") from None
    return rows


def decode(raw: bytes) -> str:
    """Bytes as text; this never fails, since every byte means something in the last encoding tried.

    >>> decode(b"\\xef\\xbb\\xbfa"), decode("é".encode("utf-16")), decode("é;b".encode("utf-16-le"))
    ('a', 'é', 'é;b')
    """
    encodings = [name for mark, name in _MARKS if raw.startswith(mark)]
    if not encodings and b"\0" in raw and len(raw) % 2 == 0:
        # Separators and digits have a zero half in UTF-16; it is the second one in little-endian text.
        encodings.append("utf-16-le" if raw[1::2].count(0) >= raw[::2].count(0) else "utf-16-be")
    for encoding in (*encodings, "utf-8", "cp1252"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return raw.decode("latin-1")


def sniff(text: str) -> str:
    """The separator of a table.

    >>> sniff("29;[20,30[;*\\n43;>=40;*"), sniff("a,b\\nc,d"), sniff("one\\ntwo")
    (';', ',', ';')
    """
    lines = [line for line in text.splitlines()[:_LINES_TO_SNIFF] if line.strip()]

    def split(separator: str) -> int:
        try:
            return sum(len(row) > 1 for row in csv.reader(lines, delimiter=separator))
        except csv.Error:
            return 0

    return max(SEPARATORS, key=split)
