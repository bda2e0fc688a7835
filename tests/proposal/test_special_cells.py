"""What cells hold besides plain values."""

from __future__ import annotations

import pyarrow as pa
import pytest

from sharewell.proposal.profile import measure
from sharewell.proposal.special_cells import CellForm, form_of

CASES = [
    ("dx", ["E11.9|I10", "J45.909|I10|C50.911", "I10"] * 8, CellForm(True, "icd10cm", "|")),
    ("x", ["E11.9; I10", "J45.909; C50.911", "I10"] * 8, CellForm(True, "icd10cm", ";")),
    ("dx", ["250.00,401.9", "V58.11,401.9", "250.00"] * 8, CellForm(True, "icd9cm", ",")),
    ("dx", ["E11.9", "I10", "J45.909"] * 8, CellForm(True, "icd10cm")),
    ("drugs", ["aspirin|metformin", "insulin|aspirin"] * 8, CellForm()),
    ("seq", ["ACGTACGTACGTACGTACGTACGT", "ACGTACGTACGTACGTACGTAC-N"] * 4, CellForm(what="bases")),
    ("rs334", ["0", "1", "2", "1"] * 4, CellForm(what="alleles")),
    ("stage", ["1", "2", "3", "4"] * 4, CellForm()),
]


@pytest.mark.parametrize(("name", "values", "expected"), CASES)
def test_forms(name: str, values: list[str], expected: CellForm) -> None:
    assert form_of(measure(name, pa.array(values))) == expected
