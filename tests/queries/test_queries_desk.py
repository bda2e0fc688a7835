"""What the desk gives to an analyst."""

from __future__ import annotations

from pathlib import Path

from served_visits import COUNT, served
from small_visits import POLICY


def test_the_schema_is_that_of_the_policy_and_reads_no_row(tmp_path: Path) -> None:
    with served(tmp_path) as one:
        (tmp_path / "visits.csv").unlink()
        told = one.get("/schema", one.token()).json()
    assert [column["name"] for column in told["columns"]] == ["sex", "age", "ward"]
    assert told["columns"][0] == {"name": "sex", "labels": ["F", "M", "other"], "kind": "values"}
    assert (told["columns"][1]["low"], told["columns"][1]["high"]) == (0, 100)
    assert (told["analyst"], told["rows_per_person"], told["accounting"]) == ("Ada", 2, "pure")


def test_budget_and_history_are_those_of_the_analyst(tmp_path: Path) -> None:
    with served(tmp_path) as one:
        ada, ben = one.token("Ada"), one.token("Ben")
        answer = one.post("/ask", COUNT, ada).json()
        told = one.get("/budget", ben).json()
        assert (told["own"]["spent"]["epsilon"], told["everybody"]["spent"]["epsilon"]) == ("0", "0.5")
        assert one.get("/history", ben).json() == {"charges": 0, "newest": []}
        [charge] = one.get("/history", ada).json()["newest"]
        assert charge["question"] == {"measure": "count"}
        assert charge["answered"]
        again = one.get("/history/1", ada).json()
        assert again["rows"] == answer["rows"]
        assert again["stored"]
        for header, number in ((ben, 1), (ada, 2), (ada, 10**30)):
            assert one.get(f"/history/{number}", header).json()["code"] == "not-found"


def test_history_gives_the_answer_that_the_own_account_paid_for(tmp_path: Path) -> None:
    """Two answers to one question exist where the first took too long: each analyst paid for one of them alone."""
    with served(tmp_path) as one:
        ben = one.token("Ben")
        told = one.post("/ask", COUNT, ben).json()
        ledger, accounts = one.data.ledger(), one.data.accounts
        [charge] = ledger.history(accounts.of_analyst("Ben"))
        slow = ledger.charge(
            accounts.open_in(ledger, "Ada"), charge.loss, question=charge.question, what=dict(charge.what)
        )
        ledger.store_answer(slow, {"rows": [{"group": {}, "value": 4711}]})
        ada, own = one.token("Ada"), one.get(f"/history/{charge.number}", ben).json()
        assert own["rows"] == told["rows"]
        assert one.get(f"/history/{slow.number}", ada).json()["rows"][0]["value"] == 4711


def test_data_that_cannot_be_read_charges_nothing(tmp_path: Path) -> None:
    with served(tmp_path) as one:
        (tmp_path / "visits.csv").write_text("who,name,sex,age,ward\n,Jane,F,30,A\n")
        reply = one.post("/ask", COUNT, one.token())
        assert (reply.status_code, reply.json()["code"]) == (503, "not-ready")
        assert one.get("/budget", one.token()).json()["everybody"]["charges"] == 0
        assert one.post("/cost", COUNT, one.token()).status_code == 200
    assert len(one.log) == 1
    assert "row(s) name no person" in one.log[0]
    assert "Jane" not in one.log[0]


def test_zcdp_is_priced_in_rho_or_epsilon(tmp_path: Path) -> None:
    policy = POLICY.replace("{epsilon: 3, analyst: 2}", "{epsilon: 3, analyst: 2, accounting: zcdp}")
    with served(tmp_path, policy=policy) as one:
        header = one.token()
        assert one.post("/ask", {"question": {"measure": "count"}, "rho": 0.01}, header).json()["loss"]["rho"] == "0.01"
        told = one.get("/budget", header).json()
        assert told["own"]["spent"]["rho"] == "0.01"
        assert told["own"]["guarantee"]["delta"] == "0.000001"
