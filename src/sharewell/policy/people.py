"""Which datasets of a policy are about the same people: those that read the same file, or share names of people.

The label of a file is its number in the order in which the policy first reads it, so that a certificate can say which
datasets belong together without naming a file. Columns that name persons have such labels too: datasets of other files
that call their persons alike may be about the same people. Where the data names the people, as the samples of DNA do,
a release compares the names: datasets with a name in common have a label in common. Names are never part of a label.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from sharewell.io.sources import same_file
from sharewell.policy.model import Dataset, Policy
from sharewell.protocols import NamesOfPeople
from sharewell.roles import Role
from sharewell.spelling import fold


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
    groups: list[tuple[set[str], list[str]]] = []
    for name, one in names.items():
        if one is None:
            continue
        mine, datasets, apart = {*one.counted, *one.also}, [name], []
        for group in groups:
            if group[0].isdisjoint(one.counted) and group[0].isdisjoint(one.also):
                apart.append(group)
            else:
                mine, datasets = mine | group[0], [*group[1], *datasets]
        groups = [*apart, (mine, datasets)]
    several = [datasets for _, datasets in groups if len(datasets) > 1]
    return {name: label for label, datasets in enumerate(several) for name in datasets}


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
