"""Each rule as a table: (column name, values) in, (role, a word of the reason) out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pytest

from sharewell.io.sources import Source
from sharewell.proposal import ColumnLook, look

DAYS = [f"2019-{1 + i % 12:02}-{1 + i % 28:02}" for i in range(60)]
WORDS = ["red", "green", "blue"] * 20
DISTINCT = [f"x{i}y" for i in range(60)]


def looked(name: str, values: Sequence[Any], *, subject: bool = False) -> ColumnLook:
    columns = {"patient_id": [f"p{i // 2}" for i in range(len(values))]} if subject else {}
    return {c.name: c for c in look(Source.of(pa.table({**columns, name: values})))}[name]


DIRECT = [
    ("name", "a person's name"),
    ("Name 2", "a person's name"),
    ("surname", "a person's name"),
    ("patientName", "a person's name"),
    ("LASTNAME", "a person's name"),
    ("Vorname", "a person's name"),
    ("prénom", "a person's name"),
    ("apellidos", "a person's name"),
    ("achternaam", "a person's name"),
    ("LAST_NM", "a person's name"),
    ("PAT_NAME", "a person's name"),
    ("username", "a person's name"),
    ("ssn", "a number of the person"),
    ("MRN", "a number of the person"),
    ("nhs_number", "a number of the person"),
    ("passport-no", "a number of the person"),
    ("burgerservicenummer", "a number of the person"),
    ("homePhone", "telephone"),
    ("Telefonnummer", "telephone"),
    ("fax", "telephone"),
    ("eMail", "e-mail"),
    ("correo electrónico", "e-mail"),
    ("street_address", "street"),
    ("Straße", "street"),
    ("huisnummer", "street"),
    ("FamilienNr", "family or household"),
    ("household_id", "family or household"),
    ("url", "web or network"),
    ("ip", "web or network"),
    ("account_number", "account"),
    ("driving licence", "licence"),
    ("license", "licence"),
    ("photo", "picture"),
    ("device_serial", "device"),
    ("Seriennummer", "device"),
    ("lat", "point on the map"),
    ("doctor_name", "a person's name"),
    ("provider_id", "member of staff"),
    ("Usual GP", "member of staff"),
    ("behandelnder Arzt", "member of staff"),
    ("licensePlate", "licence"),
    ("visit_id", "a reference number"),
    ("encounterUUID", "a reference number"),
    ("baby_name", "a person's name"),
    ("שם", "a person's name"),
    ("氏名", "a person's name"),
    ("Фамилия", "a person's name"),
    ("Όνομα", "a person's name"),
    ("이름", "a person's name"),
    ("اسم المريض", "a person's name"),
    ("電話番号", "telephone"),
    ("住所", "street"),
]


@pytest.mark.parametrize(("name", "reason"), DIRECT)
def test_direct_identifiers_are_known_by_name(name: str, reason: str) -> None:
    found = looked(name, WORDS, subject=True)
    assert (str(found.role), reason in found.reasons[0]) == ("drop", True), found


QUASI = [
    ("dob", "birth"),
    ("yearOfBirth", "birth"),
    ("Geburtsjahr", "birth"),
    ("F. Nac.", "birth"),
    ("age", "age"),
    ("age_at_diagnosis", "age"),
    ("edad", "age"),
    ("Sex", "sex"),
    ("gender_concept_id", "sex"),
    ("Geschlecht", "sex"),
    ("city", "place"),
    ("woonplaats", "place"),
    ("county", "region"),
    ("STATE", "region"),
    ("country_code", "country"),
    ("race", "race"),
    ("ethnicity", "race"),
    ("marital-status", "marital"),
    ("Familienstand", "marital"),
    ("education", "education"),
    ("occupation", "occupation"),
    ("Beruf", "occupation"),
    ("language", "language"),
    ("religion", "religion"),
    ("hospital_name", "place of care"),
    ("insurance", "insurance"),
]


@pytest.mark.parametrize(("name", "reason"), QUASI)
def test_quasi_identifiers_are_known_by_name(name: str, reason: str) -> None:
    found = looked(name, WORDS)
    assert (str(found.role), reason in found.reasons[0], found.sure) == ("quasi", True, True), found


SENSITIVE = [
    ("diagnosis", "diagnosis"),
    ("diagnosis_name", "diagnosis"),
    ("icd10", "diagnosis"),
    ("code", "diagnosis"),
    ("Krankheit", "diagnosis"),
    ("maladie", "diagnosis"),
    ("drug_name", "drug"),
    ("medication", "drug"),
    ("geneesmiddel", "drug"),
    ("test_result", "test"),
    ("hiv", "hide"),
    ("outcome", "outcome"),
    ("annualIncome", "income"),
    ("salary", "income"),
    ("treatment", "treatment"),
    ("BRCA1", "genetic"),
    ("died", "death"),
]


@pytest.mark.parametrize(("name", "reason"), SENSITIVE)
def test_sensitive_columns_are_known_by_name(name: str, reason: str) -> None:
    found = looked(name, WORDS)
    assert (str(found.role), reason in found.reasons[0]) == ("sensitive", True), found


@pytest.mark.parametrize("name", ["hostname", "filename", "sausage", "emailed", "telling", "17", "§", "statement"])
def test_words_within_words_are_not_taken_for_them(name: str) -> None:
    found = looked(name, WORDS)
    assert (str(found.role), found.sure, found.reasons[0][:6]) == ("quasi", False, "unsure")


CONTENT = [
    ([f"u{i}@example.org" for i in range(9)], "e-mail"),
    ([f"https://example.org/{i}" for i in range(9)], "web addresses"),
    ([f"{100 + i}-45-{6780 + i}" for i in range(9)], "social security"),
    ([f"10.0.{i}.7" for i in range(9)], "network"),
    (["DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432"], "IBAN"),
    ([f"+49 30 90182{i}" for i in range(9)], "telephone"),
    ([f"(617) 555-01{i:02}" for i in range(9)], "telephone"),
    ([f"{900_000_000 + i * 7}" for i in range(9)], "nine digits"),
    (["Dent, Arthur", "Prefect, Ford", "McMillan, Tricia", "O'Neill, Seán"], "names of persons"),
    ([f"123e4567-e89b-12d3-a456-4266141740{i:02}" for i in range(9)], "UUID"),
    (DISTINCT, "value of its own"),
    (["Dr Smith", "Dr O’Brien", "Dr. med. Weber", "Prof Évans"] * 9, "with their title"),
    (["Ann Lee, MD", "Chris Roe Poe, RN", "Sam Doe, PhD"] * 9, "names of persons"),
    ([f"the patient came again today and was told {i}" for i in range(60)], "free text"),
]


KEYS_AND_CONTACTS = [
    ("condition_occurrence_id", [str(i) for i in range(60)]),
    ("drug_exposure_id", [str(i) for i in range(60)]),
    ("procedure_occurrence_id", [str(i // 2) for i in range(60)]),
    ("visit_occurrence_id", [str(i // 2) for i in range(60)]),
    ("measurement_id", [str(i) for i in range(60)]),
    ("diagnosis_key", [f"d{i}" for i in range(60)]),
    ("test_sk", [str(1000 + i) for i in range(60)]),
    ("telecom", [f"(617) 555-01{i:02}" for i in range(60)]),
    ("telecom", ['[{"system": "phone", "value": "617-555-0142"}]', '[{"system": "email", "value": "a@b.org"}]'] * 9),
    ("contact", ["home 617-555-0142", "work 617-555-0143"] * 9),
    ("reach_at", [f"day: 617-555-01{i:02}" for i in range(60)]),
    ("diagnosis", [f"+1 617 555 01{i:02}" for i in range(60)]),
    ("city", [f"617-555-01{i:02}" for i in range(60)]),
    ("address", ['{"line": ["1 Elm St"]}', '{"line": ["2 Elm St"]}'] * 9),
]


@pytest.mark.parametrize(("name", "values"), KEYS_AND_CONTACTS)
def test_keys_of_the_source_and_contacts_are_neither_quasi_nor_sensitive(name: str, values: list[str]) -> None:
    assert looked(name, values, subject=True).role == "drop"


CODED = [("gender_concept_id", "quasi"), ("condition_concept_id", "sensitive"), ("county_id", "quasi")]


@pytest.mark.parametrize(("name", "role"), CODED)
def test_numbers_of_categories_are_no_keys(name: str, role: str) -> None:
    assert looked(name, [str(i % 5) for i in range(60)], subject=True).role == role


@pytest.mark.parametrize(("values", "reason"), CONTENT, ids=lambda v: v if isinstance(v, str) else "")
def test_identifiers_are_known_by_content(values: list[str], reason: str) -> None:
    found = looked("x", values)
    assert (str(found.role), any(reason in r for r in found.reasons)) == ("drop", True), found


def test_strong_content_beats_a_harmless_name() -> None:
    assert looked("city", [f"u{i}@example.org" for i in range(9)]).role == "drop"


def test_places_like_names_stay_places() -> None:
    assert looked("city", ["Boston, Massachusetts", "Houston, Texas"] * 9).role == "quasi"


def test_a_few_mail_addresses_are_mentioned_with_their_count() -> None:
    found = looked("city", [*[f"city{i}" for i in range(30)], "a@example.org"])
    assert (str(found.role), found.reasons[-1]) == (
        "quasi",
        "look at it: 1 of 31 values examined are e-mail addresses",
    )


DATES = [
    ("birth_date", DAYS, True, "quasi", None, "%Y-%m-%d"),
    ("birth_date", [f"{1 + i % 28}.{1 + i % 12}.1970" for i in range(60)], True, "quasi", None, "%d.%m.%Y"),
    ("birth_date", [f"1970{1 + i % 12:02}{1 + i % 28:02}" for i in range(60)], True, "quasi", None, "%Y%m%d"),
    ("birth_date", ["03/04/1970", "05/06/1971"] * 9, True, "quasi", None, None),
    ("admitted", DAYS, True, "shift", None, None),
    ("admitted", [f"2019{1 + i % 12:02}{1 + i % 28:02}" for i in range(60)], True, "shift", None, "%Y%m%d"),
    ("admitted", DAYS, False, "quasi", None, "%Y-%m-%d"),
    ("admitted", [f"{day} 08:30:00" for day in DAYS], True, "shift", None, None),
    ("admitted", [f"{day} 08:30:00" for day in DAYS], False, "quasi", "date", None),
    ("admitted", ["2019-02-30 08:30"] * 9, True, "quasi", None, None),
    ("died", DAYS, True, "quasi", None, "%Y-%m-%d"),
    ("mail_date", DAYS, True, "shift", None, None),
    ("x", ["03/04/1970", "05/06/1971"] * 9, True, "quasi", None, None),
]


@pytest.mark.parametrize(("name", "values", "subject", "role", "tree", "form"), DATES)
def test_dates(name: str, values: list[str], subject: bool, role: str, tree: str | None, form: str | None) -> None:
    found = looked(name, values, subject=subject)
    assert (str(found.role), found.hierarchy, found.date_form) == (role, tree, form), found


ICD10 = ["E11.9", "I10", "J45.909", "Z51.11", "C50.911"] * 9
TREES = [
    ("zip", ["02139", "02140-1234"] * 9, "quasi", "zip"),
    ("postcode", ["SW1A 1AA", "EC1A 1BB"] * 9, "quasi", "prefix"),
    ("zip", ["2139", "10001"] * 9, "quasi", "prefix"),
    ("diagnosis", ICD10, "sensitive", "icd10cm"),
    ("x", ICD10, "sensitive", "icd10cm"),
    ("diag", ["250.00", "401.9", "V58.11", "E812.0"] * 9, "sensitive", "icd9cm"),
    ("x", ["250", "401", "585", "414"] * 9, "quasi", None),
    ("diagnosis", ["flu", "asthma"] * 9, "sensitive", None),
    ("age", ["30", "41"] * 9, "quasi", None),
]


@pytest.mark.parametrize(("name", "values", "role", "tree"), TREES)
def test_hierarchies(name: str, values: list[str], role: str, tree: str | None) -> None:
    found = looked(name, values)
    assert (str(found.role), found.hierarchy) == (role, tree)


def test_lost_leading_zeros_are_mentioned() -> None:
    assert "leading zeros" in looked("zip", ["2139", "10001"] * 9).reasons[-1]


def test_repeated_descriptions_are_not_free_text() -> None:
    assert looked("x", ["one two three four five six seven"] * 30 + ["a b c d e f g h"] * 30).role == "quasi"


def test_a_constant_is_kept_only_if_there_are_enough_records_and_none_is_missing() -> None:
    roles = [str(looked("x", values).role) for values in (["a"] * 30, ["a"] * 3, ["a"] * 30 + [None])]
    assert roles == ["keep", "quasi", "quasi"]


def test_a_constant_sensitive_column_does_not_make_diversity_impossible() -> None:
    assert looked("diagnosis", ["flu"] * 30).role == "keep"


def test_empty_columns_are_dropped() -> None:
    assert (looked("diagnosis", [None] * 30).role, looked("x", ["", None]).role) == ("drop", "drop")


def test_nested_cells_are_dropped() -> None:
    assert looked("x", [[1], [2]]).role == "drop"


def test_measures() -> None:
    found = looked("x", ["a", "a", "b", None])
    assert (found.distinct, found.missing, found.distinctness, found.separation) == (2, 1, 0.5, pytest.approx(5 / 6))


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([1, 2], "number"),
        ([1.5, float("nan")], "number"),
        (["1", "02"], "text"),
        ([True, False], "text"),
        (pa.array([1, 2], pa.date32()), "date"),
        (pa.array([1, 2], pa.timestamp("s")), "instant"),
        (pa.array(["a", "b"]).dictionary_encode(), "text"),
        (pa.array([b"a", b"b"]), "unreadable"),
    ],
)
def test_kinds(values: Any, kind: str) -> None:
    assert looked("x", values).kind == kind


@pytest.mark.parametrize("name", ["Geb.", "geb", "Né le", "nacido", "Naissance", "DN", "datum"])
def test_birth_is_known_by_more_names_and_by_how_long_ago_it_was(name: str) -> None:
    """As dates of events they would be moved by a few days, and published."""
    births = [f"{1930 + i}-0{1 + i % 9}-11" for i in range(60)]
    column = looked(name, births, subject=True)
    assert (column.role, column.topic, column.hierarchy) == ("quasi", "birth", None)
    assert looked("seen", DAYS, subject=True).role == "shift"
    assert looked("seen", [*DAYS, "1900-01-01"], subject=True).role == "shift"


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("measurement_concept_id", "quasi"),
        ("visit_concept_id", "quasi"),
        ("UNIT_CONCEPT_ID", "quasi"),
        ("value_as_concept_id", "sensitive"),
        ("cause_concept_id", "sensitive"),
        ("measurement_source_concept_id", "drop"),
        ("operator_concept_id", "drop"),
    ],
)
def test_concepts_without_which_rows_mean_nothing_stay(name: str, role: str) -> None:
    column = looked(name, ["3004410", "3016723"] * 30, subject=True)
    assert (column.role, column.labels) == (role, role != "drop")
    assert looked(name, ["0"] * 60, subject=True).role == "drop"


def test_of_a_concept_the_draft_says_what_its_number_is() -> None:
    column = looked("measurement_type_concept_id", ["3004410", "3016723"] * 30, subject=True)
    assert (column.role, column.reasons[0][:16]) == ("drop", "a concept number")


def test_short_remarks_under_a_name_that_says_nothing_are_free_text() -> None:
    """As categories they would be published in sets, word by word."""
    remarks = [f"M. Martin revu le {1 + i % 28}/03/2023" for i in range(30)]
    remarks += [f"Patient de {i} ans, va bien" for i in range(30)]
    column = looked("Zusatz", remarks)
    assert (column.role, column.topic) == ("drop", "free text")
    assert looked("ward", ["Department of Internal Medicine", "Department of General Surgery"] * 30).role == "quasi"


@pytest.mark.parametrize("name", ["Observations", "Notizen", "Epikrise", "evolución", "Toelichting"])
def test_free_text_is_known_by_name(name: str) -> None:
    assert looked(name, WORDS).topic == "free text"


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("Příjmení", "drop"),
        ("Jméno", "drop"),
        ("Rodné číslo", "drop"),
        ("PESEL", "drop"),
        ("Nazwisko", "drop"),
        ("Vezetéknév", "drop"),
        ("Soyadı", "drop"),
        ("Cognome", "drop"),
        ("Fødselsnummer", "drop"),
        ("Datum narození", "quasi"),
        ("Pohlaví", "quasi"),
    ],
)
def test_headers_of_more_countries_are_known(name: str, role: str) -> None:
    assert looked(name, ["a", "b", "c"] * 20, subject=True).role == role


@pytest.mark.parametrize(
    ("filled", "rows", "role"), [(34, 500, "drop"), (49, 500, "drop"), (50, 500, "quasi"), (60, 300, "quasi"),
                                 (2, 30, "drop"), (4, 30, "quasi"), (1, 12, "quasi")]
)  # fmt: skip
@pytest.mark.parametrize("name", ["died", "age at menopause", "occupation"])
def test_what_hardly_anybody_has_is_dropped(name: str, filled: int, rows: int, role: str) -> None:
    """Among people of whom enough share the rest, none would show; the column would only cost detail elsewhere."""
    values = {"died": DAYS, "occupation": ["baker", "clerk", "nurse"] * 20}.get(name, [40 + i % 20 for i in range(60)])
    found = looked(name, [*values[:filled], *[None] * (rows - filled)], subject=True)
    assert found.role == role
    assert (role == "quasi") or f"only {filled} of {rows} records have a value" in " ".join(found.reasons)


@pytest.mark.parametrize(("own", "role"), [(29, "quasi"), (30, "drop"), (50, "drop")])
def test_text_of_which_most_records_have_their_own_is_no_category(own: int, role: str) -> None:
    """As a set, a class would list it: numbers of mothers, say, of whom some have two children here."""
    values = [f"M{i}" for i in range(own)] + [f"S{i % 5}" for i in range(60 - own)]
    assert looked("Kartei", values).role == role
