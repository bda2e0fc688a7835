"""Which datasets of a policy are about the same people: those that read the same file.

The label of a file is its number in the order in which the policy first reads it, so that a certificate can say which
datasets belong together without naming a file.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sharewell.io.sources import Source, same_file
from sharewell.policy.model import Dataset, Policy
from sharewell.roles import Role


def files_read(dataset: Dataset) -> Iterator[Path]:
    """Every file whose people the dataset publishes."""
    sources: list[Source | None] = [dataset.read, *dataset.reports.owners, dataset.demographics]
    yield from (source.path for source in sources if source is not None and source.path is not None)


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


def same_subject(first: Dataset, second: Dataset) -> bool:
    """Do two datasets call their persons by the same column? Then they may well be the same persons."""
    return bool(_subjects(first) & _subjects(second))


def _subjects(dataset: Dataset) -> set[str]:
    return {name for name, rule in dataset.columns.items() if rule.role is Role.SUBJECT}
