"""Extracted values: of what was made a table from notes, a note shows what the person's published row shows, no more.

Guarantee
---------
The rows that the steward keeps person by person are those of the published table; and in no published note stands an
age, a birth date, a day, a year of an event, a zip code or a word for the sex of the patient that says more than the
cell of that person's row. The value is the number of persons in whose notes one does.

Adversary
---------
Reads notes and the table beside them, and would tell the people of one class apart by what their notes say of age, sex,
dates and places: the table's k would then be worth nothing.

What it does not protect
------------------------
**The table's criterion, such as k-anonymity, holds for the extracted values alone.** What else a note says (a rare
diagnosis, an occupation, a story) may single a person out, whatever k is. Names of towns and states are not judged
here: a judge without the detectors' lists cannot tell them from other words. First names, relatives ("the husband") and
diagnoses of one sex tell the sex even where pronouns do not. Forms and misspellings that neither the detectors nor
this judge know stay: "genleman", "forty-seven".

Parameters
----------
None in a policy: a release fills them in. rows: whose row shows what (`person`, then a column for each attribute).
table: the published table. columns: the attributes, of age, sex, first, last, year, zip, city, state.

Worked example
--------------
>>> import pyarrow as pa
>>> from sharewell.notes import ExtractedValues, Notes
>>> rows = pa.table({"person": ["p1", "p2"], "age": ["[45-49]", "[45-49]"]})
>>> must = ExtractedValues(rows, rows.select(["age"]), ("age",))
>>> texts = ["A [45-49]-year-old man.", "Aged 47, well."]
>>> print(must.check(Notes.of(texts, ["p1", "p2"])))
extracted-values = 1 persons (≤ 0: FAILS)

Why it is safe
--------------
Every published note is read anew, with patterns that share nothing with the detectors: the cells of the person's own
row are taken out, and what is left may hold no such value. A row that is not in the published table fails the whole.

Cost
----
O(length of the text) for each note.

Source
------
Gardner and Xiong, HIDE: An integrated system for health information de-identification, 2008; the judge is ours.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from sharewell.findings import Finding, Sense
from sharewell.io.sources import Source
from sharewell.notes.dataset import Notes

PERSON = "person"
NO_ROWS = "no table was made from these notes — give the dataset `extract`"
OTHER_ROWS = "the rows are not those of the published table"
NOBODY = "nobody says whose notes these are"
_DAYS, _DATES = ("first", "last"), ("first", "last", "year")
_MONTH = "(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*"
_UNIT = r"(?! ?(?:mg|mcg|ml|cc|g|kg|units?|iu|h|hrs?|hours?|cal|steps|%))"
_AGE = re.compile(
    r"\b(\d{1,3})[ -]{0,2}(?:(?:years?|yrs?)[ -]{1,2}(?:old|of age)|y/?o\b|y\.o\.|yo[mf]?\b)"
    r"|\bage[d:]?(?: (?:of|is|was))?[ :]{1,2}(\d{1,3})\b(?!\d|[./-]\d)",
    re.IGNORECASE,
)
_AGE_AND_SEX = re.compile(r"(?<![\d.,:/-])(?!9[5-9]F)(\d\d)[MF]\b(?!\.\d)")
_DAY = re.compile(
    r"\b(?:\d{4}-\d\d-\d\d|\d{1,2}/\d{1,2}/(?:\d{4}|\d\d)\b|\d{1,2}-\d{1,2}-\d{4}"
    rf"|{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?,? (?:19|20)\d\d"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}\.?,? (?:19|20)\d\d)\b",
    re.IGNORECASE,
)
_BORN = re.compile(
    r"\b(?:dob|d\.o\.b\.|born|birth ?date|date of birth|birthday)\b\W{0,3}(?:on |in |is )?"
    rf"(?:\d{{1,2}}[/-]\d{{1,2}}[/-]\d{{2,4}}|\d{{4}}-\d\d|(?:19|20)\d\d|{_MONTH}\.? \d)",
    re.IGNORECASE,
)
_YEAR = re.compile(rf"\b(?:in|since|during|until|year|{_MONTH}) ((?:19|20)\d\d)\b{_UNIT}", re.IGNORECASE)
_ZIP = re.compile(r"\b(?:[A-Z]{2},? |zip:? ?)(\d{5})(?:-\d{4})?\b")
_SEX = re.compile(
    r"\b(?:[Hh]e|[Ss]he|[Hh]im|[Hh]is|[Hh]er|[Hh]ers|[Hh]imself|[Hh]erself|(?i:male|female|man|woman|gentleman|lady)"
    r"|Mrs|Mr|Ms)\b(?!-?\d)"
)


@dataclass(frozen=True)
class WrittenProfile:
    """How much was read, and what says more than its row."""

    persons: int
    notes: int
    without_row: int
    """Persons whose row is not published: their notes show marks alone."""
    telling: Mapping[str, int]
    """Persons of whom a note says more, by attribute."""


@dataclass(frozen=True)
class ExtractedValues:
    """Persons whose notes say more of an extracted attribute than their published row."""

    rows: Source | None = None
    table: Source | None = None
    columns: tuple[str, ...] = ()

    name: ClassVar[str] = "extracted-values"
    sense: ClassVar[Sense] = "≤"
    needs_evidence: ClassVar[bool] = True

    def __post_init__(self) -> None:
        for name in ("rows", "table"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, Source.of(getattr(self, name)))
        object.__setattr__(self, "columns", tuple(self.columns))

    @property
    def bound(self) -> int:
        return 0

    def check(self, data: Notes) -> Finding:
        if self.rows is None or self.table is None or data.persons is None:
            note = NOBODY if data.persons is None else NO_ROWS
            return Finding.judge(self.name, None, "≤", 0, unit="persons", note=note)
        kept, shown = self.rows.read([PERSON, *self.columns]).to_pydict(), self.table.read(list(self.columns))
        mine = [tuple(kept[name][i] or "" for name in self.columns) for i in range(len(kept[PERSON]))]
        theirs = [tuple(row[name] or "" for name in self.columns) for row in shown.to_pylist()]
        if Counter(mine) != Counter(theirs) or len(set(kept[PERSON])) < len(mine):
            return Finding.judge(self.name, None, "≤", 0, unit="persons", note=OTHER_ROWS)
        row_of = {
            str(who): dict(zip(self.columns, row, strict=True)) for who, row in zip(kept[PERSON], mine, strict=True)
        }
        telling: set[tuple[str, str]] = set()
        for person, text in zip(data.persons, data.texts, strict=True):
            row = row_of.get(str(person), dict.fromkeys(self.columns, ""))
            telling |= {(str(person), name) for name in says_more(text, row)}
        people = set(map(str, data.persons))
        by_name = Counter(name for _, name in telling)
        told = WrittenProfile(len(people), data.rows, len(people - set(row_of)), dict(sorted(by_name.items())))
        value = len({person for person, _ in telling})
        return Finding.judge(self.name, value, "≤", 0, unit="persons", details=told)


def says_more(text: str, row: Mapping[str, str]) -> set[str]:
    """Attributes of which a text says more than a row (empty: nothing is published of them).

    >>> sorted(says_more("She is 47 y/o, seen 3/5/2016", {"age": "47", "sex": "*", "last": "2016"}))
    ['date', 'sex']
    """
    for cell in sorted(filter(None, row.values()), key=len, reverse=True):
        if not cell.isalnum():  # ranges and sets, as they are written
            text = text.replace(cell, "\0")
    found = set()
    if "age" in row and (_BORN.search(text) or any(age != row["age"] for age in _ages(text))):
        found.add("age")
    if "sex" in row and row["sex"] not in ("M", "F") and _SEX.search(text):
        found.add("sex")
    if set(row) & set(_DATES) and (_DAY.search(text) or _later(text, row)):
        found.add("date")
    if "zip" in row and any(m[1] != row["zip"] for m in _ZIP.finditer(text)):
        found.add("zip")
    return found


def _ages(text: str) -> list[str]:
    return [m[1] or m[2] for m in _AGE.finditer(text)] + [m[1] for m in _AGE_AND_SEX.finditer(text)]


def _later(text: str, row: Mapping[str, Any]) -> bool:
    """A year beside words of time that no cell of the row is."""
    years = {cell[:4] for name in _DATES if (cell := row.get(name, "")) and cell[:4].isdigit()}
    return any(m[1] not in years for m in _YEAR.finditer(text))
