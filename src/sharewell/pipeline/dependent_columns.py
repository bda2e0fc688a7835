"""Columns of two datasets that determine each other: whoever knows how they go together reads one from the other.

A table by illness and a table by ICD code of the same patients are one table in two languages. No equation between
their cells says so, only common knowledge does; the data shows it to the steward.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sharewell.io.sources import Source, same_file
from sharewell.policy.model import Dataset
from sharewell.roles import Role

_SHOWN = (Role.QUASI, Role.SENSITIVE, Role.KEEP)


def dependent_columns(first: Dataset, second: Dataset) -> Iterator[tuple[str, str]]:
    """(column of the first, column of the second), where the value of one tells that of the other in every row.

    Only columns that the other dataset does not publish as well. O(rows · columns of one · columns of the other).
    """
    for ours, theirs in _same_files(first, second):
        mine = {name: ours.columns.get(name, name) for name in _published(first)}
        other = {name: theirs.columns.get(name, name) for name in _published(second)}
        apart = [name for name, source in mine.items() if source not in other.values()]
        beside = [name for name, source in other.items() if source not in mine.values()]
        if not apart or not beside:
            continue
        left, right = ours.read(apart), theirs.read(beside)
        codes = {name: _codes(right[name]) for name in beside}
        for name in apart:
            column = _codes(left[name])
            for facing, values in codes.items():
                if _determines(column, values):
                    yield name, facing


def _same_files(first: Dataset, second: Dataset) -> Iterator[tuple[Source, Source]]:
    for ours in (first.read, *first.own.more_rows()):
        for theirs in (second.read, *second.own.more_rows()):
            if ours.path is not None and theirs.path is not None and same_file(ours.path, theirs.path):
                yield ours, theirs


def _published(dataset: Dataset) -> list[str]:
    return [name for name, rule in dataset.columns.items() if rule.role in _SHOWN]


def _codes(column: Any) -> NDArray[np.int64]:
    encoded = column.combine_chunks().dictionary_encode()
    return np.asarray(encoded.indices.fill_null(len(encoded.dictionary)).to_numpy(zero_copy_only=False), np.int64)


def _determines(one: NDArray[np.int64], other: NDArray[np.int64]) -> bool:
    """Either of two columns by the other; a constant column tells nothing."""
    sizes = [len(np.unique(column)) for column in (one, other)]
    pairs = len(np.unique(one * (int(other.max(initial=0)) + 1) + other))
    return min(sizes) > 1 and pairs == max(sizes)
