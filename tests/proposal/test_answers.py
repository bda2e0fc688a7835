"""What a steward says about a release goes before what the data suggests."""

from __future__ import annotations

from pathlib import Path

import plain_files
import pytest
from ruamel.yaml import YAML

from sharewell.errors import PolicyError
from sharewell.proposal import Answers, Proposal
from sharewell.proposal.answers import chosen

KNOWN = ["age", "sex", "zip", "first name"]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("", ("age", "sex")),
        ("zip", ("zip",)),
        ("zip, age", ("zip", "age")),
        ("+zip", ("age", "sex", "zip")),
        ("-age, +first name", ("sex", "first name")),
        ("none", ()),
        ("age, age", ("age",)),
    ],
)
def test_columns_are_listed_or_changed(answer: str, expected: tuple[str, ...]) -> None:
    assert chosen(answer, ["age", "sex"], KNOWN) == expected


def test_an_unknown_column_is_refused_with_one_that_is_near() -> None:
    with pytest.raises(PolicyError, match="did you mean 'zip'"):
        chosen("zpi", [], KNOWN)


def roles(path: Path, answers: Answers) -> dict[str, str]:
    text = Proposal.of([path], answers=answers).text
    plain = YAML(typ="safe", pure=True).load(text)["datasets"]["people"]["columns"]
    return {name: rule if isinstance(rule, str) else rule["role"] for name, rule in plain.items()}


def test_named_roles_stand_and_what_is_left_out_is_not_published(tmp_path: Path) -> None:
    path = plain_files.people(tmp_path / "people.csv")
    found = roles(path, Answers(quasi=("birth_date",), sensitive=("sex",)))
    assert found == {
        "patient_id": "subject",
        "given": "drop",
        "family": "drop",
        "birth_date": "quasi",
        "sex": "sensitive",
        "disease": "drop",
    }


def test_no_person_means_that_records_are_counted(tmp_path: Path) -> None:
    path = plain_files.people(tmp_path / "people.csv")
    assert "subject" not in roles(path, Answers(person="")).values()


def test_a_profile_without_a_class_size_gets_one(tmp_path: Path) -> None:
    path = plain_files.people(tmp_path / "people.csv")
    assert "k-anonymity: {k: 11}" in Proposal.of([path], answers=Answers(profile="gdpr-wp216")).text
    assert "k-anonymity" not in Proposal.of([path]).text
