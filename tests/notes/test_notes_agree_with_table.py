"""Notes of a person beside the published row of the same person in another dataset."""

from __future__ import annotations

import pyarrow as pa
import pytest

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.notes import Notes
from sharewell.notes.criteria.notes_agree_with_table import NotesAgreeWithTable
from sharewell.protocols import PublishedDataset
from sharewell.tables import Table

RULE = NotesAgreeWithTable("notes", "people", ages=("age",), sexes=("sex",))


def both(texts: list[str], persons: list[str], *, falsified: bool = False) -> list[PublishedDataset]:
    frame = pa.table({"who": ["a", "b"], "age": ["[60-69]", "41"], "sex": ["*", "F"]})
    people = Table.of(frame, quasi=["age", "sex"], subject="who", published=True)
    return [
        PublishedDataset("people", people, Source(), "tables", falsified=falsified),
        PublishedDataset("notes", Notes.of(texts, persons=persons), Source(), "notes"),
    ]


@pytest.mark.parametrize(
    ("text", "person", "wrong"),
    [
        ("A [60-69]-year-old person.", "a", 0),
        ("A 63-year-old person.", "a", 1),
        ("A woman with a cough.", "a", 1),
        ("A 41-year-old woman.", "B ", 0),
        ("A 41-year-old person.", "somebody without a row", 1),
    ],
)
def test_a_note_may_say_what_the_row_of_its_person_says(text: str, person: str, wrong: int) -> None:
    found = RULE.check(both([text], [person]))
    assert (found.value, found.ok) == (wrong, wrong == 0)


def test_falsified_cells_make_nothing_true() -> None:
    assert RULE.check(both(["A 41-year-old person."], ["b"], falsified=True)).ok is False


def test_what_is_nobodys_cannot_be_compared() -> None:
    people, _ = both([""], ["a"])
    with pytest.raises(DataError, match="cannot be compared"):
        RULE.check([people, PublishedDataset("notes", Notes.of(["Seen."]), Source(), "notes")])
