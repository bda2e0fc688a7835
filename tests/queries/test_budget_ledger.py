"""The ledger grants what every account has room for, and never takes anything back."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from sharewell.errors import BudgetExhausted, DataError
from sharewell.keys import Key
from sharewell.queries.engine.ledger import Charge, Ledger, StoredAnswer, question_digest
from sharewell.queries.loss import MOST, Loss, epsilon_at

ONE, TENTH = Loss.of(epsilon=1), Loss.of(epsilon="0.1")
BOTH = ["analyst:Ada", "dataset:patients"]


def opened(where: str, cap: Loss = ONE, **options: object) -> Ledger:
    ledger = Ledger.open(where, **options)
    for name in BOTH:
        ledger.open_account(name, cap, "pure")
    return ledger


def test_ten_tenths_fit_and_no_eleventh(where: str) -> None:
    with opened(where) as ledger:
        numbers = [
            ledger.charge(BOTH, TENTH, question=f"q{i}", what={"mechanism": "laplace"}).number for i in range(10)
        ]
        assert numbers == list(range(1, 11))
        with pytest.raises(
            BudgetExhausted, match=r"dataset:patients — 0 of epsilon 1 are left, 0.1 are needed"
        ) as full:
            ledger.charge(BOTH, TENTH, question="q10", what={})
        assert full.value.accounts == tuple(BOTH)
        assert full.value.exit_code == 6
        balance = ledger.balance("dataset:patients")
        assert (balance.spent, balance.remaining, balance.charges) == (ONE, Loss(0), 10)
        assert ledger.recount().totals == dict.fromkeys(BOTH, ONE)
        assert ledger.recount().ok
        assert ledger.verify_chain().ok


def test_all_accounts_or_none(where: str) -> None:
    """Bob has room, the dataset has not: analysts who pool their answers share one cap."""
    with opened(where) as ledger:
        ledger.open_account("analyst:Bob", ONE, "pure")
        ledger.charge(BOTH, Loss.of(epsilon="0.7"), question="q", what={})
        with pytest.raises(BudgetExhausted) as full:
            ledger.charge(["analyst:Bob", "dataset:patients"], Loss.of(epsilon="0.7"), question="q", what={})
        assert full.value.accounts == ("dataset:patients",)
        assert ledger.balance("analyst:Bob").spent == Loss(0)
        assert ledger.history("analyst:Bob") == []
        assert ledger.recount().ok


def test_deltas_add_up_too(where: str) -> None:
    with Ledger.open(where) as ledger:
        ledger.open_account("a", Loss.of(epsilon=10, delta="1e-6"), "pure")
        ledger.charge(["a"], Loss.of(epsilon=1, delta="6e-7"), question="q", what={})
        with pytest.raises(BudgetExhausted, match=r"0.0000004 of delta 0.000001"):
            ledger.charge(["a"], Loss.of(epsilon=1, delta="6e-7"), question="q", what={})
        with pytest.raises(DataError, match="states rho alone"):
            ledger.charge(["a"], Loss.of(rho="0.1"), question="q", what={})


def test_rho_adds_up_on_a_zcdp_account(where: str) -> None:
    with Ledger.open(where) as ledger:
        opened = ledger.open_account("a", ONE, "zcdp", delta="1e-6")
        assert opened.cap.rho is not None
        assert epsilon_at(opened.cap.rho, 10**12) <= ONE.epsilon
        ledger.charge(["a"], Loss.of(epsilon="0.1"), question="q", what={})
        ledger.charge(["a"], Loss.of(rho="0.005"), question="q", what={})
        balance = ledger.balance("a")
        assert balance.spent == Loss.of(rho="0.01")
        assert balance.guarantee == Loss(epsilon_at(10**10, 10**12), 10**12)
        with pytest.raises(BudgetExhausted, match="of rho"):
            ledger.charge(["a"], Loss.of(rho="0.01"), question="q", what={})
        with pytest.raises(DataError, match="counts rho"):
            ledger.charge(["a"], Loss.of(epsilon="0.1", delta="1e-9"), question="q", what={})
        assert ledger.recount().ok


def test_an_account_is_opened_once_and_its_accounting_never_changes(where: str) -> None:
    with opened(where) as ledger:
        ledger.charge(BOTH, TENTH, question="q", what={})
        assert ledger.open_account("analyst:Ada", ONE, "pure").spent == TENTH
        for wrong in ((ONE, "zcdp", "1e-6"), (Loss.of(epsilon=2), "pure", 0), (ONE, "renyi", 0), (ONE, "zcdp", 0)):
            with pytest.raises(DataError):
                ledger.open_account("analyst:Ada", *wrong)
        for name in ("", "x" * 201, "a\nb"):
            with pytest.raises(DataError, match="account"):
                ledger.open_account(name, ONE)
        assert set(ledger.accounts()) == set(BOTH)


def test_caps_change_on_purpose_and_for_a_reason(where: str) -> None:
    with opened(where) as ledger:
        ledger.charge(BOTH, Loss.of(epsilon="0.7"), question="q", what={})
        assert ledger.set_cap("analyst:Ada", Loss.of(epsilon="0.5"), why="less trust").remaining == Loss(0)
        with pytest.raises(BudgetExhausted):
            ledger.charge(BOTH, TENTH, question="q", what={})
        ledger.set_cap("analyst:Ada", Loss.of(epsilon=2), why="approved by the board")
        ledger.charge(BOTH, TENTH, question="q", what={})
        with pytest.raises(DataError):
            ledger.set_cap("analyst:Ada", ONE, why="")
        with pytest.raises(DataError, match="no such account"):
            ledger.set_cap("analyst:Eve", ONE, why="she asked")
        assert ledger.verify_chain().ok


@pytest.mark.parametrize(
    "wrong",
    [
        {"accounts": []},
        {"accounts": ["analyst:Ada", "analyst:Ada"]},
        {"accounts": "analyst:Ada"},
        {"accounts": ["nobody"]},
        {"loss": Loss(0)},
        {"question": ""},
        {"question": "\ud800"},
        {"question": "a\0b"},
        {"question": "x" * 1001},
        {"what": {"value": float("nan")}},
        {"what": {"value": {1, 2}}},
        {"what": {"value": "x" * 200_000}},
        {"kind": "gift"},
    ],
)
def test_what_is_no_charge_is_refused(tmp_path: Path, wrong: dict[str, object]) -> None:
    with opened(str(tmp_path / "l")) as ledger:
        usual = {"accounts": BOTH, "loss": TENTH, "question": "q", "what": {}}
        with pytest.raises(DataError):
            ledger.charge(**usual | wrong)
        assert ledger.balance("analyst:Ada").spent == Loss(0)
        ledger.charge(**usual)


def test_the_same_question_is_answered_once(where: str) -> None:
    with opened(where) as ledger:
        ledger.open_account("analyst:Bob", ONE, "pure")
        asked = question_digest({"count": {}}, "content 1")
        paid = ledger.answer_or_charge(BOTH, TENTH, question=asked, what={}, of="analyst:Ada")
        assert isinstance(paid, Charge)
        assert ledger.stored_answer(asked, TENTH, of="analyst:Ada") is None
        ledger.store_answer(paid, {"count": 812.5})
        again = ledger.answer_or_charge(BOTH, TENTH, question=asked, what={}, of="analyst:Ada")
        assert again == StoredAnswer(paid.number, {"count": 812.5})
        assert ledger.balance("analyst:Ada").spent == TENTH
        assert ledger.stored_answer(asked, TENTH, of="analyst:Bob") is None
        assert ledger.stored_answer(asked, TENTH, of=None) == again
        assert ledger.stored_answer(asked, Loss.of(epsilon="0.2"), of=None) is None
        assert ledger.stored_answer(question_digest({"count": {}}, "content 2"), TENTH, of=None) is None
        assert [one.answered for one in ledger.history("analyst:Ada")] == [True]
        assert ledger.verify_chain().ok


def test_who_asks_what_others_asked_pays_once_from_their_own_account(where: str) -> None:
    with opened(where) as ledger:
        ledger.open_account("analyst:Bob", Loss.of(epsilon="0.1"), "pure")
        paid = ledger.charge(BOTH, TENTH, question="q", what={})
        ledger.store_answer(paid, 812)
        known = ledger.stored_answer("q", TENTH, of=None)
        assert known is not None
        shared = [ledger.share_answer(known, "analyst:Bob", TENTH, question="q", what={}) for _ in range(3)]
        assert shared == [StoredAnswer(2, 812)] * 3
        assert ledger.share_answer(known, "analyst:Ada", TENTH, question="q", what={}) == known
        spent = [ledger.balance(name).spent for name in (*BOTH, "analyst:Bob")]
        assert spent == [TENTH, TENTH, TENTH]
        other = ledger.charge(BOTH, TENTH, question="r", what={})
        ledger.store_answer(other, 3)
        with pytest.raises(BudgetExhausted):
            ledger.share_answer(StoredAnswer(3, 3), "analyst:Bob", TENTH, question="r", what={})
        assert ledger.verify_chain().ok
        assert ledger.recount().ok


def test_an_answer_is_kept_as_it_was(where: str) -> None:
    with opened(where) as ledger:
        paid = ledger.charge(BOTH, TENTH, question="q", what={})
        ledger.store_answer(paid, [1, 2])
        ledger.store_answer(paid.number, [1, 2])
        with pytest.raises(DataError, match="another answer"):
            ledger.store_answer(paid, [1, 3])
        with pytest.raises(DataError, match="no charge 99"):
            ledger.store_answer(99, 1)
        with pytest.raises(DataError, match="JSON"):
            ledger.store_answer(paid, float("inf"))


def test_an_answer_that_never_came_stays_paid(where: str) -> None:
    """Killed between charge and answer: asking again waits a little, then charges anew."""
    with opened(where) as ledger:
        ledger.answer_or_charge(BOTH, TENTH, question="q", what={}, of="analyst:Ada")
        began = time.monotonic()
        second = ledger.answer_or_charge(BOTH, TENTH, question="q", what={}, of="analyst:Ada", wait=0.2)
        assert time.monotonic() - began >= 0.2
        assert isinstance(second, Charge)
        assert ledger.balance("analyst:Ada").spent == Loss.of(epsilon="0.2")
        ledger.abandon(second)
        began = time.monotonic()
        third = ledger.answer_or_charge(BOTH, TENTH, question="q", what={}, of="analyst:Ada", wait=0.2)
        ledger.store_answer(third, 1)
        assert ledger.balance("analyst:Ada").charges == 3
        assert ledger.stored_answer("q", TENTH, of="analyst:Ada") == StoredAnswer(third.number, 1)


def test_the_same_question_at_once_is_computed_once(where: str) -> None:
    """Two ledgers on one database and four askers of each: one pays and computes, seven are given its answer."""
    computed: list[Charge] = []
    given: list[object] = []

    def ask(ledger: Ledger) -> None:
        found = ledger.answer_or_charge(BOTH, TENTH, question="q", what={}, of=None, wait=20)
        if isinstance(found, Charge):
            computed.append(found)
            time.sleep(0.2)
            ledger.store_answer(found, 7)
            given.append(7)
        else:
            given.append(found.answer)

    with opened(where) as one, Ledger.open(where) as other:
        threads = [threading.Thread(target=ask, args=(ledger,)) for ledger in (one, other) * 4]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(computed) == 1
        assert given == [7] * 8
        assert one.balance("analyst:Ada").spent == TENTH


def test_a_release_is_charged_and_never_given_again(where: str) -> None:
    with opened(where) as ledger:
        made = ledger.charge(BOTH, TENTH, question="r", what={"release": "2026"}, kind="release")
        ledger.store_answer(made, "certificate")
        assert ledger.stored_answer("r", TENTH, of=None) is None
        assert ledger.history("dataset:patients")[0].kind == "release"
        assert ledger.history("dataset:patients")[0].what == {"release": "2026"}


def test_what_was_spent_is_there_the_next_day(where: str) -> None:
    with opened(where) as ledger:
        ledger.charge(BOTH, TENTH, question="q", what={"mechanism": "laplace"})
        before = ledger.history("analyst:Ada"), ledger.head()
    with Ledger.open(where, create=False) as ledger:
        assert (ledger.history("analyst:Ada"), ledger.head()) == before
        assert ledger.balance("analyst:Ada").spent == TENTH


def test_clocks_decide_nothing(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock set back a century changes what times are shown, and nothing else."""
    import sharewell.queries.engine.ledger.audit_log as audit_log

    class Past(audit_log.datetime):
        @classmethod
        def now(cls, tz: object = None) -> audit_log.datetime:
            return audit_log.datetime(1926, 1, 1)

    with opened(where) as ledger:
        ledger.charge(BOTH, Loss.of(epsilon="0.9"), question="q1", what={})
        monkeypatch.setattr(audit_log, "datetime", Past)
        ledger.charge(BOTH, TENTH, question="q2", what={})
        with pytest.raises(BudgetExhausted):
            ledger.charge(BOTH, TENTH, question="q3", what={})
        assert [one.question for one in ledger.history("analyst:Ada")] == ["q1", "q2"]
        assert ledger.history("analyst:Ada")[1].at.startswith("1926")
        assert ledger.verify_chain().ok


def test_a_sealed_ledger_is_written_with_its_key_alone(where: str) -> None:
    key = Key.fresh()
    with opened(where, key=key) as ledger:
        ledger.charge(BOTH, TENTH, question="q", what={})
        assert ledger.verify_chain().ok
    with Ledger.open(where) as reader:
        assert reader.balance("analyst:Ada").spent == TENTH
        assert reader.verify_chain().ok
        with pytest.raises(DataError, match="sealed"):
            reader.charge(BOTH, TENTH, question="q", what={})
    with pytest.raises(DataError, match="another key"):
        Ledger.open(where, key=Key.fresh())


def test_a_key_cannot_come_later(tmp_path: Path) -> None:
    opened(str(tmp_path / "l")).close()
    with pytest.raises(DataError, match="without a key"):
        Ledger.open(tmp_path / "l", key=Key.fresh())


def test_the_largest_amounts_fit(where: str) -> None:
    huge = Loss(MOST, MOST)
    with opened(where, huge) as ledger:
        ledger.charge(BOTH, huge, question="q", what={})
        with pytest.raises(BudgetExhausted):
            ledger.charge(BOTH, huge, question="q", what={})
        assert ledger.recount().ok


def test_a_ledger_of_another_version_is_refused(where: str) -> None:
    with opened(where) as ledger, ledger._database.writing():
        ledger._database.execute("UPDATE ledger_head SET version = 2")
    with pytest.raises(DataError, match="version 2, not 1"):
        Ledger.open(where)


def test_the_statement_that_spends_decides(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if nobody looked before, an account without room is not charged, and neither are the others."""
    monkeypatch.setattr("sharewell.queries.engine.ledger.budget_ledger._refuse_without_room", lambda *_: None)
    with opened(where) as ledger:
        ledger.open_account("release:2026", Loss.of(epsilon="0.05"), "pure")
        with pytest.raises(BudgetExhausted):
            ledger.charge([*BOTH, "release:2026"], TENTH, question="q", what={})
        assert ledger.balance("analyst:Ada").spent == Loss(0)
        assert ledger.history("analyst:Ada") == []
        assert ledger.verify_chain().rows == 3
