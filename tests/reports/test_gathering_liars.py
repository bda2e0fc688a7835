"""A mediator that lies, messages that were changed, sessions that were mixed: refused, and no row is opened."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_gathering import POOL, Table, content, keys_of, led_to, plan_of, step

from sharewell.errors import DataError, Infeasible, SharewellError, VerificationFailed
from sharewell.reports.gathering.engine.fixed_point import OwnerRow
from sharewell.reports.gathering.engine.ledger import remember
from sharewell.reports.gathering.engine.messages import STAGES, Letter, mediator_message, statement, to_base64
from sharewell.reports.gathering.engine.owner import taking_part
from sharewell.reports.gathering.engine.plan import Plan


def received(table: Table) -> None:
    """The mediator has all statements of the stage, and may now say what it likes."""
    for raw in table.said.values():
        table.mediator.receive(raw)


def handed_out(statements: dict[str, bytes]) -> dict[str, dict[str, set[str]]]:
    """Of every owner: who gave a share of its seed, and who a share of its key."""
    given: dict[str, dict[str, set[str]]] = {}
    for giver, raw in statements.items():
        for kind in ("seeds", "keys"):
            for owner in content(raw)[kind]:
                given.setdefault(owner, {"seeds": set(), "keys": set()})[kind].add(giver)
    return given


def confirming(table: Table, lists: dict[str, tuple[str, ...]], helpers: tuple[str, ...] = ()) -> dict[str, bytes]:
    """Tell each owner its own list of survivors; then pass on whatever signatures fit. Helpers sign every list."""
    signed: dict[str, bytes] = {}
    for name, survivors in lists.items():
        if name not in helpers:
            try:
                signed[name] = table.owners[name].send(mediator_message("survivors", survivors=list(survivors)))
            except SharewellError:
                continue
    assert table.mediator.session is not None
    digest, shared, keys = table.mediator.session.digest, list(table.plan.names), keys_of(len(table.plan.owners))
    opened = {}
    for name in signed:
        fitting = {other: raw for other, raw in signed.items() if lists[other] == lists[name]}
        for helper in helpers:
            if helper in lists[name]:
                fitting[helper] = statement(
                    keys[helper], digest, "survivors", helper, shared=shared, survivors=list(lists[name])
                )
        message = mediator_message("unmasking", statements={other: to_base64(raw) for other, raw in fitting.items()})
        try:
            opened[name] = table.owners[name].send(message)
        except SharewellError:
            continue
    return opened


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_whatever_a_mediator_says_of_survivors_no_owner_gets_both_kinds_of_share_handed_out(data: Any) -> None:
    """With as many helpers among the owners as the plan bears: they sign every list, and tell what they hold."""
    owners = data.draw(st.integers(3, 6))
    plan = plan_of(owners, 1, threshold=data.draw(st.integers(max(3, owners // 2 + 1), owners)))
    helpers = tuple(data.draw(st.permutations(plan.names))[: plan.liars])
    table = led_to("numbers", plan)
    received(table)
    some = [
        tuple(
            name
            for name, stays in zip(plan.names, data.draw(st.tuples(*[st.booleans()] * owners)), strict=True)
            if stays
        )
        for _ in range(3)
    ]
    lists = {name: data.draw(st.sampled_from([*some, plan.names])) for name in plan.owners}
    opened = confirming(table, lists, helpers)
    for shares in handed_out(opened).values():
        assert not (shares["seeds"] and shares["keys"])
    assert len({lists[name] for name in opened}) <= 1
    assert all(len(lists[name]) >= plan.threshold for name in opened)


def test_one_helper_more_than_a_plan_bears_and_a_row_opens() -> None:
    """The bound is tight: three of five, one who signs two lists, and both secrets of H1 can be put together."""
    plan = plan_of(5, 1)
    assert (plan.threshold, plan.liars) == (3, 0)
    table = led_to("numbers", plan)
    received(table)
    everybody, without = plan.names, plan.names[1:]
    lists = {"H1": everybody, "H2": everybody, "H3": everybody, "H4": without, "H5": without}
    shares = handed_out(confirming(table, lists, helpers=("H3",)))["H1"]
    assert len(shares["seeds"]) + 1 == len(shares["keys"]) + 1 == plan.threshold


def test_who_is_said_to_have_left_gets_no_share_of_its_seed_handed_out() -> None:
    plan = plan_of(5, 1)
    table = led_to("numbers", plan)
    received(table)
    lists = dict.fromkeys(plan.names, plan.names[1:])
    opened = confirming(table, lists)
    assert "H1" not in opened
    assert handed_out(opened)["H1"] == {"seeds": set(), "keys": set(plan.names[1:])}


def test_a_stage_is_answered_once() -> None:
    plan = plan_of(4, 1)
    table = led_to("unmasking", plan)
    for name in plan.owners:
        with pytest.raises(StopIteration):
            table.owners[name].send(table.told[name])
    table = led_to("numbers", plan)
    received(table)
    with pytest.raises(Infeasible):
        table.owners["H1"].send(mediator_message("survivors", survivors=["H1", "H2"]))
    with pytest.raises(StopIteration):  # a refusal is the end: no second list may be tried
        table.owners["H1"].send(mediator_message("survivors", survivors=list(plan.names)))


def rewritten(message: bytes, change: Callable[[dict[str, Any]], None]) -> bytes:
    body = json.loads(message)
    change(body)
    return json.dumps(body).encode()


def test_keys_of_another_are_found_out() -> None:
    """The mediator puts keys of its own in the place of an owner's: nobody signed them."""
    plan = plan_of(4, 1)
    table = led_to("keys", plan)
    received(table)
    message = table.mediator.close()["H1"]
    mine = statement(
        POOL[9], plan.digest, "keys", "H2", letters=to_base64(b"1" * 32), masks=to_base64(b"2" * 32), present="1"
    )
    forged = rewritten(message, lambda body: body["statements"].update(H2=to_base64(mine)))
    with pytest.raises(VerificationFailed, match="H2"):
        table.owners["H1"].send(forged)
    swapped = rewritten(message, lambda body: body["statements"].update(H2=body["statements"]["H3"]))
    with pytest.raises(VerificationFailed, match="another name"):
        table.owners["H3"].send(swapped)
    own = rewritten(message, lambda body: body["statements"].pop("H4"))
    with pytest.raises(VerificationFailed, match="not what it announced"):
        table.owners["H4"].send(own)


def test_weak_and_repeated_keys_are_refused() -> None:
    plan = plan_of(4, 1)
    for masks, letters, what in ((bytes(32), b"5" * 32, "weak"), (b"5" * 32, b"5" * 32, "twice")):
        table = led_to("keys", plan)
        table.said["H4"] = statement(
            POOL[3], plan.digest, "keys", "H4", letters=to_base64(letters), masks=to_base64(masks), present="1"
        )
        received(table)
        if what == "twice":
            with pytest.raises(VerificationFailed, match=what):
                table.mediator.close()
            continue
        messages = table.mediator.close()
        said = {name: table.owners[name].send(messages[name]) for name in ("H1", "H2", "H3")}
        for raw in said.values():
            table.mediator.receive(raw)
        letters_of = {name: Letter(content(raw), "").by_owner(plan, "letters") for name, raw in said.items()}
        passed = {name: to_base64(letters_of[name]["H1"]) for name in ("H2", "H3")}
        with pytest.raises(VerificationFailed):
            table.owners["H1"].send(mediator_message("shares", letters=passed | {"H4": to_base64(bytes(148))}))


def test_owners_who_were_told_of_different_keys_cannot_read_each_other() -> None:
    plan = plan_of(5, 1)
    table = led_to("keys", plan)
    received(table)
    message = table.mediator.close()["H1"]
    fewer = rewritten(message, lambda body: body["statements"].pop("H5"))
    said = {name: table.owners[name].send(message if name < "H3" else fewer) for name in ("H1", "H2", "H3", "H4")}
    letters = {name: content(raw)["letters"] for name, raw in said.items()}
    with pytest.raises(VerificationFailed, match="another session"):
        table.owners["H1"].send(
            mediator_message("shares", letters={name: letters[name]["H1"] for name in ("H2", "H3", "H4")})
        )


def test_statements_of_an_earlier_session_are_worthless() -> None:
    plan = plan_of(4, 1)
    earlier, now = led_to("survivors", plan), led_to("survivors", plan)
    received(now)
    message = now.mediator.close()["H1"]
    mixed = rewritten(message, lambda body: body["statements"].update(H2=to_base64(earlier.said["H2"])))
    with pytest.raises(VerificationFailed, match="this plan and session"):
        now.owners["H1"].send(mixed)
    other = led_to("keys", plan_of(4, 1, decimals=2))
    with pytest.raises(VerificationFailed, match="this plan and session"):
        led_to("keys", plan).mediator.receive(other.said["H1"])


@pytest.mark.parametrize(
    ("stage", "message", "error"),
    [
        ("numbers", mediator_message("survivors", survivors=["H2", "H3", "H4"]), VerificationFailed),
        ("numbers", mediator_message("survivors", survivors=["H1", "H2", "H3", "H9"]), DataError),
        ("numbers", mediator_message("survivors", survivors=["H1", "H2", "H2", "H3"]), DataError),
        ("numbers", mediator_message("survivors", survivors=["H2", "H1", "H3"]), DataError),
        ("numbers", mediator_message("survivors", survivors=["H1", "H2"]), Infeasible),
        ("numbers", mediator_message("unmasking", statements={}), VerificationFailed),
        ("numbers", mediator_message("stopped"), Infeasible),
        ("numbers", b"", DataError),
        ("numbers", b"[" * 100_000, DataError),
        ("numbers", b'{"stage": 7}', VerificationFailed),
        ("survivors", mediator_message("unmasking", statements={}), Infeasible),
        ("survivors", mediator_message("unmasking", statements={"H1": "?"}), DataError),
        ("keys", mediator_message("keys", statements={}), VerificationFailed),
        ("shares", mediator_message("shares", letters={}), Infeasible),
        ("shares", mediator_message("shares", letters={"H1": "", "H2": "", "H3": ""}), VerificationFailed),
    ],
)
def test_what_the_mediator_may_not_say(stage: str, message: bytes, error: type[SharewellError]) -> None:
    table = led_to(stage, plan_of(4, 1))
    received(table)
    with pytest.raises(error):
        table.owners["H1"].send(message)


@given(st.sampled_from(STAGES), st.integers(0, 10**9), st.integers(1, 255))
@settings(max_examples=60, deadline=None)
def test_a_changed_statement_is_refused_and_the_true_one_still_counts(stage: str, where: int, change: int) -> None:
    table = led_to(stage, plan_of(3, 1), seed="changed")
    raw = bytearray(table.said["H2"])
    raw[where % len(raw)] ^= change
    with pytest.raises((VerificationFailed, DataError)):
        table.mediator.receive(bytes(raw))
    assert table.mediator.receive(table.said["H2"]) == "H2"
    with pytest.raises(VerificationFailed, match="second"):
        table.mediator.receive(table.said["H2"])


@given(st.sampled_from(STAGES[:-1]), st.integers(0, 10**9), st.integers(1, 255))
@settings(max_examples=60, deadline=None)
def test_a_changed_message_gets_a_typed_refusal_or_the_same_answer(stage: str, where: int, change: int) -> None:
    table, twin = (led_to(stage, plan_of(3, 1), seed="changed") for _ in range(2))
    received(table)
    message = table.mediator.close()["H1"]
    raw = bytearray(message)
    raw[where % len(raw)] ^= change
    try:
        answer = table.owners["H1"].send(bytes(raw))
    except SharewellError:
        return
    assert answer == twin.owners["H1"].send(message)


@given(st.binary(max_size=300))
@settings(max_examples=60)
def test_noise_is_refused(raw: bytes) -> None:
    table = led_to("keys", plan_of(3, 1), seed="noise")
    with pytest.raises((VerificationFailed, DataError)):
        table.mediator.receive(raw)
    with pytest.raises(SharewellError):
        table.owners["H1"].send(raw)


def restated(table: Table, name: str, **changes: Any) -> None:
    """The owner itself says something else, and signs it."""
    assert table.mediator.session is not None
    body = content(table.said[name]) | changes
    body.pop("from")
    stage, about = body.pop("stage"), table.mediator.session.digest
    table.said[name] = statement(keys_of(len(table.plan.owners))[name], about, stage, name, **body)


def test_false_shares_are_found_out() -> None:
    table = led_to("unmasking", plan_of(4, 1))
    seeds = content(table.said["H2"])["seeds"]
    raw = bytearray(base64.b64decode(seeds["H3"]))
    raw[-1] ^= 1
    restated(table, "H2", seeds=seeds | {"H3": to_base64(bytes(raw))})
    received(table)
    with pytest.raises(VerificationFailed, match="the shares of H3"):
        table.mediator.close()


def test_false_numbers_are_found_out_where_no_rows_give_them() -> None:
    table = led_to("numbers", plan_of(4, 1))
    raw = bytearray(base64.b64decode(content(table.said["H2"])["numbers"]))
    raw[0] ^= 64
    restated(table, "H2", numbers=to_base64(bytes(raw)))
    step(table)
    step(table)
    received(table)
    with pytest.raises(DataError, match="false numbers"):
        table.mediator.close()


@pytest.mark.parametrize(
    ("stage", "changes"),
    [
        ("shares", {"letters": {}}),
        ("shares", {"commitment": "AA=="}),
        ("numbers", {"numbers": "AA=="}),
        ("survivors", {"survivors": ["H1", "H2", "H3"]}),
        ("unmasking", {"seeds": {}}),
        ("unmasking", {"keys": {"H1": to_base64(bytes(66))}}),
        ("unmasking", {"mean": "1e99999999"}),
        ("unmasking", {"mean": "1000"}),
        ("unmasking", {"mean": 3}),
    ],
)
def test_signed_but_odd_statements_are_refused(stage: str, changes: dict[str, Any]) -> None:
    table = led_to(stage, plan_of(4, 1, row_means=True))
    restated(table, "H2", **changes)
    with pytest.raises(DataError, match="H2"):
        table.mediator.receive(table.said["H2"])


def test_only_owners_of_the_plan_take_part() -> None:
    plan = plan_of(4, 1)
    with pytest.raises(DataError, match="not in the plan"):
        taking_part(plan, "H9", {"m0": 1}, POOL[0])
    with pytest.raises(DataError, match="not that of H1"):
        taking_part(plan, "H1", {"m0": 1}, POOL[1])


def test_a_cell_goes_into_one_sum(tmp_path: Path) -> None:
    """Also under another plan, and without a value in the ledger."""
    plan, ledger = plan_of(4, 2), tmp_path / "row.ledger"
    other = Plan("other", plan.owners, {"m1": plan.measures["m1"]}, decimals=2)
    remember(ledger, plan, OwnerRow.of(plan, {"m0": 55.5, "m1": 44.4}), POOL[0])
    with pytest.raises(DataError, match="1 of these cells"):
        remember(ledger, other, OwnerRow.of(other, {"m1": 44.4}), POOL[0])
    remember(ledger, other, OwnerRow.of(other, {"m1": 44.4}), POOL[0], again=True)
    remember(ledger, other, OwnerRow.of(other, {"m1": 44.5}), POOL[0])
    assert len(ledger.read_text().splitlines()) == 3
    assert "44" not in "".join(json.loads(line)["gathering"] for line in ledger.read_text().splitlines())
    ledger.write_text("gone\n")
    with pytest.raises(DataError, match="damaged"):
        remember(ledger, plan, OwnerRow.of(plan, {"m0": 1}), POOL[0])


def test_secrets_and_rows_are_in_no_repr() -> None:
    plan = plan_of(3, 1)
    gathering = led_to("numbers", plan)  # kept: since Python 3.13 locals are read from the living frame
    frame = gathering.owners["H1"].gi_frame
    assert frame is not None
    kept = frame.f_locals
    assert {repr(one) for one in kept["points"].values()} == {"_Points()"}
    assert (repr(kept["secret"]), repr(kept["self"].row)) == ("_Secrets()", "OwnerRow()")
    assert not {"row", "key", "draw"} & set(re.findall(r"(\w+)=", repr(kept["self"])))
