"""Cell suppression: hides the unsafe cells of a table, and further cells so that totals do not reveal them.

## Guarantee
The table published passes cell-protection: nobody who reads it bounds an unsafe cell more tightly than its rule allows.
What is shown is true, or truly rounded where the criterion asks for rounding.

## Adversary
As in cell-protection.

## What it does not protect
As in cell-protection. Which cells are hidden depends on the true numbers.

## Parameters
weight: what is to be little: "value" (default), the sum of all that is hidden, or "cells", their number.
exact: tables of up to this many cells are hidden at the least cost there is, as far as the steps suffice; larger ones
where a choice is known that is close to it. 0: the least is not searched for, and proved only where linear programs do.
style: "blank" (default), or "negative": a count below the threshold is published as minus the threshold, as tools of
OHDSI do. Readers then know it to be small, and that an empty cell is not; the audit counts both in, so that more cells
are hidden than with "blank", or nothing is released. A total of several cells that are not 0 is never marked: it would
be known too closely. For counts with a threshold, zeros shown and nothing rounded.

## Worked example
One count of 3. Three more cells are hidden with it: any two of them in a line would not be enough.

>>> from sharewell.reports.counts.criteria.cell_protection import CellProtection
>>> from sharewell.reports.counts.data import CountTable
>>> cells = {("m", "flu"): 20, ("m", "gout"): 3, ("m", "cold"): 40}
>>> cells |= {("f", "flu"): 15, ("f", "gout"): 12, ("f", "cold"): 30}
>>> table = CountTable.of_cells(cells, ["sex", "illness"])
>>> released = CellSuppression().protect(table, must=[CellProtection(threshold=11)])
>>> released.data.shown.reshape(table.shape)[1:].clip(-1).tolist()
[[57, 30, -1, -1], [63, 40, -1, -1]]

## Why it is safe
Whatever the choice came from, the criterion's own audit must pass before it is returned: every reader, tables of whole
numbers as witnesses. If no choice passes, Infeasible says so.

## Cost
A master problem over which cells to hide, first in part, and linear programs that cut off choices which leave an unsafe
cell too little room (Benders' decomposition). One program is kept from question to question, with other bounds or
another objective; a move that it finds serves many unsafe cells, and later choices too. Where cells hidden in part end
as whole ones, nothing is cheaper. Otherwise they are rounded, and the least is searched for by branch and bound, within
a number of nodes and rounds; without a proof, cells that proved unnecessary are shown again. Where cells hidden in part
lead nowhere (few unsafe cells in three dimensions), the cheapest way for one unsafe cell after the other is taken.

`proved_least` says that no choice of less weight passes the same audit; `proof` says so in words. In three and more
dimensions, and with categories between values and total, that is proved of choices in which no cell need move by more
than eight times the largest doubt asked for. Where the audit left a cheaper choice undecided, nothing is proved. Less
might do under another audit, or with other weights.

## Source
Fischetti and Salazar, 2001 (cuts); Kelly, Golden and Assad, 1992 (cell by cell); Cox, 1995 (protection by flows).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from sharewell.algorithm import Criteria, Declared, Infeasible, Key, Mechanism, Natural, PolicyError, Protected
from sharewell.reports.counts.criteria.cell_protection import rules_to_keep
from sharewell.reports.counts.data import HIDDEN, CountTable, Rounding
from sharewell.reports.counts.engine.primary_cells import UnsafeCells
from sharewell.reports.counts.engine.protection.cut_search import CutSearch
from sharewell.reports.counts.engine.protection.needless import show_needless
from sharewell.reports.counts.engine.protection.paths import step_by_step
from sharewell.reports.counts.engine.protection.suppression_problem import Mask, Problem
from sharewell.reports.counts.engine.protection_check import UnprotectedCell
from sharewell.reports.counts.engine.table_readers import View, beyond_zeros


@dataclass(frozen=True)
class SuppressionDetails:
    unsafe_cells: int
    suppressed_cells: int
    """All that are hidden."""
    proved_least: bool
    """Is there proof that no choice of cells of less weight passes the audit, as far as `proof` says?"""
    proof: str = ""
    """What was proved, and what was not."""


@dataclass(frozen=True)
class CellSuppression(Declared, Mechanism[CountTable]):
    """Hide unsafe cells and what would give them away."""

    weight: Literal["value", "cells"] = "value"
    exact: Natural = 600
    style: Literal["blank", "negative"] = "blank"

    packages: ClassVar[tuple[str, ...]] = ("highspy",)
    of_tables: ClassVar[bool] = True
    engine: ClassVar[str] = "unsafe"

    def protect(self, data: CountTable, must: Criteria[CountTable], key: Key | None = None) -> Protected[CountTable]:
        """The table with cells hidden; its rows are its cells."""
        problem = self.problem(data, must)
        search = CutSearch(problem, known=[])
        hidden, proved = search.at_once(), True
        if hidden is None:
            hidden, proved = self._searched(problem, search)
        shown = 0 if hidden is None else int(np.count_nonzero(problem.values[~hidden]))
        if hidden is None or not shown:
            raise self._infeasible(problem, hidden is None)
        details = SuppressionDetails(problem.needs.count, int(hidden.sum()), proved, self._proof(problem, proved))
        released = problem.published(hidden)
        return Protected(released, details, np.arange(data.size), True)

    def _searched(self, problem: Problem, search: CutSearch) -> tuple[Mask | None, bool]:
        """The best choice that the search came upon, and whether it is proved to be the least."""
        if problem.table.is_network and problem.table.size <= self.exact and search.relaxed is not None:
            best, proved = search.soon()
            if best is not None and proved:
                return best, proved
        rounded = search.rounded()
        start = self._completed(problem, search, rounded)
        if start is None:
            return search.least_cost(None) if problem.table.size <= self.exact else (None, False)
        near = search.is_near(start)
        soon = problem.table.size <= self.exact or (self.exact > 0 and near)
        best, proved = search.least_cost(start) if soon else (None, False)
        if best is not None:
            return best, proved
        again = not near and bool((rounded & ~problem.must).any())
        other = self._completed(problem, search, problem.must) if again else None
        if other is not None and problem.weights[other].sum() < problem.weights[start].sum():
            start = other
        if problem.many_readers:
            start = show_needless(problem, start, search.known, search.outside, search.cuts)
        return start, False

    def _completed(self, problem: Problem, search: CutSearch, hidden: Mask) -> Mask | None:
        """These cells and what must go with them, as few as trying shows; None if nothing helps."""
        steps = step_by_step(problem, search.known, hidden, search.outside)
        if isinstance(steps, UnprotectedCell):
            return None
        if problem.many_readers:  # every cell that is tried would take an audit by all of them
            return steps
        return show_needless(problem, steps, search.known, search.outside, search.cuts)

    def _proof(self, problem: Problem, proved: bool) -> str:
        """In words. Of lines in two dimensions every move is a sum of rings, none of which moves a cell too far."""
        if not proved:
            return (
                "not proved: fewer might do. What is hidden was found step by step, or cheaper choices stay undecided"
            )
        least = (
            f"no choice of cells with less hidden {'value' if self.weight == 'value' else 'cells'} passes this audit"
        )
        if problem.table.is_network:
            return least
        return f"{least}, of those in which no cell need move by more than {problem.room} to prove another's doubt"

    def problem(self, data: CountTable, criteria: Criteria[CountTable]) -> Problem:
        """All criteria as one: every cell that some rule calls unsafe, with the most doubt that any asks for."""
        rules = rules_to_keep(self.name, data, criteria)
        assert data.truth is not None
        values = data.truth.values
        zeros_shown = all(one.zeros == "show" for one in rules)
        table = CountTable(
            data.dimensions, values, data.truth, None, data.value, data.decimals, zeros_shown or not data.is_count
        )
        low, high = values.copy(), values.copy()
        unsafe, insiders, together = np.zeros(table.size, dtype=bool), False, 1
        for one in rules:
            needs_of_rule = one.unsafe(table)
            unsafe[needs_of_rule.cells] = True
            insiders, together = insiders | needs_of_rule.insiders, max(together, needs_of_rule.together)
            low[needs_of_rule.cells] = np.minimum(low[needs_of_rule.cells], needs_of_rule.low)
            high[needs_of_rule.cells] = np.maximum(high[needs_of_rule.cells], needs_of_rule.high)
        cells = np.flatnonzero(unsafe)
        limits = [one.threshold for one in rules if one.threshold is not None]
        bases = [one.rounded for one in rules if one.rounded is not None]
        marks = np.full(table.size, HIDDEN, np.int64)
        if self.style == "negative":
            if not limits or not table.is_count or not zeros_shown or bases:
                what = "style negative is for counts with a threshold, zeros shown and nothing rounded"
                raise PolicyError(f"cell-suppression — {what} — take style: blank")
            # A mark on a total of several cells would tell more than that it is small: their number is known.
            single = table.added_up((values > 0).astype(np.int64)) == 1
            marks[single & (values < max(limits))] = -max(limits)
            table = replace(table, marked_below=max(limits))
        floor = max(limits, default=0) if table.is_count else 0  # a small sum of many persons may well be shown
        rounding = Rounding(int(np.lcm.reduce(bases)), "nearest", floor) if bases else None
        weights = values.astype(np.float64) if self.weight == "value" else np.ones(table.size)
        needs = UnsafeCells(cells, low[cells], high[cells], insiders, together, not zeros_shown)
        return Problem(table, beyond_zeros(View.of(table), needs), np.maximum(weights, 1.0), marks, rounding)

    def _infeasible(self, problem: Problem, stuck: bool) -> Infeasible:
        if stuck:
            why = "an unsafe cell stays bounded too tightly whatever is hidden: too few other cells can vary"
        else:
            why = "nothing would be left to show"
        helps = [
            *(["style: blank, which tells less"] if self.style == "negative" else []),
            "a smaller threshold",
            "fewer or coarser dimensions",
            "zeros: protect, so that zeros may be hidden too",
        ]
        what = f"{problem.needs.count} unsafe cell(s) of {problem.table.size} cannot be protected by hiding cells"
        return Infeasible(what, blocking=[why], relaxations=helps)
