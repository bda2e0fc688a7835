"""DNA linkage: known codes lead from a name to a released record, whose DNA is then known to be that person's.

## Guarantee
None; a measurement. The value is the share of named people whose DNA is found: all records that may be theirs show the
same.

## Adversary
Holds named people with their diagnosis codes, such as an earlier employee of the hospital. The release has codes and
DNA beside each other. A record may be a person's if it may hold all codes that are known of them.

## What it does not protect
Being among k records does not help if all of them show the same base: `learned` says how much of the DNA that is. A
person who is on the list and not in the data gets somebody else's DNA; with the truth, right ones are counted.

## Parameters
codes: the codes published beside the DNA: sets of codes with their persons, or a file or frame with one code a row.
identified: a file or frame with one code a row, beside the name of its person. Left out, all codes of everybody in the
data are known (`codes` must then be the true ones).
subject, code: the columns of `codes`, in a file.
person, known: the columns of `identified`.

## Worked example
The tutorial's release has one record with 401.0 and 401.1: whoever knows that of Jim knows his DNA. With labels for
several codes two records may be his, but both have A in the first place.

>>> import pyarrow as pa
>>> from sharewell.codes import CodeSets
>>> from sharewell.genomes import Sequences
>>> who = ["Jim", "Mary", "Eve"]
>>> dna = Sequences.of(["AC", "AT", "GT"], ids=who)
>>> jim = pa.table({"name": ["Jim", "Jim"], "code": ["401.0", "401.1"]})
>>> codes = CodeSets.of([["401.0", "401.1"], ["401.0", "401.3"], ["401.2"]], persons=who)
>>> result = DnaLinkage(codes, jim).mount(dna)
>>> result.value, result.details.learned
(1.0, 1.0)
>>> labels = {"401.A": ("401.0", "401.1", "401.3")}
>>> shared = CodeSets.of([["401.A"], ["401.A"], ["401.2"]], published=True, members=labels, persons=who)
>>> result = DnaLinkage(shared, jim).mount(dna)
>>> result.value, result.details.learned, result.details.candidates
(0.0, 0.5, 2.0)

## Why it is safe
It reads the release and the list, and returns numbers only. Codes that no label of the release covers are left out of
the search; persons with no other code are not found, and are counted.

## Cost
O(codes) to index the records, and for each person on the list the records of their rarest code.

## Source
Loukides, Denny and Malin, JAMIA 2010 (diagnosis codes that lead to DNA); tutorial of Gkoulalas-Divanis and Loukides on
medical data privacy, SIAM Data Mining 2012.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from sharewell.algorithm import NOT_SIMULATED, Attack, Declared, Finding, PolicyError, Truth
from sharewell.io.sources import Source
from sharewell.joint.engine.codes_beside_dna import CodeIndex, Dna, codes_by_person, owners, published_dna

Named = tuple[str, frozenset[str]]
"""A name with the codes that are known of it."""


@dataclass(frozen=True)
class DnaLinkageDetails:
    people: int
    """On the list, with a code."""
    records: int
    one_record: float
    """Share of people whose codes fit one record alone."""
    no_record: float
    one_dna: float
    """Share of people whose records all show the same DNA."""
    learned: float
    """Share of the places in which the records differ at which a person's records agree on a base, on the average."""
    candidates: float | None
    """Records that fit, on the average of people with any."""
    correct: float | None
    """Share of people for whom that one DNA is of their own record; None without the truth."""


@dataclass(frozen=True)
class DnaLinkage(Declared, Attack[Dna]):
    """Names → codes → DNA."""

    codes: Source | object
    identified: Source | object = None
    subject: str = "subject"
    code: str = "code"
    person: str = "name"
    known: str = "code"

    of_persons: ClassVar[bool] = True
    """Reads DNA of persons, not what is told of all of them together."""

    def mount(self, released: Dna, truth: Truth[Dna] | None = None) -> Finding:
        persons = owners(self.name, released, truth)
        if not len(persons):
            return Finding(self.name, None, unit="share", note="nothing is released")
        codes_of = codes_by_person(self.codes, self.subject, self.code)
        holding = CodeIndex(self.codes, codes_of, persons)
        people = self._people(codes_of, persons, holding.published)
        if not people:
            return Finding(self.name, None, unit="share", note="nobody on the list has a code")
        details = _followed(people, holding, persons, released, truth is not None)
        note = NOT_SIMULATED if truth is None else ""
        return Finding(self.name, details.one_dna, unit="share", details=details, note=note)

    def _people(self, codes_of: dict[str, frozenset[str]], persons: Sequence[str], published: bool) -> list[Named]:
        """Names with their known codes."""
        if self.identified is not None:
            listed = codes_by_person(self.identified, self.person, self.known)
        elif published:
            raise PolicyError(f"{self.name} — the codes are labels of a release — name people with codes: identified")
        else:
            listed = {person: codes_of.get(person, frozenset()) for person in persons}
        return [(person, codes) for person, codes in listed.items() if codes]


def _followed(
    people: Sequence[Named], holding: CodeIndex, persons: Sequence[str], released: Dna, has_truth: bool
) -> DnaLinkageDetails:
    table, sure = published_dna(released)
    differ = (table != table[:1]).any(axis=0)
    place = {person: row for row, person in enumerate(persons)}
    seen: dict[tuple[int, ...], tuple[bool, float]] = {}
    sizes, alike, learned, right = [], 0, 0.0, 0
    for person, codes in people:
        candidates = tuple(holding.of(codes))
        sizes.append(len(candidates))
        if not candidates:
            continue
        if candidates not in seen:
            rows = list(candidates)
            agree = (table[rows] == table[rows[0]]).all(axis=0)
            tells = (agree & sure[rows[0]])[differ]
            seen[candidates] = bool(agree.all()), float(tells.mean()) if len(tells) else 1.0
        unanimous, share = seen[candidates]
        alike, learned = alike + unanimous, learned + share
        right += unanimous and place.get(person) in candidates
    size = np.array(sizes)
    return DnaLinkageDetails(
        people=len(people),
        records=len(persons),
        one_record=float((size == 1).mean()),
        no_record=float((size == 0).mean()),
        one_dna=alike / len(people),
        learned=learned / len(people),
        candidates=float(size[size > 0].mean()) if (size > 0).any() else None,
        correct=right / len(people) if has_truth else None,
    )
