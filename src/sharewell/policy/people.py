"""Which datasets of a policy are about the same people: those that read the same file, or share names of people.

The label of a file is its number in the order in which the policy first reads it, so that a certificate can say which
datasets belong together without naming a file. Columns that name persons have such labels too: datasets of other files
that call their persons alike, or name a person in common, may be about the same people. Where the data names the
people, as the samples of DNA do, a release compares the names: datasets with a name in common have a label in common.
Names are never part of a label.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import combinations
from typing import TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from sharewell.policy.copied_files import CopiedFiles
from sharewell.policy.model import Dataset, Policy
from sharewell.protocols import NamesOfPeople
from sharewell.roles import Role
from sharewell.spelling import fold, folded

Mark = TypeVar("Mark", bound=Hashable)


Names = Mapping[str, NamesOfPeople | None]
"""Dataset → how its people are called; None where that is not compared."""


def labels_of_people(policy: Policy, names: Names, copied: CopiedFiles | None = None) -> dict[str, list[int]]:
    """Dataset → the labels of the files it reads, and of the people whose names it shares with other datasets.

    A copy of a file has the label of the file.
    """
    copied = CopiedFiles.of(policy) if copied is None else copied
    results = {name: list(labels) for name, labels in copied.labels.items()}
    for name, label in _shared_names(names).items():
        results[name].append(copied.count + label)
    return results


def labels_of_counted(names: Names) -> dict[str, int]:
    """Dataset → the label of exactly the people whom it counts."""
    known: dict[frozenset[str], int] = {}
    return {name: known.setdefault(one.counted, len(known)) for name, one in names.items() if one is not None}


def _shared_names(names: Names) -> dict[str, int]:
    """Dataset → the label of its people, of those that share a name with another, directly or through a third."""
    called = {name: one.counted | one.also for name, one in names.items() if one is not None}
    several = [datasets for datasets in connected(called) if len(datasets) > 1]
    return {name: label for label, datasets in enumerate(several) for name in datasets}


def connected(marks: Mapping[str, frozenset[Mark]]) -> list[list[str]]:
    """Datasets that have a mark in common, directly or through another one; a dataset alone is a group of its own.

    >>> connected({"ward": frozenset({0}), "staff": frozenset({2}), "costs": frozenset({0, 1})})
    [['staff'], ['ward', 'costs']]
    """
    results: list[tuple[frozenset[Mark], list[str]]] = []
    for name, own in marks.items():
        mine = [group for group in results if not group[0].isdisjoint(own)]
        merged = (own.union(*(one for one, _ in mine)), [n for _, names in mine for n in names] + [name])
        results = [group for group in results if group not in mine] + [merged]
    return [names for _, names in results]


def labels_of_subjects(policy: Policy, names: Names | None = None) -> dict[str, list[int]]:
    """Dataset → the labels of the names by which it calls its persons, here and in its file, however they are spelt.

    Two datasets with a label in common may well be about the same persons. Columns of other names have one label if
    they name a person in common. names: those of people without a column, as the samples of DNA; they have a label
    where they are the persons of another dataset.
    """
    columns = {name: [fold(column) for column in _subjects(dataset)] for name, dataset in policy.datasets.items()}
    samples = {name: one for name, one in (names or {}).items() if one is not None and not columns[name]}
    called = {name for name, one in (names or {}).items() if one is not None}
    columns |= {name: [f"\0{name}"] for name in samples}
    same = {column: column for called in columns.values() for column in called}
    persons = {name: pa.array(sorted(one.counted | one.also), pa.string()) for name, one in samples.items()}
    for first, second in combinations((name for name, called in columns.items() if called), 2):
        mine, theirs = ({same[column] for column in columns[name]} for name in (first, second))
        by_names = {first, second} <= called and not samples.keys().isdisjoint((first, second))
        if mine & theirs or by_names:  # `labels_of_people` compares these
            continue
        for name in (first, second):
            if name not in persons:
                persons[name] = persons_of(policy.datasets[name])
        if pc.any(pc.is_in(persons[first], value_set=persons[second])).as_py():
            one = same[columns[first][0]]
            same = {column: one if called in mine | theirs else called for column, called in same.items()}
    shared = {same[column] for name, called in columns.items() if name not in samples for column in called}
    for name in samples:
        columns[name] = [column for column in columns[name] if same[column] in shared]
    known: dict[str, int] = {}
    return {
        name: sorted({known.setdefault(same[column], len(known)) for column in called})
        for name, called in columns.items()
    }


def persons_of(dataset: Dataset) -> pa.Array:
    """The persons whom the files of a dataset name, each in one spelling. They stay in memory."""
    subject = next(name for name, rule in dataset.columns.items() if rule.role is Role.SUBJECT)
    result = pa.array([], pa.string())
    for source in (dataset.read, *dataset.own.people()):
        if source.is_dna or subject not in source.names():
            continue
        for piece in source.batches([subject]):
            named = pc.unique(piece[subject].cast(pa.string())).drop_null()
            result = pc.unique(pa.concat_arrays([result, folded(named)]))
    return result.filter(pc.not_equal(result, ""))


def _subjects(dataset: Dataset) -> list[str]:
    own = [name for name, rule in dataset.columns.items() if rule.role is Role.SUBJECT]
    return own + [dataset.read.columns[name] for name in own if name in dataset.read.columns]
