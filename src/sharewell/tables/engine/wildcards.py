"""Missing cells as wildcards: how many records, or persons, each person of a class may be taken for.

Two readings of a missing quasi cell. *Own value*: missing is a value like any other, and classes are rows with equal
cells. *Wildcard*: somebody who knows the true value of a person cannot hold it against a record that does not show one,
so that a record with a missing cell fits whatever is known there. `*` says the same, and counts the same.

A record s is a *candidate* for the owner of a record r if in every column s is missing, or shows the same cell as r.
Where r itself is missing, s must be too: the owner of r has some true value, and a record that shows another one is
excluded by whoever knows it. The number of candidates is what an attacker with the true quasi values of a person is
left with at least, whatever those values are.

- Every record of r's own class is a candidate. So classes by own value never promise more than wildcards keep: a
  release that is k-anonymous by own value is so under both readings.
- Counting every record that agrees with r wherever *neither* of the two is missing, as sdcMicro does, promises more
  than that: of the records (42, F) and (missing, F) each is then counted twice, but whoever knows that the owner of the
  second is 70 excludes the first, and is left with one.
- Candidates protect less than a class of as many: they need not look alike, so that an attacker may find some of them
  more likely than others, or exclude some by matching all records at once (compare (1,k)-anonymity).

Where persons are known, one person may own records in several of these classes, and pseudonyms that are the same within
a class only cannot tell. Then the largest single class among the candidates counts, rather than their sum.
"""

from __future__ import annotations

import numpy as np

from sharewell.cells import Any, Exact, Suppressed
from sharewell.tables.data import Ints, Table
from sharewell.tables.engine.classes import combination_numbers

_OPEN = (Any(), Suppressed(), Exact(""))
NOTE = "a missing cell is taken to fit every value"


def candidates(data: Table, by_person: bool = True) -> Ints:
    """For each class, how many candidates the owner of one of its records has.

    O(p · c log c) for c classes with p different patterns of missing columns.
    """
    classes = data.classes
    counts = np.asarray(classes.persons if by_person else classes.sizes, dtype=np.int64)
    first = classes.order[classes.starts[:-1]]
    cells = [column.codes[first] for column in data.quasi]
    fits_all = [np.array([cell in _OPEN for cell in column.cells], dtype=bool) for column in data.quasi]
    missing = np.array([fits[codes] for fits, codes in zip(fits_all, cells, strict=True)], dtype=bool)
    if not missing.any():
        return counts
    patterns, pattern_of = np.unique(missing, axis=1, return_inverse=True)
    pattern_of = pattern_of.ravel()
    add = np.maximum if by_person and data.subject is not None else np.add
    counts_of_candidates = np.zeros(classes.count, dtype=np.int64)
    for number, pattern in enumerate(patterns.T):
        # Classes that lack at least these columns are candidates for all that lack at most these and agree in the rest.
        at_most = np.flatnonzero(~(patterns & ~pattern[:, None]).any(axis=0)[pattern_of])
        shown = [codes[at_most] for codes, lacks in zip(cells, pattern, strict=True) if not lacks]
        key = combination_numbers(shown, len(at_most))
        of_pattern = pattern_of[at_most] == number
        total = np.zeros(int(key.max(initial=-1)) + 1, dtype=np.int64)
        add.at(total, key[of_pattern], counts[at_most[of_pattern]])
        counts_of_candidates[at_most] = add(counts_of_candidates[at_most], total[key])
    return counts_of_candidates
