"""What must stay open about a cell, and whether it does: decided by witnesses, refused by proven bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Protocol, runtime_checkable

from sharewell.errors import PolicyError
from sharewell.protocols import Criterion
from sharewell.reports.figures.data import Cell, Publication
from sharewell.reports.figures.engine.snoopers import Snoopers

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
        low, high = outer
        late = self.low_at_most is not None and low > self.low_at_most
        early = self.high_at_least is not None and high < self.high_at_least
        width = Fraction(high) - Fraction(low)  # exactly: a difference of floats may be rounded down
        return "unsafe" if width < self.width or late or early else "undecided"

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


def cell_criteria(mechanism: str, must: Sequence[Criterion[Publication]]) -> tuple[CellCriterion, ...]:
    """All of the criteria, each of which must say what it needs of cells for a mechanism to make it hold."""
    found = tuple(one for one in must if isinstance(one, CellCriterion))
    if len(found) < len(must):
        other = [one.name for one in must if not isinstance(one, CellCriterion)]
        raise PolicyError(f"{mechanism} — cannot make {', '.join(other)} hold — choose another mechanism")
    return found


def needs_by_name(must: Sequence[CellCriterion], publication: Publication) -> dict[str, dict[Cell, Need]]:
    """What each criterion asks of each cell. Of several with one name, such as entropy at two grains, all count."""
    found: dict[str, dict[Cell, Need]] = {}
    for criterion in must:
        mine = found.setdefault(criterion.name, {})
        for cell, need in criterion.needs(publication).items():
            mine[cell] = need.and_(mine[cell]) if cell in mine else need
    return found
