"""Processes that share a ledger: none of them, however many and however they end, spends more than the cap."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from benchmarks.ledger_writers import DATASET, kill_at, naive_race, race

from sharewell.queries.engine.ledger import Ledger


def test_writers_spend_the_cap_and_not_a_unit_more(where: str) -> None:
    """320 charges of 8 writers (4 on PostgreSQL) against a cap of 200; `make bench BENCH=ledger` has 8 × 300."""
    writers = 4 if where.startswith("postgresql") else 8
    outcome = race(where, writers, 320 // writers, cap=200)
    assert (outcome.granted, outcome.refused) == (200, 120)
    assert outcome.spent == outcome.charged == 200
    assert outcome.whole


def test_reading_and_writing_back_would_overspend(tmp_path: Path) -> None:
    """The control: the test above can fail."""
    outcome = naive_race(str(tmp_path / "naive"), writers=6, each=100, cap=300)
    assert outcome.granted == outcome.charged > 300
    assert not outcome.whole


def test_killed_writers_lose_nothing_and_break_nothing(where: str) -> None:
    moments = np.random.default_rng(5).uniform(0, 0.3, 8 if where.startswith("postgresql") else 16)
    acknowledged, lost = kill_at(where, moments.tolist(), at_once=len(moments) // 2)
    assert acknowledged > 0
    assert lost == 0
    with Ledger.open(where, create=False) as ledger:
        assert ledger.recount().ok
        assert ledger.verify_chain().ok
        assert ledger.balance(DATASET).spent.epsilon == len(ledger.history(DATASET)) >= acknowledged


CREATE = (
    "import sys; from sharewell.queries.engine.ledger import Ledger; from sharewell.queries.loss import Loss\n"
    "print(Ledger.open(sys.argv[1]).open_account('a', Loss(1)).name)"
)


def test_processes_that_create_one_ledger_at_once_agree(where: str) -> None:
    started = [
        subprocess.Popen([sys.executable, "-c", CREATE, where], stdout=subprocess.PIPE, text=True) for _ in range(4)
    ]
    assert [one.communicate()[0].strip() for one in started] == ["a"] * 4
    with Ledger.open(where, create=False) as ledger:
        assert list(ledger.accounts()) == ["a"]
        assert ledger.verify_chain().rows == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_opens_its_own(tmp_path: Path) -> None:
    code = (
        "import os, sys; from sharewell.errors import DataError; from sharewell.queries.engine.ledger import Ledger\n"
        "ledger = Ledger.open(sys.argv[1]); child = os.fork()\n"
        "if child: sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
        "try: ledger.accounts()\n"
        "except DataError as error: os._exit(7 if 'another process' in str(error) else 1)\n"
        "os._exit(0)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "l")], check=False)
    assert done.returncode == 7
