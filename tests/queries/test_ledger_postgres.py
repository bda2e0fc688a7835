"""What only a server can do: end connections, refuse to write, stop and come back."""

from __future__ import annotations

import psycopg
import pytest
from benchmarks.postgres_server import PostgresServer

from sharewell.errors import DataError
from sharewell.queries.engine.ledger import Ledger
from sharewell.queries.loss import Loss


@pytest.fixture
def place(postgres: PostgresServer) -> str:
    url = postgres.new_place()
    with Ledger.open(url) as ledger:
        ledger.open_account("a", Loss(100))
    return url


def end_connections(postgres: PostgresServer) -> None:
    with psycopg.connect(postgres.url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sharewell ledger'"
        )


def test_a_connection_that_was_ended_grants_nothing_and_is_made_anew(postgres: PostgresServer, place: str) -> None:
    with Ledger.open(place) as ledger:
        ledger.charge(["a"], Loss(1), question="q", what={})
        end_connections(postgres)
        with pytest.raises(DataError, match="nothing was granted"):
            ledger.charge(["a"], Loss(1), question="q", what={})
        ledger.charge(["a"], Loss(1), question="q", what={})
        assert ledger.balance("a").spent == Loss(2)
        assert ledger.verify_chain().ok


def spend_until_cut_off(ledger: Ledger, postgres: PostgresServer) -> None:
    with ledger._database.writing():
        ledger._database.execute("UPDATE ledger_accounts SET spent = 50")
        end_connections(postgres)


def test_a_connection_that_ends_in_the_middle_undoes_the_charge(postgres: PostgresServer, place: str) -> None:
    with Ledger.open(place) as ledger:
        with pytest.raises(DataError, match="nothing was granted"):
            spend_until_cut_off(ledger, postgres)
        assert ledger.balance("a").spent == Loss(0)


def test_who_may_only_read_grants_nothing(place: str) -> None:
    with Ledger.open(f"{place}%20-cdefault_transaction_read_only%3Don", create=False) as ledger:
        assert ledger.balance("a").cap == Loss(100)
        ledger._database._begin_writing = "BEGIN READ ONLY"
        with pytest.raises(DataError, match="may not write"):
            ledger.charge(["a"], Loss(1), question="q", what={})


def test_tables_of_something_else_are_left_alone(postgres: PostgresServer) -> None:
    url = postgres.new_place()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE patients (name TEXT)")
    with pytest.raises(DataError, match="something else"):
        Ledger.open(url)


def test_waiting_ends(place: str) -> None:
    with Ledger.open(place) as ledger, Ledger.open(place) as other:
        other._database.connection.execute("SET lock_timeout = '50ms'")
        with ledger._writing(), pytest.raises(DataError, match="try again"):
            other.charge(["a"], Loss(1), question="q", what={})
        other.charge(["a"], Loss(1), question="q", what={})


FULL = """\
CREATE FUNCTION is_full() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'could not extend file "Jane Roe"' USING ERRCODE = '53100'; END $$;
CREATE TRIGGER disk BEFORE INSERT OR UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION is_full()
"""


@pytest.mark.parametrize("table", ["ledger_charges", "ledger_entries", "ledger_accounts", "ledger_log", "ledger_head"])
def test_a_full_disk_grants_nothing_and_loses_nothing(place: str, table: str) -> None:
    """The server says so (disk_full, 53100) at any statement of a charge: nothing of the charge stays."""
    with Ledger.open(place) as ledger, psycopg.connect(place, autocommit=True) as server:
        ledger.charge(["a"], Loss(1), question="q", what={})
        server.execute(FULL.format(table=table))
        for _ in range(2):
            with pytest.raises(DataError, match="nothing was granted") as caught:
                ledger.charge(["a"], Loss(1), question="r", what={})
            assert "Jane" not in str(caught.value)
        assert ledger.balance("a").spent == Loss(1)
        assert ledger.verify_chain().ok
        server.execute(f"DROP TRIGGER disk ON {table}")
        ledger.charge(["a"], Loss(1), question="r", what={})
        assert ledger.balance("a").spent == Loss(2)
        assert ledger.recount().ok
        assert ledger.verify_chain().ok


def test_an_answer_that_a_full_disk_does_not_keep_stays_charged(place: str) -> None:
    with Ledger.open(place) as ledger, psycopg.connect(place, autocommit=True) as server:
        paid = ledger.charge(["a"], Loss(1), question="q", what={})
        server.execute(FULL.format(table="ledger_answers"))
        with pytest.raises(DataError):
            ledger.store_answer(paid, {"count": 1})
        assert ledger.balance("a").spent == Loss(1)
        assert ledger.stored_answer("q", Loss(1), of=None) is None
        assert ledger.verify_chain().ok
