"""The forms in which codes are published, each with its way to the file and back: sets, sequences of visits, chunks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Protocol, TypeVar

import pyarrow as pa

from sharewell.codes.data import CodeSets
from sharewell.codes.engine.chunks import Chunks
from sharewell.codes.engine.labels import read_record, read_sequence, write_record, write_sequence
from sharewell.content_order import content_order
from sharewell.errors import DataError

Members = Mapping[str, Collection[str]]
Released = TypeVar("Released", CodeSets, Chunks)


class Form(Protocol[Released]):
    """One form of publication."""

    @property
    def name(self) -> str: ...

    def write(self, released: Released, people: Sequence[str]) -> tuple[pa.Table, list[int]]:
        """(the table, sorted by what it shows; which record each row of the evidence is, equal ones by person)."""
        ...

    def read(self, table: pa.Table, column: str, members: Members) -> Released:
        """The release again; `members` tells what labels stand for that do not say."""
        ...


@dataclass(frozen=True)
class AsSets:
    """One row a record: its labels, by their text."""

    name: str = "sets"

    def write(self, released: CodeSets, people: Sequence[str]) -> tuple[pa.Table, list[int]]:
        names = released.names
        texts = [write_record(sorted(names[i] for i in record)) for record in released.sets.tuples()]
        return _by_content(released.column, texts, people)

    def read(self, table: pa.Table, column: str, members: Members) -> CodeSets:
        rows = [read_record(text) for text in _texts(table, column)]
        _refuse_unsorted(rows, column)
        return replace(CodeSets.of(rows, published=True, members=members), column=column)


@dataclass(frozen=True)
class AsChunks:
    """Rows of chunks: what a cluster's records hold of a chunk, cut off from what they hold of the others."""

    name: str = "chunks"

    def write(self, released: Chunks, people: Sequence[str]) -> tuple[pa.Table, list[int]]:
        """A row is no record, so that whose record it is has no place; the evidence only counts the persons."""
        return released.to_arrow(released.column), sorted(range(len(people)), key=people.__getitem__)

    def read(self, table: pa.Table, column: str, members: Members) -> Chunks:
        return Chunks.from_arrow(table, column)


@dataclass(frozen=True)
class AsSequences:
    """One row a record: its visits in their order, in each the labels, in an order of their own or by text."""

    name: str = "sequences"
    ordered: bool = False

    def write(self, released: CodeSets, people: Sequence[str]) -> tuple[pa.Table, list[int]]:
        assert released.visits is not None
        texts = [write_sequence(visits) for visits in released.visits.listed(released.names, released.records)]
        return _by_content(released.column, texts, people)

    def read(self, table: pa.Table, column: str, members: Members) -> CodeSets:
        rows = [read_sequence(text) for text in _texts(table, column)]
        if not self.ordered:
            _refuse_unsorted((visit for visits in rows for visit in visits), column)
        return replace(CodeSets.of_visits(rows, ordered=self.ordered, published=True, members=members), column=column)


def _by_content(column: str, texts: Sequence[str], people: Sequence[str]) -> tuple[pa.Table, list[int]]:
    """Records by their text, equal ones by whose they are."""
    shown = pa.table({column: pa.array(texts, pa.string())})
    order = content_order(shown.append_column("\0person", pa.array(people, pa.string())) if people else shown)
    return shown.take(order), order.tolist()


FORMS: Mapping[str, Form[Any]] = {
    one.name: one for one in (AsSets(), AsSequences(), AsSequences("ordered-sequences", ordered=True), AsChunks())
}


def form_of(released: CodeSets | Chunks) -> Form[Any]:
    """By what was made of the codes."""
    if isinstance(released, CodeSets) and released.visits is not None:
        return FORMS["ordered-sequences" if released.visits.ordered else "sequences"]
    return FORMS["sets" if isinstance(released, CodeSets) else released.form]


def _refuse_unsorted(records: Iterable[list[str]], column: str) -> None:
    """Labels that have no order stand by their text, each once: any other order could tell something."""
    if any(not before < after for labels in records for before, after in pairwise(labels)):
        raise DataError(f"column {column} — the labels of a record are not in order of text — damaged or edited")


def _texts(table: pa.Table, column: str) -> list[str]:
    texts: list[str | None] = table[column].to_pylist()
    if any(text is None for text in texts):
        raise DataError(f"column {column} — a record is empty, and an empty one is written () — damaged or edited")
    return [text for text in texts if text is not None]
