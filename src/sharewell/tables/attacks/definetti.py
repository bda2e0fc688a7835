"""deFinetti: learns across classes how sensitive values depend on quasi values, then guesses each person's value.

## Guarantee
None; a measurement. With the truth, the value is the share of right guesses, one for each person and class; without it,
the mean probability that the attacker assigns to these guesses.

## Adversary
Has the release and knows the exact quasi values of everybody in it (a register). Does not treat the persons of a class
as interchangeable: in any class, the smokers are likelier to be the ones with lung cancer.

## What it does not protect
Naive Bayes assumes that quasi columns are independent given the value; a better model guesses better. No criterion
about classes bounds what the release says about the population, and the same guess may be right about people outside
the data too: compare with `by_class` (guesses from classes alone) and `baseline` (guesses of the most frequent value).

## Parameters
column: one sensitive column; without it every one is attacked, and the finding is about the one with the largest gain
over the baseline.
rounds: how often the attacker learns, after the first round from the guesses of the round before. 1 is naive Bayes.
pairs: the largest number of pairs of a record and a value of its class to weigh. From larger tables the attack draws
classes with a fixed seed, and the note says how many records they hold.

## Worked example
Every group of two holds a smoker and a non-smoker; one of the two has cancer, the other the flu. All groups look
the same, so nobody learns who has which: one guess in two is right.

>>> import numpy as np, pyarrow as pa
>>> from sharewell.protocols import Truth
>>> from sharewell.tables import Table
>>> known = pa.table({"smokes": ["yes", "no"] * 6, "ill": ["cancer", "flu"] * 6, "group": list("aabbccddeeff")})
>>> original = Table.of(known, quasi=["smokes", "group"], sensitive=["ill"])
>>> shown = known.set_column(0, "smokes", pa.array(["*"] * 12))
>>> released = Table.of(shown, quasi=["smokes", "group"], sensitive=["ill"], published=True)
>>> result = DeFinetti(rounds=5).mount(released, Truth(original, np.arange(12)))
>>> result.value, result.details.by_class, result.details.person_share
(0.5, 0.5, 0.5)

Add a group of two smokers with cancer. It shows that smoking and cancer go together, and so reveals who has cancer in
every other group.

>>> more = pa.table({"smokes": ["yes"] * 2, "ill": ["cancer"] * 2, "group": ["g", "g"]})
>>> known, shown = pa.concat_tables([known, more]), pa.concat_tables([shown, more])
>>> original = Table.of(known, quasi=["smokes", "group"], sensitive=["ill"])
>>> released = Table.of(shown, quasi=["smokes", "group"], sensitive=["ill"], published=True)
>>> result = DeFinetti(rounds=5).mount(released, Truth(original, np.arange(14)))
>>> result.value, round(result.details.by_class, 3)
(1.0, 0.571)

## Why it is safe
The attack groups published cells anew, and the finding holds numbers only. A person weighs 1 in each class, spread over
the person's records there, and a guess is right if one of them has the value. The attacker is assumed to know the true
quasi values; true sensitive values serve only to count successes.

## Cost
O(rounds · q · p) for q quasi columns and p pairs of a record and a value of its class; p is bounded.

## Source
Kifer, 2009 (deFinetti's theorem against anonymised data); Cormode, 2010 (naive Bayes, personal against population
privacy).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from sharewell.algorithm import NOT_SIMULATED, SEED, Attack, Count, Declared, Finding, Simulated, Truth
from sharewell.tables.data import Classes, Column, Floats, Indices, Ints, Table
from sharewell.tables.engine.attackers.attacked_columns import above_baseline, most_frequent, mount_on_columns
from sharewell.tables.engine.attackers.simulation import Appearances, has_value, person_of, persons_as_published

_BINS, _LABELS = 16, 64
"""Numbers are learned about in this many ranges, other quasi columns by this many labels at most."""
_SWEEPS = 3
"""How often guesses are fitted to the published counts of their class in each round."""
_DIGITS = 9
"""Probabilities that agree so far are equal: sums must not depend on the order of rows."""


@dataclass(frozen=True)
class DeFinettiDetails:
    right: Simulated | None
    by_class: float | None
    """The share of right guesses for who guesses the most frequent value of each class."""
    baseline: float
    """The share of the persons who have the most frequent value of the whole release."""
    person_share: float
    """The largest share of the persons of one class who have one value."""
    persons: int
    """Guesses made: one for each person and class."""


@dataclass(frozen=True)
class DeFinetti(Declared, Attack[Table]):
    """Naive Bayes over classes, repeated on its own guesses."""

    column: str | None = None
    rounds: Count = 5
    pairs: Count = 300_000

    def mount(self, released: Table, truth: Truth[Table] | None = None) -> Finding:
        return mount_on_columns(
            self.name, released, self.column, lambda column: self._one(released, column, truth), above_baseline
        )

    def _one(self, released: Table, column: Column, truth: Truth[Table] | None) -> Finding:
        all_classes = released.classes
        _, shares = most_frequent(all_classes, column)
        _, baseline = most_frequent(all_classes.as_one(), column)
        classes, note = self._part(all_classes, column)
        persons = persons_as_published(classes, released.rows) if truth is None else person_of(truth)
        # What the attacker knows of each row's person: the exact values, or without the truth what is published.
        known: Iterable[Column] = released.quasi
        if truth is not None:
            known = (truth.original.columns[name].take(truth.rows) for name in released.schema.quasi)
        features = [_feature(one, classes.order) for one in known]
        units = Appearances.of(classes, persons)
        guess, credence = _guess(classes, column, features, persons, units, self.rounds)
        right = by_class = None
        if truth is not None and len(units.owner):
            frequent, _ = most_frequent(classes, column)
            hits = [
                has_value(classes, persons, column, units.owner, units.person, value)
                for value in (guess, frequent[units.owner])
            ]
            right, by_class = Simulated.of(hits[0], credence), float(hits[1].mean())
        value = right.share if right is not None else round(float(credence.mean()), _DIGITS) if len(credence) else None
        details = DeFinettiDetails(right, by_class, float(baseline[0]), float(shares.max()), len(units.owner))
        notes = filter(None, [note, NOT_SIMULATED if right is None else ""])
        return Finding(self.name, value, column=column.name, unit="share", details=details, note="; ".join(notes))

    def _part(self, classes: Classes, column: Column) -> tuple[Classes, str]:
        """As many classes as the limit allows, drawn with a fixed seed, and words where it is not all of them."""
        owner, _, _ = classes.counts(column, by_person=False)
        pairs = np.bincount(owner, minlength=classes.count) * classes.sizes
        if pairs.sum() <= self.pairs:
            return classes, ""
        drawn = np.random.default_rng(SEED).permutation(classes.count)
        few = np.sort(drawn[: max(1, int(np.searchsorted(np.cumsum(pairs[drawn]), self.pairs, side="right")))])
        part = classes.select(few)
        return part, f"learned from {len(part.order)} of {len(classes.order)} records in drawn classes"


def _feature(column: Column, rows: Indices) -> tuple[Ints, int]:
    """(label of each of these rows, how many labels of all rows).

    Labels are ranges of numbers, higher levels of a tree, the most frequent of others.
    """
    size = max(1, column.size)
    counts = np.bincount(column.codes, minlength=size)
    if column.numbers is not None and size > _BINS:
        known = size - column.has_missing
        middle = np.cumsum(counts[:known]) - counts[:known] / 2
        label = (middle * _BINS / max(1, counts[:known].sum())).astype(np.int64).clip(0, _BINS - 1)
        label = np.append(label, _BINS) if column.has_missing else label
    elif column.levels is not None and size > _LABELS:
        level = next(nodes for nodes in column.tree.nodes if len(np.unique(nodes)) <= _LABELS)
        label = np.unique(level, return_inverse=True)[1].astype(np.int64)
    elif size > _LABELS:
        rank = np.empty(size, dtype=np.int64)
        rank[np.lexsort((np.arange(size), -counts))] = np.arange(size)
        label = np.minimum(rank, _LABELS - 1)
    else:
        label = np.arange(size)
    return label[column.codes[rows]], int(label.max(initial=0)) + 1


@dataclass(frozen=True, eq=False)
class _Pairs:
    """Every record of a class with every value of the class."""

    place: Ints
    """The place of the record in the classes' order."""
    slot: Ints
    """The number of (class, value)."""
    value: Ints
    """The code of the value."""
    mass: Floats
    """How many persons of the class have the value, by slot."""

    @classmethod
    def of(cls, classes: Classes, column: Column, weight: Floats) -> _Pairs:
        codes = column.codes[classes.order].astype(np.int64)
        slots, slot = np.unique(classes.class_of * max(1, column.size) + codes, return_inverse=True)
        owner = slots // max(1, column.size)
        values = np.bincount(owner, minlength=classes.count)
        first = np.concatenate([[0], np.cumsum(values)])[:-1]
        many = values[classes.class_of]
        place = np.repeat(np.arange(len(codes)), many)
        inside = np.arange(len(place)) - np.repeat(np.cumsum(many) - many, many)
        pair = first[classes.class_of][place] + inside
        mass = np.bincount(slot, weights=weight).astype(np.float64)
        return cls(place, pair, (slots % max(1, column.size))[pair], mass)


def _guess(
    classes: Classes,
    column: Column,
    features: list[tuple[Ints, int]],
    persons: Indices,
    units: Appearances,
    rounds: int,
) -> tuple[Ints, Floats]:
    """(guessed code, its probability) for each person and class."""
    width = int(persons.max(initial=0)) + 1
    keys = units.owner * width + units.person
    whose = persons[classes.order]
    unit = np.searchsorted(keys, classes.class_of * width + whose).clip(0, max(0, len(keys) - 1))
    weight = np.where(whose >= 0, 1.0 / units.records[unit], 1.0) if len(keys) else np.ones(len(whose))
    pairs = _Pairs.of(classes, column, weight)
    belief = _learn(pairs, weight, features, column, rounds)
    of_person = whose[pairs.place] >= 0
    size = max(1, column.size)
    both = unit[pairs.place[of_person]] * size + pairs.value[of_person]
    known, where = np.unique(both, return_inverse=True)
    heavy = (belief * weight[pairs.place])[of_person]
    expected = np.bincount(where, weights=heavy, minlength=len(known)).round(_DIGITS)
    # Of each unit, the likeliest comes last; of equal ones the first.
    order = np.lexsort((-known, expected, known // size))
    last = order[np.append(known[order][1:] // size != known[order][:-1] // size, True)[: len(order)]]
    return known[last] % size, expected[last].clip(0, 1)


def _learn(pairs: _Pairs, weight: Floats, features: list[tuple[Ints, int]], column: Column, rounds: int) -> Floats:
    """The attacker's belief in each pair: Bayes by labels given values, within the counts that classes publish."""
    places, slots, size = len(weight), len(pairs.mass), max(1, column.size)
    heavy = weight[pairs.place]
    belief = _normalised(pairs.mass[pairs.slot], pairs.place, places)
    keys = [(labels[pairs.place] * size + pairs.value, many) for labels, many in features]
    begins = np.flatnonzero(np.diff(pairs.place, prepend=-1))  # places rise, and each has a pair
    for _ in range(rounds):
        score = np.zeros(len(belief))
        total = np.bincount(pairs.value, weights=belief * heavy, minlength=size)
        for key, many in keys:
            seen = np.bincount(key, weights=belief * heavy, minlength=many * size).reshape(many, size)
            score += np.log((seen + 1.0) / (total + many)).ravel()[key]
        best = np.maximum.reduceat(score, begins) if len(begins) else score
        belief = _normalised(pairs.mass[pairs.slot] * np.exp(score - best[pairs.place]), pairs.place, places)
        for _ in range(_SWEEPS):
            belief_of_slot = np.bincount(pairs.slot, weights=belief * heavy, minlength=slots)
            ratio = np.divide(pairs.mass, belief_of_slot, out=np.zeros(slots), where=belief_of_slot > 0)
            belief = _normalised(belief * ratio[pairs.slot], pairs.place, places)
    return belief


def _normalised(belief: Floats, place: Ints, places: int) -> Floats:
    """Beliefs about one record add up to 1."""
    totals = np.bincount(place, weights=belief, minlength=places)
    return np.divide(belief, totals[place], out=np.zeros(len(belief)), where=totals[place] > 0)
