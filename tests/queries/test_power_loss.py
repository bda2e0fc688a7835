"""The power fails: everything that was not flushed to the disk is gone, and every charge that was granted is there.

A library between SQLite and the system (`power_loss.c`) keeps what has been flushed. A process charges, says so, and
is killed; the ledger that is then opened has only what was flushed.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from benchmarks.postgres_server import PostgresServer

from sharewell.queries.engine.ledger import Ledger
from sharewell.queries.loss import Loss

CHARGES = """
import sys
from sharewell.queries.engine.ledger import Ledger
from sharewell.queries.loss import Loss

ledger = Ledger.open(sys.argv[1])
ledger.open_account("a", Loss(10**6))
if len(sys.argv) > 2:
    ledger._database.connection.execute(sys.argv[2])
for number in range(10**6):
    paid = ledger.charge(["a"], Loss(1), question=str(number), what={})
    print(paid.number, flush=True)
    if number % 3 == 0:
        ledger.store_answer(paid, number)
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("cc") is None or not sys.platform.startswith("linux"):
        pytest.skip("a C compiler on Linux is needed")
    made = tmp_path_factory.mktemp("power") / "power_loss.so"
    source = Path(__file__).with_name("power_loss.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", made, source, "-ldl"], check=True)
    return made


def left_by_a_power_failure(library: Path, place: Path, after: int, *control: str) -> tuple[int, Path]:
    """(how many charges were granted, the directory with what was flushed)"""
    durable = place / "durable"
    durable.mkdir(parents=True)
    surroundings = os.environ | {"LD_PRELOAD": str(library), "DURABLE": str(durable)}
    command = [sys.executable, "-c", CHARGES, str(place / "ledger.sqlite"), *control]
    with subprocess.Popen(command, env=surroundings, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        granted = [running.stdout.readline() for _ in range(after)]
        running.send_signal(signal.SIGKILL)
        granted += running.stdout.readlines()
    return int(granted[-1]), durable


@pytest.mark.parametrize("after", [1, 2, 5, 23, 150, 400])
def test_no_granted_charge_is_lost(library: Path, tmp_path: Path, after: int) -> None:
    granted, durable = left_by_a_power_failure(library, tmp_path, after)
    with Ledger.open(durable / "ledger.sqlite", create=False) as ledger:
        spent = ledger.balance("a").spent.epsilon
        assert spent is not None
        assert granted <= spent <= granted + 1  # one more may be on disk that nobody heard of
        assert ledger.recount().ok
        assert ledger.verify_chain().ok


def test_without_flushing_charges_would_be_lost(library: Path, tmp_path: Path) -> None:
    """The control: what the library keeps is what was flushed, and nothing else."""
    granted, durable = left_by_a_power_failure(library, tmp_path, 60, "PRAGMA synchronous=OFF")
    with Ledger.open(durable / "ledger.sqlite", create=False) as ledger:
        assert ledger.balance("a").spent < Loss(granted)


def test_a_server_flushes_charges_even_where_it_usually_does_not(postgres: PostgresServer) -> None:
    place = postgres.new_place()
    with psycopg.connect(postgres.url, autocommit=True) as server:
        server.execute("ALTER DATABASE postgres SET synchronous_commit = off")
        try:
            with psycopg.connect(postgres.url) as usual, Ledger.open(place) as ledger:
                assert usual.execute("SHOW synchronous_commit").fetchone() == ("off",)
                assert ledger.look_up("SHOW synchronous_commit") == [("on",)]
        finally:
            server.execute("ALTER DATABASE postgres RESET synchronous_commit")
