"""The audit: every snooper is simulated, every secret cell is judged, and each verdict has its certificate.

`audit` searches for witnesses. `audit_by_witnesses` takes those that a release wrote down, and needs no solver: a
steward has the figures as they were published, the rows that snoopers know, and for every snooper and cell two whole
tables, each of which the few lines of `table_check` judge.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from sharewell.errors import PolicyError
from sharewell.plain_data import Json
from sharewell.progress import counter
from sharewell.reports.figures.data import Cell, Knowledge, Publication
from sharewell.reports.figures.engine.bounds import Inference, inference
from sharewell.reports.figures.engine.needs import CellCriterion, Need, Snoopers, Status, needs_by_name, whole_need
from sharewell.reports.figures.engine.solvers.scip import NODES
from sharewell.reports.figures.engine.table_check import is_possible

if TYPE_CHECKING:
    from sharewell.reports.figures.engine.checks.cell_limits import ByCell

ANYONE = Snoopers()


@dataclass(frozen=True)
class Inferred:
    """What one snooper infers about one cell. Confidential, as the cell is."""

    snooper: str
    row: str
    column: str
    low: float
    """Proven: no possible table has less."""
    high: float
    inner: tuple[Fraction, Fraction] | None
    """Shown by two witnesses; None if no possible table was found."""
    outer: tuple[float, float]
    """By the convex part of the figures alone."""
    status: Status
    need: Need
    failed: tuple[str, ...] = ()
    """Criteria that do not hold, or are undecided."""

    @property
    def width(self) -> float:
        return self.high - self.low

    def to_json(self) -> dict[str, object]:
        return {
            "snooper": self.snooper,
            "row": self.row,
            "column": self.column,
            "low": round(self.low, 6),
            "high": round(self.high, 6),
            "inner": None if self.inner is None else [float(end) for end in self.inner],
            "outer": [round(end, 6) for end in self.outer],
            "status": self.status,
            "failed": [*self.failed],
        }


@dataclass(frozen=True)
class Audit:
    """All verdicts about a publication."""

    publication: Publication = field(repr=False)
    cells: tuple[Inferred, ...] = field(repr=False)
    exact: bool = False
    not_simulated: tuple[str, ...] = ()

    @property
    def safe(self) -> bool:
        """Is every cell safe from every snooper? Undecided is not."""
        return bool(self.cells) and all(cell.status == "safe" for cell in self.cells)

    @property
    def violations(self) -> tuple[Inferred, ...]:
        return tuple(cell for cell in self.cells if cell.status == "unsafe")

    @property
    def undecided(self) -> tuple[Inferred, ...]:
        return tuple(cell for cell in self.cells if cell.status == "undecided")

    @property
    def intervals(self) -> dict[tuple[str, str, str], tuple[float, float]]:
        """By snooper, row and column."""
        return {(cell.snooper, cell.row, cell.column): (cell.low, cell.high) for cell in self.cells}

    def worst(self, row: str, column: str) -> Inferred:
        """The verdict of the snooper who infers most about a cell."""
        verdicts = [cell for cell in self.cells if (cell.row, cell.column) == (row, column)]
        if not verdicts:
            raise PolicyError(f"no verdict about {row}, {column} — no snooper was asked about it")
        return min(verdicts, key=lambda cell: (cell.width, cell.snooper))

    def witness(
        self, row: str, column: str, snooper: str | None = None
    ) -> tuple[dict[Cell, Fraction], dict[Cell, Fraction]] | None:
        """Two possible tables, with the cell as small and as great as found; by default for the worst snooper."""
        name = snooper or self.worst(row, column).snooper
        for inferred in self.publication.inferences.values():
            if inferred.knowledge.name == name and (row, column) in inferred.cells:
                return inferred.tables(inferred.cells.index((row, column)))
        return None

    def to_json(self) -> dict[str, object]:
        shown = self.publication
        worst = [self.worst(*cell) for cell in dict.fromkeys((c.row, c.column) for c in self.cells)]
        return {
            "safe": self.safe,
            "reading": shown.reading,
            "exact": self.exact,
            "cells": [cell.to_json() for cell in self.cells],
            "worst": [
                {"row": c.row, "column": c.column, "snooper": c.snooper, "width": round(c.width, 6)} for c in worst
            ],
            "counts": {s: sum(c.status == s for c in self.cells) for s in ("safe", "unsafe", "undecided")},
            "snoopers": list(dict.fromkeys(cell.snooper for cell in self.cells)),
            "not_simulated": list(self.not_simulated),
            "figures": [str(figure) for figure in shown.figures],
        }


def audit(
    publication: Publication,
    must: Sequence[CellCriterion],
    snoopers: Snoopers | Sequence[Knowledge] = ANYONE,
    *,
    exact: bool = False,
    thorough: bool = True,
    nodes: int = NODES,
) -> Audit:
    """Judge every secret cell against every snooper.

    `exact` has the global solver prove every bound; otherwise it is asked only about what stays undecided. `thorough`
    brings witnesses near to the bounds; without, only as near as a verdict needs. `nodes` limits each question to it.
    """
    if nodes < 0:
        raise PolicyError("nodes must be 0 or more")
    mounted = snoopers.mounted(publication) if isinstance(snoopers, Snoopers) else tuple(snoopers)
    needs = needs_by_name(must, publication)
    if not any(needs.values()):
        raise PolicyError("no cell has a limit — give limits, such as protect: {default: {width: 5}}")
    by_snooper: dict[str, Inference] = {}
    count = counter("cells", len(mounted) * len(publication.frame.cells))
    for knowledge in sorted(mounted, key=lambda one: -len(one.rows)):  # who knows most first: witnesses are inherited
        inferred = inference(publication, knowledge)
        for other in by_snooper.values():
            if set(other.knowledge.rows) > set(knowledge.rows):
                inferred.inherit(other)
        by_snooper[knowledge.name] = inferred
        for number, cell in enumerate(inferred.cells):
            if thorough or exact:
                inferred.explore(number)
            for sign in (1, -1) if exact else ():
                inferred.settle(number, sign, nodes)
            need = whole_need(cell, needs)
            if need is not None:
                inferred.decide(number, need, nodes)
            count(1)
    ordered = [by_snooper[knowledge.name] for knowledge in mounted]
    cells = [_verdict(inferred, number, needs) for inferred in ordered for number in range(len(inferred.cells))]
    left_out = snoopers.not_mounted(publication) if isinstance(snoopers, Snoopers) else ()
    return Audit(publication, tuple(cells), exact, left_out)


def _verdict(inferred: Inference, number: int, needs: Mapping[str, Mapping[Cell, Need]]) -> Inferred:
    cell = inferred.cells[number]
    need = whole_need(cell, needs)
    status: Status = "safe" if need is None else inferred.status(number, need)
    bounds, inner, outer = inferred.bounds(number), inferred.inner(number), inferred.outer[number]
    failed = inferred.failed(number, needs)
    return Inferred(inferred.knowledge.name, *cell, *bounds, inner, outer, status, need or Need(), failed)


Table = Mapping[Cell, Fraction]
Place = tuple[str, str, str]
"""Snooper, row and column."""


@dataclass(frozen=True)
class Proof:
    """What the internal folder holds about a report: all limits, and two tables for every snooper and cell."""

    limits: tuple[Mapping[str, Json], ...]
    """Criteria by name and parameters."""
    pairs: Mapping[Place, tuple[Table, Table]]

    def in_full(self, criterion: ByCell) -> tuple[ByCell, ...]:
        """The criteria whose limits a certificate leaves out: of this name, alike in all that it shows."""
        kind, hidden = type(criterion), {*criterion.kept_inside, "inside"}
        criteria = [kind(**one["parameters"]) for one in self.limits if one["name"] == criterion.name]
        shown = {name: value for name, value in asdict(criterion).items() if name not in hidden}
        return tuple(one for one in criteria if shown == {name: asdict(one)[name] for name in shown})


def audit_by_witnesses(publication: Publication, criteria: Sequence[CellCriterion], snoopers: Snoopers) -> Audit:
    """The verdicts that written witnesses allow: safe, or undecided, which is not safe."""
    needs = needs_by_name(criteria, publication)
    cells = [
        _judged(publication, knowledge, cell, need)
        for knowledge in snoopers.mounted(publication)
        for cell in publication.frame.cells
        if cell[0] not in knowledge.rows and (need := whole_need(cell, needs)) is not None
    ]
    return Audit(publication, tuple(cells), False, snoopers.not_mounted(publication))


def _judged(publication: Publication, knowledge: Knowledge, cell: Cell, need: Need) -> Inferred:
    """Both tables must be possible for this snooper, and differ enough in the cell."""
    assert publication.proof is not None
    pair = publication.proof.pairs.get((knowledge.name, *cell), ())
    possible = all(
        set(table) == set(publication.frame.cells) and is_possible(publication, knowledge.cells, table)
        for table in pair
    )
    inner = (pair[0][cell], pair[1][cell]) if pair and possible else None
    low, high = map(float, publication.frame.domain(cell))
    status: Status = "safe" if inner is not None and need.status(inner, (low, high)) == "safe" else "undecided"
    bounds = (low, high) if inner is None else (float(inner[0]), float(inner[1]))
    return Inferred(knowledge.name, cell[0], cell[1], *bounds, inner, bounds, status, need)
