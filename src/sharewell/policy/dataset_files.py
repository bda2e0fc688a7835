"""The files that a dataset of a policy names, and where: its own, and those of its algorithms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sharewell.io.sources import Source, sources_in
from sharewell.io.yaml_positions import Path as Place
from sharewell.policy.model import Auto, Compare, ConfiguredAlgorithm, Dataset


def files_of(dataset: Dataset, path: Place) -> Iterator[tuple[Place, Source]]:
    """Every file of a dataset and where the policy names it."""
    yield (*path, "read"), dataset.read
    yield from (((*path, *key), source) for key, source in dataset.own.files())
    yield from (((*path, *key), source) for key, source in dataset.own.further_tables())
    yield from files_of_algorithms(dataset)


def files_of_algorithms(dataset: Dataset) -> Iterator[tuple[Place, Source]]:
    """Populations and other sources that algorithms name."""
    for one in algorithms_of(dataset):
        for name, value in one.parameters.items():
            yield from (((*one.at, name), source) for source in sources_in(value))


def algorithms_of(dataset: Dataset) -> tuple[ConfiguredAlgorithm[Any], ...]:
    """Every algorithm that a dataset names, those that are only compared too."""
    compared = dataset.compare or Compare()
    also = (*(one for some in compared.require for one in some), *compared.using)
    mechanisms = dataset.using.built.candidates if isinstance(dataset.using.built, Auto) else (dataset.using,)
    return (*dataset.require, *mechanisms, *dataset.attacks, *dataset.utility, *also)
