"""Cells name no value that only withheld rows have."""

from __future__ import annotations

import random

import numpy as np
import pyarrow as pa
import pytest

from sharewell.cells import Interval, Set
from sharewell.hierarchy import Tree
from sharewell.tables import KAnonymity, Mondrian, Table
from sharewell.tables.engine.shown_values import with_shown_values


def people(draw: random.Random, count: int) -> pa.Table:
    towns = ["Ulm", "Bonn", "Kiel", "Hof", "Jena", ""]
    return pa.table(
        {
            "town": [draw.choice(towns) for _ in range(count)],
            "age": [str(draw.randint(20, 40)) for _ in range(count)],
            "born": [f"19{draw.randint(50, 60)}-01-02" for _ in range(count)],
        }
    )


@pytest.mark.parametrize("seed", range(30))
def test_sets_and_ranges_name_published_values_alone(seed: int) -> None:
    draw = random.Random(seed)
    original = Table.of(people(draw, 16), quasi=["town", "age", "born"])
    done = Mondrian().protect(original, [KAnonymity(3)])
    kept = np.array(sorted(draw.sample(range(16), 9)), dtype=np.intp)
    before, rows = done.data.take(kept), done.rows[kept]
    after = with_shown_values(before, original, rows)
    for old, new in zip(before.quasi, after.quasi, strict=True):
        source = original.columns[old.name]
        published = {source.texts[code] for code in source.codes[rows]} | {""}  # what is missing is no value
        for row in range(after.rows):
            cell, was = new.cells[new.codes[row]], old.cells[old.codes[row]]
            value = source.texts[source.codes[rows[row]]]
            if isinstance(was, Set):
                left = set(getattr(cell, "members", None) or [cell.value])  # type: ignore[union-attr]
                assert value in left
                assert left == set(was.members) & published
            elif isinstance(was, Interval):
                low, high = (cell.low, cell.high) if isinstance(cell, Interval) else (cell.value, cell.value)  # type: ignore[union-attr]
                inside = sorted(one for one in published if one and was.low <= one <= was.high)
                assert (low, high) == (inside[0], inside[-1])
                assert low <= value <= high
            else:
                assert cell == was


def test_labels_of_a_hierarchy_and_whole_releases_stay() -> None:
    tree = Tree([["Ulm", "South", "*"], ["Xanadu", "South", "*"], ["Kiel", "North", "*"]])
    original = Table.of(pa.table({"town": ["Ulm", "Xanadu", "Kiel"]}), quasi=["town"], hierarchies={"town": tree})
    released = Table.of(pa.table({"town": ["South", "North"]}), quasi=["town"], published=True)
    assert with_shown_values(released, original, np.array([0, 2])).quasi[0].texts == released.quasi[0].texts
    plain = Table.of(pa.table({"town": ["{Ulm,Xanadu}"] * 2}), quasi=["town"], published=True)
    both = Table.of(pa.table({"town": ["Ulm", "Xanadu"]}), quasi=["town"])
    assert with_shown_values(plain, both, np.array([0, 1])) is plain
