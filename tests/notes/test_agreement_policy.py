"""Which columns a text is held against, where the policy leaves it to their names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sharewell.policy import load

HEAD = """\
sharewell: 1
release: {name: r}
datasets:
  people:
    kind: tables
    read: {csv: people.csv}
    require: [k-anonymity: {k: 2}]
    using: mondrian
    columns: {who: subject, remarks: text, other: quasi, COLUMNS}
"""


def parameters(tmp_path: Path, columns: str) -> dict[str, Any] | None:
    path = tmp_path / "policy.yaml"
    path.write_text(HEAD.replace("COLUMNS", columns))
    rule = load(path).datasets["people"].columns["remarks"]
    found = [one for one in rule.require if one.name == "text-agrees-with-table"]
    return dict(found[0].parameters) if found else None


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ("age: quasi", {"ages": ("age",)}),
        ("age: keep", None),
        ("age: keep, birth_date: drop", {"ages": ("age",), "hidden": ("birth",)}),
        ("age: drop", {"hidden": ("age",)}),
        ("sex: drop, gender: keep", None),
        ("sex: drop", {"hidden": ("sex",)}),
        ("dob: {role: quasi, hierarchy: date}", {"births": ("dob",)}),
        ("admitted: {role: quasi, hierarchy: date}", {"dates": ("admitted",)}),
        ("admitted: shift", None),
        ("admitted: drop", None),
        ("zip: {role: quasi, hierarchy: zip}, city: quasi", {"zips": ("zip",), "places": ("city",)}),
        ("diagnosis: sensitive", None),
        ("diagnosis: drop", {"hidden": ("diagnosis",)}),
        (
            "diagnosis: {role: quasi, hierarchy: icd10cm}",
            {"diagnoses": ("diagnosis",), "codes": ("diagnosis",), "labelled": ("diagnosis",)},
        ),
    ],
)
def test_columns_are_chosen_by_role_and_name(tmp_path: Path, columns: str, expected: dict[str, Any] | None) -> None:
    assert parameters(tmp_path, columns) == expected


def test_what_is_not_searched_for_is_said(tmp_path: Path) -> None:
    parameters(tmp_path, "age: quasi")
    decisions = load(tmp_path / "policy.yaml").decisions
    assert any(one.endswith("cells of age; not searched for: other") for one in decisions)


def test_a_dropped_diagnosis_is_known_of_the_person(tmp_path: Path) -> None:
    parameters(tmp_path, "diagnosis: drop")
    assert load(tmp_path / "policy.yaml").datasets["people"].columns["remarks"].known == {"others": ("diagnosis",)}


def test_race_and_the_like_are_searched_for_as_words(tmp_path: Path) -> None:
    policy = tmp_path / "policy.yaml"
    (tmp_path / "d.csv").write_text("who,race,weight,remarks\na,Black,70,x\n")
    policy.write_text(
        "sharewell: 1\nrelease: {name: r}\ndatasets:\n  d:\n    kind: tables\n    read: {csv: d.csv}\n"
        "    columns: {who: subject, race: quasi, weight: quasi, remarks: text}\n"
        "    require: [k-anonymity: {k: 2}]\n    using: mondrian\n"
    )
    decided = " ".join(load(policy).decisions)
    assert "it must not disclose more than the row's published cells of race; not searched for: weight" in decided
