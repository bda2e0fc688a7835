"""Datasets that are protected together: each by itself first, then all of them by the joint mechanism."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sharewell import registry
from sharewell.errors import Infeasible, SharewellError
from sharewell.findings import Finding, float_of
from sharewell.io.sources import Source
from sharewell.keys import Key
from sharewell.pipeline.mechanism_choice import Chosen
from sharewell.pipeline.text_columns import shown_cells, values_shown
from sharewell.plain_data import JsonObject
from sharewell.policy.algorithms import usual_measure
from sharewell.policy.model import Auto, ConfiguredAlgorithm, Dataset, PersonTie, Using
from sharewell.protocols import (
    AnyCriterion,
    JointlyProtected,
    PersonFacts,
    Protected,
    ProtectedDataset,
    PublishedDataset,
    RemovedFacts,
)
from sharewell.record_owners import RecordOwners
from sharewell.spelling import folded
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
    asked: Using | None = None
    """The mechanism as the policy names it, where another one stands in for it meanwhile."""

    @property
    def kind(self) -> str:
        return self.dataset.kind

    def facts(self) -> PersonFacts | None:
        return self._facts

    @cached_property
    def _facts(self) -> PersonFacts | None:
        return self._folded(self.chosen.protected.data)

    def _folded(self, data: Any) -> PersonFacts | None:
        """With names of persons that look alike as one."""
        reader = self.wing.capabilities().facts
        result = None if reader is None else reader.person_facts(data)
        if result is None:
            return None
        owners = RecordOwners.of(result.persons)
        folds = folded(owners.names.fill_null(""))
        names = pc.if_else(pc.equal(folds, ""), pa.scalar(None, pa.string()), folds)
        return replace(result, persons=owners.renamed(names))

    def too_few(self) -> NDArray[np.bool_] | None:
        reader = self.wing.capabilities().facts
        criteria = [one.built for one in self.chosen.dataset.require]
        return None if reader is None else reader.too_few(self.chosen.protected.data, criteria)

    def without_facts(
        self, removed: RemovedFacts, records: NDArray[np.bool_], coarser: NDArray[np.int64] | None = None
    ) -> Prepared:
        marks = [*removed.values(), records, *([] if coarser is None else [coarser >= 0])]
        if not any(one.any() for one in marks):
            return self
        reader = self.wing.capabilities().facts
        assert reader is not None
        return self._with(reader.without_facts(self.chosen.protected, removed, records, coarser, self.key))

    def agreeing(self, table: Prepared, judge: AnyCriterion) -> Prepared:
        reader = self.wing.capabilities().text_reader
        facts, own = table.facts(), self.facts_before()
        assert reader is not None, "only notes are held against a table"
        if facts is None or own is None:
            raise Infeasible(
                f"{self.dataset.name} — it does not say whose its notes are, or whose the rows of the table are"
            )
        names = judge.beside_text or ()
        shown = shown_cells(table.wing, table.chosen.protected, table.chosen.dataset, names)
        row_of = {person: i for i, person in enumerate(facts.persons) if person is not None}
        rows = [row_of.get(person, -1) if person is not None else -1 for person in own.persons]
        beside = {name: [cells[row] if row >= 0 else "" for row in rows] for name, cells in shown.items()}
        values = values_shown(table.chosen.dataset, shown)
        mechanism = reader.agreeing(self.chosen.dataset.mechanism, judge, self.original, beside, values)
        dataset = replace(self.chosen.dataset, using=replace(self.chosen.dataset.using, built=mechanism))
        return self._with(self.wing.protect(self.original, dataset, self.key))

    def facts_before(self) -> PersonFacts | None:
        """What the original shows of its persons."""
        return self._folded(self.original)

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
        return self._loss

    @cached_property
    def _loss(self) -> float:
        measure = registry.lookup(self.kind, "utility", usual_measure(self.kind))()
        value = float_of(measure.score(self.original, self.chosen.protected.data))
        if value is None:
            return 0.0
        share = min(1.0, max(0.0, value))
        return 1 - share if measure.sense == "≥" else share

    def as_asked(self) -> Prepared:
        """With the mechanism that the policy names."""
        if self.asked is None:
            return self
        return replace(self, chosen=replace(self.chosen, dataset=replace(self.chosen.dataset, using=self.asked)))

    def _with(self, protected: Protected[Any]) -> Prepared:
        return replace(self, chosen=replace(self.chosen, protected=protected))


def remembering(dataset: Dataset, wing: Wing[Any], person: PersonTie | None) -> tuple[Dataset, Using | None]:
    """A dataset of texts that must agree with a table, with a mechanism that does so at little cost; and the one asked.

    The dataset as it is, and None, where no joint criterion asks for that, or the mechanism is still to be chosen.
    """
    held = (
        {name for one in person.require if one.built.of_rows for name in one.built.named_datasets[1:]} if person else ()
    )
    reader = wing.capabilities().text_reader
    if dataset.name not in held or reader is None or isinstance(dataset.using.built, Auto):
        return dataset, None
    built = reader.remembering(dataset.using.built)
    return replace(dataset, using=replace(dataset.using, built=built)), dataset.using


def protect_jointly(
    person: PersonTie, prepared: Mapping[str, Prepared]
) -> tuple[dict[str, Prepared], JointlyProtected | None]:
    """The datasets that the joint criteria speak of, as the joint mechanism leaves them.

    Without one, texts are made to agree with the table, and nothing else is done.
    """
    criteria = [one.built for one in person.require]
    if person.using is None:
        left = dict(prepared)
        for one in criteria:
            if one.of_rows is not None:
                table, texts = one.named_datasets
                left[texts] = left[texts].agreeing(left[table], one.of_rows)
        return {name: one.as_asked() for name, one in left.items()}, None
    datasets: dict[str, ProtectedDataset] = dict(prepared)
    done = person.using.built.protect(datasets, criteria, person.table)
    return {name: one.as_asked() for name, one in done.datasets.items() if isinstance(one, Prepared)}, done


def judged(
    person: PersonTie, prepared: Mapping[str, Prepared], done: JointlyProtected | None = None
) -> Iterator[Finding]:
    """The joint criteria, on datasets in memory. done: what the joint mechanism judged already is not judged again."""
    known = {} if done is None else {id(criterion): finding for criterion, finding in done.judged}
    published = [
        PublishedDataset(name, one.chosen.protected.data, Source(), one.kind) for name, one in prepared.items()
    ]
    for one in person.require:
        yield known.get(id(one.built)) or one.built.check(one.built.relevant(published))
