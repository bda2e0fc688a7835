"""A column whose own name says a kind of the rule is judged by that kind, although the steward calls it `other`."""

from __future__ import annotations

from datetime import date
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.errors import Infeasible
from sharewell.findings import Finding
from sharewell.tables import LimitedDataSet, LimitedDataSetRule, SafeHarbor, SafeHarborRule, Table
from sharewell.tables.engine.checks.identifier_formats import CountedCell
from sharewell.tables.engine.checks.named_kinds import contradicted


def judged(name: str, cells: list[Any], role: str = "keep", called: Any = "other") -> tuple[Finding, Finding]:
    table = _table(name, cells, role, published=True)
    said: Any = {"sex": "other", name: called}
    return SafeHarborRule(said, year=2026).check(table), LimitedDataSetRule(said).check(table)


def _table(name: str, cells: list[Any], role: str, published: bool) -> Table:
    roles: Any = {"quasi": ["sex"], role: [name]} if role != "quasi" else {"quasi": ["sex", name]}
    return Table.of(pa.table({"sex": ["F"] * len(cells), name: cells}), **roles, published=published)


BROKEN = [
    ("dob", "1981-05-01", 1),
    ("dob", "19810501", 1),
    ("dob", "010581", 1),
    ("dob", "29707", 1),
    ("dob", "1930", 1),
    ("DOB", "1930-1939", 1),
    ("d.o.b.", "1930", 1),
    ("patientdob", "1930", 1),
    ("birth_month", "5", 1),
    ("born", "May", 1),
    ("yearOfBirth", "1930", 1),
    ("age", "95", 1),
    ("age", "95.0", 1),
    ("age", "95 years", 1),
    ("age", "٩٥", 1),
    ("age", "95+", 1),
    ("age", "85-94", 1),
    ("age_at_visit", ">95", 1),
    ("age_months", "1100", 1),
    ("ageyears", "101", 1),
    ("zip", "02139", 1),
    ("zip", "2139", 1),
    ("zip", "036", 1),
    ("zip_code", "0213", 1),
    ("postcode", "SW1A 1AA", 1),
    ("homezip", "02139", 1),
    ("ssn", "4711", 1),
    ("ssn", "6789", 1),
    ("mrn", "4711", 1),
    ("mrn", "A-17", 1),
    ("mrn", "7", 1),
    ("phone", "555-0100", 1),
    ("visit_id", "4711", 1),
    ("site_id", "B4711", 1),
    ("surname", "Lee", 1),
    ("patient_name", "Ann Lee", 1),
    ("initials", "AL", 1),
    ("latitude", "42.4", 1),
    ("licence_plate", "B MW 77", 1),
    ("ip", "10-1-2-17", 1),
    ("city", "Boston", 1),
    ("county", "25017", 1),
    ("visit_date", "20250131", 1),
    ("visit_date", "45688", 1),
    ("admission_month", "3", 1),
    ("admission_month", "March", 1),
    ("comment", "He fell on the stairs at home", 1),
]


@pytest.mark.parametrize("role", ["keep", "quasi", "sensitive"])
@pytest.mark.parametrize(("name", "cell", "broken"), BROKEN)
def test_the_name_counts_more_than_the_steward(name: str, cell: str, broken: int, role: str) -> None:
    harbour, _ = judged(name, [cell, "unknown"], role)
    assert harbour.value == broken
    part = next(part for part in harbour.parts if part.column == name)
    assert "though the column is called other — name it by its category, drop it or generalise it" in part.note


@pytest.mark.parametrize(("name", "cell", "broken"), BROKEN)
def test_a_limited_data_set_has_its_own_list(name: str, cell: str, broken: int) -> None:
    """Names and numbers of persons and streets must go; dates, ages, cities and ZIP codes may stay."""
    direct = {"ssn", "mrn", "phone", "visit_id", "site_id", "surname", "patient_name", "initials", "latitude"}
    direct |= {"licence_plate", "ip", "comment"}
    assert judged(name, [cell, "unknown"])[1].value == (broken if name in direct else 0)


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("dob", ["1981", "1990-1999", "90+", "unknown"]),
        ("born", ["yes", "no"]),
        ("born_abroad", ["0", "1"]),
        ("age", ["44", "89", "89.5", "90+", ">=90", "over 89", "90 and older", "adult", "999"]),
        ("age_days", ["95", "3000"]),
        ("age", ["95 days", "3 months"]),
        ("zip", ["021", "000", "unknown"]),
        ("zip_deprivation", ["1", "10", "0.345"]),
        ("ssn_given", ["yes", "no"]),
        ("phone_contact", ["reached", "not reached"]),
        ("email_sent", ["true", "false"]),
        ("surname_known", ["yes", "no"]),
        ("city_size", ["large", "small"]),
        ("region", ["Northeast", "abdomen"]),
        ("visit_date", ["2025", "unknown"]),
        ("date_offset", ["12", "365"]),
        ("admission_month", ["unknown"]),
        ("months_since_admission", ["3", "12"]),
        ("comment", ["none", "fall"]),
        ("mac", ["mild", "severe"]),
    ],
)
def test_cells_that_cannot_be_of_the_kind_may_stay(name: str, cells: list[str]) -> None:
    harbour, limited = judged(name, cells)
    assert harbour.ok, [part.note for part in harbour.parts]
    assert limited.ok


def test_codes_that_many_share_may_be_called_other() -> None:
    shared = [str(4711 + i % 3) for i in range(30)]
    assert judged("site_id", shared)[0].ok
    assert judged("site_id", [str(4711 + i) for i in range(30)])[0].value == 30
    assert judged("visit_id", shared)[0].value == 30
    assert judged("drug_concept_id", ["1503297", "40162522"])[0].ok


def test_without_the_year_of_the_release_a_year_of_birth_is_undecided() -> None:
    table = _table("dob", ["1981", "1990"], "keep", published=True)
    finding = SafeHarborRule({"sex": "other", "dob": "other"}).check(table)
    assert finding.value is None
    assert finding.failed
    assert "give the year of the release" in finding.parts[1].note


def test_a_year_of_birth_called_a_date_is_still_one_of_birth() -> None:
    assert judged("dob", ["1930", "1981"], called="date")[0].value == 1
    assert judged("dob", ["1950", "1981"], called="date")[0].ok


@pytest.mark.parametrize("called", ["date", "zip", "age", "geography"])
def test_a_limited_data_set_reads_columns_by_any_other_name_too(called: str) -> None:
    assert judged("ssn", ["4711", "4712"], called=called)[1].value == 2
    assert judged("x", ["123-45-6789", "ann@example.org", "2025-01-31"], called=called)[1].value == 2
    assert judged("x", ["2025-01-31 10:15:00", "02139-4307", "20250131101500"], called=called)[1].ok


def test_the_mechanisms_refuse_and_say_what_to_do() -> None:
    with pytest.raises(Infeasible, match="its name says age, though the column is called other — name it by its cat"):
        SafeHarbor({"sex": "other", "age": "other"}).protect(_table("age", ["95", "44"], "keep", False), [])
    with pytest.raises(Infeasible, match="though called something else: ssn — drop them") as caught:
        LimitedDataSet({"sex": "other", "ssn": "other"}).protect(_table("ssn", ["4711", "4712"], "keep", False), [])
    assert "4711" not in str(caught.value)


def test_persons_count_and_not_records() -> None:
    """One person's seven visits do not make a code common."""
    cells = [str(4711 + i // 7) for i in range(21)]
    frame = pa.table({"sex": ["F"] * 21, "site_id": cells, "who": [str(i // 7) for i in range(21)]})
    table = Table.of(frame, quasi=["sex"], keep=["site_id"], subject="who", published=True)
    said: Any = {"sex": "other", "site_id": "other"}
    assert SafeHarborRule(said).check(table).value == 21
    assert contradicted("sex", [CountedCell("F", 1)]) is None


OLD = st.integers(90, 125).flatmap(
    lambda age: st.sampled_from([f"{age}", f"{age}.0", f"{age} years", f"{age}y", f"({age})", f"age: {age}"])
)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["age", "Age", "AGE_YEARS", "patient_age", "age_at_admission"]),
    OLD,
    st.lists(st.integers(0, 89).map(str), max_size=8),
)
def test_no_age_above_89_holds(name: str, old: str, others: list[str]) -> None:
    assert judged(name, [old, *others])[0].value == 1


DAYS = st.dates(min_value=date(1000, 1, 1))
"""Years before have fewer digits where `strftime` writes them."""


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["dob", "birth_date", "BirthYear", "Geburtsdatum", "born"]),
    st.integers(1900, 1936).map(str) | DAYS.map(lambda day: f"{day:%d%m%Y}") | DAYS.map(str),
    st.lists(st.integers(1937, 2025).map(str), max_size=8),
)
def test_no_date_of_birth_holds(name: str, born: str, others: list[str]) -> None:
    assert judged(name, [born, *others])[0].value == 1


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["zip", "ZIPCODE", "postal_code", "zip5"]),
    st.from_regex(r"\A[0-9]{4,5}(-[0-9]{4})?\Z") | st.from_regex(r"\A[A-Z][0-9][A-Z] [0-9][A-Z][0-9]\Z"),
    st.lists(st.sampled_from(["021", "100", "000"]), max_size=8),
)
def test_no_postal_code_holds(name: str, code: str, others: list[str]) -> None:
    assert judged(name, [code, *others])[0].value == 1


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["ssn", "MRN", "phone_number", "passport_no", "account_number", "patient_id", "serialNumber"]),
    st.lists(st.from_regex(r"\A[A-Z]{0,2}[0-9]{4,11}\Z"), min_size=1, max_size=8, unique=True),
)
def test_no_number_of_a_person_holds(name: str, numbers: list[str]) -> None:
    for finding in judged(name, [*numbers, "unknown"]):
        assert finding.value == len(numbers)
