"""Columns sorted as numbers stand in the order that their texts have."""

import numpy as np
import pyarrow as pa
import pytest

from sharewell.content_order import content_order, stable_order
from sharewell.roles import Role
from sharewell.tables.engine.columns import encode
from sharewell.tables.engine.sorted_columns import (
    CodedColumn,
    PlainColumn,
    PseudonymColumn,
    SortableColumn,
    SortedColumns,
)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("names_first", [True, False])
def test_numbers_and_texts_give_one_order(seed: int, names_first: bool) -> None:
    draw, rows = np.random.default_rng(seed), 400
    raw = draw.integers(0, 256, (rows, 10)).astype(np.uint8)
    raw[:, :8] = raw[draw.integers(0, 9, rows), :8]  # names that differ in their last bytes alone
    raw[:, 9] = draw.integers(0, 2, rows)
    cells = draw.choice(["[9-10]", "[10-11]", "*", "é", ""], rows).tolist()
    columns: dict[str, SortableColumn] = {
        "name": PseudonymColumn(raw, draw.random(rows) < 0.9),
        "cell": CodedColumn(encode("cell", Role.QUASI, pa.array(cells), kind="cells")),
        "number": CodedColumn(encode("number", Role.QUASI, pa.array(draw.integers(5, 15, rows)))),
        "plain": PlainColumn(pa.array(draw.integers(0, 3, rows))),
    }
    columns = columns if names_first else dict(reversed(columns.items()))
    texts = pa.table({name: column.arrow() for name, column in columns.items()})
    found = SortedColumns(columns, rows)
    assert found.order.tolist() == content_order(texts).tolist()
    assert found.pick({name: name for name in columns}).equals(texts.take(pa.array(found.order)))


@pytest.mark.parametrize("width", [4, 8, 10, 20])
def test_pseudonyms_of_every_length_are_sorted_as_their_texts(width: int) -> None:
    draw = np.random.default_rng(width)
    raw = draw.integers(0, 2, (300, width)).astype(np.uint8)
    raw[:, : width // 2] = 1  # names that differ in their last bytes alone
    name = PseudonymColumn(raw, draw.random(300) < 0.9)
    assert SortedColumns({"name": name}, 300).order.tolist() == content_order(pa.table({"name": name.arrow()})).tolist()


@pytest.mark.parametrize("most", [1, 2**16, 2**17, 2**33, 2**49, 2**62])
def test_numbers_of_every_length_are_sorted_stably(most: int) -> None:
    for rows in (0, 1, 500):
        keys = np.random.default_rng(rows).integers(0, most, rows)
        keys[rows // 2 :] = keys[: rows - rows // 2]
        assert stable_order(keys).tolist() == np.argsort(keys, kind="stable").tolist()
