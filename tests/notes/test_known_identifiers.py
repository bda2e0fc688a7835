"""A person's own identifiers in their notes."""

from datetime import date, datetime
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.errors import DataError
from sharewell.notes.detectors import Detectors
from sharewell.notes.detectors.known_identifiers import KnownIdentifiers
from sharewell.notes.engine import people_tables
from sharewell.notes.engine.known_identifiers import Known
from sharewell.notes.engine.people_tables import People

ROSA = Known.of(
    names=["Rosa María Delgado-Ruiz"],
    dates=["1961-03-05", date(2020, 11, 30)],
    ids=["MRN-00412", "7781234"],
    phones=["(503) 555-0142"],
    places=["Oak Grove"],
    emails=["rosa@example.org"],
)
CASES = [
    ("Rosa was seen", ["Rosa"]),
    ("ROSA DELGADO", ["ROSA", "DELGADO"]),
    ("delgado-ruiz, maria", ["delgado", "ruiz", "maria"]),
    ("R. Delgado and R. M. Ruiz", ["R. Delgado", "R. M. Ruiz"]),
    ("Delgado R came", ["Delgado R"]),
    ("signed R.M.D.R.", ["R.M.D.R."]),
    ("born 03/05/1961", ["03/05/1961"]),
    ("born 3/5/61 or 5.3.1961", ["3/5/61", "5.3.1961"]),
    ("March 5, 1961; 5 Mar 1961; 5th of March", ["March 5, 1961", "5 Mar 1961", "5th of March"]),
    ("1961-03-05T10:00, 19610305, 05MAR1961", ["19610305", "05MAR1961"]),
    ("nov 30th", ["nov 30th"]),
    ("mrn 00412; MRN00412", ["mrn 00412", "MRN00412"]),
    ("778-1234 and 7781234", ["778-1234", "7781234"]),
    ("call 503 555 0142", ["503 555 0142"]),
    ("lives in OAK  GROVE", ["OAK  GROVE"]),
    ("Rosa@Example.org", ["Rosa", "Rosa@Example.org"]),
    ("rosacea, Rosario, 77812345, 3/5 strength, 1961", []),
    ("", []),
]


@pytest.mark.parametrize(("text", "wanted"), CASES)
def test_known_identifiers(text, wanted):
    assert [text[a:b] for a, b, _ in ROSA.search(text)] == wanted


def test_slips_only_on_request():
    assert ROSA.search("Delagdo, Delgad, Delgaddo") == []
    assert [("Delagdo, Delgad, Delgaddo"[a:b]) for a, b, _ in ROSA.near("Delagdo, Delgad, Delgaddo")] == [
        "Delagdo",
        "Delgad",
        "Delgaddo",
    ]
    assert ROSA.near("Rosh rose") == []  # too short


def test_known_beats_safe_phrases_and_words():
    known = Known.of(names=["May Parkinson"])
    text = "may have Parkinson disease"
    spans = Detectors.of("clinical-terms", "known-identifiers", "names", "safe-phrases").find(text, known)
    assert [text[s.start : s.end] for s in spans] == ["may", "Parkinson"]


def test_nothing_known_nothing_found():
    assert KnownIdentifiers().find("Rosa", None) == []
    assert KnownIdentifiers().find("Rosa", Known()) == []
    assert not Known.of(names=["", " "])


def test_dates_of_any_sort_and_bad_ones():
    assert Known.of(dates=[datetime(1961, 3, 5, 10), date(1961, 3, 5), "03/05/1961"]).values == (
        ("DATE", "1961-03-05"),
    )
    with pytest.raises(DataError) as told:
        Known.of(dates=["the fifth"])
    assert "fifth" not in str(told.value)


@given(st.dates(min_value=date(1900, 1, 1), max_value=date(2099, 12, 31)))
def test_every_spelling_of_a_date_is_found(day):
    known = Known.of(dates=[day])
    for form in ("%m/%d/%Y", "%Y-%m-%d", "%B %d, %Y", "%d %b %Y", "%d.%m.%Y", "%m-%d-%y", "%b %d", "%Y%m%d"):
        said = day.strftime(form)
        text = f"seen {said} again"
        assert (5, 5 + len(said), "DATE") in known.search(text), form


@given(st.text(max_size=60), st.sampled_from(["Delgado", "ROSA", "maria", "Ruiz"]))
def test_a_whole_word_is_always_found(around, name):
    text = f"{around} {name} {around}"
    place = len(around) + 1
    assert any(a <= place and b >= place + len(name) for a, b, _ in ROSA.search(text))


def test_a_date_that_cannot_be_read_is_told_with_its_file_and_column() -> None:
    rows = pa.table({"id": ["p1"], "born": ["spring of 61"]})
    with pytest.raises(DataError, match=r"the frame, column\(s\) born — a date among") as told:
        People.of(rows, "id", dates=["born"]).known("p1")
    assert "spring" not in str(told.value)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("MsDelgado came", ["Delgado"]),
        ("DelgadoCT and CTDelgado", ["Delgado", "Delgado"]),
        ("patientDelgádo2", ["Delgádo"]),
        ("MsRosa, McRuiz, predelgado", []),  # short, or no place where small letters and capitals meet
        ("R. Delgado, McNab", ["R. Delgado"]),
    ],
)
def test_long_parts_are_found_where_small_letters_and_capitals_meet(text: str, wanted: list[str]) -> None:
    assert [text[a:b] for a, b, _ in ROSA.search(text)] == wanted


def test_a_repr_holds_no_value() -> None:
    assert repr(ROSA) == "Known()"


def test_identifiers_of_the_last_persons_are_kept_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people_tables, "_KEPT", 2)
    table = tmp_path / "people.csv"
    table.write_text("id,name\na,Ada Kell\nb,Bo Lind\nc,Cy Moor\n")
    people = People.of(table, "id", names=["name"])
    assert people.known("a") is people.known("a")
    assert people.known("nobody") is None
    for person in "abcabc":
        assert people.known(person) == People.of(table, "id", names=["name"]).known(person)
        assert len(people._kept) <= 2
