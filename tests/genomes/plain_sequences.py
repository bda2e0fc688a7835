"""Sequences for tests of their distances and pairs, and distances by their definition."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from sharewell.genomes import lattice_distance
from sharewell.genomes.engine.iupac_lattice import SYMBOLS, Codes, write

texts = st.integers(1, 6).flatmap(
    lambda long: st.lists(st.text(SYMBOLS[1:], min_size=long, max_size=long), min_size=2, max_size=40, unique=True)
)


def descended(count: int, places: int, mutations: float, seed: int, symbols: int = 7) -> Codes:
    """Different sequences, each that of an earlier one with some mutations: many are equally near."""
    draw = np.random.default_rng(seed)
    rows = [draw.choice(np.array([1, 2, 4, 8], dtype=np.uint8), places)]
    for _ in range(2 * count):
        row = rows[draw.integers(0, len(rows))].copy()
        changed = draw.integers(0, places, draw.poisson(mutations))
        row[changed] = draw.choice(np.array([1, 2, 4, 8, 15, 16, 5][:symbols], dtype=np.uint8), len(changed))
        rows.append(row)
    return np.unique(np.array(rows), axis=0)[:count]


def star(count: int) -> Codes:
    """One sequence, and others that differ from it in one place: each of them is as far from all others."""
    rows = np.ones((count, count), dtype=np.uint8)
    np.fill_diagonal(rows[1:, 1:], 2)
    return rows


def apart(codes: Codes, gap: Any) -> NDArray[np.int64]:
    names = [write(row) for row in codes]
    return np.array([[lattice_distance(one, other, gap) for other in names] for one in names], dtype=np.int64)
