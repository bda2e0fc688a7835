"""Text agrees with table: a text discloses no more about its row than the row's own published cells.

## Guarantee
No published text holds an age, a date of birth, a word for a sex, a date, a zip code, a place, a diagnosis or a trait
such as a race that is more precise than the cell of the same row, in any form that this judge knows. The value is the
number of rows whose text does.

## Adversary
Reads the published file. The cells of a class look alike, and a text that says "63-year-old man" beside `[60-69]` and
`*` tells its row from the others: the table's k would then be worth nothing.

## What it does not protect
Only these columns are searched for, and only in English, in the forms that the judge knows. A number counts as an age,
and a letter as a sex, by the words beside it: "Pt 64 presents", "Lowe, 61, retired", "64 next birthday", "edad 64", "b.
1958", "64♀", a lone "M", "waitress", "a grandmother". What nothing beside it calls so is not found: "64 winters",
"class of 1976", a misspelt "genleman". A release hides a number that is the age in the row itself, whatever stands
beside it, but who reads the release cannot check that. Who must exclude these drops the text. A rare diagnosis, an
occupation or a story may single a person out. Words of a column are searched for as they are written in it: a synonym
("wheeze" for asthma) or a misspelling stays, and so does a value that the published column shows nowhere, below a label
of a hierarchy, say. What only a dropped column says is searched for by `no-known-identifiers`. First names and
diagnoses of one sex may tell the sex. Dates that were shifted are not judged unless a column of dates is generalised.

## Parameters
ages, births, sexes, dates, zips: published columns of the same file, by sort.
places, diagnoses: published columns whose values are searched for as words.
codes: published columns of ICD-10 codes.
traits: published columns of race, marital status, occupation and the like, whose values are searched for as words.
labelled: of columns whose values are searched for, those with a hierarchy: a cell may be a label above the value.
hidden: age, birth, sex or diagnosis, where a column that says it was dropped.

## Worked example
>>> import pyarrow as pa
>>> from dataclasses import replace
>>> from sharewell.notes import Notes, TextAgreesWithTable
>>> rows = pa.table({"age": ["[60-69]", "[60-69]", "63"], "sex": ["*", "F", "F"]})
>>> texts = ["A [60-69]-year-old person.", "A 63-year-old woman.", "She is 63."]
>>> notes = replace(Notes.of(texts), beside=rows)
>>> result = TextAgreesWithTable(ages=("age",), sexes=("sex",)).check(notes)
>>> print(result)
text-agrees-with-table = 1 rows (≤ 0: FAILS)
>>> result.details.telling
{'age': 1}

## Why it is safe
The judge reads text and cells from the published file, takes the row's own cells out of the text, and searches what is
left with patterns that share nothing with the detectors or with what writes cells into texts. A number that may be an
age by the words beside it counts as one. Of a table whose values are falsified on purpose no cell counts as true, so
that any such value in its text fails.

## Cost
O(length of the texts).

## Source
Gardner and Xiong, HIDE: An integrated system for health information de-identification, 2008, on structured data that is
linked with text; Article 29 Working Party, Opinion 05/2014 on anonymisation techniques (inference); the judge is ours.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import pyarrow as pa

from sharewell import cells
from sharewell.findings import Finding, Sense
from sharewell.notes.criteria.extracted_values import reveals_more
from sharewell.notes.data import Notes
from sharewell.notes.engine.checks.cell_wordings import without_ages
from sharewell.notes.engine.checks.person_wordings import ages_beside_persons, tells_sex, years_of_birth
from sharewell.notes.engine.checks.row_values import (
    codes_beyond,
    dates_beyond,
    districts_beyond,
    said_of_somebody,
    vocabulary,
    without,
    words_beyond,
    zips_beyond,
)
from sharewell.parameters import Declared
from sharewell.protocols import Criterion

NO_COLUMNS = "the columns of the table are not at hand"
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
Sort = Literal["age", "birth", "sex", "diagnosis"]
Row = Mapping[str, str]
"""Column → the published cell; empty where nothing that is true is published."""


@dataclass(frozen=True)
class AgreementProfile:
    """How much was read, and what says more than its row."""

    rows: int
    telling: Mapping[str, int]
    """Rows whose text says more, by what it says."""


@dataclass(frozen=True)
class TextAgreesWithTable(Declared, Criterion[Notes]):
    """Rows whose text says more than their cells."""

    ages: tuple[str, ...] = ()
    births: tuple[str, ...] = ()
    sexes: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    zips: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    diagnoses: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    labelled: tuple[str, ...] = ()
    hidden: tuple[Sort, ...] = ()

    name: ClassVar[str] = "text-agrees-with-table"
    sense: ClassVar[Sense] = "≤"
    bound: ClassVar[int] = 0

    @property
    def unit(self) -> str:
        return "record"

    @property
    def beside_text(self) -> tuple[str, ...]:
        """The published columns that it reads beside the text."""
        sorts = (self.ages, self.births, self.sexes, self.dates, self.zips, self.words, self.codes)
        return tuple(dict.fromkeys(name for names in sorts for name in names))

    @property
    def words(self) -> tuple[str, ...]:
        """The columns whose values are searched for as words."""
        return (*self.places, *self.diagnoses, *self.traits)

    def check(self, data: Notes) -> Finding:
        beside = data.columns_beside()
        if not set(self.beside_text) <= set(beside):
            return Finding.judge(self.name, None, "≤", 0, unit="rows", note=NO_COLUMNS)
        shown = {name: beside[name].cast(pa.string()).to_pylist() for name in self.beside_text}
        known = {name: vocabulary(shown[name]) for name in self.words}
        telling: Counter[str] = Counter()
        rows = 0
        for i, text in enumerate(data.texts):
            result = self.beyond(text, {name: cell[i] or "" for name, cell in shown.items()}, known)
            telling.update(result)
            rows += bool(result)
        profile = AgreementProfile(data.rows, dict(sorted(telling.items())))
        return Finding.judge(self.name, rows, "≤", 0, unit="rows", details=profile)

    def beyond(self, text: str, row: Row, known: Mapping[str, frozenset[str]]) -> set[str]:
        """What a text says more precisely than its row, by sort. known: the vocabularies of `words`."""
        results = set()
        if not self.age_is_exact(row) and self._tells_age(text, [row[name] for name in self.ages]):
            results.add("age")
        if not self.sex_is_exact(row) and (self._reveals(text, "sex", []) or tells_sex(text)):
            results.add("sex")
        if self.dates and dates_beyond(text, [row[name] for name in self.dates]):
            results.add("date")
        zips = [row[name] for name in self.zips]
        if zips and (zips_beyond(text, zips) or districts_beyond(text, zips) or self._reveals(text, "zip", zips)):
            results.add("zip")
        results |= {name for name in self.words if words_beyond(text, row[name], known[name], name in self.labelled)}
        return results | {name for name in self.codes if codes_beyond(text, row[name])}

    def age_is_exact(self, row: Row) -> bool:
        """Is the age published as it is, or not spoken of? A date of birth tells more than an age."""
        if {"age", "birth"} & set(self.hidden):
            return False
        return all(row[name].isdecimal() for name in self.ages) and all(
            _DAY.fullmatch(row[name]) for name in self.births
        )

    def sex_is_exact(self, row: Row) -> bool:
        return "sex" not in self.hidden and all(_is_exact(row[name]) for name in self.sexes)

    def _tells_age(self, text: str, row: list[str]) -> bool:
        said = {*said_of_somebody(text), *ages_beside_persons(without(without_ages(text, row), row))}
        return self._reveals(text, "age", row) or years_of_birth(text) or bool(said - set(row))

    def _reveals(self, text: str, sort: str, row: list[str]) -> bool:
        """Does a text say more than every one of these cells? None of them: does it say anything?"""
        if sort == "age":
            text = without_ages(text, row)
        return all(sort in reveals_more(text, {sort: cell}) for cell in row or [""])


def _is_exact(cell: str) -> bool:
    return cell != "" and isinstance(cells.parse(cell), cells.Exact)
