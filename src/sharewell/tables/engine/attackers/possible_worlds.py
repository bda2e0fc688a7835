"""Worlds: the ways in which the published sensitive values of a class may belong to its records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import exp, lgamma, prod

import numpy as np

from sharewell.algorithm import SEED, Truth
from sharewell.tables.data import Indices, Ints, Table
from sharewell.tables.engine.attackers.simulation import distinct_persons, person_of
from sharewell.tables.engine.classes import combination_numbers

FEWEST = 10
"""Sampled worlds that must be left, or nothing is said."""
_MANY = 10**9
"""More worlds than anybody would count."""


@dataclass(frozen=True, eq=False)
class Worlds:
    """Some classes, the values that their records share out, and in how many ways."""

    rows: Ints
    """Rows of the original."""
    classes: tuple[slice, ...]
    """Where each class lies in `rows`."""
    bundles: Ints
    """What each row has in truth: a number for its values in all sensitive columns together."""
    codes: dict[str, Ints]
    """Sensitive column → the code of each bundle in it."""
    person: Ints
    """The person of each row, from 0; another number in each class."""
    kind: Ints
    """Of each person: equal for persons of a class whom only their sensitive values tell apart."""
    count: int
    most: int
    """How many worlds there are, and how many may be looked at."""

    @property
    def is_sampled(self) -> bool:
        return self.count > self.most

    def arrangements(self) -> Iterator[Ints]:
        """The bundle of each row in all worlds, or in as many as may be, drawn with a fixed seed."""
        if not self.is_sampled:
            for parts in product(*(list(_orders(self.bundles[part])) for part in self.classes)):
                yield np.concatenate(parts)
            return
        random = np.random.default_rng(SEED)
        for _ in range(self.most):
            yield np.concatenate([random.permutation(np.sort(self.bundles[part])) for part in self.classes])


def worlds_of(released: Table, truth: Truth[Table], most: int) -> tuple[list[Worlds], int, list[Ints]]:
    """(what to look at, in how many classes there is something to learn, the others' rows), for this many worlds.

    The others are classes of people with one record each whom only their sensitive values tell apart: the mechanism
    says nothing of who has which. They come as rows of the original.

    All such classes together where that is few enough. Else one by one, those with the most records first, as long as
    all their worlds can be looked at: a class that is larger than it had to be says the most. Of what is left of the
    limit, worlds of one more class are drawn.
    """
    classes, original = released.classes, truth.original
    quasi = combination_numbers([column.codes[truth.rows] for column in original.quasi], released.rows)
    sensitive = [original.columns[name].codes[truth.rows] for name in released.schema.sensitive]
    bundle = combination_numbers(sensitive, released.rows)
    persons = distinct_persons(person_of(truth)).astype(np.int64)
    telling: list[Indices] = []
    alike: list[Ints] = []
    for c in range(classes.count):
        rows = classes.order[classes.starts[c] : classes.starts[c + 1]]
        if len(np.unique(bundle[rows])) < 2:
            continue
        if len(np.unique(quasi[rows])) < 2 and len(np.unique(persons[rows])) == len(rows):
            alike.append(truth.rows[rows].astype(np.int64))
        else:
            telling.append(rows[np.lexsort((persons[rows], quasi[rows]))])
    ways = [_ways(bundle[rows]) for rows in telling]
    described = _TrueValues(truth, released.schema.sensitive, quasi, bundle, persons)
    if telling and prod(ways) <= most:
        return [described.worlds(telling, prod(ways), most)], len(telling), alike
    chosen: list[Worlds] = []
    for i in sorted(range(len(telling)), key=lambda i: (-len(telling[i]), ways[i], i)):
        if ways[i] <= most:
            chosen.append(described.worlds([telling[i]], ways[i], most))
            most -= ways[i]
    many = [i for i in range(len(telling)) if ways[i] > most + sum(one.count for one in chosen)]
    if many and most >= (2 * FEWEST if chosen else FEWEST):
        i = min(many, key=lambda i: (ways[i], i))
        chosen.append(described.worlds([telling[i]], ways[i], most))
    return chosen, len(telling), alike


@dataclass(frozen=True, eq=False)
class _TrueValues:
    """Of each published row: its true quasi values and sensitive values as a number each, and its person."""

    truth: Truth[Table]
    sensitive: Sequence[str]
    quasi: Ints
    bundle: Ints
    persons: Ints

    def worlds(self, parts: Sequence[Indices], count: int, most: int) -> Worlds:
        rows = np.concatenate(parts)
        ends = np.cumsum([len(part) for part in parts]).tolist()
        part_of = np.repeat(np.arange(len(parts)), [len(part) for part in parts])
        _, first, bundles = np.unique(self.bundle[rows], return_index=True, return_inverse=True)
        origin = self.truth.rows[rows].astype(np.int64)
        person = combination_numbers([part_of, np.unique(self.persons[rows], return_inverse=True)[1]], len(rows))
        return Worlds(
            origin,
            tuple(slice(end - len(part), end) for part, end in zip(parts, ends, strict=True)),
            bundles.astype(np.int64),
            {name: self.truth.original.columns[name].codes[origin[first]].astype(np.int64) for name in self.sensitive},
            person,
            _kinds(part_of, person, self.quasi[rows]),
            count,
            most,
        )


def _kinds(part_of: Ints, person: Ints, quasi: Ints) -> Ints:
    """Equal for persons of one class whose records have the same quasi values."""
    order = np.lexsort((quasi, person))
    profiles: dict[int, tuple[int, ...]] = {}
    for row in order.tolist():
        number = int(person[row])
        profiles[number] = (*profiles.get(number, (int(part_of[row]),)), int(quasi[row]))
    known = {profile: i for i, profile in enumerate(dict.fromkeys(profiles.values()))}
    return np.array([known[profiles[number]] for number in sorted(profiles)], dtype=np.int64)


def _orders(values: Ints) -> Iterator[Ints]:
    """Every distinct order of some values, the least first."""
    order = np.sort(values).tolist()
    while True:
        yield np.array(order, dtype=np.int64)
        rise = next((i for i in range(len(order) - 2, -1, -1) if order[i] < order[i + 1]), None)
        if rise is None:
            return
        swap = next(i for i in range(len(order) - 1, rise, -1) if order[i] > order[rise])
        order[rise], order[swap] = order[swap], order[rise]
        order[rise + 1 :] = reversed(order[rise + 1 :])


def _ways(values: Ints) -> int:
    """In how many distinct orders some values can stand; more than a billion are as good as a billion.

    >>> _ways(np.array([1, 1, 2, 2, 2, 2, 2])), _ways(np.arange(50))
    (21, 1000000000)
    """
    counts = np.unique(values, return_counts=True)[1].tolist()
    logarithm = lgamma(len(values) + 1) - sum(lgamma(count + 1) for count in counts)
    return min(_MANY, round(exp(min(logarithm, 30))))
