"""What must stay open about a cell, and from whom: limits, and the snoopers who are simulated.

A limit holds by witnesses and fails by proven bounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import combinations
from typing import Literal, Protocol, TypedDict, runtime_checkable

from sharewell.algorithm import Criteria, PolicyError
from sharewell.reports.figures.data import Cell, Knowledge, Publication


class SnooperFields(TypedDict):
    """The fields of `Snoopers`, which criteria have too."""

    outsider: bool
    owners: tuple[str, ...] | Literal["all", "known"]
    coalitions: int


@dataclass(frozen=True)
class Snoopers:
    """Which snoopers to simulate. A larger coalition infers more, so the largest ones decide."""

    outsider: bool = True
    owners: tuple[str, ...] | Literal["all", "known"] = "known"
    """Names of owners, or of levels of them; all; or those whose rows are given (default)."""
    coalitions: int = 1
    """How many owners may put their rows together."""

    def __post_init__(self) -> None:
        if self.coalitions < 1:
            raise PolicyError("snoopers — coalitions must be 1 or more — 1 is every owner alone")

    @property
    def who(self) -> SnooperFields:
        return {"outsider": self.outsider, "owners": self.owners, "coalitions": self.coalitions}

    def mounted(self, publication: Publication) -> tuple[Knowledge, ...]:
        """What each of them knows; a coalition of all owners has nothing to learn and is left out.

        Where rows have levels, of several who know the same the first stands for all.
        """
        owners = self._owners(publication)
        knowledge = [publication.knowledge()] if self.outsider else []
        for size in range(1, min(self.coalitions, len(publication.frame.rows) - 1) + 1):
            knowledge += [publication.knowledge(*rows) for rows in combinations(owners, size)]
        if publication.frame.nesting is not None:
            different = {one.rows: one for one in reversed(knowledge) if len(one.rows) < len(publication.frame.rows)}
            knowledge = [one for one in knowledge if different.get(one.rows) is one]
        if not knowledge:
            raise PolicyError("snoopers — nobody is left who could learn anything — set outsider: true")
        twice = [name for name, times in Counter(one.name for one in knowledge).items() if times > 1]
        if twice:
            raise PolicyError(f"snoopers — two of them would be called '{twice[0]}' — give the row another name")
        return tuple(knowledge)

    def not_mounted(self, publication: Publication) -> tuple[str, ...]:
        """Owners whose snooping is not simulated: they were not named, or their rows are not given."""
        return tuple(row for row in publication.frame.rows if row not in self._owners(publication))

    def _owners(self, publication: Publication) -> Sequence[str]:
        if self.owners == "known":
            frame, truth = publication.frame, publication.truth
            return [row for row in frame.rows if all(cell in truth for cell in frame.line("rows", row))]
        if self.owners == "all":
            return publication.frame.rows
        levels = {} if publication.frame.nesting is None else publication.frame.nesting.levels
        return tuple(dict.fromkeys(row for owner in self.owners for row in levels.get(owner, (owner,))))


def common_snoopers(criteria: Iterable[object]) -> Snoopers:
    """The snoopers of criteria, which must be the same for all criteria of a report."""
    snoopers = list(dict.fromkeys(one.snoopers for one in criteria if isinstance(one, CellCriterion)))
    if len(snoopers) > 1:
        raise PolicyError("snoopers — differ from criterion to criterion — say them once, for all")
    return snoopers[0] if snoopers else Snoopers()


def named(publication: Publication, name: str) -> Knowledge:
    """A snooper by name: `outsider`, an owner, or owners joined by +."""
    if name in publication.frame.rows:
        return publication.knowledge(name)
    return publication.knowledge(*(part.strip() for part in name.split("+") if name != "outsider"))


Status = Literal["safe", "unsafe", "undecided"]


@dataclass(frozen=True)
class Need:
    """The interval that a snooper infers must be so wide, begin so low and end so high."""

    width: Fraction = Fraction(0)
    low_at_most: Fraction | None = None
    high_at_least: Fraction | None = None

    def and_(self, other: Need) -> Need:
        """Both at once."""
        lows = [end for end in (self.low_at_most, other.low_at_most) if end is not None]
        highs = [end for end in (self.high_at_least, other.high_at_least) if end is not None]
        return Need(max(self.width, other.width), min(lows, default=None), max(highs, default=None))

    def status(self, inner: tuple[Fraction, Fraction] | None, outer: tuple[float, float]) -> Status:
        """Safe by two witnesses, unsafe by proven bounds, otherwise undecided. Undecided is never safe.

        >>> Need(width=Fraction(5)).status((Fraction(60), Fraction(65)), (59.9, 65.2))
        'safe'
        >>> Need(width=Fraction(5)).status((Fraction(61), Fraction(64)), (60.5, 64.5))
        'unsafe'
        >>> Need(width=Fraction(5)).status((Fraction(61), Fraction(64)), (59.9, 65.2))
        'undecided'
        """
        if inner is not None and self._holds(*inner):
            return "safe"
        # In fractions: a difference of floats may be rounded down.
        return "undecided" if self._holds(*map(Fraction, outer)) else "unsafe"

    def _holds(self, low: Fraction, high: Fraction) -> bool:
        late = self.low_at_most is not None and low > self.low_at_most
        early = self.high_at_least is not None and high < self.high_at_least
        return high - low >= self.width and not late and not early


@runtime_checkable
class CellCriterion(Protocol):
    """A criterion that says of each cell what must stay open."""

    @property
    def name(self) -> str: ...

    @property
    def snoopers(self) -> Snoopers: ...

    def needs(self, publication: Publication) -> dict[Cell, Need]: ...


def cell_criteria(mechanism: str, criteria: Criteria[Publication]) -> tuple[CellCriterion, ...]:
    """All of the criteria, each of which must say what it needs of cells for a mechanism to make it hold."""
    if other := [one.name for one in criteria if not isinstance(one, CellCriterion)]:
        raise PolicyError(f"{mechanism} — cannot make {', '.join(other)} hold — choose another mechanism")
    return tuple(one for one in criteria if isinstance(one, CellCriterion))


def whole_need(cell: Cell, needs: Mapping[str, Mapping[Cell, Need]]) -> Need | None:
    """All needs of a cell in one, whatever criteria they come from."""
    of_cell = [by_cell[cell] for by_cell in needs.values() if cell in by_cell]
    return reduce(Need.and_, of_cell) if of_cell else None


def needs_by_name(criteria: Sequence[CellCriterion], publication: Publication) -> dict[str, dict[Cell, Need]]:
    """What each criterion asks of each cell. Of several with one name, such as entropy at two grains, all count."""
    by_name: dict[str, dict[Cell, Need]] = {}
    for criterion in criteria:
        needs = by_name.setdefault(criterion.name, {})
        for cell, need in criterion.needs(publication).items():
            needs[cell] = need.and_(needs[cell]) if cell in needs else need
    return by_name
