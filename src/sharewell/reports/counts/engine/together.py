"""Several tables of the same people, judged together: what do they leave open about a hidden cell?

The cells of all tables are the unknowns of one system: the sums of each table, and equations that say where tables must
agree. If the tables form a tree, agreement in shared columns is enough for one set of people to exist behind all of
them (Vorob'ev, 1962; Beeri, Fagin, Maier and Yannakakis, 1983); if they form a circle, the system has a hidden table of
all their columns besides. Tables of different files that overlap are judged over the persons of any of the files. As
for a single table, linear programs only reject; a cell is accepted on tables of whole numbers, checked by adding up.
What is too large, does not nest or contradicts itself is undecided, and fails. So are coalitions of two persons.

The criterion `tables-together` has the guarantee. Records of the same patients disclose a hidden count, too:

>>> import numpy as np
>>> import pyarrow as pa
>>> from sharewell.reports.counts.criteria.cell_protection import CellProtection
>>> from sharewell.reports.counts.data import HIDDEN, CountTable
>>> rule = CellProtection(threshold=5)
>>> illness = CountTable.of_cells({("cold",): 30, ("flu",): 20, ("gout",): 3}, ["illness"])
>>> illness = illness.showing(np.array([HIDDEN, 30, 20, HIDDEN]))
>>> rows = pa.table({"illness": ["cold"] * 30 + ["flu"] * 20 + ["gout"] * 3})
>>> records = PublishedRecords(rows, {"illness": {"role": "sensitive"}}, one_row_each=True, withheld=0)
>>> judge_together({"by-illness": illness}, {"by-illness": [rule]}, records={"patients": records}).ok
False
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from sharewell.errors import DataError, PolicyError
from sharewell.findings import Finding
from sharewell.reports.counts.criteria.cell_protection import CellProtection, cell_rules
from sharewell.reports.counts.data import CountTable
from sharewell.reports.counts.engine.intervals import intervals
from sharewell.reports.counts.engine.linked_tables import LinkedTables, columns_of, link_tables, too_large
from sharewell.reports.counts.engine.primary_cells import UnsafeCells
from sharewell.reports.counts.engine.protection_check import ProtectionResult, Searches, reached
from sharewell.reports.counts.engine.record_counts import PublishedRecords, count_records
from sharewell.reports.counts.engine.relations import NO_LIMIT, Ints, OpenSystem
from sharewell.reports.counts.engine.solvers.highs import LinearProgram
from sharewell.reports.counts.engine.table_check import as_read, fits
from sharewell.reports.counts.engine.table_readers import OUTSIDER, beyond_zeros, joint_readers

__all__ = ["PublishedRecords", "TogetherDetails", "judge_together"]
NAME = "tables-together"
NODES = 5_000
"""Steps in the search for one set of whole tables behind everything."""
MOST_SEARCHES = 60
"""For tables of whole numbers, where linear programs alone do not meet one."""
NO_TRUTH = "the true cells are not at hand: only the steward can check this"


@dataclass(frozen=True)
class TogetherDetails:
    """Counts of cells; they do not say which cells."""

    tables: int
    records: int
    unsafe: int
    too_tight: int
    undecided: int
    readers: int


def judge_together(
    tables: Mapping[str, CountTable],
    required: Mapping[str, Sequence[object]],
    *,
    records: Mapping[str, PublishedRecords] | None = None,
    people: Mapping[str, frozenset[str]] | None = None,
) -> Finding:
    """How many unsafe cells lack, in all tables taken together, the doubt that their own criterion asks for.

    required: the criteria of each table; only those that call cells unsafe (cell-protection) count. A table without any
    is knowledge, and asks for nothing. Without true cells, only what surely fails is found.
    """
    all_records = dict(records or {})
    rules = {name: cell_rules(required.get(name, ())) for name in tables}
    empty = TogetherDetails(len(tables), len(all_records), 0, 0, 0, 0)
    if len(tables) + len(all_records) < 2 or not any(rules.values()):
        return Finding.judge(NAME, 0, "≤", 0, unit="cells", details=empty)
    try:
        if people is not None and (lost := [name for name in (*tables, *all_records) if name not in people]):
            raise DataError(f"{', '.join(lost)} — the files from which its people come are not given")
        parts = [
            part
            for measure in sorted({table.value for table in tables.values()})
            for part in _judged(measure, tables, rules, all_records if measure == "count" else {}, people)
        ]
    except (DataError, PolicyError) as error:
        return Finding.judge(NAME, None, "≤", 0, unit="cells", details=empty, note=str(error))
    return _whole(parts, empty)


Bounds = tuple[Ints, Ints]


def _judged(
    measure: str,
    tables: Mapping[str, CountTable],
    rules: Mapping[str, Sequence[CellProtection]],
    records: Mapping[str, PublishedRecords],
    people: Mapping[str, frozenset[str]] | None,
) -> list[Finding]:
    """One finding a table, of all that add up the same: counts, or one measure."""
    known = beside_other_measures(tables, people)
    group = {name: as_read(table) for name, table in tables.items() if table.value == measure}
    judged_rules = {name: rules[name] for name in group if rules[name]}
    if not judged_rules or (len(group) + len(records) < 2 and not any(name in known for name in group)):
        return [_finding(name, 0) for name in judged_rules]
    if len({table.decimals for table in group.values()}) > 1:
        raise DataError(f"{measure} — tables of it have different decimals — write it with the same in all of them")
    columns = columns_of(group.values())
    system = link_tables(group, {name: count_records(one, columns) for name, one in records.items()}, people, known)
    if any(group[name].truth is None for name in judged_rules):
        return _surely_failing(system, group, judged_rules)
    needs, insiders = _needs(system, group, judged_rules)
    start = _behind(system, group)
    same = people is None or len({people[name] for name in group}) < 2
    readers = joint_readers(group, system.starts, same) if insiders else [OUTSIDER]
    view = replace(system.view, truth=start)
    result = reached(view, needs, readers, [start], once=True, searches=Searches(MOST_SEARCHES))
    return [_by_table(name, system.starts[name], group[name].size, needs, result) for name in judged_rules]


def _needs(
    system: LinkedTables, group: Mapping[str, CountTable], rules: Mapping[str, Sequence[CellProtection]]
) -> tuple[UnsafeCells, bool]:
    """Unsafe cells of all tables, each with the most doubt that a criterion of its table requires."""
    low, high = np.full(system.view.size, NO_LIMIT), np.full(system.view.size, -1)
    insiders = False
    for name, criteria in rules.items():
        table = group[name]
        assert table.truth is not None
        if not fits(table, table.truth.values):
            raise DataError(f"{name} — the published numbers are not those of the true cells")
        for one in criteria:
            unsafe = one.unsafe(table)
            if unsafe.together > 1:
                raise DataError(f"{name} — coalitions of two are not judged over several tables — say coalitions: 1")
            insiders |= unsafe.insiders
            needs = beyond_zeros(system.view, replace(unsafe, cells=unsafe.cells + system.starts[name]))
            low[needs.cells] = np.minimum(low[needs.cells], needs.low)
            high[needs.cells] = np.maximum(high[needs.cells], needs.high)
    cells = np.flatnonzero(high >= 0)
    return UnsafeCells(cells, low[cells], high[cells]), insiders


def _behind(system: LinkedTables, group: Mapping[str, CountTable]) -> Ints:
    """One set of tables of whole numbers that fits everything, with the true cells where they are known."""
    view = system.view
    low, high = view.low.copy(), view.high.copy()
    for name, table in group.items():
        if table.truth is not None and table.randomised is None:
            start = system.starts[name]
            low[start : start + table.size] = high[start : start + table.size] = table.truth.values
    unknown = OpenSystem.of(view.relations, low, high)
    solution = low.copy()
    if unknown.count:
        jumps = view.jumps[unknown.cells]
        found_point = LinearProgram.of(unknown, unknown.low, unknown.high, jumps, whole=True, nodes=NODES).solve()
        if found_point.outcome == "unclear":
            raise too_large()
        if found_point.outcome == "solved":
            solution[unknown.cells] = np.round(found_point.point).astype(np.int64)
    if not view.fits(solution):
        what = "no people could be behind all of them: other people, or persons in one and rows in another"
        raise DataError(f"the tables — {what} — they cannot be judged together")
    return solution


def _by_table(name: str, start: int, size: int, needs: UnsafeCells, result: ProtectionResult) -> Finding:
    failing = [one for one in result.failing if start <= one.cell < start + size]
    of_table = replace(result, failing=tuple(failing))
    unsafe = int(np.count_nonzero((needs.cells >= start) & (needs.cells < start + size)))
    return _finding(name, of_table.cells, unsafe, of_table.undecided, result.readers)


def _finding(name: str, cells: int, unsafe: int = 0, undecided: int = 0, readers: int = 0, note: str = "") -> Finding:
    details = TogetherDetails(1, 0, unsafe, cells, undecided, readers)
    value = None if note else cells
    return Finding.judge(NAME, value, "≤", 0, column=name, unit="cells", details=details, note=note)


def _surely_failing(
    system: LinkedTables, group: Mapping[str, CountTable], rules: Mapping[str, Sequence[CellProtection]]
) -> list[Finding]:
    """Without true cells: small counts that are bounded more closely than their rule allows."""
    bounds = intervals(system.view.relations, system.view.low, system.view.high)
    low, high = system.view.low.copy(), system.view.high.copy()
    low[bounds.cells], high[bounds.cells] = bounds.low, bounds.high
    parts = []
    for name, criteria in rules.items():
        cells_of_table = slice(system.starts[name], system.starts[name] + group[name].size)
        tight = np.zeros(group[name].size, dtype=bool)
        for one in criteria:
            if group[name].is_count and one.threshold is not None:
                small = (low[cells_of_table] >= 1) & (high[cells_of_table] < one.threshold)
                unsafe_width = one.threshold - 2 if one.below is None and one.above is None else 1
                tight |= small & (high[cells_of_table] - low[cells_of_table] < max(unsafe_width, 1))
        cells = int(tight.sum())
        parts.append(_finding(name, cells, note="" if cells else NO_TRUTH))
    return parts


def _whole(parts: Sequence[Finding], empty: TogetherDetails) -> Finding:
    values = [one.value for one in parts]
    counted_cells = [one.details for one in parts if isinstance(one.details, TogetherDetails)]
    details = replace(
        empty,
        unsafe=sum(one.unsafe for one in counted_cells),
        too_tight=sum(one.too_tight for one in counted_cells),
        undecided=sum(one.undecided for one in counted_cells),
        readers=max((one.readers for one in counted_cells), default=0),
    )
    failing = sum(int(value) for value in values if value is not None)
    note = next((one.note for one in parts if one.note), "")
    value = failing if failing or not note else None
    return Finding.judge(NAME, value, "≤", 0, unit="cells", parts=parts, details=details, note=note)


def beside_other_measures(
    tables: Mapping[str, CountTable], people: Mapping[str, frozenset[str]] | None
) -> dict[str, Bounds]:
    """What counts tell about sums, and sums about counts: an empty cell sums to 0, and a sum above 0 needs a person."""
    known: dict[str, Bounds] = {}
    for counts, sums in product(tables, tables):
        first, second = tables[counts], tables[sums]
        if not first.is_count or second.is_count or (people is not None and not people[sums] <= people[counts]):
            continue
        place = _same_cell(first, second)
        shared = np.flatnonzero(place >= 0)
        (low, high), (sum_low, _) = first.bounds(), second.bounds()
        nobody = shared[high[place[shared]] == 0]
        somebody = place[shared[sum_low[shared] > 0]]
        if (sum_low[nobody] > 0).any():
            problem = "one shows a sum above 0 in a cell in which another counts nobody"
            raise DataError(f"the tables — {problem} — are they of the same people?")
        if (second.bounds()[1][nobody] > 0).any():
            known.setdefault(sums, _free(second))[1][nobody] = 0
        if (low[somebody] < 1).any():
            known.setdefault(counts, _free(first))[0][somebody] = 1
    return known


def _free(table: CountTable) -> Bounds:
    return np.zeros(table.size, np.int64), np.full(table.size, NO_LIMIT)


def _same_cell(one: CountTable, other: CountTable) -> Ints:
    """For each cell of the other table the cell of this one that holds all of it by the same categories; −1: none."""
    where = np.array(np.unravel_index(np.arange(other.size), other.shape))
    axes = {dimension.name: axis for axis, dimension in enumerate(other.dimensions)}
    axes_places, missing = [], np.zeros(other.size, dtype=bool)
    for dimension in one.dimensions:
        if dimension.name not in axes:
            axes_places.append(np.zeros(other.size, np.int64))
            continue
        axis = axes[dimension.name]
        places = np.array([dimension.place.get(code, -1) for code in other.dimensions[axis].codes])[where[axis]]
        missing |= places < 0
        axes_places.append(np.maximum(places, 0))
    return np.where(missing, -1, np.ravel_multi_index(tuple(axes_places), one.shape))
