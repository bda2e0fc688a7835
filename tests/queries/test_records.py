"""What the ledger gives back shows no answer in its repr, and says whether all is well."""

from __future__ import annotations

from sharewell.queries.engine.ledger.records import ChainCheck, Recount, StoredAnswer
from sharewell.queries.loss import Loss


def test_an_answer_is_not_shown() -> None:
    assert "812" not in repr(StoredAnswer(1, {"count": 812}))


def test_checks_say_whether_all_is_well() -> None:
    assert ChainCheck(3, "3:abc").ok
    assert not ChainCheck(3, "3:abc", 2, "changed").ok
    assert Recount({"a": Loss(1)}).ok
    assert not Recount({"a": Loss(1)}, ("a",)).ok
