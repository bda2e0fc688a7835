"""Synthetic tables under differential privacy: utility per ε as a curve, for MST and AIM, and sets of ICD categories.

`make bench-synthetic` makes an environment with the extra `synthetic` and runs this. For every budget the error of
the records is set beside that of plain noise on all pairs of columns, and beside records whose columns are unrelated.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from benchmarks.house import Result
from benchmarks.publications import CUBE, PATIENTS, SEED, confidential, patients
from sharewell.extras import is_installed
from sharewell.hospital import Hospital
from sharewell.io.sources import Source
from sharewell.queries import (
    ConfidentialTable,
    MarginalError,
    NoisyMarginals,
    PredictionError,
    QueryError,
    SyntheticTable,
    Values,
)

EPSILONS = (0.1, 1.0, 10.0)
COLUMNS = (*CUBE, "diagnosis")
CATEGORIES = (
    *("I10", "E78", "E11", "K21", "F32", "F41", "M54", "J45", "I25", "N18"),
    *("E03", "I48", "J44", "Z79", "E66", "G47", "M17", "D64", "J06", "N39"),
)
"""Twenty common categories of ICD-10: chosen from public knowledge, not from the records."""
Bools = NDArray[np.bool_]


def synthetic(data: Path | None, rows: int) -> Iterator[Result]:
    if not is_installed("mbi"):
        yield Result("synthetic tables need jax, in an environment of its own: make bench-synthetic", None)
        return
    table = confidential(patients(), 11, COLUMNS)
    for epsilon in EPSILONS:
        yield from _errors(table, epsilon)
    yield from _categories()


def _errors(table: ConfidentialTable, epsilon: float) -> Iterator[Result]:
    """Of both methods and of two simple ones. Rows are people: each patient has one."""
    pairs = [[a, b] for i, a in enumerate(COLUMNS) for b in COLUMNS[i + 1 :]]
    ways = {
        "single columns": NoisyMarginals(epsilon=epsilon, of=[[name] for name in COLUMNS]),
        "noise on every pair": NoisyMarginals(epsilon=epsilon, of=pairs),
        "mst": SyntheticTable(epsilon=epsilon, method="mst"),
        "aim": SyntheticTable(epsilon=epsilon, method="aim"),
    }
    off = {}
    for name, way in ways.items():
        began = time.process_time()
        released = way.protect(table, []).data
        seconds = time.process_time() - began
        title = f"synthetic, ε {epsilon:g}, {name}:"
        off[name] = MarginalError().score(table, released).value or 0.0
        yield Result(f"{title} people in wrong cells, one and two columns", 100 * off[name], "%")
        yield Result(f"{title} error of queries", 100 * (QueryError().score(table, released).value or 0.0), "%")
        wrong = PredictionError(label="marital").score(table, released)
        if wrong.value is not None:
            yield Result(f"{title} marital status predicted wrongly", 100 * wrong.value, "%")
            yield Result(f"{title} the same from true counts", 100 * wrong.details.exact, "%")
        if name in ("mst", "aim"):
            yield Result(f"{title} fitted, CPU", seconds, "s")
    for name in ("mst", "aim"):
        title = f"synthetic, ε {epsilon:g}: people in wrong cells, {name} / noise on every pair"
        yield Result(title, off[name] / off["noise on every pair"], "×", 1.0)


def _categories(epsilon: float = 1.0) -> Iterator[Result]:
    """Sets of ICD categories as one row of yes and no a patient: which two go together?"""
    sets = category_sets(PATIENTS)
    columns = {name: Values(("no", "yes")) for name in CATEGORIES}
    rows = pa.table({name: np.where(sets[:, i], "yes", "no") for i, name in enumerate(CATEGORIES)})
    table = ConfidentialTable(Source.of(rows), dict(columns))
    began = time.process_time()
    released = SyntheticTable(epsilon=epsilon).protect(table, []).data
    title = f"sets of {len(CATEGORIES)} ICD categories, ε {epsilon:g}, mst:"
    yield Result(f"{title} fitted, CPU", time.process_time() - began, "s")
    true = together(sets, np.ones(len(sets)))
    drawn = together(_yes(released.keys), released.counts)
    alone = np.diag(true)
    unrelated = np.outer(alone, alone) / len(sets)
    yield Result(f"{title} patients with a category, off by", 100 * _off(np.diag(drawn), alone), "%")
    upper = np.triu_indices(len(CATEGORIES), 1)
    yield Result(f"{title} patients with two of them, off by", 100 * _off(drawn[upper], true[upper]), "%")
    yield Result(f"{title} the same if categories were unrelated", 100 * _off(unrelated[upper], true[upper]), "%")


def category_sets(count: int) -> Bools:
    """Patient × category."""
    hospital = Hospital(patients=count, seed=SEED, notes=False, dirty=False)
    people: dict[str, int] = {}
    found: list[tuple[int, int]] = []
    for block in hospital.blocks():
        for name in block.rows("patients")["patient_id"].to_pylist():
            people.setdefault(name, len(people))
        diagnoses = block.rows("diagnoses")
        for name, code in zip(diagnoses["patient_id"].to_pylist(), diagnoses["code"].to_pylist(), strict=True):
            if code[:3] in CATEGORIES and name in people:
                found.append((people[name], CATEGORIES.index(code[:3])))
    sets = np.zeros((len(people), len(CATEGORIES)), np.bool_)
    sets[tuple(np.array(found).T)] = True
    return sets


def together(sets: Bools, times: NDArray[np.float64]) -> NDArray[np.float64]:
    """Category × category: how many patients have both."""
    counts: NDArray[np.float64] = sets.T.astype(np.float64) @ (sets * times[:, None])
    return counts


def _yes(keys: Any) -> Bools:
    return np.array([[label == "yes" for label in keys[name]] for name in CATEGORIES], dtype=np.bool_).T


def _off(found: Sequence[float] | NDArray[np.float64], true: NDArray[np.float64]) -> float:
    """All absolute differences, over all that there is."""
    return float(np.abs(np.asarray(found) - true).sum() / true.sum())
