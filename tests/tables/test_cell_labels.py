"""Labels within cells; what they make of whole columns is in test_identifier_formats.py."""

from __future__ import annotations

import pytest

from sharewell.tables.engine.checks.cell_labels import DAY, LABELLED, RECORD, labelled, unlabelled
from sharewell.tables.engine.checks.identifier_numbers import POSTAL


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("ZIP02139", [POSTAL]),
        ("zip code: 2139", [POSTAL]),
        ("ZIP 036", [POSTAL]),
        ("ZIP 021", []),
        ("MRN 3", [RECORD]),
        ("medical record # H-4711", [RECORD]),
        ("pt id 44", [RECORD]),
        ("patient 44", []),
        ("case no. 4711", [LABELLED]),
        ("visit number 12", []),
        ("Tel. 555-0100", [LABELLED]),
        ("passport C01X00T47", [LABELLED]),
        ("passport 2019", []),
        ("account 12345 USD", []),
        ("dob: 010581", [DAY]),
        ("date 2025", []),
        ("mRNA 12345", []),
        ("placard 12345", []),
    ],
)
def test_what_labels_say(text: str, kinds: list[str]) -> None:
    assert list(labelled(text)) == kinds


def test_what_stands_behind_a_label() -> None:
    assert list(unlabelled("IP10.1.2.3")) == ["10.1.2.3"]
    assert list(unlabelled("stage 3")) == []
