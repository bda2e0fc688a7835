"""Trail breaking: another mechanism protects the rows, and trails that too few persons share are broken into pieces.

## Guarantee
Every required criterion holds in what is published, or `Infeasible` is raised. Each pseudonym stands for rows of one
person, and at least k persons share its trail. A person whose rows nobody shares as a whole has several pseudonyms, and
nothing in the file connects them.

## Adversary
That of the criteria; for trail-k-anonymity, one who knows all rows of a target, dates included.

## What it does not protect
Somebody who knows a person well may guess from sensitive or kept values which pieces belong together. Neither an
attacker nor a researcher can any longer read off the file how many rows a person has. A recipient counts pseudonyms,
not persons: all claims about persons rest on the steward's evidence in `internal/`.

## Parameters
first: the mechanism that protects the rows: "mondrian" (default), "k-member", "top-down", "optimal-recoding" or
"multi-record-partitioning".
settings: its parameters, such as {keep_person_together: true} for multi-record-partitioning.
prefer: "rows" (default) breaks trails further where that saves rows from being withheld; "trails" withholds these rows.
time: by how much intervals between dates may differ among persons who share a piece: "day" (not at all), "week",
"month", "quarter", "year" (default); where they differ by more, the date is withheld from all of them.
suppress: the largest share of persons (default 0.2) who may lose records because no piece can take them.
forms: column → format of its dates, where it cannot be inferred and no policy states it.

## Worked example
Everybody came to A and B, and one person twice to A. With `prefer: trails` the second visit to A is withheld, and three
trails are equal. By default the visits to A become pieces of one row each, two of the four that person's, and nothing
is withheld.

>>> import pyarrow as pa
>>> from sharewell.tables import KAnonymity, Table, TrailKAnonymity
>>> visits = {"who": ["p", "p", "q", "q", "r", "r", "r"], "ward": ["A", "B", "A", "B", "A", "A", "B"]}
>>> table = Table.of(pa.table(visits), quasi=["ward"], subject="who")
>>> must = [KAnonymity(2), TrailKAnonymity(2)]
>>> released = TrailBreaking(prefer="trails", suppress=0.4).protect(table, must)
>>> released.details.broken, released.details.suppressed_records, TrailKAnonymity(2).check(released.data).value
(0, 1, 3)
>>> released = TrailBreaking().protect(table, must)
>>> released.details.broken, released.details.suppressed_records, TrailKAnonymity(2).check(released.data).value
(3, 0, 2)

## Why it is safe
Every round cuts trails after the longest common beginning (most frequent cells first) that at least k persons share. So
at least k persons publish each piece, and each of them adds one pseudonym to it. If pieces of several rounds look
alike, one person owns at most one in k of them. Rows that no k persons can share join similar pieces of others; or all
such rows become pieces of one row each, distributed so that no person is in one piece twice; or they are withheld. If
no person owns more than one in k rows of any class (record-share), no row need be withheld. The persons who share a
piece, k or more who came at about the same time, publish the same dates: these begin at the mean first date, follow
after the shortest interval, and move by one secret shift, a different one for every piece of a person. Withheld rows
are missing in their classes, so all criteria are checked again in the end, with the true persons: pieces of one person
never count as two.

## Cost
That of the first mechanism, and O(n) for each round, of which there are at most as many as the longest trail has rows:
about 4 s in all for 75,000 rows of 30,000 persons.

## Source
Breaking trails is ours; Malin and Sweeney, 2004 (re-identification by trails); Han, Pei and Yin, 2000 (common
beginnings of sets whose items are ordered by frequency); Terrovitis, Mamoulis, Liagouris and Skiadopoulos, 2012
(disassociation, which breaks sets of codes).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from sharewell import registry
from sharewell.algorithm import Criteria, Declared, Key, PolicyError, Role, Share, refuse_failing
from sharewell.content_order import ranks
from sharewell.protocols import AnyMechanism, Mechanism, Protected
from sharewell.tables.criteria.trail_k_anonymity import TrailKAnonymity
from sharewell.tables.data import Indices, Ints, Table
from sharewell.tables.engine.classes import combination_numbers
from sharewell.tables.engine.protection.partitioning.preconditions import refuse_unfit
from sharewell.tables.engine.protection.trails.group_dates import Precision
from sharewell.tables.engine.protection.trails.person_rows import PersonRows
from sharewell.tables.engine.protection.trails.shared_pieces import Piece, shared_pieces
from sharewell.tables.engine.protection.trails.trail_groups import (
    TrailGroups,
    details_of,
    refuse_unalignable,
    refuse_withholding,
)
from sharewell.tables.engine.trails import known_columns

HELPS = (
    "record-share of 1/k beside it: then no row need be withheld",
    "coarser classes, through a larger k or fewer quasi columns",
    "trail-grouping, which fits classes to trails",
)


@dataclass(frozen=True)
class TrailBreaking(Declared, Mechanism[Table]):
    """Pieces of trails, each with a pseudonym of its own."""

    first: Literal["mondrian", "k-member", "top-down", "optimal-recoding", "multi-record-partitioning"] = "mondrian"
    settings: dict[str, object] = field(default_factory=dict)
    prefer: Literal["rows", "trails"] = "rows"
    time: Precision = "year"
    suppress: Share = 0.2
    forms: dict[str, str] = field(default_factory=dict)

    engine: ClassVar[tuple[str, ...]] = ("worst", "shared_trails")
    for_trails: ClassVar[bool] = True
    several_pseudonyms: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        self._first()

    def _first(self) -> AnyMechanism:
        made: type[AnyMechanism] = registry.lookup("tables", "mechanisms", self.first)
        try:
            built: AnyMechanism = made(**self.settings)
        except (TypeError, ValueError, PolicyError) as error:
            raise ValueError(f"settings — of {self.first}: {error}") from None
        return built

    def protect(self, data: Table, must: Criteria[Table], key: Key | None = None) -> Protected[Table]:
        refuse_unfit(self.name, data)
        refuse_unalignable(self.name, data)
        of_rows = [one for one in must if not one.judges_trails]
        base = self._first().protect(data, of_rows, key)
        shown, original = base.data, base.rows
        before = data.take(original)
        rows = PersonRows.of(before, self.forms)
        k = max((one.k for one in must if isinstance(one, TrailKAnonymity)), default=1)
        result = _broken(rows, _cells(shown, must), k, self.prefer)
        kept = original[result.kept]
        lose = refuse_withholding(self.name, data, kept, self.suppress, HELPS)
        out, dates = result.release(shown, rows.days, self.time)
        refuse_failing(self.name, out, must, HELPS)
        details = details_of(before, result, dates, self.time, lose)
        return Protected(out, details, kept, base.reproducible)


def _cells(shown: Table, criteria: Criteria[Table]) -> Ints:
    """What a row shows that persons of one piece must have in common: all that is known but shifted dates."""
    known = {name for one in criteria if isinstance(one, TrailKAnonymity) for name in known_columns(shown, one.columns)}
    kept = [shown.carried[name] for name in shown.schema.having(Role.KEEP) if name in known]
    return combination_numbers([ranks(one) for one in (*(c.arrow for c in shown.quasi), *kept)], shown.rows)


def _broken(rows: PersonRows, cells: Ints, k: int, prefer: Literal["rows", "trails"]) -> TrailGroups:
    """Pieces that k persons share, in groups of k or more persons who begin at about the same time."""
    own = [rows.order[begin:end] for begin, end in zip(rows.starts[:-1], rows.starts[1:], strict=True)]
    pieces, _ = shared_pieces([cells[some].tolist() for some in own], k, prefer)
    waiting: list[dict[int, list[int]]] = []
    for some in own:  # the rows of each cell, the earliest last
        by_cell: dict[int, list[int]] = defaultdict(list)
        for row in some[::-1].tolist():
            by_cell[int(cells[row])].append(row)
        waiting.append(by_cell)
    piece_of, next_piece = np.full(len(cells), -1, np.int64), [0] * rows.count
    groups = []
    for piece in pieces:
        aligned = np.array([[waiting[person][cell].pop() for cell in sorted(piece.cells)] for person in piece.persons])
        for person, taken in zip(piece.persons, aligned, strict=True):
            piece_of[taken] = next_piece[person]
            next_piece[person] += 1
        groups += _by_time(rows, piece, aligned, k)
    return TrailGroups(groups, piece_of)


def _by_time(rows: PersonRows, piece: Piece, aligned: Indices, k: int) -> list[Indices]:
    """Persons of one piece in groups of k to 2k − 1, by their first dates; one group where nothing has a date."""
    if not rows.days or len(aligned) < 2 * k:
        return [aligned]
    days = np.stack([one[aligned] for one in rows.days.values()])
    first = np.where(days > 0, days, np.iinfo(np.int64).max).min(axis=(0, 2))
    order = np.lexsort((np.array(piece.persons), first))
    cuts = np.arange(1, len(order) // k) * k
    return [aligned[some] for some in np.split(order, cuts)]
