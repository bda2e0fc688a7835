"""Audits of reports: how long the literature's example takes, and how near its bounds come to solved ones."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.house import SHAREWELL, Result
from sharewell.reports import (
    Aggregate,
    Convention,
    Levels,
    Proposal,
    Publication,
    Report,
    Snoopers,
    Width,
    audit,
)

EXAMPLE = Path(__file__).parents[1] / "examples" / "reports" / "diabetes.yaml"
SOLVED = {
    "seed-002": [
        [(87.2354, 88.5112), (58.5918, 59.8675), (46.6213, 47.8971)],
        [(82.8484, 86.4209), (48.1347, 52.3082), (44.5029, 47.2141)],
        [(82.9143, 86.742), (48.5941, 53.0657), (44.5029, 47.3688)],
    ],
    "rounding": [
        [(87.0056, 88.7536), (58.8045, 60.0205), (46.1257, 48.0187)],
        [(82.4464, 86.983), (47.7069, 53.1665), (44.2635, 47.7095)],
        [(82.4552, 87.2713), (48.0606, 53.8556), (44.2635, 47.8093)],
    ],
}
"""Global bounds of HMO1's inference, by reading: HMO2, HMO3, HMO4 by HbA1c, lipid profile, eye exam."""
TRUTH = [[75.0, 56.0, 43.0], [88.2, 59.8, 46.9], [85.7, 49.8, 44.5], [83.0, 50.8, 47.1]]
NARROWEST = {(3, 3): 1.216, (3, 2): 0.1, (2, 3): 2.848, (2, 2): 0.5, (1, 3): 8.465, (1, 2): 6.6, (1, 1): 100.0}
"""Narrowest interval of HMO1 by level of the columns' means and dispersions, with row means published."""


def reports(data: Path | None, rows: int) -> Iterator[Result]:
    """The example by the command, the levels one by one, all snoopers, and larger tables."""
    for reading in SOLVED:
        yield from _command(reading)
    yield from _levels()
    yield from _aggregates()
    yield from _sizes()


def _command(reading: str) -> Iterator[Result]:
    for exact, bar in ((True, 30.0), (False, 5.0)):
        command = [*SHAREWELL, "reports", "audit", str(EXAMPLE), "--json", "--reading", reading]
        wall, cpu, found = _asked([*command, "--exact"] if exact else command)
        how = f"example, {reading}{', exact' if exact else ''}"
        yield Result(f"{how}: outsider and HMO1, wall time", wall, "s", bar)
        yield Result(f"{how}: outsider and HMO1, CPU", cpu, "s")
        cells = [cell for cell in found["cells"] if cell["snooper"] == "HMO1"]
        ends = [end for row in SOLVED[reading] for pair in row for end in pair]
        for key in ("global bounds", "witnesses"):
            if exact or key == "witnesses":
                shown = [cell["inner"] if key == "witnesses" else [cell["low"], cell["high"]] for cell in cells]
                apart = max(abs(a - b) for a, b in zip([e for pair in shown for e in pair], ends, strict=True))
                yield Result(f"{how}: {key}, farthest from the solved ones", apart, "pt", 0.01)


def _asked(command: list[str]) -> tuple[float, float, Any]:
    """Wall and CPU seconds of a command whose answer may be no, and what it printed."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ)
    after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - began
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(command)}: {done.stderr}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, json.loads(done.stdout)


def _levels() -> Iterator[Result]:
    names = ("HbA1c", "lipid", "eye")
    table = Report.of(
        {f"HMO{i}": dict(zip(names, row, strict=True)) for i, row in enumerate(TRUTH, 1)}, domain=(0, 100)
    )
    began, apart = time.process_time(), 0.0
    for (center, dispersion), narrowest in NARROWEST.items():
        shown = Publication.of(table, Levels(3), Levels(center, dispersion))
        found = audit(shown, [Width(5)], [shown.knowledge("HMO1")], exact=True)
        apart = max(apart, abs(min(cell.width for cell in found.cells) - narrowest))
    yield Result("seven levels, exact: narrowest interval, farthest from the solved", apart, "pt", 0.01)
    yield Result("seven levels, exact: CPU", time.process_time() - began, "s")
    shown = Publication.of(table, Levels(3), Levels(3, 3))
    began = time.process_time()
    found = audit(shown, [Width(5)], Snoopers(coalitions=2), exact=True)
    yield Result(
        f"outsider, 4 owners, 6 pairs, exact: {len(found.cells)} intervals, CPU", time.process_time() - began, "s"
    )


LEAST_LOSS = {3: 1, 5: 2, 10: 2}
"""Least loss for each width that HMO1 must leave open, unit weights; solved for every vector."""


def _aggregates() -> Iterator[Result]:
    """The safe report of least loss: from the proposal of the example, and from a report that tells everything."""
    table = Report.of(
        {f"HMO{i}": dict(zip("abc", row, strict=True)) for i, row in enumerate(TRUTH, 1)}, domain=(0, 100)
    )
    shown = Publication.of(table, Levels(3), Levels(3, 3))
    for width, least in LEAST_LOSS.items():
        proposal = Proposal("rates", shown, (Width(width),), Snoopers(outsider=False, owners=("HMO1",)), table)
        began = time.process_time()
        plan = Aggregate(beyond=0).plan(proposal, proposal.criteria)
        spent = time.process_time() - began
        yield Result(f"aggregate, width {width}: loss beyond the least", float(plan.loss) - least, "levels", 0)
        yield Result(f"aggregate, width {width}: {sum(v.audited for v in plan.trace)} audits, CPU", spent, "s")
    for nested in (False, True):
        whole = Publication.of(table, Levels(3, 3, 3), Levels(3, 3, 3), Convention(nested=nested))
        for width in (3, 5):
            proposal = Proposal("rates", whole, (Width(width),), Snoopers(owners="all"), table)
            began = time.process_time()
            plan = Aggregate(beyond=0).plan(proposal, proposal.criteria)
            spent, audited = time.process_time() - began, sum(v.audited for v in plan.trace)
            how = f"{'nested' if nested else 'classic'} levels, 728 vectors, all owners, width {width}"
            yield Result(f"aggregate, {how}: {audited} of {len(plan.trace)} audited, CPU", spent, "s")


def _sizes() -> Iterator[Result]:
    """Inference in larger tables, by one owner, and by all of them and an outsider; verdicts alone."""
    draw = np.random.default_rng(1)
    spent: dict[int, float] = {}
    for owners, measures in ((10, 5), (20, 10), (40, 20)):
        cells = np.round(draw.uniform(30, 90, measures) + draw.normal(0, 6, (owners, measures)), 1).clip(0, 100)
        named = {f"o{i}": {f"m{j}": float(v) for j, v in enumerate(row)} for i, row in enumerate(cells)}
        for who in ("one snooper", "all snoopers"):
            shown = Publication.of(Report.of(named, domain=(0, 100)), Levels(3), Levels(3, 3))
            asked = [shown.knowledge("o0")] if who == "one snooper" else Snoopers(owners="all")
            began = time.process_time()
            found = audit(shown, [Width(5)], asked, thorough=False, nodes=0)
            spent[owners * measures] = time.process_time() - began
            undecided = len(found.undecided) / len(found.cells)
            how, bar = f"{owners} owners × {measures} measures, {who}", 300.0 if who == "all snoopers" else None
            yield Result(f"{how}, CPU", spent[owners * measures], "s", bar)
            yield Result(f"{how}, undecided", 100 * undecided, "%")
    exponent = np.log(spent[800] / spent[200]) / np.log(4)
    yield Result("all snoopers: CPU grows as the number of cells to the power of", float(exponent), "")
