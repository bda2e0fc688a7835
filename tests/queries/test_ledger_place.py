"""A ledger moves whole, and is spent in one place only."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sharewell.errors import BudgetExhausted, DataError
from sharewell.queries.engine.ledger import Ledger, ledger_place, move_ledger
from sharewell.queries.loss import Loss


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "old.sqlite"
    with Ledger.open(path) as ledger:
        ledger.open_account("a", Loss(10))
        ledger.open_account("b", Loss(epsilon=10**9), "zcdp", delta="1e-6")
        paid = ledger.charge(["a", "b"], Loss(7), question="q", what={"mechanism": "laplace"})
        ledger.store_answer(paid, [1, 2])
        ledger.charge(["a"], Loss(1), question="r", what={})
    return path


def test_everything_moves_and_the_old_place_is_closed(old: Path, new_place: Callable[[], str]) -> None:
    with Ledger.open(old) as ledger:
        before = ledger.head(), ledger.accounts(), ledger.history("a")
    new = new_place()
    still_open = Ledger.open(old)
    move_ledger(old, new)
    with Ledger.open(new, create=False) as ledger:
        assert (ledger.head(), ledger.accounts(), ledger.history("a")) == before
        assert ledger.verify_chain(before[0]).ok
        assert ledger.recount().ok
        with pytest.raises(BudgetExhausted):
            ledger.charge(["a"], Loss(3), question="s", what={})
        assert ledger.charge(["a"], Loss(2), question="s", what={}).number == 3
    with pytest.raises(DataError, match="was moved"):
        Ledger.open(old)
    with pytest.raises(DataError, match="was moved"):
        still_open.charge(["a"], Loss(1), question="s", what={})
    still_open.close()
    with pytest.raises(DataError, match="moved before"):
        move_ledger(old, new_place())
    with pytest.raises(DataError, match="holds a ledger already"):
        move_ledger(new, new)


def test_an_interrupted_move_leaves_no_second_budget(
    old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the old place was closed and before the new one counts."""
    new = tmp_path / "new.sqlite"
    with monkeypatch.context() as patched:
        patched.setattr(ledger_place.statements, "new_row", lambda table: "no statement")
        with pytest.raises(DataError):
            move_ledger(old, new)
    with pytest.raises(DataError, match="was moved"):
        Ledger.open(old)
    move_ledger(old, new, again=True)
    with Ledger.open(new) as ledger:
        assert ledger.balance("a").spent == Loss(8)
        assert ledger.verify_chain().ok


def test_what_is_no_ledger_does_not_move(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no ledger"):
        move_ledger(tmp_path / "nothing", tmp_path / "new")
