"""Safe Harbor: checks published notes for the 18 kinds of identifiers of the HIPAA Privacy Rule.

## Guarantee
No published note holds anything in the form of those kinds of 45 CFR 164.514(b)(2)(i) that have a form:
telephone and fax numbers, e-mail and web addresses, IP addresses, social security numbers, numbers of records, plans,
accounts, licences, vehicles and devices, dates finer than the year, ages over 89, street addresses and ZIP codes beyond
what the rule allows. One part of the finding for each kind says how many there are.

## Adversary
The rule names none: it lists what must not be published.

## What it does not protect
**Names and towns have no form.** A title with a name is counted; all else about names rests on `no-known-identifiers`
and `residual-risk`, and the parts say so. Numbers that nothing announces ("seen by 4471") are not recognised, and
neither is text in other languages. It bounds no risk. **Not checked: actual knowledge** that what is left could
identify a person (164.514(b)(2)(ii)). Three-digit areas are those of the 2020 census.

**It goes with tags, suppression and years, not with surrogates.** A surrogate is meant to look like an identifier, and
counts as one and the criterion fails. Say `names: tag, dates: year, …` to meet it; or rely on `no-known-identifiers`
and `residual-risk`, which suit surrogates.

## Parameters
year: the year of the release, for years of birth: one that is 90 years back or more reveals an age above 89. Where a
note tells a year of birth and the year is not given, the question is undecided, and fails.
unit: texts are judged note by note.

## Worked example
>>> from sharewell.notes import Notes, SafeHarborText
>>> notes = Notes.of(["**NAME[AAA], a 90+ year old, seen in 2019.", "Seen 3/5/2019, aged 93. Call 617-555-0142."])
>>> result = SafeHarborText().check(notes)
>>> print(result)
safe-harbor = 3 pieces (≤ 0: FAILS)
>>> [(part.name, part.value) for part in result.parts if part.failed]
[('C dates finer than the year', 1), ('C ages over 89', 1), ('D telephone numbers', 1)]

## Why it is safe
Patterns that share nothing with the detectors search every published text. They are wide: what looks like an identifier
counts as one, and a mechanism that is not sure has to replace it.

## Cost
O(length of the text) for each note and kind. Texts are streamed.

## Source
45 CFR 164.514(b)(2); Office for Civil Rights, Guidance Regarding Methods for De-identification, 2012.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from sharewell.findings import Finding, Sense
from sharewell.hierarchy.zips import SafeHarborZip
from sharewell.notes.data import Notes
from sharewell.notes.engine.checks.identifier_formats import AGES, LISTED, birth_years, count_formats
from sharewell.parameters import Declared, Year
from sharewell.protocols import Criterion

_OLDEST = 89
NO_YEAR = "years of birth are judged against the year of the release: give it"


@dataclass(frozen=True)
class ChecklistProfile:
    """Notes by what was found in them, and what was not looked at."""

    notes: int
    notes_with: int
    """Notes with at least one piece."""
    birth_years: int
    census: int
    not_established: Mapping[str, str]
    """Kinds about which patterns cannot tell, and why."""
    not_checked: tuple[str, ...] = ("actual knowledge",)


@dataclass(frozen=True)
class SafeHarborText(Declared, Criterion[Notes]):
    """Pieces of published text that have the form of an identifier."""

    year: Year | None = None
    unit: Literal["record"] = "record"

    name: ClassVar[str] = "safe-harbor"
    sense: ClassVar[Sense] = "≤"
    bound: ClassVar[int] = 0

    def check(self, data: Notes) -> Finding:
        totals, notes_with, born, old = [0] * len(LISTED), 0, 0, 0
        for text in data.texts:
            counts = count_formats(text)
            years = birth_years(text)
            tell = sum(self.year is not None and year < self.year - _OLDEST for year in years)
            totals = [total + count for total, count in zip(totals, counts, strict=True)]
            notes_with += bool(any(counts) or tell)
            born, old = born + len(years), old + tell
        unknown = born > 0 and self.year is None
        totals[LISTED.index(AGES)] += old
        parts = [self._part(i, totals[i], unknown, bool(data.rows)) for i in range(len(LISTED))]
        value = None if not data.rows or (unknown and not any(totals)) else sum(totals)
        unseen = {
            f"{identifier.letter} {identifier.title}": identifier.unseen for identifier in LISTED if identifier.unseen
        }
        profile = ChecklistProfile(data.rows, notes_with, born, SafeHarborZip.census, unseen)
        note = NO_YEAR if unknown else "names are not established by patterns; actual knowledge is not checked"
        return Finding.judge(self.name, value, "≤", 0, unit="pieces", parts=parts, details=profile, note=note)

    def _part(self, number: int, total: int, unknown: bool, any_notes: bool) -> Finding:
        identifier = LISTED[number]
        undecided = not any_notes or (unknown and identifier is AGES and not total)
        note = NO_YEAR if undecided and any_notes else identifier.unseen
        name = f"{identifier.letter} {identifier.title}"
        return Finding.judge(name, None if undecided else total, "≤", 0, unit="pieces", note=note)
