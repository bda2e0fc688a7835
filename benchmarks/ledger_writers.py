"""Processes that write to one ledger at once, or are killed while they do: for tests and for the benchmark `ledger`.

`python -m benchmarks.ledger_writers ROLE WHERE …` is one of them. It says `ready`, waits for a line, and then works.
"""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
DATASET = "dataset:shared"


@dataclass(frozen=True)
class Outcome:
    """What writers say, and what the ledger says."""

    granted: int
    refused: int
    spent: int
    """Units, by the total of the account."""
    charged: int
    """Units, by adding up the charges."""
    whole: bool
    """Do the recount and the chain hold?"""
    seconds: float


def start(role: str, where: str, *more: object) -> subprocess.Popen[str]:
    """A process that waits for its signal to begin."""
    command = [sys.executable, "-m", "benchmarks.ledger_writers", role, where, *map(str, more)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True)


def begin(writers: Sequence[subprocess.Popen[str]]) -> None:
    """All at once, when the last is ready."""
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("go\n")
        writer.stdin.flush()


def race(where: str, writers: int, each: int, cap: int) -> Outcome:
    """So many writers charge one unit each so many times, all against the account of one dataset."""
    from sharewell.queries.engine.ledger import Ledger
    from sharewell.queries.loss import Loss

    with Ledger.open(where) as ledger:
        ledger.open_account(DATASET, Loss(cap))
        for writer in range(writers):
            ledger.open_account(f"analyst:{writer}", Loss(cap))
    running = [start("charges", where, writer, each) for writer in range(writers)]
    begin(running)
    began = time.perf_counter()
    said = [tuple(map(int, one.communicate()[0].split())) for one in running]
    seconds = time.perf_counter() - began
    with Ledger.open(where, create=False) as ledger:
        recount, spent = ledger.recount(), ledger.balance(DATASET).spent.epsilon
        charged = sum(charge.loss.epsilon or 0 for charge in ledger.history(DATASET))
        whole = recount.ok and ledger.verify_chain().ok
    return Outcome(sum(g for g, _ in said), sum(r for _, r in said), spent or 0, charged, whole, seconds)


def naive_race(path: str, writers: int, each: int, cap: int) -> Outcome:
    """The same by reading the total and writing it back: the control, which must overspend."""
    with closing(sqlite3.connect(path, isolation_level=None)) as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("CREATE TABLE account (spent INTEGER)")
        database.execute("CREATE TABLE charges (amount INTEGER)")
        database.execute("INSERT INTO account VALUES (0)")
    running = [start("naive", path, each, cap) for _ in range(writers)]
    begin(running)
    began = time.perf_counter()
    said = [tuple(map(int, one.communicate()[0].split())) for one in running]
    seconds = time.perf_counter() - began
    with closing(sqlite3.connect(path)) as database:
        [(spent,)] = database.execute("SELECT spent FROM account").fetchall()
        [(charged,)] = database.execute("SELECT COALESCE(SUM(amount), 0) FROM charges").fetchall()
    return Outcome(sum(g for g, _ in said), sum(r for _, r in said), spent, charged, spent == charged, seconds)


def kill_at(where: str, moments: Sequence[float], at_once: int = 4) -> tuple[int, int]:
    """Kill writers these many seconds after they began, some at once. How many charges were acknowledged, and lost?"""
    from sharewell.queries.engine.ledger import Ledger
    from sharewell.queries.loss import MOST, Loss

    with Ledger.open(where) as ledger:
        ledger.open_account(DATASET, Loss(MOST))
    acknowledged: set[int] = set()
    for i in range(0, len(moments), at_once):
        running = [start("endless", where) for _ in moments[i : i + at_once]]
        begin(running)
        began = time.monotonic()
        for moment, writer in sorted(zip(moments[i : i + at_once], running, strict=True), key=lambda pair: pair[0]):
            time.sleep(max(0.0, began + moment - time.monotonic()))
            writer.kill()
        for writer in running:
            said = writer.communicate()[0]
            acknowledged |= {int(line) for line in said[: said.rfind("\n") + 1].split()}
    with Ledger.open(where, create=False) as ledger:
        there = {charge.number for charge in ledger.history(DATASET)}
    return len(acknowledged), len(acknowledged - there)


def _charges(where: str, writer: str, each: str) -> None:
    from sharewell.errors import BudgetExhausted
    from sharewell.queries.engine.ledger import Ledger
    from sharewell.queries.loss import Loss

    granted = 0
    with Ledger.open(where, create=False) as ledger:
        _wait()
        for i in range(int(each)):
            try:
                ledger.charge([f"analyst:{writer}", DATASET], Loss(1), question=f"{writer} {i}", what={})
                granted += 1
            except BudgetExhausted:
                pass
    print(granted, int(each) - granted)


def _naive(path: str, each: str, cap: str) -> None:
    granted = 0
    with closing(sqlite3.connect(path, isolation_level=None, timeout=60)) as database:
        database.execute("PRAGMA synchronous=OFF")
        _wait()
        for _ in range(int(each)):
            [(spent,)] = database.execute("SELECT spent FROM account").fetchall()
            time.sleep(0.002)  # what an answer takes
            if spent + 1 <= int(cap):
                database.execute("UPDATE account SET spent = ?", (spent + 1,))
                database.execute("INSERT INTO charges VALUES (1)")
                granted += 1
    print(granted, int(each) - granted)


def _endless(where: str) -> None:
    from sharewell.queries.engine.ledger import Ledger
    from sharewell.queries.loss import Loss

    with Ledger.open(where, create=False) as ledger:
        _wait()
        while True:
            paid = ledger.charge([DATASET], Loss(1), question="q", what={})
            print(paid.number, flush=True)
            ledger.store_answer(paid, paid.number)


def _wait() -> None:
    print("ready", flush=True)
    sys.stdin.readline()


if __name__ == "__main__":
    {"charges": _charges, "naive": _naive, "endless": _endless}[sys.argv[1]](*sys.argv[2:])
