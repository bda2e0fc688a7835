"""Plain definitions to hold the audit against: a check, a grid, and a global solver asked in other words."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from sharewell.reports import Convention, Levels, Publication, Report

ROWS = ("HMO1", "HMO2", "HMO3", "HMO4")
COLUMNS = ("HbA1c", "Lipid profile", "Eye exam")
TRUTH = [[75.0, 56.0, 43.0], [88.2, 59.8, 46.9], [85.7, 49.8, 44.5], [83.0, 50.8, 47.1]]
"""A table whose rounded means and deviations are those of the literature's example."""
S_GLOBAL = [
    [(87.2354, 88.5112), (58.5918, 59.8675), (46.6213, 47.8971)],
    [(82.8484, 86.4209), (48.1347, 52.3082), (44.5029, 47.2141)],
    [(82.9143, 86.742), (48.5941, 53.0657), (44.5029, 47.3688)],
]
"""Exact margins, sample sigma as an upper bound, the last row's mean left out."""
R1_GLOBAL = [
    [(87.0056, 88.7536), (58.8045, 60.0205), (46.1257, 48.0187)],
    [(82.4464, 86.983), (47.7069, 53.1665), (44.2635, 47.7095)],
    [(82.4552, 87.2713), (48.0606, 53.8556), (44.2635, 47.8093)],
]
"""Every figure is the interval that it denotes."""


def report(values: Any = TRUTH, domain: Any = (0, 100)) -> Report:
    names = COLUMNS if len(values[0]) == len(COLUMNS) else [f"c{i}" for i in range(len(values[0]))]
    rows = ROWS if len(values) == len(ROWS) else [f"r{i}" for i in range(len(values))]
    return Report.of(
        {r: dict(zip(names, row, strict=True)) for r, row in zip(rows, values, strict=True)}, domain=domain
    )


def proposed(rows: Levels = Levels(3), columns: Levels = Levels(3, 3), how: Convention = Convention()) -> Publication:  # noqa: B008
    return Publication.of(report(), rows, columns, how)


def agrees(shown: Publication, known: Mapping[Any, Fraction], table: Mapping[Any, Fraction]) -> bool:
    """Twenty lines: is a table in the domain, as known, and does it show all figures?"""
    for cell, value in table.items():
        low, high = shown.frame.domain(cell)
        if not low <= value <= high or known.get(cell, value) != value:
            return False
    for f in shown.figures:
        place = 0 if f.axis == "rows" else 1
        lines = [[v for cell, v in table.items() if cell[place] == name] for name in f.lines]
        n, total = len(lines[0]), sum(lines[0])
        low = (0 if f.measure == "sigma" else -(10**9)) if f.low is None else f.low
        high = 10**9 if f.high is None else f.high
        if f.measure == "order" and total * len(lines[1]) > sum(lines[1]) * n:
            return False
        if f.measure == "mean" and not low * n <= total <= high * n:
            return False
        if f.measure == "median":
            ordered = sorted(lines[0])
            middle = ordered[(n - 1) // 2] + ordered[n // 2]
            if not 2 * low <= middle <= 2 * high:
                return False
        if f.measure == "spread" and not low <= max(a - b for a in lines[0] for b in lines[0]) <= high:
            return False
        squares = sum((a - b) ** 2 for a, b in itertools.combinations(lines[0], 2))  # n times the sum about the mean
        if f.measure == "sigma" and not low * low * n * (n - f.ddof) <= squares <= high * high * n * (n - f.ddof):
            return False
    return True


def on_a_grid(shown: Publication, known: Mapping[Any, Fraction], step: float) -> dict[Any, tuple[float, float]]:
    """Intervals that hold all that is possible: grid points where the figures hold but for a step, and a step more."""
    unknown = [cell for cell in shown.frame.cells if cell not in known]
    axes = [np.arange(float(low), float(high) + step / 2, step) for low, high in map(shown.frame.domain, unknown)]
    points = np.stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")])
    column = {cell: points[i] for i, cell in enumerate(unknown)}
    column |= {cell: np.full(points.shape[1], float(value)) for cell, value in known.items()}
    fits = np.ones(points.shape[1], dtype=bool)
    for f in shown.figures:
        lines = [np.stack([column[cell] for cell in shown.frame.line(f.axis, name)]) for name in f.lines]
        low, high = -np.inf if f.low is None else float(f.low), np.inf if f.high is None else float(f.high)
        if f.measure == "order":
            value, high = lines[0].mean(axis=0) - lines[1].mean(axis=0), 0.0
        elif f.measure == "mean":
            value = lines[0].mean(axis=0)
        elif f.measure == "median":
            value = np.median(lines[0], axis=0)
        elif f.measure == "spread":
            value = lines[0].max(axis=0) - lines[0].min(axis=0)
        else:
            value = lines[0].std(axis=0, ddof=f.ddof)
        fits &= (value >= low - 1.5 * step) & (value <= high + 1.5 * step)  # no measure moves further in half a step
    return {cell: (float(column[cell][fits].min()) - step, float(column[cell][fits].max()) + step) for cell in unknown}


def widest(shown: Publication, known: Mapping[Any, Fraction], cell: Any) -> tuple[float, float]:
    """The exact interval by SCIP, from a model of its own: whole tables, deviations by pairs, spreads by pairs."""
    from pyscipopt import Model, quicksum

    ends = []
    for sense in ("minimize", "maximize"):
        model = Model()
        model.hideOutput()
        model.setParam("limits/gap", 1e-7)
        x = {}
        for place in shown.frame.cells:
            low, high = map(float, shown.frame.domain(place))
            x[place] = model.addVar(lb=low, ub=high)
            if place in known:
                model.addCons(x[place] == float(known[place]))
        for f in shown.figures:
            lines = [[x[place] for place in shown.frame.line(f.axis, name)] for name in f.lines]
            n = len(lines[0])
            pairs = list(itertools.permutations(lines[0], 2))
            if f.measure == "order":
                model.addCons(quicksum(lines[0]) * (1 / n) <= quicksum(lines[1]) * (1 / len(lines[1])))
            elif f.measure == "median" and n > 2:  # every majority has a value that high, and one that low
                assert n % 2, "of an odd number"
                for majority in itertools.combinations(lines[0], n // 2 + 1):
                    for end, sign in ((f.low, 1), (f.high, -1)):
                        chosen = [model.addVar(vtype="B") for _ in majority]
                        model.addCons(quicksum(chosen) == 1)
                        for value, one in zip(majority, chosen, strict=True):
                            model.addCons(sign * value >= sign * float(end) - 1000 * (1 - one))
            elif f.measure == "spread":
                picked = [model.addVar(vtype="B") for _ in pairs]
                if pairs:
                    model.addCons(quicksum(picked) == 1)
                for (a, b), one in zip(pairs, picked, strict=True):
                    model.addCons(a - b <= float(f.high))
                    model.addCons(a - b >= float(f.low) - 1000 * (1 - one))
            else:
                total = quicksum(lines[0])
                factor = float(n)
                if f.measure == "sigma":
                    total = quicksum((a - b) * (a - b) for a, b in itertools.combinations(lines[0], 2))
                    factor = float(n * (n - f.ddof))
                power = 2 if f.measure == "sigma" else 1
                if f.low is not None:
                    model.addCons(total >= factor * float(f.low) ** power)
                if f.high is not None:
                    model.addCons(total <= factor * float(f.high) ** power)
        model.setObjective(x[cell], sense)
        model.optimize()
        ends.append(float(model.getDualbound()))
    return ends[0], ends[1]
