"""The order of rows by what they hold and by nothing else: the order of the source must leave no trace in a release."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Ints = NDArray[np.integer]
_RADIX_BITS = 48
"""Longer numbers are sorted by comparing them, which takes less time than four passes."""

KeyOf = Callable[[NDArray[np.intp] | None], Ints]
"""Numbers by which some rows are ordered, or all rows for None: equal for rows that are equal."""


def content_order(table: pa.Table) -> NDArray[np.intp]:
    """Rows of an Arrow table by their first column, then by the next ones, missing values last; equal ones as they are.

    >>> content_order(pa.table({"sex": ["M", None, "F", "M"], "age": [31, 20, 40, 9]})).tolist()
    [2, 3, 0, 1]
    """
    return order_by([partial(_ranks_among, column) for column in table.columns], table.num_rows)


def order_by(keys: Iterable[KeyOf], rows: int) -> NDArray[np.intp]:
    """Rows by the first key, those that are equal by the next one, and so on: most keys are looked at for few rows."""
    order = np.arange(rows)
    differs = order == 0  # from the row before
    for key_of in keys:
        tied = np.flatnonzero(~differs | ~np.append(differs[1:], True))
        if not len(tied):
            break
        every = len(tied) == rows and not differs[1:].any()
        among = order if every else order[tied]
        key = key_of(None if every else among)
        within = stable_order(key)
        if not every:
            within = within[stable_order(np.cumsum(differs[tied])[within])]
        order[tied], key = among[within], key[within]
        differs[tied[1:]] |= key[1:] != key[:-1]
    return order


def stable_order(key: Ints) -> NDArray[np.intp]:
    """The stable order of whole numbers from 0, 16 bits at a time from the lowest: numpy sorts those in O(n).

    >>> stable_order(np.array([70000, 3, 70000, 0])).tolist()
    [3, 1, 0, 2]
    """
    bits = int(key.max(initial=0)).bit_length()
    if bits > _RADIX_BITS:
        return np.argsort(key, kind="stable")
    order = np.argsort(key.astype(np.uint16), kind="stable")
    for shift in range(16, bits, 16):
        order = order[np.argsort((key[order] >> shift).astype(np.uint16), kind="stable")]
    return order


def _ranks_among(column: pa.ChunkedArray, rows: NDArray[np.intp] | None) -> Ints:
    return ranks(column if rows is None else column.take(pa.array(rows)))


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
    result: Ints = place[encoded.indices.fill_null(len(distinct)).to_numpy(zero_copy_only=False)]
    return result
