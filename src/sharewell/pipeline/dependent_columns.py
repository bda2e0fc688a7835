"""Columns of two datasets that determine each other: whoever knows how they go together reads one from the other.

A table by illness and a table by ICD code of the same patients are one table in two languages. No equation between
their cells says so, only common knowledge does; the data shows it to the steward. Of an earlier release only the names
of its columns are known: the file of the new one tells, if it still has them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.io.sources import DNA, Source, same_file
from sharewell.plain_data import Json
from sharewell.policy.model import Dataset
from sharewell.roles import Role
from sharewell.spelling import fold

_SHOWN = (Role.QUASI, Role.SENSITIVE, Role.KEEP)


@dataclass(frozen=True)
class ColumnsFile:
    """A file of a dataset, with the names that columns have in it."""

    source: Source
    also: Mapping[str, str]
    """Column of this file → the folded name of the same column in the first file of the dataset."""

    def spellings(self) -> dict[str, list[str]]:
        """Folded name → the columns of the file that bear it."""
        results: dict[str, list[str]] = {}
        for name in self.source.names():
            for folded in {fold(name), self.also.get(name, fold(name))}:
                results.setdefault(folded, []).append(name)
        return results


@dataclass(frozen=True)
class PublishedColumns:
    """The columns that a dataset publishes, and the files in which it can be seen how they go together."""

    names: Mapping[str, str]
    """As the policy calls them → the name in the file that they come from, folded."""
    files: tuple[ColumnsFile, ...] = ()

    @classmethod
    def of(cls, dataset: Dataset, first_names: Mapping[str, str] | None = None) -> PublishedColumns:
        """first_names: column → its name in the file of which the dataset reads a copy, if that is another one."""
        shown = [name for name, rule in dataset.columns.items() if rule.role in _SHOWN]
        in_file = {**dataset.read.columns, **(first_names or {})}
        names = {name: fold(in_file.get(name, name)) for name in shown}
        files = [
            ColumnsFile(source.by_file_names(), _other_names(source, names))
            for source in (dataset.read, *dataset.own.more_rows())
            if source.format not in DNA
        ]
        return cls(names, tuple(files))

    @classmethod
    def of_earlier(cls, asked: Mapping[str, Json]) -> PublishedColumns:
        """asked: what the policy that its certificate embeds says of the dataset. Its file is not at hand."""
        renamed = asked.get("renamed", {})
        shown = [name for name, facts in asked["columns"].items() if facts["role"] in _SHOWN]
        return cls({name: fold(str(renamed.get(name, name))) for name in shown})


def _other_names(source: Source, names: Mapping[str, str]) -> dict[str, str]:
    """Columns of the file that are known by another name."""
    in_file = {source.columns.get(name, name): folded for name, folded in names.items()}
    return {there: folded for there, folded in in_file.items() if fold(there) != folded}


def dependent_columns(first: PublishedColumns, second: PublishedColumns) -> Iterator[tuple[str, str, bool]]:
    """(column of the first, column of the second, True), where the value of one tells that of the other in every row.

    False: no file has both, so nobody can tell; these come last. Only columns that the other dataset does not publish
    as well. O(rows · columns of one · columns of the other) for each file.
    """
    apart = {name: source for name, source in first.names.items() if source not in second.names.values()}
    beside = {name: source for name, source in second.names.items() if source not in first.names.values()}
    unseen = dict.fromkeys(product(apart, beside))
    for file in _each_once((*first.files, *second.files)) if unseen else ():
        spellings = file.spellings()
        ours = {name: spellings[source] for name, source in apart.items() if source in spellings}
        theirs = {name: spellings[source] for name, source in beside.items() if source in spellings}
        if not ours or not theirs:
            continue
        wanted = dict.fromkeys(name for names in (*ours.values(), *theirs.values()) for name in names)
        table = file.source.read(list(wanted))
        codes = {name: _codes(table[name]) for name in wanted}
        for one, other in product(ours, theirs):
            unseen.pop((one, other), None)
            if any(_determines(codes[a], codes[b]) for a, b in product(ours[one], theirs[other])):
                yield one, other, True
    for one, other in unseen:
        yield one, other, False


def _each_once(files: Sequence[ColumnsFile]) -> list[ColumnsFile]:
    """Without copies whose columns are called the same."""
    results: list[ColumnsFile] = []
    for one in files:
        if not any(one.also == other.also and _same(one.source, other.source) for other in results):
            results.append(one)
    return results


def _same(one: Source, other: Source) -> bool:
    return one.path is not None and other.path is not None and same_file(one.path, other.path)


def _codes(column: pa.ChunkedArray) -> NDArray[np.int64]:
    encoded = column.combine_chunks().dictionary_encode()
    return np.asarray(encoded.indices.fill_null(len(encoded.dictionary)).to_numpy(zero_copy_only=False), np.int64)


def _determines(one: NDArray[np.int64], other: NDArray[np.int64]) -> bool:
    """Either of two columns by the other; a constant column tells nothing."""
    sizes = [len(np.unique(column)) for column in (one, other)]
    pairs = len(np.unique(one * (int(other.max(initial=0)) + 1) + other))
    return min(sizes) > 1 and pairs == max(sizes)
