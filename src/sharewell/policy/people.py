"""Which datasets of a policy are about the same people: those that read the same file.

The label of a file is its number in the order in which the policy first reads it, so that a certificate can say which
datasets belong together without naming a file. Columns that name persons have such labels too: datasets of other files
that call their persons alike may be about the same people.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sharewell.io.sources import same_file
from sharewell.policy.model import Dataset, Policy
from sharewell.roles import Role


def files_read(dataset: Dataset) -> Iterator[Path]:
    """Every file whose people the dataset publishes."""
    yield from (source.path for source in (dataset.read, *dataset.own.people()) if source.path is not None)


def labels_of_people(policy: Policy) -> dict[str, list[int]]:
    """Dataset → the labels of the files it reads; a copy of a file has the label of the file."""
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
    return found


def labels_of_subjects(policy: Policy) -> dict[str, list[int]]:
    """Dataset → the labels of the names by which it calls its persons, here and in its file.

    Two datasets with a label in common may well be about the same persons.
    """
    known: dict[str, int] = {}
    return {
        name: sorted({known.setdefault(column, len(known)) for column in _subjects(dataset)})
        for name, dataset in policy.datasets.items()
    }


def _subjects(dataset: Dataset) -> list[str]:
    own = [name for name, rule in dataset.columns.items() if rule.role is Role.SUBJECT]
    return own + [dataset.read.columns[name] for name in own if name in dataset.read.columns]
