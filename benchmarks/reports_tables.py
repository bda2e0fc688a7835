"""Tables of counts and sums: the audit at size, suppression beside pytauargus' optimum, and acro with margins."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.house import Result
from benchmarks.peers.installing import ask, interpreter
from sharewell.hierarchy import Tree
from sharewell.reports import CellProtection, CellSuppression, CountTable, tabulate
from sharewell.reports.counts.data import HIDDEN
from sharewell.reports.counts.engine.dimensions import TOTAL
from sharewell.reports.counts.engine.intervals import intervals
from sharewell.reports.counts.engine.protection_check import protection

AUDITS = (((50, 50), 500, 2.0), ((20, 20, 20), 800, 8.0), ((20, 20, 20), 1600, 200.0))
"""Shape, hidden cells, and how many seconds the audit of all of them may take."""
PEERED: tuple[tuple[tuple[int, ...], int, dict[int, int]], ...] = (
    ((6, 6), 1, {}),
    ((8, 8), 2, {}),
    ((10, 10), 3, {}),
    ((12, 12), 4, {}),
    ((20, 20), 4, {}),
    ((30, 30), 1, {}),
    ((4, 4, 4), 1, {}),
    ((4, 4, 4), 5, {}),
    ((5, 5, 5), 6, {}),
    ((6, 6, 6), 4, {}),
    ((5, 6, 7), 1, {}),
    ((8, 8, 8), 1, {}),
    ((12, 12), 4, {0: 4}),
    ((30, 20), 2, {0: 5}),
    ((20, 20), 1, {0: 5, 1: 4}),
    ((8, 8, 4), 2, {0: 4}),
)
"""Shape, seed, and of dimensions with categories between values and total how many values each has."""
REPEATS = 3
"""How often both sides run, warm and in one process each; the least CPU time of each counts. Both start from a table in
memory with its unsafe cells known by rule; ours ends with an audit of what is hidden."""
GROWING = ((40, 40), (80, 80), (160, 160))


def reports_tables(data: Path | None, rows: int) -> Iterator[Result]:
    """Audits first; peers where they can be installed."""
    for shape, hidden, bar in AUDITS:
        yield from _audit(shape, hidden, bar if rows == 1_000_000 else None)
    yield from _tabulated(rows)
    yield from _suppressed()
    yield from _growing()
    yield from _against_insiders()
    yield from _beside_pytauargus()
    yield from _beside_acro()


def drawn(shape: tuple[int, ...], seed: int = 0) -> CountTable:
    """A table of counts with many small cells."""
    draw = np.random.default_rng(seed)
    values = draw.poisson(draw.gamma(1.0, 20.0, size=shape))
    cells = {tuple(f"{place:02d}" for place in one): int(values[one]) for one in np.ndindex(*shape)}
    return CountTable.of_cells(cells, [f"d{axis}" for axis in range(len(shape))])


def _audit(shape: tuple[int, ...], hidden: int, bar: float | None) -> Iterator[Result]:
    table = drawn(shape)
    assert table.truth is not None
    inner = np.flatnonzero(table.leaves & (table.shown > 0))
    shown = table.shown.copy()
    shown[np.random.default_rng(1).choice(inner, hidden, replace=False)] = HIDDEN
    published = table.showing(shown)
    wall, cpu = time.perf_counter(), time.process_time()
    found = intervals(published.relations, *published.bounds())
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    truth = table.truth.values[found.cells]
    assert (found.low <= truth).all()
    assert (found.high >= truth).all()
    what = f"audit of {hidden} hidden cells of {'×'.join(map(str, shape))}"
    yield Result(f"{what}, wall", wall, "s", bar)
    yield Result(f"{what}, CPU", cpu, "s")
    yield Result(f"{what}, linear programs ({int(found.exact.sum())} cells exact)", float(found.programs))


def _tabulated(rows: int) -> Iterator[Result]:
    """From rows of patients to a table."""
    draw = np.random.default_rng(3)
    frame = pa.table(
        {
            "who": pa.array(np.arange(rows)).cast(pa.string()),
            "ward": pa.array(draw.integers(0, 40, rows)).cast(pa.string()),
            "year": pa.array(draw.integers(2000, 2025, rows)).cast(pa.string()),
        }
    )
    before = time.perf_counter()
    table = tabulate(frame, ["ward", "year"], subject="who")
    assert table.shown[0] == rows
    yield Result(f"{rows:,} patients to a table of 40×25, wall", time.perf_counter() - before, "s")


def _suppressed() -> Iterator[Result]:
    """Small counts hidden step by step, in tables beyond those that are solved to the end."""
    for shape, threshold in (((50, 50), 11), ((50, 50), 3), ((8, 8, 8), 3)):
        table = drawn(shape, 7)
        criterion = CellProtection(threshold=threshold)
        before = time.process_time()
        released = CellSuppression().protect(table, [criterion])
        seconds = time.process_time() - before
        unsafe, hidden = released.details.unsafe_cells, released.details.suppressed_cells
        what = f"{'×'.join(map(str, shape))} counts, {unsafe} unsafe, {hidden} hidden: suppression, CPU"
        yield Result(what, seconds, "s")
        assert criterion.check(released.data).ok


def firms(shape: tuple[int, ...], seed: int) -> list[list[Any]]:
    """A few contributions to each cell, of very different size."""
    draw = np.random.default_rng(seed)
    found: list[list[Any]] = []
    for cell in np.ndindex(*shape):
        for _ in range(int(draw.integers(1, 7))):
            found.append([*(f"c{place:02d}" for place in cell), int(draw.lognormal(4, 1.2)) + 1])
    return found


def _against_insiders() -> Iterator[Result]:
    """Sums of which everybody in the table is a reader, by themselves and two together."""
    for shape, coalitions in (((5, 5, 5), 1), ((4, 4), 2)):
        names, rows = [f"d{axis}" for axis in range(len(shape))], firms(shape, 6)
        keys, amounts = [tuple(row[:-1]) for row in rows], [row[-1] for row in rows]
        sums: dict[tuple[str | None, ...], int] = {}
        for key, amount in zip(keys, amounts, strict=True):
            sums[key] = sums.get(key, 0) + amount
        table = CountTable.of_cells(sums, names, given=(keys, list(range(len(keys))), amounts), value="amount")
        criterion = CellProtection(p=10, coalitions=coalitions)
        before = time.process_time()
        released = CellSuppression().protect(table, [criterion])
        what = f"{'×'.join(map(str, shape))} sums of {len(rows)}, {released.details.unsafe_cells} unsafe"
        yield Result(f"{what}, against {coalitions} of them: suppression, CPU", time.process_time() - before, "s")
        assert criterion.check(released.data).ok


def _growing() -> Iterator[Result]:
    """Counts below 3, hidden with what must go with them; how time grows with the number of cells."""
    spent: dict[str, list[float]] = {"suppression": [], "check of what it hides": [], "audit of every hidden cell": []}
    for shape in GROWING:
        table, criterion = drawn(shape, 7), CellProtection(threshold=3)
        before = time.process_time()
        released = CellSuppression().protect(table, [criterion]).data
        spent["suppression"].append(time.process_time() - before)
        before = time.process_time()
        assert criterion.check(released).ok
        spent["check of what it hides"].append(time.process_time() - before)
        before = time.process_time()
        intervals(released.relations, *released.bounds())
        spent["audit of every hidden cell"].append(time.process_time() - before)
    cells = np.log([float(np.prod(shape)) for shape in GROWING])
    for what, seconds in spent.items():
        yield Result(f"160×160 counts, {what}, CPU", seconds[-1], "s")
        exponent = float(np.polyfit(cells, np.log(np.maximum(seconds, 1e-4)), 1)[0])
        yield Result(f"40×40 to 160×160 counts, {what}: CPU grows as the number of cells to the power of", exponent)


def _beside_pytauargus() -> Iterator[Result]:
    python = interpreter("pytauargus")
    if python is None:
        yield Result("pytauargus: skipped, it cannot be installed here", None)
        return
    for shape, seed, groups in PEERED:
        names, rows = [f"d{axis}" for axis in range(len(shape))], firms(shape, seed)
        above = {
            names[axis]: {f"c{place:02d}": f"g{place // width}" for place in range(shape[axis])}
            for axis, width in groups.items()
        }
        lines = {name: _below(parents) for name, parents in above.items()}
        theirs = ask(python, "pytauargus", names=names, rows=rows, p=10, repeats=REPEATS, trees=lines)
        columns = {name: [row[axis] for row in rows] for axis, name in enumerate(names)}
        who, amount = [str(i) for i in range(len(rows))], [str(row[-1]) for row in rows]
        frame = pa.table({**columns, "who": who, "amount": amount})
        trees = {name: Tree([(leaf, group, "all") for leaf, group in one.items()]) for name, one in above.items()}
        table = tabulate(frame, names, subject="who", measure="amount", hierarchies=trees)
        grouped = f" with groups in {len(groups)} of its dimensions" if groups else ""
        yield from _compared(table, theirs, f"{'×'.join(map(str, shape))}{grouped}, draw {seed}")


def _below(parents: dict[str, str]) -> str:
    """Every category and the values in it, as pytauargus reads them."""
    groups = dict.fromkeys(parents.values())
    members = {group: [f"@{leaf}" for leaf, above in parents.items() if above == group] for group in groups}
    return "".join(f"{line}\n" for group, leaves in members.items() for line in (group, *leaves))


def _compared(table: CountTable, theirs: dict[str, Any], what: str) -> Iterator[Result]:
    """The same rule and the same doubt for every unsafe cell; both patterns are audited by us."""
    assert table.truth is not None
    values = table.truth.values
    criterion = CellProtection(p=10, readers="outsiders")
    needs = criterion.unsafe(table)
    number = {tuple(code): i for i, code in enumerate(_codes(table))}
    hidden, primary = np.zeros(table.size, dtype=bool), np.zeros(table.size, dtype=bool)
    for *codes, status in theirs["cells"]:
        cell = number[tuple(TOTAL if code == "Total" else code for code in codes)]
        hidden[cell], primary[cell] = status in ("U", "M"), status == "U"
    if np.flatnonzero(primary).tolist() != needs.cells.tolist():
        raise SystemExit(f"{what}: pytauargus calls other cells unsafe")
    audited = protection(table.showing(np.where(hidden, HIDDEN, values)), needs)
    failing = f"; theirs leaves {audited.cells} of {needs.count} cells too tight" if audited.failing else ""
    for mechanism, how in ((CellSuppression(), ""), (CellSuppression(exact=0), " without the search for the least")):
        cpu = np.inf
        for _ in range(REPEATS):
            before = time.process_time()
            released = mechanism.protect(table, [criterion])
            cpu = min(cpu, time.process_time() - before)
        assert criterion.check(released.data).ok
        ours = released.data.hidden
        proved = ", the least" if released.details.proved_least else ""
        told = f"p 10 % of {what}{how}: hidden value of our {int(ours.sum())} cells{proved}"
        told += f" over that of pytauargus' {int(hidden.sum())}{failing}"
        yield Result(told, int(values[ours].sum()) / int(values[hidden].sum()), "times", 1.0)
        yield Result(f"p 10 % of {what}{how}: our CPU time, {needs.count} unsafe cells", cpu, "s")
        yield Result(f"p 10 % of {what}{how}: our CPU time over pytauargus'", cpu / theirs["cpu"], "times", 1.0)


def _codes(table: CountTable) -> list[list[str]]:
    where = np.indices(table.shape).reshape(len(table.shape), -1)
    return [[str(one.codes[place]) for one, place in zip(table.dimensions, cell, strict=True)] for cell in where.T]


def _beside_acro() -> Iterator[Result]:
    """3,000 patients in 5 × 10 integer-labelled cells, ten of them below 10, with margins."""
    python = interpreter("acro")
    if python is None:
        yield Result("acro: skipped, it cannot be installed here", None)
        return
    draw = np.random.default_rng(11)
    small = {(int(i) // 10, int(i) % 10) for i in draw.choice(50, 10, replace=False)}
    sizes = {one: int(draw.integers(1, 10)) if one in small else 0 for one in np.ndindex(5, 10)}
    left = 3000 - sum(sizes.values())
    others = [one for one in sizes if one not in small]
    for place, one in enumerate(others):
        sizes[one] = left // len(others) + (place < left % len(others))
    a = [one[0] for one, size in sizes.items() for _ in range(size)]
    b = [one[1] for one, size in sizes.items() for _ in range(size)]
    theirs = ask(python, "acro", a=a, b=b, margins=True)
    place = {(row, column): cell for row, cells in zip(theirs["rows"], theirs["cells"], strict=True)
             for column, cell in zip(theirs["columns"], cells, strict=True)}  # fmt: skip
    blank = sum(place[str(i), str(j)] is None for i, j in small)
    yield Result("acro with margins, integer labels: unsafe cells left blank, of 10", float(blank))
    frame = pa.table({"who": [str(i) for i in range(3000)], "a": a, "b": b})
    table = tabulate(frame, ["a", "b"], subject="who")
    criterion = CellProtection(threshold=10)
    released = CellSuppression().protect(table, [criterion]).data
    codes = {tuple(code): i for i, code in enumerate(_codes(released))}
    shown = sum(not released.hidden[codes[str(i), str(j)]] for i, j in small)
    yield Result(
        "ours, the same table: unsafe cells shown or computable",
        shown + float(criterion.check(released).value or 0),
        "",
        0,
    )
