"""Tokens: shown once, stored as a digest, refused when they are over, and written to the audit log."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sharewell.errors import DataError
from sharewell.queries.engine.ledger import Ledger, move_ledger
from sharewell.queries.service import tokens as module
from sharewell.queries.service.tokens import Tokens


def test_a_token_is_known_by_its_secret_alone(where: str) -> None:
    with Ledger.open(where) as ledger:
        tokens = Tokens(ledger, "visits")
        made, shown = tokens.new("Ada", ["budget", "ask"], days=7)
        assert re.fullmatch(r"sharewell_[0-9a-f]{12}_[\w-]{43}", shown)
        assert tokens.bearer(shown) == made
        assert made.scopes == ("ask", "budget")
        assert made.state == "valid"
        changed = shown[:-1] + ("A" if shown[-1] != "A" else "B")
        others = ["", "x", changed, shown.upper(), shown + "\n", f"sharewell_{'0' * 12}_{'A' * 43}", "é\ud800"]
        assert [tokens.bearer(other) for other in others] == [None] * len(others)
        assert Tokens(ledger, "other").bearer(shown) is None
        assert Tokens(ledger, "other").listed() == []
        assert tokens.listed() == [made]
        stored = str(ledger.look_up("SELECT * FROM ledger_tokens")) + str(ledger.look_up("SELECT * FROM ledger_log"))
        assert shown not in stored
        assert shown.rpartition("_")[2] not in stored


def test_a_token_ends_when_it_expires_or_is_revoked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Ledger.open(tmp_path / "l") as ledger:
        tokens = Tokens(ledger, "visits")
        (first, shown), (second, other) = tokens.new("Ada", days=2), tokens.new("Ada")
        tokens.revoke(first.name)
        assert tokens.bearer(shown) is None
        assert [one.state for one in tokens.listed()].count("revoked") == 1
        for name in (first.name, "unknown", ""):
            with pytest.raises(DataError, match="can be revoked"):
                tokens.revoke(name)
        now = datetime.now(UTC)
        monkeypatch.setattr(module, "_now", lambda: now + timedelta(days=29))
        assert tokens.bearer(other) == second
        monkeypatch.setattr(module, "_now", lambda: now + timedelta(days=31))
        assert tokens.bearer(other) is None
        assert {one.state for one in tokens.listed()} == {"revoked", "expired"}


@pytest.mark.parametrize(("scopes", "days"), [((), 1), (("all",), 1), (("ask",), 0), (("ask",), 10_000)])
def test_what_no_token_can_have_is_refused(tmp_path: Path, scopes: tuple[str, ...], days: int) -> None:
    with Ledger.open(tmp_path / "l") as ledger, pytest.raises(DataError, match=r"scopes|days"):
        Tokens(ledger, "visits").new("Ada", scopes, days)


def test_the_audit_log_tells_of_every_token(where: str) -> None:
    with Ledger.open(where) as ledger:
        tokens = Tokens(ledger, "visits")
        made, _ = tokens.new("Ada")
        tokens.new("Ben")
        tokens.revoke(made.name)
        assert ledger.verify_chain().ok
        for change, undo in (
            (
                "UPDATE ledger_tokens SET analyst = 'Eve' WHERE analyst = 'Ben'",
                "SET analyst = 'Ben' WHERE analyst = 'Eve'",
            ),
            ("UPDATE ledger_tokens SET scopes = 'ask' WHERE analyst = 'Ben'", "SET scopes = 'ask,budget'"),
            ("UPDATE ledger_tokens SET revoked = NULL", None),
        ):
            with ledger._database.writing():
                ledger._database.execute(change)
            found = ledger.verify_chain()
            assert (found.ok, found.reason) == (False, "tokens are others than the log says")
            if undo:
                with ledger._database.writing():
                    ledger._database.execute(f"UPDATE ledger_tokens {undo}")
                assert ledger.verify_chain().ok


def test_tokens_move_with_their_ledger(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "old") as ledger:
        made, shown = Tokens(ledger, "visits").new("Ada")
    move_ledger(tmp_path / "old", tmp_path / "new")
    with Ledger.open(tmp_path / "new") as ledger:
        assert Tokens(ledger, "visits").bearer(shown) == made
        assert ledger.verify_chain().ok
