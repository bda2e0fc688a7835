"""Quasi columns that the other columns of a table would show as they are published (`sharewell.shown_values`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from sharewell.proposal.profile import Facts, measure
from sharewell.roles import Role
from sharewell.shown_intervals import days_in, numbers_in
from sharewell.shown_values import Beside, ShownValue, Values, shown_values


@dataclass(frozen=True)
class ColumnFate:
    """What becomes of a column; date_form: how its dates are written, where that is known."""

    role: Role
    date_form: str | None = None
    most_days: int = 182


def shown_columns(table: pa.Table, rules: Mapping[str, ColumnFate], persons: Facts | None) -> list[ShownValue]:
    """By the roles of the columns; persons: of the column that tells whose a row is. Labels of sensitive columns, such
    as diagnoses, are let through: what they tell of a person is what criteria about them are for."""
    read = {name: _values(name, table[name], rule) for name, rule in rules.items() if rule.role in _PUBLISHED}
    quasi = {name: values for name, (values, _) in read.items() if rules[name].role is Role.QUASI}
    beside = {name: one for name, one in read.items() if name not in quasi}
    if not quasi or not beside:
        return []
    shifted = {name: (one.numbers, rules[name].most_days) for name, (one, _) in beside.items() if _moves(rules[name])}
    labels = {name for name, (one, _) in beside.items() if rules[name].role is Role.SENSITIVE and not one.ordered}
    unchanged = {name: one for name, (one, _) in beside.items() if name not in shifted and name not in labels}
    dates = frozenset(name for name, (_, dated) in beside.items() if dated and name in unchanged)
    return shown_values(quasi, Beside(shifted, unchanged, dates), None if persons is None else persons.codes)


def _moves(rule: ColumnFate) -> bool:
    return rule.role is Role.SHIFT


def _values(name: str, column: pa.ChunkedArray, rule: ColumnFate) -> tuple[Values, bool]:
    """Dates as days, numbers as numbers, anything else as a number for each value; and whether they are dates."""
    facts = measure(name, column)
    dated = facts.kind in ("date", "instant")
    if dated or _moves(rule):
        days = days_in(column, rule.date_form or (facts.date_form if facts.kind == "date" else None))
        if days is not None:
            return Values(days), dated
    if facts.kind == "number" and (numbers := numbers_in(column)) is not None:
        return Values(numbers), False
    codes = np.where(facts.codes < facts.distinct, facts.codes, np.nan).astype(np.float64)
    return Values(codes, ordered=False), False


_PUBLISHED = (Role.QUASI, Role.SHIFT, Role.KEEP, Role.SENSITIVE)
