"""The forms in which codes are published, each with its way to the file and back: sets, sequences of visits, chunks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

import pyarrow as pa

from sharewell.codes.data import CodeSets
from sharewell.codes.engine.chunks import Chunks
from sharewell.codes.engine.labels import read_record, read_sequence, write_record, write_sequence
from sharewell.content_order import content_order
from sharewell.errors import DataError

Members = Mapping[str, Collection[str]]
Written = tuple[pa.Table, list[int]]
"""The table, sorted by what it shows; and which record each row of the evidence is, equal ones by person."""


@dataclass(frozen=True)
class Form:
    """One form of publication: write(released, people), and read(table, column, what labels stand for)."""

    name: str
    write: Callable[[Any, Sequence[str]], Written]
    read: Callable[[pa.Table, str, Members], CodeSets | Chunks]


def _write_sets(released: CodeSets, people: Sequence[str]) -> Written:
    """One row a record: its labels, by their text."""
    names = released.names
    texts = [write_record(sorted(names[i] for i in record)) for record in released.sets.tuples()]
    return _by_content(released.column, texts, people)


def _read_sets(table: pa.Table, column: str, members: Members) -> CodeSets:
    rows = [read_record(text) for text in _texts(table, column)]
    _refuse_unsorted(rows, column)
    return replace(CodeSets.of(rows, published=True, members=members), column=column)


def _write_sequences(released: CodeSets, people: Sequence[str]) -> Written:
    """One row a record: its visits in their order, in each the labels, in an order of their own or by text."""
    assert released.visits is not None
    texts = [write_sequence(visits) for visits in released.visits.listed(released.names, released.records)]
    return _by_content(released.column, texts, people)


def _read_sequences(table: pa.Table, column: str, members: Members, ordered: bool) -> CodeSets:
    rows = [read_sequence(text) for text in _texts(table, column)]
    if not ordered:
        _refuse_unsorted((visit for visits in rows for visit in visits), column)
    return replace(CodeSets.of_visits(rows, ordered=ordered, published=True, members=members), column=column)


def _write_chunks(released: Chunks, people: Sequence[str]) -> Written:
    """One row a sub-record: that is no record, so the evidence only counts the persons."""
    return released.to_arrow(released.column), sorted(range(len(people)), key=people.__getitem__)


def _read_chunks(table: pa.Table, column: str, members: Members) -> Chunks:
    return Chunks.from_arrow(table, column)


FORMS: Mapping[str, Form] = {
    form.name: form
    for form in (
        Form("sets", _write_sets, _read_sets),
        Form("sequences", _write_sequences, partial(_read_sequences, ordered=False)),
        Form("ordered-sequences", _write_sequences, partial(_read_sequences, ordered=True)),
        Form("chunks", _write_chunks, _read_chunks),
    )
}


def form_of(released: CodeSets | Chunks) -> Form:
    """The form in which a release is published."""
    if isinstance(released, CodeSets) and released.visits is not None:
        return FORMS["ordered-sequences" if released.visits.ordered else "sequences"]
    return FORMS["sets" if isinstance(released, CodeSets) else released.form]


def _by_content(column: str, texts: Sequence[str], people: Sequence[str]) -> tuple[pa.Table, list[int]]:
    """Records by their text, equal ones by whose they are."""
    shown = pa.table({column: pa.array(texts, pa.string())})
    order = content_order(shown.append_column("\0person", pa.array(people, pa.string())) if people else shown)
    return shown.take(order), order.tolist()


def _refuse_unsorted(records: Iterable[list[str]], column: str) -> None:
    """Labels without an order must be sorted by text, each once: any other order could disclose something."""
    if any(not before < after for labels in records for before, after in pairwise(labels)):
        raise DataError(f"column {column} — the labels of a record are not in order of text — damaged or edited")


def _texts(table: pa.Table, column: str) -> list[str]:
    texts: list[str | None] = table[column].to_pylist()
    if any(text is None for text in texts):
        raise DataError(f"column {column} — a record is empty, and an empty one is written () — damaged or edited")
    return [text for text in texts if text is not None]
