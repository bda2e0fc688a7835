"""Cleaning a column: what each step makes of cells, what it counts, and that pieces add up to the whole."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sharewell.errors import DataError
from sharewell.io.cleaning import BLANKS, Cleaning, cleaning_digest
from sharewell.io.cleaning_account import Account
from sharewell.io.coded_file import read_coded
from sharewell.io.grouped_files import grouped
from sharewell.io.number_forms import NumberForm
from sharewell.io.sources import Source
from sharewell.io.spilled_columns import spill

Cells = list[str | None]
Counts = list[tuple[str, int, int, int]]
DAYS = ("%d/%m/%Y", "%m/%d/%Y")


def _cleaned(cleaning: Cleaning, cells: Cells) -> tuple[list[object], Counts]:
    column, account = cleaning.apply(pa.chunked_array([pa.array(cells, pa.string())]))
    return column.to_pylist(), [(step.name, step.changed, step.unread, step.ambiguous) for step in account.steps]


@pytest.mark.parametrize(
    ("cleaning", "cells", "made", "counts"),
    [
        (Cleaning(trim=True), [" a\u00a0", "\u200bb\ufeff", "c", " ", None], ["a", "b", "c", None, None], (3, 0, 0)),
        (Cleaning(case="upper"), ["f", "M", None], ["F", "M", None], (1, 0, 0)),
        (Cleaning(case="title"), ["new YORK"], ["New York"], (1, 0, 0)),
        (Cleaning(recode={"w": "F", "?": ""}), ["w", "?", "M"], ["F", None, "M"], (2, 0, 0)),
        (Cleaning(recode={"a": "b", "b": "c"}), ["a", "b"], ["b", "c"], (2, 0, 0)),
        (Cleaning(zip5=True), ["02139", "02139-1234", "021391234", "02139 1234"], ["02139"] * 4, (3, 0, 0)),
        (Cleaning(zip5=True), ["2139", "2139-1234", "K1A 0B1", "021391"], [None] * 4, (0, 4, 0)),
        (
            Cleaning(zip5=True, pad=True),
            ["2139", "501", "2139-1234", "21391234"],
            ["02139", "00501"] + ["02139"] * 2,
            (4, 0, 0),
        ),
        (Cleaning(zip5=True, pad=True), ["12", "021391"], [None, None], (0, 2, 0)),
        (Cleaning(number=NumberForm(",", ".")), [" 1.234 ", "1,5", "7", "x"], ["1234", "1.5", "7", None], (2, 1, 0)),
        (
            Cleaning(date=("%d.%m.%Y", "%Y-%m-%d")),
            ["1.2.2020", "2020-02-01", "?"],
            ["2020-02-01"] * 2 + [None],
            (1, 1, 0),
        ),
        (
            Cleaning(date=DAYS),
            ["01/02/2020", "13/02/2020", "03/03/2020"],
            [None, "2020-02-13", "2020-03-03"],
            (2, 0, 1),
        ),
        (Cleaning(date=DAYS, day_first=True), ["01/02/2020", "02/13/2020"], ["2020-02-01", "2020-02-13"], (2, 0, 0)),
        (Cleaning(date=DAYS, day_first=False), ["01/02/2020", "13/02/2020"], ["2020-01-02", "2020-02-13"], (2, 0, 0)),
        (Cleaning(split="|"), ["E11 | I10|", "J45", "|", None], [["E11", "I10"], ["J45"], None, None], (1, 0, 0)),
    ],
)
def test_a_step_makes_this_of_cells_and_counts_it(
    cleaning: Cleaning, cells: Cells, made: list[object], counts: tuple[int, int, int]
) -> None:
    [name] = cleaning.steps
    assert _cleaned(cleaning, cells) == (made, [(name, *counts)])


def test_steps_run_in_their_own_order() -> None:
    cleaning = Cleaning(recode={"FEMALE": "F", "N/A": ""}, case="upper", trim=True)
    assert _cleaned(cleaning, ["female ", "F", " n/a"]) == (
        ["F", "F", None],
        [("trim", 2, 0, 0), ("case", 2, 0, 0), ("recode", 2, 0, 0)],
    )


def test_each_part_of_a_cell_is_cleaned_and_cells_are_counted() -> None:
    cleaning = Cleaning(split=";", case="upper", recode={"X": ""})
    assert _cleaned(cleaning, ["e11;i10", "e11;i10", "x", "J45"]) == (
        [["E11", "I10"], ["E11", "I10"], None, ["J45"]],
        [("split", 2, 0, 0), ("case", 3, 0, 0), ("recode", 1, 0, 0)],
    )


def test_every_white_space_is_a_blank() -> None:
    assert {chr(i) for i in range(sys.maxunicode + 1) if chr(i).isspace()} <= set(BLANKS)


@pytest.mark.parametrize(
    ("cleaning", "column"),
    [
        (Cleaning(trim=True, date=("%Y-%m-%d",)), pa.array([datetime.date(2020, 1, 2), None])),
        (Cleaning(number=NumberForm(",")), pa.array([1.5, None])),
        (Cleaning(trim=True), pa.array([3, None])),
    ],
)
def test_what_the_file_types_is_left_alone(cleaning: Cleaning, column: pa.Array) -> None:
    made, account = cleaning.apply(pa.chunked_array([column]))
    assert made.equals(pa.chunked_array([column]))
    assert (account.cells, {step.changed for step in account.steps}) == (1, {0})


def test_numbers_of_a_file_can_be_postcodes_and_codes() -> None:
    postcodes = Cleaning(zip5=True, pad=True).apply(pa.chunked_array([pa.array([2139.0, float("nan"), 94110.0])]))[0]
    assert postcodes.to_pylist() == ["02139", None, "94110"]
    assert Cleaning(recode={"1": "M"}).apply(pa.chunked_array([pa.array([1, 2])]))[0].to_pylist() == ["M", "2"]


def test_instants_of_a_file_can_lose_their_time() -> None:
    noon = pa.chunked_array([pa.array([datetime.datetime(2020, 1, 2, 12)])])
    made = Cleaning(date=("%Y-%m-%d",), time="drop").apply(noon)[0]
    assert made.to_pylist() == [datetime.date(2020, 1, 2)]


_CELL = st.none() | st.text(" \u00a0aBß1,.-/", max_size=6) | st.sampled_from(["01/02/2020", "13/2/2020", "1.234,5"])
_CLEANING = st.builds(
    Cleaning,
    trim=st.booleans(),
    case=st.sampled_from([None, "upper", "lower", "title"]),
    recode=st.dictionaries(st.text("aB1", max_size=3), st.text("xY", max_size=2), max_size=3),
    split=st.sampled_from([None, "-"]),
    unreadable=st.just("missing"),
) | st.sampled_from(
    [
        Cleaning(trim=True, date=DAYS, unreadable="missing"),
        Cleaning(number=NumberForm(",", "."), unreadable="missing"),
        Cleaning(zip5=True, pad=True, unreadable="missing"),
    ]
)


@given(_CLEANING, st.lists(st.lists(_CELL, max_size=5), min_size=1, max_size=4))
def test_pieces_are_cleaned_as_the_whole_is_and_their_accounts_add_up(cleaning: Cleaning, pieces: list[Cells]) -> None:
    arrays = [pa.array(piece, pa.string()) for piece in pieces]
    whole, account = cleaning.apply(pa.chunked_array(arrays))
    apart = [cleaning.apply(pa.chunked_array([array])) for array in arrays]
    assert whole.to_pylist() == [cell for column, _ in apart for cell in column.to_pylist()]
    added: Account = apart[0][1]
    for _, more in apart[1:]:
        added += more
    assert added == account


@given(_CLEANING, st.lists(_CELL, min_size=1, max_size=8))
def test_counts_are_those_of_the_cells(cleaning: Cleaning, cells: Cells) -> None:
    """Each cell by itself, the way that is too slow to be used."""
    made, counts = _cleaned(cleaning, cells)
    alone = [_cleaned(cleaning, [cell]) for cell in cells]
    assert made == [one[0] for one, _ in alone]
    for i, (name, *numbers) in enumerate(counts):
        assert [(name, *map(sum, zip(*(found[i][1:] for _, found in alone), strict=True)))] == [(name, *numbers)]


@pytest.mark.parametrize(
    "cleaning",
    [
        Cleaning(trim=True, case="upper"),
        Cleaning(trim=True, case="lower", recode={"a": "b"}),
        Cleaning(zip5=True, pad=True),
        Cleaning(date=("%d.%m.%Y", "%Y-%m-%d")),
        Cleaning(number=NumberForm(".")),
    ],
)
@given(cells=st.lists(_CELL, max_size=8))
def test_what_is_clean_stays_as_it_is(cleaning: Cleaning, cells: Cells) -> None:
    once = _cleaned(cleaning, cells)[0]
    again, counts = _cleaned(cleaning, once)  # type: ignore[arg-type]
    assert again == once
    assert all(numbers == (0, 0, 0) for _, *numbers in counts for numbers in [tuple(numbers)])


def test_two_cleanings_have_one_digest_only_if_they_are_the_same() -> None:
    some = [Cleaning(), Cleaning(trim=True), Cleaning(recode={"a": "b"}), Cleaning(recode={"a": "c"})]
    some += [replace(some[1], unreadable="missing"), Cleaning(number=NumberForm()), Cleaning(number=NumberForm(","))]
    assert len({cleaning_digest({"a": one}) for one in some} | {cleaning_digest({"b": some[0]})}) == len(some) + 1
    assert cleaning_digest({}) == ""


def test_a_digest_from_before_units_stays_true() -> None:
    """Certificates of releases hold it, salted."""
    before = "e52b5bd01dc602d4f8e750b6a2b2faf449d930b296302069648f7a3777580285"
    assert cleaning_digest({"a": Cleaning(number=NumberForm(","))}) == before
    assert cleaning_digest({"a": Cleaning(number=NumberForm(",", unit="€"))}) != before


MESSY = {
    "sex": Cleaning(trim=True, case="upper", recode={"FEMALE": "F"}),
    "amount": Cleaning(number=NumberForm(",", ".")),
}


def _file(folder: Path, form: str, rows: int = 60) -> Source:
    table = pa.table(
        {
            "person": [str(i) for i in range(rows)],
            "sex": [("f", "Female ", "M")[i % 3] for i in range(rows)],
            "amount": [f"1.00{i % 10},5" for i in range(rows)],
        }
    )
    path = folder / f"people.{form}"
    if form == "parquet":
        pq.write_table(table, path)
    else:
        lines = [";".join(map(str, row.values())) for row in table.to_pylist()]
        path.write_text("\n".join([";".join(table.column_names), *lines]) + "\n")
    return Source(path, form, clean=MESSY)


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_every_way_to_read_a_file_sees_cleaned_cells(tmp_path: Path, form: str) -> None:
    source = _file(tmp_path, form)
    whole = source.read()
    assert set(whole["sex"].to_pylist()) == {"F", "M"}
    assert whole["amount"][3].as_py() == "1003.5"
    assert source.read(["sex"])["sex"].to_pylist() == whole["sex"].to_pylist()
    pieces = list(source.batches(["amount", "sex"], 7))
    assert pa.concat_tables(pieces)["amount"].to_pylist() == whole["amount"].to_pylist()
    coded = read_coded(source, ["sex"])["sex"]
    assert coded.values.take(pa.array(coded.codes)).to_pylist() == whole["sex"].to_pylist()
    resident, spilled = spill(source, ["sex"], ["amount"], tmp_path / "spilled")
    assert resident["sex"].to_pylist() == whole["sex"].to_pylist()
    assert spilled["amount"].to_pylist() == whole["amount"].to_pylist()
    assert set(grouped([source], ["sex"], "person", None).table["0"].to_pylist()) == {"F", "M"}
    assert source.account()["sex"].to_json() == replace(source).account()["sex"].to_json()


def test_a_frame_is_cleaned_too() -> None:
    source = Source(frame=pa.table({"sex": ["f", " m"], "amount": ["1", "2,5"]}), clean=MESSY)
    assert source.read().to_pydict() == {"sex": ["F", "M"], "amount": ["1", "2.5"]}
    assert source.account()["amount"].steps[0].changed == 1


@pytest.mark.parametrize(
    "way",
    [
        lambda source: source.read(),
        lambda source: list(source.batches()),
        lambda source: grouped([source], ["sex"], "person", "amount"),
    ],
    ids=["read", "batches", "grouped"],
)
def test_cells_that_cannot_be_read_are_refused_by_number(tmp_path: Path, way: Callable[[Source], object]) -> None:
    source = replace(_file(tmp_path, "csv"), clean={"amount": Cleaning(number=NumberForm(","))})
    with pytest.raises(DataError) as refused:
        way(source)
    assert str(refused.value) == (
        "people.csv — column amount: 60 of 60 cell(s) are not numbers of this form — say which `decimal`,"
        " `thousands` and `unit` they have, recode them, list words for no value under `missing`, or say"
        " `unreadable: missing`"
    )


def test_cells_that_may_go_unread_are_missing_and_counted(tmp_path: Path) -> None:
    lenient = Cleaning(number=NumberForm(","), unreadable="missing")
    source = replace(_file(tmp_path, "csv"), clean={"amount": lenient})
    assert source.read()["amount"].null_count == 60
    assert source.account()["amount"].unread == 60


def test_dates_that_two_forms_read_differently_are_refused_even_where_others_may_go_unread(tmp_path: Path) -> None:
    (tmp_path / "visits.csv").write_text("day\n01/02/2020\n13/02/2020\n?\n")
    ambiguous = Cleaning(date=DAYS, unreadable="missing")
    source = Source(tmp_path / "visits.csv", clean={"day": ambiguous})
    what = "visits.csv — column day: 1 of 3 cell(s) are different dates in two of the listed forms"
    with pytest.raises(DataError) as refused:
        source.read()
    assert str(refused.value) == f"{what} — say `day_first: true` or `day_first: false`"
    decided = replace(source, clean={"day": replace(ambiguous, day_first=True)})
    assert decided.read()["day"].to_pylist() == ["2020-02-01", "2020-02-13", None]
    both_first = Cleaning(date=("%d/%m/%y", "%y/%d/%m"), first_year=1930, day_first=True)
    with pytest.raises(DataError, match="and day_first does not decide — take out one of the forms"):
        replace(source, frame=pa.table({"day": ["01/02/03"]}), path=None, clean={"day": both_first}).read()


def test_words_for_no_value_count_once_blanks_are_trimmed(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("x,y\nN/A,1\n N/A ,2\nb,3\n")
    source = Source(tmp_path / "a.csv", missing=("N/A",), clean={"x": Cleaning(trim=True)})
    assert source.read()["x"].to_pylist() == [None, None, "b"]


def test_a_column_to_clean_must_be_there(tmp_path: Path) -> None:
    source = replace(_file(tmp_path, "csv"), clean={"sexe": Cleaning(trim=True)})
    with pytest.raises(DataError, match=r"people.csv — no column 'sexe' to clean — did you mean 'sex'\?"):
        source.read()


def test_columns_are_cleaned_under_our_names(tmp_path: Path) -> None:
    source = replace(_file(tmp_path, "csv"), columns={"gender": "sex"}, clean={"gender": Cleaning(case="lower")})
    assert set(source.read(["gender"])["gender"].to_pylist()) == {"f", "female ", "m"}


def test_lists_have_nothing_to_clean() -> None:
    source = Source(frame=pa.table({"codes": [["a"], ["b"]]}), clean={"codes": Cleaning(trim=True)})
    with pytest.raises(DataError, match=r"the frame — column codes: of type list<.*>, which holds no text to clean"):
        source.read()


def test_no_cell_is_shown_by_repr() -> None:
    assert "canary" not in repr(Cleaning(recode={"canary": "canary"}))
    assert "canary" not in repr(Source(clean={"a": Cleaning(recode={"canary": "canary"})}))
