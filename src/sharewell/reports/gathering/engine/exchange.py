"""Both sides at work over any way of sending bytes: `io` has a folder and the loopback; here is a rehearsal in memory.

>>> from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
>>> from fractions import Fraction
>>> keys = {name: Ed25519PrivateKey.generate() for name in ("A", "B", "C", "D")}
>>> public = {name: key.public_key().public_bytes_raw() for name, key in keys.items()}
>>> plan = Plan("rates", public, {"tested": (Fraction(0), Fraction(100))})
>>> rows = {"A": {"tested": 75.5}, "B": {"tested": 88}, "C": {"tested": 85}, "D": {"tested": 84}}
>>> result = rehearsed(plan, rows, keys, leaving={"D": "numbers"})
>>> result.dropped, result.sums["tested"].count, float(result.sums["tested"].mean)
(('D',), 3, 82.83333333333333)
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Protocol

from sharewell.errors import DataError, Infeasible, SharewellError
from sharewell.reports.gathering.engine.mediator import Mediator
from sharewell.reports.gathering.engine.messages import REPORT, STAGES, STOPPED, mediator_message, read_message
from sharewell.reports.gathering.engine.owner import Taking, taking_part
from sharewell.reports.gathering.engine.plan import Plan
from sharewell.reports.gathering.engine.proposed_report import Gathered, Proposed

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


class Post(Protocol):
    """The mediator's end."""

    def collect(
        self, stage: int, expected: Collection[str], accept: Callable[[bytes], str | None], seconds: float
    ) -> None:
        """Hand over what comes until all expected have spoken or time is up; `accept` tells whose it was, or None."""

    def deliver(self, stage: int, messages: Mapping[str, bytes]) -> None: ...


class Line(Protocol):
    """An owner's end."""

    def send(self, stage: int, message: bytes) -> None: ...

    def receive(self, stage: int, seconds: float) -> bytes: ...


def mediate(
    plan: Plan, post: Post, *, seconds: float = 60, note: Callable[[str], None] = lambda text: None
) -> Gathered:
    """Lead one session. An owner who is silent for the seconds of a stage, or sends false statements, has left."""
    mediator = Mediator(plan)

    def accept(raw: bytes) -> str | None:
        try:
            return mediator.receive(raw)
        except SharewellError as error:
            note(f"refused: {error}")
            return None

    for number, stage in enumerate(STAGES):
        note(f"waiting for {len(mediator.expected)} owner(s): {stage}")
        post.collect(number, mediator.expected, accept, seconds)
        try:
            messages = mediator.close()
        except SharewellError:
            post.deliver(number, dict.fromkeys(plan.names, mediator_message(STOPPED)))
            raise
        post.deliver(number, messages)
    assert mediator.gathered is not None
    return mediator.gathered


def join(
    plan: Plan, taking: Taking, line: Line, *, seconds: float = 60, before_unmasking: Callable[[], None] = lambda: None
) -> Proposed | None:
    """Take part to the end; the report, if the plan shows it to owners.

    `before_unmasking` is called when the next statement would open the sum: it may refuse.
    """
    message = next(taking)
    for number, stage in enumerate(STAGES):
        if stage == "unmasking":
            before_unmasking()
        line.send(number, message)
        answer = line.receive(number, seconds)
        if number + 1 < len(STAGES):
            message = taking.send(answer)
    report = read_message(REPORT, answer).content.get("report")
    return Proposed.of_json(plan, report) if plan.show_owners else None


def rehearsed(
    plan: Plan,
    rows: Mapping[str, Mapping[str, object]],
    keys: Mapping[str, Ed25519PrivateKey],
    *,
    leaving: Mapping[str, str] | None = None,
    draw: Callable[[int], bytes] = secrets.token_bytes,
) -> Gathered:
    """All in one process, to try out a plan: the caller sees all rows. `leaving`: at which stage owners leave."""
    unknown = set((leaving or {}).values()) - set(STAGES)
    if unknown:
        raise DataError(f"leaving — no such stage — stages are {', '.join(STAGES)}")
    last_stage = {name: STAGES.index(stage) for name, stage in (leaving or {}).items()}
    owners = {name: taking_part(plan, name, row, keys[name], draw) for name, row in rows.items()}
    mediator = Mediator(plan)
    statements = {name: next(owner) for name, owner in owners.items()}
    for number in range(len(STAGES)):
        for name, message in statements.items():
            if last_stage.get(name, len(STAGES)) > number:
                mediator.receive(message)
        answers = mediator.close()
        if number + 1 < len(STAGES):
            statements = {name: owners[name].send(answer) for name, answer in answers.items()}
    if mediator.gathered is None:
        raise Infeasible("the gathering — did not come to its end")
    return mediator.gathered
