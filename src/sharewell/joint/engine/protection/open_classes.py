"""Which classes of persons a search has to look at again: those that changed since it found nothing to do in them.

What is left out of a class depends on the records of its persons alone. So after the first pass over all of them only
the classes are joined again in which somebody's records changed, or which somebody left or entered.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sharewell.distinct_numbers import distinct
from sharewell.joint.engine.attacker_knowledge import Knows
from sharewell.joint.engine.joined_records import Ints, JoinedRecords, PersonClasses
from sharewell.joint.engine.protection.fact_suppression import LeftOut
from sharewell.joint.engine.protection.group_levelling import facts_held
from sharewell.protocols import PersonFacts
from sharewell.record_owners import RecordOwners

Marks = NDArray[np.bool_]
Value = TypeVar("Value", bound=np.generic)


@dataclass(frozen=True)
class _Looked:
    """The persons of the last pass, their classes, which of these are to be looked at, and the facts of each."""

    names: pa.Array
    alike: Ints
    open: Marks
    held: Ints | None
    people: PersonClasses
    """Of the classes to be looked at."""


class OpenClasses:
    """What a search for one criterion has not settled yet."""

    def __init__(self, knows: Knows) -> None:
        self._knows = knows
        self._last: _Looked | None = None
        self._changed: list[pa.Array] = []
        self.settled = False
        """Was some class not looked at in the last pass?"""

    def records(self, facts: Mapping[str, PersonFacts]) -> dict[str, Marks]:
        """Dataset → the records of the persons whose classes are to be looked at now."""
        people = PersonClasses.of(facts, self._knows)
        opened, held = self._open(people)
        self._last, self._changed = _Looked(people.names, people.alike, opened, held, people.only(opened)), []
        self.settled = not bool(opened.all())
        return {name: opened[person] for name, person in people.person_of.items()}

    @property
    def people(self) -> PersonClasses | None:
        """Whose records were asked for last."""
        return None if self._last is None else self._last.people

    def weighed(self, joined: JoinedRecords) -> JoinedRecords:
        """Records of open classes that know how many facts all persons have."""
        assert self._last is not None
        own = facts_held(joined)
        held = np.zeros((len(self._last.names), own.shape[1]), np.int64) if self._last.held is None else self._last.held
        held[self._last.open] = own  # their order is that of all persons
        self._last = replace(self._last, held=held)
        return replace(joined, totals=held.sum(axis=0))

    def looked_at(self, finished: bool) -> None:
        """Every open class was looked at; finished: from end to end, so that what did not change is settled."""
        assert self._last is not None
        if finished:
            self._last = replace(self._last, open=np.zeros(len(self._last.names), np.bool_))

    def changed(self, names: pa.Array) -> None:
        """Records of these persons changed."""
        self._changed.append(names)

    def forget(self) -> None:
        """Look at everything again."""
        self._last = None

    def _open(self, people: PersonClasses) -> tuple[Marks, Ints | None]:
        last = self._last
        if last is None:
            return np.ones(len(people.names), np.bool_), None
        changed = pa.chunked_array(self._changed, pa.string()).combine_chunks()
        place = _places(people.names, last.names)
        left = _contained(last.names, changed) | (_places(last.names, people.names) < 0)
        touched = np.zeros(int(last.alike.max(initial=-1)) + 1, np.bool_)
        touched[last.alike[left]] = True
        before = np.maximum(place, 0)
        persons = (place < 0) | last.open[before] | touched[last.alike[before]] | _contained(people.names, changed)
        classes = np.zeros(int(people.alike.max(initial=-1)) + 1, np.bool_)
        classes[people.alike[persons]] = True
        held = None if last.held is None else np.where(place[:, None] < 0, 0, last.held[before])
        return classes[people.alike], held


def restricted(facts: PersonFacts, records: Marks) -> PersonFacts:
    """What some of the records show."""
    if records.all():
        return facts
    owners = RecordOwners.of(facts.persons)
    rank, coarser = facts.rank, facts.coarser
    sets = None
    if facts.sets is not None:
        lengths = np.diff(facts.sets[0])
        starts = np.concatenate([[0], np.cumsum(lengths[records])]).astype(np.int64)
        sets = (starts, facts.sets[1][np.repeat(records, lengths)])
    return replace(
        facts,
        persons=RecordOwners(owners.names, owners.codes[records]),
        cells={name: cells[records] for name, cells in facts.cells.items()},
        sensitive={name: values[records] for name, values in facts.sensitive.items()},
        sets=sets,
        marked=None if facts.marked is None else facts.marked[records],
        rank=None if rank is None else lambda: rank()[records],
        coarser=coarser
        if coarser is None or sets is not None
        else lambda: None if (tree := coarser()) is None else replace(tree, node=tree.node[records]),
    )


def spread(out: LeftOut, facts: Mapping[str, PersonFacts], records: Mapping[str, Marks]) -> LeftOut:
    """What is left out of some records, said of all of them."""
    if all(marks.all() for marks in records.values()):
        return out
    labels = {name: _of_labels(facts[name], marks) for name, marks in records.items()}

    def where(name: str, sort: str) -> Marks:
        if sort == "places":
            return np.repeat(records[name], len(facts[name].places))
        return labels[name] if sort == "labels" else records[name]

    return replace(
        out,
        facts={
            name: {sort: _filled(where(name, sort), marks, False) for sort, marks in sorts.items()}
            for name, sorts in out.facts.items()
        },
        records={name: _filled(records[name], marks, False) for name, marks in out.records.items()},
        coarser={
            name: _filled(labels[name] if facts[name].sets is not None else records[name], nodes, -1)
            for name, nodes in out.coarser.items()
        },
    )


def whose(facts: Mapping[str, PersonFacts], out: LeftOut) -> pa.Array:
    """The names of all of whom something is left out or made coarser."""
    names = []
    for name, one in facts.items():
        records = out.records[name].copy() if name in out.records else np.zeros(len(one.persons), np.bool_)
        for sort, marks in out.facts.get(name, {}).items():
            records |= _records(one, sort, marks)
        if name in out.coarser:
            records |= _records(one, "rows" if one.sets is None else "labels", out.coarser[name] >= 0)
        names.append(named(one, records))
    return pa.chunked_array(names, pa.string()).combine_chunks()


def named(facts: PersonFacts, records: Marks) -> pa.Array:
    """The names of the persons of some records."""
    owners = RecordOwners.of(facts.persons)
    return owners.names.take(pa.array(distinct(owners.codes[records])))


def _records(facts: PersonFacts, sort: str, marks: Marks) -> Marks:
    """The records to which marked facts belong."""
    if sort == "rows":
        return marks
    if sort == "places":
        return np.asarray(marks.reshape(len(facts.persons), len(facts.places)).any(axis=1))
    assert facts.sets is not None
    result = np.zeros(len(facts.persons), np.bool_)
    result[np.repeat(np.arange(len(result)), np.diff(facts.sets[0]))[marks]] = True
    return result


def _of_labels(facts: PersonFacts, records: Marks) -> Marks:
    return records if facts.sets is None else np.repeat(records, np.diff(facts.sets[0]))


def _filled(where: Marks, values: NDArray[Value], rest: int) -> NDArray[Value]:
    result = np.full(len(where), rest, dtype=values.dtype)
    result[where] = values
    return result


def _places(names: pa.Array, among: pa.Array) -> Ints:
    """The place of each name among others; -1 where it is not there, or is no name."""
    places = pc.index_in(names, value_set=among, skip_nulls=True).fill_null(-1)
    return np.asarray(places, dtype=np.int64)


def _contained(names: pa.Array, among: pa.Array) -> Marks:
    return np.asarray(_places(names, among) >= 0)
