"""What criteria about the cells of a report share: limits by cell, and one finding from what every snooper infers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Literal

from sharewell.errors import PolicyError
from sharewell.findings import Finding, Number
from sharewell.reports.auditing import Inferred, audit
from sharewell.reports.model import Cell, Publication, exact
from sharewell.reports.needs import Need, Status
from sharewell.reports.snoopers import Snoopers
from sharewell.roles import did_you_mean

REST = "default"
_RANK: dict[Status, int] = {"unsafe": 0, "undecided": 1, "safe": 2}


@dataclass(frozen=True)
class Verdicts:
    """How many cells, over all snoopers; and who infers most about what, measured by the limit."""

    unsafe: int
    undecided: int
    safe: int
    snoopers: tuple[str, ...]
    worst_snooper: str
    worst_row: str
    worst_column: str


@dataclass(frozen=True, kw_only=True)
class ByCell:
    """A criterion that asks something of the interval inferred for each cell."""

    cells: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Limits by row and column; `default` of a row holds for the rest of it."""
    outsider: bool = True
    owners: tuple[str, ...] | Literal["all", "known"] = "known"
    coalitions: int = 1

    name: ClassVar[str]
    unit_name: ClassVar[str] = "points"

    @property
    def snoopers(self) -> Snoopers:
        return Snoopers(self.outsider, self.owners, self.coalitions)

    def needs(self, publication: Publication) -> dict[Cell, Need]:
        """What must stay open about each cell that has a limit."""
        raise NotImplementedError

    def reached(self, cell: Inferred, low: Number, high: Number) -> tuple[Number, Number]:
        """What an interval comes to, and what is asked for."""
        raise NotImplementedError

    def check(self, data: Publication) -> Finding:
        """Safe only if witnesses show it for every snooper and cell; the figures are those of the worst cell."""
        needs = self.needs(data)
        judged = [
            cell
            for cell in (audit(data, [self], self.snoopers).cells if needs else ())
            if (cell.row, cell.column) in needs
        ]
        if not judged:
            return Finding(self.name, None, None, 0, "≥", None, unit=self.unit_name, note="no cell has a limit")
        worst = min(judged, key=lambda cell: (_RANK[cell.status], self._spare(cell), cell.snooper, cell.row))
        value, bound = self._figures(worst)
        unsafe, undecided, safe = (sum(cell.status == status for cell in judged) for status in _RANK)
        details = Verdicts(
            unsafe,
            undecided,
            safe,
            tuple(dict.fromkeys(cell.snooper for cell in judged)),
            worst.snooper,
            worst.row,
            worst.column,
        )
        ok = {"unsafe": False, "undecided": None, "safe": True}[worst.status]
        return Finding(self.name, value, None, bound, "≥", ok, unit=self.unit_name, details=details)

    def _figures(self, cell: Inferred) -> tuple[Number, Number]:
        """Of a safe cell what witnesses show, of another what was proven."""
        if cell.status == "safe" and cell.inner is not None:
            return self.reached(cell, *cell.inner)
        return self.reached(cell, cell.low, cell.high)

    def _spare(self, cell: Inferred) -> float:
        value, bound = self._figures(cell)
        return float(value) - float(bound)


def limits_of(
    publication: Publication, default: Any, cells: Mapping[str, Mapping[str, Any]]
) -> Iterator[tuple[Cell, Any]]:
    """The limit of every cell that has one: its own, its row's, or the default."""
    frame = publication.frame
    for row, by_column in cells.items():
        _known(row, frame.rows, "row")
        for column in by_column:
            _known(column, (*frame.columns, REST), "column")
    for row, column in frame.cells:
        own = cells.get(row, {})
        limit = own.get(column, own.get(REST, default))
        if limit is not None:
            yield (row, column), limit


def _known(name: str, names: tuple[str, ...], what: str) -> None:
    if name not in names:
        raise PolicyError(f"protect — no {what} '{name}' — {did_you_mean(name, names) or ', '.join(names)}")


def limit(given: Any, what: str) -> Fraction:
    """A limit as a fraction."""
    try:
        number = exact(given)
    except (ValueError, TypeError):
        raise PolicyError(f"{what} must be a number") from None
    if isinstance(given, bool) or number < 0:
        raise PolicyError(f"{what} must be a number, 0 or more")
    return number


def within(asked: Fraction, publication: Publication, cell: Cell, what: str) -> Fraction:
    """A limit that the domain leaves room for; more can never stay open, whatever is published."""
    low, high = publication.frame.domain(cell)
    if asked > high - low:
        place = f"protect — row {cell[0]}, column {cell[1]}"
        raise PolicyError(f"{place} — {what} is wider than the domain of {float(high - low):g} — lower it")
    return asked
