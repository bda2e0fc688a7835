"""No known identifiers: no value of a person's own row appears in that person's published notes.

## Guarantee
No published note holds a name, date, number, place or other identifier that the table of people has for its person, as
a whole word, in any common spelling. The value is the number of persons with an identifier that survives.

## Adversary
Knows a person's row (a relative, an employer, whoever holds the register) and searches the notes for it.

## What it does not protect
**Only identifiers in the row are searched for:** not names of relatives and staff, nicknames, misspellings, initials or
other places (see `residual-risk`), nor a day and month in numbers without a year ("3/5"), a date broken into single
digits, or other columns than the text. Persons whom the table does not list are not protected at all: with such persons
the criterion is undecided, and fails, unless they are allowed.

## Parameters
people: the table of people; in Python it may be left out, and what the notes know of their people is used.
subject: its column that says who it is.
names, dates, ids, places, phones, emails, others: its columns, by sort.
absent: "refuse" (default) or "allow" persons of whom the table says nothing; those allowed are counted in the details.

## Worked example
A patient called May: the month counts, for a reader cannot know better, and nor can a judge.

>>> from sharewell.notes import Known, NoKnownIdentifiers, Notes
>>> known = {"p1": Known.of(names=["Rosa Delgado"], dates=["1961-03-05"]), "p2": Known.of(names=["Ann May"])}
>>> notes = Notes.of(["Seen today.", "Born Mar 5, 61.", "Here since May."], persons=["p1", "p1", "p2"], known=known)
>>> result = NoKnownIdentifiers().check(notes)
>>> print(result)
no-known-identifiers = 2 persons (≤ 0: FAILS)
>>> result.details.surviving
{'DATE': 1, 'NAME': 1}

## Why it is safe
The criterion searches every published text anew, with a search of its own that shares nothing with the detectors; tests
compare it with every spelling written out. A mechanism may run this search too before it publishes. A surrogate that
happens to be a real value of the same person counts as a survivor.

## Cost
O(length of the text) for each note, and one look at the person's row. Texts are streamed.

## Source
Office for Civil Rights, Guidance Regarding Methods for De-identification, 2012, on names and dates in free text;
Neamatullah et al., Automated de-identification of free-text medical records, 2008 (names known to the house).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Literal

from sharewell.errors import DataError
from sharewell.findings import Finding, Sense
from sharewell.io.sources import Evidence
from sharewell.notes.data import IdentifierSource, Notes
from sharewell.notes.engine.checks.known_value_search import Search
from sharewell.notes.engine.people_tables import IDENTIFIER_SORTS, People
from sharewell.parameters import Declared
from sharewell.protocols import Criterion

_REMEMBERED = 50_000
NOBODY_NAMED = "nothing identifies the persons of these notes"
NOTHING_KNOWN = "there is no table of people"
ABSENT = "the table of people says nothing of some persons — complete it, or set absent: allow"


@dataclass(frozen=True)
class SurvivorProfile:
    """Counts of what was searched, and of what survives."""

    persons: int
    notes: int
    not_listed: int
    """Persons whom the table does not list, or without any identifier."""
    notes_with: int
    """Notes in which an identifier survives."""
    surviving: Mapping[str, int]
    """Persons with an identifier that survives, by kind."""


@dataclass(frozen=True)
class NoKnownIdentifiers(Declared, Criterion[Notes]):
    """Persons with an identifier of their own row that survives in their notes."""

    people: Evidence | None = None
    subject: str = ""
    names: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    phones: tuple[str, ...] = ()
    emails: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    absent: Literal["refuse", "allow"] = "refuse"

    name: ClassVar[str] = "no-known-identifiers"
    sense: ClassVar[Sense] = "≤"
    bound: ClassVar[int] = 0
    needs_evidence: ClassVar[bool] = True

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.people is not None:
            if not self.subject:
                raise ValueError("subject must name the column of the table of people that says who it is")
            if not any(self.identifiers.values()):
                raise ValueError("people without columns: list them as names, dates, ids, places, phones …")

    @property
    def identifiers(self) -> dict[str, tuple[str, ...]]:
        """Sort of identifier → columns of the table of people."""
        return {sort: getattr(self, sort) for sort in IDENTIFIER_SORTS}

    def check(self, data: Notes) -> Finding:
        people = self._people(data)
        if data.persons is None or people is None or not data.rows:
            note = NOBODY_NAMED if data.persons is None else NOTHING_KNOWN if people is None else "there are no notes"
            return Finding.judge(self.name, None, "≤", 0, unit="persons", note=note)
        profile, with_survivors = _searched(data, data.persons, people)
        refused = profile.not_listed > 0 and self.absent == "refuse"
        value = None if refused and not with_survivors else with_survivors
        note = ABSENT if refused else ""
        return Finding.judge(self.name, value, "≤", 0, unit="persons", details=profile, note=note)

    def _people(self, data: Notes) -> IdentifierSource | None:
        if self.people is None:
            return data.people
        return People.of(self.people, self.subject, **self.identifiers)


def _searched(data: Notes, persons: Sequence[str], people: IdentifierSource) -> tuple[SurvivorProfile, int]:
    """Search every note; the counts, and the number of persons with an identifier that survives."""

    @lru_cache(maxsize=_REMEMBERED)
    def search_for(person: str) -> Search | None:
        known = people.known(person)
        try:
            return None if not known else Search.of(known.values)
        except ValueError:
            raise DataError("the table of people — a date is not of the form 1961-03-05 — rewrite it") from None

    absent: set[str] = set()
    surviving: set[tuple[str, str]] = set()
    notes_with = 0
    for person, text in zip(persons, data.texts, strict=True):
        search = search_for(person)
        if not search:
            absent.add(person)
            continue
        kinds = search.kinds(text)
        notes_with += bool(kinds)
        surviving |= {(person, kind) for kind in kinds}
    by_kind = Counter(kind for _, kind in surviving)
    profile = SurvivorProfile(len(set(persons)), data.rows, len(absent), notes_with, dict(sorted(by_kind.items())))
    return profile, len({person for person, _ in surviving})
