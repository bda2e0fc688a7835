"""Any sequence of openings, charges, caps, answers and reopenings comes out as in a model of plain integers."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, multiple, rule

from sharewell.errors import BudgetExhausted
from sharewell.queries.engine.ledger import Charge, Ledger, StoredAnswer
from sharewell.queries.loss import Loss

NAMES = ("analyst:Ada", "analyst:Bob", "dataset:patients", "release:2026")
ZCDP = "release:2026"
amounts = st.integers(1, 60_000)
names = st.sampled_from(NAMES)


class LedgerAgainstModel(RuleBasedStateMachine):
    """`release:2026` counts rho, with epsilon²/2 for a pure charge; the others count epsilon."""

    charges = Bundle("charges")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.ledger = self._opened()
        self.caps: dict[str, int] = {}
        self.entries: list[tuple[int, str, int, int]] = []
        self.answers: dict[int, int] = {}
        self.asked: list[tuple[int, str, int, tuple[str, ...]]] = []

    def _opened(self) -> Ledger:
        ledger = Ledger.open(self.folder / "ledger")
        ledger._database.connection.execute("PRAGMA synchronous=OFF")  # the disk is not what is tested here
        return ledger

    def teardown(self) -> None:
        assert self.ledger.verify_chain().ok
        self.ledger.close()
        shutil.rmtree(self.folder)

    @initialize(caps=st.tuples(*[st.integers(0, 150_000)] * 4))
    def open_accounts(self, caps: tuple[int, ...]) -> None:
        for name, cap in zip(NAMES, caps, strict=True):
            self.caps[name] = cap
            if name == ZCDP:
                self.ledger.open_account(name, Loss(rho=cap), "zcdp", delta="1e-6")
            else:
                self.ledger.open_account(name, Loss(cap))

    def spent(self, name: str) -> int:
        return sum(amount for _, account, _, amount in self.entries if account == name)

    @staticmethod
    def counted(name: str, epsilon: int) -> int:
        return epsilon if name != ZCDP else -(-(epsilon**2) // 2_000_000)

    def grant(self, accounts: list[str], epsilon: int) -> bool:
        return all(self.spent(name) + self.counted(name, epsilon) <= self.caps[name] for name in accounts)

    def note(self, paid: Charge, epsilon: int) -> int:
        self.entries += [(paid.number, name, epsilon, self.counted(name, epsilon)) for name in paid.accounts]
        self.asked.append((paid.number, paid.question, epsilon, paid.accounts))
        return paid.number

    @rule(
        target=charges,
        accounts=st.lists(names, min_size=1, unique=True),
        epsilon=amounts,
        question=st.sampled_from("xyz"),
    )
    def charge(self, accounts: list[str], epsilon: int, question: str) -> int | object:
        if lacking := {name for name in accounts if not self.grant([name], epsilon)}:
            with pytest.raises(BudgetExhausted) as full:
                self.ledger.charge(accounts, Loss(epsilon), question=question, what={})
            assert set(full.value.accounts) == lacking
            return multiple()
        return self.note(self.ledger.charge(accounts, Loss(epsilon), question=question, what={}), epsilon)

    @rule(target=charges, of=st.none() | names, epsilon=st.sampled_from([5, 50]), question=st.sampled_from("xyz"))
    def ask(self, of: str | None, epsilon: int, question: str) -> int | object:
        accounts = ["dataset:patients", *([] if of in (None, "dataset:patients") else [of])]
        known = [
            number
            for number, asked, cost, paid_by in self.asked
            if (asked, cost) == (question, epsilon) and number in self.answers and (of is None or of in paid_by)
        ]
        if not known and not self.grant(accounts, epsilon):
            with pytest.raises(BudgetExhausted):
                self.ledger.answer_or_charge(accounts, Loss(epsilon), question=question, what={}, of=of, wait=0)
            return multiple()
        found = self.ledger.answer_or_charge(accounts, Loss(epsilon), question=question, what={}, of=of, wait=0)
        if known:
            assert found == StoredAnswer(min(known), self.answers[min(known)])
            return multiple()
        assert isinstance(found, Charge)
        return self.note(found, epsilon)

    @rule(number=charges, answer=st.integers(0, 3))
    def store(self, number: int, answer: int) -> None:
        answer = self.answers.setdefault(number, answer)
        self.ledger.store_answer(number, answer)

    @rule(name=names, cap=st.integers(0, 150_000))
    def set_cap(self, name: str, cap: int) -> None:
        self.caps[name] = cap
        self.ledger.set_cap(name, Loss(rho=cap) if name == ZCDP else Loss(cap), why="a test")

    @rule()
    def reopen(self) -> None:
        self.ledger.close()
        self.ledger = self._opened()

    @invariant()
    def agrees(self) -> None:
        for name, balance in self.ledger.accounts().items():
            spent = balance.spent.rho if name == ZCDP else balance.spent.epsilon
            assert spent == self.spent(name)
            assert balance.charges == sum(account == name for _, account, _, _ in self.entries)
        recount = self.ledger.recount()
        assert recount.ok


TestLedgerAgainstModel = LedgerAgainstModel.TestCase
TestLedgerAgainstModel.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)


def test_the_model_can_fail(tmp_path: Path) -> None:
    """A ledger whose total was lowered by hand is noticed by the recount that the model calls."""
    with Ledger.open(tmp_path / "l") as ledger:
        ledger.open_account("a", Loss(10))
        ledger.charge(["a"], Loss(7), question="q", what={})
        with ledger._database.writing():
            ledger._database.execute("UPDATE ledger_accounts SET spent = 3")
        assert ledger.recount().differing == ("a",)
        with pytest.raises(BudgetExhausted):
            ledger.charge(["a"], Loss(8), question="q", what={})
