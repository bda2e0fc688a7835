"""A service of the small dataset, for several tests."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from small_visits import POLICY, desk

from sharewell.policy import load
from sharewell.queries.open_dataset import OpenDataset
from sharewell.queries.service.app import Service
from sharewell.queries.service.limits import Limits
from sharewell.queries.service.tokens import SCOPES, Tokens
from sharewell.queries.session import queried_dataset

with warnings.catch_warnings():  # it would rather have a successor of httpx, which the tests do without
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

QUICK = Limits(minimum=0.01, per_token=60_000, everybody=60_000, strangers=60_000)
COUNT = {"question": {"measure": "count"}, "epsilon": 0.5}


class Served:
    """A service, its client and what it logged."""

    def __init__(self, policy: Path, limits: Limits) -> None:
        self.data = OpenDataset(queried_dataset(load(policy)))
        self.log: list[str] = []
        self.service = Service(self.data, limits, self.log.append)
        self.tokens = Tokens(self.data.ledger(), self.data.name)
        self.client = TestClient(self.service.app, raise_server_exceptions=True)

    def token(self, analyst: str = "Ada", scopes: tuple[str, ...] = SCOPES) -> dict[str, str]:
        """The header of a new token."""
        return {"Authorization": f"Bearer {self.tokens.new(analyst, scopes)[1]}"}

    def post(self, path: str, body: Any, headers: dict[str, str]) -> Any:
        return self.client.post(path, json=body, headers=headers)

    def get(self, path: str, headers: dict[str, str]) -> Any:
        return self.client.get(path, headers=headers)


@contextmanager
def served(directory: Path, limits: Limits = QUICK, policy: str = POLICY) -> Iterator[Served]:
    file = directory / "policy.yaml"
    one = Served(file if file.exists() else desk(directory, policy), limits)
    with one.client:
        yield one
    one.service.close()


@contextmanager
def process(policy: Path, *options: str, port: int = 0) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`sharewell serve` as a process of its own, and its address."""
    command = [sys.executable, "-m", "sharewell", "serve", str(policy), "--port", str(port), "--json", *options]
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert running.stdout is not None
        said = ""
        while not said.endswith("}\n"):
            line = running.stdout.readline()
            assert line, running.communicate()[1]
            said += line
        yield running, json.loads(said)["url"]
    finally:
        running.terminate()  # and not killed: it removes its private copy of the rows
        running.communicate(timeout=60)
