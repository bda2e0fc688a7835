"""Whose each published record of codes is: `sharewell.people_evidence`, for sets of codes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.codes.data import CodeSets
from sharewell.io.sources import Source
from sharewell.keys import Key
from sharewell.people_evidence import (
    PERSON,
    RECORD,
    PeopleEvidence,
    lasting_pseudonyms,
    read_evidence,
    refuse_damaged,
    written_labels,
)
from sharewell.protocols import PublishedDataset


def owners_table(original: CodeSets, rows: NDArray[np.integer], key: Key, column: str | None) -> pa.Table:
    """The person and the place of each published record. rows: its record of the original, in the published order."""
    table = pa.table({RECORD: pa.array(rows, pa.int64())})
    if column is None or original.persons is None:
        return table
    persons = pa.array([original.persons[row] for row in rows.tolist()], pa.string())
    return table.add_column(0, PERSON, lasting_pseudonyms(key, column, persons))


def owner_labels(original: CodeSets, source: Source, key: Key, column: str | None, read_as: Sequence[str]) -> str:
    """By what its persons can be compared with others; records only where nobody is named.

    read_as: how records were made of the file. Two datasets that read it in two ways number its records differently.
    """
    if column is not None:
        source = Source()
    return written_labels(source, original.records, key, column, *read_as)


def owners_of(dataset: PublishedDataset) -> PeopleEvidence | None:
    """What internal/ says of published sets of codes; None if it is not at hand.

    Records that the certified evidence gives to one person, or to two, are so here; a record is published once.
    """
    data: CodeSets = dataset.data
    evidence = read_evidence(dataset, data.records)
    if evidence is None:
        return None
    fits = evidence.once
    if fits and data.persons is not None and evidence.persons is not None:
        pairs = set(zip(data.persons, evidence.persons.to_pylist(), strict=True))
        fits = len(pairs) == len({ours for ours, _ in pairs}) == len({theirs for _, theirs in pairs})
    if not fits:
        refuse_damaged(dataset.title)
    return evidence
