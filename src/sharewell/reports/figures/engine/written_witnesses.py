"""Witnesses that were written down: does each limit hold by two tables, checked without any solver?

A steward who verifies a release needs nothing else: the figures as they were published, the rows that snoopers know,
and for every snooper and cell two whole tables. Each table is checked by the few lines of `table_check`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from sharewell.reports.figures.data import Cell, Knowledge, Publication
from sharewell.reports.figures.engine.audit import Audit, Inferred, whole_need
from sharewell.reports.figures.engine.needs import CellCriterion, Need, Status, needs_by_name
from sharewell.reports.figures.engine.snoopers import Snoopers
from sharewell.reports.figures.engine.table_check import is_possible

if TYPE_CHECKING:
    from sharewell.reports.figures.engine.checks.cell_limits import ByCell

Table = Mapping[Cell, Fraction]
Place = tuple[str, str, str]
"""Snooper, row and column."""


@dataclass(frozen=True)
class Proof:
    """What the internal folder holds about a report: all limits, and two tables for every snooper and cell."""

    limits: tuple[Mapping[str, Any], ...]
    """Criteria by name and parameters."""
    pairs: Mapping[Place, tuple[Table, Table]]

    def asked(self, criterion: ByCell) -> tuple[ByCell, ...]:
        """The criteria whose limits a certificate leaves out: of this name, alike in all that it shows."""
        kind, hidden = type(criterion), {*criterion.kept_inside, "inside"}
        whole = [kind(**one["parameters"]) for one in self.limits if one["name"] == criterion.name]
        shown = {name: value for name, value in asdict(criterion).items() if name not in hidden}
        return tuple(one for one in whole if shown == {name: asdict(one)[name] for name in shown})


def witnessed(publication: Publication, must: Sequence[CellCriterion], snoopers: Snoopers) -> Audit:
    """The verdicts that written witnesses allow: safe, or undecided, which is not safe."""
    needs = needs_by_name(must, publication)
    cells = [
        _judged(publication, knowledge, cell, need)
        for knowledge in snoopers.mounted(publication)
        for cell in publication.frame.cells
        if cell[0] not in knowledge.rows and (need := whole_need(cell, needs)) is not None
    ]
    return Audit(publication, tuple(cells), False, snoopers.not_mounted(publication))


def _judged(publication: Publication, knowledge: Knowledge, cell: Cell, need: Need) -> Inferred:
    """Both tables must be possible for this snooper, and differ in the cell by as much as is asked for."""
    assert publication.proof is not None
    pair = publication.proof.pairs.get((knowledge.name, *cell))
    good = pair is not None and all(
        set(table) == set(publication.frame.cells) and is_possible(publication, knowledge.cells, table)
        for table in pair
    )
    inner = (pair[0][cell], pair[1][cell]) if good and pair is not None else None
    low, high = map(float, publication.frame.domain(cell))
    status: Status = "safe" if inner is not None and need.status(inner, (low, high)) == "safe" else "undecided"
    ends = (low, high) if inner is None else (float(inner[0]), float(inner[1]))
    return Inferred(knowledge.name, cell[0], cell[1], *ends, inner, ends, status, need)
