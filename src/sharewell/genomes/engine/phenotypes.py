"""Who has the disease: a fact about persons, read from a mapping, a file or a frame."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.protocols import Frame
from sharewell.spelling import fold

PERSON, CASE = "person", "case"
"""The columns of a file that tells."""
_WORDS = {"1": 1, "1.0": 1, "true": 1, "yes": 1, "case": 1, "0": 0, "0.0": 0, "false": 0, "no": 0, "control": 0}
Groups = NDArray[np.int8]
Phenotype = Mapping[str, object] | Source | Frame
"""Person → case or not, or a file or frame that tells."""


def groups(phenotype: Phenotype, persons: Sequence[str]) -> Groups:
    """For every person 1 (case), 0 (control) or -1 (not known: not listed, or left empty).

    phenotype: person → case or not, or a file or frame with columns `person` and `case` (1 or 0, yes or no, true or
    false, case or control).

    >>> groups({"Ann": True, "Bob": 0, "Eve": None}, ["Bob", "Ann", "Eve", "Joe"]).tolist()
    [0, 1, -1, -1]
    """
    claim = phenotype if isinstance(phenotype, Mapping) else _read(phenotype)
    claim = {fold(str(person)): word for person, word in claim.items()}
    words = ["" if (word := claim.get(fold(person))) is None else str(word).strip().lower() for person in persons]
    if odd := sum(word not in _WORDS and word not in ("", "nan") for word in words):
        raise DataError(f"phenotype — of {odd} of {len(words)} person(s) it is neither yes nor no — write 1 or 0")
    result = np.array([_WORDS.get(word, -1) for word in words], dtype=np.int8)
    if not (result == 1).any() or not (result == 0).any():
        what = f"{int((result == 1).sum())} case(s) and {int((result == 0).sum())} control(s)"
        raise DataError(f"phenotype — {what} among {len(words)} person(s) — both are needed; do the names agree?")
    return result


def _read(given: Source | Frame) -> dict[str, object]:
    table = Source.of(given).read([PERSON, CASE])
    people, cases = [str(person) for person in table[PERSON].to_pylist()], table[CASE].to_pylist()
    if twice := len(people) - len(set(people)):
        raise DataError(f"phenotype — {twice} row(s) too many — give it once for each person")
    return dict(zip(people, cases, strict=True))
