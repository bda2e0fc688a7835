"""The ledger of budgets on both databases: how fast it charges, and whether racing and killed writers overspend."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from benchmarks.house import Result
from benchmarks.ledger_writers import DATASET, kill_at, naive_race, race
from benchmarks.postgres_server import NoPostgres, postgres_server

WRITERS, EACH, CAP = 8, 300, 1000
KILLED = 200
CHARGES = 500
"""At 60 ms each, a thousand questions a minute."""


def ledger(data: Path | None, rows: int) -> Iterator[Result]:
    with tempfile.TemporaryDirectory() as folder:
        numbers = iter(range(100))
        yield from _on("SQLite", lambda: str(Path(folder) / f"ledger-{next(numbers)}"))
        naive = naive_race(str(Path(folder) / "naive"), WRITERS, EACH, CAP)
        name = "naive control, read then write: granted over the cap"
        yield Result(name, naive.granted - CAP, "", 1, "≥")
    try:
        with postgres_server() as server:
            yield from _on("PostgreSQL", server.new_place)
    except NoPostgres as reason:
        yield Result(f"ledger on PostgreSQL skipped: {reason}", None)


def _on(name: str, new_place: Callable[[], str]) -> Iterator[Result]:
    yield from _speed(name, new_place())
    outcome = race(new_place(), WRITERS, EACH, CAP)
    wrong = abs(outcome.granted - CAP) + abs(outcome.spent - CAP) + abs(outcome.charged - CAP) + (not outcome.whole)
    yield Result(f"{name}, {WRITERS} × {EACH} charges, cap {CAP}: units over or under", wrong, "", 0)
    yield Result(f"{name}, {WRITERS} × {EACH} charges, wall time", outcome.seconds, "s")
    yield from _killed(name, new_place())


def _speed(name: str, where: str) -> Iterator[Result]:
    from sharewell.queries.engine.ledger import Ledger
    from sharewell.queries.loss import MOST, Loss

    with Ledger.open(where) as opened:
        for account in ("analyst:0", DATASET):
            opened.open_account(account, Loss(MOST))
        began = time.perf_counter()
        for i in range(CHARGES):
            paid = opened.charge(["analyst:0", DATASET], Loss(1), question=f"q{i}", what={"mechanism": "laplace"})
            opened.store_answer(paid, i)
        seconds = time.perf_counter() - began
        yield Result(f"{name}, charge and stored answer, each on disk", 1000 * seconds / CHARGES, "ms", 60)
        began = time.perf_counter()
        assert opened.recount().ok
        assert opened.verify_chain().ok
        yield Result(f"{name}, recount and chain of {CHARGES} charges", time.perf_counter() - began, "s")


def _killed(name: str, where: str) -> Iterator[Result]:
    """Kills at moments that are spread over half a second, four writers at once."""
    from sharewell.queries.engine.ledger import Ledger

    moments = np.random.default_rng(11).uniform(0, 0.5, KILLED)
    acknowledged, lost = kill_at(where, moments.tolist())
    with Ledger.open(where, create=False) as opened:
        whole = opened.recount().ok and opened.verify_chain().ok
        total, charges = opened.balance(DATASET).spent.epsilon, len(opened.history(DATASET))
    wrong = lost + abs((total or 0) - charges) + (not whole)
    yield Result(f"{name}, {KILLED} writers killed: charges acknowledged", acknowledged)
    yield Result(f"{name}, {KILLED} writers killed: charges lost or miscounted", wrong, "", 0)
