"""Random tables to hide cells of: counts of any shape, and some of the values of a dimension in groups."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sharewell.reports import CellProtection, CellSuppression, CountTable
from sharewell.reports.counts.engine.dimensions import Dimension
from sharewell.reports.counts.engine.protection.suppression_problem import Problem


def counts(
    shape: tuple[int, ...], seed: int, mean: float = 20.0, groups: Mapping[int, int] | None = None
) -> CountTable:
    """groups: of a dimension, how many of its values make a category."""
    draw = np.random.default_rng(seed)
    values = draw.poisson(draw.gamma(1.0, mean, size=shape))
    cells = {tuple(f"{place:02d}" for place in one): int(values[one]) for one in np.ndindex(*shape)}
    dimensions: list[str | Dimension] = []
    for axis, size in enumerate(shape):
        width = (groups or {}).get(axis)
        above = {f"{i:02d}": (f"g{i // width}",) for i in range(size)} if width else {}
        dimensions.append(Dimension.of(f"d{axis}", above) if width else f"d{axis}")
    return CountTable.of_cells(cells, dimensions)


def problem_of(table: CountTable, threshold: int = 5) -> Problem:
    return CellSuppression().problem(table, [CellProtection(threshold=threshold)])
