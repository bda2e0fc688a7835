"""A policy against its data: headers, populations and hierarchy files, each with the line of the policy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from policy_texts import HEADER, VALID, refusal

from sharewell.errors import DataError
from sharewell.policy import Policy, check
from sharewell.policy.data_check import against_data

Checked = Callable[[str], Policy]
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "example", sorted((ROOT / "examples").glob("*/policy.yaml")), ids=lambda path: path.parent.name
)
def test_the_examples_have_no_mistakes(example: Path) -> None:
    assert check(example).datasets


def test_a_valid_policy_agrees_with_its_data(checked: Checked) -> None:
    assert against_data(checked(VALID)) == []


@pytest.mark.parametrize(
    ("old", "new", "place", "said"),
    [
        ("      name: drop\n", "", "9:5", "1 column(s) of patients.csv without a role: name"),
        ("name: drop", "nam: drop", "11:7", "patients.csv has no such column — did you mean 'name'?"),
        ("csv: patients.csv", "csv: patient.csv", "7:5", "patient.csv — no such file — did you mean 'patients.csv'?"),
        ("csv: people.csv", "csv: ref/people.csv", "20:25", "ref/people.csv — no such file"),
        ("csv: people.csv", "csv: people.csv, columns: {zip: ZIP}", "20:25", "no column 'ZIP'"),
        ("type: number", "hierarchy: {csv: ages.csv}", "12:26", "ages.csv — cannot be read"),
        ("type: number", "hierarchy: {csv: patients.csv, ongap: root}", "12:26", "did you mean 'on_gap'?"),
    ],
)
def test_what_the_data_lacks_is_told_with_its_place(
    checked: Checked, old: str, new: str, place: str, said: str
) -> None:
    lines = str(refusal(checked, VALID.replace(old, new, 1))).splitlines()
    assert any(line.startswith(f"policy.yaml:{place}:") and said in line for line in lines), lines


def test_rest_gives_every_other_column_a_role(checked: Checked) -> None:
    assert checked(VALID.replace("      name: drop\n", "").replace("    columns:", "    rest: drop\n    columns:"))


def test_mistakes_of_the_policy_and_of_its_data_are_told_together(checked: Checked) -> None:
    text = VALID.replace("k: 5", "k: 0").replace("name: drop", "nam: drop").replace("age: {role", "age: {rolle")
    mistakes = refusal(checked, text).mistakes
    assert {mistake.line for mistake in mistakes} == {9, 11, 12, 17}


def test_cells_are_never_quoted(tmp_path: Path) -> None:
    (tmp_path / "policy.yaml").write_text(VALID.replace("type: number", "hierarchy: {csv: tree.csv}"))
    (tmp_path / "patients.csv").write_text(HEADER + "canary,canary,canary\n" * 3)
    (tmp_path / "people.csv").write_bytes(b"\xff\xfe\xfacanary\n")
    (tmp_path / "tree.csv").write_text("canary;a;*\nb;canary;*\ncanary;c;*\nc;b;*\n")
    with pytest.raises(DataError) as caught:
        check(tmp_path / "policy.yaml")
    assert "canary" not in str(caught.value)
