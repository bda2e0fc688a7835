# ruff: noqa: E501
"""Documents are read as the text that a person reads; nothing in them is run, fetched or unpacked without bound."""

from __future__ import annotations

from pathlib import Path

import pytest
from workbook_files import archive

from sharewell.errors import DataError, MissingExtra
from sharewell.io.document_text import MOST_BYTES, document_text

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
FALLBACK = "http://schemas.openxmlformats.org/markup-compatibility/2006"


def docx(body: str, head: str = "") -> bytes:
    """A Word document with this body."""
    text = f'{head}<w:document xmlns:w="{WORD}" xmlns:mc="{FALLBACK}"><w:body>{body}</w:body></w:document>'
    return archive({"word/document.xml": f'<?xml version="1.0" encoding="UTF-8"?>{text}'})


def written(directory: Path, name: str, content: bytes) -> Path:
    path = directory / name
    path.write_bytes(content)
    return path


def run(text: str) -> str:
    return f'<w:r><w:t xml:space="preserve">{text}</w:t></w:r>'


def test_paragraphs_tabs_and_breaks_of_a_word_document(tmp_path: Path) -> None:
    body = f"<w:p>{run('Seen ')}{run('today.')}</w:p><w:p>{run('BP')}<w:r><w:tab/><w:t>120</w:t><w:br/></w:r></w:p>"
    assert document_text(written(tmp_path, "a.docx", docx(body))) == "Seen today.\nBP\t120"


def test_cells_of_a_table_are_lines_and_deleted_text_is_gone(tmp_path: Path) -> None:
    cell = f"<w:tc><w:p>{run('left')}</w:p></w:tc><w:tc><w:p>{run('right')}</w:p></w:tc>"
    removed = "<w:p><w:del><w:r><w:delText>GONE</w:delText></w:r></w:del></w:p>"
    twice = f"<w:p><mc:AlternateContent><mc:Choice>{run('box')}</mc:Choice><mc:Fallback>{run('box')}</mc:Fallback></mc:AlternateContent></w:p>"  # fmt: skip
    text = document_text(written(tmp_path, "a.docx", docx(f"<w:tbl><w:tr>{cell}</w:tr></w:tbl>{removed}{twice}")))
    assert text.split() == ["left", "right", "box"]


def test_rich_text_with_a_code_page_and_signs_beyond_it(tmp_path: Path) -> None:
    rtf = (
        rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}\f0 Dr. M\'fcller\par \u8364?5 \u-10179?\u-8704?{\*\x hidden}}"
    )
    assert document_text(written(tmp_path, "a.rtf", rtf)) == "Dr. Müller\n€5 😀"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.docx", docx("&x;", '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]>'),
         "a.docx — defines entities, which no Word document needs — leave it out"),
        ("a.docx", docx("<w:p>"), "a.docx — not a readable Word document — open it, and save it again"),
        ("a.docx", docx(run("x" * (MOST_BYTES + 1))),
         "a.docx — its text unpacks to more than 32 MB — no note does so: leave it out"),
        ("a.docx", archive({"b.txt": "SECRET"}), "a.docx — an archive, not a Word document — unpack it"),
        ("a.txt", b"%PDF-1.7 SECRET", "a.txt — is a PDF document, which is not read — export the table as CSV, Parquet or Excel; save notes as .txt or .docx"),
        ("a.txt", "SECRET Müller".encode("latin-1"),
         "a.txt — not valid utf-8 — it seems to be windows-1252: say `encoding: windows-1252` if so"),
        ("a.rtf", rb"{\rtf1\ansi\ansicpg1252 \'81\'8d SECRET}",
         "a.rtf — not a readable RTF document — open it, and save it again as .docx or .txt"),
    ],
    ids=["entities", "not-xml", "too-much-text", "another-archive", "pdf", "windows-1252", "broken-rtf"],
)  # fmt: skip
def test_what_cannot_be_read_is_refused(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    with pytest.raises(DataError) as caught:
        document_text(written(tmp_path, name, content))
    if isinstance(caught.value, MissingExtra):
        raise caught.value
    assert str(caught.value) == message


def test_plain_notes_are_read_in_the_encoding_that_is_said(tmp_path: Path) -> None:
    """It is for notes that are not valid UTF-8; the others of a folder stay as they are."""
    for raw in ("Müller".encode("cp1252"), "Müller".encode()):
        assert document_text(written(tmp_path, "a.txt", raw), "windows-1252") == "Müller"
