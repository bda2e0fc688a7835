"""Attacks on sensitive values: which columns they look at, and how the findings of all columns become one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from sharewell.errors import PolicyError
from sharewell.findings import Finding
from sharewell.tables.data import Classes, Column, Floats, Ints, Table
from sharewell.tables.engine.checks.sensitive_columns import shares

Rank = Callable[[Finding], float | tuple[float, float]]
"""Says how bad a finding is: the worst has the largest."""


def by_value_and_average(finding: Finding) -> tuple[float, float]:
    return float(finding.value or 0), float(finding.details.risk.average)


def above_baseline(finding: Finding) -> float:
    """How much more often the attacker is right than whoever names the most frequent value."""
    return float(finding.value or 0) - float(finding.details.baseline)


def mount_on_columns(
    name: str, released: Table, column: str | None, one: Callable[[Column], Finding], rank: Rank = by_value_and_average
) -> Finding:
    """The finding of an attack that is mounted on one sensitive column after the other: on the named one, or on all."""
    columns = attacked_columns(name, released, column)
    if not released.classes.count:
        return Finding(name, None, note="no published record")
    return worst_of([one(attacked) for attacked in columns], column, rank)


def attacked_columns(name: str, released: Table, column: str | None) -> list[Column]:
    """The sensitive columns to attack: the named one, or all."""
    columns = [one for one in released.sensitive if column in (None, one.name)]
    if not columns:
        problem = f"no sensitive column named '{column}'" if column else "no sensitive column"
        raise PolicyError(f"{name} — {problem} — give the column the role sensitive, or leave the attack out")
    return columns


def worst_of(findings: Sequence[Finding], column: str | None, rank: Rank = by_value_and_average) -> Finding:
    """One finding for all columns: that about the worst, with all of them as parts."""
    worst = max(findings, key=rank)
    return replace(worst, column=worst.column if column else None, parts=tuple(findings) if len(findings) > 1 else ())


def most_frequent(classes: Classes, column: Column) -> tuple[Ints, Floats]:
    """The most frequent value of each class (the first in the column's order of equal ones), and its share."""
    owner, code, count, size = shares(classes, column, by_person=True)
    order = np.lexsort((-code, count, owner))  # of each class, the most frequent value comes last
    last = order[np.append(owner[order][1:] != owner[order][:-1], True)]
    return code[last], count[last] / size[last]
