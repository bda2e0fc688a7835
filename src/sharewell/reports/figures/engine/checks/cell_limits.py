"""What criteria about the cells of a report share: limits by cell, and one finding from what every snooper infers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from importlib.util import find_spec
from typing import ClassVar, Literal

from sharewell.algorithm import Count, Criterion, Declared, Finding, Number, PolicyError, Sense
from sharewell.reports.figures.data import Cell, Publication
from sharewell.reports.figures.engine.audit import Inferred, audit, audit_by_witnesses
from sharewell.reports.figures.engine.needs import Need, Snoopers, Status, needs_by_name
from sharewell.reports.figures.engine.numbers import exact
from sharewell.roles import did_you_mean

REST = "default"
"""How a certificate writes a number that is no decimal one."""
_RANK: dict[Status, int] = {"unsafe": 0, "undecided": 1, "safe": 2}


@dataclass(frozen=True)
class Verdicts:
    """Numbers of cells over all snoopers, and the cell and snooper that come closest to the limit."""

    unsafe: int
    undecided: int
    safe: int
    snoopers: tuple[str, ...]
    worst_snooper: str
    worst_row: str
    worst_column: str


@dataclass(frozen=True, kw_only=True)
class ByCell(Declared, Criterion[Publication]):
    """A criterion that asks something of the interval inferred for each cell."""

    cells: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    """Limits by row and column; `default` of a row holds for the rest of it."""
    outsider: bool = True
    owners: tuple[str, ...] | Literal["all", "known"] = "known"
    coalitions: Count = 1
    inside: bool = False
    """Of a certificate: limits that only the internal folder holds."""

    name: ClassVar[str]
    unit_name: ClassVar[str] = "points"
    sense: ClassVar[Sense] = "≥"
    needs_evidence: ClassVar[bool] = True
    """What owners infer depends on their rows: a recipient alone can check for outsiders only."""

    @property
    def kept_inside(self) -> tuple[str, ...]:
        """Parameters that no certificate shows: the limits of single owners are confidential."""
        return ("cells",)

    @property
    def snoopers(self) -> Snoopers:
        return Snoopers(self.outsider, self.owners, self.coalitions)

    @property
    def usual(self) -> Number | None:
        """The limit of cells that have none of their own."""
        raise NotImplementedError

    @property
    def is_uniform(self) -> bool:
        """Is one limit asked of all cells?"""
        return self.usual is not None and not self.cells and not self.inside

    @property
    def bound(self) -> Number:
        """The limit, where all cells have the same; otherwise 0, the least that may be open beyond each limit."""
        return self.usual if self.is_uniform and self.usual is not None else 0

    def needs(self, publication: Publication) -> dict[Cell, Need]:
        """What must stay open about each cell that has a limit."""
        raise NotImplementedError

    def reached(self, cell: Inferred, low: Number, high: Number) -> tuple[Number, Number]:
        """What an interval reaches, and what is required."""
        raise NotImplementedError

    def check(self, data: Publication) -> Finding:
        """Safe only if witnesses show it for every snooper and cell; the figures are those of the worst cell."""
        criteria = (self,) if not self.inside else () if data.proof is None else data.proof.in_full(self)
        if self.inside and not criteria:
            return self._finding(None, None, note="the limits are missing: only the steward can check this")
        needs = needs_by_name(criteria, data).get(self.name, {})
        if not needs:
            return self._finding(None, None, note="no cell has a limit")
        judging = audit if data.proof is None else audit_by_witnesses
        judged = [one for one in judging(data, criteria, self.snoopers).cells if (one.row, one.column) in needs]
        worst = min(judged, key=lambda cell: (_RANK[cell.status], self._to_spare(cell), cell.snooper, cell.row))
        value, limit = self._figures(worst)
        unsafe, undecided, safe = (sum(cell.status == status for cell in judged) for status in _RANK)
        snoopers = tuple(dict.fromkeys(cell.snooper for cell in judged))
        details = Verdicts(unsafe, undecided, safe, snoopers, worst.snooper, worst.row, worst.column)
        ok = {"unsafe": False, "undecided": None, "safe": True}[worst.status]
        left_out, owners = len(self.snoopers.not_mounted(data)), len(data.frame.rows)
        who = f"simulated as snoopers: {owners - left_out} of {owners} owners" if left_out else ""
        return self._finding(value if self.is_uniform else value - limit, ok, details, who)

    def publicly(self, data: Publication) -> tuple[Finding, ...]:
        """What a recipient can check without any row, given a solver: the published limit against outsiders."""
        if not self.outsider or not self.is_uniform or find_spec("clarabel") is None:
            return ()
        return (replace(self.__class__.check(replace(self, owners=()), data), name=f"{self.name}, of outsiders"),)

    def _finding(
        self, value: Number | None, ok: bool | None, details: Verdicts | None = None, note: str = ""
    ) -> Finding:
        unit = self.unit_name if self.is_uniform else f"{self.unit_name} to spare"
        return Finding(self.name, value, None, self.bound, self.sense, ok, unit=unit, details=details, note=note)

    def _figures(self, cell: Inferred) -> tuple[Number, Number]:
        """What witnesses show of a safe cell, or what was proven of another one."""
        if cell.status == "safe" and cell.inner is not None:
            return self.reached(cell, *cell.inner)
        return self.reached(cell, cell.low, cell.high)

    def _to_spare(self, cell: Inferred) -> float:
        value, bound = self._figures(cell)
        return float(value) - float(bound)


def limits_of(
    publication: Publication, default: object, cells: Mapping[str, Mapping[str, object]]
) -> Iterator[tuple[Cell, object]]:
    """The limit of every cell that has one: its own, its row's, or the default."""
    frame = publication.frame
    levels = {} if frame.nesting is None else frame.nesting.levels
    of_level = {row: cells[level] for level, rows in levels.items() if level in cells for row in rows}
    for row, by_column in cells.items():
        _known(row, (*frame.rows, *levels), "row")
        for column in by_column:
            _known(column, (*frame.columns, REST), "column")
    for row, column in frame.cells:
        of_row = cells.get(row, of_level.get(row, {}))
        limit = of_row.get(column, of_row.get(REST, default))
        if limit is not None:
            yield (row, column), limit


def _known(name: str, names: tuple[str, ...], kind: str) -> None:
    if name not in names:
        raise PolicyError(f"protect — no {kind} '{name}' — {did_you_mean(name, names) or ', '.join(names)}")


def limit(value: object, name: str) -> Fraction:
    """A limit as a fraction."""
    try:
        number = exact(value)
    except (ValueError, TypeError):
        raise PolicyError(f"{name} must be a number") from None
    if isinstance(value, bool) or number < 0:
        raise PolicyError(f"{name} must be a number, 0 or more")
    return number


def within(width: Fraction, publication: Publication, cell: Cell, name: str) -> Fraction:
    """A limit that the domain leaves room for; more can never stay open, whatever is published."""
    low, high = publication.frame.domain(cell)
    if width > high - low:
        place = f"protect — row {cell[0]}, column {cell[1]}"
        raise PolicyError(f"{place} — {name} is wider than the domain of {float(high - low):g} — lower it")
    return width
