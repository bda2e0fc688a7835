"""Joined records: what several published datasets show of each person, and whom an attacker finds who knows some of it.

An attacker knows some published facts of a person: all of the named columns of a table at once, and any few rows,
codes or SNPs of other datasets. Everybody who shows the same facts is a candidate. Facts are compared as published: two
persons show the same fact if their cells are equal, or if both hold the same label.

Whoever knows a code or word that was left out of somebody's record looks among records that are seen like that one: a
record that shows nothing any more would tell whose fact that was. So how a record of codes or words is seen is one more
fact of it: that it shows none, or that it shows some and may lack others.

The walk over all combinations is depth first and works on slices of whole combinations, so that memory is bounded. A
combination that fits as many persons as the one it extends fits the same persons: nothing below it is new.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sharewell.distinct_numbers import distinct, numbered
from sharewell.errors import PolicyError
from sharewell.joint.engine.attacker_knowledge import FactSort, Knows, known_parts
from sharewell.joint.engine.joined_persons import numbered_persons
from sharewell.joint.engine.row_covers import cannot_tell, covering_rows

if TYPE_CHECKING:
    from sharewell.protocols import PersonFacts

Ints = NDArray[np.int64]
SLICE = 2_000_000
"""Rows (a person and a combination that fits it) that are worked on at a time."""
SEED = 5
"""Of the order in which groups are looked at: it decides nothing but which are seen where not all can be."""
MOST_ROWS = 400_000_000
"""Beyond so many rows a question is left undecided rather than worked on for long."""


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
    """How many an attacker may know, though nobody may have so many."""
    ways_seen: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    """Items that are no facts of the dataset: they say how a record of labels is seen."""
    covers: Callable[[], Sequence[Ints]] | None = field(default=None, repr=False, compare=False)
    """Sets of facts (without repeats) that may stand for one true value; None: each value has one fact."""


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

    @classmethod
    def of(cls, datasets: Mapping[str, PersonFacts], knows: Knows, at_most: int | None = None) -> JoinedRecords:
        """Only datasets of which something is known are part of the record.

        at_most: the most facts that are known at once, over all datasets; None: as many as `knows` lets be known of
        each of them.
        """
        if unknown := [name for name in knows if name not in datasets]:
            raise PolicyError(f"knows — not among the datasets of the same people: {', '.join(unknown)}")
        parts = {name: datasets[name] for name in knows}
        person_of, by_name = numbered_persons(parts)
        persons = len(by_name)
        present = {name: np.bincount(of, minlength=persons) for name, of in person_of.items()}
        keys, seen = [np.zeros(persons, np.int64)], [np.zeros((persons, 0), np.int64)]
        items: list[Items] = []
        for name, known in known_parts(knows):
            facts = parts[name]
            columns = known.shown_columns(name, facts)
            if strange := [column for column in columns if column not in facts.cells]:
                raise PolicyError(f"knows — {name} publishes no column {', '.join(strange)} that can be known")
            if known.most is None:
                keys += _fixed(name, facts, columns, person_of[name], present[name])
            else:
                part = _items(name, known.sort(name, facts), known.most, facts, columns, person_of[name], persons)
                states = _seen(facts, part, person_of[name], present[name])
                seen.append(states[:, None])
                items.append(_with_ways_seen(part, states, persons) if part.sort == "labels" else part)
        every = sum(part.most for part in items)
        states = np.concatenate(seen, axis=1)
        alike = ranks(np.stack(keys, axis=1))
        group = ranks(np.concatenate([alike[:, None], np.minimum(states, 1)], axis=1))
        sensitive = {
            (name, column): _pairs(person_of[name], values)
            for name, facts in parts.items()
            for column, values in facts.sensitive.items()
        }
        most = every if at_most is None else min(every, at_most)
        sure = frozenset(name for name, known in known_parts(knows) if known.most is None)
        return cls(persons, group, alike, states, by_name, tuple(items), sensitive, person_of, most, sure, at_most)

    def owners(self, part: int) -> Ints:
        """Whose each item of a part is."""
        return np.repeat(np.arange(self.persons), np.diff(self.parts[part].starts))

    def without(self, part: int, removed: NDArray[np.bool_]) -> JoinedRecords:
        """Without some of the items of one part."""
        one = self.parts[part]
        lengths = np.bincount(self.owners(part)[~removed], minlength=self.persons)
        left = replace(one, starts=_starts(lengths), items=one.items[~removed])
        return replace(self, parts=tuple(left if i == part else each for i, each in enumerate(self.parts)))


@dataclass(frozen=True)
class Combinations:
    """Combinations of facts that occur, and whom each fits."""

    owner: Ints
    node: Ints
    """Row i: combination node[i] fits person owner[i]; rows are sorted by node."""
    support: Ints
    """How many persons each combination fits."""
    items: Ints
    """The facts of each combination, one a column; those of part i are numbered from offsets[i] on, -1: none."""
    reached: Ints
    """Of each row: where the last fact stands in the list of the person's facts of its part."""
    part: int
    """The part of the last fact; -1 where no fact is known beyond what is known for sure."""
    picked: int
    """How many facts of that part are known."""
    known: int
    """How many facts of all parts are known."""


@dataclass(frozen=True)
class OneMore:
    """Persons whom combinations fit, each with one fact more of a part."""

    part: int
    whose: Ints
    parent: Ints
    """The combination, ascending."""
    item: Ints
    reached: Ints
    """Where the fact stands in the list of the person's facts of its part."""


class TooManyRows(Exception):
    """More combinations than can be walked through."""


class Walk:
    """All combinations that an attacker may know, slice by slice. `rows` says how much work was done."""

    def __init__(self, joined: JoinedRecords, most_rows: int = MOST_ROWS) -> None:
        self.joined, self.most_rows, self.rows = joined, most_rows, 0
        widths = [int(part.items.max(initial=-1)) + 1 for part in joined.parts]
        self.offsets = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)

    def groups(self) -> Iterator[Combinations]:
        """What is known for sure, alone: one combination for each group, in slices of whole groups.

        They come in a drawn order, so that those seen before a walk is given up are a random sample of all.
        """
        groups = int(self.joined.group.max(initial=-1)) + 1
        turn = np.random.default_rng(SEED).permutation(groups)[self.joined.group]
        order = np.argsort(turn, kind="stable").astype(np.int64)
        group = turn[order]
        for begin, end in _slices(group, SLICE // 8):
            node, support = run_numbers(group[begin:end])
            nothing = np.full((len(support), self.joined.at_most), -1, np.int64)
            yield Combinations(order[begin:end], node, support, nothing, np.full(end - begin, -1), -1, 0, 0)

    def below(self, one: Combinations, extended: NDArray[np.bool_]) -> Iterator[Combinations]:
        """Combinations with one fact more than those marked, of the same part or of a later one."""
        for rows in self.one_more(one, extended):
            yield self._combined(one, rows)

    def one_more(self, one: Combinations, extended: NDArray[np.bool_]) -> Iterator[OneMore]:
        """Each person with each fact that one of the marked combinations may have more; persons of one are together."""
        if one.known >= self.joined.at_most:
            return
        rows = extended[one.node]
        owner, node, reached = one.owner[rows], one.node[rows], one.reached[rows]
        for begin, end in _slices(node, self._rows_at_once(owner)):
            part = slice(begin, end)
            for i, items in enumerate(self.joined.parts):
                if i < one.part or items.most <= (one.picked if i == one.part else 0):
                    continue
                first = reached[part] + 1 if i == one.part else np.zeros(end - begin, np.int64)
                more = self._one_more(one, owner[part], node[part], first, i)
                if more is not None:
                    yield more

    def through(self, one: Combinations) -> Iterator[Combinations]:
        """These combinations, and all that extend one which fits several persons."""
        yield one
        for more in self.below(one, one.support > 1):
            yield from self.through(more)

    def _rows_at_once(self, owner: Ints) -> int:
        """So many rows that about a slice of new ones comes of them."""
        parts = self.joined.parts if len(owner) else ()
        longest = max((float(np.diff(part.starts)[owner].mean()) for part in parts), default=1.0)
        return max(1, int(SLICE / max(1.0, longest)))

    def _one_more(self, one: Combinations, owner: Ints, node: Ints, first: Ints, part: int) -> OneMore | None:
        items = self.joined.parts[part]
        begin = items.starts[owner] + first
        lengths = np.maximum(items.starts[owner + 1] - begin, 0)
        total = int(lengths.sum())
        self.rows += total
        if self.rows > self.most_rows:
            raise TooManyRows
        if not total:
            return None
        within = np.arange(total) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        place, whose, parent = np.repeat(begin, lengths) + within, np.repeat(owner, lengths), np.repeat(node, lengths)
        reached = np.repeat(first, lengths) + within
        if items.repeats > 1:
            turn = _known_in_turn(items, place, within if one.part == part else None)
            place, whose, parent, reached = place[turn], whose[turn], parent[turn], reached[turn]
        return OneMore(part, whose, parent, items.items[place], reached)

    def _combined(self, one: Combinations, more: OneMore) -> Combinations:
        items = self.joined.parts[more.part]
        key = more.parent * (int(items.items.max()) + 1) + more.item
        order = np.argsort(key, kind="stable")
        number, support = run_numbers(key[order])
        starts = np.concatenate([[0], np.cumsum(support)])[:-1]
        parents, added = more.parent[order][starts], more.item[order][starts]
        # Else it fits the same persons as the combination it extends; but a row may be known once more after it.
        new = (support < one.support[parents]) | (items.repeats > 1)
        kept = new[number]
        renumbered = np.cumsum(new) - 1
        rows = order[kept]
        facts = one.items[parents[new]]
        facts[:, one.known] = added[new] + self.offsets[more.part]
        picked, known = one.picked + 1 if more.part == one.part else 1, one.known + 1
        fits = renumbered[number[kept]]
        return Combinations(more.whose[rows], fits, support[new], facts, more.reached[rows], more.part, picked, known)


def _known_in_turn(items: Items, place: Ints, within: Ints | None) -> NDArray[np.bool_]:
    """A row that occurs twice is known for the second time only by those who know it for the first."""
    item = items.items[place]
    once = np.asarray(item % items.repeats == 0)
    if within is None:
        return once
    return np.asarray(once | ((within == 0) & (items.items[place - 1] == item - 1)))


@dataclass(frozen=True)
class Fewest:
    """The fewest persons whom a combination fits."""

    least: int | None
    """None where nobody is in the data."""
    decided: bool
    failing: int
    """Persons of whom some combination is known to fit too few."""
    examined: int
    """Groups that were looked at from end to end."""
    groups: int


def fewest(joined: JoinedRecords, k: int, most_rows: int = MOST_ROWS) -> Fewest:
    """Walk through all combinations; stop at the first that fits one person, for none fits fewer."""
    groups = len(distinct(joined.group))
    if not joined.persons:
        return Fewest(None, True, 0, 0, 0)
    walk, least, failing = Walk(joined, most_rows), joined.persons, np.zeros(joined.persons, bool)
    examined, decided = 0, True
    try:
        for group in walk.groups():
            for one in walk.through(group):
                least = min(least, int(one.support.min(initial=least)))
                few = one.support < k
                failing[one.owner[few[one.node]]] = True
                if least == 1 and k > 1:
                    return Fewest(1, True, int(failing.sum()), examined, groups)
            examined += len(group.support)
    except TooManyRows:
        decided = False
    return Fewest(least, decided, int(failing.sum()), examined, groups)


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
        of_item = []
        for part in joined.parts:
            owner = np.repeat(np.arange(joined.persons), np.diff(part.starts))
            of_item.append(_split(owner, part.items, int(part.items.max(initial=-1)) + 1))
        return cls(groups, of_item)


def _split(values: Ints, by: Ints, count: int) -> list[Ints]:
    order = np.argsort(by, kind="stable")
    return np.split(values[order], np.cumsum(np.bincount(by, minlength=count))[:-1]) if count else []


def _fixed(name: str, facts: PersonFacts, columns: Sequence[str], person: Ints, present: Ints) -> list[Ints]:
    """The cells of the columns, person by person."""
    if int(present.max(initial=0)) > 1:
        what = f"{name} has several records of a person, and columns are known of one"
        raise PolicyError(f"knows — {what} — say how many of its rows are known, such as {name}: 1")
    keys = []
    for column in columns:
        cells = np.full(len(present), -1, np.int64)
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
    repeats, values, counted = 1, 0, None
    covers: Callable[[], Sequence[Ints]] | None = None
    if sort == "labels":
        assert facts.sets is not None
        starts, items = facts.sets
        owner, covers = np.repeat(person, np.diff(starts)), facts.label_covers
    elif sort == "places":
        every = facts.places or tuple(columns)
        values = max((int(facts.cells[column].max(initial=0)) + 1 for column in every), default=1)
        owner = np.repeat(person, len(every))
        placed = [facts.cells[column] + i * values for i, column in enumerate(every)]
        items = np.stack(placed, axis=1).ravel() if placed else np.zeros(0, np.int64)
        chosen = np.array([column in columns for column in every], dtype=np.bool_)
        counted = np.tile(chosen, len(person))
        covers = cannot_tell if len(distinct(person)) < len(person) else None
    else:
        owner = person
        items, repeats = _rows(facts, columns, person)
        covers = None if facts.cell_covers is None else partial(covering_rows, facts, columns, items // repeats)
    if counted is None:
        starts, by_person = packed(owner, items, persons)
    elif covers is None:
        starts, by_person = _placed(person, items[counted].reshape(len(person), chosen.sum()), persons)
    else:
        starts, by_person = packed(owner[counted], items[counted], persons)
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
    return _starts(lengths), items[np.argsort(person, kind="stable")].ravel()


def _pairs(person: Ints, values: Ints) -> tuple[Ints, Ints]:
    width = int(values.max(initial=0)) + 1
    keys = distinct(person * width + values)
    return keys // width, keys % width


def _starts(lengths: Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def ranks(rows: NDArray[np.int64]) -> Ints:
    """Equal rows have the same number."""
    result = np.zeros(len(rows), np.int64)
    for column in rows.T:
        width = int(column.max(initial=0)) - int(column.min(initial=0)) + 1
        result = numbered(result * width + (column - column.min(initial=0)))[1]
    return result


def run_numbers(ascending: Ints) -> tuple[Ints, Ints]:
    """Runs of equal values: the number of each, and how long each run is."""
    if not len(ascending):
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    begins = np.concatenate([[True], ascending[1:] != ascending[:-1]])
    number = np.cumsum(begins) - 1
    return number, np.bincount(number).astype(np.int64)


def _slices(ascending: Ints, rows: int) -> Iterator[tuple[int, int]]:
    """Stretches of about so many rows that break no run of equal values."""
    begin = 0
    while begin < len(ascending):
        end = min(begin + rows, len(ascending))
        end = int(np.searchsorted(ascending, ascending[end - 1], side="right"))
        yield begin, end
        begin = end
