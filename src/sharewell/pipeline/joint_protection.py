"""Datasets that are protected together: each by itself first, then all of them by the joint mechanism."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sharewell import registry
from sharewell.errors import Infeasible, SharewellError
from sharewell.findings import Finding, float_of
from sharewell.io.sources import Source
from sharewell.keys import Key
from sharewell.pipeline.mechanism_choice import Chosen
from sharewell.plain_data import JsonObject
from sharewell.policy.algorithms import usual_measure
from sharewell.policy.model import ConfiguredAlgorithm, Dataset, PersonTie
from sharewell.protocols import (
    JointlyProtected,
    PersonFacts,
    Protected,
    ProtectedDataset,
    PublishedDataset,
    RemovedFacts,
)
from sharewell.spelling import fold
from sharewell.wing import Wing


@dataclass(frozen=True)
class Prepared:
    """One dataset, protected by itself and not yet written: what a joint mechanism works on."""

    dataset: Dataset
    wing: Wing[Any]
    original: Any
    key: Key
    chosen: Chosen[Any]
    details: JsonObject = field(default_factory=dict)
    """What the joint mechanism did to all datasets."""

    @property
    def kind(self) -> str:
        return self.dataset.kind

    def facts(self) -> PersonFacts | None:
        reader = self.wing.capabilities().facts
        found = None if reader is None else reader.person_facts(self.chosen.protected.data)
        if found is None:
            return None
        persons = [None if person is None else fold(person) or None for person in found.persons]
        return replace(found, persons=persons)

    def without_facts(self, removed: RemovedFacts, records: NDArray[np.bool_]) -> Prepared:
        reader = self.wing.capabilities().facts
        assert reader is not None
        return self._with(reader.without_facts(self.chosen.protected, removed, records))

    def coarser(self, k: int) -> Prepared | None:
        if not self.wing.sized_by:
            return None
        criterion = registry.lookup(self.kind, "criteria", self.wing.sized_by)(k)
        asked = ConfiguredAlgorithm(criterion.name, {"k": k}, criterion)
        dataset = replace(self.chosen.dataset, require=(*self.chosen.dataset.require, asked))
        try:
            protected: Protected[Any] = self.wing.protect(self.original, dataset, self.key)
        except Infeasible:
            return None
        return self._with(protected)

    def broken(self) -> list[str]:
        """Criteria that look at evidence the release has not written yet are left to the verifier."""
        data, names = self.chosen.protected.data, []
        for one in self.chosen.dataset.require:
            with suppress(SharewellError):
                if one.built.check(data).failed:
                    names.append(one.name)
        return names

    def loss(self) -> float:
        measure = registry.lookup(self.kind, "utility", usual_measure(self.kind))()
        value = float_of(measure.score(self.original, self.chosen.protected.data))
        return 0.0 if value is None else min(1.0, max(0.0, value))

    def _with(self, protected: Protected[Any]) -> Prepared:
        return replace(self, chosen=replace(self.chosen, protected=protected))


def protect_jointly(
    person: PersonTie, prepared: Mapping[str, Prepared]
) -> tuple[dict[str, Prepared], JointlyProtected]:
    """The datasets that the joint criteria speak of, as the joint mechanism leaves them."""
    assert person.using is not None
    must = [one.built for one in person.require]
    datasets: dict[str, ProtectedDataset] = dict(prepared)
    done = person.using.built.protect(datasets, must, person.table)
    return {name: one for name, one in done.datasets.items() if isinstance(one, Prepared)}, done


def judged(person: PersonTie, prepared: Mapping[str, Prepared]) -> Iterator[Finding]:
    """The joint criteria, on datasets in memory."""
    published = [
        PublishedDataset(name, one.chosen.protected.data, Source(), one.kind) for name, one in prepared.items()
    ]
    for one in person.require:
        yield one.built.check(one.built.relevant(published))
