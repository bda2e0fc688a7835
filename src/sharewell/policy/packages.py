"""Which algorithms a policy names, and so which packages its work needs: asked before any of it begins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sharewell.extras import NeedsPackages, refuse_missing
from sharewell.io.sources import Source
from sharewell.parameters import values_of
from sharewell.policy.model import Auto, Configured, Dataset, Policy


@dataclass(frozen=True)
class _Reader:
    """What reads a file of DNA."""

    packages: tuple[str, ...] = ("cyvcf2",)


def refuse_missing_packages(policy: Policy) -> None:
    refuse_missing(pair for dataset in policy.datasets.values() for pair in _algorithms(dataset))


def _algorithms(dataset: Dataset) -> Iterator[tuple[str, NeedsPackages]]:
    yield from _readers(dataset.read)
    named: list[Configured] = [dataset.using, *dataset.require, *dataset.attacks, *dataset.utility]
    for rule in dataset.columns.values():
        named += [*rule.require, *([] if rule.using is None else [rule.using])]
    for item in named:
        yield from _parts(item)
    if dataset.extract is not None:
        yield from _algorithms(dataset.extract)


def _parts(item: Configured) -> Iterator[tuple[str, NeedsPackages]]:
    if isinstance(item.built, Auto):
        for candidate in item.built.candidates:
            yield from _parts(candidate)
        return
    yield item.name, item.built
    for source in values_of(item.built).values():
        yield from _readers(source)
    for rung in item.rungs:
        yield from _parts(rung)


def _readers(source: object) -> Iterator[tuple[str, NeedsPackages]]:
    if isinstance(source, Source) and source.format == "vcf":
        yield source.label, _Reader()
