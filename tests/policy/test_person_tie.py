"""The key `person`: every mistake at its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from sharewell.errors import PolicyError
from sharewell.policy import load

POLICY = """
sharewell: 1
release: {{name: tied}}
{person}
datasets:
  patients:
    kind: tables
    read: {{csv: patients.csv}}
    link: {link}
    columns: {{id: subject, age: quasi, admitted: {{role: shift, most_days: 30}}}}
    require: [k-anonymity: {{k: 2}}]
    using: mondrian
  visits:
    kind: tables
    read: {{csv: visits.csv}}
    link: {link}
    columns: {{id: subject, ward: quasi, admitted: {{role: shift, most_days: {days}}}}}
    require: [k-anonymity: {{k: 2}}]
    using: mondrian
  notes:
    kind: notes
    read: {{jsonl: notes.jsonl}}
    columns: {{id: subject, body: text}}
    require: [safe-harbor]
    using: replace
"""
GOOD = (
    "person: {table: patients, key: id, require: [joined-k-anonymity: {k: 2, knows: {patients: [age], visits: 1}}],"
    " using: joined-suppression}"
)


def mistakes(place: Path, person: str, *, link: bool = True, days: int = 30) -> list[str]:
    path = place / "policy.yaml"
    path.write_text(POLICY.format(person=person, link=str(link).lower(), days=days))
    try:
        load(path)
    except PolicyError as error:
        return [str(one) for one in error.mistakes]
    return []


def test_a_tie_ties_whatever_names_persons(tmp_path: Path) -> None:
    assert mistakes(tmp_path, GOOD) == []
    policy = load(tmp_path / "policy.yaml")
    assert policy.person is not None
    assert policy.person.table == "patients"
    assert [one.tied for one in policy.datasets.values()] == [True, True, True]


def test_without_a_tie_nothing_is_tied(tmp_path: Path) -> None:
    assert mistakes(tmp_path, "", link=False) == []
    assert not any(one.tied for one in load(tmp_path / "policy.yaml").datasets.values())


@pytest.mark.parametrize(
    ("person", "said"),
    [
        ("", "one pseudonym across datasets needs a joint criterion"),
        ("person: {table: patients, key: id}", "one pseudonym across datasets needs a joint criterion"),
        (GOOD.replace("table: patients", "table: patient"), "no dataset of this name"),
        (GOOD.replace("key: id", "key: age"), "not the subject column of patients"),
        (GOOD.replace("visits: 1", "visit: 1"), "no dataset of this name"),
        (GOOD.replace("visits: 1", "visits: 0"), "one pseudonym across datasets needs a joint criterion"),
        (GOOD.replace("patients: [age]", "patients: []"), "one pseudonym across datasets needs a joint criterion"),
        (GOOD.replace("k: 2", "k: 1"), "one pseudonym across datasets needs a joint criterion"),
        (GOOD.replace("visits: 1", "visits: -1"), "what is known of visits must be"),
        (GOOD.replace("joined-suppression", "mondrian"), "mondrian"),
        (
            GOOD.replace("joined-k-anonymity: {k: 2, knows: {patients: [age], visits: 1}}", "draws-together"),
            "by itself",
        ),
        ("person: {table: patients, key: id, using: joined-suppression}", "no joint criterion is required"),
        ("person: {table: patients, key: id, tables: more}", "tables"),
        ("person: patients", "person"),
    ],
)
def test_every_mistake_is_said_at_its_place(tmp_path: Path, person: str, said: str) -> None:
    found = mistakes(tmp_path, person)
    assert any(said in one for one in found), found


@pytest.mark.parametrize("given", ["1", "{any: 1}"])
def test_one_number_for_codes_and_dna_is_refused(tmp_path: Path, given: str) -> None:
    record = """
  record:
    kind: joint
    read: {csv: codes.csv}
    genotypes: {csv: snps.csv}
    columns: {id: subject, code: quasi, rs6025: quasi}
    require: [joined-record: {k: 2, m: 1, snps: 1}]
    using: joined-anonymization
"""
    path = tmp_path / "policy.yaml"
    for known, refused in ((given, True), ("{codes: 1, snps: 1}", False)):
        person = GOOD.replace("visits: 1", f"visits: 1, record: {known}")
        path.write_text(POLICY.format(person=person, link="true", days=30) + record)
        try:
            load(path)
            found = []
        except PolicyError as error:
            found = [str(one) for one in error.mistakes]
        assert any("such as record: {codes: 1, snps: 1}" in one for one in found) is refused, found
        assert refused or not found


def test_linked_dates_move_equally_far(tmp_path: Path) -> None:
    assert any("give all of them the same most_days" in one for one in mistakes(tmp_path, GOOD, days=60))


def test_a_link_takes_the_place_of_other_pseudonyms(tmp_path: Path) -> None:
    mistakes(tmp_path, GOOD)
    path = tmp_path / "policy.yaml"
    path.write_text(path.read_text().replace("link: true", "link: true\n    publish: within-class", 1))
    with pytest.raises(PolicyError, match="takes the place of every other"):
        load(path)
