"""Earlier cells: everybody is published with the cells of their class in an earlier release.

## Guarantee
Every required criterion holds in every published class, or `Infeasible` is raised. Every published class shows the
cells of a class of the earlier release. Newcomers to a class are published only if every criterion holds among them
alone, so that somebody who subtracts one release from the other finds enough of them.

## Adversary
That of the criteria; also one who has both releases, and knows the target's quasi values and when the target joined.

## What it does not protect
What the criteria do not. People who left: whoever has both releases sees who is missing. The content of rows, not whose
they are, decides who counts as a newcomer. A release that names the earlier one (`release: {after: […]}`) is therefore
judged with it by `composition`, which knows the persons and refuses what this mechanism got wrong.

## Parameters
earlier: the published file of the earlier release. It must have every quasi column of this table.
suppress: the largest share of persons who may be withheld because no earlier class covers one of their records, or
because too few joined a class.

## Worked example
Two years ago there were two classes. Four of today's five people were there already; the fifth would be the only
newcomer in the first class, and has to wait.

>>> import pyarrow as pa
>>> from sharewell.tables import KAnonymity, Table
>>> before = pa.table({"age": ["[20-29]"] * 2 + ["[30-49]"] * 2, "illness": ["flu", "gout", "flu", "ulcer"]})
>>> today = pa.table({"age": [21, 28, 22, 33, 47], "illness": ["flu", "gout", "asthma", "flu", "ulcer"]})
>>> table = Table.of(today, quasi=["age"], sensitive=["illness"])
>>> released = EarlierCells(before, suppress=0.2).protect(table, must=[KAnonymity(2)])
>>> released.data.arrow.to_pydict()["age"], released.details.waiting
(['[20-29]', '[20-29]', '[30-49]', '[30-49]'], 1)

## Why it is safe
Cells come from the earlier file and from nowhere else. A record gets a class that covers its values; if there are
several, one that has a record, not yet assigned, which agrees in all other columns of both files. A record with such a
counterpart has come back; all others are new. The criteria are checked on what would be published.

## Cost
O(q · c · log n) to match c classes of q columns with n records, and O(n · o) where o classes cover a record.

## Source
Byun, Sohn, Bertino and Li, 2006; Xiao and Tao, 2007 (releases that grow). Both change the classes of earlier records
and bound what the change discloses; here these classes stay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pyarrow as pa

from sharewell.algorithm import DataError, Declared, Infeasible, Key, Mechanism, Protected, ShareBelowOne
from sharewell.content_order import content_order
from sharewell.exact_shares import part_of
from sharewell.io.sources import Evidence, Source
from sharewell.output_check import refuse_failing
from sharewell.roles import Role, Schema
from sharewell.spelling import fold
from sharewell.styles import ends_of
from sharewell.tables.data import Bools, Indices, Ints, Table, group
from sharewell.tables.engine.cell_matching import fitting
from sharewell.tables.engine.checks.class_criterion import ClassCriteria, all_hold
from sharewell.tables.engine.columns import as_shown, encode
from sharewell.tables.engine.low_high import join_low_high
from sharewell.tables.engine.protection.partitioning.preconditions import refuse_unfit
from sharewell.tables.engine.published_cells import persons_withheld

_NONE = -1


@dataclass(frozen=True)
class EarlierCellsDetails:
    classes: int
    """Classes of the earlier release that are published again."""
    returning: int
    """Records that the earlier release has too, as far as it shows them."""
    newcomers: int
    waiting: int
    """Records of newcomers who are too few, or too alike, in their class."""
    not_covered: int
    """Records that no class of the earlier release covers."""


@dataclass(frozen=True)
class EarlierCells(Declared, Mechanism[Table]):
    """The cells of an earlier release, for whoever they cover."""

    earlier: Evidence
    suppress: ShareBelowOne = 0.05

    engine: ClassVar[str] = "worst"

    def protect(self, data: Table, must: ClassCriteria, key: Key | None = None) -> Protected[Table]:
        refuse_unfit(self.name, data)
        before, others = self._published(data)
        class_of, returning = _assigned(data, before, others)
        waiting = _too_few(data, class_of, returning, must)
        kept = np.flatnonzero((class_of != _NONE) & ~waiting)
        self._refuse_beyond(data, kept, int((class_of == _NONE).sum()), int(waiting.sum()))
        first = before.classes.order[before.classes.starts[:-1]]
        cells = {}
        for column in data.quasi:
            shown = before.columns[column.name]
            cells[column.name] = as_shown(column, shown.texts, shown.codes[first][class_of[kept]])
        out = data.released(cells, kept)
        refuse_failing(self.name, out, must, ["publish the newcomers by themselves, or one table of everybody"])
        back = int(returning[kept].sum())
        missing, waits = int((class_of == _NONE).sum()), int(waiting.sum())
        details = EarlierCellsDetails(out.classes.count, back, len(kept) - back, waits, missing)
        return Protected(out, details, kept)

    def _published(self, data: Table) -> tuple[Table, pa.Table]:
        """The earlier classes, and the other columns of both files."""
        source: Source = self.earlier
        names = source.names()
        in_two = [name for name in data.schema.quasi if name not in names and {*ends_of(name)} <= {*names}]
        lacking = [name for name in data.schema.quasi if name not in names and name not in in_two]
        if lacking:
            raise DataError(f"{source.label} — lacks the column(s) {', '.join(lacking)} — name the published file")
        shared = [name for name in data.schema.having(Role.SENSITIVE, Role.KEEP) if name in names]
        wanted = [end for name in data.schema.quasi for end in (ends_of(name) if name in in_two else (name,))]
        frame = join_low_high(source.read([*wanted, *shared]), in_two)
        columns = {}
        for column in data.quasi:
            cells = encode(column.name, Role.QUASI, frame[column.name], kind="cells")
            columns[column.name] = replace(cells, hierarchy=column.hierarchy)
        schema = Schema(dict.fromkeys(columns, Role.QUASI))
        return Table(schema, columns, pa.table({}), frame.num_rows, published=True), frame.select(shared)

    def _refuse_beyond(self, data: Table, kept: Indices, not_covered: int, waiting: int) -> None:
        lost, most = persons_withheld(data, kept), part_of(self.suppress, data.persons)
        if len(kept) and lost <= most:
            return
        problem = f"{lost} of {data.persons} persons would lose records, and at most {most} may"
        blocking = [f"{not_covered} record(s) are covered by no earlier class", f"{waiting} newcomer record(s) wait"]
        helps = ["publish the newcomers by themselves, or one table of everybody"]
        if len(kept) and lost < data.persons:
            helps.append(f"suppress = {np.ceil(1000 * lost / data.persons) / 1000:g}")
        problem = problem if len(kept) else "every record would be withheld"
        raise Infeasible(f"{self.name} — {problem}", blocking=blocking, relaxations=helps)


def _assigned(data: Table, before: Table, others: pa.Table) -> tuple[Ints, Bools]:
    """The earlier class of each record, −1 for none, and whether an earlier record agrees with it in all it shows."""
    classes = before.classes
    places = [before.columns[column.name].take(classes.order[classes.starts[:-1]]) for column in data.quasi]
    covering: list[list[int]] = [[] for _ in range(data.rows)]
    if places:
        for which, fit in fitting(places, data.quasi, np.stack([column.codes for column in places])):
            for row in fit.tolist():
                covering[row].extend(which.tolist())
    else:
        covering = [list(range(classes.count)) for _ in range(data.rows)]
    names = others.column_names
    shown = [_texts(data.carried[name]) for name in names if name in data.carried.column_names]
    mine = list(zip(*shown, strict=True)) if shown else [()] * data.rows
    theirs = list(zip(*(_texts(others[name]) for name in names if name in data.carried.column_names), strict=True))
    theirs = theirs or [()] * before.rows
    left = Counter(
        (int(c), theirs[row]) for c, row in zip(classes.class_of.tolist(), classes.order.tolist(), strict=True)
    )
    class_of, returning = np.full(data.rows, _NONE, dtype=np.int64), np.zeros(data.rows, dtype=bool)
    by_content = content_order(pa.table({**{c.name: c.arrow for c in data.quasi}, **_named(shown)}))
    for row in sorted(np.asarray(by_content).tolist(), key=lambda row: len(covering[row])):
        known = [c for c in sorted(covering[row]) if left[c, mine[row]] > 0]
        if known:
            left[known[0], mine[row]] -= 1
            class_of[row], returning[row] = known[0], True
        elif covering[row]:
            class_of[row] = min(covering[row])
    return class_of, returning


def _too_few(data: Table, class_of: Ints, returning: Bools, criteria: ClassCriteria) -> Bools:
    """Records of newcomers for whom, within their class, a criterion does not hold."""
    new = np.flatnonzero((class_of != _NONE) & ~returning)
    order, starts = group([class_of[new]], len(new))
    newcomers = data.as_classes(new[order].astype(np.intp), starts)
    waiting = np.zeros(data.rows, dtype=bool)
    waiting[newcomers.order] = np.repeat(~all_hold(criteria, newcomers), newcomers.sizes)
    return waiting


def _texts(column: pa.ChunkedArray) -> list[str]:
    return ["" if value is None else fold(str(value)) for value in column.to_pylist()]


def _named(columns: Sequence[list[str]]) -> dict[str, pa.Array]:
    """Under names that no column has."""
    return {f"\x00{number}": pa.array(texts, pa.string()) for number, texts in enumerate(columns)}
