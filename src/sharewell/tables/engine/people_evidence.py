"""Whose record each published row is, for internal/ alone: what tells the people of two datasets to be the same.

A release keeps `internal/<dataset>/_people.parquet`, row by row as the public file: the person under a pseudonym that
every release of the same secret key gives them, and the place of the record in the file that was read.
`internal/<dataset>/_people.json` has two labels. Persons can be compared where both datasets call them by the same
column under the same key; records where both datasets read the same bytes. The labels derive from the key and name
neither the column nor the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.io.writing import read_bytes
from sharewell.keys import Key, PersonNames
from sharewell.protocols import PublishedDataset
from sharewell.spelling import fold
from sharewell.tables.data import Table
from sharewell.tables.engine.array_types import Ints
from sharewell.tables.engine.classes import group
from sharewell.tables.engine.pseudonyms import of_persons
from sharewell.tables.engine.sorted_columns import PseudonymColumn
from sharewell.wing import PEOPLE

LABELS = "_people.json"
PERSON, RECORD = "person", "record"
_PURPOSE = "people of several datasets"
_DAMAGED = "the evidence about whose records are published is damaged, or does not belong to the file"


@dataclass(frozen=True)
class PeopleEvidence:
    """The person and the record of each published row."""

    names: str
    """Whose persons can be compared: the column that names them, and the key. Empty: nobody is named."""
    file: str
    """Whose records can be compared: the file that they come from. Empty: it has no bytes of its own."""
    persons: pa.Array | None = field(repr=False)
    records: Ints = field(repr=False)


def person_names(released: Table, key: Key, column: str) -> PseudonymColumn:
    """The pseudonym of each row's person, the same in every release under the same secret; null: nobody's."""
    subject, scoped = released.subject, key.lasting.scoped(_PURPOSE, fold(column))
    assert subject is not None
    return of_persons(subject, PersonNames(scoped, folded=True))


def labels(original: Table, source: Source, key: Key, column: str | None) -> str:
    """The two labels, as they are written."""
    lasting, file = key.lasting, ""
    if source.path is not None and source.path.is_file():
        facts = (source.sha256, source.format, source.sheet or "", str(original.rows))
        file = lasting.digest(_PURPOSE, "file", *facts)[:16].hex()
    names = "" if column is None else lasting.digest(_PURPOSE, "column", fold(column))[:16].hex()
    return json.dumps({"names": names, "file": file}, sort_keys=True) + "\n"


def people_of(dataset: PublishedDataset) -> PeopleEvidence | None:
    """What internal/ says of a dataset; None if it is not at hand, or was written before such evidence was kept."""
    folder = dataset.internal
    if folder is None or not ((folder / PEOPLE).is_file() and (folder / LABELS).is_file()):
        return None
    label_lists, rows = _labels(folder / LABELS), Source(folder / PEOPLE, "parquet").read()
    data: Table = dataset.data
    if (
        rows.num_rows != data.rows
        or RECORD not in rows.column_names
        or (PERSON in rows.column_names) != bool(label_lists[0])
    ):
        raise DataError(f"{dataset.title} — {_DAMAGED}")
    named = rows[PERSON].combine_chunks() if label_lists[0] else None
    persons = named.combine_chunks() if isinstance(named, pa.ChunkedArray) else named
    try:
        records = np.asarray(rows[RECORD].to_numpy()).astype(np.int64, casting="safe")
    except (TypeError, pa.ArrowException):
        raise DataError(f"{dataset.title} — {_DAMAGED}") from None
    evidence = PeopleEvidence(*label_lists, persons, records)
    _refuse_other_persons(dataset.title, data, evidence)
    return evidence


def _labels(path: Path) -> tuple[str, str]:
    try:
        label_lists = json.loads(read_bytes(path))
    except ValueError:
        label_lists = None
    if not isinstance(label_lists, Mapping) or not all(
        isinstance(label_lists.get(name), str) for name in ("names", "file")
    ):
        raise DataError(f"{path.parent.name}/{path.name} — {_DAMAGED}")
    return label_lists["names"], label_lists["file"]


def _refuse_other_persons(title: str, data: Table, evidence: PeopleEvidence) -> None:
    """Rows that the certified evidence gives to one person, or to two, are so here; a record is published once."""
    once = len(np.unique(evidence.records)) == len(evidence.records)
    if once and (data.subject is None or evidence.persons is None):
        return
    if once and data.subject is not None and evidence.persons is not None and _agree(data, evidence.persons):
        return
    raise DataError(f"{title} — {_DAMAGED}")


def _agree(data: Table, persons: pa.Array) -> bool:
    """Persons within a class: pseudonyms that are published end there."""
    assert data.subject is not None
    classes = data.classes
    ours = data.subject.codes[classes.order].astype(np.int64)
    known = ours < data.subject.known
    coded = persons.dictionary_encode()
    theirs = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)[classes.order]
    if not np.array_equal(known, theirs >= 0):
        return False
    where, ours, theirs = classes.class_of[known], ours[known], theirs[known]
    both, one, other = (
        len(group(codes, len(where))[1]) for codes in ([where, ours, theirs], [where, ours], [where, theirs])
    )
    return both == one == other
