"""Publications under differential privacy: errors per ε on the synthetic hospital, and how methods compare.

`python -m benchmarks publications` prints, for counts of age ranges, the error of the wavelet and of the consistent
tree as a ratio to that of plain noise on every bin; and for cross-tabulations the error of the data cube as a ratio to
that of one noisy histogram and to that of equal noise on every table. Noise is fresh, and errors are means of draws.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.house import Result
from sharewell.hospital import Hospital
from sharewell.io.sources import Source
from sharewell.queries import (
    ConfidentialTable,
    ConsistentTree,
    DataCube,
    DiffGen,
    MarginalError,
    NoisyMarginals,
    Privelet,
    Range,
    RangeError,
    Values,
)
from sharewell.queries.data import Domain
from sharewell.queries.engine.marginal_estimates import Estimates

PATIENTS, SEED, YEAR = 20_000, 5, 2026
EPSILONS = (0.01, 0.1, 1.0)
BINS = (64, 256, 1024, 4096)
DRAWS = 40
CUBE = ("age", "sex", "race", "marital")


def publications(data: Path | None, rows: int) -> Iterator[Result]:
    people = patients()
    yield from ranges(people)
    yield from curve(people)
    yield from tables(people)


def patients(count: int = PATIENTS) -> Any:
    """Age in days, so that it can be cut into thousands of bins, beside a few short columns."""
    hospital = Hospital(patients=count, seed=SEED, notes=False, dirty=False)
    blocks = pa.concat_tables([block.rows("patients") for block in hospital.blocks()])
    born = np.array(blocks["birth_date"].to_pylist(), dtype="datetime64[D]")
    age = (np.datetime64(f"{YEAR}-01-01") - born).astype(int) / 365.25
    return pa.table({"age": age, **{name: blocks[name] for name in ("sex", "race", "marital", "diagnosis")}})


def confidential(people: Any, bins: int, names: Sequence[str] = ("age",)) -> ConfidentialTable:
    domains: dict[str, Domain] = {
        name: Range(0, 110, bins=bins) if name == "age" else Values(tuple(sorted(set(people[name].to_pylist()))))
        for name in names
    }
    return ConfidentialTable(Source.of(people), domains)


def error_of_ranges(mechanism: Any, table: ConfidentialTable, draws: int = DRAWS) -> float:
    """Root mean square over all ranges and draws, in people."""
    found = [RangeError().score(table, mechanism.protect(table, []).data).details for _ in range(draws)]
    return math.sqrt(float(np.mean([one.root_mean_square**2 for one in found])))


def ranges(people: Any, epsilon: float = 0.1) -> Iterator[Result]:
    """The noise is of one shape whatever ε is, and so are the ratios."""
    for bins in BINS:
        table = confidential(people, bins)
        plain = error_of_ranges(Privelet(epsilon=epsilon, transformed=()), table)
        wavelet = error_of_ranges(Privelet(epsilon=epsilon, transformed=("age",)), table)
        tree = error_of_ranges(ConsistentTree(epsilon=epsilon), table)
        title = f"publications, {bins:,} bins: error of ranges,"
        bar = {1024: 1.0, 4096: 0.8}.get(bins)
        yield Result(f"{title} wavelet / plain noise", wavelet / plain, "×", bar)
        yield Result(f"{title} tree / plain noise", tree / plain, "×", bar)
        yield Result(f"{title} tree / wavelet", tree / wavelet, "×")


def curve(people: Any, bins: int = 1024) -> Iterator[Result]:
    table = confidential(people, bins)
    ways = {
        "plain noise": lambda e: Privelet(epsilon=e, transformed=()),
        "wavelet": lambda e: Privelet(epsilon=e),
        "tree": lambda e: ConsistentTree(epsilon=e),
    }
    for epsilon in EPSILONS:
        for name, way in ways.items():
            error = error_of_ranges(way(epsilon), table, draws=3)
            yield Result(f"publications, ε {epsilon:g}: error of age ranges, {name}", error, "rows")


def tables(people: Any) -> Iterator[Result]:
    """Cross-tabulations: the largest error of a cell, which the cube keeps small, and the mean share in wrong cells."""
    table = confidential(people, 11, CUBE)
    cuboids = [[name for i, name in enumerate(CUBE) if number >> i & 1] for number in range(1, 1 << len(CUBE))]
    for epsilon in EPSILONS:
        cube = errors_of_tables(DataCube(epsilon=epsilon), table, cuboids)
        one = errors_of_tables(NoisyMarginals(epsilon=epsilon), table, cuboids)
        every = errors_of_tables(NoisyMarginals(epsilon=epsilon, of=cuboids), table, cuboids)
        title = f"publications, ε {epsilon:g}: worst cell,"
        yield Result(f"{title} data cube", cube[0], "rows")
        yield Result(f"{title} cube / one histogram", cube[0] / one[0], "×", 1.0)
        yield Result(f"{title} cube / noise on every table", cube[0] / every[0], "×", 1.0)
        title = f"publications, ε {epsilon:g}: people in wrong cells,"
        yield Result(f"{title} data cube", 100 * cube[1], "%")
        yield Result(f"{title} cube / one histogram", cube[1] / one[1], "×")
        yield Result(f"{title} cube / noise on every table", cube[1] / every[1], "×")
    with_class = confidential(people, 11, (*CUBE, "diagnosis"))
    for epsilon in EPSILONS:
        way = DiffGen(epsilon=epsilon, target="diagnosis", specialisations=4, score="majority")
        off = MarginalError(ways=1).score(with_class, way.protect(with_class, []).data).value or 0.0
        yield Result(f"publications, ε {epsilon:g}: people in wrong cells, diffgen, single columns", 100 * off, "%")


def errors_of_tables(
    mechanism: Any, table: ConfidentialTable, cuboids: Sequence[Sequence[str]], draws: int = 20
) -> tuple[float, float]:
    """The largest root mean square error of a table's cells, and the mean share of people in wrong cells."""
    squares: dict[int, list[float]] = {}
    shares = []
    for _ in range(draws):
        estimates = Estimates(table.domains, mechanism.protect(table, []).data)
        for number, columns in enumerate(cuboids):
            off = estimates.of(columns) - table.counts(columns)
            squares.setdefault(number, []).append(float((off**2).mean()))
            shares.append(float(np.abs(off).sum()) / (2 * len(table.kept)))
    return math.sqrt(max(float(np.mean(some)) for some in squares.values())), float(np.mean(shares))
