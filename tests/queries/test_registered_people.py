"""Budgets belong to people: another name for their dataset is no new budget."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from sharewell.errors import PolicyError
from sharewell.plain_data import JsonObject
from sharewell.queries import Session
from sharewell.queries.engine.ledger import Ledger
from sharewell.queries.engine.ledger.registered_people import SIZE, register_people, sketch

POLICY = """\
sharewell: 1
release: {{name: r}}
datasets:
  {name}:
    kind: queries
    read: {{csv: {file}}}
    columns: {{person: {role}, sex: keep}}
    domains: {{sex: {{values: [F, M]}}}}
    {unit}budget: {{epsilon: 1, ledger: {ledger}{account}}}
write: {{csv: out}}
"""


def ask(
    place: Path, name: str, rows: list[str], *, account: str = "", ledger: str = "ledger.sqlite", role: str = "subject"
) -> float:
    (place / f"{name}.csv").write_text("\n".join(["person,sex", *rows]) + "\n")
    unit = "" if role == "subject" else "contributions: {unit: record}\n    "
    told = f", account: {account}" if account else ""
    text = POLICY.format(name=name, file=f"{name}.csv", role=role, unit=unit, ledger=ledger, account=told)
    (place / f"{name}.yaml").write_text(text)
    with Session.open(place / f"{name}.yaml") as session:
        session.ask({"measure": "count"}, epsilon=0.6)
        return min((one.remaining.epsilon or 0) / 1e9 for one in session.budget().values())


PEOPLE = [f"p{i},{'FM'[i % 2]}" for i in range(200)]
SAME = {
    "the same file": PEOPLE,
    "in another order": PEOPLE[::-1],
    "spelt otherwise": [one.replace("p", "P") for one in PEOPLE],
    "with half of them, and others": PEOPLE[:100] + [one.replace("p", "q") for one in PEOPLE[:100]],
}


@pytest.mark.parametrize("rows", SAME.values(), ids=SAME)
def test_a_dataset_under_another_name_has_no_budget_of_its_own(tmp_path: Path, rows: list[str]) -> None:
    assert ask(tmp_path, "visits", PEOPLE) == pytest.approx(0.4)
    with pytest.raises(PolicyError, match=r"account 'visits' of the same people.*account: visits"):
        ask(tmp_path, "renamed", rows)


def test_who_names_the_account_goes_on_with_what_is_left_of_it(tmp_path: Path) -> None:
    ask(tmp_path, "visits", PEOPLE)
    with pytest.raises(Exception, match="left"):
        ask(tmp_path, "renamed", PEOPLE[:-1], account="visits")


def test_other_people_and_other_ledgers_have_their_own(tmp_path: Path) -> None:
    ask(tmp_path, "visits", PEOPLE)
    assert ask(tmp_path, "others", [one.replace("p", "q") for one in PEOPLE]) == pytest.approx(0.4)
    assert ask(tmp_path, "again", PEOPLE, ledger="second.sqlite") == pytest.approx(0.4)


def test_rows_without_persons_are_known_by_all_of_them(tmp_path: Path) -> None:
    ask(tmp_path, "visits", PEOPLE, role="drop")
    with pytest.raises(PolicyError, match="of the same people"):
        ask(tmp_path, "renamed", PEOPLE[::-1], role="drop")
    assert ask(tmp_path, "others", PEOPLE[1:], role="drop") == pytest.approx(0.4)


@dataclass
class Named:
    """What data says of itself to the ledger."""

    version: str
    names: list[str]
    protects: JsonObject = field(default_factory=lambda: dict(PERSONS))
    asked: int = 0

    @property
    def file(self) -> str:
        return self.version

    def people(self) -> list[str]:
        self.asked += 1
        return self.names


PERSONS: JsonObject = {"unit": "person", "subject": "person", "neighbours": "add-remove"}


def test_the_log_of_both_databases_keeps_it(where: str) -> None:
    with Ledger.open(where) as ledger:
        data = Named("file 1", ["Ann", "Bob"])
        register_people(ledger, "dataset:a", data)
        register_people(ledger, "dataset:a", data)
        assert data.asked == 1, "a file that is known is not read again"
        with pytest.raises(PolicyError, match="account 'a'"):
            register_people(ledger, "dataset:b", Named("file 2", ["bob", "Cem"]))
        register_people(ledger, "dataset:b", Named("file 3", ["Cem"]))
        with pytest.raises(PolicyError, match="account 'b'"):
            register_people(ledger, "dataset:a", Named("file 4", ["Ann", "Cem"]))
        assert ledger.verify_chain().ok
        assert not any("Ann" in str(one) for one in ledger.noted("people"))


@pytest.mark.parametrize(
    ("said", "file", "refused"),
    [
        ({"neighbours": "change-one"}, "file 2", "neighbours: add-remove"),
        ({"unit": "record", "subject": None}, "file 2", "unit: person"),
        ({"subject": "ward"}, "file 1", "subject: person"),
        ({"subject": "patient"}, "file 2", None),
        ({}, "file 2", None),
    ],
)
def test_an_account_counts_losses_of_one_kind(tmp_path: Path, said: JsonObject, file: str, refused: str | None) -> None:
    """Losses of a record and of a person, or of an addition and of a replacement, add up to nothing that holds."""
    with Ledger.open(tmp_path / "ledger.sqlite") as ledger:
        register_people(ledger, "dataset:a", Named("file 1", ["Ann"]))
        other = Named(file, ["Bob"], PERSONS | said)
        if refused is None:
            register_people(ledger, "dataset:a", other)
            return
        for _ in range(2):
            with pytest.raises(PolicyError, match=f"counts losses with {refused}"):
                register_people(ledger, "dataset:a", other)
        with pytest.raises(PolicyError, match="mode: noisy"):
            register_people(ledger, "dataset:a", Named("file 1", ["Ann"]), "exact")


def test_a_file_whose_rows_are_called_records_is_still_the_file(tmp_path: Path) -> None:
    """Its persons are not named then, so that only the file tells whose account it is."""
    ask(tmp_path, "visits", PEOPLE)
    (tmp_path / "renamed.csv").write_bytes((tmp_path / "visits.csv").read_bytes())
    with pytest.raises(PolicyError, match="account 'visits' of the same people"):
        ask(tmp_path, "renamed", PEOPLE, role="drop")


def test_a_sketch_is_small_and_shows_a_half_in_common() -> None:
    for first in range(20):
        ours, theirs = (range(start, start + 1_000) for start in (first * 2_000, first * 2_000 + 500))
        found = [set(sketch("ledger", map(str, people))) for people in (ours, theirs)]
        assert len(found[0]) == SIZE
        assert found[0] & found[1]
