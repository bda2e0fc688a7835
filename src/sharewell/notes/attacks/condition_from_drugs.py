"""Condition from drugs: an attacker infers a patient's condition from the drugs and doses that are left.

## Guarantee
None; a measurement. The value is how often the condition that the drugs of a note make most likely is one that the
patient has; where nobody says what patients have, how likely the attacker believes it to be, on average.

## Adversary
Reads a note in which the diagnosis is removed and the medication is not ("on Ativan"), and knows for what drugs are
given. Each drug speaks for the conditions that it is given for, in proportion to how common the condition is and how
often it is treated with this drug at this dose; the most likely condition is guessed. Names of classes speak for all
their drugs together. In a note that tells no drug the most common condition is guessed.

## What it does not protect
**What drugs are given for is the table of the synthetic hospital** (some 70 conditions, some 100 prescriptions): an
attacker with a real formulary, and with laboratory values and procedures beside it, does better. Drugs that the table
does not have tell nothing here. Diagnoses that a note states in words are not read at all.

## Parameters
diagnoses: a table of who has what, to count right guesses; in the columns `subject` and `code` (ICD-10-CM).
subject, code: its columns.
doses: let doses tell, too (default).

## Worked example
Lorazepam (Ativan) speaks for anxiety, in this table; "medication" speaks for nothing.

>>> import pyarrow as pa
>>> from sharewell.notes import ConditionFromDrugs, Notes
>>> has = pa.table({"who": ["p1", "p2"], "code": ["F41.9", "I10"]})
>>> attack = ConditionFromDrugs(has, subject="who")
>>> result = attack.mount(Notes.of(["Stable on Ativan.", "Stable."], persons=["p1", "p2"]))
>>> result.value, result.details.baseline, result.details.tells_drug
(1.0, 0.5, 0.5)
>>> attack.mount(Notes.of(["Stable on medication.", "Stable."], persons=["p1", "p2"])).value
0.5

## Why it is safe
It reads texts and returns numbers only; no condition is named. The baseline is the guess without reading: the most
common condition for everybody. Only notes of people who have a condition of the table are counted as right or wrong.
With the truth the originals are attacked too.

## Cost
O(words) for up to 2,000 notes, drawn by their hash.

## Source
The threat (a sedative tells of depression) is that of the medication-suppression literature; the table is ours.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sharewell.attack_simulation import NOT_SIMULATED, TARGETS
from sharewell.findings import Finding
from sharewell.io.shipped import shipped_rows
from sharewell.io.sources import Evidence
from sharewell.notes.data import Notes
from sharewell.notes.engine.attackers.published_texts import AttackedNotes
from sharewell.notes.engine.drug_lexicon import TOP, chain, lexicon
from sharewell.notes.engine.pattern_pieces import DOSE_UNIT
from sharewell.notes.engine.spans import tokens
from sharewell.parameters import Declared
from sharewell.protocols import Attack, Truth
from sharewell.spelling import fold

_BANDS = ("pct_0_17", "pct_18_44", "pct_45_64", "pct_65_79", "pct_80")
_AHEAD = 40
"""So far behind a drug its dose is looked for."""
_DOSE = re.compile(rf"(\d+(?:[.,]\d+)?)\s*({DOSE_UNIT}|g|puffs?|%)", re.IGNORECASE)
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class ConditionDetails:
    """How often the guess is right, and without reading."""

    notes: int
    """Notes of people who have a condition of the table; all, where nobody says."""
    tells_drug: float
    """Share of notes that tell a drug or a class of drugs."""
    right_if_told: float | None
    """The value among these notes alone."""
    baseline: float
    in_originals: float | None
    tells_drug_in_originals: float | None
    believed: float
    """How likely the attacker holds the guess to be, on average."""
    conditions: int
    drugs: int


@dataclass(frozen=True)
class ConditionFromDrugs(Declared, Attack[Notes]):
    """How often drugs give a condition away."""

    diagnoses: Evidence | None = None
    subject: str = "subject"
    code: str = "code"
    doses: bool = True

    name: ClassVar[str] = "condition-from-drugs"

    def mount(self, released: Notes, truth: Truth[Notes] | None = None) -> Finding:
        attacked = AttackedNotes.of(released, truth, TARGETS)
        has = self._conditions(attacked.persons)
        rows = [i for i in range(len(attacked.texts)) if has is None or has[i]]
        if not rows:
            return Finding(self.name, None, unit="probability", note="no note of anybody who has a listed condition")
        after = _Guesses.of([attacked.texts[i] for i in rows], self.doses)
        conditions = None if has is None else [has[i] for i in rows]
        before = None
        if attacked.originals is not None:
            before = _Guesses.of([attacked.originals[i] for i in rows], self.doses)
        right = after.right(conditions)
        details = ConditionDetails(
            len(rows),
            float(after.telling.mean()),
            float(right[after.telling].mean()) if after.telling.any() else None,
            _baseline(conditions),
            None if before is None else float(before.right(conditions).mean()),
            None if before is None else float(before.telling.mean()),
            float(after.belief.mean()),
            len(drug_knowledge().codes),
            len(drug_knowledge().given),
        )
        note = "the table of what drugs are given for is that of the synthetic hospital"
        note = note if conditions is not None else f"{NOT_SIMULATED}; {note}"
        return Finding(self.name, float(right.mean()), unit="probability", details=details, note=note)

    def _conditions(self, persons: Sequence[str] | None) -> list[frozenset[int]] | None:
        """For each note the listed conditions of its patient."""
        if self.diagnoses is None or persons is None:
            return None
        number = {code: condition for condition, code in enumerate(drug_knowledge().codes)}
        by_person: dict[str, set[int]] = {}
        table = self.diagnoses.read([self.subject, self.code])
        for person, code in zip(table[self.subject].to_pylist(), table[self.code].to_pylist(), strict=True):
            if code is not None and (condition := number.get(str(code).strip())) is not None:
                by_person.setdefault(fold(str(person)), set()).add(condition)
        return [frozenset(by_person.get(fold(person), ())) for person in persons]


@dataclass(frozen=True)
class _Guesses:
    """For each note the condition that is guessed, how likely it seems, and whether a drug told anything."""

    guess: NDArray[np.int64]
    belief: Floats
    telling: NDArray[np.bool_]

    @classmethod
    def of(cls, texts: Sequence[str], doses: bool) -> _Guesses:
        by_note = [drug_knowledge().likely(text, doses) for text in texts]
        prior = drug_knowledge().prior
        rows = np.array([prior if chances is None else chances for chances in by_note])
        return cls(rows.argmax(axis=1), rows.max(axis=1), np.array([chances is not None for chances in by_note]))

    def right(self, conditions: Sequence[frozenset[int]] | None) -> Floats:
        if conditions is None:
            return self.belief
        return np.array([float(int(guess) in true) for guess, true in zip(self.guess, conditions, strict=True)])


def _baseline(conditions: Sequence[frozenset[int]] | None) -> float:
    """Of the most common condition: its share of the notes, or in the table."""
    if conditions is None:
        return float(drug_knowledge().prior.max())
    counts = np.bincount([condition for of_note in conditions for condition in of_note], minlength=1)
    return float(counts.max() / len(conditions))


@dataclass(frozen=True)
class DrugKnowledge:
    """What drugs are given for."""

    codes: tuple[str, ...]
    prior: Floats
    """How common each condition is."""
    given: Mapping[str, Mapping[int, tuple[float, frozenset[str]]]]
    """Generic name → condition → how often it is treated so, and the usual doses."""
    classes: Mapping[str, frozenset[str]]
    """Class or group, in lower case → its drugs."""

    def likely(self, text: str, doses: bool) -> Floats | None:
        """How likely each condition is after reading a note; None if it tells no drug."""
        unlikely, drug_seen = np.ones(len(self.codes)), False
        for drugs, dose in self._mentioned(text):
            weight = np.zeros(len(self.codes))
            for drug in drugs:
                for code, (share, usual) in self.given[drug].items():
                    fits = not doses or not dose or dose not in self._doses(drug) or dose in usual
                    weight[code] += self.prior[code] * share * fits / (len(usual) if doses and dose else 1)
            if weight.any():
                drug_seen = True
                unlikely *= 1 - weight / weight.sum()
        return 1 - unlikely if drug_seen else None

    def _doses(self, drug: str) -> frozenset[str]:
        return frozenset().union(*(usual for _, usual in self.given[drug].values()))

    def _mentioned(self, text: str) -> list[tuple[frozenset[str], str]]:
        """Each drug or class of a note once, and a dose behind it."""
        lower = text.lower()
        places = tokens(lower)
        doses: dict[frozenset[str], str] = {}
        for index in range(len(places)):
            for length in (3, 2, 1):
                if index + length > len(places):
                    continue
                end = places[index + length - 1][1]
                drugs = self._named(" ".join(lower[a:b] for a, b in places[index : index + length]))
                if drugs:
                    dose = _DOSE.search(lower[end : end + _AHEAD])
                    written = f"{dose[1].replace(',', '.')} {dose[2].lower()}" if dose else ""
                    doses[drugs] = doses.get(drugs) or written
                    break
        return list(doses.items())

    def _named(self, phrase: str) -> frozenset[str]:
        if phrase in self.classes:
            return self.classes[phrase]
        if phrase.endswith("s") and phrase[:-1] in self.classes:
            return self.classes[phrase[:-1]]
        term = lexicon().terms.get(phrase)
        return frozenset((term.name,)) if term is not None and term.name in self.given else frozenset()


@cache
def drug_knowledge() -> DrugKnowledge:
    """The tables of the synthetic hospital, read once."""
    rows = list(shipped_rows("hospital/diagnoses.csv"))
    codes = tuple(row["code"] for row in rows)
    prior = np.array([sum(float(row[band]) for band in _BANDS) for row in rows])
    indications: dict[str, dict[int, tuple[float, frozenset[str]]]] = {}
    for row in shipped_rows("hospital/medications.csv"):
        name = lexicon().leaf(row["drug"]) or row["drug"]
        usual = frozenset(dose.strip().lower() for dose in row["doses"].split(";"))
        indications.setdefault(name, {})[codes.index(row["code"])] = (float(row["probability"]), usual)
    classes: dict[str, set[str]] = {}
    for name in indications:
        for label in chain(name)[1:]:
            if label != TOP:
                classes.setdefault(" ".join(label.lower().replace("-", " ").split()), set()).add(name)
    return DrugKnowledge(
        codes, prior / prior.sum(), indications, {label: frozenset(some) for label, some in classes.items()}
    )
