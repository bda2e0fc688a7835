"""Plans, keys and rows for tests of gathering, and owners led by hand to any stage."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from secrets import token_bytes
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sharewell.reports.gathering.engine.mediator import Mediator
from sharewell.reports.gathering.engine.messages import STAGES
from sharewell.reports.gathering.engine.owner import Taking, taking_part
from sharewell.reports.gathering.engine.plan import Plan

POOL = [
    Ed25519PrivateKey.from_private_bytes(hashlib.sha256(f"an owner's key, for tests {i}".encode()).digest())
    for i in range(20)
]
Rows = Mapping[str, Mapping[str, Any]]


def keys_of(owners: int) -> dict[str, Ed25519PrivateKey]:
    return {f"H{i + 1}": POOL[i] for i in range(owners)}


def plan_of(owners: int, measures: int = 2, **more: Any) -> Plan:
    public = {name: key.public_key().public_bytes_raw() for name, key in keys_of(owners).items()}
    return Plan("rates", public, {f"m{j}": (Fraction(-100), Fraction(100)) for j in range(measures)}, **more)


def some_rows(plan: Plan) -> dict[str, dict[str, float]]:
    return {
        name: {measure: round(7.3 * i - 11.9 * j, 1) for j, measure in enumerate(plan.measures)}
        for i, name in enumerate(plan.owners)
    }


def drawing(seed: str) -> Callable[[int], bytes]:
    """Bytes that look random and are the same each time: for tests alone."""
    count = iter(range(10**9))
    return lambda length: hashlib.shake_256(f"{seed} {next(count)}".encode()).digest(length)


@dataclass
class Table:
    """Owners, the mediator, and what each said last."""

    plan: Plan
    owners: dict[str, Taking]
    mediator: Mediator
    said: dict[str, bytes]
    told: dict[str, bytes]


def led_to(stage: str, plan: Plan, rows: Rows | None = None, seed: str | None = None) -> Table:
    """Everybody is there and honest; the statements of this stage are made, and not yet received."""
    rows = some_rows(plan) if rows is None else rows
    keys = keys_of(len(plan.owners))
    owners = {
        name: taking_part(plan, name, row, keys[name], token_bytes if seed is None else drawing(f"{seed} {name}"))
        for name, row in rows.items()
    }
    table = Table(plan, owners, Mediator(plan), {name: next(owner) for name, owner in owners.items()}, {})
    for _ in range(STAGES.index(stage)):
        step(table)
    return table


def step(table: Table) -> None:
    """One honest stage."""
    for raw in table.said.values():
        table.mediator.receive(raw)
    table.told = table.mediator.close()
    table.said = {name: table.owners[name].send(answer) for name, answer in table.told.items()}


def content(raw: bytes) -> dict[str, Any]:
    """The JSON of a statement."""
    found: dict[str, Any] = json.loads(raw[64:])
    return found
