"""What was recognised about a file is adopted and said."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from sharewell.io.sources import Source
from sharewell.policy import check
from sharewell.proposal import Proposal
from sharewell.proposal.source_choice import detected, with_subjects


def test_encoding_and_separator_are_written_down(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("név;kor\nÁdám;30\n".replace("é", "e").encode("windows-1252"))
    source, decided = detected(tmp_path / "a.csv")
    assert (source.encoding, source.separator, len(decided)) == ("windows-1252", ";", 2)
    assert source.read().num_rows == 1


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_what_a_byte_order_mark_says_is_written_down_too(tmp_path: Path, encoding: str) -> None:
    rows = "".join(f"{i},{'mf'[i % 2]},{20 + i},Übelkeit\n" for i in range(40))
    (tmp_path / "a.csv").write_bytes(("patient_id,sex,age,illness\n" + rows).encode(encoding))
    draft = Proposal.of([tmp_path / "a.csv"])
    assert re.search(rf"encoding: {encoding}\b(?!:)", draft.text)
    (tmp_path / "policy.yaml").write_text(draft.text)
    assert check(tmp_path / "policy.yaml").datasets["a"].read.names() == ["patient_id", "sex", "age", "illness"]


def test_plain_utf_8_is_not_worth_a_word(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("patient_id,sex\n1,ü\n", encoding="utf-8")
    assert "encoding" not in Proposal.of([tmp_path / "a.csv"]).text


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
    assert "whose.csv says who each note is about" in decided


def test_the_columns_of_that_table_may_have_any_names(tmp_path: Path) -> None:
    """A hospital's own list of letters is no dataset of its own, and its column of persons is not published."""
    (tmp_path / "notes").mkdir()
    for number in range(30):
        (tmp_path / "notes" / f"n{number}.txt").write_text("He was seen for a cough today.")
    rows = "".join(f"P{number // 2:03d},n{number}.txt\n" for number in range(30))
    (tmp_path / "letters.csv").write_text("patient_id,letter\n" + rows)
    draft = Proposal.of([tmp_path / "notes", tmp_path / "letters.csv"], base=tmp_path)
    assert [(one.name, one.survey.persons) for one in draft.datasets] == [("notes", 15)]
    assert "subjects: {csv: letters.csv, columns: {note: letter, subject: patient_id}}" in draft.text
    (tmp_path / "others.csv").write_text("patient_id,letter\nP001,x1\nP002,x2\n")
    chosen = with_subjects([detected(tmp_path / "notes"), detected(tmp_path / "others.csv")])
    assert [source.subjects for source, _ in chosen] == [None, None]
