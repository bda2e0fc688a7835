"""Which columns of a row its text is searched for: names of the person, also where they are the person's only key."""

from __future__ import annotations

from pathlib import Path

import pytest

from sharewell.policy import load

POLICY = """\
sharewell: 1
release: {name: r}
datasets:
  visits:
    kind: tables
    read: READ
    columns: COLUMNS
    using: mondrian
    require: [k-anonymity: {k: 2}]
write: {csv: out}
"""
JOINED = "{csv: visits.csv, clean: {person: {join: [patient, dob]}}}"
CASES = [
    ("{csv: visits.csv}", "{patient_id: subject, remarks: text}", None),
    ("{csv: visits.csv}", "{mrn: subject, remarks: text}", None),
    ("{csv: visits.csv}", "{patient_name: subject, remarks: text}", {"names": ("patient_name",)}),
    (JOINED, "{person: subject, remarks: text}", {"names": ("patient",), "dates": ("dob",)}),
    (JOINED, "{person: subject, patient: drop, dob: quasi, remarks: text}", {"names": ("patient",), "dates": ("dob",)}),
]


@pytest.mark.parametrize(("read", "columns", "expected"), CASES)
def test_names_that_are_the_person_are_searched_for(
    tmp_path: Path, read: str, columns: str, expected: dict[str, tuple[str, ...]] | None
) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text(POLICY.replace("READ", read).replace("COLUMNS", columns))
    known = load(path).datasets["visits"].columns["remarks"].known
    assert known == (expected or {})
