"""What a recount adds up, over more charges than are read at once."""

from __future__ import annotations

from pathlib import Path

from sharewell.queries.engine.ledger import Ledger
from sharewell.queries.engine.ledger.ledger_check import charge_content
from sharewell.queries.loss import Loss


def test_a_recount_reads_every_charge(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "l") as ledger:
        ledger._database.connection.execute("PRAGMA synchronous=OFF")
        ledger.open_account("a", Loss(10_000))
        ledger.open_account("b", Loss(rho=10_000), "zcdp", delta="1e-6")
        for i in range(1050):
            ledger.charge(["a"] if i % 2 else ["a", "b"], Loss(2), question=f"q{i}", what={})
        found = ledger.recount()
        assert found.ok
        assert found.totals == {"a": Loss(2100), "b": Loss(rho=525)}
        assert ledger.verify_chain().rows == 1052


def test_terms_that_cannot_be_read_differ(tmp_path: Path) -> None:
    with Ledger.open(tmp_path / "l") as ledger:
        ledger.open_account("a", Loss(10))
        ledger.charge(["a"], Loss(2), question="q", what={})
        for terms in ("no json", "{}", '{"epsilon": "-1"}', '{"rho": "1"}'):
            with ledger._database.writing():
                ledger._database.execute("UPDATE ledger_charges SET loss = ?", terms)
            assert ledger.recount().differing == ("a",)


def test_the_log_has_a_digest_of_what_was_asked_and_not_its_words() -> None:
    content = charge_content(
        1, "question", "digest", '{"epsilon":"1"}', '{"filter":"diagnosis"}', [("b", 1, 0), ("a", 1, 0)]
    )
    assert "diagnosis" not in str(content)
    assert [entry[0] for entry in content["entries"]] == ["a", "b"]
