"""Register search: an attacker with a list of named people looks for them in the published notes.

## Guarantee
None; a measurement. The value is the share of notes for which one person of the register fits best, and alone, with at
least m of the attributes found in that note.

## Adversary
Holds a register with names, dates of birth, ZIP codes and the like, exact and true, and searches every note for all of
it. Takes the person of whom most is in the note; gives up where two fit equally well or less than m is there.

## What it does not protect
Misspellings, nicknames and initials are not tried, so a cleverer attacker finds more. The register decides what can be
found: a person whom it does not list is not looked for. One note is searched at a time; see `note-linkage`.

## Parameters
population: the register, a file or frame.
names, dates, ids, places, phones, emails, others: its columns, by sort. Every part of a name is one attribute.
m: how many attributes must be found in one note.
subject: the column of the register that says who it is, as the notes do; to count right matches, and so that several
rows of one person (before and after a move) are one person. Without it, equal rows are.

## Worked example
>>> import pyarrow as pa
>>> from sharewell.notes import Notes, RegisterSearch
>>> register = pa.table({"first": ["Rosa", "Ann"], "last": ["Delgado", "May"], "born": ["1961-03-05", "1970-01-31"],
...     "id": ["p1", "p2"]})
>>> attack = RegisterSearch(register, names=["first", "last"], dates=["born"], subject="id")
>>> result = attack.mount(Notes.of(["Ms Delgado, b. 3/5/61, has gout.", "Comes back in May."], persons=["p1", "p2"]))
>>> result.value, result.details.rightly_named, result.details.persons_found
(0.5, 0.5, 1)

## Why it is safe
It reads texts and a register, and returns numbers only. **Surrogates match by chance**, and so do words that are names:
the baseline is the same search with registers whose columns are shuffled, so that their people do not exist. A value
near the baseline is worth nothing to the attacker, who cannot tell a surrogate from a survivor. With the subject column
and the notes' persons, right matches are counted.

## Cost
O(words of a note × people who share them) for up to 2,000 notes, drawn by their hash; six times, for the baseline.

## Source
Sweeney, Simple demographics often identify people uniquely, 2000 (the register); Carrell et al., Hiding in plain sight,
JAMIA 2013 (surrogates).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sharewell.attack_simulation import NOT_SIMULATED, SEED, TARGETS
from sharewell.distinct_numbers import distinct
from sharewell.errors import DataError
from sharewell.findings import Finding
from sharewell.io.sources import Source
from sharewell.notes.data import Notes
from sharewell.notes.engine.attackers.published_texts import AttackedNotes, Ints
from sharewell.notes.engine.checks.known_value_search import dates_in, joined_words, name_parts, spellings, words
from sharewell.notes.engine.checks.plain_text import plain
from sharewell.notes.engine.people_tables import IDENTIFIER_SORTS
from sharewell.parameters import Count, Declared
from sharewell.protocols import Attack, Frame, Truth
from sharewell.spelling import fold

_MOST_PARTS, _SHUFFLES = 3, 5
_KINDS = {"ids": "ID", "places": "PLACE", "phones": "PHONE", "emails": "EMAIL", "others": "OTHER"}
Slots = list[list[tuple[str, ...]]]
"""For each attribute and person: the ways in which it may stand in a note."""


@dataclass(frozen=True)
class RegisterSearchDetails:
    """How many notes and people were matched, and how many would be by chance."""

    register: int
    notes: int
    attributes: int
    m: int
    fitting: float
    """Share of notes in which somebody is matched by at least m attributes."""
    singled_out: float
    persons_found: int
    """People who are the one best match of some note."""
    fitting_by_chance: float
    singled_out_by_chance: float
    rightly_named: float | None
    """Share of notes whose one best match is the right person."""
    persons_right: int | None


@dataclass(frozen=True)
class RegisterSearch(Declared, Attack[Notes]):
    """Notes in which one person of a register fits best."""

    population: Source | Frame
    names: Sequence[str] = ()
    dates: Sequence[str] = ()
    ids: Sequence[str] = ()
    places: Sequence[str] = ()
    phones: Sequence[str] = ()
    emails: Sequence[str] = ()
    others: Sequence[str] = ()
    m: Count = 2
    subject: str = ""

    name: ClassVar[str] = "register-search"

    def __post_init__(self) -> None:
        super().__post_init__()
        if not any(self.identifiers.values()):
            raise ValueError("name columns of the register: names, dates, ids, places, phones …")

    @property
    def identifiers(self) -> dict[str, Sequence[str]]:
        """Sort of identifier → columns of the register."""
        return {sort: getattr(self, sort) for sort in IDENTIFIER_SORTS}

    def mount(self, released: Notes, truth: Truth[Notes] | None = None) -> Finding:
        slots, subjects = self._register()
        person_of_row = _person_of_row(slots, subjects)
        attacked = AttackedNotes.of(released, truth, TARGETS)
        people = len(slots[0]) if slots else 0
        if not attacked.texts or not people:
            return Finding(self.name, None, unit="share", note="there is nothing to search")
        keys = [_keys(text) for text in attacked.texts]
        best, matched = _matches(_Index(slots), keys, self.m, person_of_row)
        by_chance = _by_chance(slots, keys, self.m)
        right = self._right(best, subjects, attacked.persons)
        details = RegisterSearchDetails(
            int(person_of_row.max(initial=-1)) + 1,
            len(keys),
            len(slots),
            self.m,
            float(matched.mean()),
            float((best >= 0).mean()),
            len(set(person_of_row[best[best >= 0]].tolist())),
            *by_chance,
            None if right is None else float(right.mean()),
            None if right is None else len(set(person_of_row[best[right]].tolist())),
        )
        note = "" if right is not None else NOT_SIMULATED
        return Finding(self.name, details.singled_out, unit="share", details=details, note=note)

    def _register(self) -> tuple[Slots, list[str] | None]:
        columns = [(sort, name) for sort, names in self.identifiers.items() for name in names]
        wanted = dict.fromkeys([*(name for _, name in columns), *([self.subject] if self.subject else [])])
        table = Source.of(self.population).read(list(wanted))
        slots: Slots = []
        for sort, name in columns:
            cells = [None if cell is None else str(cell) for cell in table[name].to_pylist()]
            slots += _name_slots(cells) if sort == "names" else [[_forms(sort, cell) for cell in cells]]
        subjects = [fold(str(cell)) for cell in table[self.subject].to_pylist()] if self.subject else None
        return slots, subjects

    def _right(self, best: Ints, subjects: list[str] | None, persons: Sequence[str] | None) -> NDArray[np.bool_] | None:
        if subjects is None or persons is None:
            return None
        return np.array(
            [row >= 0 and subjects[row] == fold(person) for row, person in zip(best.tolist(), persons, strict=True)]
        )


class _Index:
    """Which people (and which attribute of theirs) a form may stand for."""

    def __init__(self, slots: Slots) -> None:
        self.attributes = len(slots)
        listed: dict[str, list[int]] = {}
        for attribute, slot in enumerate(slots):
            for person, forms in enumerate(slot):
                for form in forms:
                    listed.setdefault(form, []).append(person * self.attributes + attribute)
        self._places = {form: np.array(places, dtype=np.int64) for form, places in listed.items()}

    def matches(self, keys: set[str]) -> tuple[Ints, Ints]:
        """People of whom something stands in a note, and how many attributes."""
        places = [self._places[key] for key in keys & self._places.keys()]
        if not places:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        people = distinct(np.concatenate(places)) // self.attributes  # ascending
        begins = np.flatnonzero(np.diff(people, prepend=-1))
        return people[begins], np.diff(begins, append=len(people))


def _person_of_row(slots: Slots, subjects: list[str] | None) -> Ints:
    """Whose each row of the register is: by its subject, and where that is not said, by all that the row holds."""
    rows = len(slots[0]) if slots else 0
    number: dict[Hashable, int] = {}
    keys: list[Hashable] = [subjects[row] if subjects else tuple(slot[row] for slot in slots) for row in range(rows)]
    return np.array([number.setdefault(key, len(number)) for key in keys], dtype=np.int64)


def _matches(index: _Index, notes: Sequence[set[str]], m: int, person_of_row: Ints) -> tuple[Ints, NDArray[np.bool_]]:
    """For each note a row of the one best match (−1 if there is none, or two), and whether anybody has m attributes."""
    best, matched = np.full(len(notes), -1, dtype=np.int64), np.zeros(len(notes), dtype=bool)
    for note, keys in enumerate(notes):
        people, counts = index.matches(keys)
        if len(people) and counts.max() >= m:
            matched[note] = True
            top = people[counts == counts.max()]
            best[note] = top[0] if (person_of_row[top] == person_of_row[top[0]]).all() else -1
    return best, matched


def _by_chance(slots: Slots, notes: Sequence[set[str]], m: int) -> tuple[float, float]:
    """Shares of notes that match somebody, and one person best, in registers of people who do not exist."""
    rng, people = np.random.default_rng(SEED), len(slots[0])
    matched, unique = 0.0, 0.0
    for _ in range(_SHUFFLES):
        nobody = [[slot[i] for i in rng.permutation(people)] for slot in slots]
        best, some = _matches(_Index(nobody), notes, m, np.arange(people))
        matched, unique = matched + float(some.mean()), unique + float((best >= 0).mean())
    return matched / _SHUFFLES, unique / _SHUFFLES


def _keys(text: str) -> set[str]:
    """Everything in a note that a register might hold: words, neighbours written as one, dates."""
    bare = plain(text)
    return joined_words(words(bare)) | {f"@{day.isoformat()}" for day in dates_in(bare)}


def _name_slots(cells: Sequence[str | None]) -> Slots:
    """One attribute for each of the first parts of a name."""
    parts = [list(dict.fromkeys(name_parts(cell))) if cell else [] for cell in cells]
    most = min(_MOST_PARTS, max(map(len, parts), default=0))
    return [[(name[position],) if position < len(name) else () for name in parts] for position in range(most)]


def _forms(sort: str, cell: str | None) -> tuple[str, ...]:
    if not cell or not cell.strip():
        return ()
    if sort == "dates":
        try:
            return (f"@{date.fromisoformat(cell.strip()[:10]).isoformat()}",)
        except ValueError:
            raise DataError("the register — a date is not of the form 1961-03-05 — rewrite it") from None
    return tuple(sorted(spellings(_KINDS[sort], cell)))
