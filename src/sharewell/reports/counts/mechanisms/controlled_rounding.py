"""Controlled rounding: every number becomes a multiple of a base, up or down, so that all totals still add up.

## Guarantee
The table published passes cell-protection. Every number is a multiple of the base, less than one base away from the
true one (or `reach` of them); multiples stay as they are; every total is the sum of its parts.

## Adversary
As in cell-protection; knows base and rule of rounding.

## What it does not protect
As in cell-protection. Numbers are true only up to the base.

## Parameters
base: to multiples of what. Unless given, the largest threshold asked for, which leaves 1 to threshold − 1 open.
reach: less than this many bases from the true number. More than 1 is needed only where three dimensions or more, or
categories between values and total, leave no other way.
tries: how often rounding is drawn anew if a draw does not pass.

## Worked example
>>> from sharewell.reports.counts.criteria.cell_protection import CellProtection
>>> from sharewell.reports.counts.data import CountTable
>>> from sharewell.keys import Key
>>> cells = {("m", "flu"): 21, ("m", "gout"): 3, ("f", "flu"): 17, ("f", "gout"): 12}
>>> table = CountTable.of_cells(cells, ["sex", "illness"])
>>> key = Key(b"a secret of thirty-two bytes....")
>>> shown = ControlledRounding().protect(table, [CellProtection(threshold=5)], key).data.shown.reshape(table.shape)
>>> bool((shown % 5 == 0).all()), bool((shown[0] == shown[1] + shown[2]).all())
(True, True)

## Why it is safe
Which way a number goes is drawn from the key, so that every rounding that adds up has a chance. That the unsafe cells
stay open is then audited as for any table, with tables of whole numbers as witnesses. A draw that does not pass is
thrown away and another is drawn, up to `tries` times; then Infeasible is raised.

So what is published is a rounding that passed, and roundings that would not have passed were never candidates. Whoever
knows the algorithm may conclude that much: of two true tables that both fit the numbers shown, the one whose other
roundings pass less often is the likelier. The audit does not count that in; it shows that both are possible, not that
they are equally likely. Nearness weighs in the draw too, so that near numbers are likelier than far ones. Where most
draws pass (the details count them), throwing some away tells little; with a larger base more of them pass.

## Cost
One whole-number program over all cells, within a number of nodes; in two dimensions without categories between, its
linear form is enough.

## Source
Cox, 1987; Salazar, 2006 (controlled rounding and cell perturbation).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, ClassVar

import numpy as np
from annotated_types import Interval

from sharewell.algorithm import Count, Criteria, Declared, Infeasible, Key, Mechanism, PolicyError, Protected
from sharewell.key_scope import drawing_key
from sharewell.reports.counts.criteria.cell_protection import CellProtection, rules_to_keep
from sharewell.reports.counts.data import CountTable, Rounding
from sharewell.reports.counts.engine.protection_check import protection
from sharewell.reports.counts.engine.relations import MOST, Ints, by_row
from sharewell.reports.counts.engine.solvers.highs import LinearProgram

NODES = 5_000
FAIR = 1.0
"""How much chance weighs against nearness; either way keeps every rounding possible."""


@dataclass(frozen=True)
class RoundingDetails:
    base: int
    unsafe_cells: int
    mean_error: float
    draws: int


@dataclass(frozen=True)
class ControlledRounding(Declared, Mechanism[CountTable]):
    """Multiples of a base that add up."""

    base: Annotated[int, Interval(ge=2, le=MOST)] | None = None
    reach: Annotated[int, Interval(ge=1, le=100)] = 1
    tries: Count = 5

    packages: ClassVar[tuple[str, ...]] = ("highspy",)
    of_tables: ClassVar[bool] = True
    engine: ClassVar[str] = "unsafe"

    def protect(self, data: CountTable, must: Criteria[CountTable], key: Key | None = None) -> Protected[CountTable]:
        rules = rules_to_keep(self.name, data, must)
        assert data.truth is not None
        values = data.truth.values
        base = self._base(rules)
        rounding = Rounding(base, "either", reach=self.reach)
        draw = drawing_key(key or Key.fresh(), self, data.content).rng("cells", data.value)
        data = replace(data, zeros_shown=False)  # a shown 0 may be any number that is rounded to it
        needs = [one.unsafe(data) for one in rules]
        for attempt in range(self.tries):
            rounded = _rounded(data, values, base, self.reach, draw)
            if rounded is None:
                break
            released = data.showing(rounded, rounding)
            if not any(protection(released, one, first=True).failing for one in needs):
                error = float(np.abs(rounded - values).mean())
                details = RoundingDetails(base, max((one.count for one in needs), default=0), error, attempt + 1)
                return Protected(released, details, np.arange(data.size), key is not None)
        why = "no rounding adds up" if rounded is None else "the totals bound an unsafe cell too tightly"
        helps = [f"a base of more than {base}", f"reach: {self.reach + 1}", "using cell-suppression"]
        raise Infeasible(
            f"rounding to multiples of {base} does not protect the table", blocking=[why], relaxations=helps
        )

    def _base(self, rules: Sequence[CellProtection]) -> int:
        steps = [one.rounded for one in rules if one.rounded is not None]
        limits = [one.threshold for one in rules if one.threshold is not None]
        if self.base is None and not limits:
            raise PolicyError("controlled-rounding — say its base: the criteria name no threshold")
        base = self.base if self.base is not None else max(limits)
        step = int(np.lcm.reduce(steps)) if steps else 1
        if self.base is not None and base % step:
            raise PolicyError(
                f"controlled-rounding — a base of {base} is not a multiple of {step}, the unit of the published values"
            )
        return -(-base // step) * step


def _rounded(data: CountTable, values: Ints, base: int, reach: int, draw: np.random.Generator) -> Ints | None:
    """Steps of the base for every cell, at the least sum of nearness and chance; None if nothing adds up."""
    down, rest = values // base, values % base
    low, high = np.maximum(down - (reach - 1) * (rest > 0), 0), down + reach * (rest > 0)
    relations = data.relations
    zero, rows = np.zeros(relations.count), by_row(relations.entries, relations.count)
    program = LinearProgram(rows, (zero, zero), low, high, whole=not data.is_network, presolve=True, nodes=NODES)
    cost = 1 - 2 * rest / base + FAIR * draw.standard_normal(data.size)
    solution = program.least(np.arange(data.size), cost)
    if solution.outcome != "solved":
        return None
    rounded = np.round(solution.point).astype(np.int64) * base
    return None if relations.broken(rounded) else rounded
