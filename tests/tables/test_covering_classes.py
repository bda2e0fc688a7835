"""Which classes cover a target: rows of bits and a walk through all classes say the same."""

from functools import partial

import numpy as np
import pyarrow as pa
import pytest

from sharewell.protocols import Truth
from sharewell.tables import KAnonymity, Mondrian, Table
from sharewell.tables.engine.attackers.covering_classes import Covering, covering
from sharewell.tables.engine.cell_matching import Cover, Missing, fitting


def table(rows: int, seed: int) -> Table:
    draw = np.random.default_rng(seed)
    ages = [None if age > 80 else int(age) for age in draw.integers(0, 90, rows)]
    towns = draw.choice(["Ulm", "Bonn", "Trier", ""], rows)
    frame = pa.table({"age": ages, "town": towns, "who": [f"p{i}" for i in draw.integers(0, rows // 2 + 1, rows)]})
    return Table.of(frame, quasi=["age", "town"], subject="who")


@pytest.mark.parametrize("missing", ["own", "wildcard"])
@pytest.mark.parametrize("rows", [1, 63, 64, 300])
def test_bits_and_a_walk_find_the_same_pairs(rows: int, missing: Missing) -> None:
    original = table(rows, seed=rows)
    done = Mondrian().protect(original, [KAnonymity(1)])
    released, truth, targets = done.data, done.truth(original), np.arange(done.data.rows)[::-1]
    true = [original.columns[name].take(truth.rows[targets]) for name in ("age", "town")]
    first = released.classes.order[released.classes.starts[:-1]]
    cells = np.stack([column.codes[first] for column in released.quasi])
    walked = fitting(released.quasi, true, cells, partial(Cover, missing=missing))
    expected = {(int(c), int(t)) for which, fit in walked for c in which for t in fit}
    found = covering(released, truth, targets, missing)
    assert list(zip(found.owner.tolist(), found.target.tolist(), strict=True)) == sorted(expected)


def test_sums_for_each_target_and_own_records_in_the_class() -> None:
    frame = pa.table({"age": ["a", "a", "b", "b"], "who": ["x", None, "x", "y"]})
    released = Table.of(frame, quasi=["age"], subject="who", published=True)
    persons = np.array([0, -1, 0, 1])
    pairs = Covering(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]), 3)
    assert pairs.includes_own(released.classes, persons, np.array([0, 1, 1])).tolist() == [True, False, True, True]
    assert pairs.per_target(np.array([1, 2, 3, 4])).tolist() == [4, 6, 0]


def test_without_quasi_columns_the_one_class_covers_everybody() -> None:
    original = Table.of(pa.table({"who": ["x", "y"], "ill": ["a", "b"]}), quasi=[], sensitive=["ill"], subject="who")
    found = covering(original, Truth(original, np.arange(2)), np.array([1]))
    assert (found.owner.tolist(), found.target.tolist()) == ([0], [0])
