"""The service: how soon it listens, how many questions a minute it answers, how soon it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from benchmarks.house import Result
from benchmarks.queries import POLICY

QUESTIONS, CLIENTS = 300, 16


def service(data: Path | None, rows: int) -> Iterator[Result]:
    import pyarrow.parquet as pq

    from sharewell.policy import load
    from sharewell.queries.accounts import Accounts
    from sharewell.queries.service.tokens import Tokens
    from sharewell.queries.session import queried_dataset

    chance = np.random.default_rng(1)
    columns = {"who": np.arange(rows).astype(str), "sex": chance.choice(["F", "M"], rows)}
    with tempfile.TemporaryDirectory() as folder:
        policy = Path(folder) / "policy.yaml"
        policy.write_text(POLICY)
        pq.write_table(pa.table({**columns, "age": chance.integers(0, 110, rows)}), f"{folder}/visits.parquet")
        with Accounts.of(queried_dataset(load(policy))).opened() as (ledger, _):
            token = Tokens(ledger, "visits").new("Ada")[1]
        yield from _served(policy, {"Authorization": f"Bearer {token}"})


def _served(policy: Path, headers: dict[str, str]) -> Iterator[Result]:
    import httpx

    command = [sys.executable, "-m", "sharewell", "serve", str(policy), "--port", "0", "--json"]
    began = time.perf_counter()
    running = subprocess.Popen(
        [*command, "--rate", "1000000", "--rate-all", "1000000"], stdout=subprocess.PIPE, text=True
    )
    assert running.stdout is not None
    said = ""
    while not said.endswith("}\n"):
        said += running.stdout.readline()
    yield Result("the service listens after", time.perf_counter() - began, "s", 2)
    yield Result("the same in CPU time, which other work does not prolong", _cpu(running.pid), "s", 2)
    url, done = json.loads(said)["url"], []

    def ask(first: int) -> None:
        with httpx.Client(base_url=url, headers=headers, timeout=300) as client:
            for i in range(first, QUESTIONS, CLIENTS):
                question = {"measure": "count", "filter": {"age": {"<": i / 3}}, "group_by": ["sex"]}
                done.append(client.post("/ask", json={"question": question, "epsilon": 0.01}).status_code)

    with httpx.Client(base_url=url, headers=headers, timeout=300) as client:
        client.post("/ask", json={"question": {"measure": "count"}, "epsilon": 0.01})  # the rows are read
    began = time.perf_counter()
    threads = [threading.Thread(target=ask, args=(first,)) for first in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(done) == {200}
    a_minute = 60 * QUESTIONS / (time.perf_counter() - began)
    yield Result(f"questions of {CLIENTS} clients answered, a minute", a_minute, "", 1000, "≥")
    began = time.perf_counter()
    running.send_signal(signal.SIGINT)
    running.communicate()
    yield Result("the service ends after", time.perf_counter() - began, "s")


def _cpu(process: int) -> float | None:
    """Seconds that a running process has computed so far; None where the system does not tell."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
