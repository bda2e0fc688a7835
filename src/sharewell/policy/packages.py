"""Which algorithms a policy names, and so which packages its work needs: asked before any of it begins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sharewell.extras import refuse_missing
from sharewell.io.sources import Source
from sharewell.policy.model import Auto, ConfiguredAlgorithm, Dataset, Policy


@dataclass(frozen=True)
class _Reader:
    """What reads a file of DNA."""

    packages: tuple[str, ...] = ("cyvcf2",)


def refuse_missing_packages(policy: Policy) -> None:
    refuse_missing(pair for dataset in policy.datasets.values() for pair in _algorithms(dataset))


def _algorithms(dataset: Dataset) -> Iterator[tuple[str, Any]]:
    yield from _readers(dataset.read)
    rules = dataset.columns.values()
    in_columns = [
        *(rule.using for rule in rules if rule.using is not None),
        *(o for rule in rules for o in rule.require),
    ]
    for item in (dataset.using, *dataset.require, *dataset.attacks, *dataset.utility, *in_columns):
        yield from _parts(item)
    if dataset.extract is not None:
        yield from _algorithms(dataset.extract)


def _parts(item: ConfiguredAlgorithm) -> Iterator[tuple[str, Any]]:
    if isinstance(item.built, Auto):
        for candidate in item.built.candidates:
            yield from _parts(candidate)
        return
    yield item.name, item.built
    for source in vars(item.built).values() if hasattr(item.built, "__dict__") else ():
        yield from _readers(source)
    for rung in item.rungs:
        yield from _parts(rung)


def _readers(source: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(source, Source) and source.format == "vcf":
        yield source.label, _Reader()
