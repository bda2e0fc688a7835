"""What cells hold besides plain values."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from sharewell.proposal.draft import seen
from sharewell.proposal.profile import measure
from sharewell.proposal.special_cells import CellForm, form_of
from sharewell.proposal.survey import with_subject

CASES = [
    ("dx", ["E11.9|I10", "J45.909|I10|C50.911", "I10"] * 8, CellForm(True, "icd10cm", "|")),
    ("x", ["E11.9; I10", "J45.909; C50.911", "I10"] * 8, CellForm(True, "icd10cm", ";")),
    ("dx", ["250.00,401.9", "V58.11,401.9", "250.00"] * 8, CellForm(True, "icd9cm", ",")),
    ("Diagnosen", ["I10.90|E11.90", "J44.19|I25.11|F32.1", "I10.90"] * 8, CellForm(True, "prefix", "|")),
    ("x", ["I10.90|E11.90", "J44.19|I25.11|F32.1", "I10.90"] * 8, CellForm()),
    ("diagnosis", ["asthma|gout", "influenza|gout"] * 8, CellForm()),
    ("dx", ["E11.9", "I10", "J45.909"] * 8, CellForm(True, "icd10cm")),
    ("drugs", ["aspirin|metformin", "insulin|aspirin"] * 8, CellForm()),
    ("seq", ["ACGTACGTACGTACGTACGTACGT", "ACGTACGTACGTACGTACGTAC-N"] * 4, CellForm(what="bases")),
    ("rs334", ["0", "1", "2", "1"] * 4, CellForm(what="alleles")),
    ("stage", ["1", "2", "3", "4"] * 4, CellForm()),
]


@pytest.mark.parametrize(("name", "values", "expected"), CASES)
def test_forms(name: str, values: list[str], expected: CellForm) -> None:
    assert form_of(measure(name, pa.array(values))) == expected


def test_the_number_of_a_person_is_no_code_of_a_classification(tmp_path: Path) -> None:
    """P001 is a newborn's diagnosis in ICD-10, and a patient's number in many a hospital."""
    rows = "".join(f"P{i % 30:03d},d{i}\n" for i in range(60))
    (tmp_path / "visits.csv").write_text(f"patient_id,visit_id\n{rows}")
    [one] = seen([tmp_path / "visits.csv"])
    assert (one.subject, one.columns[0].cells.codes) == ("patient_id", False)
    (tmp_path / "other.csv").write_text(f"Kartei,visit_id\n{rows}")
    [other] = seen([tmp_path / "other.csv"])
    assert not with_subject(other, "Kartei").columns[0].cells.codes, "nor is a column that the steward calls the person"
