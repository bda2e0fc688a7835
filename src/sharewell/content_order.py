"""The order of rows by what they hold and by nothing else: the order of the source must leave no trace in a release."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Ints = NDArray[np.integer]


def content_order(table: pa.Table) -> NDArray[np.intp]:
    """Rows of an Arrow table by their first column, then by the next ones, missing values last; equal ones as they are.

    >>> content_order(pa.table({"sex": ["M", None, "F", "M"], "age": [31, 20, 40, 9]})).tolist()
    [2, 3, 0, 1]
    """
    keys = [ranks(table[name]) for name in table.column_names]
    order: NDArray[np.intp] = np.lexsort(keys[::-1]) if keys else np.zeros(0, dtype=np.intp)
    return order


def ranks(column: pa.Array | pa.ChunkedArray, as_written: bool = False) -> Ints:
    """The place of each value of an Arrow column among the distinct ones: by value and missing last.

    as_written: by how Python writes values, and missing first. Secret draws follow this order, so that it must not
    change: under the same key the same rows would draw other noise, and who has both releases could average it out.

    >>> column = pa.array([10, None, 9])
    >>> ranks(column).tolist(), ranks(column, as_written=True).tolist()
    ([1, 2, 0], [1, 0, 2])
    """
    kind = column.type
    if pa.types.is_nested(kind):  # Arrow has no order for lists and records; any fixed one will do
        column = pa.array([None if value is None else repr(value) for value in column.to_pylist()], pa.string())
    elif pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type if as_written else pa.string())
    elif pa.types.is_boolean(kind) and not as_written:
        column = column.cast(pa.string())
    elif pa.types.is_float16(kind):
        column = column.cast(pa.float32())
    encoded = pc.dictionary_encode(column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column)
    encoded = encoded.combine_chunks() if isinstance(encoded, pa.ChunkedArray) else encoded
    distinct = encoded.dictionary
    place = np.empty(len(distinct) + 1, dtype=np.min_scalar_type(len(distinct)))  # memory counts here
    if as_written:
        texts = [repr(value) for value in distinct.to_pylist()]
        place[sorted(range(len(texts)), key=texts.__getitem__)] = np.arange(1, len(texts) + 1)
        place[-1] = 0
    else:
        place[pc.sort_indices(distinct).to_numpy()] = np.arange(len(distinct))
        place[-1] = len(distinct)
    found: Ints = place[encoded.indices.fill_null(len(distinct)).to_numpy(zero_copy_only=False)]
    return found
