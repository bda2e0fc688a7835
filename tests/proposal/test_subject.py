"""Which column says whom a record is about."""

from __future__ import annotations

import pyarrow as pa
import pytest

from sharewell.io.sources import Source
from sharewell.proposal import look

REPEATED = [f"r{i // 3}" for i in range(60)]
UNIQUE = [f"u{i}" for i in range(60)]

CASES = [
    ({"patient_id": REPEATED, "visit_id": UNIQUE}, "patient_id"),
    ({"patient_id": UNIQUE}, "patient_id"),
    ({"id": UNIQUE, "PATIENT": REPEATED}, "PATIENT"),
    ({"mrn": REPEATED, "subjectId": REPEATED}, "subjectId"),
    ({"mrn": REPEATED}, "mrn"),
    ({"mrn": UNIQUE}, None),
    ({"id": REPEATED}, "id"),
    ({"id": UNIQUE}, None),
    ({"person": [None] * 59 + ["a"], "participant": REPEATED}, "participant"),
    ({"Patientennummer": REPEATED}, "Patientennummer"),
    ({"id_paciente": REPEATED}, "id_paciente"),
    ({"biobank_id": UNIQUE}, "biobank_id"),
    ({"respondent_id": REPEATED}, "respondent_id"),
    ({"eid": UNIQUE}, "eid"),
    ({"subject line": REPEATED}, None),
    ({"city": REPEATED}, None),
]


@pytest.mark.parametrize(("columns", "expected"), CASES)
def test_one_subject_is_chosen(columns: dict[str, list[str]], expected: str | None) -> None:
    chosen = [c.name for c in look(Source.of(pa.table(columns))) if c.role == "subject"]
    assert chosen == ([expected] if expected else [])


def test_other_candidates_are_dropped_and_counted() -> None:
    first, second = look(Source.of(pa.table({"person_id": REPEATED, "patient_id": REPEATED})))
    assert (first.role, second.role, "1 other" in first.reasons[-1]) == ("subject", "drop", True)
