"""Several count tables of the same few people: every set of people that agrees with all of them is tried."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.truth.tally import Answer, Kind, pick
from sharewell.errors import Infeasible
from sharewell.reports import CellProtection, CellSuppression, CountTable, judge_together, tabulate
from sharewell.reports.tables.dataset import HIDDEN

COLUMNS = ("a", "b", "c")
SORTS = tuple(product("01", repeat=3))
"""Every sort of person."""
CHOICES = (("a", "b"), ("b", "c"), ("a", "c"), ("a",), ("b",), ("c",), ("a", "b", "c"))
MOST = 10
"""People, at most, in the sets tried; cases have fewer."""
TOTAL = "*"
Published = dict[str, list[tuple[dict[str, str], int | None]]]


@dataclass(frozen=True)
class TogetherCase:
    people: tuple[tuple[str, ...], ...]
    rows_each: int
    """1, or 2 and then from a frame of records."""
    tables: tuple[tuple[str, ...], ...]
    threshold: int
    by_mechanism: tuple[bool, ...]
    hidden: tuple[tuple[bool, ...], ...]


@lru_cache(maxsize=1)
def every_set() -> np.ndarray:
    """How many people of each sort, in all sets of at most MOST people."""
    found = np.zeros((1, 0), dtype=np.int8)
    for _ in SORTS:
        wider = [np.hstack([found, np.full((len(found), 1), n, dtype=np.int8)]) for n in range(MOST + 1)]
        found = np.vstack([some[some.sum(axis=1) <= MOST] for some in wider])
    return found


@lru_cache(maxsize=4096)
def counted(cell: tuple[tuple[str, str], ...]) -> np.ndarray:
    """Of a cell of a table, in every set: the people who have its values."""
    inside = [all(code in (TOTAL, sort[COLUMNS.index(name)]) for name, code in cell) for sort in SORTS]
    return every_set()[:, np.flatnonzero(inside)].sum(axis=1, dtype=np.int16)


class TogetherCases(Kind):
    name = "several count tables of the same people"

    def draw(self, rng: np.random.Generator) -> TogetherCase:
        people = tuple(SORTS[i] for i in rng.integers(0, 8, int(rng.integers(2, 7))))
        which = rng.permutation(len(CHOICES))[: int(rng.integers(2, 4))]
        tables = tuple(CHOICES[i] for i in which)
        share = pick(rng, (0.5, 0.9))
        hidden = tuple(tuple((rng.random(27) < share).tolist()) for _ in tables)
        by_mechanism = tuple((rng.random(len(tables)) < 0.3).tolist())
        return TogetherCase(
            people, 2 if rng.random() < 0.02 else 1, tables, int(rng.integers(2, 4)), by_mechanism, hidden
        )

    def _tables(self, case: TogetherCase) -> dict[str, CountTable]:
        if case.rows_each == 1:
            return {str(i): self._counted(case, names) for i, names in enumerate(case.tables)}
        rows = [(f"p{i}", *one) for i, one in enumerate(case.people) for _ in range(case.rows_each)]
        frame = pa.table({name: [row[i] for row in rows] for i, name in enumerate(("who", *COLUMNS))})
        return {str(i): tabulate(frame, list(names), subject="who") for i, names in enumerate(case.tables)}

    def _counted(self, case: TogetherCase, names: tuple[str, ...]) -> CountTable:
        """Faster than reading a frame, which opens a database."""
        keys = [tuple(one[COLUMNS.index(name)] for name in names) for one in case.people]
        return CountTable.of_cells({key: keys.count(key) for key in keys}, list(names))

    def answer(self, case: TogetherCase) -> Answer:
        rule, shown = CellProtection(threshold=case.threshold), {}
        for number, (name, table) in enumerate(self._tables(case).items()):
            if case.by_mechanism[number]:
                try:
                    shown[name] = CellSuppression().protect(table, [rule]).data
                    continue
                except Infeasible:
                    pass
            some = np.array(case.hidden[number])[: table.size] | (table.shown < case.threshold)
            shown[name] = table.showing(np.where(some & (table.shown > 0), HIDDEN, table.shown))
        found = judge_together(shown, {name: [rule] for name in shown})
        return Answer(found.ok, self._read(shown))

    def unprotected(self, case: TogetherCase) -> Published:
        """Small counts are hidden, and nothing else."""
        shown = {}
        for name, table in self._tables(case).items():
            small = (table.shown > 0) & (table.shown < case.threshold)
            shown[name] = table.showing(np.where(small, HIDDEN, table.shown))
        return self._read(shown)

    def _read(self, shown: dict[str, CountTable]) -> Published:
        return {
            name: [({k: v for k, v in row.items() if k != "count"}, row["count"]) for row in table.arrow.to_pylist()]
            for name, table in shown.items()
        }

    def is_safe(self, case: TogetherCase, published: Published) -> bool:
        fine = np.ones(len(every_set()), dtype=bool)
        small: list[Any] = []
        for cells in published.values():
            listed = {name: {codes[name] for codes, _ in cells} for name in cells[0][0]}
            for at, sort in enumerate(SORTS):  # nobody has a value that a table does not list
                if any(sort[COLUMNS.index(name)] not in codes for name, codes in listed.items()):
                    fine &= every_set()[:, at] == 0
            for codes, shown in cells:
                possible = counted(tuple(codes.items()))
                fine &= possible >= 1 if shown is None else possible == shown
                true = sum(all(v in (TOTAL, one[COLUMNS.index(k)]) for k, v in codes.items()) for one in case.people)
                if 0 < true < case.threshold:
                    small.append(possible)
        spans = [some[fine].max() - some[fine].min() for some in small]
        return all(span >= max(case.threshold - 2, 1) for span in spans)
