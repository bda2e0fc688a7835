"""The accounts of a dataset: names, caps, and what a statement shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_visits import POLICY, desk

from sharewell.errors import BudgetExhausted, DataError, PolicyError
from sharewell.policy import check, load
from sharewell.queries import Loss, Session
from sharewell.queries.accounts import Accounts


def accounts(path: Path) -> Accounts:
    return Accounts.of(load(path).datasets["visits"])


def test_a_statement_shows_the_accounts_of_one_dataset_alone(tmp_path: Path) -> None:
    policy = desk(tmp_path)
    for analyst in ("Ada", "Bob"):
        with Session.open(policy, analyst=analyst) as session:
            session.ask({"measure": "count", "filter": {"age": {"<": len(analyst) + ord(analyst[0])}}}, epsilon=0.5)
    with accounts(policy).opened() as (ledger, _):
        ledger.open_account("dataset:other", Loss.of(epsilon=1))
    balances, history = accounts(policy).statement()
    assert list(balances) == ["dataset:visits", "dataset:visits/analyst:Ada", "dataset:visits/analyst:Bob"]
    assert [charge.number for charge in history] == [1, 2]
    balances, _ = accounts(policy).statement("Bob")
    assert list(balances) == ["dataset:visits", "dataset:visits/analyst:Bob"]


def test_a_cap_changes_only_when_somebody_says_why(tmp_path: Path) -> None:
    policy = desk(tmp_path)
    with Session.open(policy, analyst="Ada") as session:
        session.ask("count", epsilon=0.5)
    raised = desk(tmp_path, POLICY.replace("{epsilon: 3, analyst: 2}", "{epsilon: 5, analyst: 4}"))
    with Session.open(raised, analyst="Ada") as session, pytest.raises(DataError, match="another cap"):
        session.ask("count", epsilon=0.6)
    accounts(raised).apply_caps("the board agreed")
    with Session.open(raised, analyst="Ada") as session:
        left = session.ask("count", epsilon=0.6).remaining
    assert {str(one) for one in left.values()} == {"epsilon 3.9", "epsilon 2.9"}


def test_the_ledger_may_be_named_by_a_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    policy = desk(tmp_path, POLICY.replace("analyst: 2}", "analyst: 2, ledger: env:LEDGER_PLACE}"))
    with Session.open(policy) as session, pytest.raises(DataError, match="no such environment variable"):
        session.ask("count", epsilon=0.5)
    monkeypatch.setenv("LEDGER_PLACE", str(tmp_path / "elsewhere.sqlite"))
    with Session.open(policy) as session:
        session.ask("count", epsilon=0.5)
    assert (tmp_path / "elsewhere.sqlite").is_file()


def _policy(folder: Path, first: str, second: str) -> list[str]:
    (folder / "people.csv").write_text("who,sex\np1,F\np2,M\n")
    datasets = "".join(
        f"  {name}:\n    kind: queries\n    read: {{csv: people.csv}}\n    columns: {{who: subject, sex: quasi}}\n"
        f"    domains: {{sex: {{values: [F, M]}}}}\n    budget: {budget}\n"
        for name, budget in (("one", first), ("two", second))
    )
    (folder / "policy.yaml").write_text(f"sharewell: 1\nrelease: {{name: r}}\ndatasets:\n{datasets}")
    try:
        check(folder / "policy.yaml")
    except PolicyError as error:
        return [one.what for one in error.mistakes]
    return []


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ("{epsilon: 1}", "{epsilon: 1}", "adds up"),
        ("{epsilon: 1, account: a}", "{epsilon: 1, account: b}", "adds up"),
        ("{epsilon: 1, account: a}", "{epsilon: 2, account: a}", "something else of the account"),
    ],
)
def test_datasets_about_the_same_people_share_an_account(tmp_path: Path, first: str, second: str, told: str) -> None:
    (mistake,) = _policy(tmp_path, first, second)
    assert told in mistake
    with pytest.raises(PolicyError, match=told):
        Session.open(tmp_path / "policy.yaml", dataset="one")


def test_what_two_datasets_of_one_account_spend_adds_up(tmp_path: Path) -> None:
    assert _policy(tmp_path, *["{epsilon: 1, account: people}"] * 2) == []
    with Session.open(tmp_path / "policy.yaml", dataset="one") as one:
        one.ask({"measure": "count"}, epsilon=0.6)
    with (
        Session.open(tmp_path / "policy.yaml", dataset="two") as two,
        pytest.raises(BudgetExhausted),
    ):
        two.ask({"measure": "count", "filter": {"sex": "F"}}, epsilon=0.6)
