"""What was recognised about a file is adopted and said."""

from __future__ import annotations

from pathlib import Path

from sharewell.io.sources import Source
from sharewell.proposal.source_choice import detected, with_subjects


def test_encoding_and_separator_are_written_down(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("név;kor\nÁdám;30\n".replace("é", "e").encode("windows-1252"))
    source, decided = detected(tmp_path / "a.csv")
    assert (source.encoding, source.separator, len(decided)) == ("windows-1252", ";", 2)
    assert source.read().num_rows == 1


def test_what_the_steward_says_stands(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a|b\n1|x,y\n")
    source, _ = detected(tmp_path / "a.csv", Source(separator="|", missing=("1",)))
    assert (source.separator, source.missing, source.names()) == ("|", ("1",), ["a", "b"])


def test_a_folder_of_notes_takes_the_table_that_says_whose_they_are(tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "n1.txt").write_text("He was seen for a cough today.")
    (tmp_path / "whose.csv").write_text("note,subject\nn1,a\n")
    [(source, decided)] = with_subjects([detected(tmp_path / "notes"), detected(tmp_path / "whose.csv")])
    assert source.subjects is not None
    assert source.names() == ["note", "subject", "text"]
    assert "whose.csv says whose each note is" in decided
