"""What names of columns say; the longer list of names is in test_hipaa.py."""

from __future__ import annotations

import pytest

from sharewell.tables.engine.checks.hipaa_names import (
    code_system,
    identifier_of,
    is_amount,
    is_wide_place,
    of_name,
    tells_part_of_date,
)

NAMES: dict[str | None, str] = {
    "birth-date": "dob DOB D.O.B. patientdob yearofbirth birth_month bday",
    "age": "age AGE ageyears age_months patient_age",
    "zip": "zip homezip ZIP+4 eircode",
    "identifier": "ssn soc_sec mrn tel lat lng credit_card number_plate udi photo patient_code account retina_scan",
    "geography": "city region province",
    "date": "admission_month weekday_of_discharge death_day",
    None: "retinopathy photophobia phototherapy_hours biometry months_since_admission birth_weight storage packages "
    "cardiac platelets mobility lateral longitudinal_study_arm vinblastine telemetry",
}


@pytest.mark.parametrize(("name", "kind"), [(name, kind) for kind, names in NAMES.items() for name in names.split()])
def test_what_names_say(name: str, kind: str | None) -> None:
    assert of_name(name) == kind


def test_which_identifier_a_name_says() -> None:
    said = {
        name: identifier_of(name) for name in ("ssn", "surname", "gps", "patient_id", "site_id", "snomed_id", "sex")
    }
    assert said == {
        "ssn": "number", "surname": "name", "gps": "place", "patient_id": "key", "site_id": "code",
        "snomed_id": None, "sex": None,
    }  # fmt: skip


def test_other_words_of_names() -> None:
    assert code_system("ICD10_code") == "icd"
    assert is_amount("totalCost")
    assert is_wide_place("region")
    assert not is_wide_place("city_region")
    assert tells_part_of_date("AdmissionMonth")
