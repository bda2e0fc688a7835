"""Budgets belong to people: another name for their dataset is no new budget."""

from __future__ import annotations

from pathlib import Path

import pytest

from sharewell.errors import PolicyError
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


def test_the_log_of_both_databases_keeps_it(where: str) -> None:
    with Ledger.open(where) as ledger:
        asked: list[str] = []

        def people() -> list[str]:
            asked.append("once")
            return ["Ann", "Bob"]

        register_people(ledger, "dataset:a", "file 1", people)
        register_people(ledger, "dataset:a", "file 1", people)
        assert asked == ["once"], "a file that is known is not read again"
        with pytest.raises(PolicyError, match="account 'a'"):
            register_people(ledger, "dataset:b", "file 2", lambda: ["bob", "Cem"])
        register_people(ledger, "dataset:b", "file 3", lambda: ["Cem"])
        with pytest.raises(PolicyError, match="account 'b'"):
            register_people(ledger, "dataset:a", "file 4", lambda: ["Ann", "Cem"])
        assert ledger.verify_chain().ok
        assert not any("Ann" in str(one) for one in ledger.noted("people"))


def test_a_sketch_is_small_and_shows_a_half_in_common() -> None:
    for first in range(20):
        ours, theirs = (range(start, start + 1_000) for start in (first * 2_000, first * 2_000 + 500))
        found = [set(sketch("ledger", map(str, people))) for people in (ours, theirs)]
        assert len(found[0]) == SIZE
        assert found[0] & found[1]
