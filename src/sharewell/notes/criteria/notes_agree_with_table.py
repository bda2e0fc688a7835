"""Notes agree with a table: no note of a person discloses more than the person's published row in another dataset.

## Guarantee
The table of people and the notes are two files. No note names an age, a date of birth, a sex, a zip code, a place or a
diagnosis more precisely than the cells that the table publishes for the same person.

## Adversary
Has both files and knows which note belongs to which row, by a common pseudonym or otherwise. Looks in the notes for
what the table generalised, dropped or withheld.

## What it does not protect
What `text-agrees-with-table` does not find: unusual wordings, synonyms, misspellings. What notes say beyond the columns
of the table: `joined-k-anonymity` counts the words of notes like other facts. Tables with several rows per person are
not compared with.

## Parameters
texts: the dataset of the notes.
table: the dataset of the people, one row per person.
ages, births, sexes, dates, zips, places, diagnoses, codes, labelled, hidden: columns of that table, as for
`text-agrees-with-table`. A policy need not write any of this: where notes are tied to a table of people, the criterion
is added with the columns that its names suggest.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.io.sources import Source
>>> from sharewell.notes import Notes
>>> from sharewell.protocols import PublishedDataset
>>> from sharewell.tables import Table
>>> rows = pa.table({"who": ["a", "b"], "age": ["60", "[60-69]"]})
>>> people = Table.of(rows, quasi=["age"], subject="who", published=True)
>>> notes = Notes.of(["She is 60.", "She is 60."], persons=["a", "b"])
>>> rule = NotesAgreeWithTable("notes", "people", ages=("age",))
>>> both = [PublishedDataset("people", people, Source(), "tables"), PublishedDataset("notes", notes, Source(), "notes")]
>>> print(rule.check(both))
notes-agree-with-table = 1 notes (≤ 0: FAILS)

## Why it is safe
The criterion reads both published files, looks up the row of each note's person, and lets `text-agrees-with-table`
judge the note beside these cells. Where somebody has no published row, or the table's values are falsified, nothing
counts as published, and any such value in a note fails.

## Cost
O(length of the notes).

## Source
As `text-agrees-with-table`, for two files instead of one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import pyarrow as pa

from sharewell import registry
from sharewell.errors import DataError
from sharewell.findings import Finding
from sharewell.notes.criteria.text_agrees_with_table import AgreementProfile, Sort, TextAgreesWithTable
from sharewell.notes.data import Notes
from sharewell.parameters import Declared
from sharewell.protocols import JointCriterion, PublishedDataset
from sharewell.spelling import fold


@dataclass(frozen=True)
class NotesAgreeWithTable(Declared, JointCriterion):
    """Notes that say more than the published row of their person."""

    texts: str
    table: str
    ages: tuple[str, ...] = ()
    births: tuple[str, ...] = ()
    sexes: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    zips: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    diagnoses: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    labelled: tuple[str, ...] = ()
    hidden: tuple[Sort, ...] = ()

    name: ClassVar[str] = "notes-agree-with-table"
    asked: ClassVar[bool] = True
    unit: ClassVar[str] = "notes"
    remedies: ClassVar[tuple[str, ...]] = (
        "replace more in the notes, such as using: {replace: {places: tag, dates: year}}",
        "leave the notes out of `knows` and take link out, so that nobody can join them",
    )

    @property
    def named_datasets(self) -> tuple[str, ...]:
        return self.table, self.texts

    @property
    def of_rows(self) -> TextAgreesWithTable:
        """What judges a note beside the cells of its person's row."""
        return TextAgreesWithTable(
            ages=self.ages,
            births=self.births,
            sexes=self.sexes,
            dates=self.dates,
            zips=self.zips,
            places=self.places,
            diagnoses=self.diagnoses,
            codes=self.codes,
            labelled=self.labelled,
            hidden=self.hidden,
        )

    def relevant(self, datasets: Sequence[PublishedDataset]) -> list[PublishedDataset]:
        """The table and the notes of this release."""
        here = {one.name: one for one in datasets if not one.release}
        return [here[name] for name in self.named_datasets if name in here]

    def check(self, datasets: Sequence[PublishedDataset]) -> Finding:
        here = {one.name: one for one in datasets}
        notes = here[self.texts].data
        if not isinstance(notes, Notes):
            raise DataError(f"{self.texts} — these are no notes")
        rows, persons = _rows(here[self.table], self.of_rows.beside_text), _persons(here[self.texts])
        nothing = dict.fromkeys(self.of_rows.beside_text, "")
        results = [nothing if person is None else rows.get(fold(person), nothing) for person in persons]
        cells = {name: pa.array([row[name] for row in results], pa.string()) for name in nothing}
        judged = self.of_rows.check(replace(notes, beside=pa.table(cells)))
        details = judged.details if isinstance(judged.details, AgreementProfile) else None
        return Finding.judge(self.name, judged.value, "≤", 0, unit=self.unit, details=details, note=judged.note)


def _rows(table: PublishedDataset, columns: Sequence[str]) -> Mapping[str, Mapping[str, str]]:
    """Person → the published cells; empty where none is published that is true."""
    can = registry.wing(table.kind).capabilities()
    if can.people is None or can.text_columns is None:
        raise DataError(f"{table.name} — it is not a table of people")
    quasi = can.people.quasi_cells(table.data)
    shown: dict[str, list[str | None]] = {}
    for name in columns:
        if table.falsified or (name not in quasi and name not in table.columns and table.columns):
            shown[name] = [None] * table.data.rows
        else:
            column = quasi[name] if name in quasi else can.text_columns.column(table.data, name)
            shown[name] = column.cast(pa.string()).to_pylist()
    results: dict[str, dict[str, str]] = {}
    for i, person in enumerate(_persons(table)):
        if person is not None and fold(person) in results:
            raise DataError(f"{table.name} — several rows of a person, and notes are compared with one")
        if person is not None:
            results[fold(person)] = {name: cells[i] or "" for name, cells in shown.items()}
    return results


def _persons(dataset: PublishedDataset) -> Sequence[str | None]:
    reader = registry.wing(dataset.kind).capabilities().facts
    facts = None if reader is None else reader.person_facts(dataset.data)
    if facts is None:
        raise DataError(f"{dataset.name} — it does not identify the persons of its records, so it cannot be compared")
    return facts.persons
