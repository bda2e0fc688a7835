"""The text of a document: plain text, RTF (extra: notes), or Word's .docx.

Of a .docx the paragraphs, tables, text boxes and tracked insertions of the body are read; headers, footers, comments
and what was deleted are not. Nothing in a document is run or fetched, and none may be larger than `MOST_BYTES`.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sharewell.errors import DataError
from sharewell.extras import package
from sharewell.io.compression import zip_names
from sharewell.io.encodings import ADVICE_NAME_IT, detect_encoding, first_invalid
from sharewell.io.plain_files import read_plain
from sharewell.io.refused_files import refused_by_bytes, refused_by_members, refused_by_text

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MOST_BYTES = 32_000_000
_BODY = "word/document.xml"
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_SIGNS = {f"{_WORD}tab": "\t", f"{_WORD}br": "\n", f"{_WORD}cr": "\n", f"{_WORD}noBreakHyphen": "-"}


def document_text(path: Path, encoding: str | None = None) -> str:
    """The text of one document, by its content whatever its name.

    encoding: of plain text that is not valid UTF-8 and has no byte order mark.
    """
    raw = read_plain(path, MOST_BYTES)
    if raw.startswith(b"PK\x03\x04"):
        return _word_text(path)
    if raw.startswith(rb"{\rtf"):
        return _rich_text(raw, path.name)
    refused = refused_by_bytes(raw) or refused_by_text(raw[:5000].decode("latin-1"))
    if refused is not None:
        raise refused.error(path.name)
    return _plain_text(raw, path.name, encoding)


def _plain_text(raw: bytes, label: str, encoding: str | None) -> str:
    result = (
        detect_encoding(raw, True, label) if encoding is None or first_invalid(raw, "utf-8", True) is None else None
    )
    name = encoding if result is None else result.name
    assert name is not None
    if result is not None and not result.found_by_reader and encoding is None:
        problem = f"not valid utf-8 — it seems to be {name}: say `encoding: {name}` if so"
        raise DataError(f"{label} — {problem}")
    try:
        return raw.decode(name)
    except UnicodeDecodeError:
        raise DataError(f"{label} — not valid {name} — {ADVICE_NAME_IT}") from None
    except LookupError:
        raise DataError(f"{label} — there is no encoding named '{name}' — try utf-8 or windows-1252") from None


def _rich_text(raw: bytes, label: str) -> str:
    striprtf = package("striprtf.striprtf", label)
    try:
        text: str = striprtf.rtf_to_text(raw.decode("latin-1"))
        return text.encode("utf-16", "surrogatepass").decode("utf-16")  # signs beyond the first 65,536 come in halves
    except (ValueError, TypeError, LookupError, OverflowError):
        raise DataError(
            f"{label} — not a readable RTF document — open it, and save it again as .docx or .txt"
        ) from None


def _word_text(path: Path) -> str:
    from xml.etree import ElementTree

    names = zip_names(path)
    if _BODY not in names:
        refused = refused_by_members(names)
        if refused is not None:
            raise refused.error(path.name)
        raise DataError(f"{path.name} — an archive, not a Word document — unpack it")
    broken = DataError(f"{path.name} — not a readable Word document — open it, and save it again")
    try:
        with zipfile.ZipFile(path) as archive, archive.open(_BODY) as file:
            body = file.read(MOST_BYTES + 1)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError):
        raise broken from None
    if len(body) > MOST_BYTES:
        problem = f"its text unpacks to more than {MOST_BYTES // 1_000_000} MB"
        raise DataError(f"{path.name} — {problem} — no note does so: leave it out")
    if b"<!DOCTYPE" in body or b"<!ENTITY" in body:
        raise DataError(f"{path.name} — defines entities, which no Word document needs — leave it out")
    try:
        return "".join(_pieces(ElementTree.fromstring(body))).strip("\n")
    except ElementTree.ParseError:
        raise broken from None


def _pieces(node: Element) -> Iterator[str]:
    """Text in reading order; a paragraph ends a line. Of two renderings of one drawing only the first is read."""
    for part in node:
        if part.tag == _FALLBACK:
            continue
        if part.tag == f"{_WORD}t":
            yield part.text or ""
        elif part.tag in _SIGNS:
            yield _SIGNS[part.tag]
        else:
            yield from _pieces(part)
            if part.tag == f"{_WORD}p":
                yield "\n"
