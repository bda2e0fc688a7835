"""Minimality: re-runs the mechanism on the tables that may lie behind the release, and keeps those that reproduce it.

## Guarantee
None; a measurement. The value is the largest probability with which the attacker knows a sensitive value of a person,
other than values that every record of a class has (the attack `homogeneity` reports those). It covers the classes
attacked, and classes of people with one record each and the same quasi values: of these the mechanism says nothing, and
the probability is the share of the value in the class. Where all classes are such, the attack reports no value.

## Adversary
Has the release, knows the exact quasi values of everybody in it (a register), and knows the mechanism, its parameters
and the criteria: the certificate names all of them. A *world* assigns the published sensitive values of a class to its
records in one possible order. The mechanism loses no more detail than it must, so the attacker rules out every world in
which it would have lost less. Where the worlds of all classes together are too many to re-run, the attack takes classes
one by one, and assumes that the attacker knows the values of everybody in the other classes. It assumes that withheld
records are known.

## What it does not protect
Classes that are not attacked (`details.classes` of `details.possible`). Mechanisms that draw at random under the key
are not re-run: the attacker does not have the key. The attack does not use pseudonyms within classes, which would show
which records belong to one person.

## Parameters
column: one sensitive column; without it all are attacked, and the finding is about the one whose value is known with
the largest probability.
worlds: the largest number of worlds to re-run. Large classes whose worlds can all be run come first; the rest of the
limit goes into a sample of one more class, with a fixed seed.
rows: the largest number of rows to protect in all re-runs together. A table that is too large for a few re-runs is not
attacked, and the note says so.

## Worked example
At most half of a class may have HIV. Two people of district 1 and five of district 2 are published as one class in
which 2 of 7 have it. Whoever knows the mechanism asks why it joined the districts: with at most one case of HIV in
district 1, it would have kept them apart. So both people of district 1 have HIV, for certain.

>>> import pyarrow as pa
>>> from sharewell.tables import AlphaKAnonymity, Mondrian, Table
>>> people = pa.table({"district": [1, 1, 2, 2, 2, 2, 2], "illness": ["HIV"] * 2 + ["none"] * 5})
>>> table, must = Table.of(people, quasi=["district"], sensitive=["illness"]), [AlphaKAnonymity("1/2", 1, ["HIV"])]
>>> released = Mondrian().protect(table, must)
>>> released.data.arrow["district"].unique().to_pylist(), must[0].check(released.data).ok
(['[1-2]'], True)
>>> result = Minimality().knowing(Mondrian(), must).mount(released.data, released.truth(table))
>>> result.value, round(result.details.by_class, 3), result.details.worlds, result.details.consistent
(1.0, 0.714, 21, 1)

Who does not know the mechanism guesses `none` with probability 5/7; who knows it is left with one world of 21.

## Why it is safe
All worlds are taken to be equally likely. A probability is the share of the remaining worlds in which a record of the
person has the value, and the true world is always among them. Persons with the same quasi values cannot be told apart
and have the same probability. In a sample, the probability is that of the class plus the difference that the remaining
worlds make; the stated error holds for all probabilities at once with 95 % confidence. If the mechanism does not
reproduce the release from the truth, or fewer than ten sampled worlds reproduce it, the finding is undecided and says
why. The finding holds numbers only.

## Cost
At most `possible_worlds` + 1 runs of the mechanism, on at most `rows` rows together.

## Source
Wong, Fu, Wang and Pei, 2007 (minimality attack in privacy preserving data publishing).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import comb, log, sqrt
from typing import ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.algorithm import Attack, Count, Criteria, Criterion, Declared, Finding, Mechanism, Truth, TwoOrMore
from sharewell.errors import SharewellError
from sharewell.tables.data import Bools, Column, Floats, Ints, Table
from sharewell.tables.engine.attackers.attacked_columns import attacked_columns
from sharewell.tables.engine.attackers.possible_worlds import FEWEST, Worlds, worlds_of

_DOUBT = 0.05


@dataclass(frozen=True)
class MinimalityDetails:
    by_class: float
    """The largest probability for who does not know the mechanism, in the same classes."""
    raised: int
    """Persons of whom a value is known with a higher probability than without the mechanism, beyond the error."""
    persons: int
    """Persons in the classes attacked."""
    classes: int
    possible: int
    """Classes attacked, and classes in which the mechanism may tell something."""
    worlds: int
    consistent: int
    """Worlds re-run, and those that gave the release."""
    error: float
    """Of sampled probabilities, with 95 % confidence; 0 where all worlds were re-run."""


@dataclass(frozen=True)
class Minimality(Declared, Attack[Table]):
    """The share of worlds with a value, among those from which the mechanism makes this release."""

    column: str | None = None
    worlds: TwoOrMore = 120
    rows: Count = 100_000

    released_only: ClassVar[bool] = True
    known: tuple[Mechanism[Table], tuple[Criterion[Table], ...]] | None = field(default=None, init=False, repr=False)
    """The mechanism and its criteria: `knowing` gives them."""

    def knowing(self, mechanism: Mechanism[Table], criteria: Criteria[Table]) -> Minimality:
        """The attack by somebody who knows how the release was made."""
        informed = replace(self)
        object.__setattr__(informed, "known", (mechanism, tuple(criteria)))
        return informed

    def mount(self, released: Table, truth: Truth[Table] | None = None) -> Finding:
        columns = attacked_columns(self.name, released, self.column)
        if self.known is None or truth is None:
            unknown = "the mechanism" if self.known is None else "the original"
            return self._undecided(f"{unknown} is not given")
        runs = min(self.worlds, self.rows // max(1, truth.original.rows) - 1)
        if runs < FEWEST:
            return self._undecided(
                f"not mounted: the mechanism would be re-run on {truth.original.rows} rows, and `rows` bounds all "
                f"re-runs to {self.rows} rows"
            )
        rerun = _Rerun(self.known[0], self.known[1], truth.original, released)
        if why := rerun.unfit():
            return self._undecided(why)
        attacked, possible, alike = worlds_of(released, truth, runs)
        beliefs = [belief for worlds in attacked if (belief := _believed(rerun, worlds, columns)) is not None]
        others = [_largest_share(truth.original.columns[column.name].codes, alike) for column in columns]
        return self._finding(beliefs, len(attacked), possible, columns, rerun.runs, others)

    def _undecided(self, why: str) -> Finding:
        return Finding(self.name, None, unit="probability", note=f"undecided: {why}")

    def _finding(
        self,
        beliefs: Sequence[Belief],
        attacked: int,
        possible: int,
        columns: Sequence[Column],
        runs: int,
        others: Sequence[float],
    ) -> Finding:
        if not possible:
            note = "no class joins different quasi values with different sensitive values: nothing to learn"
            return Finding(self.name, None, unit="probability", note=note)
        if not beliefs:
            return self._undecided(f"too few of {runs} worlds reproduce the release")
        classes, error = sum(one.classes for one in beliefs), max(one.error for one in beliefs)
        details = [
            MinimalityDetails(
                max(others[j], *(one.before[j] for one in beliefs)),
                sum(one.raised[j] for one in beliefs),
                sum(one.persons for one in beliefs),
                classes,
                possible,
                sum(one.worlds for one in beliefs),
                sum(one.consistent for one in beliefs),
                error,
            )
            for j in range(len(columns))
        ]
        notes = [f"{classes} of {possible} classes attacked"] if classes < possible else []
        notes += [f"sampled, ± {error:.2f} with 95 % confidence"] if error else []
        if attacked > len(beliefs):
            notes.append(f"{attacked - len(beliefs)} undecided: too few worlds reproduce the release")
        values = [max(others[j], *(one.after[j] for one in beliefs)) for j in range(len(columns))]
        parts = [
            Finding(self.name, value, column=column.name, unit="probability", details=one, note="; ".join(notes))
            for column, value, one in zip(columns, values, details, strict=True)
        ]
        worst = max(parts, key=lambda part: (part.value or 0, part.details.raised > 0))
        named = self.column is not None or len(parts) > 1
        return replace(worst, column=worst.column if named else None, parts=tuple(parts) if parts[1:] else ())


@dataclass(frozen=True)
class Belief:
    """What is believed of the persons in some classes, by sensitive column: (before, after, persons raised)."""

    before: tuple[float, ...]
    after: tuple[float, ...]
    raised: tuple[int, ...]
    persons: int
    classes: int
    worlds: int
    consistent: int
    error: float


class _Rerun:
    """The mechanism on other sensitive values of the same people, against the release."""

    def __init__(
        self, mechanism: Mechanism[Table], criteria: Criteria[Table], original: Table, released: Table
    ) -> None:
        self.mechanism, self.criteria, self.original = mechanism, list(criteria), original
        self.release = _content(released)
        self.runs = 0

    def unfit(self) -> str:
        """Why the release cannot be had again from the truth, or nothing."""
        if not isinstance(self.original.carried, pa.Table):
            return "not mounted: the table is too large to be held in memory as a whole"
        if self.mechanism.falsifies:
            return (
                "the mechanism publishes false values on purpose, and no world has just the values that are published"
            )
        try:
            again = self.mechanism.protect(self.original, self.criteria)
        except SharewellError:
            return "the mechanism does not run on the original alone"
        if not again.reproducible:
            return "the mechanism draws at random under the key, which the attacker does not have"
        return "" if _content(again.data) == self.release else "re-running the mechanism does not reproduce the release"

    def gives_the_release(self, rows: Ints, codes: dict[str, Ints]) -> bool:
        """With these sensitive codes in these rows of the original?"""
        self.runs += 1
        columns = dict(self.original.columns)
        for name, new in codes.items():
            changed = columns[name].codes.copy()
            changed[rows] = new
            columns[name] = replace(columns[name], codes=changed)
        carried = self.original.carried
        for name in set(codes) & set(carried.column_names):  # a mechanism may look at a column as it came
            carried = carried.set_column(carried.column_names.index(name), name, columns[name].arrow)
        try:
            made = self.mechanism.protect(replace(self.original, columns=columns, carried=carried), self.criteria)
        except SharewellError:  # Infeasible: such a table would not have been published
            return False
        return _content(made.data) == self.release


def _content(table: Table) -> list[tuple[str, ...]]:
    """The published rows, sorted: what a reader of the file sees."""
    shown = [[column.texts[code] for code in column.codes.tolist()] for column in (*table.quasi, *table.sensitive)]
    return sorted(zip(*shown, strict=True))


def _believed(rerun: _Rerun, worlds: Worlds, columns: Sequence[Column]) -> Belief | None:
    """The largest probabilities without the mechanism and with it; None if too few worlds give the release."""
    codes = {name: np.unique(bundled, return_inverse=True)[1] for name, bundled in worlds.codes.items()}
    tallies = {column.name: _Tally(worlds, codes[column.name]) for column in columns}
    run = consistent = 0
    for bundles in worlds.arrangements():
        fits = rerun.gives_the_release(worlds.rows, {name: held[bundles] for name, held in worlds.codes.items()})
        run, consistent = run + 1, consistent + fits
        for name, tally in tallies.items():
            tally.add(codes[name][bundles], fits)
    if consistent < (FEWEST if worlds.is_sampled else 1):
        return None
    cells = sum(tally.all.size for tally in tallies.values())
    error = sqrt(log(2 * cells / _DOUBT) / (2 * consistent)) if worlds.is_sampled else 0.0
    before = [_by_class(worlds, codes[name]) for name in tallies]
    shared = [_shared(worlds, codes[name]) for name in tallies]
    persons = np.bincount(worlds.kind)[:, None]
    after = [
        (known + tally.left / (persons * consistent) - tally.all / (persons * run)).clip(0, 1)
        for known, tally in zip(before, tallies.values(), strict=True)
    ]
    pairs = list(zip(before, after, strict=True))
    raised = [np.any(new - error > old + 1e-9, axis=1)[worlds.kind].sum() for old, new in pairs]
    return Belief(
        tuple(_largest(old, known) for (old, _), known in zip(pairs, shared, strict=True)),
        tuple(_largest(new, known) for (_, new), known in zip(pairs, shared, strict=True)),
        tuple(map(int, raised)),
        len(worlds.kind),
        len(worlds.classes),
        run,
        consistent,
        error,
    )


def _largest(belief: Floats, shared: Bools) -> float:
    """The largest probability of a value that not every record of the class has."""
    return round(float(np.where(shared, 0.0, belief).max(initial=0.0)), 9)


def _largest_share(codes: NDArray[np.integer], classes: Sequence[Ints]) -> float:
    """The largest share of a value that not every record of its class has: all that is known of people alike."""
    counts = [np.bincount(codes[rows]) for rows in classes]
    return max((float(one.max() / one.sum()) for one in counts if one.max() < one.sum()), default=0.0)


class _Tally:
    """In how many worlds how many persons of each kind have each value: in all of them, and in those that are left."""

    def __init__(self, worlds: Worlds, codes: Ints) -> None:
        self._worlds, self._size = worlds, int(codes.max(initial=0)) + 1
        shape = int(worlds.kind.max(initial=0)) + 1, self._size
        self.all, self.left = np.zeros(shape), np.zeros(shape)

    def add(self, codes: Ints, fits: bool) -> None:
        has_value = np.zeros((len(self._worlds.kind), self._size))
        has_value[self._worlds.person, codes] = 1
        by_kind = np.zeros_like(self.all)
        np.add.at(by_kind, self._worlds.kind, has_value)
        self.all += by_kind
        self.left += by_kind if fits else 0


def _shared(worlds: Worlds, codes: Ints) -> Bools:
    """(kind, value): that all records of the class have the value."""
    shared = np.zeros((int(worlds.kind.max(initial=0)) + 1, int(codes.max(initial=0)) + 1), dtype=bool)
    for part in worlds.classes:
        values = np.unique(codes[worlds.bundles[part]])
        if len(values) == 1:
            shared[worlds.kind[worlds.person[part]], values[0]] = True
    return shared


def _by_class(worlds: Worlds, codes: Ints) -> Floats:
    """(kind, value): that one of a person's records has the value, where all orders of a class are as likely."""
    size = int(codes.max(initial=0)) + 1
    known = np.zeros((int(worlds.kind.max(initial=0)) + 1, size))
    for part in worlds.classes:
        counts = np.bincount(codes[worlds.bundles[part]], minlength=size).tolist()
        records = np.bincount(worlds.person[part])
        total = sum(counts)
        for person in np.flatnonzero(records).tolist():
            drawn = comb(total, int(records[person]))
            known[worlds.kind[person]] = [1 - comb(total - n, int(records[person])) / drawn for n in counts]
    return known
