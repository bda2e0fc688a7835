"""Extracted values: about the attributes extracted into a table, a note shows no more than its person's published row.

## Guarantee
The rows that the steward keeps person by person are those of the published table; and no published note holds an age, a
birth date, a day, a year of an event, a zip code or a word for the patient's sex that says more than the cell of that
person's row. The value is the number of persons whose notes hold one.

## Adversary
Reads the notes and the table, and tells the people of one class apart by the ages, sexes, dates and places in their
notes: the table's k would then be worth nothing.

## What it does not protect
**The table's criterion, such as k-anonymity, holds for the extracted values alone.** A rare diagnosis, occupation or
story may single a person out, whatever k is. Names of towns and states are not judged: without the detectors' lists
they look like other words. First names, occupations ("waitress"), diagnoses of one sex, and MR or MS with no name after
it may tell the sex. Forms that neither the detectors nor this judge know stay: "genleman", "41 summers", an age in a
table far from its heading, in another language, or by an event ("since the war").

## Parameters
None in a policy: a release fills them in.
rows: whose row shows what (`person`, then a column for each attribute).
table: the published table.
columns: the attributes, of age, sex, first, last, year, zip, city, state.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.notes import ExtractedValues, Notes
>>> rows = pa.table({"person": ["p1", "p2"], "age": ["[45-49]", "[45-49]"]})
>>> must = ExtractedValues(rows, rows.select(["age"]), ("age",))
>>> texts = ["A [45-49]-year-old man.", "Aged 47, well."]
>>> print(must.check(Notes.of(texts, ["p1", "p2"])))
extracted-values = 1 persons (≤ 0: FAILS)

## Why it is safe
Patterns that share nothing with the detectors search every published note for such values, after the cells of the
person's own row are taken out. Entities of HTML, odd blanks, hyphens and digits are read as a screen shows them. A
number that may be an age, by the words before and after it, counts as one, so a doubt fails. A row that is not in the
published table fails the criterion.

## Cost
O(length of the text) for each note.

## Source
Gardner and Xiong, HIDE: An integrated system for health information de-identification, 2008; the judge is ours.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from sharewell.findings import Finding, Sense
from sharewell.io.shipped import ShippedPatterns
from sharewell.io.sources import Evidence
from sharewell.notes.data import Notes
from sharewell.notes.engine.checks.cell_wordings import without_ages
from sharewell.notes.engine.checks.month_words import SHORT_ENGLISH
from sharewell.notes.engine.checks.plain_text import plain
from sharewell.notes.engine.checks.unit_words import DOSE_UNIT
from sharewell.parameters import Declared
from sharewell.protocols import Criterion

PERSON = "person"
NO_ROWS = "no table was made from these notes — give the dataset `extract`"
OTHER_ROWS = "the rows are not those of the published table"
NOBODY = "nothing identifies the persons of these notes"
_DATES = ("first", "last", "year")
_FIRST = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
_WORTH = {word: at for at, word in enumerate([*re.findall(r"\w+", _FIRST), "eighteen", "nineteen"], 1)}
_WORTH |= {"twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80}
_WORTH |= {"ninety": 90, "hundred": 100}
_FORMS = ShippedPatterns(
    "notes/extracted_values.toml",
    in_words="|".join(sorted(_WORTH, key=len, reverse=True)),
    short_month=SHORT_ENGLISH,
    dose_unit=DOSE_UNIT,
)


@dataclass(frozen=True)
class ExtractedValuesProfile:
    """How much was read, and what says more than its row."""

    persons: int
    notes: int
    without_row: int
    """Persons whose row is not published: their notes show marks alone."""
    telling: Mapping[str, int]
    """Persons of whom a note says more, by attribute."""


@dataclass(frozen=True)
class ExtractedValues(Declared, Criterion[Notes]):
    """Persons whose notes say more of an extracted attribute than their published row."""

    rows: Evidence | None = None
    table: Evidence | None = None
    columns: tuple[str, ...] = ()

    name: ClassVar[str] = "extracted-values"
    sense: ClassVar[Sense] = "≤"
    bound: ClassVar[int] = 0
    needs_evidence: ClassVar[bool] = True

    def check(self, data: Notes) -> Finding:
        if self.rows is None or self.table is None or data.persons is None:
            note = NOBODY if data.persons is None else NO_ROWS
            return Finding.judge(self.name, None, "≤", 0, unit="persons", note=note)
        rows, published = self.rows.read([PERSON, *self.columns]).to_pydict(), self.table.read(list(self.columns))
        row_cells = [tuple(rows[name][i] or "" for name in self.columns) for i in range(len(rows[PERSON]))]
        published_cells = [tuple(row[name] or "" for name in self.columns) for row in published.to_pylist()]
        if Counter(row_cells) != Counter(published_cells) or len(set(rows[PERSON])) < len(row_cells):
            return Finding.judge(self.name, None, "≤", 0, unit="persons", note=OTHER_ROWS)
        row_of = {
            str(name_of_row): dict(zip(self.columns, row, strict=True))
            for name_of_row, row in zip(rows[PERSON], row_cells, strict=True)
        }
        telling: set[tuple[str, str]] = set()
        for person, text in zip(data.persons, data.texts, strict=True):
            row = row_of.get(str(person), dict.fromkeys(self.columns, ""))
            telling |= {(str(person), name) for name in reveals_more(text, row)}
        people = set(map(str, data.persons))
        by_name = Counter(name for _, name in telling)
        profile = ExtractedValuesProfile(
            len(people), data.rows, len(people - set(row_of)), dict(sorted(by_name.items()))
        )
        value = len({person for person, _ in telling})
        return Finding.judge(self.name, value, "≤", 0, unit="persons", details=profile)


def reveals_more(text: str, row: Mapping[str, str]) -> set[str]:
    """Attributes of which a text says more than a row (empty: nothing is published of them).

    >>> sorted(reveals_more("She is 47 y/o, seen 3/5/2016", {"age": "47", "sex": "*", "last": "2016"}))
    ['date', 'sex']
    """
    for name, cell in sorted(row.items(), key=lambda item: len(item[1]), reverse=True):
        if cell and not cell.isalnum() and cell != "*":  # ranges and sets, as they are written
            text = without_ages(text, [cell]) if name == "age" else text.replace(cell, "\1")
    text = _as_seen(text)
    attributes = set()
    if "age" in row and (
        _FORMS["born"].search(text) or _FORMS["rough"].search(text) or any(age != row["age"] for age in _ages(text))
    ):
        attributes.add("age")
    if "sex" in row and row["sex"] not in ("M", "F") and _tells_sex(text):
        attributes.add("sex")
    if set(row) & set(_DATES) and (_FORMS["day"].search(text) or _later(text, row)):
        attributes.add("date")
    if "zip" in row and any(m[1] != row["zip"] for m in _FORMS["zip"].finditer(text)):
        attributes.add("zip")
    return attributes


def _as_seen(text: str) -> str:
    """With entities of HTML as what they stand for, and plain blanks, hyphens and digits."""
    for _ in range(3):  # an entity may be written with entities
        if "&" not in text or (text := html.unescape(was := text)) == was:
            break
    return plain(text).translate(_HYPHENS)


_HYPHENS = dict.fromkeys((*range(0x2010, 0x2016), 0x2212, 0x2043), "-")


def _ages(text: str) -> Iterator[str]:
    """Numbers that are ages, or may be; what is told more exactly than in years is not a number."""
    for match in _FORMS["number"].finditer(text):
        start, end = match.span()
        before, value = text[max(0, start - 48) : start], _value(match[0])
        if _FORMS["young"].match(text, end):
            yield "months"
        elif value < _NOBODY and _is_age(text, before, end, value, match[0].isdigit()):
            yield str(value)


def _value(number: str) -> int:
    if number.isdigit():
        return int(number)
    words = re.findall(_FORMS.pieces["in_words"], number.lower())
    return sum(_WORTH[word] for word in (words[1:] if words[:2] == ["one", "hundred"] else words))


def _is_age(text: str, before: str, end: int, value: int, figures: bool) -> bool:
    """May a number be an age, by what stands before it and behind?"""
    if _FORMS["old"].match(text, end) or (_FORMS["ago"].match(text, end) and _FORMS["born_before"].search(before)):
        return True
    if _FORMS["aged"].search(before) and not _FORMS["goes_on"].match(text, end):
        return True
    if figures and _FORMS["glued"].match(text, end) and not _FORMS["so_long"].search(before):
        return True
    if value < (10 if figures else 20):
        ahead = _FORMS["sex_slash"].search(before) and not _FORMS["word_goes_on"].match(text, end)
        behind = _FORMS["slashed"].match(text, end) and not _FORMS["in_number"].search(before)
        return figures and bool(ahead or behind)
    if figures and value < 120 and _FORMS["named"].search(before) and _FORMS["set_off"].match(text, end):
        return True
    amount = _FORMS["amount"].match(text, end)
    if (_FORMS["is"].search(before) or _FORMS["old_before"].search(before)) and not amount:
        return not _counted(text, before, end, value)
    return figures and value < 120 and _has_sex(text, before, end, value, amount is not None)


def _has_sex(text: str, before: str, end: int, value: int, amount: bool) -> bool:
    """41/F, F41, 41 female; no temperature, no tube, no bed."""
    if not amount and _FORMS["letter_before"].search(before) and not _FORMS["tracer"].match(text, end):
        return not _FORMS["counted"].search(_FORMS["letter_before"].sub("", before))
    if _FORMS["in_number"].search(before):
        return False
    after = _FORMS["letter"].match(text, end)
    if after is None or _counted(text, before, end, value):
        return False
    if text[after.end() - 1] in "Ff" and value >= _LEAST_DEGREES:
        return not (_FORMS["warm"].search(before) or _FORMS["taken"].match(text, after.end()))
    return not (value <= _MOST_FRENCH and _FORMS["tube"].match(text, after.end()))


_LEAST_DEGREES, _MOST_FRENCH, _LAST_DAY, _NOBODY = 85, 36, 31, 1000


def _counted(text: str, before: str, end: int, value: int) -> bool:
    """Is it a bed's number, a measure, or the day of a month?"""
    day = value <= _LAST_DAY and text[end : end + 1] in (" ", ",") and _FORMS["in_month"].search(before)
    return bool(_FORMS["counted"].search(before) or day)


def _tells_sex(text: str) -> bool:
    if any(pattern.search(text) for pattern in _FORMS.several("sex")):
        return True
    for match in _FORMS["in_brackets"].finditer(text):
        before = text[max(0, match.start() - 30) : match.start()]
        if not (_FORMS["warm"].search(before) or re.search(r"[0-9][.][0-9] {0,2}\Z", before)):
            return True
    return any(_letter_beside(text, match) for match in _FORMS["number"].finditer(text) if match[0].isdigit())


def _letter_beside(text: str, match: re.Match[str]) -> bool:
    """Does a letter stand beside a number that may be an age?"""
    start, end = match.span()
    before, value = text[max(0, start - 48) : start], int(match[0])
    amount = _FORMS["amount"].match(text, end) is not None
    return 10 <= value < 120 and _has_sex(text, before, end, value, amount)


def _later(text: str, row: Mapping[str, str | None]) -> bool:
    """A year beside words of time that no cell of the row is."""
    years = {cell[:4] for name in _DATES if (cell := row.get(name, "")) and cell[:4].isdigit()}
    return any(m[1] not in years for m in _FORMS["year"].finditer(text))
