"""Optimal and local recoding: seconds on Adult with its hierarchies, and how the search grows with the columns.

Seconds are CPU seconds, the least of a few repeats: they are the same on a busy machine. They are those of a process
that has loaded numba; the release, a process of its own, decides for itself.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numba  # noqa: F401 - where it is loaded, its kernels are used
import numpy as np
import pyarrow as pa

from benchmarks.house import SHAREWELL, Result, run
from benchmarks.optima import Data, matching
from sharewell.hierarchy import Intervals, Prefixes
from sharewell.roles import Role, Schema
from sharewell.tables import (
    DeltaPresence,
    KAnonymity,
    KMap,
    LocalRecoding,
    OptimalRecoding,
    Table,
    TCloseness,
)

ADULT = (
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "salary-class",
)
EIGHT = tuple(name for name in ADULT if name != "occupation")


def search(data: Path | None, rows: int) -> Iterator[Result]:
    """Bars for Adult, if the directory has it; growth on synthetic people."""
    folder = None if data is None else data / "arx"
    if folder is None or not (folder / "adult.csv").is_file():
        yield Result("optimal recoding of Adult: skipped, give --data DIR with arx/adult.csv", None)
    else:
        yield from _adult(Data(folder), folder)
    yield from _growth()


def _adult(data: Data, folder: Path) -> Iterator[Result]:
    whole = data.frame("adult.csv")
    sample = whole.take(pa.array(matching(whole, data.frame("adult_subset.csv"))))
    people = whole.select(ADULT)
    five, close = KAnonymity(5), TCloseness("1/5", distance="hierarchical", column="occupation", unit="record")  # type: ignore[arg-type]
    nine, eight, part = (
        _table(data, whole, ADULT),
        _table(data, whole, EIGHT, "occupation"),
        _table(data, sample, ADULT),
    )
    cases: list[tuple[str, Table, float, list[Any], float]] = [
        ("k = 5, nothing withheld", nine, 0.0, [five], 0.04),
        ("k = 5, 4 %", nine, 0.04, [five], 0.19),
        ("k = 5 and 0.2-closeness, 4 %", eight, 0.04, [five, close], 0.2),
        ("δ-presence ≤ 0.2, 4 %", part, 0.04, [DeltaPresence(people, "1/5", unit="record")], 0.8),  # type: ignore[arg-type]
        ("5-map, 4 %", part, 0.04, [KMap(people, 5, unit="record")], 0.2),
    ]
    for name, table, suppress, must, bar in cases:
        seconds, found = _least(lambda: OptimalRecoding(suppress).protect(table, must))  # noqa: B023 - called at once
        assert found.details.proven
        yield Result(f"optimal recoding of Adult, {name}, proven", seconds, "s", bar)
    seconds, found = _least(lambda: LocalRecoding().protect(nine, [five]))
    assert five.check(found.data).ok
    yield Result("local recoding of Adult, k = 5", seconds, "s", 0.5)
    yield Result("local recoding of Adult, k = 5, granularity", 1 - found.details.loss, "", 0.798, "≥")
    yield from _cold(folder)


def _table(data: Data, frame: Any, quasi: Sequence[str], sensitive: str | None = None) -> Table:
    roles = dict.fromkeys(quasi, Role.QUASI) | ({sensitive: Role.SENSITIVE} if sensitive else {})
    trees = {name: data.tree(f"adult_hierarchy_{name}.csv") for name in roles}
    return Table.from_arrow(frame.select(list(roles)), Schema(roles), trees, kinds=dict.fromkeys(roles, "text"))


def _least(protect: Callable[[], Any], repeats: int = 5) -> tuple[float, Any]:
    seconds = []
    for _ in range(repeats):
        began = time.process_time()
        found = protect()
        seconds.append(time.process_time() - began)
    return min(seconds), found


def _cold(folder: Path) -> Iterator[Result]:
    """One command in a process of its own: read, search, write, verify, attack, measure, dossier."""
    columns = "\n".join(
        f"      {name}: {{role: quasi, type: text, hierarchy: {{csv: {folder / f'adult_hierarchy_{name}.csv'}}}}}"
        for name in ADULT
    )
    with tempfile.TemporaryDirectory() as name:
        policy = Path(name) / "policy.yaml"
        policy.write_text(
            f"""\
sharewell: 1
release: {{name: adult}}
secrets: {{key: env:BENCH_KEY}}
datasets:
  people:
    kind: tables
    read: {{csv: {folder / "adult.csv"}}}
    columns:
{columns}
    require: [k-anonymity: {{k: 5}}]
    using: {{optimal-recoding: {{suppress: 0.04}}}}
write: {{parquet: out}}
""",
            encoding="utf-8",
        )
        wall, cpu, _ = run([*SHAREWELL, "release", str(policy)], BENCH_KEY="a key for the benchmark alone")
    yield Result("release of Adult by optimal recoding, k = 5, 4 %, wall", wall, "s", 2)
    yield Result("release of Adult by optimal recoding, k = 5, 4 %, CPU", cpu, "s")


def _growth(rows: int = 20_000) -> Iterator[Result]:
    """One column more: how many times the nodes, the nodes looked at, and the seconds?"""
    frame, trees = correlated(rows)
    for columns in range(9, 14):
        names = frame.column_names[:columns]
        known = {name: tree for name, tree in trees.items() if name in names}
        table = Table.of(frame.select(names), quasi=names, hierarchies=known)
        began = time.process_time()
        details = OptimalRecoding(suppress=0.04).protect(table, [KAnonymity(5)]).details
        proven = "proven" if details.proven else "not proven"
        told = f"{columns} columns, {details.nodes:,} nodes, {details.checked:,} looked at, {proven}"
        yield Result(told, time.process_time() - began, "s", 120)


def correlated(rows: int, seed: int = 5) -> tuple[Any, dict[str, Any]]:
    """People whose values depend on age and schooling, as they do; and trees for some of the columns."""
    draw = np.random.default_rng(seed)
    age, school = draw.integers(17, 90, rows), np.clip(draw.normal(9, 3, rows), 0, 15).astype(int)
    line = {
        "age": age,
        "hours": np.clip(40 + draw.normal(0, 8, rows) - 15 * (age > 64), 0, 80).astype(int),
        "tenure": (draw.random(rows) * (age - 16) // 3).astype(int),
        "income": np.clip(school * 4 + draw.normal(0, 8, rows), 0, 99).astype(int),
        "height": np.clip(170 + draw.normal(0, 9, rows), 140, 205).astype(int),
    }
    sorts = {
        "sex": draw.integers(0, 2, rows),
        "race": (draw.random(rows) ** 4 * 5).astype(int),
        "marital": np.clip(age // 20 + draw.integers(0, 3, rows), 0, 6),
        "work": (draw.random(rows) ** 3 * 7).astype(int),
        "occupation": (school + draw.integers(0, 4, rows)) % 14,
        "ward": draw.integers(0, 5, rows),
        "insurer": (school // 4 + draw.integers(0, 2, rows)) % 4,
    }
    named = {name: [f"{name}-{value}" for value in values.tolist()] for name, values in sorts.items()}
    zips = [f"{place:03d}" for place in ((school * 13 + draw.integers(0, 60, rows)) % 300).tolist()]
    frame = pa.table({**line, **named, "zip": zips})
    order = ["age", "sex", "race", "marital", "work", "occupation", "zip", "hours", "tenure"]
    frame = frame.select([*order, *(name for name in frame.column_names if name not in order)])
    trees = {name: Intervals(width=5 if name == "tenure" else 10, levels=2 + (name == "age")) for name in line}
    return frame, {**trees, "zip": Prefixes()}
