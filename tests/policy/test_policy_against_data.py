"""A policy against its data: headers, populations and hierarchy files, each with the line of the policy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from policy_texts import HEADER, VALID, refusal

from sharewell.errors import DataError, SharewellError
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


HEADLESS = """\
sharewell: 1
release: {name: r}
datasets:
  people:
    kind: tables
    read: {csv: people.csv}
    columns: {M: quasi}
    REST
    require: [k-anonymity: {k: 2}]
    using: mondrian
write: {csv: out}
"""


@pytest.mark.parametrize("rest", ["rest: drop", "rest: quasi", ""])
def test_a_first_record_in_place_of_a_header_is_refused_and_not_repeated(tmp_path: Path, rest: str) -> None:
    """Columns that the policy does not name would stand in the dossier by their names, which are somebody's cells."""
    rows = [f"Ann{i} Lowe{i},{20 + i},{'MF'[i % 2]},2021-03-0{1 + i % 9}" for i in range(12)]
    (tmp_path / "people.csv").write_text("\n".join(rows) + "\n")
    (tmp_path / "policy.yaml").write_text(HEADLESS.replace("REST", rest))
    with pytest.raises(SharewellError) as refused:
        check(tmp_path / "policy.yaml")
    assert "policy.yaml:6:5: datasets.people.read — people.csv — has no header line, it seems" in str(refused.value)
    assert "give each column a role instead of rest:" in str(refused.value)
    assert "Ann0" not in str(refused.value)


def test_names_like_values_are_accepted_where_the_policy_gives_each_a_role(tmp_path: Path) -> None:
    rows = ["a-10,b-20"] + [f"a-{10 + i % 2},b-{20 + i % 2}" for i in range(12)]
    (tmp_path / "people.csv").write_text("\n".join(rows) + "\n")
    policy = HEADLESS.replace("REST", "").replace("{M: quasi}", "{a-10: quasi, b-20: drop}")
    (tmp_path / "policy.yaml").write_text(policy)
    assert check(tmp_path / "policy.yaml").datasets


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
