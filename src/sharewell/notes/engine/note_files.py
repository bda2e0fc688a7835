"""Reading notes from a file in one pass: in memory if they are few, otherwise left on disk."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from sharewell.errors import DataError
from sharewell.io.sources import Source
from sharewell.io.spilled_columns import LazyColumns
from sharewell.notes.data import Knowing, Notes, Shift, Work
from sharewell.notes.engine.texts_on_disk import Pages, Whom

IN_MEMORY = (5_000, 1 << 24)
"""Notes, and bytes of text, up to which all are read at once."""
_PIECE, _MANY = 2048, 64


@dataclass(frozen=True)
class Columns:
    """Which columns of the file say what."""

    text: str
    subject: str | None = None
    beside: tuple[str, ...] = ()
    """Published beside the text."""
    dropped: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    """Of the dropped ones: numbers of notes, no two of which should be the same."""
    shifted: Mapping[str, Shift] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.text in self.beside:
            what = f"column '{self.text}' is the text: it is written protected, never beside itself as it is"
            raise DataError(f"{what} — leave it out of --keep")
        object.__setattr__(self, "beside", tuple(dict.fromkeys(self.beside)))


def read_notes(
    source: Source, columns: Columns, *, people: Knowing | None = None, name: str = "notes", place: Path | None = None
) -> Notes:
    """Notes of a file, with what was seen of its columns."""
    seen = _Seen(columns)
    held: list[pa.Table] | None = []
    for table in seen.through(source):
        if held is not None:
            held.append(table.select([columns.text, *columns.beside]))
            if seen.rows > IN_MEMORY[0] or seen.signs > IN_MEMORY[1]:
                held = None
    persons = seen.persons()
    notes = Notes(
        (),
        people=people,
        column=columns.text,
        name=name,
        shifted=columns.shifted,
        facts=seen.facts(),
        work=Work(place=place),
    )
    if held is None:
        beside = LazyColumns(source, list(columns.beside)) if columns.beside else None
        pages = Pages.of(source, columns.text, seen.rows, _PIECE)
        return replace(notes, texts=pages, persons=persons, beside=beside)
    whole = pa.concat_tables(held) if held else source.read([columns.text, *columns.beside])
    texts = tuple(text or "" for text in whole[columns.text].cast(pa.string()).to_pylist())
    kept = whole.select(list(columns.beside)) if columns.beside else None
    return replace(notes, texts=texts, persons=None if persons is None else tuple(persons), beside=kept)


class _Seen:
    """Counts of what goes by, and whose notes they are."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns
        self.rows = self.signs = self.blank = self.nobody = 0
        self._missing = dict.fromkeys(self._all(), 0)
        self._whose: list[pa.Array | pa.ChunkedArray] = []
        self._keys: dict[str, list[NDArray[np.uint64]]] = {name: [] for name in columns.keys}

    def _all(self) -> list[str]:
        columns = self.columns
        subject = () if columns.subject is None else (columns.subject,)
        return list(dict.fromkeys([columns.text, *subject, *columns.beside, *columns.keys]))

    def through(self, source: Source) -> Iterator[pa.Table]:
        for table in source.batches(self._all(), _PIECE):
            self._look(table, source.label)
            yield table
        if self.nobody:
            what = f"{self.nobody} of {self.rows} notes belong to nobody"
            raise DataError(f"{source.label} — {what} — name the person, or drop the notes")

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
            whose = table[columns.subject].cast(pa.string())
            bare = pc.fill_null(pc.equal(pc.utf8_trim_whitespace(whose), ""), True)
            self.nobody += int(pc.sum(bare).as_py() or 0)
            self._whose.append(whose)
            if len(self._whose) >= _MANY:  # whose notes they are is kept as numbers
                self._whose = [Whom.of(self._whose).coded]
        for name in columns.keys:
            self._keys[name].append(_marks(table[name]))

    def persons(self) -> Whom | None:
        return None if self.columns.subject is None else Whom.of(self._whose)

    def facts(self) -> dict[str, dict[str, object]]:
        """What a plan tells of each column."""
        found: dict[str, dict[str, object]] = {name: {"missing": count} for name, count in self._missing.items()}
        found[self.columns.text]["blank"] = self.blank
        for name, marks in self._keys.items():
            numbers = np.concatenate([*marks, np.zeros(0, np.uint64)])
            distinct = len(np.unique(numbers))
            found[name] |= {"distinct": distinct, "twice": len(numbers) - distinct}
        return found | {name: {} for name in self.columns.dropped if name not in found}


def _marks(column: pa.ChunkedArray) -> NDArray[np.uint64]:
    """Eight bytes for each value that is there."""
    values = column.drop_null().cast(pa.string()).to_pylist()
    marks = (hashlib.blake2b(value.encode(), digest_size=8).digest() for value in values)
    return np.frombuffer(b"".join(marks), np.uint64)


def key_columns(names: Sequence[str]) -> tuple[str, ...]:
    """Columns whose name says that they number the notes."""
    from sharewell.proposal.names import is_plain_id, says
    from sharewell.proposal.vocabulary import Words

    notes = Words("note id,note no,note number,note key,note identifier,document id,doc id,report id,text id,id note")
    return tuple(name for name in names if is_plain_id(name) or says(notes, name))
