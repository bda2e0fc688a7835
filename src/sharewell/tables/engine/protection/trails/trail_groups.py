"""From groups of aligned rows to a release: withheld rows, common dates, and which rows bear one pseudonym."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from sharewell.date_shift import iso_dates
from sharewell.errors import Infeasible, PolicyError
from sharewell.exact_shares import part_of
from sharewell.roles import Role
from sharewell.tables.data import Indices, Ints, Table
from sharewell.tables.engine.columns import ArrowColumn
from sharewell.tables.engine.protection.trails.group_dates import WITHIN, GroupDates, Precision, group_dates
from sharewell.tables.engine.published_cells import persons_withheld, replace_carried
from sharewell.tables.engine.published_trails import PublishedTrails
from sharewell.wing import ColumnFacts

_CRITERION = "trail-k-anonymity"


@dataclass(frozen=True)
class TrailsDetails:
    """How trails were grouped. Counts only."""

    groups: int
    """Groups of persons who publish the same rows."""
    smallest: int
    """Persons in the smallest."""
    pseudonyms: int
    broken: int
    """Persons who have several pseudonyms."""
    suppressed_records: int
    suppressed_persons: int
    """Persons who lose a record."""
    days_off: dict[str, int]
    """Shifted column → by how many days an interval from the first date is published too short at most."""
    dates_withheld: dict[str, int]
    """Shifted column → dates that are not published."""
    most_days_off: int
    """By how many days they might be: what the policy allows."""

    @property
    def dictionary(self) -> Mapping[str, ColumnFacts]:
        """For recipients: how exact intervals are."""
        sentence = f"from the first date of a pseudonym, up to {self.most_days_off} days too short"
        return {name: {"intervals": sentence} for name in self.days_off}


@dataclass(frozen=True, eq=False)
class TrailGroups:
    """Groups of aligned rows (persons × rows), and the piece of its person's rows to which each of them belongs."""

    groups: Sequence[Indices]
    piece: Ints
    """Of each row of the table; −1: it is withheld."""

    @property
    def kept(self) -> Indices:
        return np.flatnonzero(self.piece >= 0)

    def release(self, released: Table, days: Mapping[str, Ints], precision: Precision) -> tuple[Table, GroupDates]:
        """The kept rows of a table of the same rows, with common dates; what they show else stays as it is."""
        moved_with = np.full(released.rows, -1, np.int64)
        for number, rows in enumerate(self.groups):
            moved_with[rows] = number
        dates = group_dates(dict(days), self.groups, precision)
        carried = released.carried
        for name, column in dates.days.items():
            carried = replace_carried(carried, name, _written(column, carried[name]))
        trails = PublishedTrails(self.piece, moved_with)
        return replace(released, carried=carried, trails=trails).take(self.kept), dates


def refuse_unalignable(mechanism: str, data: Table) -> None:
    """Without persons there is no trail, and dates in text would not move with those of their group."""
    if data.subject is None:
        raise PolicyError(f"{mechanism} — no column identifies the person of a record — give one the role subject")
    if data.schema.having(Role.SHIFT) and data.schema.having(Role.TEXT):
        problem = "dates of a group move together, and dates in a text column would not move with them"
        raise PolicyError(f"{mechanism} — {problem} — drop the text column, or the shifted ones")


def refuse_withholding(mechanism: str, data: Table, kept: Indices, suppress: float, helps: Sequence[str]) -> int:
    """How many persons lose records; Infeasible where more would than may, or where nothing is left."""
    lose, most = persons_withheld(data, kept), part_of(suppress, data.persons)
    if len(kept) and lose <= most:
        return lose
    if not len(kept):
        raise Infeasible(
            f"{mechanism} — every record would be withheld", blocking=[_CRITERION], relaxations=list(helps)
        )
    problem = f"{lose} of {data.persons} persons would lose records, and at most {most} may"
    enough = f"suppress = {min(1.0, np.ceil(1000 * lose / max(1, data.persons)) / 1000):g}"
    raise Infeasible(f"{mechanism} — {problem}", blocking=[_CRITERION], relaxations=[enough, *helps])


def details_of(
    data: Table, result: TrailGroups, dates: GroupDates, precision: Precision, withheld_persons: int
) -> TrailsDetails:
    assert data.subject is not None
    kept = result.kept
    pairs = np.unique(np.stack([data.subject.codes[kept].astype(np.int64), result.piece[kept]]), axis=1)
    return TrailsDetails(
        len(result.groups),
        min(map(len, result.groups), default=0),
        pairs.shape[1],
        int((np.bincount(pairs[0]) > 1).sum()),
        data.rows - len(kept),
        withheld_persons,
        dates.off,
        dates.withheld,
        WITHIN[precision],
    )


def _written(days: Ints, like: ArrowColumn) -> pa.Array:
    """Days as dates: as text where the column is text."""
    typed = pa.types.is_date(like.type) or pa.types.is_timestamp(like.type)
    return iso_dates(days).cast(pa.date32()) if typed else iso_dates(days)
