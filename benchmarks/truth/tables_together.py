"""Several tables of the same few people: every set of people that agrees with all of them is tried.

Three kinds: count tables of one file; count tables beside published records; count tables of two files, whose people
are partly the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from benchmarks.truth.tally import Answer, Kind, pick
from sharewell.errors import Infeasible
from sharewell.reports import CellProtection, CellSuppression, CountTable, judge_together, tabulate
from sharewell.reports.counts.data import HIDDEN
from sharewell.reports.counts.engine.record_counts import PublishedRecords

COLUMNS = ("a", "b", "c")
CHOICES = (("a", "b"), ("b", "c"), ("a", "c"), ("a",), ("b",), ("c",), ("a", "b", "c"))
FILES = ("1", "2", "12")
"""Where somebody may be: in the first file, in the second, in both."""
TOTAL = "*"
Sort = tuple[str, ...]
Codes = tuple[tuple[str, str], ...]
Cells = list[tuple[Codes, int | None]]
Ints = NDArray[np.integer[Any]]


@lru_cache(maxsize=4)
def every_set(sorts: int, most: int) -> Ints:
    """How many people of each sort, in all sets of at most so many people."""
    found = np.zeros((1, 0), dtype=np.int8)
    for _ in range(sorts):
        wider = [np.hstack([found, np.full((len(found), 1), n, dtype=np.int8)]) for n in range(most + 1)]
        found = np.vstack([some[some.sum(axis=1) <= most] for some in wider])
    return found


@lru_cache(maxsize=4096)
def number_in(inside: tuple[bool, ...], most: int) -> Ints:
    """In every set, the people of these sorts."""
    return every_set(len(inside), most)[:, np.array(inside)].sum(axis=1, dtype=np.int8)


@lru_cache(maxsize=4096)
def having(sorts: tuple[Sort, ...], names: tuple[str, ...], codes: Codes, files: str) -> tuple[bool, ...]:
    """Which sorts of people fall into a cell. `files`: only people of these; empty: all."""
    wanted = [(names.index(name), code) for name, code in codes if code != TOTAL]
    return tuple(all(sort[at] == code for at, code in wanted) and in_files(sort, files) for sort in sorts)


def in_files(sort: Sort, files: str) -> bool:
    return not files or bool(set(sort[-1]) & set(files))


class World:
    """Sets of people, and which of them still agree with what was read so far."""

    def __init__(self, sorts: tuple[Sort, ...], names: tuple[str, ...], most: int) -> None:
        self.sorts, self.names, self.most = sorts, names, most
        self.agrees = np.ones(len(every_set(len(sorts), most)), dtype=bool)

    def number(self, inside: Iterable[bool]) -> Ints:
        return number_in(tuple(inside), self.most)

    def read(self, cells: Cells, files: str = "") -> None:
        """A hidden count is 1 or more; nobody has a value that the table does not list."""
        listed = {name: {dict(codes)[name] for codes, _ in cells} for name, _ in cells[0][0]}
        unlisted = tuple(
            in_files(sort, files) and any(sort[self.names.index(n)] not in some for n, some in listed.items())
            for sort in self.sorts
        )
        if any(unlisted):
            self.agrees &= self.number(unlisted) == 0
        for codes, shown in cells:
            number = self.number(having(self.sorts, self.names, codes, files))
            self.agrees &= number >= 1 if shown is None else number == shown

    def open_by(self, codes: Codes, files: str = "") -> int:
        """How far apart the numbers of a cell are that sets of people allow."""
        number = self.number(having(self.sorts, self.names, codes, files))[self.agrees]
        return int(number.max()) - int(number.min()) if len(number) else -1


@dataclass(frozen=True)
class TogetherCase:
    people: tuple[Sort, ...]
    rows_each: int
    """1, or 2 and then from a frame of records."""
    tables: tuple[tuple[str, ...], ...]
    threshold: int
    by_mechanism: tuple[bool, ...]
    hidden: tuple[tuple[bool, ...], ...]
    files: tuple[str, ...] = ()
    """Of each table the files that it is of, and a sort of people ends in where they are; empty: one file for all."""
    records: tuple[Sort, ...] = ()
    """Published records: a value, or * for any."""
    records_known: bool = False
    """Does a reader know how many people have no record?"""
    rows_of_one: bool = False
    """Do some people have two of the records?"""


def count(people: Iterable[Sort], names: tuple[str, ...], columns: tuple[str, ...] = COLUMNS) -> CountTable:
    """Faster than reading a frame, which opens a database."""
    keys = [tuple(one[columns.index(name)] for name in names) for one in people]
    return CountTable.of_cells({key: keys.count(key) for key in keys}, list(names))


def hide(case: TogetherCase, tables: dict[str, CountTable], rule: CellProtection) -> dict[str, CountTable]:
    """By the mechanism, or small cells and others by lot."""
    shown = {}
    for number, (name, table) in enumerate(tables.items()):
        if case.by_mechanism[number]:
            try:
                shown[name] = CellSuppression().protect(table, [rule]).data
                continue
            except Infeasible:
                pass
        some = np.array(case.hidden[number])[: table.size] | (table.shown < case.threshold)
        shown[name] = table.showing(np.where(some & (table.shown > 0), HIDDEN, table.shown))
    return shown


def read(table: CountTable) -> Cells:
    arrow = table.arrow
    columns, names = [column.to_pylist() for column in arrow.columns], arrow.column_names[:-1]
    return [(tuple(zip(names, row[:-1], strict=True)), row[-1]) for row in zip(*columns, strict=True)]


class TogetherCases(Kind):
    name = "several count tables of the same people"
    sorts: tuple[Sort, ...] = tuple(product("01", repeat=3))
    columns: tuple[str, ...] = COLUMNS
    most = 10
    """People, at most, in the sets tried; cases have fewer."""
    choices: tuple[tuple[str, ...], ...] = CHOICES
    fewest = 2

    def draw(self, rng: np.random.Generator) -> TogetherCase:
        people = tuple(self.sorts[i] for i in rng.integers(0, len(self.sorts), int(rng.integers(2, self.most - 3))))
        which = rng.permutation(len(self.choices))[: int(rng.integers(self.fewest, 4))]
        tables = tuple(self.choices[i] for i in which)
        share = pick(rng, (0.5, 0.9))
        hidden = tuple(tuple((rng.random(27) < share).tolist()) for _ in tables)
        by_mechanism = tuple((rng.random(len(tables)) < 0.05).tolist())
        rows = 2 if rng.random() < 0.001 else 1
        return TogetherCase(people, rows, tables, int(rng.integers(2, 4)), by_mechanism, hidden)

    def _tables(self, case: TogetherCase) -> dict[str, CountTable]:
        if case.rows_each == 1:
            return {str(i): count(case.people, names) for i, names in enumerate(case.tables)}
        rows = [(f"p{i}", *one) for i, one in enumerate(case.people) for _ in range(case.rows_each)]
        frame = pa.table({name: [row[i] for row in rows] for i, name in enumerate(("who", *COLUMNS))})
        return {str(i): tabulate(frame, list(names), subject="who") for i, names in enumerate(case.tables)}

    def answer(self, case: TogetherCase) -> Answer:
        rule = CellProtection(threshold=case.threshold)
        shown = hide(case, self._tables(case), rule)
        found = judge_together(shown, {name: [rule] for name in shown}, **self._beside(case))
        return Answer(found.ok, [read(one) for one in shown.values()])

    def _beside(self, case: TogetherCase) -> dict[str, Any]:
        return {}

    def unprotected(self, case: TogetherCase) -> list[Cells]:
        """Small counts are hidden, and nothing else."""
        shown = []
        for table in self._tables(case).values():
            small = (table.shown > 0) & (table.shown < case.threshold)
            shown.append(read(table.showing(np.where(small, HIDDEN, table.shown))))
        return shown

    def is_safe(self, case: TogetherCase, published: list[Cells]) -> bool:
        world, files = World(self.sorts, self.columns, self.most), case.files or ("",) * len(published)
        for of, cells in zip(files, published, strict=True):
            world.read(cells, of)
        self._read_beside(case, world)
        for of, cells in zip(files, published, strict=True):
            for codes, shown in cells:
                fits = dict(zip(self.sorts, having(self.sorts, self.columns, codes, of), strict=True))
                true = sum(fits[one] for one in case.people)
                if shown not in (None, true):
                    return False
                small = 0 < true < case.threshold
                if small and (shown is not None or world.open_by(codes, of) < max(case.threshold - 2, 1)):
                    return False
        return True

    def _read_beside(self, case: TogetherCase, world: World) -> None:
        """What is published besides."""


class RecordsCases(TogetherCases):
    """Some people have one record each, some none. A record fits whoever has its values."""

    name = "records beside count tables of the same people"
    fewest = 1

    def draw(self, rng: np.random.Generator) -> TogetherCase:
        case = super().draw(rng)
        tables = case.tables[: int(rng.integers(1, 3))]
        out = pick(rng, (0.0, 0.0, 0.3))
        coarse = pick(rng, (0.2, 0.5, 0.8))
        inside = [one for one in case.people if rng.random() >= out]
        records = tuple(tuple("*" if rng.random() < coarse else code for code in one) for one in inside)
        twice = bool(rng.random() < 0.05)
        return TogetherCase(
            case.people,
            1,
            tables,
            case.threshold,
            case.by_mechanism,
            case.hidden,
            records=records * 2 if twice else records,
            records_known=bool(rng.random() < 0.5),
            rows_of_one=twice,
        )

    def _beside(self, case: TogetherCase) -> dict[str, Any]:
        frame = pa.table(
            {name: pa.array([row[i] for row in case.records], pa.string()) for i, name in enumerate(COLUMNS)}
        )
        facts = {name: {"role": "quasi"} for name in COLUMNS}
        withheld = len(case.people) - len(case.records) if case.records_known else None
        records = PublishedRecords(frame, facts, one_row_each=not case.rows_of_one, withheld=withheld)
        return {"records": {"records": records}}

    def _read_beside(self, case: TogetherCase, world: World) -> None:
        """Every record is somebody's, and nobody has two (Hall, 1935: so many people at least as records, wherever)."""
        if case.records_known:
            world.agrees &= world.number([True] * len(world.sorts)) == len(case.people)
        fits = [frozenset(i for i, sort in enumerate(world.sorts) if _fits(row, sort)) for row in case.records]
        if case.rows_of_one:
            fits = fits[: len(fits) // 2]
        kinds = sorted(set(fits), key=sorted)
        for size in range(1, len(kinds) + 1):
            for some in combinations(kinds, size):
                whole = frozenset[int]().union(*some)
                needed = sum(one <= whole for one in fits)
                world.agrees &= world.number(i in whole for i in range(len(world.sorts))) >= needed


def _fits(record: Sort, sort: Sort) -> bool:
    return all(cell in ("*", code) for cell, code in zip(record, sort, strict=True))


class FilesCases(TogetherCases):
    """Count tables of two files, or of both together: who is in which of them, nobody tells."""

    name = "count tables of two files with some of the same people"
    sorts: tuple[Sort, ...] = tuple((*values, where) for values in product("01", repeat=2) for where in FILES)
    columns = ("a", "b", "file")
    most = 7
    choices = (("a", "b"), ("a",), ("b",), ("a", "b"), ("a",), ("b",))

    def draw(self, rng: np.random.Generator) -> TogetherCase:
        case = super().draw(rng)
        of = tuple(pick(rng, FILES) for _ in case.tables)
        people = (*case.people[1:], (*case.people[0][:-1], "12"))  # no table is empty
        return TogetherCase(people, 1, case.tables, case.threshold, case.by_mechanism, case.hidden, of)

    def _tables(self, case: TogetherCase) -> dict[str, CountTable]:
        found = {}
        for number, names in enumerate(case.tables):
            people = [one for one in case.people if in_files(one, case.files[number])]
            found[str(number)] = count(people, names, self.columns)
        return found

    def _beside(self, case: TogetherCase) -> dict[str, Any]:
        return {"people": {str(number): frozenset(of) for number, of in enumerate(case.files)}}
