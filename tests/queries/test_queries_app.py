"""The API: who may ask, what is refused, how long replies take, and what is charged."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from served_visits import COUNT, QUICK, Served, served

from sharewell.queries.engine.ledger import Ledger
from sharewell.queries.engine.row_store import RowStore
from sharewell.queries.service import tokens as tokens_module
from sharewell.queries.service.app import HEADERS


@pytest.fixture
def one(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path) as found:
        yield found


def refused(reply: Any) -> tuple[int, str]:
    assert reply.headers["content-type"] == "application/problem+json"
    assert set(reply.json()) <= {"type", "title", "status", "code", "detail"}
    assert reply.json()["status"] == reply.status_code
    return reply.status_code, reply.json()["code"]


def spent(one: Served) -> str:
    return str(one.data.ledger().balance("dataset:visits").spent)


def test_without_a_valid_token_every_door_says_the_same(one: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    made, shown = one.tokens.new("Ada")
    _, over = one.tokens.new("Ada", days=1)
    one.tokens.revoke(made.name)
    late = tokens_module._now() + tokens_module.timedelta(days=2)
    monkeypatch.setattr(tokens_module, "_now", lambda: late)
    headers = [{}, {"Authorization": "Basic abc"}, {"Authorization": "Bearer"}, {"Authorization": "Bearer é".encode()}]
    headers += [{"Authorization": f"Bearer {word}"} for word in ("x", shown, over, shown[:-1])]
    bodies = set()
    for header in headers:
        for path in ("/budget", "/history", "/schema", "/history/1"):
            reply = one.get(path, header)  # type: ignore[arg-type]
            assert refused(reply) == (401, "unauthorised")
            assert reply.headers["www-authenticate"].startswith("Bearer")
            bodies.add(reply.text)
        bodies.add(one.post("/ask", COUNT, header).text)  # type: ignore[arg-type]
    assert len(bodies) == 1


def test_a_token_allows_what_its_scopes_say(one: Served) -> None:
    asks, looks = one.token(scopes=("ask",)), one.token(scopes=("budget",))
    assert refused(one.get("/budget", asks)) == (403, "forbidden")
    assert refused(one.get("/history", asks)) == (403, "forbidden")
    assert refused(one.post("/ask", COUNT, looks)) == (403, "forbidden")
    assert refused(one.post("/cost", COUNT, looks)) == (403, "forbidden")
    assert one.post("/cost", COUNT, asks).status_code == one.get("/budget", looks).status_code == 200
    assert one.get("/schema", asks).status_code == one.get("/schema", looks).status_code == 200


def test_an_answer_costs_and_the_same_question_costs_nothing(one: Served) -> None:
    header = one.token()
    first = one.post("/ask", COUNT, header).json()
    assert first["loss"]["epsilon"] == "0.5"
    assert first["remaining"]["dataset:visits/analyst:Ada"]["epsilon"] == "1.5"
    [row] = first["rows"]
    assert row["low"] < row["value"] < row["high"]
    again = one.post("/ask", COUNT, header).json()
    assert (again["stored"], again["rows"], again["charge"]) == (True, first["rows"], first["charge"])
    others = one.token("Ben")
    shared = one.post("/ask", COUNT, others).json()
    assert (shared["stored"], shared["rows"]) == (False, first["rows"])
    assert shared["remaining"]["dataset:visits/analyst:Ben"]["epsilon"] == "1.5"
    assert one.get(f"/history/{shared['charge']}", others).json()["rows"] == first["rows"]
    assert refused(one.get(f"/history/{first['charge']}", others)) == (404, "not-found")
    assert spent(one) == "epsilon 0.5"


def test_a_dry_run_is_the_cost_and_charges_nothing(one: Served) -> None:
    header = one.token()
    cost = one.post("/cost", COUNT, header).json()
    assert one.post("/ask", {**COUNT, "dry_run": True}, header).json() == cost
    assert cost["accuracy"]["half_width"] > 0
    assert "accounts" not in cost
    assert one.get("/budget", header).json()["own"]["charges"] == 0


def test_an_exhausted_budget_is_told_and_charges_nothing(one: Served) -> None:
    header = one.token()
    reply = one.post("/ask", {**COUNT, "epsilon": 2.5}, header)
    assert refused(reply) == (409, "budget-exhausted")
    assert "2 of epsilon 2 are left, 2.5 are needed" in reply.json()["detail"]
    assert spent(one) == "epsilon 0"


@pytest.mark.parametrize(
    "body",
    [
        {"question": {"measure": {"mean": "name"}}, "epsilon": 0.1},
        {"question": {"measure": "count", "filter": {"sex": "Name 7"}}, "epsilon": 0.1},
        {"question": {"measure": "count"}, "epsilon": -1},
        {"question": {"measure": "count"}, "epsilon": 0},
        {"question": {"measure": "count"}, "epsilon": 1e308},
        {"question": {"measure": "count"}, "epsilon": 10**400},
        {"question": {"measure": "count"}, "epsilon": 0.1, "rho": 0.1},
        {"question": {"measure": "count"}, "rho": 0.1},
        {"question": {"measure": "count"}},
        {"question": {}, "epsilon": 0.1},
        {"question": {"measure": "count", "filter": {"sex": ["F"] * 1001}}, "epsilon": 0.1},
    ],
)
def test_a_question_that_cannot_be_asked(one: Served, body: Any) -> None:
    reply = one.post("/ask", body, one.token())
    assert refused(reply) == (422, "wrong-question")
    assert "Name 7" not in reply.text
    assert spent_nothing(one)


def spent_nothing(one: Served) -> bool:
    return "dataset:visits" not in one.data.ledger().accounts() or spent(one) == "epsilon 0"


def test_a_column_that_is_not_declared_is_as_unknown_as_one_that_nobody_has(one: Served) -> None:
    """`name` is in the data, `zzzz` is not, and the subject is never asked about."""
    header = one.token()
    told = {
        json.dumps(
            one.post(path, {"question": {"measure": {"histogram": column}}, "epsilon": 0.1}, header).json()
        ).replace(column, "…")
        for column in ("name", "zzzz", "whow")
        for path in ("/ask", "/cost")
    }
    assert len(told) == 1


@pytest.mark.parametrize(
    ("content", "kind", "code"),
    [
        (b"{", "application/json", "not-json"),
        (b"[1]", "application/json", "not-json"),
        (b"[" * 60_000, "application/json", "not-json"),
        (b'{"question": {"measure": "count"}, "epsilon": NaN}', "application/json", "not-json"),
        (b'{"question": {"measure": "\\ud800"}, "epsilon": 1}', "application/json", "not-json"),
        (b"\xff\xfe", "application/json", "not-json"),
        (b'{"question": {"measure": "count"}, "epsilon": 0.1, "epsilon": 1}', "application/json", "not-json"),
        (b'{"question": {"measure": "count"}, "epsilon": 1}', "text/plain", "not-json"),
        (b'{"question": {"measure": "count"}, "epsilon": 1}', "application/x-www-form-urlencoded", "not-json"),
        (b'{"question": "count", "epsilon": 1}', "application/json", "wrong-request"),
        (b'{"question": {"measure": "count"}, "epsilon": "1"}', "application/json", "wrong-request"),
        (b'{"question": {"measure": "count"}, "epsilon": true}', "application/json", "wrong-request"),
        (b'{"question": {"measure": "count"}, "epsilon": 1, "analyst": "Ben"}', "application/json", "wrong-request"),
        (b'{"question": {"measure": "count"}, "epsilon": 1, "dry_run": 1}', "application/json", "wrong-request"),
        (b" " * 65_537, "application/json", "too-large"),
    ],
)
def test_a_request_that_cannot_be_read(one: Served, content: bytes, kind: str, code: str) -> None:
    reply = one.client.post("/ask", content=content, headers={**one.token(), "Content-Type": kind})
    assert refused(reply)[1] == code
    assert spent_nothing(one)


def test_a_body_that_does_not_say_how_long_it_is_ends_at_the_limit(one: Served) -> None:
    sent = []

    def pieces() -> Iterator[bytes]:
        for _ in range(100):
            sent.append(1)
            yield b" " * 10_000

    reply = one.client.post("/ask", content=pieces(), headers={**one.token(), "Content-Type": "application/json"})
    assert refused(reply) == (413, "too-large")


def test_places_and_methods_that_are_none(one: Served) -> None:
    assert refused(one.client.get("/nothing")) == (404, "not-found")
    assert refused(one.client.get("/ask")) == (405, "wrong-method")
    assert refused(one.client.put("/budget")) == (405, "wrong-method")
    assert refused(one.client.get("/history/abc")) == (404, "not-found")


def test_every_reply_has_the_headers_and_none_lets_other_sites_read(one: Served) -> None:
    for path in ("/", "/page.js", "/docs", "/openapi.json", "/schema", "/nothing"):
        reply = one.client.get(path, headers={"Origin": "https://elsewhere.example"})
        for name, value in HEADERS.items():
            assert reply.headers[name] == value
        assert not [name for name in reply.headers if name.startswith("access-control")]
    assert one.client.options("/ask", headers={"Origin": "https://elsewhere.example"}).status_code == 405


def test_too_many_requests_wait(tmp_path: Path) -> None:
    with served(tmp_path, replace(QUICK, per_token=8, everybody=16, strangers=4)) as one:
        ada, ben, eve = one.token("Ada"), one.token("Ben"), one.token("Eve")
        codes = [one.get("/schema", ada).status_code for _ in range(3)]
        assert codes == [200, 200, 429]
        reply = one.get("/schema", ada)
        assert refused(reply) == (429, "too-many")
        assert 1 <= int(reply.headers["retry-after"]) <= 9
        assert [one.get("/schema", {}).status_code for _ in range(2)] == [401, 429]
        assert [one.get("/schema", ben).status_code for _ in range(2)] == [200, 200]
        assert one.get("/schema", eve).status_code == 429  # all tokens together


def test_every_reply_takes_a_multiple_of_the_minimum(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served(tmp_path, replace(QUICK, minimum=0.2)) as one:
        header = one.token()
        one.post("/ask", COUNT, header)  # the rows are read
        waits = []
        real = time.monotonic

        def timed(work: Any) -> None:
            start = real()
            work()
            waits.append(real() - start)

        timed(lambda: one.post("/ask", COUNT, header))
        timed(lambda: one.post("/ask", {**COUNT, "epsilon": 0.25}, header))
        timed(lambda: one.post("/ask", {**COUNT, "epsilon": 50}, header))
        timed(lambda: one.post("/ask", {"question": {"measure": {"mean": "nn"}}, "epsilon": 1}, header))
        timed(lambda: one.get("/schema", {}))
        timed(lambda: one.client.post("/ask", content=b"{"))
        assert min(waits) >= 0.2
        slow = RowStore.counts

        def slower(self: RowStore, *args: Any) -> Any:
            time.sleep(0.25)
            return slow(self, *args)

        monkeypatch.setattr(RowStore, "counts", slower)
        start = real()
        assert one.post("/ask", {**COUNT, "epsilon": 0.3}, header).status_code == 200
        assert real() - start >= 0.4


def test_a_failure_after_the_charge_says_nothing_and_stays_charged(
    one: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("Name 7 has no ward")

    monkeypatch.setattr(RowStore, "counts", fail)
    reply = one.post("/ask", COUNT, one.token())
    assert refused(reply) == (500, "failed")
    assert "detail" not in reply.json()
    assert spent(one) == "epsilon 0.5"
    assert len(one.log) == 1
    assert "RuntimeError" in one.log[0]
    assert "Name 7" not in one.log[0]


def test_a_ledger_that_fails_charges_and_answers_nothing(one: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    from sharewell.errors import DataError

    header = one.token()

    def fail(*_: object, **__: object) -> None:
        raise DataError("ledger — the disk is full — make room")

    monkeypatch.setattr(Ledger, "answer_or_charge", fail)
    assert refused(one.post("/ask", COUNT, header)) == (503, "unavailable")
    assert one.log == ["ledger — the disk is full — make room"]
    assert spent(one) == "epsilon 0"


def test_no_question_is_logged(one: Served) -> None:
    header = one.token()
    one.post("/ask", {"question": {"measure": "count", "filter": {"ward": "A", "age": 41}}, "epsilon": 0.1}, header)
    one.post("/ask", {"question": {"measure": "count", "filter": {"ward": "Z"}}, "epsilon": 0.1}, header)
    one.post("/ask", {"question": {"measure": "count"}, "epsilon": 9}, header)
    assert one.log == []


def test_two_services_on_one_ledger_never_spend_more_than_the_cap(tmp_path: Path) -> None:
    """Six threads on each of two services, all with other questions: 20 of ε 0.1 fit into the analyst's 2."""
    with served(tmp_path) as first, served(tmp_path) as second:
        header = first.token()
        codes: list[int] = []

        def ask(one: Served, start: int) -> None:
            for age in range(start, start + 5):
                question = {"measure": "count", "filter": {"age": {"<": age}}}
                codes.append(one.post("/ask", {"question": question, "epsilon": 0.1}, header).status_code)

        threads = [
            threading.Thread(target=ask, args=(one, 10 * i + offset))
            for i in range(3)
            for one, offset in ((first, 0), (second, 40))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(set(codes)) == [200, 409]
        assert codes.count(200) == 20
        assert str(first.data.ledger().balance("dataset:visits/analyst:Ada").spent) == "epsilon 2"
        assert first.data.ledger().recount().ok
        assert first.data.ledger().verify_chain().ok
        same = {"question": {"measure": "count", "filter": {"age": {"<": 10}}}, "epsilon": 0.1}
        answers = [one.post("/ask", same, header).json() for one in (first, second)]
        assert answers[0].get("rows") == answers[1].get("rows")
