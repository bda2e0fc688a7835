# ruff: noqa: E501
"""A folder of notes is a table: the file's name, whose note it is, and its text."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_document_text import docx, run

from sharewell.errors import DataError
from sharewell.io.recognition import NOTES_FOLDER, recognise, recognise_notes
from sharewell.io.sources import Source


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "notes"
    made.mkdir()
    (made / "n2.docx").write_bytes(docx(f"<w:p>{run('Second.')}</w:p>"))
    (made / "n1.txt").write_text("First.")
    (made / "n3.rtf").write_bytes(rb"{\rtf1 Third.}")
    (made / ".hidden").write_text("SECRET")
    return made


def mapping(directory: Path, *lines: str) -> Source:
    path = directory / "whose.csv"
    path.write_text("\n".join(["note,subject", *lines]) + "\n")
    return Source.of(path)


def test_a_folder_is_read_in_the_order_of_its_names(folder: Path) -> None:
    assert recognise(folder).format == NOTES_FOLDER
    assert recognise(folder).decided == ("notes is a folder of 3 notes, one a file",)
    source = Source.of(folder)
    assert source.names() == ["note", "text"]
    assert source.read().to_pydict() == {
        "note": ["n1.txt", "n2.docx", "n3.rtf"],
        "text": ["First.", "Second.", "Third."],
    }
    assert [piece.num_rows for piece in source.batches(["text"], 2)] == [2, 1]


def test_a_mapping_says_whose_each_note_is_with_or_without_endings(folder: Path) -> None:
    subjects = mapping(folder.parent, "n1,p1", "n2.docx,p2", "n3,p1")
    source = Source(folder, NOTES_FOLDER, subjects=subjects)
    assert source.names() == ["note", "subject", "text"]
    assert source.read(["subject", "note"]).to_pydict()["subject"] == ["p1", "p2", "p1"]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["n1,p1", "n2,p2"], "notes — 1 of 3 notes have no subject in the mapping table — list every file with its subject"),
        (["n1,p1", "n2,p2", "n3,"], "notes — 1 of 3 notes have no subject in the mapping table — list every file with its subject"),
        (["n1,p1", "n2,p2", "n3,p3", "n4,p4"], "notes — the mapping table lists 1 note(s) that are not in the folder — add the files, or take the lines out"),
        (["n1,p1", "n1,p2"], "whose.csv — 1 note(s) are listed twice — list every note once"),
    ],
)  # fmt: skip
def test_a_mapping_that_does_not_fit_is_told(folder: Path, lines: list[str], message: str) -> None:
    with pytest.raises(DataError) as caught:
        Source(folder, NOTES_FOLDER, subjects=mapping(folder.parent, *lines)).read()
    assert str(caught.value) == message


def test_what_is_no_note_is_not_passed_over(folder: Path) -> None:
    (folder / "scan.pdf").write_text("SECRET")
    with pytest.raises(DataError) as caught:
        recognise(folder)
    told = "a folder of 3 note(s) and 1 other file(s) or folder(s) — move what is no .txt, .rtf or .docx note out of it"
    assert str(caught.value) == f"notes — {told}"


def test_a_folder_without_notes_is_a_directory(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"a directory, not a file — name the file in it$"):
        recognise(tmp_path)


def test_the_hash_of_a_folder_changes_with_any_file_or_name(folder: Path) -> None:
    before = Source.of(folder).sha256
    assert before == Source.of(folder).sha256
    (folder / "n1.txt").rename(folder / "n0.txt")
    renamed = Source.of(folder).sha256
    (folder / "n0.txt").write_text("Other.")
    assert len({before, renamed, Source.of(folder).sha256}) == 3


def test_the_hash_of_a_folder_changes_with_whose_notes_they_are(folder: Path) -> None:
    def hashed(*lines: str) -> str:
        return Source(folder, NOTES_FOLDER, subjects=mapping(folder.parent, *lines)).sha256

    assert len({hashed("n1,p1", "n2,p2"), hashed("n1,p2", "n2,p1"), Source.of(folder).sha256}) == 3


def test_one_note_of_another_encoding_is_said_and_read(folder: Path) -> None:
    (folder / "n4.txt").write_bytes("Müller".encode("cp1252"))
    found = recognise(folder)
    assert found.encoding == "windows-1252"
    assert found.decided[1] == "notes: notes that are not valid UTF-8 are read as windows-1252"
    source, _ = Source.detected(folder)
    assert source.read(["text"]).to_pydict()["text"][-1] == "Müller"


def test_a_file_may_be_one_note(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("Dear colleague,\nthank you for seeing her today. She is well.\n")
    for path in (folder / "n1.txt", folder / "n2.docx", folder / "n3.rtf", tmp_path / "letter"):
        assert recognise_notes(path).format == NOTES_FOLDER
        assert Source(path, NOTES_FOLDER).read().num_rows == 1
