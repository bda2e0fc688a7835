"""Classifier inference: a classifier trained on the release predicts sensitive values, of people in it and of others.

## Guarantee
None; a measurement. With the truth, the value is the share of persons whose sensitive value the classifier predicts
correctly; without it, the mean probability that the classifier assigns to its predictions.

## Adversary
Has the release, and knows the quasi values of a target. Does not look for the target's class, and need not know that
the target is in the data at all: a naive Bayes classifier, trained on all published records, predicts the value from
the quasi values. What it learns applies to anybody. The attacker of `definetti` is stronger: it also knows that
everybody is in the data, and in which class, and fits its guesses to the counts of each class.

## What it does not protect
No criterion about classes bounds this attack: data is published for what it says about the population. What a person
loses by being in the data is the difference between `value` and `outsiders`, the share of right predictions for people
who are not in it. If the two are about equal, the classifier has learned about the population and nothing about these
persons; preventing that would mean publishing something less useful. A better classifier predicts better.

## Parameters
column: one sensitive column; without it every one is attacked, and the finding is about the one with the largest gain
over the baseline.
confident: predictions with at least this probability are counted separately: an attacker need not guess about
everybody.
outsiders: a file or frame of people who are not in the data, with true quasi and sensitive values, to compare with.

## Worked example
Of twelve people who smoke, nine have cancer; of twelve who do not, three. The classifier predicts cancer for everybody
who smokes and the flu for all others, and is right about three in four, both of the people in the data and of other
smokers: it has learned about smoking.

>>> import numpy as np, pyarrow as pa
>>> from sharewell.protocols import Truth
>>> from sharewell.tables import Table
>>> ill = (["cancer"] * 3 + ["flu"]) * 3 + (["flu"] * 3 + ["cancer"]) * 3
>>> true = pa.table({"smokes": ["yes"] * 12 + ["no"] * 12, "ill": ill})
>>> original = Table.of(true, quasi=["smokes"], sensitive=["ill"])
>>> released = Table.of(true, quasi=["smokes"], sensitive=["ill"], published=True)
>>> others = pa.table({"smokes": ["yes"] * 4, "ill": ["cancer"] * 3 + ["flu"]})
>>> result = ClassifierInference(outsiders=others).mount(released, Truth(original, np.arange(24)))
>>> result.value, result.details.baseline, result.details.outsiders
(0.75, 0.5, 0.75)

If smoking is not published, the classifier has nothing to learn from.

>>> hidden = true.set_column(0, "smokes", pa.array(["*"] * 24))
>>> released = Table.of(hidden, quasi=["smokes"], sensitive=["ill"], published=True)
>>> ClassifierInference().mount(released, Truth(original, np.arange(24))).value
0.5

## Why it is safe
The attack reads published cells, and the finding holds numbers only. In training every person has weight 1, spread over
the person's records, and a cell counts evenly for every value that it leaves open. The classifier predicts for one
drawn record of each drawn person, and is right if one of the person's records has the value; what records hold decides
the draw, and not their order. A missing value is not predicted. True values serve only to know the target and to count
successes.

## Cost
O(q · (n log n + d)) to train on n records with q quasi columns and d distinct cells; O(q · v) for each of at most 2,000
targets, v being the sensitive values.

## Source
Cormode, 2011 (personal privacy and population privacy: classifiers attack anonymised data).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sharewell.algorithm import NOT_SIMULATED, Attack, DataError, Declared, Finding, Role, Share, Simulated, Truth
from sharewell.io.sources import Evidence
from sharewell.spelling import fold
from sharewell.tables.data import Bools, Column, Floats, Table, encode
from sharewell.tables.engine.attackers.attacked_columns import above_baseline, most_frequent, mount_on_columns
from sharewell.tables.engine.attackers.naive_bayes import NaiveBayes
from sharewell.tables.engine.attackers.simulation import draw_rows, has_value, person_of, persons_as_published
from sharewell.tables.engine.cell_matching import people_like


@dataclass(frozen=True)
class ClassifierDetails:
    right: Simulated | None
    baseline: float
    """The share of the persons who have the most frequent value of the whole release."""
    person_share: float
    """The largest share of the persons of one class who have one value: what a class alone gives away."""
    confident: float
    """The share of the predictions that are made with at least the probability asked for."""
    confident_right: float | None
    """The share of those that are right."""
    outsiders: float | None
    """The share of right predictions for people who are not in the data."""


@dataclass(frozen=True)
class ClassifierInference(Declared, Attack[Table]):
    """Naive Bayes from quasi values to the sensitive value, trained on published cells."""

    column: str | None = None
    confident: Share = 0.9
    outsiders: Evidence | None = None

    def mount(self, released: Table, truth: Truth[Table] | None = None) -> Finding:
        return mount_on_columns(
            self.name, released, self.column, lambda column: self._one(released, column, truth), above_baseline
        )

    def _one(self, released: Table, sensitive: Column, truth: Truth[Table] | None) -> Finding:
        visible = ~released.suppressed
        everybody = released.classes.as_one()
        known = None if truth is None else {name: truth.original.columns[name] for name in released.schema.quasi}
        model = NaiveBayes.trained(released, sensitive, known)
        persons = persons_as_published(released.classes, released.rows) if truth is None else person_of(truth)
        people = {column.name: column for column in released.quasi} if known is None else known
        at = np.arange(released.rows) if truth is None else truth.rows
        by: list[NDArray[np.integer]] = [sensitive.codes, *(column.codes[at] for column in people.values())]
        if (released if truth is None else truth.original).subject is not None:
            by.append(persons)
        order = np.lexsort(by)  # what is drawn follows from content alone
        drawn = order[draw_rows(persons[order], visible[order])]
        guess, credence = model.guess(people, at[drawn])
        right: Bools | None = None
        if truth is not None:
            owner = np.zeros(len(drawn), dtype=np.intp)
            right = has_value(everybody, persons, sensitive, owner, persons[drawn], guess)
        _, baseline = most_frequent(everybody, sensitive)
        _, shares = most_frequent(released.classes, sensitive)
        sure = credence >= self.confident
        details = ClassifierDetails(
            None if right is None else Simulated.of(right, credence),
            float(baseline[0]),
            float(shares.max()),
            float(sure.mean()) if len(sure) else 0.0,
            float(right[sure].mean()) if right is not None and sure.any() else None,
            self._outside(released, sensitive),
        )
        value = _mean(credence if right is None else right.astype(np.float64))
        note = NOT_SIMULATED if right is None else ""
        return Finding(self.name, value, column=sensitive.name, unit="share", details=details, note=note)

    def _outside(self, released: Table, sensitive: Column) -> float | None:
        """How often the classifier is right about people who are not in the data."""
        if self.outsiders is None:
            return None
        wanted, names = [*released.schema.quasi, sensitive.name], self.outsiders.names()
        if lacking := [name for name in wanted if name not in names]:
            raise DataError(
                f"{self.name} — {self.outsiders.label} — lacks the column(s) {', '.join(lacking)}"
                " — map names with `columns:`"
            )
        frame = self.outsiders.read(wanted)
        truly = {column.name: people_like(column, frame[column.name]) for column in released.quasi}
        values = encode(sensitive.name, Role.SENSITIVE, frame[sensitive.name], kind="text")
        # What can be predicted of them is learned again in terms of their own values.
        guess, _ = NaiveBayes.trained(released, sensitive, truly).guess(truly, np.arange(frame.num_rows))
        texts = [fold(text) for text in sensitive.texts]
        own = [fold(text) for text in values.texts]
        right = [texts[code] == own[value] for code, value in zip(guess, values.codes, strict=True) if own[value]]
        return _mean(np.array(right, dtype=np.float64))


def _mean(numbers: Floats) -> float | None:
    return round(float(numbers.mean()), 9) if len(numbers) else None
