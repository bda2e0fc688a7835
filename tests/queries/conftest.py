"""Places for a ledger: a file, and a schema of a PostgreSQL server that runs as long as the tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from benchmarks.postgres_server import NoPostgres, PostgresServer, postgres_server


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    pytest.importorskip("psycopg")
    try:
        with postgres_server(durable=False) as server:
            yield server
    except NoPostgres as reason:
        pytest.skip(str(reason))


@pytest.fixture(params=["sqlite", "postgresql"])
def new_place(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """Gives a place for a new ledger, on either database."""
    if request.param == "sqlite":
        made = iter(range(100))
        return lambda: str(tmp_path / f"ledger-{next(made)}.sqlite")
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.new_place


@pytest.fixture
def where(new_place: Callable[[], str]) -> str:
    return new_place()
