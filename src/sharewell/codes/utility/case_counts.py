"""Case counts: the listed diseases whose cases and controls can still be counted exactly.

## Parameters
diseases: name → codes, or their beginnings (`250` for all codes that begin with it).
controls: name → codes, or their beginnings: controls of a disease are the records that hold one of these and are no
cases. Where left out, controls are all records that are no cases.

## Worked example
A label of two codes of one disease leaves its cases countable; a label across two diseases does not.

>>> from sharewell.codes import CodeSets
>>> before = CodeSets.of([["296.00", "401.1"], ["296.01"], ["401.9"]])
>>> diseases = {"bipolar": ["296"], "hypertension": ["401"]}
>>> after = CodeSets.of([["(296.00,296.01)", "401.1"], ["(296.00,296.01)"], ["401.9"]], published=True)
>>> print(CaseCounts(diseases).score(before, after))
case-counts = 2 diseases
>>> after = CodeSets.of([["(296.00,401.9)", "401.1"], ["296.01"], ["(296.00,401.9)"]], published=True)
>>> print(CaseCounts(diseases).score(before, after))
case-counts = 0 diseases

## Why it is safe
A published record is surely a case if one of its labels stands for codes of the disease alone, and possibly one if a
label covers any code of it. Counts are kept if sure and possible cases are as many as there were, and the same for
controls: then every reading of the release gives the true number. The release itself does not tell whether a code was
suppressed.

## Cost
O(diseases · (codes + occurrences)).

## Source
Loukides, Gkoulalas-Divanis and Malin, PNAS 2010: genome-wide association studies that the release still supports.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from annotated_types import MinLen
from numpy.typing import NDArray

from sharewell.algorithm import Declared, Finding, Measure
from sharewell.codes.data import CodeSets
from sharewell.codes.engine.combinations import beginnings

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Counts:
    """Of cases or controls: how many there were, how many a reader is sure of, how many there may be."""

    before: int
    sure: int
    possible: int

    @property
    def kept(self) -> bool:
        return self.before == self.sure == self.possible


@dataclass(frozen=True)
class CaseDetails:
    diseases: int
    kept: tuple[str, ...]
    """The diseases, as the policy names them, whose counts are exact."""
    cases: dict[str, Counts]
    controls: dict[str, Counts]


@dataclass(frozen=True)
class CaseCounts(Declared, Measure[CodeSets]):
    """The diseases whose cases and controls can be counted as before."""

    diseases: Annotated[Mapping[str, Sequence[str]], MinLen(1)]
    controls: Mapping[str, Sequence[str]] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for codes in (*self.diseases.values(), *(self.controls or {}).values()):
            beginnings(codes)
        if unknown := len(set(self.controls or {}) - set(self.diseases)):
            raise ValueError(f"controls must belong to a disease of the list: {unknown} do not")

    def score(self, before: CodeSets, after: CodeSets) -> Finding:
        if not before.records:
            return Finding(self.name, None, note="there are no records to count")
        cases: dict[str, Counts] = {}
        controls: dict[str, Counts] = {}
        for disease, codes in self.diseases.items():
            is_case, _ = _holding(before, codes)
            sure, possible = _holding(after, codes)
            cases[disease] = _counts(is_case, sure, possible)
            others = (self.controls or {}).get(disease)
            is_control = np.ones(before.records, bool) if others is None else _holding(before, others)[0]
            shown = (np.ones(after.records, bool),) * 2 if others is None else _holding(after, others)
            controls[disease] = _counts(is_control & ~is_case, shown[0] & ~possible, shown[1] & ~sure)
        kept = tuple(disease for disease in self.diseases if cases[disease].kept and controls[disease].kept)
        details = CaseDetails(len(self.diseases), kept, cases, controls)
        return Finding(self.name, len(kept), unit="diseases", details=details)


def _counts(before: Bools, sure: Bools, possible: Bools) -> Counts:
    return Counts(int(before.sum()), int(sure.sum()), int(possible.sum()))


def _holding(data: CodeSets, codes: Iterable[str]) -> tuple[Bools, Bools]:
    """(records with a label of these codes alone, records with a label that covers one of them)."""
    begins = beginnings(codes)
    is_member = [[code.startswith(begins) for code in members] for members in data.members]
    sure, possible = np.zeros(data.records, dtype=bool), np.zeros(data.records, dtype=bool)
    for records, labels in ((sure, list(map(all, is_member))), (possible, list(map(any, is_member)))):
        records[data.sets.row_of[np.array(labels, dtype=bool)[data.sets.items]]] = True
    return sure, possible
