"""Which column says whom a record is about."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.proposal import look

REPEATED = [f"r{i // 3}" for i in range(60)]
UNIQUE = [f"u{i}" for i in range(60)]
NAMES = ["García, Íñigo", "Núñez, Begoña", "Muñoz, José"] * 20
SMALL = ["x", "y"] * 45
SNPS = {f"rs{i}": [(j * i) % 3 for j in range(60)] for i in range(1, 9)}

CASES = [
    ({"patient_id": REPEATED, "visit_id": UNIQUE}, "patient_id"),
    ({"patient_id": UNIQUE}, "patient_id"),
    ({"id": UNIQUE, "PATIENT": REPEATED}, "PATIENT"),
    ({"mrn": REPEATED, "subjectId": REPEATED}, "subjectId"),
    ({"mrn": REPEATED}, "mrn"),
    ({"mrn": UNIQUE}, "mrn"),
    ({"mrn": UNIQUE, "patient_id": REPEATED}, "patient_id"),
    ({"mrn": [*UNIQUE[:-1], None]}, None),
    ({"DNI": REPEATED}, "DNI"),
    ({"CPR": REPEATED}, "CPR"),
    ({"mother_hosp_no": REPEATED}, "mother_hosp_no"),
    ({"תעודת זהות": REPEATED}, "תעודת זהות"),
    ({"患者ID": REPEATED, "氏名": NAMES}, "患者ID"),
    ({"Номер пациента": REPEATED}, "Номер пациента"),
    ({"key": [f"{100 + i // 3}-10-{2000 + i // 3}" for i in range(60)]}, "key"),
    ({"key": [f"{100 + i}-10-{2000 + i}" for i in range(60)]}, None),
    ({"Paciente": NAMES}, "Paciente"),
    ({"Paciente": NAMES, "DNI": UNIQUE}, "DNI"),
    ({"Paciente": NAMES, "mrn": REPEATED}, "mrn"),
    ({"patient": ["Mary Smith", "John Brown", "Linda Garcia", "James Jones"] * 15}, "patient"),
    ({"user": REPEATED}, "user"),
    ({"user": UNIQUE}, None),
    ({"user": REPEATED, "patient_id": UNIQUE}, "patient_id"),
    ({"user": REPEATED, "mrn": REPEATED}, "mrn"),
    ({"Kunde": [f"KD-{i // 3:04}" for i in range(90)]}, "Kunde"),
    ({"ward": ["W1", "W2", "W3"] * 20}, None),
    ({"code": [f"{'ABC'[i % 3]}{i // 3}" for i in range(60)]}, None),
    ({"a": SMALL, "b": SMALL, "c": SMALL, "d": [f"u{i // 3}" for i in range(90)]}, None),
    ({"sample_id": UNIQUE, **SNPS}, "sample_id"),
    ({"IID": UNIQUE, **SNPS}, "IID"),
    ({"sample_id": UNIQUE}, None),
    ({"id": REPEATED}, "id"),
    ({"id": UNIQUE}, None),
    ({"person": [None] * 59 + ["a"], "participant": REPEATED}, "participant"),
    ({"Patientennummer": REPEATED}, "Patientennummer"),
    ({"id_paciente": REPEATED}, "id_paciente"),
    ({"biobank_id": UNIQUE}, "biobank_id"),
    ({"respondent_id": REPEATED}, "respondent_id"),
    ({"eid": UNIQUE}, "eid"),
    ({"subject line": ["cough", "fever"] * 30}, None),
    ({"city": REPEATED}, None),
]


@pytest.mark.parametrize(("columns", "expected"), CASES)
def test_one_subject_is_chosen(columns: dict[str, list[Any]], expected: str | None) -> None:
    chosen = [c.name for c in look(Source.of(pa.table(columns))) if c.role == "subject"]
    assert chosen == ([expected] if expected else [])


def test_other_candidates_are_dropped_and_counted() -> None:
    first, second = look(Source.of(pa.table({"person_id": REPEATED, "patient_id": REPEATED})))
    assert (first.role, second.role, "1 other" in first.reasons[-1]) == ("subject", "drop", True)


def test_a_number_is_no_person_where_names_and_births_repeat() -> None:
    """Two numbers of one person, of two hospitals say: names and dates of birth tell more."""
    born = [f"19{30 + i // 3}-03-01" for i in range(60)]
    rows = {"mrn": UNIQUE, "last_name": [f"Name{i // 3}" for i in range(60)], "birth_date": born}
    [chosen] = [c.name for c in look(Source.of(pa.table(rows))) if c.role == "subject"]
    assert chosen == "person"


def test_persons_inside_objects_are_refused_without_repeating_them() -> None:
    cells = [f'{{"reference": "Patient/{i // 3}", "display": "Ann Lee"}}' for i in range(60)]
    with pytest.raises(
        DataError, match="column subject says whom a record is about, but its cells are objects"
    ) as caught:
        look(Source.of(pa.table({"subject": cells, "code": REPEATED})))
    assert "Lee" not in str(caught.value)
