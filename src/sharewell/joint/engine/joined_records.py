"""Joined records: what several published datasets show of each person, and whom an attacker finds who knows some of it.

An attacker knows some published facts of a person: all of the named columns of a table at once, and any few rows,
codes or SNPs of other datasets. Everybody who shows the same facts is a candidate. Facts are compared as published: two
persons show the same fact if their cells are equal, or if both hold the same label.

Whoever knows a code or word that was left out of somebody's record looks among records that are seen like that one: a
record that shows nothing any more would tell whose fact that was. So how a record of codes or words is seen is one more
fact of it: that it shows none, or that it shows some and may lack others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.distinct_numbers import distinct, numbered
from sharewell.errors import PolicyError
from sharewell.joint.engine.attacker_knowledge import FactSort, Knows, known_parts
from sharewell.joint.engine.joined_persons import numbered_persons
from sharewell.joint.engine.row_covers import cannot_tell, covering_rows

if TYPE_CHECKING:
    from sharewell.protocols import PersonFacts

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Items:
    """Facts of which an attacker knows a few: those of person p are items[starts[p] : starts[p + 1]], ascending."""

    dataset: str
    sort: FactSort
    most: int
    starts: Ints
    items: Ints
    fact_person: Ints
    fact_item: Ints
    """Person and number of every fact, in the order of the dataset's own: items of its sets, places, or rows."""
    repeats: int = 1
    """Rows that occur several times are several facts, numbered row · repeats, row · repeats + 1, …"""
    values: int = 0
    """Of places, such as SNPs: value v at place p is fact p · values + v; 0 where facts are no values of places."""
    asked: int = 0
    """How many an attacker may know, though nobody may have this many."""
    ways_seen: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    """Items that are no facts of the dataset: they say how a record of labels is seen."""
    covers: Callable[[], Sequence[Ints]] | None = field(default=None, repr=False, compare=False)
    """Sets of facts (without repeats) that may stand for one true value; None: each value has one fact."""

    @cached_property
    def widest(self) -> int:
        """Beyond the largest number of a fact, of this part's own or of the dataset's."""
        return max(int(self.fact_item.max(initial=0)), int(self.items.max(initial=0))) + 1


@dataclass(frozen=True)
class PersonClasses:
    """The persons of several datasets, and who shows the same in all that is known for sure."""

    person_of: Mapping[str, Ints]
    """Dataset → the person of each of its records."""
    by_name: Ints
    names: pa.Array
    """Of each person; null for whoever has none."""
    alike: Ints

    @classmethod
    def of(cls, datasets: Mapping[str, PersonFacts], knows: Knows) -> PersonClasses:
        if unknown := [name for name in knows if name not in datasets]:
            raise PolicyError(f"knows — not among the datasets of the same people: {', '.join(unknown)}")
        person_of, by_name, names = numbered_persons({name: datasets[name] for name in knows})
        keys = [np.zeros(len(by_name), np.int64)]
        for name, known in known_parts(knows):
            facts = datasets[name]
            columns = known.shown_columns(name, facts)
            if strange := [column for column in columns if column not in facts.cells]:
                raise PolicyError(f"knows — {name} publishes no column {', '.join(strange)} that can be known")
            if known.most is None:
                keys += _fixed(name, facts, columns, person_of[name], len(by_name))
        return cls(person_of, by_name, names, ranks(np.stack(keys, axis=1)))

    def only(self, persons: NDArray[np.bool_]) -> PersonClasses:
        """Some of them, and their records alone: what `of` makes of these records, without comparing names again."""
        if persons.all():
            return self
        number = np.cumsum(persons) - 1
        by_name = np.empty(int(persons.sum()), np.int64)
        by_name[np.argsort(self.by_name[persons], kind="stable")] = np.arange(len(by_name))
        person_of = {name: number[of[persons[of]]] for name, of in self.person_of.items()}
        alike = numbered(self.alike[persons])[1]
        return PersonClasses(person_of, by_name, self.names.filter(pa.array(persons)), alike)


@dataclass(frozen=True)
class JoinedRecords:
    """One record a person, over all datasets."""

    persons: int
    group: Ints
    """Persons with the same number show the same in all that is known for sure, and are in the same datasets."""
    alike: Ints
    """Persons with the same number show the same in all that is known for sure, however they are seen."""
    seen: Ints
    """Person × part: absent (0), in the dataset without any fact of this part (1), or with some (2).

    Where records show that something was left out: with some, and no record of the person shows that (3).
    """
    by_name: Ints
    """The place of each person in the order of their names, which no order of rows changes."""
    parts: tuple[Items, ...]
    sensitive: Mapping[tuple[str, str], tuple[Ints, Ints]]
    """(dataset, column) → (person, value) of every pair that occurs."""
    person_of: Mapping[str, Ints]
    """Dataset → the person of each of its records."""
    at_most: int
    """Facts that are known at once, beyond what is known for sure."""
    known_for_sure: frozenset[str]
    """Datasets of which columns are known."""
    limit: int | None = None
    """The most facts that are known at once, if the policy says so."""
    totals: Ints | None = None
    """How many facts of each part all persons have, and how many persons there are, where these are only some."""

    @classmethod
    def of(
        cls,
        datasets: Mapping[str, PersonFacts],
        knows: Knows,
        at_most: int | None = None,
        people: PersonClasses | None = None,
    ) -> JoinedRecords:
        """Only datasets of which something is known are part of the record.

        at_most: the most facts that are known at once, over all datasets; None: as many as `knows` lets be known of
        each of them. people: the persons of these datasets, if they are known.
        """
        people = people or PersonClasses.of(datasets, knows)
        parts = {name: datasets[name] for name in knows}
        person_of, persons, alike = people.person_of, len(people.by_name), people.alike
        present = {name: np.bincount(of, minlength=persons) for name, of in person_of.items()}
        seen = [np.zeros((persons, 0), np.int64)]
        items: list[Items] = []
        for name, known in known_parts(knows):
            facts = parts[name]
            if known.most is not None:
                columns = known.shown_columns(name, facts)
                part = _items(name, known.sort(name, facts), known.most, facts, columns, person_of[name], persons)
                states = _seen(facts, part, person_of[name], present[name])
                seen.append(states[:, None])
                items.append(_with_ways_seen(part, states, persons) if part.sort == "labels" else part)
        every = sum(part.most for part in items)
        states = np.concatenate(seen, axis=1)
        group = ranks(np.concatenate([alike[:, None], np.minimum(states, 1)], axis=1))
        sensitive = {
            (name, column): _pairs(person_of[name], values)
            for name, facts in parts.items()
            for column, values in facts.sensitive.items()
        }
        most = every if at_most is None else min(every, at_most)
        sure = frozenset(name for name, known in known_parts(knows) if known.most is None)
        return cls(
            persons, group, alike, states, people.by_name, tuple(items), sensitive, person_of, most, sure, at_most
        )

    def owners(self, part: int) -> Ints:
        """Whose each item of a part is."""
        return np.repeat(np.arange(self.persons), np.diff(self.parts[part].starts))

    def without(self, part: int, removed: NDArray[np.bool_]) -> JoinedRecords:
        """Without some of the items of one part."""
        if not removed.any():
            return self
        one = self.parts[part]
        lengths = np.bincount(self.owners(part)[~removed], minlength=self.persons)
        left = replace(one, starts=_starts(lengths), items=one.items[~removed])
        return replace(self, parts=tuple(left if i == part else each for i, each in enumerate(self.parts)))


def candidates(joined: JoinedRecords, person: int, chosen: Sequence[tuple[int, int]], holders: Holders) -> int:
    """How many persons fit some facts of a person: (part, item) of each."""
    fitting = holders.group[joined.group[person]]
    for part, item in chosen:
        having = holders.of_item[part][item]
        places = np.minimum(np.searchsorted(having, fitting), len(having) - 1)
        fitting = fitting[having[places] == fitting]
    return len(fitting)


@dataclass(frozen=True)
class Holders:
    """Who is in each group, and who holds each fact."""

    group: list[Ints]
    of_item: list[list[Ints]]

    @classmethod
    def of(cls, joined: JoinedRecords) -> Holders:
        groups = _split(np.arange(joined.persons), joined.group, int(joined.group.max(initial=-1)) + 1)
        of_item = [
            _split(joined.owners(i), part.items, int(part.items.max(initial=-1)) + 1)
            for i, part in enumerate(joined.parts)
        ]
        return cls(groups, of_item)


def _split(values: Ints, by: Ints, count: int) -> list[Ints]:
    order = np.argsort(by, kind="stable")
    return np.split(values[order], np.cumsum(np.bincount(by, minlength=count))[:-1]) if count else []


def _fixed(name: str, facts: PersonFacts, columns: Sequence[str], person: Ints, persons: int) -> list[Ints]:
    """The cells of the columns, person by person."""
    if int(np.bincount(person, minlength=1).max()) > 1:
        what = f"{name} has several records of a person, and columns are known of one"
        raise PolicyError(f"knows — {what} — say how many of its rows are known, such as {name}: 1")
    keys = []
    for column in columns:
        cells = np.full(persons, -1, np.int64)
        cells[person] = facts.cells[column]
        keys.append(cells)
    return keys


def _seen(facts: PersonFacts, part: Items, person: Ints, present: Ints) -> Ints:
    """How each person is seen in a part."""
    some = np.diff(part.starts) > 0
    states = np.minimum(present, 1) + some
    if facts.marked is None or part.sort != "labels":
        return states
    marked = np.bincount(person[facts.marked], minlength=len(present)) > 0
    return np.asarray(states + (some & ~marked))


def _with_ways_seen(part: Items, states: Ints, persons: int) -> Items:
    """With one item more for everybody whose record may lack facts: that it shows none (1), or some (2)."""
    first = max(int(part.items.max(initial=-1)), int(part.fact_item.max(initial=-1))) + 1
    lacking = np.flatnonzero((states == 1) | (states == 2))
    owner = np.concatenate([np.repeat(np.arange(persons), np.diff(part.starts)), lacking])
    starts, items = packed(owner, np.concatenate([part.items, first + states[lacking] - 1]), persons)
    most = min(part.asked, int(np.diff(starts).max(initial=0)))
    return replace(part, starts=starts, items=items, most=most, ways_seen=first + np.arange(2))


def _items(
    name: str, sort: FactSort, most: int, facts: PersonFacts, columns: Sequence[str], person: Ints, persons: int
) -> Items:
    """The facts of each person of which a few are known: labels of sets, places, or rows."""
    repeats, values, chosen = 1, 0, None
    covers: Callable[[], Sequence[Ints]] | None = None
    if sort == "labels":
        assert facts.sets is not None
        starts, items = facts.sets
        owner, covers = np.repeat(person, np.diff(starts)), facts.label_covers
    elif sort == "places":
        every = facts.places or tuple(columns)
        values = max((int(facts.cells[column].max(initial=0)) + 1 for column in every), default=1)
        owner = np.repeat(person, len(every))
        placed = np.empty((len(person), len(every)), np.int64)
        for i, column in enumerate(every):
            np.add(facts.cells[column], i * values, out=placed[:, i])
        items = placed.ravel()
        chosen = np.array([column in columns for column in every], dtype=np.bool_)
        covers = cannot_tell if len(distinct(person)) < len(person) else None
    else:
        owner = person
        items, repeats = _rows(facts, columns, person)
        covers = None if facts.cell_covers is None else partial(covering_rows, facts, columns, items // repeats)
    if chosen is None:
        starts, by_person = packed(owner, items, persons)
    elif covers is None:
        starts, by_person = _placed(person, placed if chosen.all() else placed[:, chosen], persons)
    else:
        known = np.tile(chosen, len(person))
        starts, by_person = packed(owner[known], items[known], persons)
    longest = int(np.diff(starts).max(initial=0))
    return Items(
        name, sort, min(most, longest), starts, by_person, owner, items, repeats, values, asked=most, covers=covers
    )


def _rows(facts: PersonFacts, columns: Sequence[str], person: Ints) -> tuple[Ints, int]:
    """Rows as numbers. A row that a person has twice is two facts: whoever knows both excludes those who have one."""
    if not columns:
        rows = np.zeros(len(person), np.int64)
    else:
        rows = ranks(np.stack([facts.cells[column] for column in columns], axis=1))
    key = person * (int(rows.max(initial=0)) + 1) + rows
    order = np.argsort(key, kind="stable")
    several, others = bool((np.diff(key[order]) == 0).any()), any(name not in columns for name in facts.cells)
    if several and others and facts.rank is not None:
        order = np.lexsort((facts.rank(), key))  # of rows that show the same, the whole content says which comes first
    runs = np.flatnonzero(np.concatenate([[True], np.diff(key[order]) != 0])[: len(order)])
    times = np.arange(len(order)) - np.repeat(runs, np.diff(np.append(runs, len(order))))
    repeats = int(times.max(initial=0)) + 1
    result = np.empty(len(rows), np.int64)
    result[order] = rows[order] * repeats + times
    return result, repeats


def packed(owner: Ints, items: Ints, persons: int) -> tuple[Ints, Ints]:
    """Facts by person, each once, ascending."""
    if not len(items):
        return np.zeros(persons + 1, np.int64), np.zeros(0, np.int64)
    width = int(items.max()) + 1
    keys = distinct(owner.astype(np.int64) * width + items)
    return _starts(np.bincount(keys // width, minlength=persons)), keys % width


def _placed(person: Ints, items: Ints, persons: int) -> tuple[Ints, Ints]:
    """The same of persons who have one record each: a row of items, ascending."""
    lengths = np.zeros(persons, np.int64)
    lengths[person] = items.shape[1]
    in_order = bool((np.diff(person) > 0).all())
    return _starts(lengths), items.ravel() if in_order else items[np.argsort(person, kind="stable")].ravel()


def _pairs(person: Ints, values: Ints) -> tuple[Ints, Ints]:
    width = int(values.max(initial=0)) + 1
    keys = distinct(person * width + values)
    return keys // width, keys % width


def _starts(lengths: Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def ranks(rows: NDArray[np.int64]) -> Ints:
    """A number for each row, in the order of rows; equal rows have the same."""
    result = np.zeros(len(rows), np.int64)
    for column in rows.T:
        width = int(column.max(initial=0)) - int(column.min(initial=0)) + 1
        result = numbered(result * width + (column - column.min(initial=0)))[1]
    return result
