"""Accounts of cleaning are counts that add up."""

from __future__ import annotations

import pytest

from sharewell.io.cleaning_account import Account, StepAccount, total

FIRST = Account(10, (StepAccount("trim", 3), StepAccount("date", 4, 1, 2)))
SECOND = Account(5, (StepAccount("trim", 1), StepAccount("date", 2, 3, 0)))


def test_two_pieces_are_one_file() -> None:
    assert total({"born": FIRST}, {"born": SECOND}) == {
        "born": Account(15, (StepAccount("trim", 4), StepAccount("date", 6, 4, 2)))
    }
    assert total({}, {"born": FIRST}) == {"born": FIRST}


def test_json_keeps_an_account() -> None:
    assert Account.from_json(FIRST.to_json()) == FIRST
    assert (FIRST.unread, FIRST.ambiguous) == (1, 2)


def test_accounts_of_other_steps_do_not_add_up() -> None:
    with pytest.raises(AssertionError):
        StepAccount("trim") + StepAccount("date")
