"""Whose record each row of a published table is: `sharewell.people_evidence`, for tables."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from sharewell.keys import Key
from sharewell.people_evidence import PeopleEvidence, lasting_names, read_evidence, refuse_damaged
from sharewell.protocols import PublishedDataset
from sharewell.tables.data import Table, group
from sharewell.tables.engine.columns import value_numbers
from sharewell.tables.engine.pseudonyms import of_persons
from sharewell.tables.engine.sorted_columns import PseudonymColumn


def person_names(released: Table, key: Key, column: str) -> PseudonymColumn:
    """The pseudonym of each row's person, the same in every release under the same secret; null: nobody's."""
    return of_persons(released, lasting_names(key, column))


def people_of(dataset: PublishedDataset) -> PeopleEvidence | None:
    """What internal/ says of a table; None if it is not at hand, or was written before such evidence was kept."""
    data: Table = dataset.data
    evidence = read_evidence(dataset, data.rows)
    if evidence is not None and not (evidence.once and _agree(data, evidence.persons)):
        refuse_damaged(dataset.title)
    return evidence


def _agree(data: Table, persons: pa.Array | None) -> bool:
    """Are rows that the certified evidence gives to one person of a class, or to two, so here? Pseudonyms end there."""
    if data.subject is None or persons is None:
        return True
    classes = data.classes
    ours = data.subject.codes[classes.order].astype(np.int64)
    known = ours < data.subject.known
    theirs = value_numbers(persons)[classes.order]
    if not np.array_equal(known, theirs >= 0):
        return False
    where, ours, theirs = classes.class_of[known], ours[known], theirs[known]
    ways = [where, ours, theirs], [where, ours], [where, theirs]
    return len({len(group(codes, len(where))[1]) for codes in ways}) == 1
