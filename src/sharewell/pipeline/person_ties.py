"""Datasets tied by person: one key under which a person has one name in all of them, and the column that links them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

import pyarrow as pa
import pyarrow.compute as pc

from sharewell.errors import DataError
from sharewell.io.external_sort import SortedRows
from sharewell.key_scope import described
from sharewell.keys import Key
from sharewell.plain_data import JsonObject
from sharewell.policy.model import Dataset, Policy
from sharewell.policy.people import persons_of
from sharewell.wing import Published

LINK = "person"
"""How the published column that links datasets is called, with `_` behind it where the data has such a column."""


def tie_key(key: Key, policy: Policy) -> Key | None:
    """The key of the names of all persons; another one for other data or other rules of a tied dataset."""
    tied = [one for one in policy.datasets.values() if one.tied]
    if policy.person is None or not tied:
        return None
    rules: list[object] = [
        [
            one.name,
            one.kind,
            one.columns,
            one.rest,
            one.publish,
            one.link,
            one.own.tied_to(),
            one.read,
            *one.own.people(),
        ]
        for one in tied
    ]
    rules += [[item.name, item.parameters, item.built] for one in tied for item in (*one.require, one.using)]
    rules += [[one.name, one.parameters, one.built] for one in policy.person.require]
    if (using := policy.person.using) is not None:
        rules.append([using.name, using.parameters, using.built])
    return key.for_release(policy.release.scope, "persons of all datasets", described(rules))


def linked(published: Published) -> tuple[Published, str]:
    """The public file with the person of each record as its first column, and the name of that column.

    What else the evidence says (the names by which a table of people knows them) stays evidence. A map from pseudonyms
    to persons tells those that the file shows, and not those within a class, which nobody would see.
    """
    evidence, table, mapping, name = published.evidence, published.table, published.mapping, LINK
    while name in published.dictionary:
        name += "_"
    if evidence is None:
        raise DataError("one pseudonym across datasets — the records do not identify persons — remove link")
    if isinstance(table, SortedRows):
        assert isinstance(evidence, SortedRows)
        (_, place), *others = evidence.columns
        shown: pa.Table | SortedRows = replace(table, columns=((name, place), *table.columns))
        rest: pa.Table | SortedRows | None = replace(evidence, columns=tuple(others)) if others else None
        if mapping is not None:
            assert isinstance(mapping, SortedRows)
            (pseudonym, _), *named = mapping.columns
            mapping = replace(mapping, columns=((pseudonym, place), *named))
    else:
        assert isinstance(evidence, pa.Table)
        shown = table.add_column(0, name, evidence.column(0))
        rest = evidence.remove_column(0) if evidence.num_columns > 1 else None
        if mapping is not None:
            assert isinstance(mapping, pa.Table)
            mapping = mapping.set_column(0, mapping.column_names[0], evidence.column(0))
    return replace(published, table=shown, evidence=rest, mapping=mapping), name


@dataclass(frozen=True)
class Ties:
    """How many persons each tied dataset is about, and how these meet."""

    table: str
    persons: Mapping[str, int]
    """Dataset → its persons."""
    orphans: Mapping[str, int]
    """Dataset → those of them whom the table of the people does not have."""
    in_all: int
    in_some: int
    """Persons of the table who are in some of the other datasets, not in all."""
    alone: int
    """Persons of the table who are in no other dataset."""

    def to_json(self) -> JsonObject:
        return asdict(self)

    def cautions(self) -> tuple[str, ...]:
        """Datasets most of whose persons the table of the people lacks.

        If two files write the names of the same persons differently, joint criteria take each of them for two people.
        """
        return tuple(
            f"{name}: {lost:,} of its {self.persons[name]:,} persons are not in {self.table}; joint criteria take"
            " them for other people: check that both files name persons in the same way"
            for name, lost in self.orphans.items()
            if 2 * lost > self.persons[name]
        )

    def lines(self) -> list[str]:
        """The ties as a drawing in text."""
        width = max(map(len, self.persons))
        drawn = [f"{self.table}: {self.persons[self.table]:,} persons"]
        others = [name for name in self.persons if name != self.table]
        for name in others:
            branch = "└─" if name == others[-1] else "├─"
            lost = self.orphans[name]
            more = f", {lost:,} of them not in {self.table}" if lost else ""
            drawn.append(f"{branch} {name:<{width}}  {self.persons[name]:,} persons{more}")
        if others:
            drawn.append(f"in all: {self.in_all:,} · in some: {self.in_some:,} · only in {self.table}: {self.alone:,}")
        return drawn


def ties_of(policy: Policy) -> Ties | None:
    """Count the persons of tied datasets. DataError where a dataset has nobody in common with the table of people."""
    if policy.person is None:
        return None
    tied = {name: one for name, one in policy.datasets.items() if one.tied}
    people = {name: persons_of(one) for name, one in tied.items()}
    table = people[policy.person.table]
    places = {name: pc.is_in(table, value_set=one) for name, one in people.items() if name != policy.person.table}
    for name, result in places.items():
        if len(people[name]) and len(table) and not pc.any(result).as_py():
            what = f"{name} has nobody in common with {policy.person.table}"
            raise DataError(f"person — {what} — check that their subject columns name persons in the same way")
    counts = sum((pc.cast(result, pa.int64()).to_numpy(zero_copy_only=False) for result in places.values()), start=0)
    in_all = int((counts == len(places)).sum()) if places else len(table)
    alone = int((counts == 0).sum()) if places else 0
    orphans = {name: len(people[name]) - (pc.sum(result).as_py() or 0) for name, result in places.items()}
    persons = {name: len(one) for name, one in people.items()}
    return Ties(policy.person.table, persons, orphans, in_all, len(table) - in_all - alone, alone)


def tied(dataset: Dataset, key: Key, persons: Key | None) -> Key:
    """The key of a dataset, with the names that its persons have in all of them."""
    return key if persons is None or not dataset.tied else key.tied(persons, linked=dataset.link)
