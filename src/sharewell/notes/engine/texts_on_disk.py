"""Notes that stay on disk: texts read a page at a time, and whose they are as small numbers.

Texts are iterated, never indexed; so whoever looks at every note, one after the other, needs no more memory for a
million of them than for a thousand.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import overload

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sharewell.io.sources import Source
from sharewell.io.work_blocks import Journal

_TOGETHER = 4096
"""Names that are made text at a time."""
_PIECES = 64


@dataclass(frozen=True, eq=False)
class TextsOnDisk(Collection[str]):
    """One column of a file, or of several, as texts."""

    tables: Callable[[Sequence[str]], Iterator[pa.Table]] = field(repr=False)
    """Column names → the file, piece by piece."""
    column: str
    rows: int
    source: Source | None = None
    """The file of an original."""
    journal: Journal | None = None
    """The finished blocks that make a release."""

    @classmethod
    def of(cls, source: Source, column: str, rows: int, piece: int = 2048) -> TextsOnDisk:
        return cls(lambda columns: source.batches(columns, piece), column, rows, source)

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
    """Whose each note is: a number for each note, and each name once."""

    codes: NDArray[np.int32] = field(repr=False)
    names: pa.Array = field(repr=False)
    """Arrow strings."""

    @classmethod
    def of(cls, columns: Iterable[pa.Array | pa.ChunkedArray]) -> SubjectCodes:
        """From the pieces of a column of names, none of them missing."""
        pieces: list[pa.DictionaryArray] = []
        for column in columns:
            pieces.append(_numbered(column))
            if len(pieces) >= _PIECES:  # names that many pieces share are held once
                pieces = [_as_one(pieces)]
        if not pieces:
            return cls(np.zeros(0, np.int32), pa.array([], pa.string()))
        unified = _as_one(pieces)
        return cls(unified.indices.to_numpy(zero_copy_only=False).astype(np.int32), unified.dictionary)

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
        for first in range(0, len(self.codes), _TOGETHER):
            yield from self.names.take(pa.array(self.codes[first : first + _TOGETHER])).to_pylist()

    @property
    def coded(self) -> pa.DictionaryArray:
        """The same as an Arrow array."""
        return pa.DictionaryArray.from_arrays(pa.array(self.codes), self.names)

    @property
    def people(self) -> int:
        """How many people."""
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
    """The rows of which something is published."""
    return table.filter(pc.is_valid(table[column]))
