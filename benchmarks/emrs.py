"""Synthetic medical records in ICD-9-CM: patients, their visits, the codes written down at each; and 18 diseases.

Nobody in them is real, and no frequency was measured on patients. Told to the generator are: how often the 18 diseases
and five common complaints occur, roughly as in the records of a large hospital; and a heavy-tailed frequency of all
other codes, so that 2,762 patients have about 6,000 different codes between them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from sharewell.codes import CodeSets
from sharewell.codes.engine.packed_sets import Ints
from sharewell.hierarchy import ICD9CM

DISEASES: dict[str, tuple[float, tuple[str, ...]]] = {
    "Asthma": (0.08, ("493",)),
    "Attention deficit with hyperactivity": (0.015, ("314",)),
    "Bipolar I disorder": (0.02, ("296.0", "296.4", "296.5", "296.6", "296.7")),
    "Bladder cancer": (0.012, ("188",)),
    "Breast cancer": (0.035, ("174", "175")),
    "Coronary disease": (0.20, ("410", "411", "412", "413", "414")),
    "Dental caries": (0.015, ("521.0",)),
    "Diabetes mellitus type 1": (0.025, tuple(f"250.{part}{type_1}" for part in range(10) for type_1 in "13")),
    "Diabetes mellitus type 2": (0.17, tuple(f"250.{part}{type_2}" for part in range(10) for type_2 in "02")),
    "Lung cancer": (0.02, ("162",)),
    "Pancreatic cancer": (0.007, ("157",)),
    "Platelet phenotypes": (0.03, ("287.1", "287.3", "287.4", "287.5")),
    "Pre-term birth": (0.008, ("644.2", "765.0", "765.1")),
    "Prostate cancer": (0.03, ("185",)),
    "Psoriasis": (0.015, ("696.0", "696.1")),
    "Renal cancer": (0.012, ("189.0", "189.1")),
    "Schizophrenia": (0.008, ("295",)),
    "Sickle-cell disease": (0.006, ("282.6",)),
}
"""Name → (share of patients, beginnings of its codes)."""
COMPLAINTS = {"401.1": 0.42, "786.50": 0.34, "780.79": 0.33, "729.5": 0.31, "789.00": 0.29}
"""The codes that a hospital writes down most often → share of patients."""
_AGAIN = 0.3
"""The chance that a lasting condition is written down at a visit."""
_IN_USE = 6_500
"""Codes that the hospital writes down by chance; the rest of ICD-9-CM it does not meet."""
_FIELDS = 40
"""Codes of chance come half from all, half from the field of medicine that a patient is seen in most."""


def records(patients: int, seed: int = 1) -> Any:
    """One row for every code of a visit: patient (a number), visit, code."""
    draw = np.random.default_rng(seed)
    leaves = _leaves()
    chances = np.cumsum(1 / (np.arange(_IN_USE) + 8.0) ** 1.1)
    visits = np.minimum(1 + draw.negative_binomial(1.1, 0.12, patients), 80)
    owner, first = np.repeat(np.arange(patients), visits), np.cumsum(visits) - visits
    number = draw.poisson(1.3, len(owner))
    number[first] = np.maximum(number[first], 1)  # nobody is without a code
    by_chance = np.repeat(np.arange(len(owner)), number)
    tail = np.searchsorted(chances, draw.random(len(by_chance)) * chances[-1])
    field = draw.integers(0, _FIELDS, patients)[owner[by_chance]] * (_IN_USE // _FIELDS)
    tail = np.where(draw.random(len(by_chance)) < 0.5, tail, (tail + field) % _IN_USE)
    who, lasting = _conditions(draw, patients)
    at = np.repeat(np.arange(len(who)), visits[who])
    again = draw.random(len(at)) < _AGAIN
    turn = np.arange(len(at)) - np.repeat(np.cumsum(visits[who]) - visits[who], visits[who])
    again |= turn == (draw.random(len(who)) * visits[who]).astype(np.int64)[at]
    visit = np.concatenate([by_chance, (first[who[at]] + turn)[again]])
    code = np.concatenate([_shuffled(len(leaves))[tail], lasting[at[again]]])
    order = np.lexsort((code, visit))
    return pa.table(
        {
            "patient": owner[visit[order]],
            "visit": visit[order],
            "code": pa.array(leaves).take(pa.array(code[order])),
        }
    )


def code_sets(table: Any, patients: int | None = None) -> CodeSets:
    """The codes of the first patients, and of each of their visits."""
    some = table if patients is None else table.filter(pc.less(table["patient"], patients))
    return CodeSets.from_long(some, subject="patient", code="code", visit="visit", hierarchy=ICD9CM())


def _conditions(draw: Any, patients: int) -> tuple[Ints, Ints]:
    """(patient, number of the code) of what they have for long; a case has one to four codes of the disease."""
    leaves = _leaves()
    who, what = [], []
    for code, share in COMPLAINTS.items():
        cases = np.flatnonzero(draw.random(patients) < share)
        who.append(cases)
        what.append(np.full(len(cases), leaves.index(code)))
    for share, begins in DISEASES.values():
        members = np.array([i for i, code in enumerate(leaves) if code.startswith(begins)])
        members = members[draw.permutation(len(members))]
        weights = np.cumsum(1 / np.arange(1, len(members) + 1) ** 1.5)
        cases = np.flatnonzero(draw.random(patients) < share)
        cases = np.repeat(cases, draw.integers(1, 5, len(cases)))
        who.append(cases)
        what.append(members[np.searchsorted(weights, draw.random(len(cases)) * weights[-1])])
    return np.concatenate(who), np.concatenate(what)


@lru_cache(maxsize=1)
def _leaves() -> list[str]:
    """All codes without codes below them."""
    codes = ICD9CM().codes()
    return [code for code, after in zip(codes, (*codes[1:], ""), strict=True) if not after.startswith(code)]


def _shuffled(leaves: int) -> Ints:
    """Which code is the first, second, … most frequent of those of chance: the same for every seed."""
    return np.random.default_rng(9).permutation(leaves)
