"""Safe Harbor and the Limited Data Set: every column known or refused, every rule re-read from the published file."""

from __future__ import annotations

import datetime
import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sharewell.cli import main
from sharewell.errors import DataError, Infeasible, PolicyError
from sharewell.hierarchy.zips import populous
from sharewell.tables import KAnonymity, LimitedDataSet, LimitedDataSetRule, SafeHarbor, SafeHarborRule, Table
from sharewell.tables.engine.checks.date_formats import tells_day
from sharewell.tables.engine.checks.hipaa_names import of_name
from sharewell.tables.engine.protection import hipaa_recognition
from sharewell.tables.engine.protection.hipaa_recognition import by_name
from sharewell.testing import check_criterion, check_mechanism

FRAME = pa.table(
    {
        "who": [f"person-{i}" for i in range(12)],
        "zip": ["02139", "03601", "10001-1234", "94110"] * 3,
        "born": ["1981-05-01", "1930-02-03", "1936-01-01", "1937-12-31"] * 3,
        "age": [44, 95, 90, 89] * 3,
        "sex": ["female", "male"] * 6,
        "county": ["Middlesex", "Coos", "Kings", "Queens"] * 3,
        "admitted": ["2025-01-31", "2025-02-28", None, "2024-12-31"] * 3,
        "illness": ["influenza", "asthma", "gastritis"] * 4,
    }
)
SAID: dict[str, Any] = {"admitted": "date", "sex": "other", "illness": "other"}


def opened(frame: Any) -> Table:
    return Table.of(
        frame, quasi=["zip", "born", "age", "sex"], sensitive=["illness"], keep=["county", "admitted"], subject="who"
    )


def test_they_keep_the_contract() -> None:
    check_mechanism(SafeHarbor(SAID, year=2026), opened, FRAME, [SafeHarborRule(SAID, year=2026), KAnonymity(1)])
    check_mechanism(LimitedDataSet(SAID), opened, FRAME, [LimitedDataSetRule(SAID)])
    check_criterion(SafeHarborRule(SAID, year=2026), opened, FRAME)
    check_criterion(LimitedDataSetRule(SAID), opened, FRAME)


def test_every_rule_touches_its_columns_and_says_how_many_cells() -> None:
    out = SafeHarbor(SAID, year=2026).protect(opened(FRAME), [])
    shown = out.data.arrow.to_pydict()
    assert shown["zip"][:4] == ["021", "000", "100", "941"]
    assert shown["born"][:4] == ["1981", "90+", "90+", "1937"]  # 1936: turns 90 in the year of the release
    assert shown["age"][:4] == ["44", "90+", "90+", "89"]
    assert shown["county"] == [None] * 12
    assert shown["admitted"][:4] == ["2025", "2025", None, "2024"]
    assert shown["sex"] == FRAME["sex"].to_pylist()
    assert out.details.changed == {"zip": 12, "born": 12, "age": 6, "county": 12, "admitted": 9}
    assert out.details.columns["born"] == "birth-date"
    assert out.details.census == 2020
    assert "actual knowledge" in out.details.not_checked


def test_places_in_quasi_columns_become_anything() -> None:
    frame = FRAME.select(["county", "sex"])
    out = SafeHarbor({"sex": "other"}).protect(Table.of(frame, quasi=["county", "sex"]), [KAnonymity(6)])
    assert set(out.data.arrow["county"].to_pylist()) == {"*"}


@pytest.mark.parametrize(
    ("column", "cell", "fits"),
    [
        ("zip", "021", True),
        ("zip", "000", True),
        ("zip", "021*", True),
        ("zip", "0*", True),
        ("zip", "*", True),
        ("zip", "", True),
        ("zip", "{021,100}", True),
        ("zip", "036", False),
        ("zip", "{021,036}", False),
        ("zip", "02139", False),
        ("zip", "0213*", False),
        ("zip", "[021-100]", False),
        ("age", "89", True),
        ("age", "89.5", True),
        ("age", "[80-89]", True),
        ("age", "90+", True),
        ("age", "90", False),
        ("age", "[85-94]", False),
        ("age", "90-94", False),
        ("born", "1937", True),
        ("born", "1936", False),
        ("born", "90+", True),
        ("born", "1940-1949", True),
        ("born", "1930-1939", False),
        ("born", "1950-03", False),
        ("admitted", "2025", True),
        ("admitted", "1890", True),
        ("admitted", "2020-2029", True),
        ("admitted", "[2020-2029]", True),
        ("admitted", "2025-03", False),
        ("admitted", "2025-03-01", False),
        ("admitted", "[2025-03-01..2025-04-01]", False),
        ("admitted", "March 2025", False),
        ("county", "*", True),
        ("county", "Coos", False),
        ("phone", "*", True),
        ("phone", "555-0100", False),
    ],
)
def test_the_criterion_reads_cells_as_a_stranger_would(column: str, cell: str, fits: bool) -> None:
    rule = SafeHarborRule({"admitted": "date"}, year=2026)
    table = Table.of(pa.table({column: [cell, "*"]}), quasi=[column], published=True)
    finding = rule.check(table)
    assert (finding.ok, finding.value) == (fits, 0 if fits else 1)


def test_a_value_that_only_looks_like_a_cell_is_not_taken_for_one() -> None:
    """Outside the quasi columns nothing is escaped: a star there is a value."""
    table = Table.of(pa.table({"county": ["*"]}), quasi=[], keep=["county"], published=True)
    assert SafeHarborRule().check(table).failed


def test_unknown_columns_are_undecided_and_shifted_dates_fail() -> None:
    unknown = Table.of(pa.table({"zip": ["021"], "blob": ["7"]}), quasi=["zip"], keep=["blob"], published=True)
    finding = SafeHarborRule().check(unknown)
    assert finding.value is None
    assert finding.failed
    assert "blob" in finding.note
    assert SafeHarborRule(rest="other").check(unknown).ok
    born = Table.of(pa.table({"born": ["1990"]}), quasi=["born"], published=True)
    assert SafeHarborRule().check(born).value is None  # without the year of the release nobody can tell
    shifted = Table.of(pa.table({"zip": ["021"], "seen": ["2020"]}), quasi=["zip"], shift=["seen"], published=True)
    assert SafeHarborRule().check(shifted).value == 1


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.from_regex(r"\A[0-9]{5}(-[0-9]{4})?\Z"),
            st.dates(datetime.date(1900, 1, 1), datetime.date(2025, 12, 31)),
            st.integers(0, 120),
        ),
        min_size=1,
        max_size=12,
    ),
    st.integers(2025, 2030),
)
def test_whatever_goes_in_no_rule_is_broken(rows: list[tuple[str, datetime.date, int]], year: int) -> None:
    """Judged by the words of the rule, with none of the code above."""
    frame = pa.table({"zip": [r[0] for r in rows], "birth_date": [r[1] for r in rows], "age": [r[2] for r in rows]})
    out = SafeHarbor(year=year).protect(Table.of(frame, quasi=["zip", "age"], keep=["birth_date"]), [])
    for (zip5, born, age), shown in zip(rows, out.data.arrow.to_pylist(), strict=True):
        assert shown["zip"] == (zip5[:3] if zip5[:3] in populous() else "000")
        assert shown["age"] == (str(age) if age <= 89 else "90+")
        assert shown["birth_date"] == (str(born.year) if year - born.year <= 89 else "90+")


@pytest.mark.parametrize(
    ("roles", "mechanism", "error", "told"),
    [
        ({"phone": "keep"}, SafeHarbor(rest="other"), PolicyError, "direct identifiers or free text: phone"),
        ({"phone": "keep"}, LimitedDataSet(rest="other"), PolicyError, "direct identifiers or free text: phone"),
        ({"remarks": "text"}, SafeHarbor(rest="other"), PolicyError, "direct identifiers or free text: remarks"),
        ({"remarks": "text"}, LimitedDataSet(), PolicyError, "direct identifiers or free text: remarks"),
        ({"seen": "shift"}, SafeHarbor(rest="other"), PolicyError, "shifting is not enough: seen"),
        ({"seen": "keep"}, SafeHarbor(), PolicyError, r"not recognised: seen \(seen holds dates\)"),
        ({"blob": "keep"}, SafeHarbor(), PolicyError, "not recognised: blob"),
        ({"blob": "keep"}, LimitedDataSet(), PolicyError, "not recognised: blob"),
        (
            {"blob": "drop"},
            SafeHarbor({"blob": "other"}),
            PolicyError,
            "'blob' is not published — it has the role drop",
        ),
        ({"born": "keep"}, SafeHarbor(), PolicyError, "set year"),
        ({"mail": "keep"}, SafeHarbor({"mail": "age"}), DataError, "1 of 1 distinct value"),
        ({"postcode": "keep"}, SafeHarbor(), DataError, "leading zeros lost"),
    ],
)
def test_what_is_not_allowed_is_refused_with_its_name(
    roles: dict[str, str], mechanism: Any, error: type[Exception], told: str
) -> None:
    values = {"seen": "2020-01-31", "born": "1990-01-01", "phone": "555-0100", "mail": "ann@example.org"}
    values |= {"postcode": "2139", "blob": "7", "remarks": "He fell."}
    frame = pa.table({"zip": ["02139"], **{name: [values[name]] for name in roles}})
    given: dict[str, Any] = {role: [name] for name, role in roles.items()}
    with pytest.raises(error, match=told) as caught:
        mechanism.protect(Table.of(frame, quasi=["zip"], **given), [])
    assert not any(value in str(caught.value) for value in values.values() if len(value) > 4)


def test_with_rest_dates_are_still_found_by_what_they_hold() -> None:
    frame = pa.table({"zip": ["02139", "10001"], "seen": ["31.01.2020", "01.02.2020"], "blob": ["7", "8"]})
    out = SafeHarbor(rest="other").protect(Table.of(frame, quasi=["zip"], keep=["seen", "blob"]), [])
    assert out.data.arrow["seen"].to_pylist() == ["2020", "2020"]
    assert out.data.arrow["blob"].to_pylist() == ["7", "8"]


def test_a_few_odd_values_do_not_hide_dates() -> None:
    frame = pa.table({"zip": ["02139"] * 5, "seen": ["2020-01-31", "2020-02-01", "unknown", "2020-03-01", None]})
    table = Table.of(frame, quasi=["zip"], keep=["seen"])
    with pytest.raises(DataError, match="1 of 4 distinct value"):
        SafeHarbor(rest="other").protect(table, [])
    assert SafeHarborRule(rest="other").check(Table.of(frame, quasi=["zip"], keep=["seen"], published=True)).value == 9


def test_the_limited_data_set_keeps_dates_and_places_and_may_shift() -> None:
    frame = FRAME.select(["who", "zip", "born", "age", "county", "admitted"])
    table = Table.of(frame, quasi=["zip", "age", "born"], keep=["county"], shift=["admitted"], subject="who")
    out = LimitedDataSet().protect(table, [])
    assert out.data.arrow["zip"].to_pylist() == FRAME["zip"].to_pylist()
    assert out.data.arrow["county"].to_pylist() == FRAME["county"].to_pylist()


def test_other_criteria_are_checked_and_failing_classes_may_go() -> None:
    with pytest.raises(Infeasible, match="k-anonymity"):
        SafeHarbor(SAID, year=2026).protect(opened(FRAME), [KAnonymity(4)])
    frame = pa.concat_tables([FRAME, FRAME.slice(0, 1).set_column(0, "who", pa.array(["one more"]))])
    lone = frame.set_column(4, "sex", pa.array(["female"] * 12 + ["unknown"]))
    out = SafeHarbor(SAID, year=2026, suppress=0.2).protect(opened(lone), [KAnonymity(3)])
    assert (out.details.suppressed_records, out.data.rows) == (1, 12)
    with pytest.raises(Infeasible, match=r"at most 1 may"):
        SafeHarbor(SAID, year=2026, suppress=0.1).protect(opened(FRAME), [KAnonymity(4)])


def test_parameters_are_given_once_with_the_criterion() -> None:
    rule = SafeHarborRule(SAID, year=2026)
    out = SafeHarbor().protect(opened(FRAME), [rule])
    assert rule.check(out.data).ok
    with pytest.raises(PolicyError, match="year is not the one of the criterion"):
        SafeHarbor(year=2020).protect(opened(FRAME), [rule])
    with pytest.raises(ValueError, match="columns — has an entry that must be one of date, birth-date, age"):
        SafeHarbor({"zip": "zipp"})  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("name", "category"),
    [
        ("Geburtsdatum", "birth-date"),
        ("plz", "zip"),
        ("MRN", "identifier"),
        ("latitude", "identifier"),
        ("city", "geography"),
        ("state", None),
        ("comments", "text"),
        ("visit_id", "identifier"),
        ("sex", None),
        ("diagnosis", None),
    ],
)
def test_names_are_recognised_but_never_as_other(name: str, category: str | None) -> None:
    assert by_name(name) == category


POLICY = """\
sharewell: 1
release: {name: harbour}
profile: hipaa-safe-harbor
datasets:
  people:
    kind: tables
    read: {csv: people.csv}
    columns:
      who: subject
      zip: {role: quasi, hierarchy: zip}
      born: {role: quasi, hierarchy: date}
      age: quasi
      sex: quasi
      county: keep
      admitted: keep
      illness: sensitive
    require:
      - safe-harbor: {columns: {admitted: date, sex: other, illness: other}, year: 2026}
      - k-anonymity: {k: 2}
    using: safe-harbor
    attacks: [prosecutor]
    utility: [ncp, discernibility]
write: {csv: out}
"""


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from pyarrow import csv

    directory = tmp_path_factory.mktemp("harbour")
    csv.write_csv(FRAME, directory / "people.csv")
    (directory / "policy.yaml").write_text(POLICY)
    assert main(["release", str(directory / "policy.yaml")]) == 0
    return directory / "out" / "harbour"


def test_the_profile_is_proved_from_the_published_files(released: Path) -> None:
    assert main(["verify", str(released)]) == 0
    assert main(["verify", str(released / "public")]) == 0
    certificate = json.loads((released / "public" / "certificate.json").read_text())
    finding = certificate["datasets"]["people"]["findings"][0]
    assert (finding["name"], finding["ok"], finding["tier"]) == ("safe-harbor", True, "recipient")
    assert "falsifies" not in certificate["datasets"]["people"]["mechanism"]
    assert not certificate["deviations"]
    shown = (released / "public" / "people.csv").read_text()
    assert not re.search(r"\d{4}-\d{2}|021\d{2}|Coos|Middlesex", shown)


def test_the_criterion_sees_columns_that_no_other_criterion_reads(released: Path) -> None:
    """From the files alone: a county that somebody writes back is found, although its role is keep."""
    from sharewell.io.sources import Source
    from sharewell.tables.wing import TablesWing

    claim = json.loads((released / "public" / "certificate.json").read_text())["datasets"]["people"]
    path = released.parent / "edited.csv"
    text = (released / "public" / "people.csv").read_text().splitlines()
    text[1] = text[1].replace(",,", ',"Middlesex",', 1)
    path.write_text("\n".join(text) + "\n")
    data = TablesWing().reopen(Source.of(path), claim["columns"])
    assert SafeHarborRule(SAID, year=2026).check(data).value == 1


def test_a_mechanism_that_cannot_do_it_is_refused_by_the_profile(tmp_path: Path) -> None:
    from pyarrow import csv

    csv.write_csv(FRAME, tmp_path / "people.csv")
    (tmp_path / "policy.yaml").write_text(POLICY.replace("using: safe-harbor", "using: mondrian"))
    assert main(["check", str(tmp_path / "policy.yaml")]) == 2


def test_a_limited_data_set_through_a_policy(tmp_path: Path) -> None:
    from pyarrow import csv

    csv.write_csv(FRAME, tmp_path / "people.csv")
    text = POLICY.replace("profile: hipaa-safe-harbor", "profile: hipaa-limited-data-set")
    text = text.replace("admitted: keep", "admitted: shift").replace("using: safe-harbor", "using: limited-data-set")
    text = re.sub(r"safe-harbor: \{.*", "limited-data-set: {columns: {sex: other, illness: other}}", text)
    (tmp_path / "policy.yaml").write_text(text.replace("{k: 2}", "{k: 1}"))
    assert main(["release", str(tmp_path / "policy.yaml")]) == 0
    assert main(["verify", str(tmp_path / "out" / "harbour")]) == 0


HIDDEN = {
    "social security numbers": [f"{123 + i}-45-{6780 + i}" for i in range(13)],
    "e-mail addresses": [f"ann{i}@example.org" for i in range(13)],
    "telephone numbers": [f"(617) 555-01{i:02}" for i in range(13)],
    "numbers abroad": [f"+41 44 668 18 {i:02}" for i in range(13)],
    "web addresses": [f"https://example.org/{i}" for i in range(13)],
    "network addresses": [f"10.1.2.{i}" for i in range(13)],
    "ZIP codes": [f"0213{i % 10}" for i in range(13)],
    "ZIP codes of the west": [f"9021{i % 10}" for i in range(13)],
    "ZIP+4": [f"02139-43{i:02}" for i in range(13)],
    "vehicles": ["1HGCM82633A004352"] + [""] * 12,
    "long numbers": [str(4_000_000_000 + 17 * i) for i in range(13)],
    "one among others": ["none"] * 12 + ["call bo@example.org"],
}


@pytest.mark.parametrize("what", HIDDEN)
@pytest.mark.parametrize("role", ["keep", "sensitive", "quasi"])
def test_identifiers_in_a_column_called_other_fail(what: str, role: str) -> None:
    """The steward's word is not enough: cells are read, whatever the role of the column."""
    frame = pa.table({"sex": ["F", "M"] * 6 + ["F"], "note": HIDDEN[what]})
    roles = {"quasi": ["sex"], role: ["note"]} if role != "quasi" else {"quasi": ["sex", "note"]}
    said = {"sex": "other", "note": "other"}
    published = Table.of(frame, **roles, published=True)  # type: ignore[arg-type]
    found = SafeHarborRule(said).check(published)  # type: ignore[arg-type]
    assert found.failed
    assert found.value == sum(bool(text) for text in HIDDEN[what]) if "one among" not in what else found.value == 1
    assert "though the column is called other" in found.parts[1].note
    with pytest.raises(Infeasible):
        SafeHarbor(said).protect(Table.of(frame, **roles), [])  # type: ignore[arg-type]
    limited = LimitedDataSetRule(said).check(published)  # type: ignore[arg-type]
    assert limited.failed == ("ZIP" not in what)


@pytest.mark.parametrize(
    "cells",
    [
        ["diabetes", "asthma", "none"] * 4 + ["E11.9"],
        [str(900 + 7 * i) for i in range(13)],
        [f"{i}.25" for i in range(13)],
        ["2019", "1980-1989", "[1-2]", "120/80", "10-20"] + ["3"] * 8,
        ["195967001"] * 7 + ["44054006"] * 6,  # concepts that many records share
        [str(1000 + 999 * i) for i in range(13)],  # of four and of five digits
    ],
)
def test_what_is_no_identifier_may_be_called_other(cells: list[str]) -> None:
    frame = pa.table({"sex": ["F"] * 13, "note": cells})
    said = {"sex": "other", "note": "other"}
    table = Table.of(frame, quasi=["sex"], keep=["note"], published=True)
    assert SafeHarborRule(said).check(table).ok  # type: ignore[arg-type]
    assert LimitedDataSetRule(said).check(table).ok  # type: ignore[arg-type]


TWO_SOCIAL, TWO_TELEPHONE = ["123456789", "219099999"], ["6175550142", "6175550199"]


def _called_other(cells: list[Any], who: list[str] | None = None) -> tuple[Any, Any]:
    frame = pa.table({"sex": ["F"] * len(cells), "note": cells} | ({"who": who} if who else {}))
    table = Table.of(frame, quasi=["sex"], keep=["note"], subject="who" if who else None, published=True)
    said: dict[str, Any] = {"sex": "other", "note": "other"}
    return SafeHarborRule(said).check(table), LimitedDataSetRule(said).check(table)


@pytest.mark.parametrize(
    "cells",
    [
        TWO_SOCIAL * 20,
        TWO_TELEPHONE * 20,
        [int(number) for number in TWO_SOCIAL * 20],
        [float(number) for number in TWO_TELEPHONE * 20],
        ["1" + number for number in TWO_TELEPHONE * 20],
        ["123.45.6789", "219.09.9999"],
        ["123\u201345\u20136789", "219\u221209\u22129999"],
        ["\uff11\uff12\uff13-\uff14\uff15-\uff16\uff17\uff18\uff19", "219_09_9999"],
        ["\u0661\u0662\u0663-\u0664\u0665-\u0666\u0667\u0668\u0669"],
        ["617\u2013555\u20130142", "617.555.0199", "617-5550199", "ring +41 44 668 18 01 first"],
        ["{123-45-6789,x}", "SSN123-45-6789", "(078-05-1120)"],
        ["{123456789,x}", "no. 219099999"],
        [[number] for number in TWO_SOCIAL],
    ],
)
def test_spelling_does_not_hide_numbers_of_persons(cells: list[Any]) -> None:
    for found in _called_other(cells):
        assert found.value == len(cells)


@pytest.mark.parametrize(
    ("cells", "codes"),
    [
        (["02139", "unknown"], 1),
        (["02139", "n/a", "10001", "02138"], 3),
        (["02139", "021"], 1),
        (["10001", "94110", "999", "0", "-9", "unknown"], 2),
        (["MA 02139", "NY 10001"], 2),
        (["lives in NY 10001", "none", "4", "17", "230"], 1),
        ([2139, 10001], 2),
        (["10001.0", "94110.0"], 2),
        ([10001.0, 94110.0, None], 2),
        (["{10001,94110}", "x"], 1),
    ],
)
def test_other_words_and_types_do_not_hide_zip_codes(cells: list[Any], codes: int) -> None:
    harbour, limited = _called_other(cells)
    assert harbour.value == codes
    assert limited.ok


@pytest.mark.parametrize("role", ["keep", "sensitive", "quasi"])
def test_a_long_number_is_counted_by_persons(role: str) -> None:
    """Seven visits a person do not make a number common; seven persons do."""
    numbers = [str(40_000_000_001 + 17 * i) for i in range(3) for _ in range(7)]
    said: dict[str, Any] = {"sex": "other", "note": "other"}
    for who, holds in (([str(i // 7) for i in range(21)], False), ([str(i) for i in range(21)], True)):
        frame = pa.table({"sex": ["F"] * 21, "note": numbers, "who": who})
        roles: dict[str, Any] = {"quasi": ["sex"], role: ["note"]} if role != "quasi" else {"quasi": ["sex", "note"]}
        table = Table.of(frame, **roles, subject="who", published=True)
        assert SafeHarborRule(said).check(table).ok == holds
        assert LimitedDataSetRule(said).check(table).ok == holds


def test_a_long_number_of_two_visits_is_seen_without_knowing_persons() -> None:
    numbers = [str(40_000_000_001 + 17 * i) for i in range(6)] * 2
    assert [found.value for found in _called_other(numbers)] == [12, 12]


@pytest.mark.parametrize(
    "cells",
    [
        [4.5, 7.25, 10001.5],
        ["1234.50", "10345.75", "998.00"],
        [12, 340, 9000],
        [2019, 1987, 2020],
        [15000, 23000, 12500, 4800],
        [98000, 150000, 210000],
        [0.123456789, 123.4567891],
        ["E11.9", "I10", "250.00"],
        ["25000", "0389", "4019", "42731", "00845", "V3000", "486", "5849"],  # ICD-9-CM without its dot
        ["12345-678-90", "0002-1433-80"],  # drugs
        ["195967001", "233604007", "386661006"],  # SNOMED CT, by the check digit
        ["2345-7", "718-7"],
    ],
)
def test_clinical_numbers_and_codes_may_be_called_other(cells: list[Any]) -> None:
    assert all(found.ok for found in _called_other(cells))


NAMES = {
    "identifier": "patient_name phone HomePhone e-mail ssn MRN passportNo account_number licencePlate ip_address UUID "
    "streetAddress patient_id visitID surname Vorname telefonnummer serial_number website fingerprint case_no person",
    "birth-date": "dob dateOfBirth birth_year BIRTHDATE geburtsdatum date_de_naissance",
    "age": "age age_at_visit AgeYears",
    "zip": "zip zip5 ZIPcode postal_code Postleitzahl PLZ",
    "geography": "city county home_town municipality Wohnort",
    "date": "visit_date dateSeen",
    "text": "notes free_comment",
    None: "sex state drug_name birth_weight platelets family_history medication number_of_visits image_quality ward "
    "admission_type dosage stage insurance_type cause",
}


@pytest.mark.parametrize(("name", "category"), [(n, kind) for kind, names in NAMES.items() for n in names.split()])
def test_the_judge_reads_names_by_the_words_of_the_rule(name: str, category: str | None) -> None:
    assert of_name(name) == category


@pytest.mark.parametrize(
    ("cell", "day"),
    [
        *((cell, True) for cell in ("2025-01-31", "31.01.2025", "1/31/2025", "2025-03", "03/2025", "31.1.25")),
        *((cell, True) for cell in ("Mar 5, 2025", "2025-01-31T10:00", "[2025-03-01..2025-04-01]")),
        *((cell, False) for cell in ("2025", "1980-1989", "120/80", "12.5", "E11.9", "may", "1.2.840.10008", "44")),
    ],
)
def test_the_judge_reads_days_and_months_by_groups_of_digits(cell: str, day: bool) -> None:
    assert tells_day(cell) is day


def test_the_judge_finds_what_a_mechanism_overlooks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Were all columns `other` to the mechanisms, the criteria would still refuse the release."""
    monkeypatch.setattr(
        hipaa_recognition, "categories", lambda table, columns, rest: dict.fromkeys(table.schema.roles, "other")
    )
    for name, value in {"home_phone": "555-0100", "surname": "Doe", "seen": "2025-01-31", "zip": "02139"}.items():
        table = Table.of(pa.table({"sex": ["F"], name: [value]}), quasi=["sex"], keep=[name])
        with pytest.raises(Infeasible, match="safe-harbor"):
            SafeHarbor(rest="other").protect(table, [])
        if name in ("home_phone", "surname"):
            with pytest.raises(Infeasible, match="limited-data-set"):
                LimitedDataSet(rest="other").protect(table, [])
