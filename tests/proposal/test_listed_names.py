"""Names of people are recognised by lists where the name of the column says nothing."""

from __future__ import annotations

from pathlib import Path

import plain_files

from sharewell.proposal.draft import seen
from sharewell.proposal.listed_names import are_people, tells_of_people
from sharewell.roles import Role

PEOPLE = ("Mary Smith", "John Brown", "Linda Garcia", "Robert Johnson")
REMARKS = tuple(f"{said} {name} today." for said in ("Spoke with", "Missed") for name in PEOPLE)
TOWNS = ("Boston", "Jackson", "Franklin", "Madison", "Nashville", "Houston", "Lincoln", "Austin", "Dallas", "Aurora")


def test_few_names_and_few_sentences_with_names_are_not_proposed_as_quasi(tmp_path: Path) -> None:
    """They would be published as they are, in sets, because they repeat so often."""
    rows = [(f"p{i}", 20 + i % 50, PEOPLE[i % 4], REMARKS[i % 8], TOWNS[i % 10]) for i in range(200)]
    [one] = seen([plain_files.write(tmp_path / "d.csv", ["patient_id", "age", "x1", "x2", "x3"], rows)])
    looks = {column.name: column for column in one.columns}
    assert (looks["x1"].role, looks["x2"].role, looks["x3"].role) == (Role.DROP, Role.DROP, Role.QUASI)
    assert looks["x2"].topic == "free text"


def test_given_names_are_people_and_towns_and_labels_are_not() -> None:
    given = ("Mary", "John", "Linda", "Robert", "Susan", "Karen", "David", "James", "Maria", "Jose", "Peter")
    assert are_people(given)
    assert not are_people(TOWNS)
    assert not tells_of_people(["Discharged to home", "Transferred to another hospital", "Left against advice"] * 3)
