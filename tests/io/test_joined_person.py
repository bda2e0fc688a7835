"""A person by several columns: spellings that agree, rows that lack a part, and reading by pieces."""

from __future__ import annotations

import datetime
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.errors import DataError
from sharewell.io.cleaning import Cleaning, cleaning_digest
from sharewell.io.joined_person import CodedParts, JoinedPerson, reduced, rows_of, sorted_words
from sharewell.io.sources import Source

PARTS = ("last", "first", "born")
NAMES = st.sampled_from(
    ["Müller", "O'Brien", "Weiß", "Østergård", "Łukasz", "de la Cruz", "Renée", "Anna-Maria", "Iñés"]
)
DAYS = st.dates(datetime.date(1930, 1, 1), datetime.date(2020, 12, 31))
SPELLINGS = (
    str.upper,
    str.title,
    lambda text: f" {text}  ",
    lambda text: text.replace("ü", "ue").replace("ß", "ss"),
    lambda text: text.replace("ü", "u").replace("é", "e").replace("ñ", "n").replace("ø", "o").replace("å", "a"),
    lambda text: text.replace("'", "").replace("-", " "),
    lambda text: text.replace("'", "\u2019").replace(" ", "\u00a0"),
    lambda text: "".join(f"{one}\u200b" for one in text),
)


def _named(rows: list[tuple[str | None, ...]]) -> list[str | None]:
    table = pa.table({name: pa.array([row[i] for row in rows], pa.string()) for i, name in enumerate(PARTS)})
    column, account = JoinedPerson(parts=PARTS).apply(rows_of(table, PARTS))
    [step] = account.steps
    persons: list[str | None] = column.to_pylist()
    assert (step.changed, step.changed + step.unread) == (len(persons) - persons.count(None), account.cells)
    return persons


@given(NAMES, NAMES, DAYS, st.lists(st.tuples(st.sampled_from(SPELLINGS), st.booleans()), min_size=1, max_size=6))
def test_every_usual_spelling_of_a_person_is_one_person(last, first, born, ways) -> None:
    rows = [(last, first, str(born))]
    for spelt, swapped in ways:
        a, b = spelt(last), spelt(first)
        rows.append((b, a, str(born)) if swapped else (a, b, str(born)))
    assert len(set(_named(rows))) == 1


@given(st.lists(st.tuples(*[st.text(st.characters(codec="utf-8"), max_size=6) | st.none()] * 3), max_size=12))
def test_rows_are_one_person_just_where_their_reduced_parts_agree(rows) -> None:
    plain = [sorted(reduced(part or "") for part in row) for row in rows]
    persons = _named(rows)
    for one, parts in zip(persons, plain, strict=True):
        assert (one is None) == ("" in parts)
    for i, one in enumerate(persons):
        for j, other in enumerate(persons):
            if one is not None and other is not None:
                assert (one == other) == (plain[i] == plain[j])


def test_a_row_that_lacks_a_part_names_nobody() -> None:
    rows = [
        ("Berg", "Eva", "1950-01-02"),
        ("Berg", None, "1950-01-02"),
        ("Berg", " - ", "1950-01-02"),
        (None, None, None),
    ]
    assert [one is None for one in _named(rows)] == [False, True, True, True]
    table = pa.table({name: pa.array([row[i] for row in rows], pa.string()) for i, name in enumerate(PARTS)})
    _, account = JoinedPerson(parts=PARTS).apply(rows_of(table, PARTS))
    assert (account.cells, account.unread) == (3, 2)
    assert JoinedPerson(parts=PARTS).problem(account) is None


@pytest.mark.parametrize("other", ["Mueller", "MULLER", "müller ", "Mu\u0308ller", "M\u00fcller\u200b"])
def test_spellings_of_one_name(other: str) -> None:
    assert reduced(other) == reduced("Müller")


def test_different_people_stay_apart() -> None:
    rows = [
        ("Berg", "Eva", "1950-01-02"),
        ("Berg", "Eva", "1950-01-03"),
        ("Berg", "Ewa", "1950-01-02"),
        ("Bergs", "Eva", "1950-01-02"),
    ]
    assert len(set(_named(rows))) == 4


def test_words_in_another_order_agree_once_sorted() -> None:
    assert sorted_words("Müller, Anna Maria") == sorted_words("Anna Maria MUELLER") != sorted_words("Anna Müller")


def test_typed_dates_and_texts_of_dates_are_one() -> None:
    day, noon = datetime.date(1950, 3, 4), datetime.datetime(1950, 3, 4, 12)
    for born in (
        pa.array([day]),
        pa.array([noon]),
        pa.array(["1950-03-04"]),
        pa.array(["1950-03-04"]).dictionary_encode(),
    ):
        table = pa.table({"last": ["Berg"], "first": ["Eva"], "born": born})
        assert JoinedPerson(parts=PARTS).apply(rows_of(table, PARTS))[0].to_pylist() == ["19500304|berg|eva"]


@pytest.fixture
def visits(tmp_path: Path) -> Source:
    rows = "Müller,Anna,04.03.1950,1\nMueller,ANNA,1950-03-04,2\nAnna,Muller,04.03.1950,3\nX,,1950-03-04,4\n"
    (tmp_path / "v.csv").write_text(f"Name,first,born,x\n{rows}")
    clean = {"born": Cleaning(date=("%d.%m.%Y", "%Y-%m-%d")), "person": JoinedPerson(parts=PARTS)}
    return Source(tmp_path / "v.csv", columns={"last": "Name"}, clean=clean)


def test_a_source_has_the_joined_column_behind_its_own(visits: Source) -> None:
    assert visits.names() == ["last", "first", "born", "x", "person"] == visits.read().column_names
    anna = "19500304|anna|muller"
    assert visits.read()["person"].to_pylist() == [anna, anna, anna, None]
    assert visits.read(["person", "x"]).to_pydict() == {"person": [anna, anna, anna, None], "x": ["1", "2", "3", "4"]}
    assert visits.by_file_names().read(["person"])["person"].to_pylist() == [anna, anna, anna, None]
    assert visits.by_file_names().names()[0] == "Name"


@pytest.mark.parametrize("columns", [None, ["person"], ["x", "person", "born"]])
def test_pieces_give_what_the_whole_gives(visits: Source, columns: list[str] | None) -> None:
    pieces = pa.concat_tables(list(visits.batches(columns, 1)))
    assert pieces.to_pydict() == visits.read(columns).to_pydict()
    assert {name: one.unread for name, one in visits.account().items()} == {"born": 0, "person": 1}


def test_no_rows_no_persons(tmp_path: Path) -> None:
    (tmp_path / "v.csv").write_text("last,first,born\n")
    source = Source(tmp_path / "v.csv", clean={"person": JoinedPerson(parts=PARTS)})
    assert source.read(["person"])["person"].to_pylist() == []
    assert CodedParts.of(rows_of(source.read(list(PARTS)), PARTS)).distinct()[0] == []


def test_another_join_is_another_reading(visits: Source) -> None:
    plain = {name: one for name, one in visits.clean.items() if name != "person"}
    fewer = {**plain, "person": JoinedPerson(parts=("last", "born"))}
    assert len({cleaning_digest(plain), cleaning_digest(fewer), cleaning_digest(visits.clean)}) == 3


def test_refusals_name_columns_and_no_value(visits: Source) -> None:
    assert visits.path is not None
    with pytest.raises(DataError, match="no column 'birth' to clean"):
        Source(visits.path, clean={"person": JoinedPerson(parts=("first", "birth"))}).names()
    with pytest.raises(DataError, match="a column 'x' already"):
        Source(visits.path, clean={"x": JoinedPerson(parts=("first", "born"))}).names()
