"""A name that is sure in one note is hidden in the person's other notes; what else a whole person's notes tell."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from sharewell.cli import main
from sharewell.keys import Key
from sharewell.notes import Replace
from sharewell.notes.detectors import Detectors
from sharewell.notes.engine.known_identifiers import Known
from sharewell.notes.engine.rewritten_text import NoteOwner
from sharewell.notes.engine.spans import Span, Text
from sharewell.notes.matcher.sure_names import spread_sure_names
from sharewell.notes.replacers.date_spellings import read_dates

KEY = Key(b"a secret for these tests, long enough")


def rewritten(*texts: str, known: Known | None = None) -> list[str]:
    made = Replace(language="any").rewrite(texts, NoteOwner("p", KEY, known))
    return [str(one.text) for one in made]


def test_a_sure_name_is_hidden_in_every_note_of_the_person() -> None:
    first, second = rewritten(
        "Mrs. Szczepanska is stable on room air.", "szczepanska eating well; SZCZEPANSKA ambulating."
    )
    assert "zczepanska" not in (first + second).lower()
    surname = first.removeprefix("Mrs. ").split()[0].lower()
    assert second.lower().count(surname) == 2


def test_a_sure_name_wins_over_an_unsure_place() -> None:
    first, second = Text.of("Mrs. Ostrowy left."), Text.of("ostrowy eating well, in boston")
    sure, unsure = Span(5, 12, "NAME", 0.9, "title"), Span(0, 7, "PLACE", 0.4, "a model")
    city = Span(24, 30, "PLACE", 0.4, "a model")
    _, found = spread_sure_names([first, second], [[sure], [unsure, city]])
    assert [(span.start, span.kind) for span in found] == [(0, "NAME"), (24, "PLACE")]
    _, found = spread_sure_names([first, second], [[sure], [replace(unsure, certainty=0.9), city]])
    assert [(span.start, span.kind) for span in found] == [(0, "PLACE"), (24, "PLACE")]


def test_a_name_that_is_a_word_is_looked_for_with_a_capital_inside_a_sentence() -> None:
    first, second = rewritten("Mr. Young is stable on room air.", "A young man. We told Young to come back.")
    assert "A young man." in second
    assert "told Young" not in second
    assert "Young" not in first


def test_eponyms_stay() -> None:
    assert "parkinson" in rewritten("Mr. Parkinson is stable today.", "He has parkinson disease, treated.")[1]


def test_what_the_row_says_a_word_is_counts() -> None:
    known = Known.of(names=["Thornton"])
    one, other = rewritten("Mrs. Thornton is stable.", "Thornton denies pain, and lives alone.", known=known)
    assert one.split()[1] == other.split()[0]


@pytest.mark.parametrize("text", ["2018 jan 09", "2018-jan-09", "2018, january 9", "2018/jan/9"])
def test_a_year_before_a_named_month_is_part_of_the_date(text: str) -> None:
    found = read_dates(text)
    assert found is not None
    assert [(piece.year, piece.month, piece.day) for piece in found] == [(2018, 1, 9)]


def test_roles_are_nobody() -> None:
    text = "Patient's husband is well. Child's mother called."
    assert not [span for span in Detectors.usual().find(text) if span.kind == "NAME"]


def test_people_who_are_not_in_the_table_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    notes, people, out = tmp_path / "n.jsonl", tmp_path / "p.csv", tmp_path / "out.jsonl"
    rows = [{"patient_id": str(i), "text": "The patient was seen today and is well."} for i in range(3)]
    notes.write_text("".join(json.dumps(row) + "\n" for row in rows))
    command = ["notes", "protect", str(notes), "--out", str(out), "--subject", "patient_id", "--people", str(people)]
    people.write_text("patient_id,first_name\n0,Rosa\n1,Ann\n")
    assert main(command) == 0
    assert "1 of 3 people are not in the table" in capsys.readouterr().out
    people.write_text("patient_id,first_name\n00,Rosa\n01,Ann\n")
    out.unlink()
    assert main(command) != 0
    assert "none of the 3 people" in capsys.readouterr().err
