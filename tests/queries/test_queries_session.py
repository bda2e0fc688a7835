"""Sessions: planned, charged, answered and kept, in this order."""

from __future__ import annotations

import json
import math
import threading
from fractions import Fraction
from pathlib import Path

import pytest
from small_visits import POLICY, ROWS, desk

from sharewell.errors import BudgetExhausted, DataError, PolicyError, SharewellError
from sharewell.plain_data import Json
from sharewell.queries import Loss, Session
from sharewell.queries.engine.row_store import RowStore
from sharewell.queries.session import queried_dataset

ZCDP = POLICY.replace("{epsilon: 3, analyst: 2}", "{epsilon: 3, analyst: 2, accounting: zcdp, delta: 1.0e-6}")


@pytest.fixture
def policy(tmp_path: Path) -> Path:
    return desk(tmp_path)


def test_an_answer_costs_what_its_dry_run_said(policy: Path) -> None:
    with Session.open(policy, analyst="Ada") as session:
        cost = session.cost("count", epsilon=0.5)
        assert not (policy.parent / "ledger.sqlite").exists()
        answer = session.ask("count", epsilon=0.5)
        assert cost.loss == answer.loss == Loss.of(epsilon=0.5)
        assert cost.question == answer.question
        assert answer.interval == (answer.value - cost.accuracy.half_width, answer.value + cost.accuracy.half_width)  # type: ignore[operator]
        assert {name: str(left) for name, left in answer.remaining.items()} == {
            "dataset:visits": "epsilon 2.5",
            "dataset:visits/analyst:Ada": "epsilon 1.5",
        }
        assert (answer.neighbours, answer.rows_per_person) == ("add-remove", 2)
        assert [one.loss for one in session.history()] == [answer.loss]
        assert session.budget()["dataset:visits"].spent == answer.loss


def test_the_same_question_is_answered_once_whoever_asks(policy: Path) -> None:
    """The dataset pays once; everybody who is told the answer pays for it once from their own account."""
    with Session.open(policy, analyst="Ada") as one, Session.open(policy, analyst="Bob") as two:
        first = one.ask({"measure": "count", "filter": {"sex": "F", "age": {"<": 50}}}, epsilon=0.1)
        again = two.ask({"filter": {"and": [{"age": {"<": 50.0}}, {"sex": ["F"]}]}, "measure": "count"}, epsilon=0.1)
        assert again.rows == first.rows
        assert two.budget()["dataset:visits"].spent == Loss.of(epsilon=0.1)
        assert two.budget()["dataset:visits/analyst:Bob"].spent == Loss.of(epsilon=0.1)
        assert [charge.number for charge in two.history()] == [again.charge] != [first.charge]
        third = two.ask({"measure": "count", "filter": {"age": {"<": 50}, "sex": "F"}}, epsilon=0.1)
        assert (third.stored, third.charge, third.rows) == (True, again.charge, first.rows)
        assert two.budget()["dataset:visits/analyst:Bob"].spent == Loss.of(epsilon=0.1)
        assert not two.ask({"measure": "count", "filter": {"sex": "F", "age": {"<": 50}}}, epsilon=0.2).stored


def test_who_asks_does_not_see_that_somebody_asked_before(policy: Path) -> None:
    """Bob guesses what Ada asked: his answer, its cost and his own account look as if he were the first."""

    def seen(question: dict[str, Json]) -> list[object]:
        with Session.open(policy, analyst="Bob") as session:
            before = session.budget()["dataset:visits/analyst:Bob"].spent
            answer = session.ask(question, epsilon=0.1)
            after = session.budget()["dataset:visits/analyst:Bob"].spent
            return [answer.stored, answer.loss, before + answer.loss == after, len(session.history()) > 0]

    with Session.open(policy, analyst="Ada") as session:
        session.ask({"measure": "count", "filter": {"sex": "F"}}, epsilon=0.1)
    assert seen({"measure": "count", "filter": {"sex": "F"}}) == seen({"measure": "count", "filter": {"sex": "M"}})


def test_a_stored_answer_is_written_like_a_new_one(policy: Path) -> None:
    """Byte for byte: the order of keys would show that somebody asked before."""
    question: dict[str, Json] = {"measure": "count", "group_by": ["sex", "age"]}
    texts = []
    for analyst in ("Ada", "Bob", "Bob"):
        with Session.open(policy, analyst=analyst) as session:
            told = session.ask(question, epsilon=0.1).to_json()
            texts.append(json.dumps([told["rows"], told["accuracy"]]))
    assert texts[0] == texts[1] == texts[2]
    assert list(told["rows"][0]) == ["group", "value", "low", "high"]
    assert list(told["rows"][0]["group"]) == json.loads(told["question"])["group_by"]


def test_an_analyst_is_told_no_more_than_their_own_cap_by_asking_what_others_asked(policy: Path) -> None:
    questions = [{"measure": "count", "filter": {"age": {"<": i}}} for i in range(6)]
    for name, some in (("Ada", questions[:3]), ("Cyd", questions[3:])):
        with Session.open(policy, analyst=name) as session:
            for question in some:
                session.ask(question, epsilon=0.5)
    with Session.open(policy, analyst="Bob") as session:
        for question in questions[:4]:
            session.ask(question, epsilon=0.5)
        with pytest.raises(BudgetExhausted, match="analyst:Bob — 0 of epsilon 2 are left"):
            session.ask(questions[4], epsilon=0.5)
        assert session.budget()["dataset:visits"].spent == Loss.of(epsilon=3)
        ledger = session._data.ledger()
        assert ledger.recount().ok
        assert ledger.verify_chain().ok


def test_other_data_is_asked_anew(policy: Path) -> None:
    with Session.open(policy) as session:
        session.ask("count", epsilon=0.1)
    desk(policy.parent, rows=ROWS + "q,Name,F,30,A\n")
    with Session.open(policy) as session:
        assert not session.ask("count", epsilon=0.1).stored


def test_other_domains_are_asked_anew(policy: Path) -> None:
    """The stored answer has other groups."""
    question = {"measure": {"histogram": "age"}}
    with Session.open(policy) as session:
        session.ask(question, epsilon=0.1)
    policy.write_text(policy.read_text().replace("bins: 10", "bins: 5"))
    with Session.open(policy) as session:
        answer = session.ask(question, epsilon=0.1)
        assert (answer.stored, len(answer.rows)) == (False, 5)


def test_nothing_is_asked_beyond_the_budget(policy: Path) -> None:
    with Session.open(policy, analyst="Ada") as session:
        for i in range(4):
            session.ask({"measure": "count", "filter": {"age": {"<": i}}}, epsilon=0.5)
        with pytest.raises(BudgetExhausted, match=r"dataset:visits/analyst:Ada — 0 of epsilon 2 are left"):
            session.ask("count", epsilon=0.01)
        assert session.ask({"measure": "count", "filter": {"age": {"<": 1}}}, epsilon=0.5).stored
    with Session.open(policy, analyst="Bob") as other:
        with pytest.raises(BudgetExhausted, match=r"^dataset:visits — 1 of epsilon 3 are left"):
            other.ask("count", epsilon=1.5)
        assert other.ask("count", epsilon=1.0).remaining["dataset:visits"].is_zero


def test_the_charge_is_on_disk_before_a_row_is_read(policy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever fails after that has paid; nothing is given back, and the message tells no value."""

    def fails(self: RowStore, table: object) -> None:
        raise RuntimeError("out of memory at CANARY")

    with Session.open(policy) as session:
        with monkeypatch.context() as patched:
            patched.setattr(RowStore, "__init__", fails)
            with pytest.raises(RuntimeError):
                session.ask("count", epsilon=0.5)
        [charge] = session.history()
        assert charge.loss == Loss.of(epsilon=0.5)
        assert not charge.answered
        assert not session.ask("count", epsilon=0.5).stored
        assert session.budget()["dataset:visits"].spent == Loss.of(epsilon=1)


@pytest.mark.parametrize("epsilon", [-1.0, 0.0, math.nan, math.inf, 1e9, None])
def test_a_price_that_is_none_charges_nothing(policy: Path, epsilon: float) -> None:
    with Session.open(policy) as session:
        for way in (session.cost, session.ask):
            with pytest.raises(PolicyError):
                way("count", epsilon=epsilon)
        assert session.history() == []


def test_rho_is_for_a_budget_that_counts_it(policy: Path, tmp_path: Path) -> None:
    with Session.open(policy) as session, pytest.raises(PolicyError, match="counts epsilon"):
        session.ask("count", rho=0.1)
    (tmp_path / "rho").mkdir()
    with Session.open(desk(tmp_path / "rho", ZCDP)) as session:
        answer = session.ask({"measure": {"mean": "age"}}, rho=0.01)
        assert answer.loss.rho is not None
        assert answer.accuracy["noise"] == "discrete-gaussian"
        pure = session.ask("count", epsilon=0.1)
        assert pure.accuracy["noise"] == "discrete-laplace"
        spent = session.budget()["dataset:visits"].spent
        assert Fraction(spent.to_json()["rho"]) == pytest.approx(Fraction(15, 1000), rel=1e-6)
        with pytest.raises(PolicyError, match="both given"):
            session.ask("count", rho=0.1, epsilon=0.1)


def test_a_bad_question_or_missing_file_charges_nothing(policy: Path) -> None:
    with Session.open(policy) as session:
        with pytest.raises(PolicyError, match="no declared domain"):
            session.ask({"measure": {"mean": "name"}}, epsilon=0.1)
        (policy.parent / "visits.csv").unlink()
        with pytest.raises(DataError):
            session.ask("count", epsilon=0.1)
        assert session.history() == []


def test_threads_share_a_session_and_pay_once(policy: Path) -> None:
    answers = []
    with Session.open(policy) as session:
        ask = lambda: answers.append(session.ask("count", epsilon=0.5).value)  # noqa: E731
        threads = [threading.Thread(target=ask) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(answers) == 6
        assert len(set(answers)) == 1
        assert session.budget()["dataset:visits"].spent == Loss.of(epsilon=0.5)


def test_a_person_with_many_rows_moves_an_answer_no_farther_than_allowed(tmp_path: Path) -> None:
    with Session.open(desk(tmp_path, rows="a,N,F,30,A\n" * 20_000 + "b,N,M,40,B\n")) as session:
        assert abs(session.ask("count", epsilon=2.0).value - 3) <= 40  # type: ignore[operator]


def test_the_dataset_is_found_by_name_or_alone(policy: Path) -> None:
    from sharewell.policy import load

    assert queried_dataset(load(policy)).name == "visits"
    with pytest.raises(PolicyError, match="did you mean 'visits'"):
        Session.open(policy, "visit")
    for name in ("", "a\nb", "x" * 100):
        with pytest.raises(DataError, match="analyst"):
            Session.open(policy, analyst=name)


def test_errors_tell_no_cell(tmp_path: Path) -> None:
    rows = "".join(f"CANARY{i},CANARY,F,CANARY,CANARY\n" for i in range(5)) + ",CANARY,F,30,A\n"
    with Session.open(desk(tmp_path, rows=rows)) as session:
        with pytest.raises(SharewellError) as raised:
            session.ask("count", epsilon=0.1)
        assert "CANARY" not in str(raised.value)


@pytest.mark.parametrize(
    ("before", "after", "refused"),
    [
        ("contributions: {rows: 2}", "neighbours: change-one", "neighbours: add-remove"),
        ("who: subject", "who: drop", "unit: person"),
        ("who: subject, name: drop", "who: drop, name: subject", "subject: who"),
    ],
)
def test_an_account_adds_up_losses_of_one_kind(policy: Path, before: str, after: str, refused: str) -> None:
    """ε for each record, or for a replacement, says nothing of what one person more or less would show."""
    with Session.open(policy) as session:
        session.ask("count", epsilon=0.1)
    changed = POLICY.replace(before, after)
    if refused.startswith("unit"):
        changed = changed.replace("contributions: {rows: 2}", "contributions: {unit: record}")
    policy.write_text(changed)
    with Session.open(policy) as session, pytest.raises(PolicyError, match=f"counts losses with {refused}"):
        session.ask("count", epsilon=0.1)
    with Session.open(policy) as session:
        assert session.budget()["dataset:visits"].spent == Loss.of(epsilon=0.1)


def test_datasets_that_share_an_account_count_the_same_losses(policy: Path) -> None:
    second = POLICY.partition("datasets:\n")[2].replace("visits:", "replaced:", 1)
    second = second.replace("contributions", "neighbours: change-one\n    contributions")
    both = (POLICY + second).replace("{epsilon: 3, analyst: 2}", "{epsilon: 3, analyst: 2, account: people}")
    policy.write_text(both)
    with pytest.raises(PolicyError, match="counts losses with unit: person, neighbours: add-remove"):
        Session.open(policy, "visits")
