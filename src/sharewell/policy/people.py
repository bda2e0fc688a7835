"""Which datasets of a policy are about the same people: those that read the same file, or share names of people.

The label of a file is its number in the order in which the policy first reads it, so that a certificate can say which
datasets belong together without naming a file. Columns that name persons have such labels too: datasets of other files
that call their persons alike may be about the same people. Where the data names the people, as the samples of DNA do,
a release compares the names: datasets with a name in common have a label in common. Names are never part of a label.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from sharewell.io.sources import same_file
from sharewell.policy.model import Dataset, Policy
from sharewell.protocols import NamesOfPeople
from sharewell.roles import Role
from sharewell.spelling import fold

Mark = TypeVar("Mark", bound=Hashable)


def files_read(dataset: Dataset) -> Iterator[Path]:
    """Every file whose people the dataset publishes."""
    yield from (source.path for source in (dataset.read, *dataset.own.people()) if source.path is not None)


Names = Mapping[str, NamesOfPeople | None]
"""Dataset → how its people are called; None where that is not compared."""


def labels_of_people(policy: Policy, names: Names) -> dict[str, list[int]]:
    """Dataset → the labels of the files it reads, and of the people whose names it shares with other datasets.

    A copy of a file has the label of the file.
    """
    known: list[Path] = []
    found: dict[str, list[int]] = {}
    for dataset in policy.datasets.values():
        labels = set()
        for path in files_read(dataset):
            label = next((i for i, other in enumerate(known) if same_file(path, other)), len(known))
            if label == len(known):
                known.append(path)
            labels.add(label)
        found[dataset.name] = sorted(labels)
    for name, label in _shared_names(names).items():
        found[name].append(len(known) + label)
    return found


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
    found: list[tuple[frozenset[Mark], list[str]]] = []
    for name, own in marks.items():
        mine = [group for group in found if not group[0].isdisjoint(own)]
        merged = (own.union(*(one for one, _ in mine)), [n for _, names in mine for n in names] + [name])
        found = [group for group in found if group not in mine] + [merged]
    return [names for _, names in found]


def labels_of_subjects(policy: Policy) -> dict[str, list[int]]:
    """Dataset → the labels of the names by which it calls its persons, here and in its file, however they are spelt.

    Two datasets with a label in common may well be about the same persons.
    """
    known: dict[str, int] = {}
    return {
        name: sorted({known.setdefault(fold(column), len(known)) for column in _subjects(dataset)})
        for name, dataset in policy.datasets.items()
    }


def _subjects(dataset: Dataset) -> list[str]:
    own = [name for name, rule in dataset.columns.items() if rule.role is Role.SUBJECT]
    return own + [dataset.read.columns[name] for name in own if name in dataset.read.columns]
