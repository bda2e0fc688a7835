"""Tables of records of the same few people: every way to give the published rows to the people is tried.

A reader has all tables, knows who is in which class of which table, and that what a table shows of a record beside its
class is shown of the same record everywhere. A *world* says what each record shows, so that every class shows what is
published. A record's candidates are the rows of its class that it owns in some world; a table that asks for k wants
them to be k persons' rows, one that asks for l wants l values among them.

Two kinds of files: tables of one file share its records; tables of two files share persons, who may have several
records in each. Of the latter a reader knows one record in each table and, if it is true, that the value has not
changed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.truth.tally import Answer, Kind, pick
from sharewell.roles import Role, Schema
from sharewell.tables import KAnonymity, LDiversity, Table
from sharewell.tables.criteria.composition import LinkedTable, PeopleEvidence, judge_composition
from sharewell.tables.engine.checks.class_criterion import ClassCriterion
from sharewell.tables.engine.columns import Column
from sharewell.tables.engine.columns import Kind as ColumnKind

NOTHING = pa.table({})
SIZES: dict[int, list[ClassCriterion]] = {0: [], **{k: [KAnonymity(k)] for k in (1, 2, 3)}}
VALUES: dict[int, list[ClassCriterion]] = {0: [], 2: [LDiversity(2)]}

Shown = tuple[str, str]
"""What a row shows beside its class: a sensitive value, empty if missing, and a kept value."""


@dataclass(frozen=True)
class Row:
    """One published row and, for the steward, whose it is."""

    person: int
    record: int
    cells: tuple[str, str]
    shown: Shown


@dataclass(frozen=True)
class PublishedRows:
    rows: tuple[Row, ...]
    k: int
    l: int  # noqa: E741 - the name the literature gives it
    """0: not asked for."""


@dataclass(frozen=True)
class CompositionCase:
    tables: tuple[PublishedRows, ...]
    one_file: bool
    named: bool
    """Do tables name persons? Without names each record is a person."""


def cells_of(values: Sequence[tuple[int | None, int | None]]) -> tuple[str, str]:
    """What a class shares: a range where it can, `*` where a value is missing, the value where there is one."""
    cells = []
    for column in zip(*values, strict=True):
        known = [value for value in column if value is not None]
        if len(known) < len(column):
            cells.append("*" if known else "")
        else:
            low, high = min(known), max(known)
            cells.append(str(low) if low == high else f"[{low}-{high}]")
    return cells[0], cells[1]


class CompositionCases(Kind):
    name = "tables of records of the same people"
    most = 8
    """Persons."""

    def draw(self, rng: np.random.Generator) -> CompositionCase:
        one_file = bool(rng.random() < 0.6)
        persons = int(rng.integers(3, self.most + 1))
        tagged = bool(rng.random() < 0.3)
        people = min(persons, 5) if tagged else persons
        gaps, moved, again = pick(rng, (0.0, 0.2)), pick(rng, (0.0, 0.0, 0.3)), pick(rng, (0.0, 0.0, 0.25))
        illnesses = [pick(rng, "abc"[: int(rng.integers(1, 4))]) for _ in range(people)]
        true = [(int(rng.integers(0, 4)), int(rng.integers(0, 2))) for _ in range(people)]
        records = _records(rng, people, again)
        tables = []
        base: list[tuple[int, int, Any, Shown]] = []
        kept = [str(i) if tagged else "" for i in range(2 * len(records))]
        shared = bool(rng.random() < 0.4)
        labels: dict[int, int] = {}
        for _ in range(2 if rng.random() < 0.8 else 3):
            if not base or not one_file:
                of = (
                    records if one_file else [p for p in range(people) for _ in range(2 if rng.random() < again else 1)]
                )
                base = []
                for record, p in enumerate(of):
                    gap = [None if rng.random() < gaps / 2 else value for value in true[p]]
                    illness = pick(rng, "abc") if rng.random() < moved else illnesses[p]
                    illness = "" if rng.random() < gaps / 2 else illness
                    base.append((p, record, tuple(gap), (illness, kept[p if not one_file else record])))
            out = pick(rng, (0.0, 0.0, 0.3))
            rows = [one for one in base if rng.random() >= out] or base[:1]
            if not (shared and labels):
                labels = self._classes(rng, rows)
            classes = {one[1]: labels.get(one[1] if one_file else one[0], 0) for one in rows}
            tables.append(self._published(rng, rows, classes))
            if shared and not one_file:
                labels = {one[0]: labels.get(one[1], 0) for one in rows}
        named = one_file is False or bool(rng.random() < 0.7)
        return CompositionCase(tuple(tables), one_file, named)

    def _classes(self, rng: np.random.Generator, rows: Sequence[Any]) -> dict[int, int]:
        """Record → class: cuts of the first column, of the second, or by lot, so that cells overlap."""
        how, cut = int(rng.integers(4)), int(rng.integers(1, 4))
        if how == 0:
            return {one[1]: int((one[2][0] or 0) >= cut) for one in rows}
        if how == 1:
            return {one[1]: one[2][1] or 0 for one in rows}
        if how == 2:
            return {one[1]: int(rng.integers(2)) for one in rows}
        return {one[1]: 0 for one in rows}

    def _published(self, rng: np.random.Generator, rows: Sequence[Any], classes: dict[int, int]) -> PublishedRows:
        members: dict[int, list[Any]] = {}
        for one in rows:
            members.setdefault(classes[one[1]], []).append(one)
        cells = {label: cells_of([one[2] for one in some]) for label, some in members.items()}
        published = tuple(Row(p, record, cells[classes[record]], shown) for p, record, _, shown in rows)
        k, l = pick(rng, ((2, 0), (2, 2), (1, 2), (3, 0), (0, 2), (3, 2), (0, 0)))  # noqa: E741
        return PublishedRows(published, k, l)

    def answer(self, case: CompositionCase) -> Answer:
        if not all(holds_alone(table, case.named) for table in case.tables):
            return Answer(False, case.tables)
        linked, asked = [], {}
        for number, table in enumerate(case.tables):
            data, people = opened(table, case.named), evidence(table, case)
            linked.append(LinkedTable(str(number), data, people, same_identifiers=True))
            asked[str(number)] = [*SIZES[table.k], *VALUES[table.l]]
        return Answer(judge_composition(linked, asked).ok, case.tables)

    def unprotected(self, case: CompositionCase) -> Any:
        return case.tables

    def is_safe(self, case: CompositionCase, published: tuple[PublishedRows, ...]) -> bool:
        possible = _in_worlds(case) if case.one_file else None
        return all(_keeps_doubt(case, number, possible) for number in range(len(published)))


def _records(rng: np.random.Generator, people: int, again: float) -> list[int]:
    """The person of each record; some have two."""
    return [person for person in range(people) for _ in range(2 if rng.random() < again else 1)]


def holds_alone(table: PublishedRows, named: bool) -> bool:
    """Does each class have what its own table asks for?"""
    for cells in {row.cells for row in table.rows}:
        rows = [row for row in table.rows if row.cells == cells]
        owners = {row.person if named else row.record for row in rows}
        if len(owners) < table.k or len({row.shown[0] for row in rows} - {""}) < table.l:
            return False
    return True


def opened(table: PublishedRows, named: bool) -> Table:
    """Faster than reading a frame."""
    roles = {"x": Role.QUASI, "y": Role.QUASI, "illness": Role.SENSITIVE}
    texts = [[row.cells[0] for row in table.rows], [row.cells[1] for row in table.rows]]
    texts.append([row.shown[0] for row in table.rows])
    if named:
        roles["who"] = Role.SUBJECT
        texts.append([f"p{row.person}" for row in table.rows])
    columns = {name: coded(name, role, some) for (name, role), some in zip(roles.items(), texts, strict=True)}
    return Table(Schema(roles), columns, NOTHING, len(table.rows), published=True)


def coded(name: str, role: Role, texts: list[str]) -> Column:
    """An empty text is a missing value, which comes last."""
    known = sorted({*texts} - {""})
    values = [*known, *([""] if "" in texts else [])]
    codes = np.array([values.index(text) for text in texts], dtype=np.int32)
    kind: ColumnKind = "cells" if role is Role.QUASI else "text"
    return Column(name, role, kind, codes, pa.array(values, pa.string()), has_missing="" in texts)


def evidence(table: PublishedRows, case: CompositionCase) -> PeopleEvidence:
    persons = pa.array([f"p{row.person}" for row in table.rows], pa.string())
    records = np.array([row.record for row in table.rows], dtype=np.int64)
    return PeopleEvidence("who", "file" if case.one_file else "", persons if case.named else None, records)


def _keeps_doubt(case: CompositionCase, number: int, possible: dict[int, set[Shown]] | None) -> bool:
    table = case.tables[number]
    if not (table.k or table.l):
        return True
    for row in table.rows:
        views = [possible[row.record]] if possible is not None else _views(case, number, row)
        for shown in views:
            mine = [other for other in table.rows if other.cells == row.cells and other.shown in shown]
            owners = {other.person if case.named else other.record for other in mine}
            values = {illness for illness, _ in shown} - {""}
            if len(owners) < table.k or len(values) < table.l:
                return False
    return True


def _same(one: Shown, other: Shown) -> bool:
    """May the illness be the same?"""
    return one[0] == other[0] or not (one[0] and other[0])


def _in_worlds(case: CompositionCase) -> dict[int, set[Shown]]:
    """Record of the one file → all that it shows in some world: what it shows in one table, it shows in all."""
    left = {
        (number, cells): Counter(row.shown for row in table.rows if row.cells == cells)
        for number, table in enumerate(case.tables)
        for cells in {row.cells for row in table.rows}
    }
    classes: dict[int, list[tuple[int, tuple[str, str]]]] = {}
    for number, table in enumerate(case.tables):
        for row in table.rows:
            classes.setdefault(row.record, []).append((number, row.cells))
    records = list(classes)
    possible: dict[int, set[Shown]] = {record: set() for record in records}
    world: list[Shown] = [("", "")] * len(records)

    def walk(index: int) -> None:
        if index == len(records):
            for record, shown in zip(records, world, strict=True):
                possible[record].add(shown)
            return
        mine = classes[records[index]]
        for shown in set.intersection(*({v for v, n in left[c].items() if n} for c in mine)):
            for c in mine:
                left[c][shown] -= 1
            world[index] = shown
            walk(index + 1)
            for c in mine:
                left[c][shown] += 1

    walk(0)
    return possible


def _views(case: CompositionCase, number: int, row: Row) -> Iterator[set[Shown]]:
    """What the record may show, to readers who know one record of the person in each other table, or nothing of it.

    Rows of two files that show the same kept value are one person's. Where they show none, nothing ties two rows but
    that the target's value may be known not to have changed, if that is true.
    """
    places: list[list[Row | None]] = []
    for other, table in enumerate(case.tables):
        if other != number:
            places.append([one for one in table.rows if one.person == row.person] or [None])
    others = [table for other, table in enumerate(case.tables) if other != number]
    inside = [one for one in case.tables[number].rows if one.cells == row.cells]
    for view in product(*places):
        constant = all(one is None or _same(one.shown, row.shown) for one in view)
        for known in (False, True) if constant else (False,):
            yield {
                one.shown
                for one in inside
                if all(_fits(one, place, table, known) for place, table in zip(view, others, strict=True))
            }


def _fits(one: Row, place: Row | None, table: PublishedRows, constant: bool) -> bool:
    """Could a row be of a person whose row in the other table is in the class of `place`, or who has none there?"""
    tied = [row for row in table.rows if row.shown[1] == one.shown[1]]
    if place is None:
        return not (tied and one.shown[1])
    return any(row.cells == place.cells and (not constant or _same(row.shown, one.shown)) for row in tied)
