"""Whose record each published row is, for internal/ alone: what tells the people of two datasets to be the same.

A release keeps `internal/<dataset>/_people.parquet`, row by row as the public file: the person under a pseudonym that
every release of the same secret key gives them, and the place of the record in the file that was read.
`internal/<dataset>/_people.json` has two labels. Persons can be compared where both datasets call them by the same
column under the same key; records where both datasets read the same bytes. The labels derive from the key and name
neither the column nor the file. Where a record is a visit, the file says so.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import NoReturn, Protocol, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.io.writing import read_bytes
from sharewell.keys import Key, PersonNames
from sharewell.protocols import PublishedDataset
from sharewell.pseudonym_columns import in_hexadecimal, pseudonyms
from sharewell.spelling import fold, folded
from sharewell.wing import PEOPLE

LABELS = "_people.json"
PERSON, RECORD = "person", "record"
FEWEST_PERSONS = 10
"""What fewer persons show in two datasets says nothing about their identifiers."""
LEAST_AGREEMENT = 0.5
"""Of the difference between strangers and full agreement, what persons with one identifier must reach."""
LEAST_TELLING = 0.02
"""If strangers agree in all but this share of cases, agreement tells nothing about identifiers."""
STATE = "if persons have the same identifiers in all files, say so with release: {same_identifiers: true}"
Ints = NDArray[np.int64]
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
    visits: bool = False
    """Is a record one visit of a person, who may have several?"""
    typed: bool = False
    """Are persons told apart by entries such as name and date of birth, which another file may spell otherwise?"""

    @property
    def once(self) -> bool:
        """Is every record published once?"""
        return len(np.unique(self.records)) == len(self.records)


class OwnedRecords(Protocol):
    """One published dataset, and whose each of its records is."""

    @property
    def title(self) -> str: ...

    @property
    def people(self) -> PeopleEvidence | None: ...

    @property
    def files(self) -> frozenset[int]:
        """Labels of the files whose people it is about, copies counted once; empty: of an earlier release."""
        ...


class ClaimedRecords(OwnedRecords, Protocol):
    """A published dataset and its persons, with what the policy says about their identifiers."""

    @property
    def same_identifiers(self) -> bool: ...


Owned = TypeVar("Owned", bound=ClaimedRecords)


class NotComparable(Exception):
    """Nobody can say which records of two datasets belong together; the text says why, without any value."""


def lasting_names(key: Key, column: str) -> PersonNames:
    """How every release under the same secret calls the persons of a column of the file."""
    return PersonNames(key.lasting.scoped(_PURPOSE, fold(column)), folded=True)


def lasting_pseudonyms(key: Key, column: str, persons: pa.Array) -> pa.Array | pa.ChunkedArray:
    """The same, of many persons at a time; nobody may be missing."""
    return in_hexadecimal(pseudonyms(lasting_names(key, column).key, folded(persons)))


def written_labels(
    source: Source, rows: int, key: Key, column: str | None, *read_as: str, visits: bool = False, typed: bool = False
) -> str:
    """The two labels, as they are written. read_as: what else decides which record has which place."""
    lasting, file = key.lasting, ""
    if source.path is not None and source.path.is_file():
        facts = (source.sha256, source.format, source.sheet or "", str(rows), *read_as)
        file = lasting.digest(_PURPOSE, "file", *facts)[:16].hex()
    names = "" if column is None else lasting.digest(_PURPOSE, "column", fold(column))[:16].hex()
    labels: dict[str, str | bool] = {"names": names, "file": file}
    facts_told = {name: True for name, is_so in (("visits", visits), ("typed", typed)) if is_so}
    return json.dumps(labels | facts_told, sort_keys=True) + "\n"


def read_evidence(dataset: PublishedDataset, published_rows: int) -> PeopleEvidence | None:
    """What internal/ says of a dataset; None if it is not at hand, or was written before such evidence was kept."""
    folder = dataset.internal
    if folder is None or not ((folder / PEOPLE).is_file() and (folder / LABELS).is_file()):
        return None
    names, file, visits, typed = _labels(folder / LABELS)
    rows = Source(folder / PEOPLE, "parquet").read()
    if (
        rows.num_rows != published_rows
        or RECORD not in rows.column_names
        or (PERSON in rows.column_names) != bool(names)
    ):
        refuse_damaged(dataset.title)
    named = rows[PERSON].combine_chunks() if names else None
    persons = named.combine_chunks() if isinstance(named, pa.ChunkedArray) else named
    try:
        records = np.asarray(rows[RECORD].to_numpy()).astype(np.int64, casting="safe")
    except (TypeError, pa.ArrowException):
        refuse_damaged(dataset.title)
    return PeopleEvidence(names, file, persons, records, visits, typed)


def owners_table(persons: Sequence[str] | None, rows: NDArray[np.integer], key: Key, column: str | None) -> pa.Table:
    """The person and the place of each published record, for `_people.parquet`.

    persons: of each record of the original; rows: the record of the original that each published one comes from.
    """
    table = pa.table({RECORD: pa.array(rows, pa.int64())})
    if column is None or persons is None:
        return table
    named = pa.array([persons[row] for row in rows.tolist()], pa.string())
    return table.add_column(0, PERSON, lasting_pseudonyms(key, column, named))


def owners_of(dataset: PublishedDataset, records: int, persons: Sequence[str] | None) -> PeopleEvidence | None:
    """What internal/ says of records that each belong to one person; None if it is not at hand.

    Records that the certified evidence (persons) gives to one person, or to two, are so here; each is published once.
    """
    evidence = read_evidence(dataset, records)
    if evidence is None:
        return None
    fits = evidence.once
    if fits and persons is not None and evidence.persons is not None:
        pairs = set(zip(persons, evidence.persons.to_pylist(), strict=True))
        fits = len(pairs) == len({ours for ours, _ in pairs}) == len({theirs for _, theirs in pairs})
    if not fits:
        refuse_damaged(dataset.title)
    return evidence


def refuse_damaged(title: str) -> NoReturn:
    raise DataError(f"{title} — {_DAMAGED}") from None


def _labels(path: Path) -> tuple[str, str, bool, bool]:
    try:
        label_lists = json.loads(read_bytes(path))
    except ValueError:
        label_lists = None
    if not isinstance(label_lists, Mapping) or not all(
        isinstance(label_lists.get(name), str) for name in ("names", "file")
    ):
        refuse_damaged(f"{path.parent.name}/{path.name}")
    told = (label_lists.get(name) is True for name in ("visits", "typed"))
    return label_lists["names"], label_lists["file"], *told


def of_same_file(one: OwnedRecords, other: OwnedRecords) -> bool:
    """Can the records themselves be compared?"""
    first, second = one.people, other.people
    return first is not None and second is not None and bool(first.file) and first.file == second.file


def comparable(table: OwnedRecords, other: OwnedRecords) -> tuple[Ints, Ints]:
    """A number for each record of both, equal where they belong together: by the record itself, or by its person."""
    one, two = table.people, other.people
    pair = " and ".join(sorted((table.title, other.title)))
    if one is None or two is None:
        lacking = table.title if one is None else other.title
        raise NotComparable(f"whose records {lacking} publishes is recorded in its internal/ folder, which is missing")
    if of_same_file(table, other):
        return one.records, two.records
    if not one.names or one.names != two.names or one.persons is None or two.persons is None:
        raise NotComparable(f"persons of {pair} are not called by the same column under the same secret key")
    if one.persons.null_count or two.persons.null_count:
        raise NotComparable(f"records of {pair} lack their person")
    both = pa.concat_arrays([one.persons.cast(pa.string()), two.persons.cast(pa.string())]).dictionary_encode()
    numbers = both.indices.to_numpy(zero_copy_only=False).astype(np.int64)
    ours, theirs = numbers[: len(one.persons)], numbers[len(one.persons) :]
    if table.files & other.files and few_in_common(ours, theirs):
        raise NotComparable(f"{pair} read copies of one file that name their persons otherwise")
    return ours, theirs


def few_in_common(ours: Ints, theirs: Ints) -> bool:
    """Are fewer than half of the persons of the smaller dataset in the other one?"""
    first, second = np.unique(ours), np.unique(theirs)
    return 2 * len(np.intersect1d(first, second)) < min(len(first), len(second))


def identifier_doubts(
    datasets: Sequence[Owned], are_strangers: Callable[[Owned, Owned, Ints, Ints], bool], sign: str
) -> list[str]:
    """What speaks against names that mean the same person in two files, for each pair that does not claim it.

    are_strangers: do records with the same number (ours, theirs) look like those of different people? sign: says so.
    """
    results = []
    for one, other in combinations(datasets, 2):
        if (one.same_identifiers and other.same_identifiers) or of_same_file(one, other):
            continue
        try:
            ours, theirs = comparable(one, other)
        except NotComparable:  # undecided for that reason
            continue
        pair = f"{one.title} and {other.title}"
        if not len(ours) or not len(theirs):
            continue
        if _may_be_spelt_otherwise(one, other):
            what = f"persons of {pair} are identified by entries that two files may spell differently"
            results.append(f"{what}; {STATE}")
        elif few_in_common(ours, theirs):
            results.append(f"fewer than half of the persons are in both {pair}: newcomers, or renumbered; {STATE}")
        elif are_strangers(one, other, ours, theirs):
            results.append(f"{sign} in {pair}; {STATE}")
    return results


def _may_be_spelt_otherwise(one: OwnedRecords, other: OwnedRecords) -> bool:
    """Pseudonyms of two spellings tell nothing of each other; copies of one file have the same ones."""
    typed = any(dataset.people is not None and dataset.people.typed for dataset in (one, other))
    return typed and not one.files & other.files


def joined_places(own: OwnedRecords, records: int, others: Sequence[OwnedRecords], most: int) -> list[Ints]:
    """Every record of a dataset beside each record of the same person in every other one, −1 where there is none.

    One matrix for the persons who are in the same datasets, a row for each joined record, a column for each dataset.
    NotComparable if nobody can say which records belong together, or if there are more than `most`.
    """
    places = np.arange(records, dtype=np.int64)[:, None]
    for other in others:
        ours, theirs = comparable(own, other)
        order = np.argsort(theirs, kind="stable")
        first = np.searchsorted(theirs[order], ours[places[:, 0]])
        last = np.searchsorted(theirs[order], ours[places[:, 0]], side="right")
        counts = np.maximum(last - first, 1)
        if int(counts.sum()) > most:
            raise NotComparable(f"{own.title} and {other.title} have too many records of the same persons to join")
        within = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
        place = np.repeat(first, counts) + within
        there = np.repeat(last > first, counts)
        record = np.full(len(place), -1, dtype=np.int64)
        record[there] = order[place[there]]
        places = np.concatenate([np.repeat(places, counts, axis=0), record[:, None]], axis=1)
    _, pattern = np.unique(places >= 0, axis=0, return_inverse=True)
    pattern = pattern.reshape(-1)
    return [places[pattern == one] for one in range(int(pattern.max(initial=-1)) + 1)]
