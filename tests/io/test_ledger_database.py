"""What may be wrong with the database of a ledger: each is an error with a type, and nothing is granted."""

from __future__ import annotations

import os
import re
import resource
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from sharewell.errors import DataError, MissingExtra
from sharewell.io.ledger_database import SqliteDatabase, open_database
from sharewell.queries.engine.ledger import Ledger
from sharewell.queries.loss import Loss


@pytest.fixture
def path(tmp_path: Path) -> Path:
    place = tmp_path / "ledger.sqlite"
    with Ledger.open(place) as ledger:
        ledger.open_account("a", Loss(10**9))
    return place


def test_there_may_be_no_ledger(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="there is no ledger"):
        Ledger.open(tmp_path / "l", create=False)
    assert not (tmp_path / "l").exists()
    (tmp_path / "empty").touch()
    with pytest.raises(DataError, match="there is no ledger"):
        Ledger.open(tmp_path / "empty", create=False)
    Ledger.open(tmp_path / "empty").close()


def test_a_new_ledger_is_for_its_owner_alone(tmp_path: Path) -> None:
    Ledger.open(tmp_path / "new" / "l").close()
    assert stat.S_IMODE((tmp_path / "new" / "l").stat().st_mode) == 0o600


def test_commits_reach_the_disk(path: Path) -> None:
    with closing(SqliteDatabase(path, create=False).connection) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_directory_is_no_ledger(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be opened"):
        Ledger.open(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match="cannot be written"):
        Ledger.open(tmp_path / "file" / "l")


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("CANARY " * 2000)
    with pytest.raises(DataError, match="is no ledger") as refused:
        Ledger.open(text)
    assert "CANARY" not in str(refused.value)
    assert text.read_text() == "CANARY " * 2000
    with closing(sqlite3.connect(tmp_path / "other.db")) as other:
        other.execute("CREATE TABLE patients (name TEXT)")
    before = (tmp_path / "other.db").read_bytes()
    with pytest.raises(DataError, match="something else"):
        Ledger.open(tmp_path / "other.db")
    assert (tmp_path / "other.db").read_bytes() == before


def is_usable(path: Path) -> bool:
    try:
        with Ledger.open(path) as ledger:
            ledger.charge(["a"], Loss(1), question="q", what={})
            return ledger.verify_chain().ok and ledger.recount().ok
    except DataError:
        return False


def test_a_damaged_file_is_noticed(path: Path) -> None:
    """Whichever page is damaged: opening, charging or checking says so, in an error with a type."""
    with Ledger.open(path) as ledger:
        ledger._database.connection.execute("PRAGMA synchronous=OFF")
        for i in range(60):
            ledger.charge(["a"], Loss(1), question=f"q{i}", what={"mechanism": "laplace"})
    whole = path.read_bytes()
    assert len(whole) > 12 * 4096
    for page in range(0, len(whole), 4096):
        path.write_bytes(whole[:page] + os.urandom(4096) + whole[page + 4096 :])
        assert not is_usable(path), f"page {page // 4096}"
    path.write_bytes(whole[: len(whole) // 2])
    assert not is_usable(path)
    path.write_bytes(whole)
    assert is_usable(path)


def charge_until_refused(ledger: Ledger) -> None:
    while True:
        ledger.charge(["a"], Loss(1), question="q", what={"text": "x" * 500})


def test_a_full_disk_refuses_and_loses_nothing(path: Path) -> None:
    """SQLite is given a few pages more than it uses; with room again, it goes on where it was."""
    with Ledger.open(path) as ledger:
        connection = ledger._database.connection
        [pages] = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages + 3}")
        with pytest.raises(DataError, match=r"the disk is full .* nothing was granted"):
            charge_until_refused(ledger)
        granted = ledger.balance("a").charges
        assert granted > 0
        assert ledger.balance("a").spent == Loss(granted)
        assert ledger.recount().ok
        assert ledger.verify_chain().ok
        connection.execute("PRAGMA max_page_count = 1000000")
        ledger.charge(["a"], Loss(1), question="q", what={})
        assert ledger.balance("a").spent == Loss(granted + 1)


LIMITED = """
import resource, sys
from sharewell.errors import DataError
from sharewell.queries.engine.ledger import Ledger
from sharewell.queries.loss import Loss
granted = 0
with Ledger.open(sys.argv[1], create=False) as ledger:
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
    try:
        while True:
            ledger.charge(["a"], Loss(1), question=f"q{granted}", what={"text": "x" * 500})
            granted += 1
    except DataError as error:
        print(granted, "nothing was granted" in str(error))
"""


def test_writes_that_fail_refuse_and_lose_nothing(path: Path) -> None:
    """The system itself refuses to make files longer, in the middle of a commit."""
    done = subprocess.run([sys.executable, "-c", LIMITED, str(path)], capture_output=True, text=True, check=True)
    granted, typed = done.stdout.split()
    assert int(granted) > 0
    assert typed == "True"
    with Ledger.open(path) as ledger:
        assert ledger.balance("a").spent.epsilon in (int(granted), int(granted) + 1)
        assert ledger.recount().ok
        assert ledger.verify_chain().ok
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] != 200_000


READ_ONLY = """
import sys
from sharewell.errors import DataError
from sharewell.queries.engine.ledger import Ledger
from sharewell.queries.loss import Loss
import os
if os.getuid() == 0:
    os.setgid(65534), os.setuid(65534)
try:
    with Ledger.open(sys.argv[1]) as ledger:
        ledger.charge(["a"], Loss(1), question="q", what={})
except DataError as error:
    print(error)
"""


def test_a_read_only_file_is_refused(tmp_path: Path) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "ledger"
        with Ledger.open(place) as ledger:
            ledger.open_account("a", Loss(10))
        place.chmod(0o444)
        Path(folder).chmod(0o555)
        done = subprocess.run([sys.executable, "-c", READ_ONLY, str(place)], capture_output=True, text=True, check=True)
        Path(folder).chmod(0o755)
    assert re.search(r"is read-only|cannot be opened|cannot be written", done.stdout)
    assert "nothing was granted" in done.stdout


def test_a_ledger_that_others_hold_is_waited_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Ledger.open(path) as ledger, Ledger.open(path) as other:
        other._database.connection.execute("PRAGMA busy_timeout = 50")
        with (
            ledger._database.writing(),
            pytest.raises(DataError, match="try again"),
        ):
            other.charge(["a"], Loss(1), question="q", what={})
        other.charge(["a"], Loss(1), question="q", what={})


def test_no_message_has_the_password() -> None:
    pytest.importorskip("psycopg")
    for url in ("postgresql://ada:hunter2@/nowhere?host=/nonexistent", "postgresql://ada:hunter2@[::"):
        with pytest.raises(DataError) as refused:
            open_database(url, create=True)
        assert "hunter2" not in str(refused.value)
        assert refused.value.__cause__ is None
        assert refused.value.__suppress_context__


def test_postgresql_needs_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra, match=r"sharewell\[queries\]"):
        open_database("postgresql://localhost/ledger", create=True)
