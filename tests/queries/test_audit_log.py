"""Who changes the ledger behind its back is found out, by row."""

from __future__ import annotations

import hashlib
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sharewell.errors import DataError
from sharewell.keys import Key
from sharewell.queries.engine.ledger import Ledger
from sharewell.queries.engine.ledger.audit_log import Row, canonical, first_digest
from sharewell.queries.engine.ledger.records import ChainCheck
from sharewell.queries.loss import Loss


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Row 1 opens an account; rows 2 to 5 are two charges with their answers; row 6 raises the cap."""
    return filled(tmp_path / "ledger", None)


def filled(path: Path, key: Key | None) -> Path:
    with Ledger.open(path, key=key) as ledger:
        ledger.open_account("a", Loss(10))
        for i in range(2):
            paid = ledger.charge(["a"], Loss(3), question=f"q{i}", what={"mechanism": "laplace"})
            ledger.store_answer(paid, 100 + i)
        ledger.set_cap("a", Loss(20), why="asked for")
    return path


def changed(path: Path, *edits: str, key: Key | None = None, expected: str | None = None) -> ChainCheck:
    with closing(sqlite3.connect(path)) as database:
        for edit in edits:
            database.execute(edit)
        database.commit()
    with Ledger.open(path, key=key) as ledger:
        return ledger.verify_chain(expected)


def test_a_log_as_it_was_written_is_whole(path: Path) -> None:
    with Ledger.open(path) as ledger:
        found = ledger.verify_chain()
        assert (found.rows, found.broken, found.head) == (6, None, ledger.head())
        assert ledger.verify_chain(found.head).ok


@pytest.mark.parametrize(
    ("edit", "row"),
    [
        ("UPDATE ledger_log SET content = replace(content, '\"q0\"', '\"q9\"') WHERE line = 2", 2),
        ("UPDATE ledger_log SET at = '2001-01-01' WHERE line = 3", 3),
        ("UPDATE ledger_log SET event = 'answer' WHERE line = 4", 4),
        ("UPDATE ledger_log SET digest = substr(digest, 2) || substr(digest, 1, 1) WHERE line = 5", 5),
        ("DELETE FROM ledger_log WHERE line = 3", 3),
        ("DELETE FROM ledger_log WHERE line = 6", 6),
        ("DELETE FROM ledger_log", 1),
        ("UPDATE ledger_log SET line = 7 WHERE line = 6", 6),
        ("INSERT INTO ledger_log SELECT 7, at, event, content, digest, seal FROM ledger_log WHERE line = 6", 7),
        ("UPDATE ledger_head SET digest = 'x'", 7),
        ("UPDATE ledger_charges SET loss = replace(loss, '3', '1') WHERE charge = 1", 2),
        ("UPDATE ledger_charges SET what = '{}' WHERE charge = 2", 4),
        ("UPDATE ledger_charges SET loss = 'no json' WHERE charge = 2", 4),
        ("UPDATE ledger_entries SET amount = 1 WHERE charge = 2", 4),
        ("DELETE FROM ledger_entries WHERE charge = 1", 2),
        ("DELETE FROM ledger_charges WHERE charge = 2", 4),
        ("UPDATE ledger_answers SET answer = '7' WHERE charge = 1", 3),
        ("DELETE FROM ledger_answers WHERE charge = 2", 5),
        ("UPDATE ledger_accounts SET cap = 1000", 7),
        ("UPDATE ledger_accounts SET accounting = 'zcdp'", 7),
        ("INSERT INTO ledger_charges SELECT 3, at, kind, question, loss, what, 0 FROM ledger_charges LIMIT 1", 7),
    ],
)
def test_the_first_wrong_row_is_named(path: Path, edit: str, row: int) -> None:
    found = changed(path, edit)
    assert not found.ok
    assert found.broken == row
    assert found.reason


def test_a_total_that_was_lowered_differs_from_the_recount(path: Path) -> None:
    """The chain covers charges; the recount holds the totals against them."""
    assert changed(path, "UPDATE ledger_accounts SET spent = 0").ok
    with Ledger.open(path) as ledger:
        assert ledger.recount().differing == ("a",)


CUT = [
    "DELETE FROM ledger_log WHERE line > 3",
    "DELETE FROM ledger_answers WHERE charge = 2",
    "DELETE FROM ledger_entries WHERE charge = 2",
    "DELETE FROM ledger_charges WHERE charge = 2",
    "UPDATE ledger_accounts SET spent = 3, charges = 1, cap = 10",
    "UPDATE ledger_head SET line = 3, digest = (SELECT digest FROM ledger_log WHERE line = 3)",
]
"""The ledger as it was after row 3: nothing in it says that there was more."""


def test_a_ledger_set_back_is_found_out_by_a_head_kept_elsewhere(path: Path) -> None:
    with Ledger.open(path) as ledger:
        head = ledger.head()
    assert changed(path, *CUT).ok
    assert changed(path, expected=head).reason == "rows are missing at the end"


def test_a_forged_row_lacks_the_seal(tmp_path: Path) -> None:
    """Who can write the database computes digests anew, and has no key for the seals."""
    key = Key.fresh()
    path = filled(tmp_path / "ledger", key)
    with closing(sqlite3.connect(path)) as database:
        [before] = database.execute("SELECT digest FROM ledger_log WHERE line = 5").fetchone()
        content = canonical({"account": "a", "before": [10, 0], "cap": [999, 0], "why": "asked for"})
        at = "2026-01-01"
        digest = Row(6, at, "cap", content, "", None).follows(before)
        database.execute("UPDATE ledger_log SET at = ?, content = ?, digest = ? WHERE line = 6", (at, content, digest))
        database.execute("UPDATE ledger_head SET digest = ?", (digest,))
        database.execute("UPDATE ledger_accounts SET cap = 999")
        database.commit()
    assert changed(path).ok
    found = changed(path, key=key)
    assert (found.broken, found.reason) == (6, "the row was not sealed with this key")


@pytest.mark.parametrize("content", ["no json", "[]", "{}", '{"charge": "x"}', '{"charge": null}'])
@pytest.mark.parametrize("event", ["charge", "answer", "cap"])
def test_a_forged_row_of_any_content_is_no_row_of_a_ledger(path: Path, event: str, content: str) -> None:
    with closing(sqlite3.connect(path)) as database:
        [before] = database.execute("SELECT digest FROM ledger_log WHERE line = 5").fetchone()
        digest = Row(6, "now", event, content, "", None).follows(before)
        new = (event, content, digest)
        database.execute("UPDATE ledger_log SET at = 'now', event = ?, content = ?, digest = ? WHERE line = 6", new)
        database.execute("UPDATE ledger_head SET digest = ?", (digest,))
        database.commit()
    assert not changed(path).ok


def test_what_was_edited_by_hand_is_an_error_with_a_type(path: Path) -> None:
    edits = ("UPDATE ledger_charges SET what = '{'", "UPDATE ledger_answers SET answer = '{'")
    assert not changed(path, *edits, "PRAGMA foreign_keys=OFF", "UPDATE ledger_entries SET account = 'nobody'").ok
    with Ledger.open(path) as ledger:
        assert "nobody" in ledger.recount().differing
        with pytest.raises(DataError, match="verify_chain"):
            ledger.stored_answer("q0", Loss(3), of=None)
        with closing(sqlite3.connect(path)) as database:
            database.execute("UPDATE ledger_entries SET account = 'a'")
            database.commit()
        with pytest.raises(DataError, match="verify_chain"):
            ledger.history("a")


def test_heads_of_other_ledgers_do_not_fit(path: Path, tmp_path: Path) -> None:
    with Ledger.open(filled(tmp_path / "other", None)) as other:
        head = other.head()
    assert changed(path, expected=head).broken == 6
    assert changed(path, expected=f"0:{first_digest('another')}").broken == 1
    with pytest.raises(DataError, match="number:digest"):
        changed(path, expected="what it said yesterday")


def test_answers_cannot_be_guessed_from_the_log(path: Path) -> None:
    """Exact answers may be small numbers: their digests are salted."""
    with closing(sqlite3.connect(path)) as database:
        log = " ".join(content for (content,) in database.execute("SELECT content FROM ledger_log"))
    assert all(hashlib.sha256(str(n).encode()).hexdigest() not in log for n in range(200))
