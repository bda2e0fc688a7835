"""Which datasets of a policy read the same table: one file, or copies of it in another order, form or spelling.

What decides is what the files hold (`sharewell.same_rows`), and where both name their persons, one row each, whether
these are the same persons. Columns of a copy are known by their names in the first of these files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.policy.model import Dataset, Policy
from sharewell.roles import Role
from sharewell.same_rows import columns_in_common, rows_in
from sharewell.spelling import folded


@dataclass(frozen=True)
class CopiedFiles:
    """The tables that a policy reads, copies counted once."""

    count: int
    labels: Mapping[str, list[int]]
    """Dataset → the numbers of the tables it reads."""
    columns: Mapping[str, Mapping[str, str]] = field(repr=False)
    """Dataset → column of the file it reads → the same column in the first file of that table, if called otherwise."""

    @classmethod
    def of(cls, policy: Policy) -> CopiedFiles:
        known: list[tuple[Dataset, Source]] = []
        labels: dict[str, list[int]] = {}
        columns: dict[str, dict[str, str]] = {}
        for dataset in policy.datasets.values():
            results = set()
            for source in (dataset.read, *dataset.own.people()):
                if source.path is None:
                    continue
                label, same = _known(dataset, source, known)
                if label == len(known):
                    known.append((dataset, source))
                if source is dataset.read:
                    columns[dataset.name] = {name: first for name, first in same.items() if name != first}
                results.add(label)
            labels[dataset.name] = sorted(results)
        return cls(len(known), labels, columns)

    def first_names(self, dataset: Dataset) -> dict[str, str]:
        """Column of the dataset → its name in the first file of the table, where it has another name there."""
        known = self.columns.get(dataset.name, {})
        in_file = {name: dataset.read.columns.get(name, name) for name in dataset.columns}
        return {name: known[there] for name, there in in_file.items() if there in known}


def _known(dataset: Dataset, source: Source, known: list[tuple[Dataset, Source]]) -> tuple[int, dict[str, str]]:
    """The number of the table, a new one if nobody read it before, and what its first file calls its columns."""
    for label, (other, first) in enumerate(known):
        same = columns_in_common(first, source)
        if same is not None:
            return label, same
        if _same_persons(dataset, source, other, first):
            return label, {}
    return len(known), {}


def _same_persons(dataset: Dataset, source: Source, other: Dataset, first: Source) -> bool:
    """Have both files one row for each of the same persons?"""
    if rows_in(source) != rows_in(first):
        return False
    ours, theirs = persons_in(dataset, source), persons_in(other, first)
    if ours is None or theirs is None or not len(ours):
        return False
    named, again = pc.unique(ours), pc.unique(theirs)
    one_row_each = len(named) == len(ours) and len(again) == len(theirs)
    return one_row_each and len(named) == len(again) and bool(pc.all(pc.is_in(named, value_set=again)).as_py())


def persons_in(dataset: Dataset, source: Source) -> pa.Array | None:
    """The person of every row, each in one spelling; None: the file does not name them. They stay in memory."""
    subject = next((name for name, rule in dataset.columns.items() if rule.role is Role.SUBJECT), None)
    if subject is None or source.is_dna:
        return None
    try:
        if subject not in source.names():
            return None
        pieces = [_spelt(piece[subject].combine_chunks()) for piece in source.batches([subject])]
    except (DataError, OSError):  # a file that cannot be read is said where it is used
        return None
    return pa.concat_arrays(pieces) if pieces else pa.array([], pa.string())


def _spelt(persons: pa.Array) -> pa.Array:
    coded = persons.cast(pa.string()).dictionary_encode()
    return folded(coded.dictionary).take(coded.indices)
