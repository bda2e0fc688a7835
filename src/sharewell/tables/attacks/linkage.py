"""Linkage: an attacker with a list of named people looks for those who fit a published record.

## Guarantee
None; a measurement. The value is the largest probability of naming the right person for a published record. Where no
published record fits anybody on the list there is no value: the attack was not possible, which is not the same as 0.

## Adversary
Holds a population list (a register, a voter list) with some or all of the quasi columns, exact and true; for each
published record picks one of the N people who fit it, at random (the journalist).

## What it does not protect
If the list lacks some of the released people the true risk is lower; if the attacker knows more columns it is higher.
A list that writes its values otherwise than the release (`Vienna`, `Wien`) fits nobody: look at the unmatched records,
which the finding counts and takes for 0.

## Parameters
population: a file or frame with named people; `columns` of the source map names where they differ. Or a list of such:
the attacker uses whichever of them leaves the fewest people for a record.
threshold: records whose probability exceeds this are counted as at risk.
subject: the column by which the list names its persons; left out, the one of the release's own subject, or one called
like a key of persons. A person with several rows counts once, and fits a record if any of the rows does.
missing: "own" (default) takes a missing cell as a value of its own, so that in a list without gaps nobody fits it, and
the record counts as unmatched; "wildcard" lets everybody fit it who fits the rest, as an attacker would.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.tables import Table
>>> people = pa.table({"age": [40, 40, 45, 45, 61], "area": ["NW10", "NW10", "NW15", "NW15", "NW15"]})
>>> published = pa.table({"age": ["40", "[41-50]"], "area": ["NW10", "NW15"]})
>>> table = Table.of(published, quasi=["age", "area"], published=True)
>>> Linkage(people).mount(table).value
0.5

## Why it is safe
It reads the release and the list, and returns numbers only. A published record that nobody on the list fits is
counted apart: it cannot be linked, and it shows that the list is not complete. Rows of the list that name nobody are
left out; where it names no persons and rows repeat, each counts as a person, and the finding says so. With the truth,
and a list that carries the subject column, the attack is also carried out on drawn records and its successes are
counted; without, the risk is computed only, and the finding says so.

## Cost
Classes are walked as a tree, column by column, and each branch keeps only the people who still fit:
O(people · classes) in the worst case, where every class covers everybody; O(people · log people) where none overlap.

## Source
Sweeney, 2002; El Emam and Dankar, 2008 (journalist risk).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

import numpy as np

from sharewell.algorithm import NOT_SIMULATED, Attack, DataError, Declared, Finding, Share, Truth
from sharewell.io.sources import Registers, Source, sources_in
from sharewell.spelling import fold
from sharewell.tables.attacks.prosecutor import CUSTOMARY, RiskProfile, risk_profile
from sharewell.tables.data import Floats, Indices, Ints, Table
from sharewell.tables.engine.attackers.simulation import draw_rows, person_of, picks
from sharewell.tables.engine.cell_matching import Cover, Missing, fitting
from sharewell.tables.engine.register import Register, read_register, subject_of


@dataclass(frozen=True)
class LinkageDetails:
    """People on the list, columns they were matched by, and the probabilities."""

    people: int
    columns: tuple[str, ...]
    unmatched_records: int
    unique_records: int
    """Published records that fit one person alone."""
    risk: RiskProfile | None
    """None where no published record fits anybody: then nothing was measured."""


@dataclass(frozen=True)
class Linkage(Declared, Attack[Table]):
    """1 / (people of the list who fit), for every published record."""

    population: Registers
    threshold: Share = CUSTOMARY
    missing: Missing = "own"
    subject: str | None = None

    picks_record: ClassVar[bool] = True

    def mount(self, released: Table, truth: Truth[Table] | None = None) -> Finding:
        lists = list(sources_in(self.population))
        several = [PopulationLinkage.of(one, released, truth, self.missing, self.subject) for one in lists]
        linkage = PopulationLinkage.worst(several)
        sizes = released.classes.sizes
        risk = np.where(linkage.fits > 0, 1.0 / np.maximum(linkage.fits, 1), 0.0)
        simulated = None if linkage.rows is None or linkage.nobody_fits else picks(linkage.chances[linkage.rows])
        unmatched = int(sizes[linkage.fits == 0].sum())
        details = LinkageDetails(
            linkage.people,
            linkage.columns,
            unmatched,
            int(sizes[linkage.fits == 1].sum()),
            None if linkage.nobody_fits else risk_profile(risk, sizes, self.threshold, simulated),
        )
        value = None if linkage.nobody_fits else float(risk.max())
        notes = linkage.notes(unmatched, int(sizes.sum()))
        return Finding(self.name, value, unit="probability", details=details, note="; ".join(notes))

    def cautions(self, data: Table) -> tuple[str, ...]:
        """What a steward should know of the list before a release."""
        results: list[str] = []
        for source in sources_in(self.population):
            shared = [column for column in data.quasi if column.name in source.names()]
            subject = subject_of(source, self.subject, data.schema.subject, [column.name for column in shared])
            notes = read_register(source, shared, subject=subject).notes
            results += [f"{source.label}: {note}" for note in notes]
        return tuple(results)


@dataclass(frozen=True, eq=False)
class PopulationLinkage:
    """A release held against a list of people."""

    people: int
    columns: tuple[str, ...]
    """By which they were matched."""
    fits: Ints
    """People of the list who fit each class."""
    rows: Indices | None
    """Published rows drawn for the simulation; None without the truth, or if the list does not say who is who."""
    chances: Floats
    """Of drawn rows: the share of the right person among those who fit."""
    list_notes: tuple[str, ...] = ()
    """Remarks on the list."""

    @property
    def nobody_fits(self) -> bool:
        """Is there no published record that anybody on the list fits? Then nothing was measured."""
        return not self.fits.any()

    def notes(self, unmatched: int, records: int) -> list[str]:
        """What was not measured, and what is to be said of the list."""
        if self.nobody_fits:
            undecided = f"undecided: none of {records} published record(s) fits anybody on the list"
            return [f"{undecided} — check how both write their values", *self.list_notes]
        lacking = f"{unmatched} of {records} published record(s) fit nobody on the list, and count as 0"
        simulated = [] if self.rows is not None else [NOT_SIMULATED]
        return [*([lacking] if unmatched else []), *self.list_notes, *simulated]

    @classmethod
    def worst(cls, several: Sequence[PopulationLinkage]) -> PopulationLinkage:
        """With whichever list leaves the fewest people of each class, somebody at least."""
        if len(several) == 1:
            return several[0]
        fits = np.stack([one.fits for one in several])
        fewest = np.where(fits > 0, fits, np.iinfo(np.int64).max).min(axis=0)
        drawn = [one for one in several if one.rows is not None]
        return cls(
            max(one.people for one in several),
            tuple(dict.fromkeys(name for one in several for name in one.columns)),
            np.where(fits.any(axis=0), fewest, 0),
            drawn[0].rows if drawn else None,
            np.max([one.chances for one in several], axis=0),
            tuple(dict.fromkeys(note for one in several for note in one.list_notes)),
        )

    @classmethod
    def of(
        cls,
        source: Source,
        released: Table,
        truth: Truth[Table] | None,
        missing: Missing = "own",
        subject: str | None = None,
    ) -> PopulationLinkage:
        listed = source.names()
        shared = [column for column in released.quasi if column.name in listed]
        if not shared:
            wanted = ", ".join(released.schema.quasi)
            raise DataError(
                f"{source.label} — shares no quasi column with the release ({wanted}) — map names with `columns:`"
            )
        names = [column.name for column in shared]
        own_subject = truth.original.schema.subject if truth is not None else released.schema.subject
        by = subject_of(source, subject, own_subject, names)
        people = read_register(source, shared, subject=by)
        classes = released.classes
        first = classes.order[classes.starts[:-1]]
        fits, chances = np.zeros(classes.count, dtype=np.int64), np.zeros(released.rows)
        drawn = None
        if truth is not None and by is not None and by == truth.original.schema.subject:
            drawn = _DrawnRecords(released, truth, people)
        cells = np.stack([column.codes[first] for column in shared])
        for which, fit in fitting(shared, people.columns, cells, partial(Cover, missing=missing)):
            persons = people.among(fit)
            fits[which] = people.size(persons)
            if drawn is not None:
                drawn.chances(which, people.names_of(persons), chances)
        rows = None if drawn is None else drawn.rows
        return cls(people.people, tuple(names), fits, rows, chances, people.notes)


class _DrawnRecords:
    """Published records drawn for the simulation, by class, and who on the list is whom."""

    def __init__(self, released: Table, truth: Truth[Table], listed: Register) -> None:
        persons = person_of(truth)
        subject = truth.original.subject
        assert subject is not None
        number = {fold(text): code for code, text in enumerate(subject.texts) if text}
        self._listed = np.array([number.get(fold(name), -1) for name in listed.names], dtype=np.int64)
        self.rows = draw_rows(persons, ~released.suppressed)
        self._person = persons
        classes = released.classes
        class_of_row = np.full(released.rows, -1)
        class_of_row[classes.order] = classes.class_of
        by_class = np.argsort(class_of_row[self.rows], kind="stable")
        self._rows = self.rows[by_class]
        self._class = class_of_row[self._rows]

    def chances(self, classes: Indices, fit: Ints, into: Floats) -> None:
        """For the drawn records of these classes: the share of the right person among the names that fit."""
        names = self._listed[fit]
        for start, end in np.searchsorted(self._class, np.stack([classes, classes + 1], axis=1)):
            for row in self._rows[start:end]:
                into[row] = np.count_nonzero(names == self._person[row]) / max(1, len(fit))
