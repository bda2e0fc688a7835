"""Notes in files: read in one pass, into memory if they are few; otherwise texts stay on disk, read batch by batch.

Texts on disk are iterated, never indexed, and the person of each note is a small number: an iteration over a million
notes needs no more memory than one over a thousand.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import overload

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.io.spilled_columns import LazyColumns
from sharewell.io.work_blocks import Journal
from sharewell.notes.data import ColumnShift, IdentifierSource, Notes, WorkSettings
from sharewell.spelling import alike, as_one, one_each

IN_MEMORY = (5_000, 1 << 24)
"""Notes, and bytes of text, up to which all are read at once."""
_BATCH_ROWS, _MOST_BATCHES = 2048, 64
"""Notes that are read at a time, and batches after which the names of their persons are held once."""


@dataclass(frozen=True, eq=False)
class TextsOnDisk(Collection[str]):
    """A column of texts in a file, or in the blocks of a journal."""

    tables: Callable[[Sequence[str]], Iterator[pa.Table]] = field(repr=False)
    """Column names → these columns, batch by batch."""
    column: str
    rows: int
    source: Source | None = None
    """The file of an original."""
    journal: Journal | None = None
    """The finished blocks that make a release."""

    @classmethod
    def of(cls, source: Source, column: str, rows: int) -> TextsOnDisk:
        return cls(lambda columns: source.batches(columns, _BATCH_ROWS), column, rows, source)

    def __len__(self) -> int:
        return self.rows

    def __iter__(self) -> Iterator[str]:
        for table in self.tables([self.column]):
            for text in cell_texts(table[self.column]):
                yield text or ""

    def __contains__(self, text: object) -> bool:
        return any(other == text for other in self)


def cell_texts(column: pa.ChunkedArray) -> list[str | None]:
    """Cells as Python strings, whatever their type."""
    cells: list[str | None] = (column if pa.types.is_string(column.type) else column.cast(pa.string())).to_pylist()
    return cells


@dataclass(frozen=True, eq=False)
class SubjectCodes(Sequence[str]):
    """The person of each note: a number for each note, and each person's name once."""

    codes: NDArray[np.int32] = field(repr=False)
    names: pa.Array = field(repr=False)
    """Arrow strings."""

    @classmethod
    def of(cls, columns: Iterable[pa.Array | pa.ChunkedArray]) -> SubjectCodes:
        """From the chunks of a column of names, none of them missing."""
        pieces: list[pa.DictionaryArray] = []
        for column in columns:
            pieces.append(_numbered(column))
            if len(pieces) >= _MOST_BATCHES:  # names that many pieces share are held once
                pieces = [_as_one(pieces)]
        if not pieces:
            return cls(np.zeros(0, np.int32), pa.array([], pa.string()))
        unified = _as_one(pieces)
        return cls(unified.indices.to_numpy(zero_copy_only=False).astype(np.int32), unified.dictionary)

    def as_one(self) -> SubjectCodes:
        """Names that look alike as one, in the spelling that stands for them."""
        names, place = one_each(self.names)
        return self if place is None else SubjectCodes(place.astype(np.int32)[self.codes], names)

    def __len__(self) -> int:
        return len(self.codes)

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> Sequence[str]: ...
    def __getitem__(self, row: int | slice) -> str | Sequence[str]:
        if isinstance(row, slice):
            return SubjectCodes(self.codes[row], self.names)
        name: str = self.names[int(self.codes[row])].as_py()
        return name

    def __iter__(self) -> Iterator[str]:
        for first in range(0, len(self.codes), _BATCH_ROWS):
            yield from self.names.take(pa.array(self.codes[first : first + _BATCH_ROWS])).to_pylist()

    @property
    def coded(self) -> pa.DictionaryArray:
        return pa.DictionaryArray.from_arrays(pa.array(self.codes), self.names)

    @property
    def people(self) -> int:
        return len(np.unique(self.codes))


def _as_one(pieces: list[pa.DictionaryArray]) -> pa.DictionaryArray:
    return pa.chunked_array(pieces).unify_dictionaries().combine_chunks()


def _numbered(column: pa.Array | pa.ChunkedArray) -> pa.DictionaryArray:
    if pa.types.is_dictionary(column.type):
        return column
    return column.cast(pa.string()).combine_chunks().dictionary_encode()


def count_people(persons: Sequence[str]) -> int:
    """How many people."""
    return persons.people if isinstance(persons, SubjectCodes) else len(set(persons))


def non_null_rows(table: pa.Table, column: str) -> pa.Table:
    """The rows that have a value in a column."""
    return table.filter(pc.is_valid(table[column]))


@dataclass(frozen=True)
class NoteColumns:
    """The roles of the columns of a file."""

    text: str
    subject: str | None = None
    beside: tuple[str, ...] = ()
    """Published beside the text."""
    dropped: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    """Of the dropped columns, those that number the notes: no number should occur twice."""
    shifted: Mapping[str, ColumnShift] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.text in self.beside:
            problem = f"column '{self.text}' is the text: it is written protected, never beside itself as it is"
            raise DataError(f"{problem} — leave it out of --keep")
        object.__setattr__(self, "beside", tuple(dict.fromkeys(self.beside)))


def read_notes(
    source: Source,
    columns: NoteColumns,
    *,
    people: IdentifierSource | None = None,
    name: str = "notes",
    place: Path | None = None,
) -> Notes:
    """The notes of a file, with counts over its columns."""
    scan = _ColumnScan(columns)
    batches: list[pa.Table] | None = []
    for table in scan.through(source):
        if batches is not None:
            batches.append(table.select([columns.text, *columns.beside]))
            if scan.rows > IN_MEMORY[0] or scan.signs > IN_MEMORY[1]:
                batches = None
    persons = scan.persons()
    notes = Notes(
        (),
        people=people,
        column=columns.text,
        name=name,
        shifted=columns.shifted,
        facts=scan.facts(),
        work=WorkSettings(directory=place),
    )
    if batches is None:
        other_columns = LazyColumns(source, list(columns.beside)) if columns.beside else None
        pages = TextsOnDisk.of(source, columns.text, scan.rows)
        return replace(notes, texts=pages, persons=persons, beside=other_columns)
    joined = pa.concat_tables(batches) if batches else source.read([columns.text, *columns.beside])
    texts = tuple(text or "" for text in joined[columns.text].cast(pa.string()).to_pylist())
    kept = joined.select(list(columns.beside)) if columns.beside else None
    return replace(notes, texts=texts, persons=None if persons is None else tuple(persons), beside=kept)


class _ColumnScan:
    """Counts over the columns of a file, and the person of each note."""

    def __init__(self, columns: NoteColumns) -> None:
        self.columns = columns
        self.rows = self.signs = self.blank = self.nobody = 0
        self._missing = dict.fromkeys(self._all(), 0)
        self._subjects: list[pa.Array | pa.ChunkedArray] = []
        self._keys: dict[str, list[NDArray[np.uint64]]] = {name: [] for name in columns.keys}

    def _all(self) -> list[str]:
        columns = self.columns
        subject = () if columns.subject is None else (columns.subject,)
        return list(dict.fromkeys([columns.text, *subject, *columns.beside, *columns.keys]))

    def through(self, source: Source) -> Iterator[pa.Table]:
        for table in source.batches(self._all(), _BATCH_ROWS):
            self._look(table, source.label)
            yield table
        if self.nobody:
            problem = f"{self.nobody} of {self.rows} notes belong to nobody"
            raise DataError(f"{source.label} — {problem} — name the person, or drop the notes")

    def _look(self, table: pa.Table, label: str) -> None:
        columns = self.columns
        for name in self._missing:
            self._missing[name] += table[name].null_count
        text = table[columns.text]
        if pa.types.is_nested(text.type) or pa.types.is_binary(text.type):
            raise DataError(f"{label} — column {columns.text} is of type {text.type} — text is wanted")
        text = text.cast(pa.string())
        self.rows += table.num_rows
        self.signs += int(pc.sum(pc.binary_length(text)).as_py() or 0)
        self.blank += int(pc.sum(pc.equal(pc.utf8_length(pc.utf8_trim_whitespace(text)), 0)).as_py() or 0)
        if columns.subject is not None:
            subjects = table[columns.subject].cast(pa.string())
            self.nobody += as_one(subjects).null_count
            self._subjects.append(subjects)
            if len(self._subjects) >= _MOST_BATCHES:  # whose notes they are is kept as numbers
                self._subjects = [SubjectCodes.of(self._subjects).coded]
        for name in columns.keys:
            self._keys[name].append(_marks(table[name]))

    def persons(self) -> SubjectCodes | None:
        return None if self.columns.subject is None else self._named.as_one()

    @cached_property
    def _named(self) -> SubjectCodes:
        """As they are spelt; read once all batches have been seen."""
        return SubjectCodes.of(self._subjects)

    def facts(self) -> dict[str, dict[str, object]]:
        """The counts of each column, for the plan."""
        facts: dict[str, dict[str, object]] = {name: {"missing": count} for name, count in self._missing.items()}
        facts[self.columns.text]["blank"] = self.blank
        if self.columns.subject is not None:
            facts[self.columns.subject]["alike"] = alike(self._named.names)
        for name, marks in self._keys.items():
            numbers = np.concatenate([*marks, np.zeros(0, np.uint64)])
            distinct = len(np.unique(numbers))
            facts[name] |= {"distinct": distinct, "twice": len(numbers) - distinct}
        return facts | {name: {} for name in self.columns.dropped if name not in facts}


def _marks(column: pa.ChunkedArray) -> NDArray[np.uint64]:
    """A hash of eight bytes for each value that is not missing."""
    values = column.drop_null().cast(pa.string()).to_pylist()
    marks = (hashlib.blake2b(value.encode(), digest_size=8).digest() for value in values)
    return np.frombuffer(b"".join(marks), np.uint64)


def key_columns(names: Sequence[str]) -> tuple[str, ...]:
    """Columns whose name says that they number the notes."""
    from sharewell.proposal.names import Words, is_plain_id, says

    notes = Words("note id,note no,note number,note key,note identifier,document id,doc id,report id,text id,id note")
    return tuple(name for name in names if is_plain_id(name) or says(notes, name))
