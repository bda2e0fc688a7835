"""Chunks: records published in pieces. Codes stay as they are; what is cut is which pieces belong to one record.

A cluster is a number of records. Each of its *record chunks* is a bag of sub-records: what the records hold of some
codes, in the order of their content, without empty ones. Its *item chunk* only lists codes: each is held by at least
one record of the cluster. Clusters that belong together may have *shared chunks*, whose sub-records lie anywhere in
them. A *reconstruction* is a way in which the records may have been: each sub-record of a chunk is in a record of its
own, each code of an item chunk is in at least one record, and no record of a cluster with codes is empty.

In a file there is one row for each sub-record, and one that lists the item chunk of each cluster:

>>> first = Cluster.of(3, chunks=[[["a", "b"], ["a"], ["a", "b"]]], items=["x"])
>>> second = Cluster.of(2, chunks=[[["a", "b"], ["a", "b"]]])
>>> released = Chunks.of([Joint((first,)), Joint((second,))])
>>> for row in released.to_arrow("codes").to_pylist():
...     " | ".join(map(str, row.values()))
'1 | 2 | 1 | a b'
'1 | 2 | 1 | a b'
'1 | 2 | items | ()'
'2 | 3 | 1 | a'
'2 | 3 | 1 | a b'
'2 | 3 | 1 | a b'
'2 | 3 | items | x'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, NoReturn

import pyarrow as pa

from sharewell.codes.data import CodeSets
from sharewell.codes.engine.labels import read_record, write_record
from sharewell.errors import DataError, PolicyError

Codes = tuple[str, ...]
Bag = tuple[Codes, ...]

CLUSTER, RECORDS, CHUNK = "cluster", "records", "chunk"
ITEMS = "items"
SHARED = "shared "
JOINED = "+"


@dataclass(frozen=True, order=True)
class Cluster:
    """This many records: their sub-records, chunk by chunk, and the codes of the item chunk."""

    size: int
    chunks: tuple[Bag, ...] = ()
    items: Codes = ()

    @classmethod
    def of(cls, size: int, chunks: Iterable[Iterable[Iterable[str]]] = (), items: Iterable[str] = ()) -> Cluster:
        """In the order of the content, whatever the order given."""
        return cls(size, tuple(sorted(map(bag, chunks))), tuple(sorted(items)))

    @property
    def codes(self) -> set[str]:
        return {*held(self.chunks), *self.items}

    @property
    def pieces(self) -> int:
        """The number of sub-records."""
        return sum(map(len, self.chunks))


@dataclass(frozen=True, order=True)
class Joint:
    """Clusters with the chunks that they share; most often one cluster, which shares none."""

    clusters: tuple[Cluster, ...]
    shared: tuple[Bag, ...] = ()

    @classmethod
    def of(cls, clusters: Iterable[Cluster], shared: Iterable[Iterable[Iterable[str]]] = ()) -> Joint:
        return cls(tuple(sorted(clusters)), tuple(sorted(map(bag, shared))))

    @property
    def size(self) -> int:
        return sum(cluster.size for cluster in self.clusters)

    @property
    def bags(self) -> list[Bag]:
        """All chunks with sub-records, the shared ones first."""
        return [*self.shared, *(bag for cluster in self.clusters for bag in cluster.chunks)]


@dataclass(frozen=True)
class Chunks:
    """What disassociation publishes."""

    joints: tuple[Joint, ...] = field(repr=False)
    column: str = "codes"

    form: ClassVar[str] = "chunks"
    published: ClassVar[bool] = True

    @classmethod
    def of(cls, joints: Iterable[Joint], column: str = "codes") -> Chunks:
        """In the order of their content; what no records can have been is refused."""
        ordered = tuple(sorted(joints))
        for joint in ordered:
            _refuse_unsound(joint)
        return cls(ordered, column)

    @cached_property
    def clusters(self) -> tuple[Cluster, ...]:
        return tuple(cluster for joint in self.joints for cluster in joint.clusters)

    @property
    def records(self) -> int:
        return sum(cluster.size for cluster in self.clusters)

    @property
    def rows(self) -> int:
        """Rows of the file."""
        return len(self.clusters) + sum(len(bag) for joint in self.joints for bag in joint.bags)

    @cached_property
    def codes(self) -> Codes:
        listed = {code for cluster in self.clusters for code in cluster.items}
        return tuple(sorted(listed.union(held(bag for joint in self.joints for bag in joint.bags))))

    def to_arrow(self, column: str) -> pa.Table:
        """One row a sub-record or item chunk: which cluster, how many records it has, which chunk, the codes."""
        if column in (CLUSTER, RECORDS, CHUNK):
            raise PolicyError(f"column {column} — chunks have a column of that name — rename it")
        cells = list(zip(*self._rows(), strict=True)) or [(), (), (), ()]
        kinds = [pa.string(), pa.int64(), pa.string(), pa.string()]
        arrays = [pa.array(values, kind) for values, kind in zip(cells, kinds, strict=True)]
        return pa.table(dict(zip((CLUSTER, RECORDS, CHUNK, column), arrays, strict=True)))

    @classmethod
    def from_arrow(cls, table: pa.Table, column: str) -> Chunks:
        """From the published table; refuses a damaged one, or one in another order than that of its content."""
        rows = _cells(table, column)
        chunks = cls.of(_joints(rows), column)
        if list(chunks._rows()) != rows:
            raise _damaged("its rows are not in the order of their content")
        return chunks

    def _rows(self) -> Iterator[tuple[str, int, str, str]]:
        number = 0
        for joint in self.joints:
            first = number + 1
            for cluster in joint.clusters:
                number += 1
                for place, bag in enumerate(cluster.chunks, 1):
                    yield from ((str(number), cluster.size, str(place), write_record(codes)) for codes in bag)
                yield str(number), cluster.size, ITEMS, write_record(cluster.items)
            label = JOINED.join(map(str, range(first, number + 1)))
            for place, bag in enumerate(joint.shared, 1):
                yield from ((label, joint.size, f"{SHARED}{place}", write_record(codes)) for codes in bag)

    @property
    def sets(self) -> NoReturn:
        """Refuse: chunks publish no whole records."""
        raise PolicyError("the codes are published in chunks — judge them by km-disassociation or cover-free")

    members = atoms = labels = sets


def chunks_in(data: CodeSets | Chunks, name: str) -> Chunks:
    """The chunks, for an algorithm that reads nothing else."""
    if not isinstance(data, Chunks):
        raise PolicyError(f"{name} — judges chunks, and the codes are published as sets — use disassociation")
    return data


def bag(records: Iterable[Iterable[str]]) -> Bag:
    """Sub-records in the order of their content."""
    return tuple(sorted(tuple(sorted(codes)) for codes in records))


def held(bags: Iterable[Bag]) -> set[str]:
    """The codes of some chunks."""
    return {code for bag in bags for codes in bag for code in codes}


def _damaged(problem: str) -> DataError:
    return DataError(f"chunks — {problem} — damaged or edited")


def _refuse_unsound(joint: Joint) -> None:
    """What cannot have been cut from any records."""
    if (len(joint.clusters) > 1) != bool(joint.shared):
        raise _damaged("clusters belong together and share no chunk, or one shares with none")
    shared = _codes_apart(joint.shared, (), joint.size)
    missing = 0
    for cluster in joint.clusters:
        if cluster.size < 1:
            raise _damaged("a cluster has no records")
        codes = _codes_apart(cluster.chunks, cluster.items, cluster.size)
        if codes & shared:
            raise _damaged("a code is both in a cluster and in a chunk that it shares")
        if not cluster.items and (codes or shared):
            missing += max(0, cluster.size - cluster.pieces)
    if missing > sum(map(len, joint.shared)):
        raise _damaged("a cluster has more records than sub-records")


def _codes_apart(bags: Sequence[Bag], items: Codes, size: int) -> set[str]:
    """The codes of chunks; no code may be in two."""
    seen = set(items)
    if len(seen) < len(items):
        raise _damaged("an item chunk lists a code twice")
    for bag in bags:
        if not 1 <= len(bag) <= size:
            raise _damaged("a chunk has no sub-record, or more than there are records")
        if any(not codes or len(set(codes)) < len(codes) for codes in bag):
            raise _damaged("a sub-record is empty, or holds a code twice")
        codes = held([bag])
        if codes & seen:
            raise _damaged("a code is in two chunks of a cluster")
        seen |= codes
    return seen


def _cells(table: pa.Table, column: str) -> list[tuple[str, int, str, str]]:
    """The cells, each of its kind."""
    if table.column_names != [CLUSTER, RECORDS, CHUNK, column]:
        raise _damaged(f"the columns must be {CLUSTER}, {RECORDS}, {CHUNK}, {column}")
    try:
        sizes = table[RECORDS].cast(pa.int64()).to_pylist()
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise _damaged("a number of records is not a number") from None
    columns = [table[name].cast(pa.string()).to_pylist() for name in (CLUSTER, CHUNK, column)]
    rows = list(zip(columns[0], sizes, *columns[1:], strict=True))
    if any(cell is None for row in rows for cell in row):
        raise _damaged("a cell is empty")
    return rows


def _joints(rows: Sequence[tuple[str, int, str, str]]) -> Iterator[Joint]:
    """The clusters of the rows, those with shared chunks together."""
    sizes: dict[str, set[int]] = {}
    bags: dict[tuple[str, str], list[list[str]]] = {}
    for label, size, chunk, text in rows:
        sizes.setdefault(label, set()).add(size)
        bags.setdefault((label, chunk), []).append(read_record(text))
    if any(len(records) > 1 for records in sizes.values()):
        raise _damaged("the number of records of a cluster is not the same in all its rows")
    chunks: dict[str, list[list[list[str]]]] = {label: [] for label in sizes}
    items: dict[str, list[str]] = {}
    for (label, chunk), records in bags.items():
        if chunk == ITEMS:
            if len(records) > 1 or JOINED in label:
                raise _damaged("a cluster has two item chunks, or clusters share one")
            items[label] = records[0]
        elif chunk.startswith(SHARED) == (JOINED in label):
            chunks[label].append(records)
        else:
            raise _damaged("a chunk is neither of one cluster nor shared by several")
    alone = [label for label in sizes if JOINED not in label]
    if not items.keys() >= set(alone):
        raise _damaged("a cluster has no row for its item chunk")
    clusters = {label: Cluster.of(min(sizes[label]), chunks[label], items[label]) for label in alone}
    for label in sizes.keys() - clusters.keys():
        parts = label.split(JOINED)
        if not clusters.keys() >= set(parts) or len(set(parts)) < len(parts):
            raise _damaged("a chunk is shared by clusters that are not there, or share another")
        joint = Joint.of([clusters.pop(part) for part in parts], chunks[label])
        if joint.size not in sizes[label]:
            raise _damaged("a shared chunk does not have the records of its clusters")
        yield joint
    yield from (Joint((cluster,)) for cluster in clusters.values())
